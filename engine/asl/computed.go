package asl

import (
	"time"

	"asldb/engine/value"
)

// A definition can come from elsewhere than the language: then some of its fields are computed by its reader,
// and not by a path or an expression. Those fields have a Predicate or a Calculation. Neither may keep anything
// between two calls: a run goes back, and is done again.

// Origin is the text of another format from which a definition was made, so that it can be made again from its
// Source.
type Origin struct {
	// Format names the kind of text that the Source is.
	Format string
	// Arguments are the strings that were given besides.
	Arguments *value.Object
}

// FromHistory is the Format of definitions that were made of the events of a recorded execution: they have the states that were
// seen and the ways between them. Nothing of them can be executed.
const FromHistory = "history"

// Moment is the part of a run that a Predicate or a Calculation reads.
type Moment struct {
	// Data is the effective input of the state.
	Data value.Value
	// Now is the virtual time, Start the time at which the execution started.
	Now, Start time.Time
	// Visit counts the visits of the state by its thread, from 1.
	Visit int
	// Draw returns a number from 0 to before n from the source of the execution's random choices. Nil where only an
	// explanation is asked for.
	Draw func(n int64) int64
}

// Finding is one line of an explanation: a subject, and the value that was found.
type Finding struct{ What, Found string }

// Predicate is the condition of a Choice rule that is not written in the language.
type Predicate interface {
	// Holds decides.
	Holds(m *Moment) bool
	// String says the condition in short, for a label.
	String() string
	// Explain says why the condition holds at a moment, or does not.
	Explain(m *Moment) []Finding
}

// Calculation gives the value of a field that is not written in the language: a Number of seconds, or a String.
type Calculation interface {
	Value(m *Moment) value.Value
	// String says in short where the value comes from.
	String() string
	// Explain says how the value came about that was given at a moment.
	Explain(m *Moment, given value.Value) []Finding
}
