package debug

import (
	"fmt"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/runlog"
	"asldb/internal/wording"
)

// Back goes back as a command went forward, within the known events: nothing is executed that was not executed
// before, and no source is asked. Each kind of command is reversed:
//
//	StepStage  to the event before
//	StepState  to the entry of a state before, in whichever thread
//	StepOver   to the entry of a state before in the same thread, or in one that holds it: a Parallel, a Map or a
//	           chain of retries is one step
//	StepOut    to where the Parallel or Map began its branches or iterations; at the top to the start
//	Continue   to the last event before at which a breakpoint stops, or to the start
//	StepThread to the event before of Command.Thread
//	RunUntil   to the last event before that is not later than Command.Until
//	RunTo      to the last entry before of a state that Command.Target matches, or to the start
//
// The error comes from [Session.Begin].
func (s *Session) Back(command Command) (Stop, error) {
	s.poll.Reset()
	if err := command.check(s.machine); err != nil {
		return s.stop, err
	}
	s.stepper.begin(command)
	before := s.log.PositionBefore(s.position)
	stop, to := Stop{Reason: StoppedByStep}, 0
	switch command.Kind {
	case StepStage:
		to = before
	case Continue:
		if i, hit := s.points.StopBefore(before); hit != nil {
			stop, to = Stop{Reason: StoppedByBreakpoint, Breakpoint: hit}, s.log.PositionAt(i+1)
		}
	default:
		for i := before - 1; i >= 0; i-- {
			if s.stepper.goal.cameFrom(&s.log, i) {
				to = s.log.PositionAt(i + 1)
				break
			}
		}
		if command.Kind == RunTo {
			stop.Reason = StoppedAtTarget
		}
	}
	if interrupted, is := s.interruptedStop(); is {
		s.stop = interrupted // the conditions before are not known: it stays
		return s.stop, nil
	}
	if to == 0 {
		stop = Stop{Reason: StoppedAtStart}
		if command.Kind == RunTo {
			stop.Missed = command.Target
		}
	}
	s.goTo(to)
	s.stop = stop
	return stop, nil
}

// cameFrom reports whether event i of the log is one to which the command goes back.
func (g *goal) cameFrom(log *runlog.Log, i int) bool {
	head := log.Head(i)
	switch g.command.Kind {
	case StepState:
		return head.Type == engine.StateEntered
	case StepOver:
		return head.Type == engine.StateEntered && g.leaves(log.At(i).Visit)
	case StepOut:
		return g.ofContainer(&head) && isContainer(head.Type)
	case StepThread:
		return head.Thread == g.command.Thread
	case RunUntil:
		return head.Time <= g.command.Until.UnixNano()
	case RunTo:
		return head.Type == engine.StateEntered && breakpoint.Matches(g.command.Target, log.At(i).Visit)
	case StepStage, Continue:
	}
	return false
}

// CommandKind is a way to go forward.
type CommandKind uint8

// The ways to go forward.
const (
	// StepStage goes to the next event.
	StepStage CommandKind = iota + 1
	// StepState goes to the entry of the next state, in whichever thread.
	StepState
	// StepOver goes to the next state of the same thread: a Parallel, a Map or a chain of retries is one step.
	StepOver
	// StepOut leaves the branch or iteration: to the moment at which its Parallel or Map continues.
	// At the top it goes to the end.
	StepOut
	// Continue runs to a breakpoint, a question, or the end.
	Continue
	// RunTo goes to the entry of a state that Command.Target matches.
	RunTo
	// StepThread goes to the next event of Command.Thread. The other threads run only while it is blocked.
	StepThread
	// RunUntil lets time pass up to Command.Until, whatever the clock's mode is; several timers may fire on the way.
	RunUntil
)

// commandNames are the words of the ways to go forward.
var commandNames = [...]string{
	StepStage: "stage", StepState: "state", StepOver: "over", StepOut: "out", Continue: "continue", RunTo: "to",
	StepThread: "thread", RunUntil: "until",
}

// String returns the word of the way.
func (k CommandKind) String() string { return commandNames[k] }

// ParseCommand reads the word of a way to go forward.
func ParseCommand(word string) (CommandKind, error) {
	if kind, ok := wording.KindNamed[CommandKind](commandNames[:], word); ok {
		return kind, nil
	}
	return 0, fmt.Errorf("there is no step %q: it is one of %s", word, strings.Join(commandNames[StepStage:], ", "))
}

// Command is one order to go forward. Every command also stops at a breakpoint, at a question and at the end.
type Command struct {
	Kind   CommandKind
	Target string          // of RunTo: a state's name, path or pattern
	Thread engine.ThreadID // of StepThread
	Until  time.Time       // of RunUntil
	// From is, of StepOver and StepOut, the visit that the command is about; nil: the visit of the newest event.
	From *engine.Visit
	// Events bounds the events that the command may bring, so that an execution without end does not fill
	// the memory unseen; 0 for no bound. Those that are known already do not count.
	Events int
}

// check returns the error in the target of a command.
func (c *Command) check(machine *engine.Machine) error {
	if c.Kind != RunTo {
		return nil
	}
	return breakpoint.CheckTarget(c.Target, machine.Definition())
}

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

// exhausted reports whether the command has brought as many events as it may; length are known now. Events
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
