package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// compile makes a machine of a definition that must be right.
func compile(t testing.TB, definition string, dialect engine.Dialect) *engine.Machine {
	t.Helper()
	src := &source.File{Name: "test.asl.json", Data: []byte(definition)}
	parsed, diagnostics := asl.Parse(src)
	for _, d := range diagnostics {
		if d.Severity == source.Error {
			t.Fatal(d.Format())
		}
	}
	machine, err := engine.Compile(parsed, dialect)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// answers gives outcomes; nil means "the payload comes back".
type answers func(request *engine.TaskRequest) engine.Outcome

func echo(request *engine.TaskRequest) engine.Outcome {
	return engine.Outcome{Output: request.Parameters}
}

// inTurn answers with each outcome once, whatever asks; the last one is given for ever.
func inTurn(outcomes ...engine.Outcome) answers {
	next := 0
	return func(*engine.TaskRequest) engine.Outcome {
		outcome := outcomes[min(next, len(outcomes)-1)]
		next++
		return outcome
	}
}

func fails(name string) engine.Outcome { return engine.Outcome{Error: name, Cause: "because"} }

func gives(text string) engine.Outcome { return engine.Outcome{Output: value.Must(text)} }

// tooMany ends a test whose execution does not end.
const tooMany = 1_000_000

// drive runs an execution to its end in skip mode and returns every event.
func drive(t testing.TB, e *engine.Execution, answer answers) []engine.Event {
	t.Helper()
	return driveStore(t, e, nil, answer)
}

// store has the objects of a test by bucket/key; a text that begins with ! is refused.
type store map[string]string

// driveStore runs an execution to its end in skip mode, with objects to read, and returns every event.
func driveStore(t testing.TB, e *engine.Execution, objects store, answer answers) []engine.Event {
	t.Helper()
	if answer == nil {
		answer = echo
	}
	var events []engine.Event
	for range tooMany {
		status := e.Status()
		if status.Done() {
			return events
		}
		if r := e.UnansweredObject(); r != nil {
			body, known := objects[r.Object.Bucket+"/"+r.Object.Key]
			var refused *engine.ObjectError
			if cause, is := strings.CutPrefix(body, "!"); is || !known {
				refused = &engine.ObjectError{Cause: cause}
			}
			if err := e.AnswerObject(r.ID, []byte(body), refused); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if status == engine.AwaitingTime {
			next, ok := e.NextTimer()
			if !ok {
				t.Fatal("every thread waits, and there is no timer")
			}
			if err := e.AdvanceTo(next); err != nil {
				t.Fatal(err)
			}
		}
		events = append(events, e.Step()...)
		for r := e.Unanswered(); r != nil; r = e.Unanswered() {
			if err := e.Answer(r.ID, answer(r)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatal("the execution does not end")
	return nil
}

// run runs a definition on an input.
func run(t testing.TB, definition, input string, answer answers) (*engine.Execution, []engine.Event) {
	t.Helper()
	return runIn(t, engine.AWS, definition, input, answer)
}

func runIn(t testing.TB, dialect engine.Dialect, definition, input string, answer answers) (*engine.Execution,
	[]engine.Event) {
	t.Helper()
	e := compile(t, definition, dialect).Start(value.Must(input), engine.StartOptions{Seed: 1})
	return e, drive(t, e, answer)
}

// wantOutput checks that an execution succeeded with an output.
func wantOutput(t testing.TB, e *engine.Execution, want string) {
	t.Helper()
	if e.Status() != engine.Succeeded {
		t.Fatalf("status %v (%v), want SUCCEEDED", e.Status(), e.Failure())
	}
	if got := e.Output(); !value.Equal(got, value.Must(want)) {
		t.Errorf("output %s\n  want %s", value.Compact(got), want)
	}
}

// wantFailure checks that an execution failed with an Error Name and a part of a Cause.
func wantFailure(t testing.TB, e *engine.Execution, name, cause string) {
	t.Helper()
	if e.Status() != engine.Failed {
		t.Fatalf("status %v with output %s, want FAILED", e.Status(), value.Compact(e.Output()))
	}
	if got := e.Failure(); got.Name != name || !strings.Contains(got.Cause, cause) {
		t.Errorf("failure %q: %q\n   want %q: %q", got.Name, got.Cause, name, cause)
	}
}

// single is a definition of one state called S, which has the fields given as JSON members.
func single(fields string) string {
	return fmt.Sprintf(`{"StartAt":"S","States":{"S":{%s}}}`, fields)
}

// types lists the types of events, stages with their names.
func types(events []engine.Event) string {
	names := make([]string, len(events))
	for i := range events {
		names[i] = events[i].Type.String()
		if events[i].Type == engine.StageCompleted || events[i].Type == engine.StageFailed {
			names[i] += ":" + events[i].Stage.String()
		}
	}
	return strings.Join(names, " ")
}

// delays lists the delays of the retries.
func delays(events []engine.Event) []time.Duration {
	var list []time.Duration
	for i := range events {
		if detail, ok := events[i].Detail.(*engine.RetryDetail); ok {
			list = append(list, detail.Delay)
		}
	}
	return list
}

func count(events []engine.Event, kind engine.EventType) int {
	n := 0
	for i := range events {
		if events[i].Type == kind {
			n++
		}
	}
	return n
}

// taskFields are the fields that every Task state needs.
const taskFields = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`
