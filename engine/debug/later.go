package debug

import (
	"slices"
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
)

// boundOf returns how long the outcome of a request matters, 0 for no bound.
func (s *Session) boundOf(request *engine.TaskRequest) time.Duration {
	for _, timer := range s.execution.Timers() { // the earliest first
		switch timer.Kind {
		case engine.TimerTaskTimeout, engine.TimerHeartbeatTimeout:
			if timer.Visit != request.Visit {
				continue
			}
		case engine.TimerExecutionTimeout:
		default:
			continue
		}
		return timer.At.Sub(s.execution.Now())
	}
	return 0
}

// open reports whether nobody has answered a request, and it is still asked.
func (r *run) open(id int64) bool {
	request := r.execution.UnansweredAfter(id - 1)
	return request != nil && request.ID == id
}

// Calls returns the numbers of the requests that the source has begun a call for and that still wait for its outcome.
func (s *Session) Calls() []int64 {
	s.called = slices.DeleteFunc(s.called, func(id int64) bool { return !s.open(id) })
	return slices.Clone(s.called)
}

// Arrived gives the outcome of a request that the source has begun a call for. Its After is the time since the call
// began, which is when the task was scheduled: what of it has passed on the virtual clock already is not counted twice. origin says
// who answered. The outcome belongs to the end of the run, also when the person looks at an earlier place
// meanwhile. The errors are [engine.ErrNoRequest], where nobody waits for it any longer, and those of Answer.
func (s *Session) Arrived(id int64, outcome engine.Outcome, origin string) error {
	if s.readOnly {
		return ErrReadOnly
	}
	if !slices.Contains(s.Calls(), id) {
		return engine.ErrNoRequest
	}
	if i := s.log.Scheduled(id); i >= 0 {
		outcome.After = max(outcome.After-s.execution.Now().Sub(s.log.At(i).At()), 0)
	}
	return s.giveHere(&runlog.Input{Kind: runlog.InputOutcome, Request: id, Outcome: outcome, Origin: origin})
}

// Abandon says that the outcome of a call will not come: the request then waits for the person. It returns
// [engine.ErrNoRequest] where there is no such call.
func (s *Session) Abandon(id int64) error {
	if !slices.Contains(s.Calls(), id) {
		return engine.ErrNoRequest
	}
	s.called = slices.DeleteFunc(s.called, func(called int64) bool { return called == id })
	return nil
}

// CallAgain begins another call for a request whose call was abandoned: the request waits for its outcome again, and the
// next Advance goes on from there. begin begins the call, as [outcome.Later] does. The errors are
// [engine.ErrNoRequest], where nobody waits for the request or a call for it is under way, and [ErrReadOnly].
func (s *Session) CallAgain(id int64, begin func(now time.Time, bound time.Duration)) error {
	if s.readOnly {
		return ErrReadOnly
	}
	if !s.open(id) || slices.Contains(s.Calls(), id) {
		return engine.ErrNoRequest
	}
	s.called = append(s.called, id)
	begin(s.execution.Now(), s.boundOf(s.execution.UnansweredAfter(id-1)))
	return nil
}

// Fault says that the outcome of a call will not come, and why: the session stops with [StoppedBySource], as if its source
// had said so. Then the request waits for the person. It returns [engine.ErrNoRequest] where there is no such
// call.
func (s *Session) Fault(id int64, err error) error {
	if failed := s.Abandon(id); failed != nil {
		return failed
	}
	s.stop = Stop{Reason: StoppedBySource, Err: err}
	return nil
}
