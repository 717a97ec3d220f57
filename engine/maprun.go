package engine

import (
	"errors"

	"asldb/engine/value"
)

// ErrNoMapRun says that a thread is not at the beginning of a Map Run.
var ErrNoMapRun = errors.New("the thread is not at the beginning of a Map Run")

// AnswerMapRun gives the outcome of a whole Map Run, in place of running its executions: its Output is the array of their
// results, or its Error and Cause are those with which the Map Run failed; After is how long it takes. That is for drivers that
// know the outcome of a Map Run and nothing of its executions. It can be given from the MapRunStarted event of the thread
// on until an execution begins or an object is asked for. The errors are [ErrNoThread], [ErrNoMapRun], and an
// *[OutcomeError].
func (e *Execution) AnswerMapRun(id ThreadID, outcome Outcome) error {
	t := e.thread(id)
	switch {
	case t == nil || e.status.Done():
		return ErrNoThread
	case t.work == nil || t.work.run == nil || t.work.begun > 0 || t.block != notBlocked || !beforeItems(t.phase):
		return ErrNoMapRun
	case outcome.Output != nil && (outcome.Error != "" || outcome.Cause != ""):
		return &OutcomeError{"has both an output and an error"}
	case outcome.Output != nil && outcome.Output.Kind() != value.KindArray && t.state.def.ResultWriter == nil:
		return &OutcomeError{"of a Map Run is an array, not " + value.KindOf(outcome.Output)}
	case outcome.After < 0 || outcome.HeartbeatEvery != 0:
		return &OutcomeError{"has a duration that a Map Run cannot have"}
	}
	e.keepOutcome(t, &outcome)
	t.phase = phaseMapRunOver
	if outcome.After > 0 {
		t.block = onTimer
		e.set(t, Later(e.now, outcome.After), TimerMapRun)
	}
	return nil
}

// beforeItems tells the phases in which a Map Run has begun, and nothing of it.
func beforeItems(p phase) bool {
	switch p {
	case phaseReadItems, phaseSelectItem, phaseBatch, phaseSpawn:
		return true
	default:
		return false
	}
}

// over ends a Map Run as it was answered.
func (d distributed) over() {
	outcome := d.e.takeOutcome(d.thread)
	if outcome.Output == nil {
		d.fail(StageResult, d.payload, &Failure{Name: outcome.Error, Cause: outcome.Cause, Origin: d.visit})
		return
	}
	d.result = outcome.Output
	d.e.emit(d.thread, &Event{Type: MapRunSucceeded, Stage: StageResult, After: d.result})
	d.data, d.work, d.phase = d.result, nil, phaseStage
	d.e.emit(d.thread, &Event{Type: MapSucceeded, Stage: StageResult, Before: d.payload, After: d.result})
}
