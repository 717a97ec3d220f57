// Package launch composes sessions: it is the one way from a definition, its fixtures and a recorded history to a run.
//
// A face (a command, the screen, a test runner, an editor adapter) reads what its user named, fills a [Spec] and calls
// [New]. It gets a [Run]: the session, which stands at its start, with all that belongs to it, and shows it in its own way.
// At the end it calls [Run.Close]. New calls nothing outside and prints nothing: what the user should know is in the Run, and
// errors name the part of the Spec that is wrong (see [PartError]).
package launch

import (
	"fmt"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/recorder"
	"asldb/recorder/rerun"
)

// Spec describes a run. What is left out is taken from History, then from Fixtures, then has the default that the field
// names.
type Spec struct {
	// Definition is the state machine; nil shows History as it was recorded.
	Definition *asl.StateMachine
	// Name is the name of the definition's file, for messages.
	Name string
	// Dialect is the dialect in which the definition runs.
	Dialect engine.Dialect
	// Limits are the quotas of the service that the run keeps to; the zero Limits are none.
	Limits engine.Limits

	// Input is the execution's input; the default is {}. Wrap makes the execution's input of it; nil leaves it as it is.
	Input value.Value
	Wrap  func(value.Value) value.Value
	// Start is the virtual time at which the execution starts; the default is the time that Now returns.
	Start time.Time
	Now   func() time.Time
	// Seed is what the random choices are drawn from; the default is 1.
	Seed *int64
	// Clock is the mode of the virtual clock.
	Clock debug.Clock

	// Fixtures has the results of tasks; nil: none.
	Fixtures *fixtures.File
	// Missing is the source behind all others.
	Missing fixtures.Missing
	// History is a recorded execution that runs again; nil: none. Unchecked leaves out the comparison with it (see
	// [Run.Recorded]).
	History   *rerun.Recording
	Unchecked bool
	// Permit says what the fixtures may call outside. It may ask the user. nil: they call nothing, and no task starts an
	// execution of another definition.
	Permit func(*fixtures.Source) (fixtures.Permission, error)
	// ReadDefinition reads the definition of an execution that a task starts; nil: see [fixtures.Program].
	ReadDefinition func(file string) (*asl.StateMachine, error)

	// Trace is where the run is recorded; nil: nowhere.
	Trace *Trace
	// Breakpoints are set before the run begins.
	Breakpoints []string
	// Interrupt can interrupt evaluations; it may be nil.
	Interrupt interrupt.Check
	// Forget keeps only the newest part of the log, for a run that goes straight to its end: see [debug.Options].
	Forget bool
}

// Trace says where a run is recorded.
type Trace struct {
	File    string
	Options recorder.TraceOptions
	Program string // the version of asldb, for the header
}

// Part is a part of a Spec.
type Part uint8

// The parts that a [PartError] names.
const (
	PartInput Part = iota + 1
	PartBreakpoint
	PartTrace
)

// String returns the name of the part.
func (p Part) String() string {
	switch p {
	case PartInput:
		return "the input"
	case PartBreakpoint:
		return "the breakpoint"
	case PartTrace:
		return "the trace"
	}
	return fmt.Sprintf("Part(%d)", uint8(p))
}

// PartError says that a part of a Spec is wrong.
type PartError struct {
	Part Part
	Err  error
}

// Error implements error.
func (e *PartError) Error() string { return e.Part.String() + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *PartError) Unwrap() error { return e.Err }

// SizeError says that an input is larger than the service takes.
type SizeError struct{ Size, Limit int } // in bytes

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the input has %d bytes, and Step Functions takes at most %d", e.Size, e.Limit)
}
