package debug

import (
	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/runlog"
)

// goal is the end for which the command being carried out waits.
type goal struct {
	command Command
	// visit is where the command was given: StepOver and StepOut go by it.
	visit *engine.Visit
	// began is the number of events that were known when it was given.
	began int
	// sent: the process that executes the run has been given the command.
	sent bool
	// asked is, of RunUntil, the newest request that was open when the command was given.
	asked int64
}

// exhausted reports whether the command has brought as many events as it may, of which length are known now. Events
// that were known before and are only walked over are not counted.
func (g *goal) exhausted(length int) bool {
	return g.command.Events > 0 && length-g.began >= g.command.Events
}

// reached reports whether event i of the log is the one that the command waited for.
func (g *goal) reached(log *runlog.Log, i int) Reason {
	if g.command.Kind == StepStage {
		return StoppedByStep
	}
	head := log.Head(i)
	switch g.command.Kind {
	case StepState:
		if head.Type == engine.StateEntered {
			return StoppedByStep
		}
	case StepOver:
		if head.Type == engine.StateEntered && g.leaves(log.At(i).Visit) {
			return StoppedByStep
		}
	case StepOut:
		if g.ofContainer(&head) && isContainer(head.Type.Traits().Closes) {
			return StoppedByStep
		}
	case StepThread:
		if head.Thread == g.command.Thread {
			return StoppedByStep
		}
	case RunTo:
		if head.Type == engine.StateEntered && breakpoint.Matches(g.command.Target, log.At(i).Visit) {
			return StoppedAtTarget
		}
	case StepStage, Continue, RunUntil:
	}
	return StillRunning
}

// ofContainer reports whether an event is one of the Parallel or Map state in which the command was given.
func (g *goal) ofContainer(head *runlog.Head) bool {
	return head.Entered > 0 && g.visit != nil && g.visit.Parent != nil && head.Entered == g.visit.Parent.Entered
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
