package asl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
)

// maxVariable is the greatest number of characters in the name of a variable.
const maxVariable = 80

// assignment is a variable that an Assign names, in the scope of the state that has the Assign.
type assignment struct {
	scope  *Scope
	name   string
	member *NodeMember
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
		d := r.wrongKey(m, rules.VariableName, "%s is not a variable name: it should be a letter or _, then letters, digits and _", quote(name))
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

// shadowed reports variables that have the name of one that is there when the Parallel or Map state around them is
// entered: an inner scope reads those, and must not assign them. So must the iterations of a distributed Map, which do
// not even see them.
func (r *dataReader) shadowed() {
	assigned := make(map[*Scope]map[string]bool)
	for _, a := range r.assignments {
		if assigned[a.scope] == nil {
			assigned[a.scope] = make(map[string]bool)
		}
		assigned[a.scope][a.name] = true
	}
	names := make(map[string]bool)
	for _, a := range r.assignments {
		for at := a.scope.Container; at != nil && !names[a.name]; at = at.Scope.Container {
			if assigned[at.Scope][a.name] {
				names[a.name] = true
			}
		}
	}
	if len(names) == 0 {
		return
	}
	before := r.machine.variablesBefore(names)
	for _, a := range r.assignments {
		at, there := before[a.scope.Container][a.name]
		if !there {
			continue
		}
		d := r.wrongKey(a.member, rules.DuplicateVariable, "the variable %s is assigned before %s: a state inside of that can read it, but not assign it",
			quote(a.name), quote(a.scope.Container.Name))
		d.Reasons = []source.Reason{{Text: "assigned on a way to " + a.scope.Container.Name, Span: at}}
		d.Suggestion = "choose another name"
		d.Service.Message = "The variable name '" + a.name + "' was already defined in a parent scope."
	}
}

// VariableSet has names of variables, with where each is assigned first in the text.
type VariableSet map[string]Span

// variablesBefore returns the variables that may be there when a state is entered, for every reachable state: the ones
// that the ways to it assign (an Assign of a catcher on the way of the catcher, one of a choice rule on the way of the
// rule), of the names that are of interest. The iterations of a distributed Map cannot read the ones of outer
// scopes, which are counted all the same.
func (m *StateMachine) variablesBefore(names map[string]bool) map[*State]VariableSet {
	f := variableFlow{names, make(map[*State]VariableSet)}
	if m.Top != nil {
		f.scope(m.Top, nil)
	}
	return f.before
}

// variableFlow computes the variables before each state.
type variableFlow struct {
	names  map[string]bool
	before map[*State]VariableSet
}

// scope goes over a scope until nothing changes, and then into the scopes in it. outer are the variables that are
// there when it begins.
func (f *variableFlow) scope(scope *Scope, outer VariableSet) {
	first := scope.Meant(scope.StartAt)
	if first == nil {
		return
	}
	f.enter(first, outer)
	for pending := []*State{first}; len(pending) > 0; {
		s := pending[0]
		pending = pending[1:]
		step := func(kind EdgeKind, index int, to *State) {
			if to != nil && f.enter(to, f.before[s], s.assignedBy(kind, index)) {
				pending = append(pending, to)
			}
		}
		for _, e := range s.edges {
			step(e.kind, e.index, e.to)
		}
		for _, l := range s.lost {
			step(l.Kind, l.Index, scope.Meant(l.Name))
		}
	}
	for _, s := range scope.States {
		inner := f.before[s]
		for _, branch := range s.Branches {
			f.scope(branch, inner)
		}
		if s.Processor != nil {
			f.scope(s.Processor, inner)
		}
	}
}

// enter adds variables to those before a state, and reports whether it is new or learned something.
func (f *variableFlow) enter(s *State, sets ...VariableSet) bool {
	there, known := f.before[s]
	if !known {
		there = VariableSet{}
		f.before[s] = there
	}
	size := len(there)
	for _, set := range sets {
		for name, span := range set {
			if _, ok := there[name]; !ok && f.names[name] {
				there[name] = span
			}
		}
	}
	return !known || len(there) > size
}

// Assigned returns all variables that a state assigns, on whatever way.
func (s *State) Assigned() VariableSet {
	set := VariableSet{}
	s.assigns(set, s.Node)
	for _, field := range []string{"Choices", "Catch"} {
		if list := s.Node.Get(field); list != nil {
			for _, item := range list.Items {
				s.assigns(set, item)
			}
		}
	}
	return set
}

// assignedBy returns the variables that a state assigns on the way of one of its edges.
func (s *State) assignedBy(kind EdgeKind, index int) VariableSet {
	n := s.Node
	switch kind {
	case EdgeChoice:
		n = s.Node.Get("Choices")
	case EdgeCatch:
		n = s.Node.Get("Catch")
	case EdgeNext, EdgeDefault:
	}
	if n != s.Node {
		if n == nil || index >= len(n.Items) {
			return nil
		}
		n = n.Items[index]
	}
	set := VariableSet{}
	s.assigns(set, n)
	return set
}

// assigns adds the names in the Assign of a state, a choice rule or a catcher.
func (s *State) assigns(set VariableSet, n *Node) {
	assign := n.Get("Assign")
	if assign == nil {
		return
	}
	for i := range assign.Members {
		name := assign.Members[i].Key
		if s.QueryLanguage == JSONPath {
			name = strings.TrimSuffix(name, template.Suffix)
		}
		set[name] = assign.Members[i].KeySpan
	}
}

// A VariableUse is a variable in an expression, with where its $ is, in bytes of the text.
type VariableUse struct {
	Name string
	At   int
}

// VariablesIn returns the variables of the execution that a path, an intrinsic function or an expression in JSONata
// reads, in the order of the text; none where it is not of the language.
func VariablesIn(text string, language QueryLanguage) (list []VariableUse) {
	if language == JSONata {
		inner, ok := strings.CutPrefix(text, "{%")
		compiled, err := jsonata.Compile(strings.TrimSuffix(inner, "%}"), jsonata.StepFunctions())
		if !ok || err != nil {
			return nil
		}
		for _, r := range compiled.References() {
			if !r.Field && !r.Called && r.Name != "" && r.Name != "$" && r.Name != "states" {
				list = append(list, VariableUse{r.Name, r.Start + len("{%")})
			}
		}
		return list
	}
	paths := func(yield func(*path.Path) bool) {
		if p, err := path.Parse(text); err == nil {
			yield(p)
		}
	}
	if call, err := template.Parse(text); err == nil {
		paths = call.Paths()
	}
	end := 0
	for p := range paths {
		if i := strings.Index(text[end:], p.String()); i >= 0 {
			if p.Root() == path.VariableRoot {
				list = append(list, VariableUse{p.Variable(), end + i})
			}
			end += i + len(p.String())
		}
	}
	return list
}
