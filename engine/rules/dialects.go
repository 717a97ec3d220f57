package rules

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"asldb/engine/jsonata"
	"asldb/internal/wording"
)

// Dialect is the recorded behaviour of Step Functions, or an edition of the published text.
type Dialect uint8

// The dialects; AWS is the default.
const (
	AWS      Dialect = iota // Step Functions, as it was recorded
	Spec                    // today's text
	Spec2020                // the text of August 2020
	Spec2016                // the first text
)

// dialects is how many there are.
const dialects = int(Spec2016) + 1

var dialectNames = [dialects]string{AWS: "aws", Spec: "spec", Spec2020: "spec@2020", Spec2016: "spec@2016"}

// String returns the name of the dialect: "aws", "spec", "spec@2020" or "spec@2016".
func (d Dialect) String() string { return dialectNames[d] }

// DialectNames returns the names of all dialects, the default first.
func DialectNames() []string { return slices.Clone(dialectNames[:]) }

// ParseDialect returns the dialect of that name.
func ParseDialect(name string) (Dialect, error) {
	if d, ok := wording.KindNamed[Dialect](dialectNames[:], name); ok {
		return d, nil
	}
	last := len(dialectNames) - 1
	return AWS, fmt.Errorf("unknown dialect %q: expected %s or %s", name,
		strings.Join(dialectNames[:last], ", "), dialectNames[last])
}

// Does reports whether the first answer of the table holds for the dialect in a matter.
func (d Dialect) Does(m Matter) bool { return differences[m].in&(1<<d) != 0 }

// Profile returns the behaviour of JSONata in the dialect: Step Functions' or the reference implementation's.
func (d Dialect) Profile() *jsonata.Profile {
	if d.Does(RunsServiceJSONata) {
		return jsonata.Service()
	}
	return nil
}

// Matter is a row of the table of dialects: something in which they differ.
type Matter uint8

// The matters. Those named Refuses... make a definition invalid.
const (
	RefusesNamesOver80 Matter = iota
	RefusesFailWithoutError
	RefusesFailWithoutCause
	RefusesResourceWithoutScheme
	RefusesBracketsInReferences
	RefusesOtherPayloads
	RefusesBlanksInCalls
	RefusesBooleansInCalls
	RefusesJSONToStringOfOthers
	RefusesWordsWithoutQuotes
	RefusesJSONPathInJSONata
	RefusesAsTheService
	TimesOutAfter60Seconds
	TakesWholeSecondsOnly
	NamesHeartbeatTimeout
	MatchesHeartbeatTimeout
	NamesBranchFailed
	NamesNoChoiceMatched
	NamesOutputMatchFailure
	NamesParameterPathFailure
	NamesIntrinsicFailure
	ReadsNullPastTheEnd
	FormatsScalarsOnly
	MatchesTaskFailedWidely
	EndsForTooMuchData
	HasServiceLimits
	ChecksCalls
	PassesResultOnly
	RunsFortyIterations
	BoundsWaits
	ReportsNull
	WritesServiceCauses
	NumbersHistory
	RunsServiceJSONata
)

// set is a set of dialects.
type set uint8

const (
	service  = set(1 << AWS)
	today    = set(1 << Spec)
	edition  = set(1<<Spec2020 | 1<<Spec2016)
	text     = today | edition
	first    = set(1 << Spec2016)
	since20  = set(1<<Spec | 1<<Spec2020)
	everyone = service | text
)

