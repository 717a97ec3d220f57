package debug

import (
	"asldb/engine"
	"asldb/engine/runlog"
)

// give gives the run an input. At an earlier position that begins a new fork. Of a read-only session it returns
// [ErrReadOnly].
func (s *Session) give(a *runlog.Input) error {
	if s.ReadOnly() {
		return ErrReadOnly
	}
	if s.atEnd() {
		if s.growth.Driven() {
			return s.giveThere(a)
		}
		return s.giveHere(a)
	}
	if err := s.run.reach(s.position); err != nil {
		return err
	}
	return s.forks.give(a, moment{events: s.position, inputs: s.rewound.next, steps: s.rewound.steps})
}

// giveHere applies an input at the end of the run, records it, and passes it to the sink.
func (s *Session) giveHere(a *runlog.Input) error {
	a.Step, a.After = s.steps, int64(s.log.Len())
	effect := a.Effect(s.execution)
	events, err := a.Apply(s.execution)
	if err != nil {
		return err
	}
	effect.Immediate, effect.Now = a.Automatic() && s.steps == s.came, s.execution.Now()
	s.log.Effect(effect)
	if a.Kind == runlog.InputTime {
		a.Time = s.execution.Now() // a timer may have stopped the clock earlier
	}
	sink := s.feed.to(s.run)
	s.inputs.Add(a)
	if sink != nil {
		sink.Received(*a)
	}
	if len(events) > 0 {
		s.happened(events)
	}
	s.points.CountAll()
	return nil
}

// happened takes in the events, at least one, that a step or an answer brought.
func (s *Session) happened(events []engine.Event) {
	sink := s.feed.to(s.run)
	s.take(events, s.steps)
	if sink != nil {
		sink.Happened(events)
	}
}

// Inputs returns the inputs of the current fork, in order.
func (s *Session) Inputs() *runlog.Inputs { return &s.inputs }
