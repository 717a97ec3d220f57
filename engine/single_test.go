package engine_test

import (
	"errors"
	"slices"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
)

const nested = `{"StartAt":"M","TimeoutSeconds":1,"States":{
	"M":{"Type":"Map","ItemsPath":"$.items","ItemSelector":{"i.$":"$$.Map.Item.Index","v.$":"$$.Map.Item.Value","who.$":"$$.who"},
		"ItemProcessor":{"StartAt":"In","States":{
			"In":{"Type":"Pass","Parameters":{"seen.$":"$v","who.$":"$$.who"},"Next":"After"},
			"After":{"Type":"Pass","End":true}}},
		"Retry":[{"ErrorEquals":["Flaky"],"MaxAttempts":4}],"Catch":[{"ErrorEquals":["States.ALL"],"Next":"E"}],"Next":"E"},
	"E":{"Type":"Pass","End":true}}}`

func startSingle(t *testing.T, name, input string, options engine.SingleOptions) *engine.Execution {
	t.Helper()
	machine := compile(t, nested, engine.AWS)
	e, err := machine.StartSingle(machine.Definition().Lookup(name), value.Must(input), options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// typesOf lists the events' types, without stages' events.
func typesOf(events []engine.Event) []engine.EventType {
	var types []engine.EventType
	for _, ev := range events {
		if ev.Type != engine.StageCompleted {
			types = append(types, ev.Type)
		}
	}
	return types
}

// A state alone sees the variables and the context that it is given, and goes nowhere.
func TestSingleEndsWithItsState(t *testing.T) {
	variables := value.Must(`{"v":1}`).(*value.Object)
	e := startSingle(t, "In", `{}`, engine.SingleOptions{Variables: variables, Context: value.Must(`{"who":"me"}`)})
	events := drive(t, e, nil)
	wantOutput(t, e, `{"seen":1,"who":"me"}`)
	want := []engine.EventType{engine.ExecutionStarted, engine.StateEntered, engine.StateExited,
		engine.ExecutionSucceeded}
	if got := typesOf(events); !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	for _, ev := range events {
		if exit, ok := ev.Detail.(*engine.ExitDetail); ok && exit.Next != "After" {
			t.Errorf("it leads to %q, want After", exit.Next)
		}
	}
}

// The iterations of a Map state are asked for, after ItemSelector has run for each; the answer is taken as
// their results. The machine's own timeout does not count.
func TestSingleAsksForIterations(t *testing.T) {
	e := startSingle(t, "M", `{"items":["a","b"]}`, engine.SingleOptions{Context: value.Must(`{"who":"me"}`)})
	var selected []string
	events := drive(t, e, func(*engine.TaskRequest) engine.Outcome { return gives(`[1,2]`) })
	for _, ev := range events {
		if ev.Type == engine.StageCompleted && ev.Stage == engine.StageParameters {
			selected = append(selected, value.Compact(ev.After))
		}
		if ev.Type == engine.IterationStarted {
			t.Error("an iteration was started")
		}
	}
	wantOutput(t, e, `[1,2]`)
	want := []string{`{"i":0,"v":"a","who":"me"}`, `{"i":1,"v":"b","who":"me"}`}
	if !slices.Equal(selected, want) {
		t.Errorf("ItemSelector gave %v, want %v", selected, want)
	}
}

// Retries that the state has behind it count: the delay is the next one's, and a retrier that is used
// up lets the catcher take the error.
func TestSingleCountsRetries(t *testing.T) {
	for retries, want := range map[int64]engine.EventType{3: engine.RetryScheduled, 4: engine.ErrorCaught} {
		e := startSingle(t, "M", `{"items":[]}`, engine.SingleOptions{Retries: retries})
		var found *engine.Event
		for found == nil && !e.Status().Done() {
			for _, ev := range e.Step() {
				if ev.Type == engine.RetryScheduled || ev.Type == engine.ErrorCaught {
					found = &ev
					break
				}
			}
			if r := e.Unanswered(); r != nil {
				if err := e.Answer(r.ID, fails("Flaky")); err != nil {
					t.Fatal(err)
				}
			}
		}
		if found == nil || found.Type != want {
			t.Fatalf("after %d retries: %v, want %v", retries, found, want)
		}
		// IntervalSeconds 1 and BackoffRate 2: the fourth delay is 8 seconds.
		if retry, ok := found.Detail.(*engine.RetryDetail); ok && retry.Backoff.Seconds() != 8 {
			t.Errorf("delay %v, want 8s", retry.Backoff)
		}
	}
}

// The causes of faults do not begin with the state and the event; a snapshot continues as its execution does.
func TestSingleCausesAndSnapshots(t *testing.T) {
	e := startSingle(t, "M", `{"items":1}`, engine.SingleOptions{})
	e.Step()
	e.Step()
	twin := e.Snapshot().Restore()
	a, b := describe(drive(t, e, nil)), describe(drive(t, twin, nil))
	if !slices.Equal(a, b) {
		t.Errorf("the execution:\n%q\nits snapshot:\n%q", a, b)
	}
	if got, want := e.Failure().Cause, `Reference path "$.items" must point to array.`; got != want {
		t.Errorf("cause %q, want %q", got, want)
	}
}

func TestSingleOfAnotherMachine(t *testing.T) {
	machine := compile(t, nested, engine.AWS)
	other := compile(t, nested, engine.AWS).Definition().Lookup("E")
	if _, err := machine.StartSingle(other, value.Must(`{}`), engine.SingleOptions{}); !errors.Is(err,
		engine.ErrNotInMachine) {
		t.Errorf("error %v, want ErrNotInMachine", err)
	}
}
