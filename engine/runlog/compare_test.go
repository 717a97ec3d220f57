package runlog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const charging = `{"StartAt":"Charge","States":{
	"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","ResultPath":"$.charge",
		"Retry":[{"ErrorEquals":["Card.Busy"]}],"Next":"Both"},
	"Both":{"Type":"Parallel","Branches":[
		{"StartAt":"Left","States":{"Left":{"Type":"Wait","Seconds":2,"End":true}}},
		{"StartAt":"Right","States":{"Right":{"Type":"Pass","Parameters":{"paid.$":"$.charge.paid"},"End":true}}}],"End":true}}}`

func output(text string) engine.Outcome { return engine.Outcome{Output: value.Must(text)} }

func comparedRun(outcomes ...engine.Outcome) *runlog.Log {
	return runs.Run(runs.Machine(charging), `{"order":7,"lines":[1,2,3]}`, runs.InTurn(outcomes...))
}

func TestSameLogs(t *testing.T) {
	for name, other := range map[string]*runlog.Log{
		"the log itself": comparedRun(output(`{"paid":true}`)),
		"another run":    comparedRun(output(`{"paid":true}`)),
	} {
		log := comparedRun(output(`{"paid":true}`))
		if r := runlog.Logs(log, other); r.First != -1 || r.Len() != 0 {
			t.Errorf("%s differs at %d, in %d lines", name, r.First, r.Len())
		}
		if d := runlog.WithRecording(log, other, 0); d != nil {
			t.Errorf("%s diverges: %+v", name, d)
		}
	}
}

// A retry in between takes its own lines; the events after it correspond again and differs in time only.
func TestLogsAlign(t *testing.T) {
	a := comparedRun(output(`{"paid":true}`))
	b := comparedRun(engine.Outcome{Error: "Card.Busy", Cause: "try later"}, output(`{"paid":true}`))
	r := runlog.Logs(a, b)
	if r.First < 0 || a.At(r.First).Type != engine.TaskSucceeded || b.At(r.First).Type != engine.TaskFailed {
		t.Fatalf("the first difference is %d", r.First)
	}
	if row := r.Row(0); row.A != 0 || row.B != 0 || !row.Same() {
		t.Errorf("the first line is %+v", row)
	}
	var alone []string
	seen := [2][]int{}
	for i := range r.Len() {
		row := r.Row(i)
		if row.A >= 0 {
			seen[0] = append(seen[0], row.A)
		}
		if row.B >= 0 {
			seen[1] = append(seen[1], row.B)
		}
		switch {
		case row.A < 0:
			alone = append(alone, b.At(row.B).Type.String())
		case row.B < 0:
			t.Errorf("event %d is alone", row.A)
		case i > r.First && a.At(row.A).Type == engine.StateExited && !slices.Equal(row.Differs, []string{"time"}):
			t.Errorf("line %d differs in %v", i, row.Differs)
		}
	}
	if got, want := strings.Join(alone, " "), "TaskFailed RetryScheduled RetryStarted TaskScheduled"; got != want {
		t.Errorf("%s stand alone, want %s", got, want)
	}
	for n, log := range []*runlog.Log{a, b} {
		if len(seen[n]) != log.Len() || !slices.IsSorted(seen[n]) {
			t.Errorf("log %d has the lines %v", n, seen[n])
		}
	}
}

func TestPrefixOfForks(t *testing.T) {
	var list []engine.Event
	for i := range 3000 {
		list = append(list, engine.Event{Seq: int64(i + 1), Time: int64(i), Type: engine.StateEntered})
	}
	log := runlog.Of(list)
	fork := log.Prefix(2500)
	fork.Append([]engine.Event{{Type: engine.ExecutionAborted}})
	if r := runlog.Logs(log, &fork); r.First != 2500 {
		t.Errorf("they differ from event %d on, want 2500", r.First)
	}
}

