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
	// Code is that of the service's ValidateStateMachineDefinition.
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
