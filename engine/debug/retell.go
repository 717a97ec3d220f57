package debug

import (
	"errors"

	"asldb/engine/value"
)

// ErrForgotten says that a session has let go of older events: see [Options.Forget].
var ErrForgotten = errors.New("the run kept only the newest of its events")

// Retell tells a sink all that has happened in the session: every fork of the run that is kept and began like the current
// one, and that one last. It changes nothing, so that it may be called when the session is not to be trusted any more. The
// error is [ErrForgotten]; the sink is told nothing then.
func (s *Session) Retell(sink Sink) error {
	if !s.log.Whole() || !s.inputs.Whole() {
		return ErrForgotten
	}
	var told *run
	tell := func(r *run) {
		if r.log.Len() == 0 && r.inputs.Len() == 0 {
			return
		}
		n := 0
		if told != nil {
			n = shared(told, r)
			sink.Rewound(int64(n))
		}
		r.retell(sink, n)
		told = r
	}
	for _, r := range s.runs {
		if r != s.run && r.machine == s.run.machine && value.Equal(r.options.Input, s.run.options.Input) {
			tell(r)
		}
	}
	tell(s.run)
	return nil
}