// differences is the one table of the dialects: the matter, the dialects that the first answer is of, that answer, and
// the one of the others.
var differences = [...]struct {
	about       string
	in          set
	first, rest string
}{
	RefusesNamesOver80: {
		"the name of a state", service | today,
		"at most 80 characters", "at most 128 characters",
	},
	RefusesFailWithoutError: {
		"Error of a Fail state", edition,
		"required", "optional",
	},
	RefusesFailWithoutCause: {
		"Cause of a Fail state", edition,
		"required", "optional",
	},
	RefusesResourceWithoutScheme: {
		"a Resource that is not a URI", text,
		"an error", "Step Functions refuses it; a run gives it to the source of its results",
	},
	RefusesBracketsInReferences: {
		"brackets in a Reference Path", first,
		"an error: fields are reached by a dot only", "accepted",
	},
	RefusesOtherPayloads: {
		"Parameters", since20,
		"an object", "any value",
	},
	RefusesBlanksInCalls: {
		"blanks between the name of an intrinsic function and its parenthesis", since20,
		"an error", "accepted",
	},
	RefusesBooleansInCalls: {
		"true and false as arguments of intrinsic functions", since20,
		"an error", "accepted",
	},
	RefusesJSONToStringOfOthers: {
		"the argument of States.JsonToString", since20,
		"a Path", "any value",
	},
	RefusesWordsWithoutQuotes: {
		"a word without quotes in the filter of a Path", text,
		"an error", "compared as text",
	},
	RefusesJSONPathInJSONata: {
		"JSONPath in a JSONata machine", service,
		"an error", "runs",
	},
	RefusesAsTheService: {
		"what Step Functions itself refuses, such as calls that its services do not have", service,
		"an error of validate", "a warning of validate",
	},
	TimesOutAfter60Seconds: {
		"a Task without TimeoutSeconds", text,
		"times out after 60 seconds", "has no bound (documented)",
	},
	TakesWholeSecondsOnly: {
		"TimeoutSecondsPath, HeartbeatSecondsPath", text,
		"select a positive integer", "select a positive integer, also one in digits of a string",
	},
	NamesHeartbeatTimeout: {
		"the Error Name of a missed heartbeat", today,
		"States.HeartbeatTimeout", "States.Timeout",
	},
	MatchesHeartbeatTimeout: {
		"States.HeartbeatTimeout in ErrorEquals", everyone &^ first,
		"matches a missed heartbeat", "matches nothing",
	},
	NamesBranchFailed: {
		"the Error Name of a Parallel state with a failed branch", text,
		"States.BranchFailed; ErrorEquals may name the branch's own error, too", "the branch's own error",
	},
	NamesNoChoiceMatched: {
		"no rule of a Choice state holds, and there is no Default", text,
		"States.NoChoiceMatched", "States.Runtime",
	},
	NamesOutputMatchFailure: {
		"a ResultPath that cannot be applied", first,
		"States.OutputMatchFailure; ErrorEquals may name States.ResultPathMatchFailure, too",
		"States.ResultPathMatchFailure",
	},
	NamesParameterPathFailure: {
		"the Path of a payload template finds nothing", text,
		"States.ParameterPathFailure", "States.Runtime, which is never caught",
	},
	NamesIntrinsicFailure: {
		"an intrinsic function fails", text,
		"States.IntrinsicFailure", "States.Runtime, which is never caught",
	},
	ReadsNullPastTheEnd: {
		"an index past the end of an array in a payload template", service,
		"null", "finds nothing",
	},
	FormatsScalarsOnly: {
		"arrays and objects as values of States.Format", text,
		"the function fails", "are printed",
	},
	MatchesTaskFailedWidely: {
		"States.TaskFailed in ErrorEquals", service,
		"matches every error but States.Timeout and States.QueryEvaluationError", "matches that name only",
	},
	EndsForTooMuchData: {
		"States.ALL and States.DataLimitExceeded", service,
		"matches it for the result of a task only: data of the state itself end the execution",
		"matches it, as any Error Name",
	},
	HasServiceLimits: {
		"quotas", service,
		"Step Functions' own: payloads, variables, the history", "none",
	},
	ChecksCalls: {
		"a payload that the service of an integration cannot read, a Resource of another partition", service,
		"States.Runtime", "are not checked",
	},
	PassesResultOnly: {
		"InputPath and Parameters of a Pass state with a Result", service,
		"are ignored", "are evaluated",
	},
	RunsFortyIterations: {
		"a Map state without MaxConcurrency", service,
		"40 iterations at a time (documented)", "all iterations at once",
	},
	BoundsWaits: {
		"a Wait of 24,856 days or more", service,
		"States.Runtime", "waits",
	},
	ReportsNull: {
		"an Error or Cause that a task leaves out, in the Error Output", service,
		"null", `""`,
	},
	WritesServiceCauses: {
		"Causes", service,
		"the sentences of Step Functions", "the sentences of asldb",
	},
	NumbersHistory: {
		"events", service,
		"have ids of Step Functions' history", "have none",
	},
	RunsServiceJSONata: {
		"JSONata", service,
		"as Step Functions' library evaluates it",
		"as the reference implementation does, with numbers as they are written",
	},
}

// Difference is a row of the table of dialects.
type Difference struct {
	About   string
	Answers [dialects]string // by Dialect
}

// Differences iterates over the table of dialects.
func Differences() iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		for _, row := range differences {
			one := Difference{About: row.about}
			for d := range Spec2016 + 1 {
				if one.Answers[d] = row.rest; row.in&(1<<d) != 0 {
					one.Answers[d] = row.first
				}
			}
			if !yield(one) {
				return
			}
		}
	}
}

// Groups iterates over the answers of a difference, each with the names of its dialects, the first dialect's first.
func (d Difference) Groups() iter.Seq2[[]string, string] {
	return func(yield func([]string, string) bool) {
		var told []string
		for i, answer := range d.Answers {
			if slices.Contains(told, answer) {
				continue
			}
			told = append(told, answer)
			var names []string
			for j := i; j < len(d.Answers); j++ {
				if d.Answers[j] == answer {
					names = append(names, dialectNames[j])
				}
			}
			if !yield(names, answer) {
				return
			}
		}
	}
}
