package why_test

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/cli/recordings"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/testkit"
	"asldb/internal/why"
	"asldb/recorder"
)

const orderReport = `{"StartAt": "Price", "States": {
  "Price": {"Type": "Pass", "Parameters": {"net.$": "$.net", "tags": ["a", "b"]}, "Next": "Charge"},
  "Charge": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:charge", "TimeoutSeconds": 9, "End": true,
    "Retry": [{"ErrorEquals": ["Card.Busy"]}]}}}`

// session returns a Spec of the order.
func spec(t *testing.T, definition, results string) launch.Spec {
	t.Helper()
	text, err := definitions.TextOf(&source.File{Name: "order.asl.json", Data: []byte(definition)})
	if err != nil {
		t.Fatal(err)
	}
	file, err := fixtures.Load("order.yaml", []byte("version: 1\ntasks: {Charge: "+results+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return launch.Spec{
		Definition: definitions.Definition{Text: text}, Fixtures: launch.Fixtures{File: file}, Dialect: engine.AWS,
		Input: launch.Input{Text: `{"net": 5}`}, Start: time.Unix(1_700_000_000, 0), Missing: fixtures.Fail,
	}
}

// recorded writes the trace of a run and returns its name.
func recorded(t *testing.T, results string) string {
	t.Helper()
	s := spec(t, orderReport, results)
	s.Trace = &launch.Trace{File: filepath.Join(t.TempDir(), "run.trace"), Program: "test"}
	for _, path := range []string{"$..secret"} {
		redaction, err := recorder.ParseRedaction(path)
		if err != nil {
			t.Fatal(err)
		}
		s.Trace.Options.Redactions = append(s.Trace.Options.Redactions, redaction)
	}
	run, err := launch.New(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	return s.Trace.File
}

const busyThenPaid = `[{error: Card.Busy, cause: later}, {output: {paid: true}, after: 2s}]`

func TestTrace(t *testing.T) {
	trace, err := launch.OpenTrace(recorded(t, busyThenPaid), func(w files.Warning) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	warn := func(err error) { t.Error(err) }
	info := recordings.InfoOf(trace, warn)
	text := testkit.Report(t, info.Answer(), "text", report.Look{})
	for _, want := range []string{
		"format     asldb-trace, version 2, written by asldb test\n", "definition order.asl.json (sha256:",
		`input      {"net":5}` + "\n",
		"redacted   $..secret\n", "           led to nothing: $..secret\n", "status     SUCCEEDED\n",
		"started    2023-11-14T22:13:20Z\n",
		"took       3s of virtual time\n", "           2 TaskScheduled\n", "           1 RetryScheduled\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the summary has no %q:\n%s", want, text)
		}
	}
	object := documentOf(t, info.Answer()).(*value.Object)
	if got := value.Compact(object.Get("status")) + value.Compact(object.Get("seconds")) +
		value.Compact(object.Get("redactionsUnfound")); got != `"SUCCEEDED"3["$..secret"]` {
		t.Errorf("the summary as JSON has %s", got)
	}
	stats := recordings.StatsOf(trace.Last(), warn)
	const table = `state   type  visits  errors  retries  catches  total  mean  shortest  longest
Price   Pass       1       0        0        0     0s    0s        0s       0s
Charge  Task       1       1        1        0     3s    3s        3s       3s
`
	if got := testkit.Report(t, recordings.StatsAnswer(stats), "text", report.Look{}); got != table {
		t.Errorf("the table is\n%s", got)
	}
	charge := documentOf(t, recordings.StatsAnswer(stats)).(*value.Array).At(1).(*value.Object)
	if got := value.Compact(charge.Get("state")) + value.Compact(charge.Get("retries")) +
		value.Compact(charge.Get("totalSeconds")); got != `"Charge"13` {
		t.Errorf("the figures are %s", value.Compact(charge))
	}
}

// documentOf is the JSON of an answer.
func documentOf(t *testing.T, a *report.Answer) value.Value {
	t.Helper()
	return value.Must(testkit.Report(t, a, report.JSONForm, report.Look{}))
}

// verification returns the report about a recorded run that is executed again with a Spec.
func verification(t *testing.T, trace string, s launch.Spec) string {
	t.Helper()
	s.Replay = launch.Replay{File: trace, Verify: true}
	run, err := launch.New(s)
	if err != nil {
		t.Fatal(errors.Join(err, run.Close()))
	}
	defer run.Close()
	return why.Verification(run.Replay)
}

func TestVerification(t *testing.T) {
	trace := recorded(t, busyThenPaid)
	if got := verification(t, trace, launch.Spec{}); !strings.HasPrefix(got, "all ") ||
		!strings.HasSuffix(got, " events agree (as far as a redacted trace can tell)\n") {
		t.Error(got)
	}
	changed := func(was, is string) launch.Spec {
		text := strings.Replace(orderReport, was, is, 1)
		if text == orderReport {
			t.Fatalf("the definition has no %s", was)
		}
		return launch.Spec{Definition: spec(t, text, "[]").Definition}
	}
	for name, c := range map[string]struct {
		spec launch.Spec
		want []string
	}{
		"an input": {launch.Spec{Input: launch.Input{Text: `{"net": 6}`}}, []string{
			"the run differs from the recording at event 1 of ", `at $["net"]: expected 5, found 6`,
			`the run now ends as SUCCEEDED, with the output {"paid":true}`}},
		"a type": {changed(`["a", "b"]`, `{"a": 1}`),
			[]string{`in the state "Price", stage Parameters`, `at $["tags"]: expected ["a","b"], found {"a":1}`}},
		"a longer": {changed(`["a", "b"]`, `["a", "b", "c"]`),
			[]string{`at $["tags"][2]: expected nothing, found "c"`}},
		"a shorter": {changed(`["a", "b"]`, `["a"]`), []string{`at $["tags"][1]: expected "b", found nothing`}},
		"an entry":  {changed(`["a", "b"]`, `["a", "c"]`), []string{`at $["tags"][1]: expected "b", found "c"`}},
		"a member": {changed(`"tags": ["a", "b"]`, `"labels": 1`),
			[]string{`at $["tags"]: expected ["a","b"], found nothing`}},
		"another": {changed(`"tags"`, `"more": 1, "tags"`), []string{`at $["more"]: expected nothing, found 1`}},
		"a failure": {changed(`"Card.Busy"`, `"Card.Never"`),
			[]string{`expected: RetryScheduled in "Charge" (visit 1)`, "now FAILED in Charge", "found no use"}},
		"a task": {changed(`"Next": "Charge"`, `"Next": "Other"`),
			[]string{"the run now waits for a task without a recorded result: Other, attempt 1; --fixtures can give one"}},
	} {
		if name == "a task" {
			text := strings.Replace(orderReport, `"Next": "Charge"`, `"Next": "Other"`, 1)
			text = strings.Replace(text, `"States": {`,
				`"States": {"Other": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:other", "Next": "Charge"},`, 1)
			c.spec.Definition = spec(t, text, "[]").Definition
		}
		got := verification(t, trace, c.spec)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: the report has no %q:\n%s", name, want, got)
			}
		}
	}
}

