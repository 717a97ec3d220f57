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
// The iterations of a distributed Map are threads too, but executions of their own in every other respect:
// each has its own history, context object and variables, and may fail without the Map failing with its
// error. The data of a ResultWriter is shown, not written.
//
// # Dialects
//
// Where Step Functions and the published text differ, [AWS] follows the behaviour of
// Step Functions, recorded where no other mark is given, and [Spec] the text:
//
//	matter                              AWS                                   Spec
//	a Task without TimeoutSeconds       no bound (documented)                 60 seconds
//	a missed heartbeat                  States.Timeout (a retrier or catcher  States.HeartbeatTimeout
//	                                    may name States.HeartbeatTimeout too)
//	a payload template's path misses    States.Runtime, never caught          States.ParameterPathFailure
//	… at an index past the end          null                                  States.ParameterPathFailure
//	an intrinsic function fails         States.Runtime, never caught          States.IntrinsicFailure
//	Causes                              the service's sentences, with the     the engine's own sentences
//	                                    engine's in [Failure.Explanation]
//	no Choice rule and no Default       States.Runtime                        States.NoChoiceMatched
//	a branch of a Parallel fails        the branch's own error                States.BranchFailed
//	States.TaskFailed in ErrorEquals    every error but States.Timeout and    that name only
//	                                    States.QueryEvaluationError
//	a Pass state with Result            InputPath and Parameters are ignored  they are evaluated
//	a Map without MaxConcurrency        40 iterations at a time (documented)  all at once
//	a Wait of 24,856 days or more       States.Runtime                        waits
//	JSONata                             as the service runs it: see           as the reference implementation,
//	                                    [jsonata.Service]                     with numbers as they are written
//	JSONPath in a JSONata machine       refused by Compile                    runs
//
// In the other rows in which they differ (deep JsonMerge, objects in States.Format, fractions as arguments of intrinsic functions
// and the number of arguments, the order of States.ArrayUnique) both dialects follow the recorded behaviour.
package engine

import (
	"fmt"

	"asldb/engine/jsonata"
)

// Dialect chooses between the recorded behaviour of Step Functions and the text of the specification.
type Dialect uint8

// The dialects; AWS is the default.
const (
	AWS Dialect = iota
	Spec
)

// String returns "aws" or "spec".
func (d Dialect) String() string {
	if d == Spec {
		return "spec"
	}
	return "aws"
}

// Profile returns the behavior of JSONata in the dialect: that of Step Functions, or that of the reference implementation.
func (d Dialect) Profile() *jsonata.Profile {
	if d == AWS {
		return jsonata.Service()
	}
	return nil
}

// ParseDialect returns the dialect called name ("aws" or "spec").
func ParseDialect(name string) (Dialect, error) {
	switch name {
	case "aws":
		return AWS, nil
	case "spec":
		return Spec, nil
	}
	return AWS, fmt.Errorf("unknown dialect %q: expected aws or spec", name)
}

// The predefined Error Names of the language and of Step Functions that the engine itself raises or
// treats in a way of their own.
const (
	ErrorAll                    = "States.ALL"
	ErrorTimeout                = "States.Timeout"
	ErrorHeartbeatTimeout       = "States.HeartbeatTimeout"
	ErrorTaskFailed             = "States.TaskFailed"
	ErrorPermissions            = "States.Permissions"
	ErrorRuntime                = "States.Runtime"
	ErrorResultPathMatchFailure = "States.ResultPathMatchFailure"
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
