package history_test

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// A history that is written reads back as the events that it has, and agrees with itself in both comparisons.
func TestHistoriesReadBack(t *testing.T) {
	for _, c := range runs.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			written := c.Run()
			x := read(t, string(c.Document()))[0]
			var runs int // a note for each Map Run, whose executions have their own histories
			for i := range x.Events {
				if x.Events[i].Type == "MapRunStarted" {
					runs++
				}
			}
			if len(x.Notes) != runs {
				t.Errorf("notes %v", x.Notes)
			}
			if d := history.Compare(written, x.Events, (&history.Reproducible{}).Same); d != nil {
				t.Error(d)
			}
			end := x.End()
			if end == nil || end.Type != "Execution"+strings.ToUpper(c.Status.String()[:1])+
				strings.ToLower(c.Status.String()[1:]) {
				t.Errorf("ended with %v, want %s", end, c.Status)
			}
			run := history.Follow(x.Events)
			if d := history.CompareThreads(run, history.Follow(written), history.Whole,
				(&history.Reproducible{}).Same); d != nil {
				t.Error(d)
			}
		})
	}
}

// change returns the events with the text from of event id replaced.
func change(t *testing.T, events []history.Event, id int64, from, to string) []history.Event {
	t.Helper()
	texts := make([]string, len(events))
	for i := range events {
		texts[i] = value.Compact(events[i].Object())
		if events[i].ID != id {
			continue
		}
		changed := strings.Replace(texts[i], from, to, 1)
		if changed == texts[i] {
			t.Fatalf("%s is not in %s", from, texts[i])
		}
		texts[i] = changed
	}
	return read(t, page(texts...))[0].Events
}

func caseOf(t *testing.T, name string) []history.Event {
	t.Helper()
	for _, c := range runs.Cases() {
		if c.Name == name {
			return read(t, string(c.Document()))[0].Events
		}
	}
	t.Fatalf("there is no case %q", name)
	return nil
}

// A difference names the event, the state and both values. Links depend on the order between threads: only Compare
// looks at them.
func TestDifferences(t *testing.T) {
	compare := func(recorded, found []history.Event) []*history.Difference {
		return []*history.Difference{
			history.Compare(recorded, found, (&history.Reproducible{}).Same),
			history.CompareThreads(history.Follow(recorded), history.Follow(found), history.Whole,
				(&history.Reproducible{}).Same),
		}
	}
	tasks, items := caseOf(t, "fields of the data flow"), caseOf(t, "iterations")
	last := len(tasks) - 1
	for _, c := range []struct {
		name            string
		recorded, found []history.Event
		ordered         string // by Compare
		threads         string // by CompareThreads
	}{
		{"nothing", items, items, "", ""},
		{
			"an output", tasks, change(t, tasks, 12, `\"done\"`, `\"gone\"`),
			`event 12 (PassStateExited Last): output was recorded as "done", and is now "gone"`,
			`event 12 (PassStateExited Last) in Last: output was recorded as "done", and is now "gone"`,
		},
		{"an output that was withheld", change(t, tasks, 12, `"output":"\"done\"",`, ``), tasks, "", ""},
		{"an output that was cut off", change(t, tasks, 12, `"truncated":false`, `"truncated":true`),
			change(t, tasks, 12, `done`, `gone`), "", ""},
		{
			"an output that is not JSON", change(t, tasks, 12, `\"done\"`, `done}`), tasks,
			`event 12 (PassStateExited Last): output was recorded as "done}", and is now "done"`,
			`event 12 (PassStateExited Last) in Last: output was recorded as "done}", and is now "done"`,
		},
		{
			"a type", tasks, change(t, tasks, 11, "PassStateEntered", "SucceedStateEntered"),
			"event 11 (PassStateEntered Last): now it is SucceedStateEntered Last",
			"event 11 (PassStateEntered Last) in Last: now it is SucceedStateEntered Last",
		},
		{"a link", tasks, change(t, tasks, 9, `"previousEventId":8`, `"previousEventId":7`),
			"event 9 (WaitStateEntered Pause): previousEventId was recorded as 8, and is now 7", ""},
		{
			"no end", tasks, tasks[:last], "event 13 (ExecutionSucceeded): recorded, and now nothing of the kind happens",
			"event 13 (ExecutionSucceeded): recorded, and now nothing of the kind happens",
		},
		{
			"more", tasks[:last], tasks, "after the last recorded event: now ExecutionSucceeded follows, and nothing was recorded",
			"after the last recorded event: now ExecutionSucceeded follows, and nothing was recorded",
		},
		{
			"a detail more", tasks, change(t, tasks, 3, `"input":`, `"zone":1,"input":`),
			"event 3 (LambdaFunctionScheduled): zone was recorded as nothing, and is now 1",
			"event 3 (LambdaFunctionScheduled) in Read: zone was recorded as nothing, and is now 1",
		},
		{
			"a detail less", change(t, tasks, 3, `"input":`, `"zone":1,"input":`), tasks,
			"event 3 (LambdaFunctionScheduled): zone was recorded as 1, and is now nothing",
			"event 3 (LambdaFunctionScheduled) in Read: zone was recorded as 1, and is now nothing",
		},
	} {
		for n, d := range compare(c.recorded, c.found) {
			want := []string{c.ordered, c.threads}[n]
			if (d == nil) != (want == "") || d != nil && !strings.HasPrefix(d.String(), want) {
				t.Errorf("%s:\n got %v\nwant %s", c.name, d, want)
			}
		}
	}
	// A side that does not go to its end does not count beyond it.
	for _, extent := range []history.Extent{{Recorded: true}, {Found: true}} {
		recorded, found := tasks, tasks[:last]
		if !extent.Recorded {
			recorded, found = found, recorded
		}
		if d := history.CompareThreads(history.Follow(recorded), history.Follow(found), extent,
			(&history.Reproducible{}).Same); d != nil {
			t.Errorf("extent %+v: %s", extent, d)
		}
	}
}

