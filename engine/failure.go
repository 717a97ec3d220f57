package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// stageFailed notes that a stage could not do its work; retriers and catchers come next.
func (e *Execution) stageFailed(t *thread, stage Stage, before value.Value, failure *Failure) {
	if e.machine.dialect == AWS && stage != StageFail && e.single == nil && failure.Name != ErrorDataLimitExceeded {
		failure.addPreface(t.visit)
	}
	t.failure, t.phase = failure, phaseError
	event := Event{Type: StageFailed, Stage: stage, Before: before, Detail: failure}
	if failure.Name == ErrorQueryEvaluation {
		history := e.historyOf(t)
		if *history++; *history <= math.MaxUint16 { // EvaluationFailed
			event.HistoryID = uint16(*history)
		}
	}
	e.emit(t, event)
}

// addPreface lets the cause begin as Step Functions' own faults do.
func (f *Failure) addPreface(visit *Visit) {
	preface := fmt.Sprintf("An error occurred while executing the state '%s' (entered at the event id #%d). ",
		visit.State.Name, visit.HistoryID)
	f.Cause, f.preface = preface+f.Cause, len(preface)
}

// catchable reports whether retriers and catchers are asked at all. States.Runtime never is: not in the
// state itself, nor in one that holds it.
func (f *Failure) catchable() bool { return f.Name != ErrorRuntime && !f.terminal }

// matches reports whether a retrier's or catcher's ErrorEquals takes the error (section "Errors").
func (f *Failure) matches(names []string, dialect Dialect) bool {
	if slices.Contains(names, f.Name) || slices.Contains(names, ErrorAll) {
		return true
	}
	if f.heartbeat && slices.Contains(names, ErrorHeartbeatTimeout) {
		return true
	}
	return dialect == AWS && f.Name != ErrorTimeout && slices.Contains(names, ErrorTaskFailed)
}

// handleError looks for a retrier, then for a catcher, then gives the error to whoever holds the state.
func (e *Execution) handleError(t *thread) {
	failure := t.failure
	// An error in a catcher's own stages is not caught again by the state that it left.
	asked := failure.catchable() && t.catching == 0
	if asked && e.retry(t, failure) {
		return
	}
	if t.closing && t.catching == 0 {
		*e.historyOf(t)++ // the failure of a Parallel or Map state, which a retry leaves out
	}
	if asked {
		for i := range t.state.catches {
			if failure.matches(t.state.catches[i].def.ErrorEquals, e.machine.dialect) {
				e.catch(t, i, failure)
				return
			}
		}
	}
	e.emit(t, Event{Type: StateFailed, Before: t.raw, Detail: failure})
	if t.parent == nil {
		e.finish(Failed, failure)
		return
	}
	e.childFailed(t, failure)
}

// retry schedules another attempt if a retrier takes the error and is not used up. The first retrier
// that matches decides: when it is used up, the later ones are not asked.
func (e *Execution) retry(t *thread, failure *Failure) bool {
	for i, retrier := range t.state.def.Retry {
		if !failure.matches(retrier.ErrorEquals, e.machine.dialect) {
			continue
		}
		if t.retries == nil {
			t.retries = make([]int64, len(t.state.def.Retry))
		}
		if t.retries[i] >= retrier.MaxAttempts {
			return false
		}
		t.retries[i]++
		t.retried++
		backoff := Backoff(retrier, t.retries[i])
		delay := backoff
		if retrier.JitterStrategy == asl.JitterFull {
			delay = e.jitter(backoff)
		}
		due := later(e.now, delay)
		e.emit(t, Event{Type: RetryScheduled, Detail: &RetryDetail{
			Failure: failure, Retrier: i, Attempt: t.retries[i], Delay: delay, Backoff: backoff, Due: time.Unix(0, due).UTC(),
		}})
		if due <= e.now {
			t.phase = phaseRetry
			return true
		}
		t.block = onTimer
		t.turn++ // what was set for the attempt that failed is dead
		e.setTimer(t, due, TimerRetry)
		return true
	}
	return false
}

// Backoff returns the delay before a retrier's attempt number n, counted from 1, before jitter:
// IntervalSeconds times BackoffRate to the power n-1, at most MaxDelaySeconds (section "Errors").
func Backoff(retrier *asl.Retrier, n int64) time.Duration {
	delay := float64(retrier.IntervalSeconds) * math.Pow(retrier.BackoffRate, float64(n-1))
	if bound := float64(retrier.MaxDelaySeconds); bound > 0 && delay > bound {
		delay = bound
	}
	return seconds(delay)
}

// jitter draws a delay between 0 and d from the seeded source, in milliseconds.
func (e *Execution) jitter(d time.Duration) time.Duration {
	drawn := rand.New(&e.random).Float64() * float64(d)
	return time.Duration(drawn).Round(time.Millisecond)
}

// catch goes over to a catcher, whose ResultPath says what becomes of the Error Output; the state's own
// ResultSelector, ResultPath, OutputPath and Assign are passed over.
func (e *Execution) catch(t *thread, index int, failure *Failure) {
	catcher := &t.state.catches[index]
	output := value.ObjectOf(
		value.Member{Key: "Error", Value: value.String(failure.Name)},
		value.Member{Key: "Cause", Value: value.String(failure.Cause)},
	)
	e.emit(t, Event{
		Type: ErrorCaught, Before: t.raw, After: output,
		Detail: &CatchDetail{Failure: failure, Catcher: index, Next: catcher.def.Next},
	})
	t.turn++
	t.assigned = nil // what failed assigns nothing
	t.data, t.result = output, output
	t.catching, t.next, t.exit = index+1, catcher.next, catcher.exit
	t.stages, t.at, t.phase = catcher.stages, 0, phaseStage
}
