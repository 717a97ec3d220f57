package debug

import (
	"asldb/engine"
	"asldb/engine/breakpoint"
)

// goal is the end for which the command being carried out waits.
type goal struct {
	command Command
	// visit is where the command was given: StepOver and StepOut go by it.
	visit *engine.Visit
	// began is the number of events that were known when it was given.
	began int
	// asked is, of RunUntil, the newest request that was open when the command was given.
	asked int64
}

// exhausted reports whether the command has brought as many events as it may, of which length are known now. Events
// that were known before and are only walked over are not counted.
func (g *goal) exhausted(length int) bool {
	return g.command.Events > 0 && length-g.began >= g.command.Events
}

// reached reports whether the event is the one that the command waited for.
func (g *goal) reached(event *engine.Event) Reason {
	switch g.command.Kind {
	case StepStage:
		return StoppedByStep
	case StepState:
		if event.Type == engine.StateEntered {
			return StoppedByStep
		}
	case StepOver:
		if event.Type == engine.StateEntered && g.leaves(event.Visit) {
			return StoppedByStep
		}
	case StepOut:
		if event.Visit != nil && g.visit != nil && g.visit.Parent != nil && event.Visit == g.visit.Parent && isContainer(event.Type.Traits().Closes) {
			return StoppedByStep
		}
	case StepThread:
		if event.Thread == g.command.Thread {
			return StoppedByStep
		}
	case RunTo:
		if event.Type == engine.StateEntered && breakpoint.Matches(g.command.Target, event.Visit) {
			return StoppedAtTarget
		}
	case Continue, RunUntil:
	}
	return StillRunning
}

// leaves reports whether the entry of another state means that the one the command was given in is
// behind: it is in the same thread, or in one that holds it.
func (g *goal) leaves(entered *engine.Visit) bool {
	if g.visit == nil {
		return true
	}
	for v := g.visit; v != nil; v = v.Parent {
		if v.Thread == entered.Thread && v.Parent == entered.Parent {
			return true
		}
	}
	return false
}

// isContainer reports whether events of the type begin the branches or iterations of a state.
func isContainer(t engine.EventType) bool {
	return t == engine.ParallelStarted || t == engine.MapStarted
}
