package runlog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const tasksInAMap = `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"End":true,"ItemProcessor":{"StartAt":"A","States":{
	"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Retry":[{"ErrorEquals":["Busy"]}],"Next":"B"},
	"B":{"Type":"Wait","Seconds":2,"End":true}}}}}}`

// written writes rows in a few words.
func written(rows []runlog.Iteration) []string {
	var lines []string
	for i := range rows {
		r := &rows[i]
		line := fmt.Sprintf("%d state %d retries %d took %ds", r.Index, r.State, r.Retries, (r.Ended-r.Began)/1e9)
		if r.Failure != nil {
			line += " " + r.Failure.Name
		}
		if r.Output != nil {
			line += " " + value.Compact(r.Output)
		}
		if r.Visit != nil {
			line += " at " + r.Visit.State.Name
		}
		lines = append(lines, line)
	}
	return lines
}

func TestIterations(t *testing.T) {
	outcome := func(text string) engine.Outcome { return engine.Outcome{Output: value.Must(text)} }
	log := runs.Run(runs.Machine(tasksInAMap), `[1,2,3,4]`,
		runs.InTurn(outcome(`"a"`), engine.Outcome{Error: "Busy"}, outcome(`"b"`), engine.Outcome{Error: "E"}))
	visit := log.At(1).Visit
	var table runlog.Iterations
	at := func(i int) []string { return slices.Clone(written(table.Of(log, visit, i))) }
	end := []string{`0 state 2 retries 0 took 2s "a" at B`, `1 state 2 retries 1 took 3s "b" at B`,
		`2 state 3 retries 0 took 0s E at A`, `3 state 0 retries 0 took 0s`}
	if got := at(log.Len() - 1); !slices.Equal(got, end) {
		t.Errorf("at the end:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(end, "\n"))
	}
	for n, want := range []engine.EventType{engine.StateExited, engine.StateExited, engine.TaskFailed} {
		if got := log.At(table.Of(log, visit, log.Len()-1)[n].Telling); got.Type != want || got.Visit.Index != n {
			t.Errorf("iteration %d is told by a %s of iteration %d, want a %s", n, got.Type, got.Visit.Index, want)
		}
	}
	failed := slices.IndexFunc(slices.Collect(log.All()),
		func(e *engine.Event) bool { return e.Type == engine.TaskFailed })
	if got, want := at(failed)[1], "1 state 1 retries 0"; !strings.HasPrefix(got, want) ||
		!strings.HasSuffix(got, "Busy at A") {
		t.Errorf("when it had failed: %s", got)
	}
	// Whatever was asked before, the rows at an event are the same.
	for i := range log.Len() {
		var anew runlog.Iterations
		if got, want := at(i), written(anew.Of(log, visit, i)); !slices.Equal(got, want) {
			t.Fatalf("at event %d: %q, anew %q", i, got, want)
		}
	}
}

func TestIterationsOfARetriedState(t *testing.T) {
	log := runs.Run(runs.Machine(`{"StartAt":"P","States":{"P":{"Type":"Parallel","Retry":[{"ErrorEquals":["E"]}],"End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}},
		{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":2,"End":true}}}]}}}`), `{}`,
		runs.InTurn(engine.Outcome{Error: "E"}, engine.Outcome{Output: value.Must(`1`)}))
	var table runlog.Iterations
	got := written(table.Of(log, log.At(1).Visit, log.Len()-1))
	if want := []string{`0 state 2 retries 0 took 0s 1 at A`, `1 state 2 retries 0 took 2s {} at W`}; !slices.Equal(got,
		want) {
		t.Errorf("%q, want %q", got, want)
	}
}
