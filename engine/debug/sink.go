package debug

import (
	"errors"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Sink receives the inputs and events of a session as they come. A recorder is one.
type Sink interface {
	// Received is called with an input after it was applied, and before the events that it brought.
	Received(runlog.Input)
	// Happened is called with new events, in their order. The slice is valid during the call.
	Happened([]engine.Event)
	// Rewound reports that the next inputs and events continue after event number to: the events up to it, and the
	// inputs given before it happened (those whose After is less), belong to the run; later ones belong to another fork
	// of it. Inputs that the two forks share beyond that are given again.
	Rewound(to int64)
	// Sync is called whenever the session comes to a stop. It returns when all that the sink has received is stored.
	Sync()
}

// feed brings the inputs and events of the forks to a sink.
type feed struct{ at *run } // the fork that the sink is at

// to brings the sink to the fork that the session continues in.
func (f *feed) to(r *run) Sink {
	sink, before := r.options.Sink, f.at
	if sink == nil || before == r {
		return sink
	}
	f.at = r
	if before == nil || before.empty() {
		r.copyTo(sink, 0)
		return sink
	}
	n := shared(before, r)
	sink.Rewound(int64(n))
	r.copyTo(sink, n)
	return sink
}

// empty reports whether nothing has happened in the run.
func (r *run) empty() bool { return r.log.Len() == 0 && r.inputs.Len() == 0 }

// copyTo gives the sink all of the run that comes after its first n events.
func (r *run) copyTo(sink Sink, n int) {
	give := func(to int) {
		for ; n < to; n = r.log.PositionAt(n + 1) {
			events := make([]engine.Event, 0, 1)
			for i := n; i < r.log.PositionAt(n+1); i++ {
				events = append(events, *r.log.At(i))
			}
			sink.Happened(events)
		}
	}
	for i := range r.inputs.Len() {
		if a := r.inputs.At(i); a.After >= int64(n) {
			give(int(a.After))
			sink.Received(*a)
		}
	}
	give(r.log.Len())
}

// ErrForgotten says that a session has let go of older events: see [Options.Forget].
var ErrForgotten = errors.New("the run kept only the newest of its events")

// CopyTo gives a sink the inputs and events of the session: of every fork that is still there and began like the current one,
// and of that one last. It changes nothing, so that it may be called after a fault of the session. The error is
// [ErrForgotten]; the sink gets nothing then.
func (s *Session) CopyTo(sink Sink) error {
	if !s.log.Whole() || !s.inputs.Whole() {
		return ErrForgotten
	}
	var before *run
	give := func(r *run) {
		if r.empty() {
			return
		}
		n := 0
		if before != nil {
			n = shared(before, r)
			sink.Rewound(int64(n))
		}
		r.copyTo(sink, n)
		before = r
	}
	for _, r := range s.forks.runs {
		if r != s.run && r.machine == s.run.machine && value.Equal(r.options.Input, s.run.options.Input) {
			give(r)
		}
	}
	give(s.run)
	return nil
}