func TestFailure(t *testing.T) {
	run, err := launch.New(spec(t, orderReport, `[{error: Card.Declined, cause: "no\nmoney\u001b[2J"}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if _, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	failed := why.Failure(run.Session, nil)
	got := failed.Error()
	for _, want := range []string{"FAILED", "Card.Declined", "no\n  money", "Charge"} {
		if !strings.Contains(got, want) {
			t.Errorf("the failure has no %q:\n%s", want, got)
		}
	}
	painted := failed.Painted(report.Terminal)
	if !strings.HasPrefix(painted, report.Terminal(report.Bad, "FAILED")+"\x1b[1m in Charge") {
		t.Errorf("the headline is %q", painted)
	}
	if !strings.Contains(painted, report.Terminal(report.Bad, "Card.Declined")) ||
		strings.Contains(painted, "\x1b[2J") {
		t.Errorf("in colours: %q", painted)
	}
	plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(painted, "")
	if plain != got {
		t.Errorf("without the colours it is %q, and the message %q", plain, got)
	}
}

// A large trace has a summary by its beginning and its end.
func TestGlance(t *testing.T) {
	name := recorded(t, busyThenPaid)
	g, err := recorder.LookAt(name, 0)
	if err != nil || g == nil {
		t.Fatal(g, err)
	}
	info := recordings.GlanceOf(g)
	text := testkit.Report(t, info.Answer(), "text", report.Look{})
	for _, want := range []string{"definition order.asl.json (sha256:", "status     SUCCEEDED\n",
		"started    2023-11-14T22:13:20Z\n", "took       3s of virtual time\n",
		"not counted by type, since the trace has 0 MiB: --count does\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the summary has no %q:\n%s", want, text)
		}
	}
	object := documentOf(t, info.Answer()).(*value.Object)
	if got := value.Compact(object.Get("status")) + value.Compact(object.Get("seconds")) +
		value.Compact(object.Get("counted")); got != `"SUCCEEDED"3false` {
		t.Errorf("the summary as JSON has %s", got)
	}
	empty := recordings.GlanceOf(&recorder.Glance{Header: g.Header})
	if text := testkit.Report(t, empty.Answer(), "text", report.Look{}); !strings.Contains(text,
		"status     not known: its end is damaged\n") || strings.Contains(text, "started") {
		t.Errorf("a trace without an end:\n%s", text)
	}
}
