package asl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/rules"
	"asldb/engine/template"
)

// maxVariable is the greatest number of characters in the name of a variable.
const maxVariable = 80

// assignment is a variable that an Assign names, in the scope of the state that has the Assign.
type assignment struct {
	scope  *Scope
	name   string
	member *NodeMember
	// caught is set in a catcher, whose state is over when its variables come to be: the states inside
	// that state may use the same names, as was recorded.
	caught bool
}

// variable checks the name of a variable and notes the assignment.
func (r *dataReader) variable(s *State, m *NodeMember) {
	name := m.Key
	if s.QueryLanguage == JSONPath {
		name = strings.TrimSuffix(name, template.Suffix)
	}
	r.assignments = append(r.assignments, assignment{scope: s.Scope, name: name, member: m})
	switch {
	case name == "states":
		r.wrongKey(m, rules.VariableName, "the variable name \"states\" is reserved").Suggestion = "choose another name"
	case !isVariable(name):
		// No path can read such a variable, but other validators let it pass.
		d := r.wrongKey(m, rules.VariableName, "%s is no name of a variable: it should begin with a letter or _ and go on with letters, digits and _", quote(name))
		d.Severity = Warning
	case utf8.RuneCountInString(name) > maxVariable:
		r.wrongKey(m, rules.VariableName, "the name of a variable has at most %d characters, but this one has %d", maxVariable, utf8.RuneCountInString(name))
	}
}

// isVariable reports whether name is an identifier after Unicode (ID_Start, then ID_Continue).
func isVariable(name string) bool {
	for i, r := range name {
		start := r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r)
		if !start && (i == 0 || !unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)) {
			return false
		}
	}
	return name != ""
}

// shadowed reports variables that have the name of one of an outer scope: an inner scope reads those,
// and must not assign them (developer guide, "Variable scope"). The iterations of a distributed Map
// cannot see outer variables at all, so their names are free.
func (r *dataReader) shadowed() {
	assigned := make(map[*Scope]map[string]bool)
	for _, a := range r.assignments {
		if a.caught {
			continue
		}
		if assigned[a.scope] == nil {
			assigned[a.scope] = make(map[string]bool)
		}
		assigned[a.scope][a.name] = true
	}
	for _, a := range r.assignments {
		for scope := a.scope; scope.Container != nil && !scope.apart(); {
			scope = scope.Container.Scope
			if assigned[scope][a.name] {
				r.wrongKey(a.member, rules.VariableName, "variable name %s was already defined in a parent scope", quote(a.name))
				break
			}
		}
	}
}

// apart reports whether the scope is that of a distributed Map's iterations.
func (s *Scope) apart() bool {
	return s.Kind == ProcessorScope && s.Container.ProcessorConfig != nil && s.Container.ProcessorConfig.Mode == ModeDistributed
}