// Values that the service makes anew in every execution count as equal; others do not.
func TestReproducible(t *testing.T) {
	const one, two = "0d3b7a52-9c1e-4f60-8a2b-1234567890ab", "ffffffff-0000-4000-8000-000000000000"
	for _, c := range []struct {
		member, want, got string
		same              bool
	}{
		{"output", `{"a":1,"b":[1,"x"]}`, `{"b":[1,"x"],"a":1.0}`, true},
		{"output", `{"a":1}`, `{"a":2}`, false},
		{"output", `{"a":1}`, `{"a":1,"b":1}`, false},
		{"output", `{"a":1}`, `[1]`, false},
		{"output", `[1,2]`, `[1]`, false},
		{"output", `[1,2]`, `[2,1]`, false},
		{"output", `[1]`, `{}`, false},
		{"output", `null`, `null`, true},
		{"output", `1`, `true`, false},
		{"output", `"x"`, `1`, false},
		{"length", `"3"`, `3`, true}, // logs write numbers as texts
		{"length", `"3"`, `4`, false},
		{"output", `"2026-01-02T03:04:05.678Z"`, `"2027-11-12T13:14:15Z"`, true},
		{"output", `"2026-01-02T03:04:05.678Z"`, `"tomorrow, at the very same time"`, false},
		{"output", `"2026-01-02T03:04:05.678Z"`, `"2026-99-99T99:99:99.999Z"`, false},
		{"output", `"id ` + one + `"`, `"id ` + two + `"`, true},
		{"output", `"id ` + one + `"`, `"no ` + two + `"`, false},
		{"parameters", `{"token":"AQCEAAAAKgAAAAMAAAAA"}`, `{"token":"token-1f-2-3"}`, true},
		{"parameters", `{"token":"call AQCEAAAAKg now"}`, `{"token":"call token-1f-2-3 later"}`, false},
		{"cause", `"(entered at the event id #12): a"`, `"(entered at the event id #9): a"`, true},
		{"cause", `"(entered at the event id #12): a"`, `"(entered at the event id #9): b"`, false},
		{"output", `"arn:aws:states:us-east-1:111122223333:execution:M:one"`,
			`"arn:aws:states:eu-west-1:444455556666:execution:N:two"`, true},
		{"output", `"arn:aws:states:us-east-1:111122223333:execution:M:one"`,
			`"arn:aws:states:us-east-1:111122223333:stateMachine:M"`, false},
		{"output", `"run-one of many"`, `"run-one of many"`, true},
		{"region", `"us-east-1"`, `"eu-west-1"`, true},
		{"workerName", `"w"`, `null`, true},
		{"type", `"LambdaFunctionFailed"`, `"LambdaFunctionScheduleFailed"`,
			true}, // only the service knows how far it came
		{"type", `"LambdaFunctionFailed"`, `"ActivityFailed"`, false},
		{"type", `"TaskFailed"`, `"TaskTimedOut"`, false},
		{"type", `"MapStateFailed"`, `"ParallelStateFailed"`, false},
	} {
		r := &history.Reproducible{Known: []string{"", one}}
		if c.want == `"id `+one+`"` {
			r.Known = nil
		}
		if got := r.Same(0, c.member, value.Must(c.want), value.Must(c.got)); got != c.same {
			t.Errorf("%s: %s and %s: %v, want %v", c.member, c.want, c.got, got, c.same)
		}
	}
	r := &history.Reproducible{Known: []string{one}}
	if r.Same(0, "output", value.String(one), value.String(two)) {
		t.Error("a name that is known is not made up anew")
	}
	if !r.Same(0, "output", nil, nil) || r.Same(0, "output", nil, value.Null{}) ||
		r.Same(0, "output", value.Null{}, nil) {
		t.Error("null is not nothing")
	}
	if r.Same(0, "output", value.String("at 1 "+two), value.String("at 1 "+one)); r.Tolerated != 0 {
		t.Errorf("%d were tolerated", r.Tolerated)
	}
	if r.Same(0, "input", value.String("x "+two), value.String("x "+
		strings.Replace(two, "f", "e", 1))); r.Tolerated != 1 {
		t.Errorf("%d were tolerated, want 1", r.Tolerated)
	}
}

