package waiter

import (
	"slices"

	"asldb/engine/smithy"
	"asldb/engine/source"
	"asldb/engine/value"
)

// The delays in seconds of a waiter that sets none (section "Waiter delays").
const (
	DefaultMinDelay = 2
	DefaultMaxDelay = 120
)

// Model is a Smithy model with the waiters that are in it.
type Model struct {
	// Waiters are in the order of the files and of their texts.
	Waiters []*Waiter
	// Suppressed is how many problems the model suppresses.
	Suppressed int

	shapes *smithy.Model
	// rulings are what the metadata of the model says of problems.
	rulings []ruling
	// services are the services that an operation belongs to.
	services map[string][]*smithy.Shape
}

// Waiter is one entry of a smithy.waiters#waitable trait.
type Waiter struct {
	Name string
	// File has the waiter's text.
	File *source.File
	// Operation is the absolute shape id of the operation that is polled, "com.amazonaws.lambda#GetFunction".
	Operation string
	Acceptors []*Acceptor
	// MinDelay and MaxDelay are whole seconds.
	MinDelay, MaxDelay int64
	Deprecated         bool
	Documentation      string
	Tags               []string

	model *Model
	trait source.Span // of the name of the trait that it is in
	key   source.Span // of its own name
	node  *source.Node
}

// State is the state of a waiter after a matching acceptor.
type State uint8

// The states of an acceptor (section "Acceptor"). An acceptor without one, which the reader has reported, has the zero value.
const (
	Success State = iota + 1
	Failure
	Retry
)

var stateNames = []string{"success", "failure", "retry"}

// String returns the name that the model has, "success" for example.
func (s State) String() string { return nameOf(s, stateNames) }

// nameOf returns the name of a constant, "" of the zero value.
func nameOf[E ~uint8](e E, names []string) string {
	if e == 0 || int(e) > len(names) {
		return ""
	}
	return names[e-1]
}

// named returns the constant of a name, 0 where there is none.
func named[E ~uint8](name string, names []string) E { return E(slices.Index(names, name) + 1) }

// Acceptor gives a response its meaning.
type Acceptor struct {
	State   State
	Matcher Matcher
	// Message is a JMESPath expression over {input, output} or the error that gives the words of a failure; it may
	// be empty.
	Message string

	messagePath   *expression
	node, message *source.Node
}

// MatcherKind tells the members of the Matcher union apart.
type MatcherKind uint8

// The members of the Matcher union (section "Matcher union").
const (
	MatchOutput MatcherKind = iota + 1
	MatchInputOutput
	MatchSuccess
	MatchErrorType
)

var matcherNames = []string{"output", "inputOutput", "success", "errorType"}

// String returns the name of the member, "output" for example.
func (k MatcherKind) String() string { return nameOf(k, matcherNames) }

// Comparator says how the value that a path selects is compared (section "PathComparator enum").
type Comparator uint8

// The comparators.
const (
	StringEquals Comparator = iota + 1
	BooleanEquals
	AllStringEquals
	AnyStringEquals
)

var comparatorNames = []string{"stringEquals", "booleanEquals", "allStringEquals", "anyStringEquals"}

// String returns the name that the model has, "stringEquals" for example.
func (c Comparator) String() string { return nameOf(c, comparatorNames) }

// Matcher is a condition over a response.
type Matcher struct {
	Kind MatcherKind
	// Path, Comparator and Expected are those of output and inputOutput. Expected is "true" or "false" for
	// booleanEquals.
	Path       string
	Comparator Comparator
	Expected   string
	// Success is that of success.
	Success bool
	// ErrorType is that of errorType, as the model has it: "ns#Name" or "Name".
	ErrorType string

	path     *expression
	pathNode *source.Node
	node     *source.Node // the whole union
}

// String returns the matcher in short: `Configuration.State = "Active"`, "error ResourceNotFound", "no error".
func (m *Matcher) String() string {
	switch m.Kind {
	case MatchSuccess:
		if m.Success {
			return "no error"
		}
		return "any error"
	case MatchErrorType:
		return "error " + errorName(m.ErrorType)
	case MatchOutput, MatchInputOutput:
	}
	expected := value.Compact(value.String(m.Expected))
	switch m.Comparator {
	case BooleanEquals:
		return m.Path + " = " + m.Expected
	case AllStringEquals:
		return "all of " + m.Path + " = " + expected
	case AnyStringEquals:
		return "any of " + m.Path + " = " + expected
	case StringEquals:
	}
	return m.Path + " = " + expected
}

// Lookup returns the first waiter of a name, or nil. In front of the name may stand that of its operation: "GetJob.JobDone".
func (m *Model) Lookup(name string) *Waiter {
	for _, w := range m.Waiters {
		if w.Name == name || w.OperationName()+"."+w.Name == name {
			return w
		}
	}
	return nil
}

// OperationName is the name of the polled operation without its namespace.
func (w *Waiter) OperationName() string { return errorName(w.Operation) }
