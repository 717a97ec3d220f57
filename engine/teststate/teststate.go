// Package teststate answers as the TestState call of Step Functions does, without calling anything: it runs
// one state alone, with a mocked result where the state does work, and reports its data at
// every stage. A request is a value, and so is the response; the same request gives the same response.
//
// Requests that TestState refuses are refused with its error names: see [Refusal].
package teststate

import (
	"slices"
	"time"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Level is the extent to which a response shows a state's data processing.
type Level uint8

// The inspection levels. Info shows the outcome only. Debug and Trace show every stage; they differ only
// for real calls, which do not occur here.
const (
	Info Level = iota
	Debug
	Trace
)

var levels = []string{Info: "INFO", Debug: "DEBUG", Trace: "TRACE"}

// Levels returns the words of the levels.
func Levels() []string { return slices.Clone(levels) }

// ParseLevel returns the level of a word; of "" it is Info. The error is a *[Refusal].
func ParseLevel(word string) (Level, error) {
	at, err := memberOf(levels, word, "inspectionLevel")
	return Level(at), err
}

// String returns the word of the API, such as "DEBUG".
func (l Level) String() string { return levels[l] }

// Validation is the way in which a mocked result is compared with the shape of the service's response.
type Validation uint8

// The modes of validation. Strict is the default. Fields that the service does not have are let pass in
// every mode.
const (
	Strict  Validation = iota // required fields must be there, and every field have its type
	Present                   // the fields that are there must have their types
	None
)

var validations = []string{Strict: "STRICT", Present: "PRESENT", None: "NONE"}

// String returns the word of the API, such as "PRESENT".
func (v Validation) String() string { return validations[v] }

// Mock is the substitute for a state's work: of a task, or of the branches or iterations.
type Mock struct {
	// Result is the JSON text of the result; nil where there is none.
	Result *string
	// Error is the error that the work ends with; nil where it succeeds.
	Error      *ErrorOutput
	Validation Validation
}

// ErrorOutput is an Error Name with its Cause.
type ErrorOutput struct{ Error, Cause string }

// Configuration sets up the state under test (TestState's stateConfiguration).
type Configuration struct {
	// RetrierRetryCount is how often the retrier that takes the mocked error has been used already.
	RetrierRetryCount int64
	// ErrorCausedByState names the state, in the Parallel or Map state under test, that the mocked error
	// comes from; empty for none.
	ErrorCausedByState string
	// MapIterationFailureCount is how many iterations of the Map state have failed; nil for none.
	MapIterationFailureCount *int64
	// MapItemReaderData is the data read by the ItemReader, as they are in their source; nil for none.
	MapItemReaderData *string
}

// Request is the input of TestState.
type Request struct {
	// Definition is one state, or a whole machine where StateName says which state of it.
	Definition *source.File
	// Root is the tree of the Definition where that has been read, from a template for example; else nil.
	Root      *source.Node
	StateName *string
	// Input is nil for {}.
	Input value.Value
	Level Level
	Mock  *Mock
	// Variables and Context are objects; nil where they are not given. Context replaces the whole
	// context object.
	Variables, Context value.Value
	Configuration      Configuration
	// RoleARN is empty where it is not given.
	RoleARN       string
	RevealSecrets bool
	// Start and Seed are as in [engine.StartOptions].
	Start time.Time
	Seed  int64
	// Call does a task that is not mocked; nil where nothing can.
	Call func(*engine.TaskRequest) (engine.Outcome, error)
}

// Status is the result of the state.
type Status uint8

// The statuses of a response.
const (
	Succeeded Status = iota
	Failed
	Retriable   // a retrier took the error
	CaughtError // a catcher did
)

var statusNames = [...]string{Succeeded: "SUCCEEDED", Failed: "FAILED", Retriable: "RETRIABLE", CaughtError: "CAUGHT_ERROR"}

// String returns the status as a response has it, "CAUGHT_ERROR" for example.
func (s Status) String() string { return statusNames[s] }

// Response is TestState's answer.
type Response struct {
	Status Status
	// Output is nil where the state failed or would be retried.
	Output value.Value
	// Error and Cause are empty where there are none.
	Error, Cause string
	// NextState is empty at the end of the machine.
	NextState string
	// Inspection has the data of every stage under TestState's keys, as values; nil at the level Info.
	Inspection *value.Object
	// Unchecked is the action (SERVICE:ACTION) whose mocked result could not be compared with a shape, since the table of services
	// does not have it; empty where the result was compared, or has no shape.
	Unchecked string

	// outputText is the text of Output where it is known to be another than the compact one.
	outputText string
}

// Refusal says that TestState would not run the state at all.
type Refusal struct {
	// Name is the name of the API's error, "ValidationException" for example.
	Name, Message string
	// Diagnostics are the problems of the definition, where it has any.
	Diagnostics []source.Diagnostic
}

// Error implements error: "ValidationException: State not found in definition".
func (r *Refusal) Error() string { return r.Name + ": " + r.Message }

// The names of the API's errors.
const (
	invalidDefinition = "InvalidDefinition"
	validation        = "ValidationException"
	badParameter      = "ParamValidationError" // of the client, before anything is sent
)

// Run executes a request. The error is a *[Refusal], an *[engine.UnsupportedError], or the error of the
// request's Call.
func Run(request *Request) (*Response, error) {
	if err := request.checkParameters(); err != nil {
		return nil, err
	}
	subject, err := load(request)
	if err != nil {
		return nil, err
	}
	state := subject.state
	mocked, err := request.check(state)
	if err != nil {
		return nil, err
	}
	machine, err := subject.compile()
	if err != nil {
		return nil, err
	}
	input := request.Input
	if input == nil {
		input = value.ObjectOf()
	}
	variables, _ := request.Variables.(*value.Object)
	execution, err := machine.StartSingle(state, input, engine.SingleOptions{
		Start: request.Start, Seed: request.Seed, Limits: engine.ServiceLimits(),
		Context: request.contextFor(state, input, iterated(subject.definition.Top, state)), Variables: variables,
		Retries: request.Configuration.RetrierRetryCount, Dataset: request.dataset(),
	})
	if err != nil {
		return nil, err
	}
	t := &test{request: request, state: state, execution: execution, input: input, mocked: mocked}
	if err := t.drive(); err != nil {
		return nil, err
	}
	response := t.response()
	if request.Mock != nil && request.Mock.Result != nil && request.Mock.Validation != None {
		response.Unchecked = Unchecked(state.Resource)
	}
	return response, nil
}

// dataset returns the data for an ItemReader, nil where none are given.
func (r *Request) dataset() []byte {
	if r.Configuration.MapItemReaderData == nil {
		return nil
	}
	return []byte(*r.Configuration.MapItemReaderData)
}