// The details of events, as the service and as logs write them.
func TestDetails(t *testing.T) {
	event := read(t, page(first, `{"timestamp":1767323046,"type":"TaskScheduled","id":2,"previousEventId":1,"taskScheduledEventDetails":{"resourceType":"sqs","resource":"sendMessage","region":"r",
	 "parameters":"{}","timeoutInSeconds":30,"heartbeatInSeconds":"5","taskCredentials":{"roleArn":"arn:aws:iam::123456789012:role/other"}}}`))[0].Events[1]
	if event.Role() != "arn:aws:iam::123456789012:role/other" {
		t.Errorf("role %q", event.Role())
	}
	for key, want := range map[string]int64{"timeoutInSeconds": 30, "heartbeatInSeconds": 5} {
		if n, ok := event.Int(key); n != want || !ok {
			t.Errorf("%s = %d, %v", key, n, ok)
		}
	}
	if _, ok := event.Int("resource"); ok {
		t.Error("sendMessage is a number")
	}
	if _, ok := event.Int("none"); ok {
		t.Error("what is absent is a number")
	}
	bare := history.Event{Type: "MapRunSucceeded"}
	if _, is := bare.Payload("output"); is != history.Withheld || bare.Role() != "" || bare.Text("x") != "" ||
		bare.Assigned() != nil {
		t.Errorf("an event without details has some: %v", is)
	}
	if _, ok := bare.Int("x"); ok {
		t.Error("an event without details has a number")
	}
}

