package debug

import (
	"math"

	"asldb/engine"
	"asldb/engine/interrupt"
)

// Position returns the number of events after which the run is shown: the number of all events, unless the session went
// back. Everything that the session says of the run (its status, threads, timers, requests and time) is said of this
// place.
func (s *Session) Position() int { return s.position }

// AtEnd reports whether the position is the newest: commands execute from here on, and do not only walk over
// known events.
func (s *Session) AtEnd() bool { return s.atEnd() }

// GoTo goes to where n events had happened, back or forth, within the known events: nothing is executed that was
// not executed before, and no source is asked. n is brought into the range of the events, and to the end of
// the engine's step, whose events happen together.
func (s *Session) GoTo(n int) Stop {
	s.poll.Reset()
	s.stepper.begin(Command{})
	s.goTo(s.log.PositionAt(n))
	s.stopHere()
	return s.stop
}

// stopHere has the session stop where it is.
func (s *Session) stopHere() {
	s.stop = Stop{Reason: StoppedByStep}
	switch {
	case s.position == 0:
		s.stop.Reason = StoppedAtStart
	case s.atEnd() && s.Status().Done():
		s.stop.Reason = StoppedAtEnd
	}
}

// goTo changes the position, and the counts up to it.
func (s *Session) goTo(n int) {
	s.stepper.interrupted = false
	if n == s.position {
		return
	}
	s.position = n
	s.recount(n, n)
}

// at returns the execution as it was at the position. It must not be advanced.
func (s *Session) at() *engine.Execution {
	r := s.run
	if r.atEnd() || r.logOnly {
		return r.execution
	}
	switch err := r.reach(r.position); {
	case err == nil:
	case interrupt.Is(err):
		// The session is where it has come to.
		s.position = s.log.PositionAt(int(r.rewound.execution.Seq()))
		s.recount(s.position, s.position)
		s.stop = Stop{Reason: StoppedByInterrupt, Err: err}
	default:
		// The same inputs lead to the same events: this cannot be.
		s.stop = Stop{Reason: StoppedBySource, Err: err}
		return r.execution
	}
	return r.rewound.execution
}

// nearbyCheckpoints is how many snapshots are held of the way to an earlier position: a step back is often followed by
// others.
const nearbyCheckpoints = 16

// reach brings the rewound execution to where n events had happened.
func (r *run) reach(n int) error {
	to := moment{events: n, inputs: math.MaxInt, steps: math.MaxInt64}
	if r.nearby == nil {
		r.nearby = &checkpoints{}
	}
	base := r.checkpoints.nearest(to)
	if near := r.nearby.nearest(to); near != nil && (base == nil || near.events > base.events) {
		base = near
	}
	if r.rewound == nil || r.rewound.execution.Seq() > int64(n) || (base != nil && int64(base.events) > r.rewound.execution.Seq()) {
		if base != nil {
			r.rewound = r.restore(base)
		} else {
			r.rewound = r.begin(moment{})
		}
		r.rewound.execution.SetQuiet(true)
	}
	x := r.rewound
	first := int(x.execution.Seq())
	distance := max((n-first)/nearbyCheckpoints, nearbyCheckpoints)
	*r.nearby = r.nearby.upTo(to)
	last := first
	return x.toEvent(&r.inputs, n, func() {
		seq := int(x.execution.Seq())
		if seq-last < distance || seq >= n || seq-last < 2*x.execution.Weight() {
			return
		}
		last = seq
		r.nearby.distance = distance
		r.nearby.add(x.execution, moment{events: seq, inputs: x.next, steps: x.steps}, x.execution.Weight())
	})
}

// Requests returns the requests that have no answer yet.
func (s *Session) Requests() []*engine.TaskRequest { return s.moment().Requests() }

// Timers returns the pending timers, the earliest first.
func (s *Session) Timers() []engine.Timer { return s.moment().Timers() }

// Threads returns the live threads by id.
func (s *Session) Threads() []engine.ThreadInfo { return s.moment().Threads() }

// Focused returns the thread that runs next unless it is blocked.
func (s *Session) Focused() engine.ThreadID { return s.at().Focused() }

// ObjectRequests returns the requests for objects that have no answer yet.
func (s *Session) ObjectRequests() []*engine.ObjectRequest {
	if s.logOnly {
		return nil
	}
	return s.at().ObjectRequests()
}
