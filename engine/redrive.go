package engine

import (
	"fmt"
	"time"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// Redrive is the place from which an execution that did not succeed continues, as RedriveExecution does it: its states
// that were left stay as they are, the others begin again with the same input. The retries of their states, and the
// machine's TimeoutSeconds, start over.
//
// No recording of a redrive is published. The guide says that a Task is scheduled and started again, so that the history has no second
// entry of a Task, Parallel or Map state; a state of another type is entered again.
type Redrive struct {
	// Count numbers the redrives of the execution from 1.
	Count int
	// Seq and History are the numbers of events so far, History those in Step Functions' history.
	Seq     int64
	History int
	// Now is the virtual time of the redrive, Ended the time of the end before it.
	Now, Ended time.Time
	// Root is where the execution's own thread continues.
	Root *Resumption
	// Thread, Request and Object are the greatest numbers that there have been. Invocations are the invocations of each
	// state, by its path in the definition.
	Thread          ThreadID
	Request, Object int64
	MapRuns         int64 // so far
	Invocations     map[string]int
}

// Resumption is where a thread continues.
type Resumption struct {
	// State is the name of the state that is begun again; empty for the first of the scope. Input is its raw input, nil
	// for the one that the thread begins with.
	State string
	Input value.Value
	// Variables belong to the thread's scope, nil for none.
	Variables *value.Object
	// Visits counts the visits of each state.
	Visits map[string]int
	// HistoryID is the id of the state's entry in Step Functions' history; 0: none is known.
	HistoryID int64
	// Kept are the outputs of branches or iterations that succeeded, which are not run again. Below is where others
	// continue; threads in neither start over.
	Kept  map[int]value.Value
	Below map[int]*Resumption
	// MapRun is the Map Run of a distributed Map that is redriven, with the number of the redrive; nil: another one
	// begins.
	MapRun *MapRunDetail
	// Redriven numbers the redrives of an execution of a Map Run, from 1; Started is when it began, History the number of events in its
	// history.
	Redriven, History int
	Started           int64
}

// RedriveDetail numbers a redrive of an execution, from 1.
type RedriveDetail struct{ Count int }

// RedriveError is the reason why an execution cannot be redriven.
type RedriveError struct{ Reason string }

// The times within which an execution can be redriven (Developer guide, "Redriving executions").
const (
	redrivablePeriod = 14 * 24 * time.Hour  // since its end
	longestExecution = 365 * 24 * time.Hour // since its start
)

// At sets the time of the redrive of an execution that began at start. The error is a *[RedriveError]: the service redrives an
// execution within 14 days of its end, and within a year of its start.
func (r *Redrive) At(at, start time.Time) error {
	switch {
	case at.Before(r.Ended):
		return &RedriveError{fmt.Sprintf("%s is before its end, %s", FormatInstant(at), FormatInstant(r.Ended))}
	case at.Sub(r.Ended) > redrivablePeriod:
		return &RedriveError{fmt.Sprintf("at %s more than 14 days are over since its end, %s", FormatInstant(at), FormatInstant(r.Ended))}
	case at.Sub(start) > longestExecution:
		return &RedriveError{fmt.Sprintf("at %s more than a year is over since its start, %s", FormatInstant(at), FormatInstant(start))}
	}
	r.Now = at
	return nil
}

// Error implements error.
func (e *RedriveError) Error() string { return "the execution cannot be redriven: " + e.Reason }

// Redrive continues an execution that was of this machine, or of one with another version of this definition. The first
// Step says that it was redriven. The error is a *[RedriveError]: the machine lacks a state.
func (m *Machine) Redrive(input value.Value, options StartOptions, r *Redrive) (*Execution, error) {
	e := m.Start(input, options)
	e.redrive, e.redriving = r, true
	e.seq, e.history = r.Seq, r.History
	e.now = r.Now.UnixNano()
	e.timers = nil
	if bound := m.Timeout(options.Express); bound > 0 {
		e.timers.Push(timer{at: Later(e.now, bound), kind: TimerExecutionTimeout})
	}
	e.lastThread, e.lastTask, e.lastObject, e.lastMapRun = r.Thread, r.Request, r.Object, r.MapRuns
	for path, count := range r.Invocations {
		if state := m.definition.Lookup(path); state != nil && m.plan(state).number >= 0 {
			e.invocations[m.plan(state).number] = int32(count)
		}
	}
	if err := m.checkResumption(m.top, r.Root); err != nil {
		return nil, err
	}
	e.threads[0].resume(r.Root)
	return e, nil
}

// checkResumption reports a state that the machine lacks.
func (m *Machine) checkResumption(scope *scopePlan, r *Resumption) error {
	if r.State == "" {
		return nil
	}
	state := scope.state(r.State)
	if state == nil {
		return &RedriveError{fmt.Sprintf("it continues in the state %q, which the definition does not have", r.State)}
	}
	for index, below := range r.Below {
		branch := index
		if state.def.Type == asl.Map {
			branch = 0
		}
		if branch >= len(state.branches) {
			return &RedriveError{fmt.Sprintf("the state %q has no branch %d any more", r.State, index)}
		}
		if err := m.checkResumption(state.branches[branch], below); err != nil {
			return err
		}
	}
	return nil
}

// resume lets a thread that has not entered a state begin where a redrive says.
func (t *thread) resume(r *Resumption) {
	t.redriven = r
	if r.State != "" {
		t.state = t.scope.state(r.State)
	}
	if r.Input != nil {
		t.raw = r.Input
	}
	if r.Variables != nil {
		t.variables = &frame{outer: t.variables.outer, values: r.Variables}
	}
	for _, state := range t.scope.states {
		t.visits[state.index] = int32(r.Visits[state.def.Name])
	}
}

// goesOn reports whether the thread is in the state that a redrive has begun again, of whose entry the history does not tell twice.
func (t *thread) goesOn() bool {
	return t.redriven != nil && t.redriven.HistoryID > 0 && t.state.def.Name == t.redriven.State && workTakesTime(t.state.def)
}

// kept returns the output of a branch or iteration that a redrive does not run again, nil where there is none.
func (t *thread) kept(index int) value.Value {
	if t.redriven == nil {
		return nil
	}
	return t.redriven.Kept[index]
}
