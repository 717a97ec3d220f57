package engine

import (
	"regexp"
	"sync"

	"asldb/engine/rules"
	"asldb/engine/value"
)

// causeEvidence says how sure a Cause is in the dialect [AWS]: the cause of an error with this name whose reason
// matches the pattern.
type causeEvidence struct {
	error    string
	pattern  string // of the whole reason, without the sentence before it
	sureness rules.Sureness
}

// causes are the sentences of the engine's own faults with the evidence for each; the first that matches counts. What none matches
// is guessed. The cases of the corpora of recorded and measured answers hold the rows that are recorded.
var causes = []causeEvidence{
	{ErrorTimeout, ``, rules.Recorded},
	{ErrorRuntime, `There was an error while evaluating the intrinsic function: .*\. Invalid (arguments|template) in States\..*`, rules.Recorded},
	{ErrorRuntime, `There was an error while evaluating the intrinsic function: .*\. Cannot convert String to Json in States\.StringToJson, caused by: .*`, rules.Recorded},
	{ErrorRuntime, `The function '.*' had the following error: .*`, rules.Recorded},
	{ErrorRuntime, `The JSONPath '.*' specified for the field '.*' could not be found in the input '.*'`, rules.Recorded},
	{ErrorRuntime, `Invalid path '.*' : (No results for path: .*|Missing property in path .*)`, rules.Recorded},
	{ErrorRuntime, `Invalid path '.*' : Property \['.*'\] not found in path .*`, rules.Reported},
	{ErrorRuntime, `Invalid path '.*': The choice state's condition path references an invalid value\.`, rules.Reported},
	{ErrorRuntime, `Failed to transition out of the state\. The state does not point to a next state\.`, rules.Recorded},
	{ErrorRuntime, `Reference path ".*" must point to array\.`, rules.Recorded},
	{ErrorRuntime, `The \w+ field refers to value ".*" which is not a valid integer: .*`, rules.Recorded},
	{ErrorRuntime, `The \w+ field refers to value ".*" which is not a valid float: .*`, rules.Reported},
	{ErrorRuntime, `The Parameters '.*' could not be used to start the Task: \[The value of the field 'Headers' has an invalid format\]`, rules.Recorded},
	{ErrorRuntime, `The SecondsPath parameter (cannot be parsed as a long value|references a negative value|does not reference an input value).*`, rules.Recorded},
	{ErrorRuntime, `The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: .*`, rules.Recorded},
	{ErrorRuntime, `ToleratedFailureCount cannot be negative\.`, rules.Recorded},
	{ErrorRuntime, `ToleratedFailurePercentage must be between 0 and 100\.`, rules.Recorded},
	{ErrorRuntime, `Wait state delay is too long\.`, rules.Recorded},
	{ErrorRuntime, `The execution reached the maximum number of history events \(\d+\)\.`, rules.Recorded},
	{ErrorRuntime, `The resource belongs to a different partition from the running execution\.`, rules.Reported},
	{ErrorQueryEvaluation, `The JSONata expression '.*' specified for the field '.*' threw an error during evaluation: Expression evaluation timeout.*`, rules.Reported},
	{ErrorQueryEvaluation, `The JSONata expression '.*' specified for the field '.*' (returned nothing \(undefined\)\.|returned an un(expected|supported) result type.*|threw an (error|internal error) during evaluation.*)`, rules.Recorded},
	{ErrorQueryEvaluation, `The \w+ field cannot be parsed as an integer: .*`, rules.Recorded},
	{ErrorQueryEvaluation, `The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: .*`, rules.Recorded},
	{ErrorQueryEvaluation, `Map state input must be an array but was: .*`, rules.Recorded},
	{ErrorToleratedFailure, `The specified tolerated failure threshold was exceeded`, rules.Recorded},
	{ErrorItemReaderFailed, `(Attempting to map over non-iterable node\.|field MaxItems must be positive|S3 Version ID selection is not currently supported for PARQUET files)`, rules.Recorded},
	{ErrorDataLimitExceeded, `The state/task '.*' returned a result with a size exceeding the maximum number of bytes service limit\.`, rules.Documented},
	{ErrorResultPathMatchFailure, `Unable to apply ReferencePath .* to input .*`, rules.Reported},
}

// compiledCauses has the patterns of causes.
var compiledCauses = sync.OnceValue(func() []*regexp.Regexp {
	return value.Each(causes, func(each causeEvidence) *regexp.Regexp {
		return regexp.MustCompile(`^(?s:` + each.pattern + `)$`)
	})
})

// ownErrors are the names of the faults that the engine itself finds.
var ownErrors = map[string]bool{
	ErrorTimeout: true, ErrorHeartbeatTimeout: true, ErrorRuntime: true, ErrorResultPathMatchFailure: true, ErrorParameterPathFailure: true,
	ErrorBranchFailed: true, ErrorNoChoiceMatched: true, ErrorDataLimitExceeded: true, ErrorQueryEvaluation: true,
	ErrorIntrinsicFailure: true, ErrorToleratedFailure: true, ErrorItemReaderFailed: true, ErrorResultWriterFailed: true,
}

// Sureness says how it is known that Step Functions gives this error with this Cause. ok is false for an error that a task or a Fail
// state gave: that is the definition's or the fixtures' own.
func (f *Failure) Sureness() (mark rules.Sureness, ok bool) {
	if !ownErrors[f.Name] {
		return rules.Guessed, false
	}
	reason := f.Reason()
	for i, pattern := range compiledCauses() {
		if causes[i].error == f.Name && pattern.MatchString(reason) {
			return causes[i].sureness, true
		}
	}
	return rules.Guessed, true
}
