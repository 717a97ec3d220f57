package rerun_test

import (
	"bytes"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/recorder"
)

// redriven is a Map whose second item fails, which is caught, then a task that fails, and after a redrive succeeds.
const redriven = `00 ExecutionStarted executionStarted {"input":"[1,2]"}
	00 MapStateEntered stateEntered {"name":"M","input":"[1,2]"}
	00 MapStateStarted mapStateStarted {"length":2}
	00 MapIterationStarted mapIterationStarted {"name":"M","index":0}
	00 TaskStateEntered stateEntered {"name":"I","input":"1"}
	00 TaskScheduled taskScheduled {"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{}"}
	00 TaskStarted taskStarted {"resourceType":"sqs","resource":"sendMessage"}
	01 TaskFailed taskFailed {"resourceType":"sqs","resource":"sendMessage","error":"Item","cause":"c"}
	01 MapIterationFailed mapIterationFailed {"name":"M","index":0}
	01 MapStateFailed
	01 MapStateExited stateExited {"name":"M","output":"{\"Error\":\"Item\",\"Cause\":\"c\"}"}
	01 TaskStateEntered stateEntered {"name":"T","input":"{\"Error\":\"Item\",\"Cause\":\"c\"}"}
	01 TaskScheduled taskScheduled {"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{}"}
	01 TaskStarted taskStarted {"resourceType":"sqs","resource":"sendMessage"}
	02 TaskFailed taskFailed {"resourceType":"sqs","resource":"sendMessage","error":"First","cause":"c"}
	02 ExecutionFailed executionFailed {"error":"First","cause":"c"}
	40 ExecutionRedriven executionRedriven {"redriveCount":1}
	40 TaskScheduled taskScheduled {"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{}"}
	40 TaskStarted taskStarted {"resourceType":"sqs","resource":"sendMessage"}
	41 TaskFailed taskFailed {"resourceType":"sqs","resource":"sendMessage","error":"Second","cause":"c"}
	41 ExecutionFailed executionFailed {"error":"Second","cause":"c"}
	50 ExecutionRedriven executionRedriven {"redriveCount":2}
	50 TaskScheduled taskScheduled {"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{}"}
	50 TaskStarted taskStarted {"resourceType":"sqs","resource":"sendMessage"}
	53 TaskSucceeded taskSucceeded {"resourceType":"sqs","resource":"sendMessage","output":"7"}
	53 TaskStateExited stateExited {"name":"T","output":"7"}
	53 ExecutionSucceeded executionSucceeded {"output":"7"}`

const redrivenDefinition = `{"StartAt":"M","States":{
	"M":{"Type":"Map","MaxConcurrency":1,"Next":"T","Catch":[{"ErrorEquals":["States.ALL"],"Next":"T"}],"ItemProcessor":{"StartAt":"I","States":{
		"I":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{},"End":true}}}},
	"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{},"End":true}}}`

// A redriven execution is shown as its attempts, and nothing of it is lost.
func TestAttempts(t *testing.T) {
	r := script(t, redriven)
	attempts := r.Attempts()
	if len(attempts) != 3 || attempts[2] != r {
		t.Fatalf("%d attempts", len(attempts))
	}
	for i := range r.Execution.Events {
		shown := r.Execution.Events[i].Type == "ExecutionRedriven"
		for _, attempt := range attempts {
			shown = shown || i < len(attempt.Threads.Of) && !attempt.Threads.Of[i].Dropped
		}
		if !shown {
			t.Errorf("event %d (%s) is lost", i+1, r.Execution.Events[i].Type)
		}
	}
	if r.Threads.Of[8].Dropped || r.Threads.Of[9].Dropped || !r.Threads.Of[14].Dropped {
		t.Error("a failure that was caught is undone by the redrive, or one that was not is left")
	}
	about := strings.Join(r.About(), "\n")
	for _, line := range []string{"attempt 1: events 1 to 16, FAILED: First after 2s",
		"attempt 2: events 17 to 21, FAILED: Second after 41s", "attempt 3: events 22 to 27, SUCCEEDED after 53s"} {
		if !strings.Contains(about, line) {
			t.Errorf("it is described as\n%s\nwithout %q", about, line)
		}
	}
	machine := compile(t, "redriven", []byte(redrivenDefinition))
	for n, attempt := range attempts {
		if check := again(t, attempt, machine); !check.Agrees() {
			t.Errorf("attempt %d: %v", n+1, check)
		}
	}
}

// On the screen and in a trace each attempt is a fork.
func TestAttemptsAreBranches(t *testing.T) {
	r := script(t, redriven)
	definition, err := r.Skeleton()
	if err != nil {
		t.Fatal(err)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	s := debug.ReplayAttempts(machine, debug.Options{Input: value.Must(`[1,2]`)}, r.EventsOfAttempts(definition))
	var out bytes.Buffer
	w, err := recorder.NewTraceWriter("test", &out,
		&recorder.Header{Definition: definition.Source, Dialect: engine.AWS}, recorder.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.Record(definition, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	trace, err := recorder.NewTrace("test", bytes.NewReader(out.Bytes()), int64(out.Len()), nil)
	if err != nil || len(trace.Warnings()) > 0 || len(trace.Forks()) != 3 || len(s.Forks().All()) != 3 {
		t.Fatalf("%v, %v; %d forks, %d on the screen", err, trace.Warnings(), len(trace.Forks()), len(s.Forks().All()))
	}
	for n, status := range []engine.Status{engine.Failed, engine.Failed, engine.Succeeded} {
		fork := s.Forks().All()[n]
		if fork.Status != status || fork.Parent != n || n > 0 && (fork.Cause != "redrive" || fork.Shared == 0) {
			t.Errorf("fork %+v, want %v", fork, status)
		}
		i := 0
		for event, err := range trace.Run(n).All() {
			if err != nil {
				t.Fatal(err)
			}
			if got, want := recorder.AppendEvent(nil, event),
				recorder.AppendEvent(nil, s.Forks().Log(n+1).At(i)); !bytes.Equal(got, want) {
				t.Errorf("fork %d:\n got %s\nwant %s", n+1, got, want)
			}
			i++
		}
		if i != fork.Events {
			t.Errorf("fork %d has %d events in the trace, and %d on the screen", n+1, i, fork.Events)
		}
		if err := s.Forks().Switch(fork.ID); err != nil {
			t.Fatal(err)
		}
		s.GoTo(fork.Events)
		if s.Status() != status {
			t.Errorf("fork %d ends as %v", n+1, s.Status())
		}
	}
}
