package debug

import (
	"asldb/engine"
	"asldb/engine/runlog"
)

// Remote is the process that executes the run of a followed recording: what is done at its newest event is done there.
type Remote interface {
	// Forward carries out a command at the newest event, with the breakpoints of the session; nil waits for the end of
	// the one before. It may return before the command has come to its end.
	Forward(s *Session, command *Command) (Progress, error)
	// Give gives the run an input.
	Give(in *runlog.Input) (Progress, error)
}

// Progress is how far a recording is there that another process executes: its events and inputs, and whether that
// process is executing it at present.
type Progress struct {
	Events, Inputs int
	Running        bool
}

// Drive lets the process that records a followed run carry out commands and inputs at its newest event. An input at an
// earlier event begins a fork, which is of this session alone.
func (g *Growth) Drive(remote Remote) {
	g.remote = remote
	g.session.readOnly = false
}

// Driven reports whether commands and inputs at the newest event are carried out by another process.
func (g *Growth) Driven() bool { return g != nil && g.remote != nil }

// come takes the events that there are now.
func (g *Growth) come(p Progress) {
	g.Lengthen(p.Events, p.Inputs)
	for g.run.growth != nil && g.Grow(stepsOnDemand) > 0 { // they are few
	}
}

// giveThere gives an input to the process that executes the run.
func (s *Session) giveThere(a *runlog.Input) error {
	g, known := s.growth, s.log.Len()
	progress, err := g.remote.Give(a)
	if err != nil {
		return err
	}
	if g.come(progress); a.Brings() { // the others are walked over by a command
		s.goTo(s.log.PositionAt(known + 1))
	}
	return nil
}

// there lets the process that executes the run continue, and takes the resulting events.
func (p *stepper) there() Stop {
	s, g := p.s, p.s.growth
	var command *Command
	if !p.goal.sent {
		p.goal.sent = true
		sent := p.goal.command
		sent.From, command = p.goal.visit, &sent
	}
	known := s.log.Len()
	progress, err := g.remote.Forward(s, command)
	if err != nil {
		return Stop{Reason: StoppedBySource, Err: err}
	}
	g.come(progress)
	p.cost = p.budget // it took its time: the face looks at its keys
	switch {
	case s.log.Len() > known, progress.Running:
		return Stop{Reason: StillRunning}
	case s.Status() == engine.AwaitingAnswer:
		return s.asker.waits()
	}
	return Stop{Reason: StoppedByStep}
}
