package versions_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/testkit/runs"
	"asldb/internal/versions"
	"asldb/recorder"
	"asldb/recorder/history"
)

// orders is a definition with a Choice, tasks with a retrier and a catcher, a Map, random numbers and times.
const orders = `{"StartAt":"Stamp","States":{
  "Stamp":{"Type":"Pass","Parameters":{"id.$":"States.UUID()","at.$":"$$.Execution.StartTime","n.$":"$.n","lines.$":"$.lines"},"Next":"Total"},
  "Total":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:total","Parameters":{"lines.$":"$.lines"},"ResultPath":"$.total","Next":"Due"},
  "Due":{"Type":"Choice","Choices":[
    {"Variable":"$.total.sum","NumericGreaterThan":90,"Next":"Review"},
    {"Variable":"$.total.sum","NumericGreaterThan":0,"Next":"Charge"}],"Default":"Free"},
  "Review":{"Type":"Pass","Result":true,"ResultPath":"$.reviewed","Next":"Charge"},
  "Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","Parameters":{"order.$":"$.id","sum.$":"$.total.sum"},
    "Retry":[{"ErrorEquals":["Card.Busy"],"MaxAttempts":2}],
    "Catch":[{"ErrorEquals":["Card.Declined"],"ResultPath":"$.problem","Next":"Declined"}],"ResultPath":"$.payment","Next":"Each"},
  "Each":{"Type":"Map","ItemsPath":"$.lines","ItemProcessor":{"StartAt":"Pack","States":{"Pack":{"Type":"Pass","Parameters":{"sku.$":"$.sku","packed":true},"End":true}}},
    "ResultPath":"$.packed","Next":"Done"},
  "Declined":{"Type":"Fail","Error":"Order.Declined","Cause":"no funds"},
  "Free":{"Type":"Pass","Result":"free","ResultPath":"$.payment","Next":"Done"},
  "Done":{"Type":"Pass","Parameters":{"n.$":"$.n","paid.$":"$.payment"},"End":true}}}`

func machineOf(t testing.TB, name, text string) versions.Definition {
	t.Helper()
	definition, problems := asl.Parse(&source.File{Name: name, Data: []byte(text)})
	if definition == nil {
		t.Fatal(problems)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return versions.Definition{Name: name, Machine: machine}
}

// record writes the history of run n of the orders into a folder. Sums go from 0 to 99; the card is busy for one in
// ten, and declined for one in twenty.
func record(t testing.TB, dir string, n int) {
	t.Helper()
	sum, charges := n%100, 0
	tasks := func(r *engine.TaskRequest) engine.Outcome {
		if strings.HasSuffix(r.Resource, ":total") {
			return engine.Outcome{Output: value.Must(fmt.Sprintf(`{"sum":%d}`, sum)), After: time.Second}
		}
		charges++
		switch {
		case n%20 == 7:
			return engine.Outcome{Error: "Card.Declined", Cause: "no", After: time.Second}
		case n%10 == 3 && charges == 1:
			return engine.Outcome{Error: "Card.Busy", After: time.Second}
		}
		return engine.Outcome{Output: value.Must(`{"ok":true}`), After: 2 * time.Second}
	}
	lines := strings.Repeat(`,{"sku":"b"}`, lineCount(t))
	log := runs.Run(machineOf(t, "orders", orders).Machine,
		fmt.Sprintf(`{"n":%d,"lines":[{"sku":"a%d"}%s]}`, n, n, lines), tasks)
	document := value.Append(nil, history.Document(history.Of(log.All())))
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.json", n)), document, 0o600); err != nil {
		t.Fatal(err)
	}
}

// lineCount is the number of lines of an order after the first: in benchmarks their histories have about 100 events.
func lineCount(t testing.TB) int {
	if _, ok := t.(*testing.B); ok {
		return 18
	}
	return 1
}

func recorded(t testing.TB, count int) string {
	t.Helper()
	dir := t.TempDir()
	for n := range count {
		record(t, dir, n)
	}
	return dir
}

