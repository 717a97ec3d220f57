// Package engine runs state machines written in the Amazon States Language, one observable unit at a
// time.
//
// A [Machine] is a compiled definition, an [Execution] one run of it. The execution does no I/O, starts
// no goroutine and reads no clock: [Execution.Step] does the next stage of one thread and returns
// its events. For everything from outside it makes a request, which its driver answers: a task's
// outcome by [Execution.Answer], an object that an ItemReader reads by [Execution.AnswerObject], a later
// time by [Execution.AdvanceTo]. The same definition, input, seed,
// start time and answers give the same events.
//
// Branches of a Parallel state and iterations of a Map state are cooperative threads of one execution.
// The focused thread runs until it blocks, then the runnable thread with the lowest id.
//
// The iterations of a distributed Map are threads too, but separate executions in every other respect:
// each has its own history, context object and variables, and may fail without the Map failing with its
// error. The data of a ResultWriter is shown, not written.
//
// # Dialects
//
// Where Step Functions and the published text differ, [AWS] follows the behaviour of Step Functions, recorded where no
// other mark is given, [Spec] today's text, and [Spec2020] and [Spec2016] the text of these years. [rules.Differences]
// is the table of all differences, which asldb rules --dialects prints.
//
// In the other rows in which they differ (deep JsonMerge, fractions as arguments of intrinsic functions and the number
// of arguments, the order of States.ArrayUnique) all dialects follow the recorded behaviour.
package engine

import "asldb/engine/rules"

// Dialect chooses between the recorded behaviour of Step Functions and the editions of the specification.
type Dialect = rules.Dialect

// The dialects; AWS is the default.
const (
	AWS      = rules.AWS
	Spec     = rules.Spec
	Spec2020 = rules.Spec2020
	Spec2016 = rules.Spec2016
)

// ParseDialect returns the dialect of that name: see [rules.DialectNames].
func ParseDialect(name string) (Dialect, error) { return rules.ParseDialect(name) }

// DialectNames returns the names of all dialects, the default first.
func DialectNames() []string { return rules.DialectNames() }

// The predefined Error Names of the language and of Step Functions that the engine itself raises or
// treats specially.
const (
	ErrorAll                    = "States.ALL"
	ErrorTimeout                = "States.Timeout"
	ErrorHeartbeatTimeout       = "States.HeartbeatTimeout"
	ErrorTaskFailed             = "States.TaskFailed"
	ErrorPermissions            = "States.Permissions"
	ErrorRuntime                = "States.Runtime"
	ErrorResultPathMatchFailure = "States.ResultPathMatchFailure"
	ErrorOutputMatchFailure     = "States.OutputMatchFailure"
	ErrorParameterPathFailure   = "States.ParameterPathFailure"
	ErrorBranchFailed           = "States.BranchFailed"
	ErrorNoChoiceMatched        = "States.NoChoiceMatched"
	ErrorDataLimitExceeded      = "States.DataLimitExceeded"
	ErrorQueryEvaluation        = "States.QueryEvaluationError"
	ErrorIntrinsicFailure       = "States.IntrinsicFailure"
	ErrorToleratedFailure       = "States.ExceedToleratedFailureThreshold"
	ErrorItemReaderFailed       = "States.ItemReaderFailed"
	ErrorResultWriterFailed     = "States.ResultWriterFailed"
)
