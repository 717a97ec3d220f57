package figures_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/figures"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// h writes histories by hand: the figures expected of them are counted by hand, too.
type h struct {
	events []string
	at     int64 // milliseconds
}

// add adds an event some milliseconds after the last; its id is its number, and previous the id of the event that it
// follows.
func (b *h) add(after int64, kind string, previous int, key, details string) *h {
	b.at += after
	text := fmt.Sprintf(`{"timestamp":%d.%03d,"type":%q,"id":%d,"previousEventId":%d`, 1_700_000_000+b.at/1000,
		b.at%1000, kind, len(b.events)+1, previous)
	if key != "" {
		text += fmt.Sprintf(`,"%sEventDetails":%s`, key, details)
	}
	b.events = append(b.events, text+"}")
	return b
}

func (b *h) document(before string) string {
	return `{` + before + `"events":[` + strings.Join(b.events, ",\n") + `]}`
}

func quoted(text string) string { return string(value.AppendQuoted(nil, text)) }

// charged is an execution with a task that is tried twice: it waits 100 ms and then 50 ms, works 400 ms and then 1 s,
// and there are 3 s between. The state is entered at 10 ms and left at 4570 ms.
func charged(result string) *h {
	b := &h{}
	b.add(0, "ExecutionStarted", 0, "executionStarted", `{"input":"{}"}`)
	b.add(10, "TaskStateEntered", 0, "stateEntered", `{"name":"Charge","input":"{}"}`)
	b.add(0, "TaskScheduled", 2, "taskScheduled", `{"resourceType":"sqs","resource":"sendMessage","parameters":"{\"a\":1}"}`)
	b.add(100, "TaskStarted", 3, "taskStarted", `{"resourceType":"sqs","resource":"sendMessage"}`)
	b.add(400, "TaskFailed", 4, "taskFailed", `{"resourceType":"sqs","resource":"sendMessage","error":"Busy"}`)
	b.add(3000, "TaskScheduled", 5, "taskScheduled",
		`{"resourceType":"sqs","resource":"sendMessage","parameters":"{\"a\":1}"}`)
	b.add(50, "TaskStarted", 6, "taskStarted", `{"resourceType":"sqs","resource":"sendMessage"}`)
	b.add(1000, "TaskSucceeded", 7, "taskSucceeded", `{"resourceType":"sqs","resource":"sendMessage","output":`+
		quoted(result)+`}`)
	b.add(10, "TaskStateExited", 8, "stateExited",
		`{"name":"Charge","output":"{}","assignedVariables":{"total":"12345"}}`)
	b.add(0, "ExecutionSucceeded", 9, "executionSucceeded", `{"output":"{}"}`)
	return b
}