func changed(t testing.TB, pairs ...string) string {
	t.Helper()
	text := orders
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the definition has no %s", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func compared(t testing.TB, fresh, dir string, o versions.Options) *versions.Result {
	t.Helper()
	r, err := versions.Compare(context.Background(), machineOf(t, "orders.asl.json", orders),
		machineOf(t, "new.asl.json", fresh), []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func titles(r *versions.Result) string {
	lines := value.Each(r.Groups(), func(g *versions.Group) string {
		return fmt.Sprintf("%d %s: %s @ %s", len(g.Executions), g.Verdict.Key(), g.Title(), g.Place())
	})
	return strings.Join(lines, "\n")
}

// Three changes in 200 executions are found, each where it first shows, and nothing else.
func TestThreePlantedChanges(t *testing.T) {
	dir := recorded(t, 200)
	fresh := changed(t,
		`"NumericGreaterThan":90,`, `"NumericGreaterThan":80,`, // ten more of a hundred are reviewed
		`"packed":true}`, `"packed":true,"box":1}`, // of all that are packed
		`"Error":"Order.Declined"`, `"Error":"Order.Refused"`) // of those whose card is declined
	r := compared(t, fresh, dir, versions.Options{})
	// 10 of 200 cards are declined: n = 7, 27, 47, 67, 87 and so on. Of the sums 81 to 90 that now go to Review, 87 is
	// declined. Of the others 2 (the sums 0) are free and never packed.
	want := strings.Join([]string{
		"8 outcome: Declined: error $ @ new.asl.json:13",
		"2 outcome: Due → Review, rule 1 (before: Charge, rule 2) @ new.asl.json:5",
		"18 path: Due → Review, rule 1 (before: Charge, rule 2) @ new.asl.json:5",
		"170 payload: Each/Iterations[*]/Pack: output $.box @ new.asl.json:11",
	}, "\n")
	if got := titles(r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if n := r.Count(versions.Same); n != 2 {
		t.Errorf("%d are the same", n)
	}
}

// The same definition is the same, although its random numbers and its times differ from run to run.
func TestTheSameVersion(t *testing.T) {
	r := compared(t, orders, recorded(t, 40), versions.Options{Parallel: 3})
	if n := r.Count(versions.Same); n != 40 || len(r.Groups()) != 0 || r.Unfaithful() != 0 {
		t.Errorf("%d are the same, %d not as recorded: %s", n, r.Unfaithful(), titles(r))
	}
}

// What the old version has from itself in two runs isn't a difference.
func TestNoise(t *testing.T) {
	fresh := changed(t, `"id.$":"States.UUID()"`, `"id.$":"States.UUID()","other.$":"States.UUID()"`)
	fresh = strings.Replace(fresh, `"id.$":"States.UUID()","other.$":"States.UUID()"`,
		`"other.$":"States.UUID()","id.$":"States.UUID()"`, 1)
	r := compared(t, fresh, recorded(t, 3), versions.Options{})
	if got, want := titles(r), "3 payload: Stamp: output $.other @ new.asl.json:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r.Noisy() != 3 {
		t.Errorf("%d have noise", r.Noisy())
	}
}

// A way that random numbers decide in the old version cannot be judged.
func TestRandomWays(t *testing.T) {
	const old = `{"StartAt":"Draw","States":{"Draw":{"Type":"Pass","Parameters":{"n.$":"States.MathRandom(0, 1000)"},"Next":"Which"},
		"Which":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":LIMIT,"Next":"A"}],"Default":"B"},
		"A":{"Type":"Pass","Result":1,"End":true},"B":{"Type":"Pass","Result":2,"End":true}}}`
	unjudged := 0
	for limit := 20; limit < 1000; limit += 40 {
		text := strings.Replace(old, "LIMIT", fmt.Sprint(limit), 1)
		log := runs.Run(machineOf(t, "draw", text).Machine, `{}`, runs.Echo)
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "draw.json"),
			value.Append(nil, history.Document(history.Of(log.All()))), 0o600); err != nil {
			t.Fatal(err)
		}
		fresh := strings.Replace(text, `"Next":"A"}],"Default":"B"`, `"Next":"B"}],"Default":"A"`, 1)
		r, err := versions.Compare(context.Background(), machineOf(t, "draw", text), machineOf(t, "new", fresh),
			[]string{dir}, versions.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Count(versions.Unjudged) == 1 {
			unjudged++
			if title := titles(r); !strings.Contains(title, "Which: the old version itself goes another way") {
				t.Error(title)
			}
		}
	}
	if unjudged == 0 || unjudged == 25 {
		t.Errorf("%d of 25 cannot be judged", unjudged)
	}
}

// A way that parts before a task without a recorded result is told, and what follows cannot be judged; with fixtures it
// can.
func TestUnjudged(t *testing.T) {
	dir := recorded(t, 5)
	fresh := changed(t, `"Next":"Each"}`, `"Next":"Tell"},"Tell":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:tell","ResultPath":null,"Next":"Each"}`)
	r := compared(t, fresh, dir, versions.Options{})
	// The sum 0 is free, and tells nothing.
	if got := titles(r); got != "4 path: Charge → Tell (before: Each) @ new.asl.json:10" ||
		r.Count(versions.Same) != 1 || r.Open() != 4 {
		t.Error(got, r.Open())
	}
	if rest, why := r.Groups()[0].Example().Rest(); rest != "what follows cannot be judged" ||
		why != "Tell: the recorded execution was not in Tell, or not as often" {
		t.Error(rest, why)
	}
	for words, want := range map[string]int{
		"outcome": 4, "path": 4, "payload,unjudged": 4, "unjudged=80%": 4, "unjudged=79.9%": 4,
	} {
		on, err := versions.ParseFailOn(strings.Split(words, ","))
		if got := len(r.Failing(on)); err != nil || got != want {
			t.Errorf("%s: %d fail, %v", words, got, err)
		}
	}
	file, err := fixtures.Load("tell.yaml", []byte("version: 1\ntasks:\n  Tell: [{output: null}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	r = compared(t, fresh, dir, versions.Options{Fixtures: file})
	if got := titles(r); got != "4 path: Charge → Tell (before: Each) @ new.asl.json:10" || r.Open() != 0 ||
		len(r.Failing(versions.FailOn{})) != 0 {
		t.Error(got)
	}
}

func TestIgnored(t *testing.T) {
	dir := recorded(t, 5)
	fresh := changed(t, `"packed":true}`, `"packed":true,"box":1}`)
	for text, same := range map[string]int{"$..box": 5, "Pack:$.box": 1, "Each/Iterations[*]/Pack:$.box": 1,
		"Charge:$.box": 1, "$.other": 1} {
		ignored, err := versions.ParseIgnored(text)
		if err != nil {
			t.Fatal(err)
		}
		r := compared(t, fresh, dir, versions.Options{Ignore: []*versions.Ignored{ignored}})
		if n := r.Count(versions.Same); n != same {
			t.Errorf("%s: %d are the same: %s", text, n, titles(r))
		}
		if text == "Pack:$.box" && !strings.Contains(titles(r), "Each: output $.packed[*].box") {
			t.Error(titles(r))
		}
	}
	if _, err := versions.ParseIgnored("$.a[?(@.b)]"); err == nil {
		t.Error("a filter is taken")
	}
}

func TestRedacted(t *testing.T) {
	redaction, err := recorder.ParseRedaction("$..sum")
	if err != nil {
		t.Fatal(err)
	}
	fresh := changed(t, `"sum.$":"$.total.sum"}`, `"sum":7}`)
	r := compared(t, fresh, recorded(t, 3), versions.Options{Redactions: []*recorder.Redaction{redaction}})
	g := r.Groups()[0]
	if lines := strings.Join(g.Example().First.Lines(100), "\n"); lines != "- \"[redacted]\"\n+ \"[redacted]\"" {
		t.Errorf("%s:\n%s", g.Title(), lines)
	}
}

// Traces and suites are recordings, too, and a folder may have other files.
func TestKindsOfRecordings(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 1)
	machine := machineOf(t, "orders", orders).Machine
	runTrace(t, filepath.Join(dir, "one.trace"), machine, `{"n":1,"lines":[]}`)
	suite := "version: 1\ndefinition: orders.asl.json\ninput: {n: 3, lines: []}\ntasks:\n  Total: [{output: {sum: 5}}]\n  Charge: [{output: true}]\ncases:\n  cheap: {expect: {status: SUCCEEDED}}\n  skipped: {skip: later, expect: {status: SUCCEEDED}}\n"
	for name, text := range map[string]string{"a.test.yaml": suite, "orders.asl.json": orders, ".hidden.json": "{",
		"notes.md": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := compared(t, changed(t, `"n.$":"$.n","paid`, `"n.$":"$.total","paid`), dir, versions.Options{})
	if got := titles(r); got != "3 outcome: Done: output $.n @ new.asl.json:15" {
		t.Error(got)
	}
	if len(r.Skipped) != 1 || filepath.Base(r.Skipped[0].File) != "orders.asl.json" {
		t.Errorf("skipped: %v", r.Skipped)
	}
	if name := r.Judged[1].Name(); !strings.HasSuffix(name, "a.test.yaml (cheap)") {
		t.Error(name)
	}
}

func TestNothingToCompare(t *testing.T) {
	dir := t.TempDir()
	d := machineOf(t, "orders", orders)
	_, err := versions.Compare(context.Background(), d, d, []string{dir}, versions.Options{})
	var empty *versions.EmptyError
	if !errors.As(err, &empty) || !strings.HasPrefix(err.Error(), "there is no recorded execution in ") {
		t.Error(err)
	}
	wrong := filepath.Join(dir, "x.json")
	if err := os.WriteFile(wrong, []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := versions.Compare(context.Background(), d, d, []string{dir}, versions.Options{}); !errors.As(err,
		&empty) || len(empty.Skipped) != 1 {
		t.Error(err)
	}
	if _, err := versions.Compare(context.Background(), d, d, []string{wrong}, versions.Options{}); err == nil ||
		errors.As(err, &empty) {
		t.Error(err)
	}
	if _, err := versions.Compare(context.Background(), d, d, []string{filepath.Join(dir, "no*")},
		versions.Options{}); err == nil {
		t.Error("a pattern without a file is taken")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := versions.Compare(ctx, d, d, []string{dir}, versions.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The threads of branches are compared each for itself, whichever comes first.
func TestThreads(t *testing.T) {
	const old = `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":3,"Next":"A2"},"A2":{"Type":"Pass","Result":1,"End":true}}},
		{"StartAt":"B","States":{"B":{"Type":"Wait","Seconds":5,"Next":"B2"},"B2":{"Type":"Pass","Result":2,"End":true}}}]}}}`
	log := runs.Run(machineOf(t, "old", old).Machine, `{}`, runs.Echo)
	file := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(file, value.Append(nil, history.Document(history.Of(log.All()))), 0o600); err != nil {
		t.Fatal(err)
	}
	for from, c := range map[string]struct{ to, want string }{
		`"Seconds":3`: {`"Seconds":9`, ""},
		`"Result":2`:  {`"Result":3`, "1 outcome: Both/Branches[1]/B2: output $ @ new:3"},
		`{"StartAt":"A","States":{`: {`{"StartAt":"A0","States":{"A0":{"Type":"Pass","Next":"A"},`,
			"1 path: Both/Branches[0] → A0 (before: A) @ new:2"},
		`"Result":1,"End":true`: {`"Result":1,"Next":"A3"},"A3":{"Type":"Pass","End":true`,
			"1 path: Both/Branches[0]/A2 → A3 (before: the end) @ new:2"},
	} {
		if !strings.Contains(old, from) {
			t.Fatal(from)
		}
		fresh := strings.Replace(old, from, c.to, 1)
		r, err := versions.Compare(context.Background(), machineOf(t, "old", old), machineOf(t, "new", fresh),
			[]string{file}, versions.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := titles(r); got != c.want {
			t.Errorf("%s: got %q, want %q", c.to, got, c.want)
		}
	}
}

// Retriers and catchers decide ways, too.
func TestHandlers(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 3) // busy once
	record(t, dir, 7) // declined
	for from, c := range map[string]struct{ to, want string }{
		`"MaxAttempts":2`: {`"MaxAttempts":0`, "1 outcome: Charge → failure with Card.Busy (before: another attempt, retrier 1) @ new.asl.json:8"},
		`"ErrorEquals":["Card.Declined"],"ResultPath":"$.problem","Next":"Declined"`: {
			`"ErrorEquals":["Card.Declined"],"ResultPath":"$.problem","Next":"Free"},{"ErrorEquals":["States.ALL"],"Next":"Declined"`,
			"1 outcome: Charge → Free, catcher 1 (before: Declined, catcher 1) @ new.asl.json:10"},
		`"ResultPath":"$.problem"`: {`"ResultPath":"$.trouble"`,
			"1 payload: Charge: output $.problem @ new.asl.json:10"},
	} {
		if got := titles(compared(t, changed(t, from, c.to), dir, versions.Options{})); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.to, got, c.want)
		}
	}
}

// Histories have about 100 events here.
func BenchmarkCompare(b *testing.B) {
	dir := recorded(b, 200)
	old := machineOf(b, "old", orders)
	fresh := machineOf(b, "new", changed(b, `"NumericGreaterThan":90,`, `"NumericGreaterThan":80,`, `"packed":true}`,
		`"packed":true,"box":1}`))
	executions := 0
	for b.Loop() {
		r, err := versions.Compare(context.Background(), old, fresh, []string{dir}, versions.Options{})
		if err != nil {
			b.Fatal(err)
		}
		executions += len(r.Judged)
	}
	b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
}

// What a comparison fails for.
func TestFailOn(t *testing.T) {
	r := &versions.Result{}
	for v, n := range map[versions.Verdict]int{versions.Outcome: 1, versions.Path: 2, versions.Payload: 3,
		versions.Unjudged: 4, versions.Same: 10} {
		for range n {
			j := versions.Judged{Verdict: v}
			if v == versions.Unjudged {
				j.Reason = "it was not recorded"
			}
			r.Judged = append(r.Judged, j)
		}
	}
	for words, want := range map[string]int{
		"outcome": 1, "path": 3, "payload": 6, "unjudged": 5, "unjudged=20%": 1, "unjudged=19": 5,
		"path,unjudged=0%": 7, "payload,unjudged": 10,
	} {
		on, err := versions.ParseFailOn(strings.Split(words, ","))
		if got := len(r.Failing(on)); err != nil || got != want {
			t.Errorf("%s: %d fail, want %d, %v", words, got, want, err)
		}
	}
	if got := len(r.Failing(versions.Strict())); got != 10 {
		t.Errorf("strict: %d fail", got)
	}
	for _, words := range []string{"", "same", "unjudged=", "unjudged=x%", "unjudged=101%", "unjudged=-1",
		"unjudged=NaN%", "path=3"} {
		if on, err := versions.ParseFailOn([]string{words}); err == nil {
			t.Errorf("%q: %+v", words, on)
		}
	}
}

// A state with another name in the new version is the same state, with its recorded results.
func TestRenamed(t *testing.T) {
	dir := recorded(t, 20)
	old := machineOf(t, "old.asl.json", orders)
	text := strings.NewReplacer(`"Charge"`, `"ChargeCard"`, `"Each"`, `"PackAll"`, `"Pack"`, `"PackOne"`, `"Stamp"`,
		`"Begin"`).Replace(orders)
	renamed := func(text string, list ...versions.Renaming) (versions.Definition, error) {
		file := &source.File{Name: "new.asl.json", Data: []byte(text)}
		root, problem := source.Read(file, nil)
		if problem != nil {
			t.Fatal(problem)
		}
		if err := versions.Rename(old.Machine.Definition(), root, list); err != nil {
			return versions.Definition{}, err
		}
		definition, problems := asl.ParseTree(file, root)
		if definition == nil {
			t.Fatal(problems)
		}
		machine, err := engine.Compile(definition, engine.AWS)
		return versions.Definition{Name: "new.asl.json", Machine: machine}, err
	}
	list := []versions.Renaming{{Old: "Charge", New: "ChargeCard"}, {Old: "Each", New: "PackAll"},
		{Old: "Pack", New: "PackOne"}, {Old: "Stamp", New: "Begin"}}
	fresh, err := renamed(strings.Replace(text, "no funds", "none", 1), list...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := versions.Compare(t.Context(), old, fresh, []string{dir}, versions.Options{Renamed: list})
	if err != nil {
		t.Fatal(err)
	}
	if got := titles(r); got != "1 payload: Declined: cause $ @ new.asl.json:13" || r.Count(versions.Same) != 19 ||
		len(r.Renamed) != 4 {
		t.Error(got)
	}
	for _, test := range []struct {
		text, want string
		renaming   versions.Renaming
	}{
		{text, `Send=ChargeCard: the old version has no state "Send"`,
			versions.Renaming{Old: "Send", New: "ChargeCard"}},
		{text, `Charge=Send: the new version has no state "Send"`, versions.Renaming{Old: "Charge", New: "Send"}},
		{orders, `Charge=Each: the new version has a state "Charge", too`,
			versions.Renaming{Old: "Charge", New: "Each"}},
	} {
		if _, err := renamed(test.text, test.renaming); err == nil || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	if _, err := renamed(orders, versions.Renaming{Old: "Charge", New: "Each"},
		versions.Renaming{Old: "Each", New: "Charge"}); err != nil {
		t.Errorf("names that were exchanged: %v", err)
	}
}

// endingContext ends when it has been asked so often whether it has.
type endingContext struct {
	context.Context
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// The end of the context ends the run, in the middle of an evaluation, too, whatever the recording is.
func TestInterrupted(t *testing.T) {
	const quick = `{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`
	long := `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Output":"{% $sum($map([1..200000], function($i) { $i + 1 })) %}","End":true}}}`
	old, fresh := machineOf(t, "old", quick), machineOf(t, "new", long)
	dir := t.TempDir()
	log := runs.Run(old.Machine, `{}`, nil)
	for name, data := range map[string][]byte{
		"x.json":      value.Append(nil, history.Document(history.Of(log.All()))),
		"x.test.yaml": []byte("version: 1\ndefinition: x\ncases: {a: {input: {}, expect: {status: SUCCEEDED}}}\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runTrace(t, filepath.Join(dir, "x.trace"), old.Machine, `{}`)
	for _, name := range []string{"x.json", "x.test.yaml", "x.trace"} {
		asked := func(limit int64) (int64, error) {
			ctx := &endingContext{Context: t.Context()}
			ctx.left.Store(limit)
			_, err := versions.Compare(ctx, old, fresh, []string{filepath.Join(dir, name)},
				versions.Options{Parallel: 1})
			return limit - ctx.left.Load(), err
		}
		whole, err := asked(1 << 40)
		if err != nil || whole < 100 {
			t.Errorf("%s: the context was asked %d times, %v", name, whole, err)
		}
		if after, err := asked(whole / 2); !errors.Is(err, context.Canceled) || after > whole/2+20 {
			t.Errorf("%s: it was asked %d times of %d, %v", name, after, whole, err)
		}
	}
}