// A redrive continues with the iterations that failed or were aborted, and leaves those that succeeded (Developer
// Guide, "Restarting state machine executions with redrive").
func TestRedriveOfIterations(t *testing.T) {
	event := func(id, previous int, kind, details string) string {
		return fmt.Sprintf(`{"timestamp":%d,"type":%q,"id":%d,"previousEventId":%d%s}`, 1767323040+id, kind, id,
			previous, details)
	}
	iteration := func(phase string, index int) string {
		return fmt.Sprintf(`,"mapIteration%sEventDetails":{"name":"M","index":%d}`, phase, index)
	}
	const (
		entered   = `,"stateEnteredEventDetails":{"name":"T","input":"1"}`
		exited    = `,"stateExitedEventDetails":{"name":"T","output":"1"}`
		scheduled = `,"lambdaFunctionScheduledEventDetails":{"resource":"arn:f","input":"1"}`
	)
	x := read(t, page(
		event(1, 0, "ExecutionStarted", `,"executionStartedEventDetails":{"input":"[1,2]"}`),
		event(2, 0, "MapStateEntered", `,"stateEnteredEventDetails":{"name":"M","input":"[1,2]"}`),
		event(3, 2, "MapStateStarted", `,"mapStateStartedEventDetails":{"length":2}`),
		event(4, 3, "MapIterationStarted", iteration("Started", 0)), event(5, 4, "TaskStateEntered", entered),
		event(6, 5, "LambdaFunctionScheduled", scheduled), event(7, 6, "LambdaFunctionStarted", ""),
		event(8, 7, "LambdaFunctionSucceeded", `,"lambdaFunctionSucceededEventDetails":{"output":"1"}`),
		event(9, 8, "TaskStateExited", exited),
		event(10, 9, "MapIterationSucceeded", iteration("Succeeded", 0)),
		event(11, 9, "MapIterationStarted", iteration("Started", 1)), event(12, 11, "TaskStateEntered", entered),
		event(13, 12, "LambdaFunctionScheduled", scheduled), event(14, 13, "LambdaFunctionStarted", ""),
		event(15, 14, "LambdaFunctionFailed", `,"lambdaFunctionFailedEventDetails":{"error":"E"}`),
		event(16, 15, "MapIterationFailed", iteration("Failed", 1)),
		event(17, 16, "MapStateFailed", ""), event(18, 17, "ExecutionFailed",
			`,"executionFailedEventDetails":{"error":"E"}`),
		event(19, 18, "ExecutionRedriven", `,"executionRedrivenEventDetails":{"redriveCount":1}`),
		event(20, 3, "MapIterationStarted", iteration("Started", 1)), event(21, 20, "TaskStateEntered", entered),
		event(22, 21, "LambdaFunctionScheduled", scheduled), event(23, 22, "LambdaFunctionStarted", ""),
		event(24, 23, "LambdaFunctionSucceeded", `,"lambdaFunctionSucceededEventDetails":{"output":"1"}`),
		event(25, 24, "TaskStateExited", exited),
		event(26, 25, "MapIterationSucceeded", iteration("Succeeded", 1)),
		event(27, 26, "MapStateSucceeded", ""), event(28, 26, "MapStateExited",
			`,"stateExitedEventDetails":{"name":"M","output":"[1,1]"}`),
		event(29, 28, "ExecutionSucceeded", `,"executionSucceededEventDetails":{"output":"[1,1]"}`),
	))[0]
	run := history.Follow(x.Events)
	if run.Redriven != 1 || len(run.Root.Visits) != 1 || len(run.Root.Visits[0].Rounds) != 1 {
		t.Fatalf("%d redrives, %d visits", run.Redriven, len(run.Root.Visits))
	}
	threads := run.Root.Visits[0].Rounds[0].Threads
	if len(threads) != 2 {
		t.Fatalf("%d iterations, want 2", len(threads))
	}
	for n, thread := range threads {
		visit := thread.Visit("T", 1)
		if thread.Index != n || thread.End != history.Succeeded || thread.First() != "T" || visit == nil ||
			len(visit.Attempts) != 1 || visit.Path() != fmt.Sprintf("M/Iterations[%d]/T", n) {
			t.Errorf("iteration %d: %+v, %+v", n, thread, visit)
		}
		if thread.Visit("T", 2) != nil || thread.Visit("U", 1) != nil || thread.Visit("T", 0) != nil {
			t.Error("there are visits that never were")
		}
	}
	for i, at := range run.Of {
		if undone := i >= 10 && i < 18 && i != 16; undone && !at.Dropped && i >= 14 {
			t.Errorf("event %d is not undone", i+1)
		}
		if (i < 10 || i > 18) && at.Dropped {
			t.Errorf("event %d is undone", i+1)
		}
	}
	if end := x.End(); end == nil || end.ID != 29 || x.Started().ID != 1 {
		t.Errorf("ended with %v", end)
	}
}