func gather(t testing.TB, dir string, o figures.Options) *figures.Figures {
	t.Helper()
	f, err := figures.Gather(context.Background(), []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func stateOf(t testing.TB, m *figures.Machine, path string) *figures.State {
	t.Helper()
	var paths []string
	for _, s := range m.States() {
		if s.Path == path {
			return s
		}
		paths = append(paths, s.Path)
	}
	t.Fatalf("there is no %s among %s", path, strings.Join(paths, ", "))
	return nil
}

const ms = int64(time.Millisecond)

func only(d *figures.Distribution) string {
	return fmt.Sprintf("%d: %d to %d ms", d.Count, d.Min/ms, d.Max/ms)
}

func TestATaskThatIsTriedAgain(t *testing.T) {
	m := gather(t, testkit.New(t, map[string]string{"a.json": charged(`"ok"`).document("")}),
		figures.Options{}).Machines[0]
	s := stateOf(t, m, "Charge")
	for about, c := range map[string][2]string{
		"time":      {only(&s.Time), "1: 4560 to 4560 ms"},
		"wait":      {only(&s.Wait), "2: 50 to 100 ms"},
		"work":      {only(&s.Work), "2: 400 to 1000 ms"},
		"backoff":   {only(&s.Backoff), "1: 3000 to 3000 ms"},
		"callback":  {only(&s.Callback), "0: 0 to 0 ms"},
		"execution": {only(&m.Time), "1: 4570 to 4570 ms"},
		"counts":    {fmt.Sprint(s.Visits, s.Attempts, s.Retries, s.NotLeft, s.Failures()), "1 2 1 0 1"},
		"errors":    {fmt.Sprintf("%+v", *s.Errors()[0]), "{Name:Busy Count:1 Retried:1 Caught:0 Passed:0}"},
		"statuses":  {fmt.Sprint(m.Statuses()), "[{SUCCEEDED 1}]"},
		"units":     {fmt.Sprintf("%+v", *m.Usage[0]), "{Region: Transitions:2 Requests:0 Megabytes:0 Unfinished:0}"},
		"events":    {fmt.Sprint(m.Events.Count, m.Events.Max), "1 10"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: got %s, want %s", about, c[0], c[1])
		}
	}
	fields := value.Each(s.Payloads(), func(p figures.Payload) string {
		return fmt.Sprintf("%s %d @%d", p.Field, p.Size, p.Event)
	})
	if got := strings.Join(fields, ", "); got != "payload 7 @3, variable total 5 @9, result 4 @8, input 2 @2, output 2 @9" {
		t.Error(got)
	}
}

// A payload is as large as its text in bytes of UTF-8.
func TestPayloadsNearTheQuota(t *testing.T) {
	quota := 256 * 1024
	at := func(size int) string { return `"` + strings.Repeat("é", (size-2)/2) + `"` }
	dir := testkit.New(t, map[string]string{
		"a.json": charged(at(quota * 8 / 10)).document(""), // 80 % is not over it
		"b.json": charged(at(quota*8/10 + 2)).document(""),
		"c.json": charged(at(quota)).document(""),
		"d.json": strings.Replace(charged(`"cut"`).document(""), `"output":"\"cut\""`,
			`"output":"\"cu","outputDetails":{"truncated":true}`, 1),
	})
	m := gather(t, dir, figures.Options{}).Machines[0]
	if m.NearPayloadsCount != 2 || len(m.NearPayloads) != 2 || m.Truncated != 1 {
		t.Fatalf("%d near, %d cut off", m.NearPayloadsCount, m.Truncated)
	}
	for i, want := range []string{"c.json result 262144", "b.json result 209716"} {
		p := m.NearPayloads[i]
		if got := fmt.Sprintf("%s %s %d", filepath.Base(p.File), p.Field, p.Size); got != want || p.State != "Charge" ||
			p.Event != 8 {
			t.Errorf("got %s, want %s: %+v", got, want, p)
		}
	}
	if m.Largest != m.NearPayloads[0] {
		t.Errorf("%+v", m.Largest)
	}
}

// Histories without an end, or with a gap, count, and are named.
func TestUnfinishedAndDamaged(t *testing.T) {
	running := charged("1")
	running.events = running.events[:7]
	gap := charged("1")
	gap.events = append(gap.events[:3:3], gap.events[5:]...)
	headless := charged("1")
	headless.events = headless.events[2:]
	dir := testkit.New(t, map[string]string{
		"gap.json": gap.document(""), "headless.json": headless.document(""), "running.json": running.document(""),
		"whole.json": charged("1").document(""),
		"other.json": `{"StartAt":"A"}`, "notes.md": "x",
	})
	f := gather(t, dir, figures.Options{})
	m := f.Machines[0]
	text := func(list []figures.Flaw) string {
		lines := value.Each(list, func(flaw figures.Flaw) string {
			return filepath.Base(flaw.File) + ": " + flaw.Reason
		})
		return strings.Join(lines, "; ")
	}
	if got := text(m.Unfinished); got != "running.json: the recording ends before the execution" {
		t.Error(got)
	}
	if got := text(m.Damaged); got != "gap.json: 2 events are missing; headless.json: its first events are missing" {
		t.Error(got)
	}
	if len(f.Skipped) != 1 || filepath.Base(f.Skipped[0].File) != "other.json" {
		t.Error(text(f.Skipped))
	}
	s := stateOf(t, m, "Charge")
	if m.Executions != 4 || s.Time.Count != 2 || s.NotLeft != 1 || m.Time.Count != 2 ||
		fmt.Sprint(m.Statuses()) != "[{SUCCEEDED 3} {RUNNING 1}]" {
		t.Errorf("%d executions, %d times, %d not left, %d in all, %v", m.Executions, s.Time.Count, s.NotLeft,
			m.Time.Count, m.Statuses())
	}
}

// State machines and regions are told apart by the ARNs of executions.
func TestMachinesAndRegions(t *testing.T) {
	arn := func(region, machine string) string {
		return `"executionArn":"arn:aws:states:` + region + `:123456789012:execution:` + machine + `:x",`
	}
	f := gather(t, testkit.New(t, map[string]string{
		"a.history.json":            charged("1").document(arn("eu-west-1", "Order")),
		"b.history.json":            charged("1").document(arn("us-east-1", "Order")),
		"c.history.json":            charged("1").document(arn("eu-west-1", "Pay/Each")),
		"nested/Pay/d.history.json": charged("1").document(arn("eu-west-1", "Pay")),
	}), figures.Options{})
	var got []string
	for _, m := range f.Machines {
		for _, u := range m.Usage {
			got = append(got, fmt.Sprintf("%s %s %d", m.Name, u.Region, u.Transitions))
		}
	}
	if text := strings.Join(got, ", "); text != "Order eu-west-1 2, Order us-east-1 2, Pay/Each eu-west-1 2" ||
		len(f.LeftOut) != 1 || f.Executions() != 3 {
		t.Errorf("%s; left out %v", text, f.LeftOut)
	}
}

const fulfil = `{"StartAt":"Pick","States":{
"Pick":{"Type":"Choice","Choices":[{"Variable":"$.skip","IsPresent":true,"Next":"Done"}],"Default":"Fulfil"},
"Fulfil":{"Type":"Map","ItemsPath":"$.lines","ResultPath":null,"Next":"Both","ItemProcessor":{"StartAt":"Pack","States":{
  "Pack":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{},"End":true}}}},
"Both":{"Type":"Parallel","End":true,"Branches":[
  {"StartAt":"Left","States":{"Left":{"Type":"Pass","End":true}}},
  {"StartAt":"Right","States":{"Right":{"Type":"Pass","Next":"Rest"},"Rest":{"Type":"Pass","End":true}}}]},
"Done":{"Type":"Succeed"}}}`

func parse(t testing.TB, text string) *asl.StateMachine {
	t.Helper()
	definition, problems := asl.Parse(&source.File{Name: "fulfil.asl.json", Data: []byte(text)})
	if definition == nil {
		t.Fatal(problems)
	}
	return definition
}

// run returns the history of a run as the service has it.
func run(t testing.TB, definition, input string, outcomes runs.Outcomes) string {
	t.Helper()
	machine, err := engine.Compile(parse(t, definition), engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return string(value.Append(nil, history.Document(history.Of(runs.Run(machine, input, outcomes).All()))))
}

func lines(n int) string {
	return `{"lines":[` + strings.TrimPrefix(strings.Repeat(",{}", n), ",") + `]}`
}

// An item of this Map state has MapIterationStarted, the entry, TaskScheduled, TaskStarted, TaskSucceeded, the exit and
// MapIterationSucceeded: 7 events. Beside them the execution has 18: ExecutionStarted; entry and exit of Pick; entry,
// start, success and exit of Fulfil and of Both; entries and exits of Left, Right and Rest; ExecutionSucceeded.
func TestEventsPerItem(t *testing.T) {
	files := map[string]string{}
	for i, n := range []int{3, 40, 5} {
		files[fmt.Sprintf("%d.json", i)] = run(t, fulfil, lines(n), runs.Echo)
	}
	m := gather(t, testkit.New(t, files), figures.Options{}).Machines[0]
	if len(m.Maps()) != 1 {
		t.Fatal(m.Maps())
	}
	in := m.Maps()[0]
	if in.Path != "Fulfil" || in.Items != 48 || in.Executions != 3 || in.PerItem() != 7 || in.Least != 7 ||
		in.Most != 7 || in.MostItems != 40 || filepath.Base(in.MostAt.File) != "1.json" {
		t.Errorf("%+v", in)
	}
	if in.Outside.Min != 18 || in.Outside.Max != 18 {
		t.Errorf("%d to %d events outside", in.Outside.Min, in.Outside.Max)
	}
	// (25,000 - 18) / 7 = 3568.9
	if in.Reaches() != 3568 {
		t.Error(in.Reaches())
	}
	if m.Events.Max != 18+40*7 {
		t.Error(m.Events.Max)
	}
}

// Of an execution in which items fail, those that succeeded count.
func TestItemsThatFail(t *testing.T) {
	n := 0
	text := run(t, strings.Replace(fulfil, `"ItemsPath"`, `"MaxConcurrency":1,"ItemsPath"`, 1), lines(5),
		func(*engine.TaskRequest) engine.Outcome {
			if n++; n == 3 {
				return engine.Outcome{Error: "Lost", After: time.Second}
			}
			return engine.Outcome{Output: value.Int(1), After: time.Second}
		})
	m := gather(t, testkit.New(t, map[string]string{"a.json": text}), figures.Options{}).Machines[0]
	if in := m.Maps()[0]; in.Items != 2 || in.Events != 14 || in.MostItems != 3 {
		t.Errorf("%+v", in)
	}
	s := stateOf(t, m, "Fulfil/Iterations[*]/Pack")
	if e := s.Errors()[0]; s.Visits != 3 || s.NotLeft != 1 || e.Passed != 1 || e.Name != "Lost" {
		t.Errorf("%+v, %+v", s, e)
	}
	if fmt.Sprint(m.Statuses(), m.Errors()) != "[{FAILED 1}] [{Lost 1}]" {
		t.Error(m.Statuses(), m.Errors())
	}
}

// With a definition branches have their numbers, and states that were never entered are listed.
func TestDefinition(t *testing.T) {
	dir := testkit.New(t, map[string]string{"a.json": run(t, fulfil, lines(1), runs.Echo)})
	plain := gather(t, dir, figures.Options{})
	paths := func(m *figures.Machine) string {
		list := value.Each(m.States(), func(s *figures.State) string { return s.Path })
		return strings.Join(list, " ")
	}
	if got := paths(plain.Machines[0]); got != "Pick Fulfil Fulfil/Iterations[*]/Pack Both Both/Branches[*]/Left Both/Branches[*]/Right Both/Branches[*]/Rest" {
		t.Error(got)
	}
	if plain.NeverEntered != nil || plain.Unknown() != nil {
		t.Error(plain.NeverEntered, plain.Unknown())
	}
	f := gather(t, dir, figures.Options{Definition: parse(t, fulfil)})
	if got := paths(f.Machines[0]); got != "Pick Fulfil Fulfil/Iterations[*]/Pack Both Both/Branches[0]/Left Both/Branches[1]/Right Both/Branches[1]/Rest" {
		t.Error(got)
	}
	if len(f.NeverEntered) != 1 || f.NeverEntered[0].State != "Done" || f.Unknown() != nil {
		t.Error(f.NeverEntered, f.Unknown())
	}
	if s := stateOf(t, f.Machines[0], "Both/Branches[1]/Rest"); s.Of == nil || s.Of.Place == "" {
		t.Error("the state has no place")
	}
	other := gather(t, dir, figures.Options{Definition: parse(t, strings.ReplaceAll(fulfil, "Left", "First"))})
	if got := strings.Join(other.Unknown(), " "); got != "Both/Branches[*]/Left" {
		t.Error(got)
	}
}

// The executions of a Map Run begin in the states of its Map state.
func TestMapRunsInADefinition(t *testing.T) {
	child := `{"StartAt":"Pack","States":{"Pack":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{},"End":true}}}`
	dir := testkit.New(t, map[string]string{"a.json": run(t, child, `{}`, runs.Echo)})
	f := gather(t, dir, figures.Options{Definition: parse(t, fulfil)})
	if s := stateOf(t, f.Machines[0], "Fulfil/Iterations[*]/Pack"); s.Of == nil {
		t.Error("the state is not found")
	}
}

// The figures are the same whatever the order in which files are read.
func TestDeterminism(t *testing.T) {
	files := map[string]string{}
	for n := range 30 {
		files[fmt.Sprintf("%02d.json", n)] = run(t, fulfil, lines(n%7), runs.Echo)
	}
	dir := testkit.New(t, files)
	describe := func(parallel int) string {
		var out strings.Builder
		f := gather(t, dir, figures.Options{Parallel: parallel, Definition: parse(t, fulfil)})
		for _, m := range f.Machines {
			fmt.Fprintf(&out, "%+v %+v %+v %+v %v\n", m.Statuses(), m.Largest, m.Events.MaxAt, m.NearPayloads,
				m.Events.Percentile(90))
			for _, s := range m.States() {
				fmt.Fprintf(&out, "%s %d %+v %d %+v\n", s.Path, s.Visits, s.Time.MaxAt, s.Time.Percentile(50),
					s.Payloads())
			}
		}
		return out.String()
	}
	want := describe(1)
	for range 3 {
		if got := describe(4); got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestNoRecordings(t *testing.T) {
	dir := testkit.New(t, map[string]string{"a.json": `{}`, "b.json": `[`})
	var empty *figures.EmptyError
	if _, err := figures.Gather(context.Background(), []string{dir}, figures.Options{}); !errors.As(err, &empty) ||
		!strings.HasPrefix(err.Error(), "there is no recorded execution in "+dir+": ") ||
		!strings.HasSuffix(err.Error(), "(and 1 more)") {
		t.Error(err)
	}
	if _, err := figures.Gather(context.Background(), []string{filepath.Join(dir, "a.json")},
		figures.Options{}); err == nil || errors.As(err, &empty) {
		t.Error(err)
	}
	if _, err := figures.Gather(context.Background(), []string{filepath.Join(dir, "none")},
		figures.Options{}); err == nil {
		t.Error("a file that is not there is read")
	}
	if _, err := figures.Gather(context.Background(), []string{t.TempDir()}, figures.Options{}); !errors.As(err,
		&empty) || strings.Contains(err.Error(), ": ") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := figures.Gather(ctx, []string{dir}, figures.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
