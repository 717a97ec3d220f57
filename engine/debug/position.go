package debug

import (
	"math"

	"asldb/engine"
	"asldb/engine/interrupt"
)

// Position returns the number of events that have happened from the person's point of view. It is that of all events
// unless the person went back. Everything that the session says of the run (its status, threads, timers,
// requests and time) is said of this place.
func (s *Session) Position() int { return s.position }

// AtEnd reports whether the position is the newest: commands execute from here on, and do not only walk over
// what is known.
func (s *Session) AtEnd() bool { return s.atEnd() }

// GoTo goes to where n events had happened, back or forth, within what is known already: nothing is executed that was
// not executed before, and nobody is asked. n is brought into the range of what there is, and to the end of
// the engine's step, whose events happen together.
func (s *Session) GoTo(n int) Stop {
	s.poll.Reset()
	s.goal = s.newGoal(Command{})
	s.goTo(s.log.PositionAt(n))
	s.stop = Stop{Reason: StoppedByStep}
	switch {
	case s.position == 0:
		s.stop.Reason = StoppedAtStart
	case s.atEnd() && s.Status().Done():
		s.stop.Reason = StoppedAtEnd
	}
	return s.stop
}

// goTo changes the position, and what is counted up to it.
func (s *Session) goTo(n int) {
	s.interrupted = false
	if n == s.position {
		return
	}
	s.position = n
	s.recount(n, n)
}

// at returns the execution as it was at the position. It must not be advanced.
func (s *Session) at() *engine.Execution {
	r := s.run
	if r.atEnd() || r.unplayed {
		return r.execution
	}
	switch err := r.reach(r.position); {
	case err == nil:
	case interrupt.Is(err):
		// The session stands where it has come to.
		s.position = s.log.PositionAt(int(r.past.execution.Seq()))
		s.recount(s.position, s.position)
		s.stop = Stop{Reason: StoppedByInterrupt, Err: err}
	default:
		// What was executed once is executed again with the same answers: this cannot be.
		s.stop = Stop{Reason: StoppedBySource, Err: err}
		return r.execution
	}
	return r.past.execution
}

// nearSnapshots is how many snapshots are kept of the way to an earlier position: a person who has gone back goes
// back further.
const nearSnapshots = 16

// reach brings past to where n events had happened.
func (r *run) reach(n int) error {
	to := moment{events: n, answers: math.MaxInt, steps: math.MaxInt64}
	base := r.snapshots.nearest(to)
	if near := r.near.nearest(to); near != nil && (base == nil || near.events > base.events) {
		base = near
	}
	if r.past == nil || r.past.execution.Seq() > int64(n) || (base != nil && int64(base.events) > r.past.execution.Seq()) {
		if base != nil {
			r.past = r.restore(base)
		} else {
			r.past = r.begin(moment{})
		}
		r.past.execution.SetQuiet(true)
	}
	x := r.past
	first := int(x.execution.Seq())
	distance := max((n-first)/nearSnapshots, nearSnapshots)
	r.near = r.near.upTo(to)
	last := first
	return x.toEvent(&r.answers, n, func() {
		seq := int(x.execution.Seq())
		if seq-last < distance || seq >= n || seq-last < 2*x.execution.Weight() {
			return
		}
		last = seq
		r.near.distance = distance
		r.near.add(x.execution, moment{events: seq, answers: x.next, steps: x.steps}, x.execution.Weight())
	})
}

// known returns the log's own visit for one that a re-execution made: what is the same place must be the
// same pointer.
func (s *Session) known(visit *engine.Visit) *engine.Visit {
	if visit == nil || visit.Entered < 1 || int(visit.Entered) > s.log.Len() {
		return visit
	}
	return s.log.At(int(visit.Entered) - 1).Visit
}

// Requests returns the requests that nobody has answered yet.
func (s *Session) Requests() []*engine.TaskRequest {
	if s.unplayed {
		return s.requestsOfLog()
	}
	requests := s.at().Requests()
	if s.atEnd() || len(requests) == 0 {
		return requests
	}
	places := make(map[int64]int, len(requests))
	for i, request := range requests {
		places[request.ID] = i
	}
	for i := s.position - 1; i >= 0 && len(places) > 0; i-- {
		if request, ok := s.log.At(i).Detail.(*engine.TaskRequest); ok {
			if place, wanted := places[request.ID]; wanted {
				requests[place] = request
				delete(places, request.ID)
			}
		}
	}
	return requests
}

// Timers returns the pending timers, the earliest first.
func (s *Session) Timers() []engine.Timer {
	if s.unplayed {
		return s.timersOfLog()
	}
	timers := s.at().Timers()
	if !s.atEnd() {
		for i := range timers {
			timers[i].Visit = s.known(timers[i].Visit)
		}
	}
	return timers
}

// Threads returns the live threads by id.
func (s *Session) Threads() []engine.ThreadInfo {
	if s.unplayed {
		return s.threadsOfLog()
	}
	threads := s.at().Threads()
	if !s.atEnd() {
		for i := range threads {
			threads[i].Visit = s.known(threads[i].Visit)
		}
	}
	return threads
}
