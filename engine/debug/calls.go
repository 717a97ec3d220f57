package debug

import (
	"slices"
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
)

// Calls are the calls that the source has begun for requests of the run.
type Calls struct{ s *Session }

// Calls returns the calls of the current fork.
func (s *Session) Calls() Calls { return Calls{s} }

// Open returns the numbers of the requests that the source has begun a call for and that still wait for its outcome.
func (c Calls) Open() []int64 {
	s := c.s
	s.called = slices.DeleteFunc(s.called, func(id int64) bool { return !s.open(id) })
	return slices.Clone(s.called)
}

// Arrived gives the outcome of a request that the source has begun a call for. Its After is the time since the call
// began, which is when the task was scheduled: virtual time that has passed since then is not counted twice. origin names
// the source. The outcome belongs to the end of the run, also when the position is an earlier one. The errors are
// [engine.ErrNoRequest], where the request waits no longer, and the ones of [Interventions.Answer].
func (c Calls) Arrived(id int64, outcome engine.Outcome, origin string) error {
	s := c.s
	if s.ReadOnly() {
		return ErrReadOnly
	}
	if !slices.Contains(c.Open(), id) {
		return engine.ErrNoRequest
	}
	if i := s.log.Scheduled(id); i >= 0 {
		outcome.After = max(outcome.After-s.execution.Now().Sub(s.log.At(i).At()), 0)
	}
	return s.giveHere(&runlog.Input{Kind: runlog.InputOutcome, Request: id, Outcome: outcome, Origin: origin})
}

// Abandon gives up a call: its request then waits for an outcome by hand. It returns
// [engine.ErrNoRequest] where there is no such call.
func (c Calls) Abandon(id int64) error {
	s := c.s
	if !slices.Contains(c.Open(), id) {
		return engine.ErrNoRequest
	}
	s.called = slices.DeleteFunc(s.called, func(called int64) bool { return called == id })
	return nil
}

// Again begins another call for a request whose call was abandoned: the request waits for its outcome again, and the
// next Advance continues from there. begin begins the call, as [outcome.Later] does. The errors are
// [engine.ErrNoRequest], where the request does not wait or a call for it is under way, and [ErrReadOnly].
func (c Calls) Again(id int64, begin func(now time.Time, bound time.Duration)) error {
	s := c.s
	if s.ReadOnly() {
		return ErrReadOnly
	}
	if !s.open(id) || slices.Contains(c.Open(), id) {
		return engine.ErrNoRequest
	}
	s.called = append(s.called, id)
	begin(s.execution.Now(), bound(s.execution, s.execution.UnansweredAfter(id-1)))
	return nil
}

// Fault says that the outcome of a call will not come, and why: the session stops with [StoppedBySource], as if its source
// had given the error. Then the request waits for an outcome by hand. It returns [engine.ErrNoRequest] where there is no such
// call.
func (c Calls) Fault(id int64, err error) error {
	s := c.s
	if failed := c.Abandon(id); failed != nil {
		return failed
	}
	s.stop = Stop{Reason: StoppedBySource, Err: err}
	return nil
}

// bound returns how long the outcome of a request matters to an execution, 0 for no bound.
func bound(e *engine.Execution, request *engine.TaskRequest) time.Duration {
	for _, timer := range e.Timers() { // the earliest first
		switch timer.Kind {
		case engine.TimerTaskTimeout, engine.TimerHeartbeatTimeout:
			if timer.Visit != request.Visit {
				continue
			}
		case engine.TimerChildTimeout:
			if !timer.Visit.Holds(request.Visit) {
				continue
			}
		case engine.TimerExecutionTimeout:
		default:
			continue
		}
		return timer.At.Sub(e.Now())
	}
	return 0
}

// open reports whether a request has no outcome yet.
func (r *run) open(id int64) bool {
	request := r.execution.UnansweredAfter(id - 1)
	return request != nil && request.ID == id
}
