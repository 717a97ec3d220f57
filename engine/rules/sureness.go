package rules

import "asldb/engine/source"

// Sureness says how it is known that Step Functions behaves so.
type Sureness uint8

// The marks, from the weakest on.
const (
	// Guessed: nothing says so; the service may answer otherwise.
	Guessed Sureness = iota
	// Reported: users of the service report it, or it follows from such a report.
	Reported
	// Documented: the developer guide, the API reference or the States Language says so.
	Documented
	// Recorded: the service gave this answer, in a recording or a measurement that is public.
	Recorded
)

var surenessNames = [...]string{Guessed: "guessed", Reported: "reported", Documented: "documented", Recorded: "recorded"}

// String returns the mark: "recorded", "documented", "reported" or "guessed".
func (s Sureness) String() string { return surenessNames[s] }

var surenessReasons = [...]string{
	Guessed:    "no source is known, and Step Functions may answer otherwise",
	Reported:   "users of Step Functions report it, and no recording is known",
	Documented: "the documentation of Step Functions or of the language says so",
	Recorded:   "Step Functions was recorded giving this answer",
}

// Reason explains the mark in a few words.
func (s Sureness) Reason() string { return surenessReasons[s] }

// Settled reports whether the answer of the service itself is known.
func (s Sureness) Settled() bool { return s == Recorded }

// sureness has the marks of the rules about what Step Functions refuses, or does at run time. Rules that are not here are advice about
// what it accepts, or about files that it never sees.
var sureness = map[string]Sureness{
	source.RuleMalformed: Recorded, UnknownField: Recorded, MissingField: Recorded, WrongStateType: Recorded,
	WrongQueryLanguage: Recorded, Exclusive: Recorded, Type: Recorded, Enum: Recorded, Range: Recorded,
	EmptyObject: Recorded, DuplicateState: Recorded, DuplicateLabel: Recorded, DuplicateVariable: Recorded,
	StartAt: Recorded, Target: Recorded, MissingTransition: Recorded, Unreachable: Recorded, NoTerminal: Recorded,
	ReferencePath: Recorded, TemplateValue: Recorded, JSONata: Recorded, UnsupportedJSONata: Recorded,
	StatesAll: Recorded, ManyOperators: Recorded, UnknownIntegration: Recorded, ExpressPattern: Recorded,
	CallFails: Recorded, UnknownFunction: Recorded, ResultTemplate: Recorded, JSONataInLiteral: Recorded,
	UnknownParameter: Recorded, ParameterType: Recorded, InlineMap: Recorded, MissingDefault: Recorded,
	source.RuleTooLarge: Documented, EmptyArray: Recorded, Timestamp: Documented, Name: Documented,
	VariableName: Documented, LeavesScope: Documented, TemplateCollision: Documented, LiteralPath: Documented,
	LiteralInPath: Documented, Resource: Documented, Pattern: Documented, UnknownContext: Documented,
	MisplacedNumber: Documented, UnknownError: Documented, UnreachableHandler: Documented,
	NeverRaised: Documented, Unassigned: Documented, MissingParameter: Documented,
	UnknownServiceError: Documented, ReaderConfig: Recorded, UnknownAction: Documented, NotInTable: Documented,
	TaskToken: Documented, TaskTimeout: Documented, NeverHolds: Documented, WrongValue: Documented,
	Discarded: Documented, NeverProvided: Documented, MissingOnWay: Documented, LostInput: Documented,
	DeadRule: Documented, Unbounded: Documented,
	LongName: Reported, Path: Reported,
	DuplicateKey: Guessed, UnquotedWord: Guessed, WrongPattern: Guessed,
}

// Sureness says how it is known that Step Functions refuses, or does, what the rule says. ok is false for a rule that is advice about
// what the service accepts.
func (r Rule) Sureness() (mark Sureness, ok bool) {
	mark, ok = sureness[r.Name]
	return mark, ok
}

// Evidence is the mark of a rule in a list: "recorded", "documented", "reported", "guessed", or "advice".
func (r Rule) Evidence() string {
	if mark, ok := r.Sureness(); ok {
		return mark.String()
	}
	return "advice"
}
