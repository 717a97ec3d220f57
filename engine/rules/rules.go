// Package rules is the catalogue of problems of definitions: for every kind of problem its name, its
// meaning, an example of it and its correction. The checks themselves are in engine/asl (errors to the language
// and the service) and engine/lint (legal, but probably mistakes).
package rules

import (
	"iter"
	"slices"
	"strings"

	"asldb/engine/source"
)

// Rule is one kind of problem.
type Rule struct {
	// Name is the rule's name in diagnostics, in words with dashes.
	Name string
	// Severity is the usual one. A rule of severity Error may be reported as a warning where sources disagree.
	Severity source.Severity
	// Summary states the rule in one line; Explanation gives its reason and the consequences of breaking it.
	Summary, Explanation string
	// Section is the part of the specification or of the service's guide that says so.
	Section string
	// Code is the code of the service's ValidateStateMachineDefinition.
	Code string
	// Wrong and Right are whole definitions: one with the problem, and the same without.
	Wrong, Right string
	// Express: the rule is for machines of the type EXPRESS only.
	Express bool
}

// The codes of ValidateStateMachineDefinition.
const (
	CodeSchema     = "SCHEMA_VALIDATION_FAILED"
	CodeTransition = "MISSING_TRANSITION_TARGET"
	CodeJSON       = "INVALID_JSON_DESCRIPTION"
	CodeMissing    = "MISSING_DESCRIPTION"
	CodeName       = "INVALID_STATE_NAME"
	CodeReference  = "UNSUPPORTED_JSONATA_EXPRESSION"
)

// All iterates over the rules, in the order of the language's sections.
func All() iter.Seq[Rule] { return slices.Values(catalogue()) }

// Find returns the rule of that name.
func Find(name string) (Rule, bool) {
	for r := range All() {
		if r.Name == name {
			return r, true
		}
	}
	return Rule{}, false
}

// Essential reports whether nothing else of a definition is checked where the rule is broken: it always has its severity.
func Essential(rule string) bool {
	return rule == source.RuleMalformed || rule == source.RuleMalformedYAML || rule == DefinitionNotFound
}

// Codes returns the service's code of every rule by its name.
func Codes() map[string]string {
	codes := make(map[string]string)
	for r := range All() {
		codes[r.Name] = r.code()
	}
	return codes
}

// code is the service's; problems that only this program finds have the rule's name for a code.
func (r Rule) code() string {
	if r.Code != "" {
		return r.Code
	}
	if r.Severity == source.Error {
		return CodeSchema
	}
	return strings.ToUpper(strings.ReplaceAll(r.Name, "-", "_"))
}

// Names returns the names of all rules, sorted.
func Names() []string {
	var names []string
	for r := range All() {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return names
}

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
	ShortTimeout: Documented, NestedInput: Documented,
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
