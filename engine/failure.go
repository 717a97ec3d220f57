package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/template"
	"asldb/engine/value"
)

// stageFailed notes that a stage could not do its work; retriers and catchers come next.
func (e *Execution) stageFailed(t *thread, stage Stage, before value.Value, failure *Failure) {
	if e.machine.dialect.Does(rules.WritesServiceCauses) && stage != StageFail && e.single == nil &&
		failure.Name != ErrorDataLimitExceeded {
		failure.addPreface(t.visit)
	}
	t.failure, t.phase = failure, phaseError
	e.emit(t, &Event{Type: StageFailed, Stage: stage, Before: before, Detail: failure})
}

// ErrorOutput returns the Error Output that a catcher takes: {"Error": ..., "Cause": ...}. An error or a cause that SendTaskFailure
// left out is null in the dialect aws, as recorded. Other absent causes, a timeout's for example, are "": that is recorded
// of timeouts alone.
func (f *Failure) ErrorOutput() *value.Object {
	text := func(s string) value.Value {
		if s == "" && f.nulls {
			return value.Null{}
		}
		return value.String(s)
	}
	return value.ObjectOf(value.Member{Key: "Error", Value: text(f.Name)}, value.Member{Key: "Cause", Value: text(f.Cause)})
}

// addPreface lets the cause begin as Step Functions' own faults do.
func (f *Failure) addPreface(visit *Visit) {
	preface := fmt.Sprintf("An error occurred while executing the state '%s' (entered at the event id #%d). ",
		visit.State.Name, visit.HistoryID)
	f.Cause, f.preface = preface+f.Cause, len(preface)
}

// Explanation returns the engine's own sentence on a fault that it found in the data, for people: a path that missed, an intrinsic
// function, a ResultPath that cannot be applied. Cause is in Step Functions' words, which say less. The Explanation is
// empty where there is no such fault, and where Cause has the sentence.
func (f *Failure) Explanation() string {
	var miss *path.MissError
	var function *template.Error
	var conflict *path.ConflictError
	text := ""
	switch {
	case errors.As(f.Err, &miss):
		text = miss.Error()
	case errors.As(f.Err, &function):
		text = function.Error()
	case errors.As(f.Err, &conflict):
		text = conflict.Error()
	}
	if strings.Contains(f.Cause, text) {
		return ""
	}
	if function != nil && function.Advice != "" {
		text += "; " + function.Advice
	}
	return text
}

// catchable reports whether retriers and catchers are asked at all. States.Runtime never is: not in the
// state itself, nor in one that holds it.
func (f *Failure) catchable() bool { return f.Name != ErrorRuntime && !f.terminal }

// matches reports whether a retrier's or catcher's ErrorEquals takes the error (section "Errors").
func (f *Failure) matches(names []string, dialect Dialect) bool {
	if slices.Contains(names, f.Name) || slices.Contains(names, ErrorAll) {
		return true
	}
	if f.heartbeat && dialect.Does(rules.MatchesHeartbeatTimeout) && slices.Contains(names, ErrorHeartbeatTimeout) {
		return true
	}
	if f.other != nil && f.named(names) != f {
		return true
	}
	return dialect.Does(rules.MatchesTaskFailedWidely) && f.Name != ErrorTimeout && f.Name != ErrorQueryEvaluation &&
		slices.Contains(names, ErrorTaskFailed)
}

// named returns the failure under the name that names have: its own one, or else another one, as a branch's error has.
func (f *Failure) named(names []string) *Failure {
	if slices.Contains(names, f.Name) || slices.Contains(names, ErrorAll) {
		return f
	}
	for inner := f.other; inner != nil; inner = inner.other {
		if slices.Contains(names, inner.Name) {
			return inner
		}
	}
	return f
}

// recovery handles the error of a visit: retriers are asked first, then catchers.
type recovery struct {
	e *Execution
	*thread
}

// handle looks for a retrier, then for a catcher, then gives the error to the Parallel or Map state around the state, or to the execution.
func (r recovery) handle() {
	failure := r.failure
	// An error in a catcher's own stages is not caught again by the state that it left.
	asked := failure.catchable() && r.catching == 0
	if asked && r.retry(failure) {
		return
	}
	if asked {
		for i := range r.state.catches {
			if failure.matches(r.state.catches[i].def.ErrorEquals, r.e.machine.dialect) {
				r.catch(i, failure.named(r.state.catches[i].def.ErrorEquals))
				return
			}
		}
	}
	r.e.emit(r.thread, &Event{Type: StateFailed, Before: r.raw, Detail: failure})
	if r.parent == nil {
		r.e.finish(Failed, failure)
		return
	}
	r.e.childFailed(r.thread, failure)
}

// retry schedules another attempt if a retrier takes the error and is not used up. The first retrier
// that matches decides: when it is used up, the later ones are not asked.
func (r recovery) retry(failure *Failure) bool {
	for i, retrier := range r.state.def.Retry {
		if !failure.matches(retrier.ErrorEquals, r.e.machine.dialect) {
			continue
		}
		if r.retries == nil {
			r.retries = make([]int64, len(r.state.def.Retry))
		}
		if r.retries[i] >= retrier.MaxAttempts {
			return false
		}
		r.retries[i]++
		r.retried++
		backoff := Backoff(retrier, r.retries[i])
		delay := backoff
		if retrier.JitterStrategy == asl.JitterFull {
			delay = r.e.jitter(backoff)
		}
		due := Later(r.e.now, delay)
		detail := r.e.details().retries.next()
		*detail = RetryDetail{
			Failure: failure, Retrier: i, Attempt: r.retries[i], Delay: delay, Backoff: backoff, Due: time.Unix(0, due).UTC(),
		}
		r.e.emit(r.thread, &Event{Type: RetryScheduled, Detail: detail})
		if due <= r.e.now {
			r.phase = phaseRetry
			return true
		}
		r.block = onTimer
		r.turn++ // the timers of the failed attempt are dead
		r.e.set(r.thread, due, TimerRetry)
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
	return durationOf(delay)
}

// catch goes over to a catcher, whose ResultPath places the Error Output; the state's own
// ResultSelector, ResultPath, OutputPath and Assign are passed over.
func (r recovery) catch(index int, failure *Failure) {
	catcher := &r.state.catches[index]
	output := failure.ErrorOutput()
	r.e.emit(r.thread, &Event{
		Type: ErrorCaught, Before: r.raw, After: output,
		Detail: &CatchDetail{Failure: failure, Catcher: index, Next: catcher.def.Next},
	})
	r.turn++
	r.assigned = nil // a failed attempt assigns nothing
	r.data, r.result = output, output
	r.catching, r.next, r.exit = index+1, catcher.next, catcher.exit
	r.stages, r.at, r.phase = catcher.flow().stages, 0, phaseStage
}

// Catchable reports whether the retriers and catchers of a state are asked about the error at all. States.Runtime is never
// caught, whatever they name.
func (f *Failure) Catchable() bool { return f.catchable() }

// TakenByRetrier reports whether a retrier's ErrorEquals takes the error, used up or not. Errors that are not
// [Failure.Catchable] are taken by none.
func (f *Failure) TakenByRetrier(r *asl.Retrier, dialect Dialect) bool {
	return f.catchable() && f.matches(r.ErrorEquals, dialect)
}

// TakenByCatcher reports whether a catcher's ErrorEquals takes the error. Errors that are not [Failure.Catchable] are taken
// by none.
func (f *Failure) TakenByCatcher(c *asl.Catcher, dialect Dialect) bool {
	return f.catchable() && f.matches(c.ErrorEquals, dialect)
}
