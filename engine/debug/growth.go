package debug

import (
	"errors"

	"asldb/engine"
	"asldb/engine/interrupt"
	"asldb/engine/runlog"
)

// ErrGrowing says that a recording is still being executed again.
var ErrGrowing = errors.New("the recording is still being read: it can be made live when all of it is there")

// Growth is a recording that is executed again a part at a time, behind a session that shows the part that there is.
// nil means a session that has all of its events.
type Growth struct {
	replaying
	session    *Session
	recording  Recording
	samples    sampler
	divergence *runlog.Divergence
	// followed is set where the recording may become longer.
	followed bool
	remote   Remote // that executes the recorded run; nil: it is only watched
}

// BeginReplay returns a session as [Replay] does of a recording without Events, which knows no event yet: [Growth.Grow]
// executes it, and so do commands that come to the end of what is known.
func BeginReplay(machine *engine.Machine, options Options, recording Recording) *Session {
	options.Interrupt = nil // the recording ran to its end, so nothing of it is left out
	r := newRun(machine, options)
	g := &Growth{recording: recording}
	inputs := recording.inputs()
	g.replaying = replaying{reexecution: &reexecution{execution: r.execution, log: &r.log}, run: r, inputs: &inputs}
	r.growth = g
	r.page()
	g.session = readOnly(r)
	return g.session
}

// GrowthOf returns the growth of a session, nil where all of its events are there.
func GrowthOf(s *Session) *Growth { return s.growth }

// Progress returns the number of events that are known, and of all that are recorded. goesOn is false where all are known.
func (g *Growth) Progress() (known, recorded int, goesOn bool) {
	if g == nil {
		return 0, 0, false
	}
	known = g.run.log.Len()
	return known, g.recording.Length, !g.followed || known < g.recording.Length
}

// Follow says that the recording may become longer: see [Growth.Lengthen].
func (g *Growth) Follow() { g.followed = true }

// Followed reports whether the recording may become longer: it is followed, and its execution has not come to its end.
func (g *Growth) Followed() bool { return g != nil && g.followed }

// Lengthen says that the recording has become longer: it has so many events and inputs now.
func (g *Growth) Lengthen(events, inputs int) {
	if g == nil || events < g.recording.Length {
		return
	}
	g.recording.Length = events
	g.inputs.Lengthen(inputs)
	g.samples.next = min(g.samples.next, g.run.log.Len())
}

// Divergence returns the difference at which the execution of the recording ended: it is not one of this machine, or it is damaged.
// nil: there was none so far.
func (g *Growth) Divergence() *runlog.Divergence {
	if g == nil {
		return nil
	}
	return g.divergence
}

// Grow executes the recording on, by at most so many steps of the engine, and returns the number of steps. The position of the session
// stays. At the end of the recording, and at a [Growth.Divergence], it does nothing.
func (g *Growth) Grow(steps int) (done int) {
	if g == nil || g.divergence != nil {
		return 0
	}
	r := g.run
	position, known := r.position, r.log.Len()
	goesOn := true
	for goesOn && g.divergence == nil && done < steps && r.log.Len() < g.recording.Length {
		var differs *runlog.Divergence
		goesOn, differs = g.step()
		done++
		if differs != nil && interrupt.Is(differs.Err) && r.options.Interrupt != nil && r.options.Interrupt() != nil {
			goesOn = true // the step has not happened, and is done again later
			break
		}
		g.divergence = differs
	}
	if r.log.Len() >= g.recording.Length || g.followed {
		g.giveLast(g.inputs, r.log.Len())
	}
	r.moments.At(&r.log, r.log.Len()) // its checkpoints come with the events, so that no position is far from one
	r.inputs, r.steps, r.position = g.inputs.Prefix(g.next), g.steps, position
	g.session.stepper.goal.began += r.log.Len() - known
	g.examine(goesOn)
	if over := r.log.Len() >= g.recording.Length && g.divergence == nil; over && (!g.followed || r.execution.Status().Done()) {
		r.growth = nil
	}
	return done
}

// examine compares the events that came with the recording.
func (g *Growth) examine(goesOn bool) {
	log := &g.run.log
	switch {
	case g.divergence != nil:
	case g.inputs.Fault() != nil:
		g.divergence = g.differs(g.inputs.Fault())
	case g.recording.Event == nil:
	default:
		g.divergence = g.samples.upTo(log, &g.recording)
		if g.divergence == nil && !goesOn && log.Len() < g.recording.Length && !g.followed {
			g.divergence = &runlog.Divergence{Index: log.Len(), Expected: g.recording.Event(log.Len())}
		}
	}
}