func TestDivergence(t *testing.T) {
	recorded := comparedRun(output(`{"paid":true}`))
	d := runlog.WithRecording(recorded, comparedRun(output(`{"paid":false}`)), 0)
	if d == nil || d.State() != "Charge" || d.Stage() != "Result" || !slices.Equal(d.Differs, []string{"after"}) {
		t.Fatalf("another outcome: %+v", d)
	}
	if was, is := runlog.Member(d.Expected, "after"),
		runlog.Member(d.Found, "after"); value.Compact(was) != `{"paid":true}` ||
		value.Compact(is) != `{"paid":false}` {
		t.Errorf("%v became %v", was, is)
	}
	all := runs.Events(recorded)
	cut := runlog.Of(all[:5])
	if d := runlog.WithRecording(cut, recorded, 0); d != nil {
		t.Errorf("a recording that was cut off: %+v", d)
	}
	if d := runlog.WithRecording(recorded, cut, 5); d == nil || d.Index != 5 || d.Found != nil ||
		d.Expected != recorded.At(5) {
		t.Errorf("a run that was cut off: %+v", d)
	}
	longer := runlog.Of(append(all[:len(all):len(all)], engine.Event{Type: engine.TaskHeartbeat}))
	if d := runlog.WithRecording(recorded, longer, 0); d == nil || d.Index != len(all) || d.Expected != nil ||
		d.State() != "" || d.Stage() != "" {
		t.Errorf("a run that continues after the end: %+v", d)
	}
	if d := runlog.WithRecording(&runlog.Log{}, recorded, 0); d != nil {
		t.Errorf("an empty recording: %+v", d)
	}
}

// A history has neither the stages in between nor other members than the ones that Step Functions records.
func TestWithHistory(t *testing.T) {
	found := comparedRun(output(`{"paid":true}`))
	var list []engine.Event
	for event := range found.All() {
		if event.Type == engine.StageCompleted {
			continue
		}
		e := *event
		e.Time += int64(time.Hour)
		list = append(list, e)
	}
	same := func(_ string, recorded, found value.Value) bool { return runlog.Exactly(recorded, found) }
	if r := runlog.WithHistory(runlog.Of(list), found, same); r.First != -1 || r.Len() != len(list) {
		t.Errorf("the same run: %+v", r)
	}
	for i := range list {
		if list[i].Type == engine.TaskSucceeded {
			list[i].After = value.Must(`{"paid":1}`)
		}
	}
	r := runlog.WithHistory(runlog.Of(list), found, same)
	if r.First != 0 || !slices.ContainsFunc(r.Rows,
		func(row runlog.Row) bool { return slices.Equal(row.Differs, []string{"after"}) }) {
		t.Errorf("another result: %+v", r)
	}
	lenient := func(string, value.Value, value.Value) bool { return true }
	if r := runlog.WithHistory(runlog.Of(list), found, lenient); r.First != -1 {
		t.Errorf("another result that is accepted: %+v", r)
	}
}

func TestMember(t *testing.T) {
	log := comparedRun(output(`{"paid":true}`))
	scheduled := log.At(slices.IndexFunc(runs.Events(log),
		func(e engine.Event) bool { return e.Type == engine.TaskScheduled }))
	for name, want := range map[string]string{
		"state": `"Charge"`, "visit": "1", "type": `"TaskScheduled"`, "stage": `"Result"`, "thread": "0",
		"time":  `"2000-01-01T00:00:00Z"`,
		"after": `{"order":7,"lines":[1,2,3]}`, "attempt": "1",
		"resource": `"arn:aws:lambda:us-east-1:123456789012:function:charge"`,
	} {
		if got := runlog.Member(scheduled, name); got == nil || value.Compact(got) != want {
			t.Errorf("%s is %v, want %s", name, got, want)
		}
	}
	first := log.At(0)
	if first.Visit != nil {
		t.Fatal("the first event has a visit")
	}
	for _, c := range []struct {
		event *engine.Event
		name  string
	}{{nil, "state"}, {first, "state"}, {first, "visit"}, {first, "until"}, {scheduled, "until"},
		{scheduled, "before"}} {
		if got := runlog.Member(c.event, c.name); got != nil {
			t.Errorf("%s is %v, want nothing", c.name, got)
		}
	}
}

