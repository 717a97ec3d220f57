package rules

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"asldb/engine/source"
)

// The rules about the text, before it means anything.
const (
	DuplicateKey           = "duplicate-json-key"
	UnresolvedSubstitution = "unresolved-substitution"
	UnresolvedReference    = "unresolved-reference"
	MissingSubstitution    = "missing-substitution"
	UnknownReference       = "unknown-reference"
	DefinitionNotFound     = "definition-not-found"
)

// The rules about the fields of an object.
const (
	UnknownField       = "unknown-field"
	MissingField       = "missing-required-field"
	WrongStateType     = "field-not-allowed-for-state-type"
	WrongQueryLanguage = "field-not-allowed-for-query-language"
	Exclusive          = "mutually-exclusive-fields"
	Type               = "wrong-type"
	Enum               = "not-in-enum"
	Range              = "value-out-of-range"
	EmptyArray         = "empty-array"
	EmptyObject        = "empty-object"
	Timestamp          = "invalid-timestamp"
)

// The rules about names.
const (
	Name           = "invalid-name"
	LongName       = "name-too-long"
	DuplicateState = "duplicate-state-name"
	DuplicateLabel = "duplicate-label"
	VariableName   = "invalid-variable-name"
	// DuplicateVariable: an inner scope assigns a variable of an outer one.
	DuplicateVariable = "duplicate-variable-name"
	Unassigned        = "unassigned-variable"
	Unused            = "unused-variable"
)

// The rules about how states follow each other.
const (
	StartAt           = "start-at-not-found"
	Target            = "transition-target-not-found"
	LeavesScope       = "transition-leaves-scope"
	MissingTransition = "missing-transition"
	Unreachable       = "unreachable-state"
	NoTerminal        = "no-terminal-state"
	NoWayFromStart    = "no-way-from-the-start"
	NoWayToEnd        = "no-way-to-the-end"
)

// The rules about paths.
const (
	Path           = "invalid-path"
	ReferencePath  = "invalid-reference-path"
	UnknownContext = "unknown-context-field"
	UnquotedWord   = "unquoted-word"
)

// The rules about payload templates.
const (
	TemplateValue     = "invalid-payload-template-value"
	TemplateCollision = "payload-key-collision"
	LiteralPath       = "path-in-literal"
	ResultTemplate    = "template-in-result"
	LiteralInPath     = "path-in-constant"
	CallFails         = "intrinsic-always-fails"
)

// The rules about JSONata.
const (
	JSONata            = "invalid-jsonata"
	UnsupportedJSONata = "unsupported-jsonata"
	UnknownFunction    = "unknown-function"
	JSONataInLiteral   = "jsonata-in-literal"
)

// The rules about retriers and catchers.
const (
	StatesAll          = "states-all-misplaced"
	UnknownError       = "unknown-error-name"
	UnreachableHandler = "unreachable-handler"
	NeverRaised        = "error-never-raised"
	MisplacedNumber    = "max-delay-without-effect"
)

// The rules about Choice states.
const (
	ManyOperators  = "multiple-comparison-operators"
	MissingDefault = "choice-without-default"
	DeadRule       = "unreachable-choice-rule"
	SelfDefault    = "default-to-itself"
	WrongPattern   = "invalid-string-pattern"
)

// The rules about Task states.
const (
	Resource           = "invalid-resource"
	UnknownIntegration = "unknown-integration"
	Pattern            = "unsupported-integration-pattern"
	ExpressPattern     = "not-in-express"
	TaskToken          = "task-token-not-sent"
	TaskTimeout        = "task-without-timeout"
	ShortTimeout       = "timeout-before-function"
	NestedInput        = "nested-input-mismatch"
)

// The rules that need the table of services.
const (
	UnknownAction       = "unknown-sdk-action"
	NotInTable          = "not-in-service-table"
	UnknownParameter    = "unknown-parameter"
	MissingParameter    = "missing-parameter"
	ParameterType       = "parameter-type"
	UnknownServiceError = "unknown-service-error"
)

// The rules about Map states.
const (
	InlineMap = "needs-distributed-map"
	Unbounded = "map-without-bound"
	// ReaderConfig: fields of an ItemReader that contradict each other, or have no effect together.
	ReaderConfig = "reader-config-mismatch"
)

// The rules about the data that reach a state.
const (
	Discarded     = "discarded-data"
	NeverProvided = "data-never-provided"
	NotFollowed   = "data-not-followed"
	MissingOnWay  = "data-missing-on-a-path"
	WrongValue    = "wrong-value-type"
	NeverHolds    = "comparison-never-holds"
	LostInput     = "catch-loses-input"
	// VariableOnWay: a variable that some ways assign.
	VariableOnWay = "variable-missing-on-a-path"
	// ConstantChoice: a test whether there is something that has one outcome.
	ConstantChoice = "constant-choice"
)

// The rules about ignores.
const (
	UnusedIgnore  = "unused-ignore"
	InvalidIgnore = "invalid-ignore"
)

// catalogueText has the rules in the order of the language's sections: "rule" and its name, then its members, a word each
// with the value behind it, or in the lines below, which begin with a tab.
//
//go:embed catalogue.txt
var catalogueText string

// catalogue is read once. The text is a part of the program: a mistake in it is a fault, which every test of a rule has.
var catalogue = sync.OnceValue(func() (list []Rule) {
	key, value := "", []string(nil)
	end := func() {
		if key == "rule" {
			list = append(list, Rule{Name: value[0]})
		} else if key != "" {
			list[len(list)-1].set(key, value)
		}
	}
	for line := range strings.SplitSeq(catalogueText, "\n") {
		if below, ok := strings.CutPrefix(line, "\t"); ok {
			value = append(value, below)
		} else if line != "" {
			end()
			key, line, _ = strings.Cut(line, " ")
			value = nil
			if line != "" {
				value = []string{line}
			}
		}
	}
	end()
	return list
})

// severities are those that a rule may have.
var severities = map[string]source.Severity{"error": source.Error, "warning": source.Warning, "hint": source.Hint}

// set sets a member of a rule: examples have lines, all else is one text.
func (r *Rule) set(key string, value []string) {
	text := strings.Join(value, " ")
	switch key {
	case "severity":
		known := false
		if r.Severity, known = severities[text]; !known {
			panic(fmt.Sprintf("the catalogue of rules has the severity %q of %s", text, r.Name))
		}
	case "section":
		r.Section = text
	case "code":
		r.Code = text
	case "express":
		r.Express = true
	case "summary":
		r.Summary = text
	case "explanation":
		r.Explanation = text
	case "wrong":
		r.Wrong = strings.Join(value, "\n")
	case "right":
		r.Right = strings.Join(value, "\n")
	default:
		panic(fmt.Sprintf("the catalogue of rules has %q of %s", key, r.Name))
	}
}
