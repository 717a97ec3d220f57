package debug

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
)

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
	// StepOut leaves the branch or iteration: to the moment at which its Parallel or Map goes on.
	// At the top it goes to the end.
	StepOut
	// Continue goes on to a breakpoint, a question, or the end.
	Continue
	// RunTo goes to the entry of a state that Command.Target matches.
	RunTo
	// StepThread goes to the next event of Command.Thread. The other threads run only while it is blocked.
	StepThread
	// RunUntil lets time pass up to Command.Until, whatever the clock's mode is; several timers may fire on the way.
	RunUntil
)

// commandNames are the words of the ways to go forward, from StepStage on.
var commandNames = []string{"stage", "state", "over", "out", "continue", "to", "thread", "until"}

// String returns the word of the way.
func (k CommandKind) String() string { return commandNames[k-StepStage] }

// ParseCommand reads the word of a way to go forward.
func ParseCommand(word string) (CommandKind, error) {
	if i := slices.Index(commandNames, word); i >= 0 {
		return StepStage + CommandKind(i), nil
	}
	return 0, fmt.Errorf("there is no step %q: it is one of %s", word, strings.Join(commandNames, ", "))
}

// Command is one order to go forward. Every command also stops at a breakpoint, at a question and at the end.
type Command struct {
	Kind   CommandKind
	Target string          // of RunTo: a state's name, path or pattern
	Thread engine.ThreadID // of StepThread
	Until  time.Time       // of RunUntil
	// From is, of StepOver and StepOut, the visit that the command is about; nil: that of the newest event.
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
