package waiter

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"asldb/engine/asl"
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
	key   source.Span // of the name
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
	// Path, Comparator and Expected belong to output and inputOutput. Expected is "true" or "false" for
	// booleanEquals.
	Path       string
	Comparator Comparator
	Expected   string
	// Success belongs to success.
	Success bool
	// ErrorType belongs to errorType, as the model has it: "ns#Name" or "Name".
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

// Lookup returns the first waiter of a name, or nil. In front of the name there may be its operation's:
// "GetJob.JobDone".
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

// Format is the format in the [asl.Origin] of a waiter's definition; its arguments are the waiter's name, its
// operation, the time that it may wait, and the other files of the model, where its operation refers to shapes in them.
const Format = "smithy-waiter"

const (
	nameArgument      = "waiter"
	operationArgument = "operation"
	maxWaitArgument   = "maxWait"
	filesArgument     = "files"
)

// origin is the source from which a definition can be made again.
func (m *Model) origin(w *Waiter, maxWait time.Duration) *asl.Origin {
	arguments := []value.Member{
		{Key: nameArgument, Value: value.String(w.Name)},
		{Key: operationArgument, Value: value.String(w.Operation)},
		{Key: maxWaitArgument, Value: value.String(maxWait.String())},
	}
	var others []value.Member
	for _, f := range m.shapes.Needs(w.Operation) {
		if f != w.File {
			others = append(others, value.Member{Key: f.Name, Value: value.String(f.Data)})
		}
	}
	if len(others) > 0 {
		arguments = append(arguments, value.Member{Key: filesArgument, Value: value.ObjectOf(others...)})
	}
	return &asl.Origin{Format: Format, Arguments: value.ObjectOf(arguments...)}
}

// Again makes the definition of a waiter again from its origin and the text of its model; nil where that cannot be
// done.
func Again(text *source.File, origin *asl.Origin) *asl.StateMachine {
	if origin.Arguments == nil {
		return nil
	}
	argument := func(name string) string {
		text, _ := origin.Arguments.Get(name).(value.String)
		return string(text)
	}
	files := []*source.File{text}
	if others, ok := origin.Arguments.Get(filesArgument).(*value.Object); ok {
		for name, content := range others.All() {
			data, _ := content.(value.String)
			files = append(files, &source.File{Name: name, Data: []byte(data)})
		}
	}
	m, _ := Read(files...)
	maxWait, err := time.ParseDuration(argument(maxWaitArgument))
	if m == nil || err != nil {
		return nil
	}
	for _, w := range m.Waiters {
		operation := argument(operationArgument)
		if w.Name != argument(nameArgument) || operation != "" && w.Operation != operation { // the first traces have no operation
			continue
		}
		if definition, err := m.Program(w, maxWait); err == nil {
			return definition
		}
	}
	return nil
}

// typed returns the response as JMESPath is to see it (section "Waiter data model"): a timestamp that is written as
// text becomes the number of seconds since the epoch. Everything else of the model has the same form in JSON: a blob
// is text in base64, an enum text, and an absent value is null.
func (w *Waiter) typed(r *Response) *Response {
	if w.model == nil {
		return r
	}
	operation := w.model.shape(w.Operation)
	twin := *r
	twin.Input = w.model.typedValue("", w.model.part(operation, "input"), r.Input)
	twin.Output = w.model.typedValue("", w.model.part(operation, "output"), r.Output)
	return &twin
}

// typedValue returns a value of a shape, itself where nothing in it has another form.
func (m *Model) typedValue(id string, shape *source.Node, v value.Value) value.Value {
	switch kind := m.typeOf(id, shape); {
	case v == nil:
		return nil
	case kind == "timestamp":
		if text, ok := v.(value.String); ok {
			if at, err := time.Parse(time.RFC3339Nano, string(text)); err == nil {
				return epochSeconds(at)
			}
		}
	case kind == "structure" || kind == "union" || kind == "map":
		object, ok := v.(*value.Object)
		if !ok {
			return v
		}
		for i := range object.Len() {
			part := object.At(i)
			reference := shape.Get("value")
			if kind != "map" {
				reference = shape.Get("members").Get(part.Key)
			}
			if changed := m.typedTarget(reference, part.Value); !value.Identical(changed, part.Value) {
				v = v.(*value.Object).With(part.Key, changed)
			}
		}
	case kind == "list" || kind == "set":
		array, ok := v.(*value.Array)
		if !ok {
			return v
		}
		for i, item := range array.All() {
			if changed := m.typedTarget(shape.Get("member"), item); !value.Identical(changed, item) {
				v = v.(*value.Array).With(i, changed)
			}
		}
	}
	return v
}

func (m *Model) typedTarget(reference *source.Node, v value.Value) value.Value {
	if reference == nil {
		return v
	}
	id, shape := m.target(reference)
	return m.typedValue(id, shape, v)
}

// epochSeconds is an instant as a number of seconds since the epoch. It may be further away than a Duration is long:
// the year 9999 often means no end.
func epochSeconds(at time.Time) value.Value {
	whole := new(big.Rat).SetInt64(at.Unix())
	whole.Add(whole, big.NewRat(int64(at.Nanosecond()), int64(time.Second)))
	text := whole.FloatString(9)
	number, err := value.ParseNumber(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
	if err != nil {
		return value.Int(at.Unix())
	}
	return number
}