func TestExactly(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[1,2,3]}`, `{"a":1,"b":[1,2,3]}`, true},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, false},
		{`1`, `1.0`, false},
		{`1`, `"1"`, false},
		{`[1,2,3]`, `[1,2]`, false},
		{`[1,2,3]`, `{"a":1}`, false},
		{`null`, `null`, true},
	} {
		if got := runlog.Exactly(value.Must(c.a), value.Must(c.b)); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if !runlog.Exactly(nil, nil) || runlog.Exactly(nil, value.Must(`null`)) {
		t.Error("an absent value is not null")
	}
}

// The memory of a Comparer is bounded, and does not change its results.
func TestComparerForgets(t *testing.T) {
	var c runlog.Comparer
	for i := range 20_000 {
		text := fmt.Sprintf(`[%d,[1,2,3],{"n":%d,"m":1,"l":2}]`, i%9000, i%7000)
		a, b := &engine.Event{After: value.Must(text)}, &engine.Event{After: value.Must(text)}
		if differs := c.Events(a, b); len(differs) > 0 {
			t.Fatal(text, differs)
		}
	}
}

// Whatever differs between two events of one type has a name under which both have a value.
func TestDifferencesAreNamed(t *testing.T) {
	at, later := time.Unix(1, 0), time.Unix(3601, 0)
	failure := &engine.Failure{Name: "E", Cause: "c"}
	assigned := func(text string) *value.Object { return value.Must(text).(*value.Object) }
	for _, c := range []struct {
		kind engine.EventType
		a, b engine.Detail
		want string
	}{
		{engine.WaitStarted, &engine.WaitDetail{Until: at}, &engine.WaitDetail{Until: later}, "until"},
		{engine.TaskFailed, failure, &engine.Failure{Name: "F", Cause: "d"}, "error cause"},
		{engine.RetryScheduled, &engine.RetryDetail{Failure: failure, Due: at, Attempt: 1},
			&engine.RetryDetail{Failure: failure, Due: later, Attempt: 2, Retrier: 1, Delay: time.Second,
				Backoff: time.Second}, "retrier attempt delaySeconds backoffSeconds due"},
		{engine.ErrorCaught, &engine.CatchDetail{Failure: failure, Next: "A"},
			&engine.CatchDetail{Failure: failure, Next: "B", Catcher: 1}, "catcher next"},
		{engine.TaskScheduled, &engine.TaskRequest{ID: 1, Resource: "r", Attempt: 1, Invocation: 1,
			Timeout: time.Second, Credentials: value.Int(1)},
			&engine.TaskRequest{ID: 2, Resource: "s", Attempt: 2, Invocation: 2, Heartbeat: time.Second,
				Credentials: value.Int(2)},
			"request resource attempt invocation timeoutSeconds heartbeatSeconds credentials"},
		{engine.MapStarted, &engine.StartDetail{Length: 1}, &engine.StartDetail{Length: 2, MaxConcurrency: 1},
			"length maxConcurrency"},
		{engine.MapRunStarted, &engine.MapRunDetail{Arn: "a"}, &engine.MapRunDetail{Arn: "b"}, "mapRunArn"},
		{engine.IterationStarted, &engine.ThreadDetail{Thread: 1}, &engine.ThreadDetail{Thread: 2, Index: 1},
			"child index"},
		{engine.StageCompleted, &engine.AssignDetail{Assigned: assigned(`{"a":1}`)},
			&engine.AssignDetail{Assigned: assigned(`{"a":2}`)}, "assigned"},
		{engine.StateExited, &engine.ExitDetail{Next: "A", Rule: 0}, &engine.ExitDetail{Next: "B", Rule: 1},
			"next rule"},
		{engine.ObjectRequested, &engine.ObjectRequest{ID: 1}, &engine.ObjectRequest{ID: 2}, "request"},
	} {
		a, b := &engine.Event{Type: c.kind, Detail: c.a}, &engine.Event{Type: c.kind, Detail: c.b}
		var compared runlog.Comparer
		names := compared.Events(a, b)
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.kind, got, c.want)
		}
		for _, name := range names {
			if runlog.Member(a, name) == nil || runlog.Member(b, name) == nil ||
				value.Equal(runlog.Member(a, name), runlog.Member(b, name)) {
				t.Errorf("%v: %s is %v and %v", c.kind, name, runlog.Member(a, name), runlog.Member(b, name))
			}
		}
		if same := compared.Events(a, a); len(same) > 0 {
			t.Errorf("%v: %v differs from itself", c.kind, same)
		}
	}
}
