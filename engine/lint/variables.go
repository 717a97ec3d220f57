package lint

import (
	"maps"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
)

// names of variables, with where each is assigned first in the text.
type variableSet map[string]source.Span

// variables looks for reads of variables that no state can have assigned before: for every state, the variables that
// may be there when it is entered are those of every way that leads to it (an Assign of a catcher counts on the way
// that the catcher goes, one of a choice rule on that of the rule).
func (c *checker) variables(states []stateReads) {
	flow := variableFlow{before: make(map[*asl.State]variableSet), read: make(map[string]bool)}
	for _, s := range states {
		for _, r := range s.reads {
			if r.root == path.VariableRoot {
				flow.read[r.variable] = true
			}
		}
	}
	if c.damage == nil { // else a read may be in a part with errors
		for _, s := range states {
			c.unused(s.state, flow.read, flow.assigned(s.state))
		}
	}
	if len(flow.read) == 0 {
		return
	}
	flow.scope(c.machine.Top, nil)
	everywhere := make(map[string][]*asl.State)
	for _, s := range states {
		for name := range flow.assigned(s.state) {
			everywhere[name] = append(everywhere[name], s.state)
		}
	}
	for _, s := range states {
		there, entered := flow.before[s.state]
		if !entered && c.damage != nil || c.inOpen(s.state.Scope) {
			continue
		}
		for _, r := range s.reads {
			if r.root != path.VariableRoot || r.optional {
				continue
			}
			if _, ok := there[r.variable]; !ok {
				c.unassigned(s.state, &r, there, everywhere[r.variable])
			}
		}
	}
}

// unused hints at variables that no state reads.
func (c *checker) unused(s *asl.State, read map[string]bool, assigned variableSet) {
	for _, name := range slices.Sorted(maps.Keys(assigned)) {
		if !read[name] {
			c.hint(s.Node, assigned[name], rules.Unused, "no state reads the variable $%s that %q assigns", name, s.Name)
		}
	}
}

// unassigned notes that nothing can have assigned a variable, and why.
func (c *checker) unassigned(s *asl.State, r *read, there variableSet, elsewhere []*asl.State) {
	d := c.warn(r.node, rules.Unassigned, "no state before %q assigns the variable $%s", s.Name, r.variable)
	d.Expected = "a variable that a state before this one assigns"
	d.Found = r.text
	if len(there) == 0 {
		d.Reasons = append(d.Reasons, asl.Reason{Text: "no variable at all is assigned on a way to " + s.Name})
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if len(d.Reasons) == maxReasons {
			break
		}
		d.Reasons = append(d.Reasons, asl.Reason{Text: "a way to " + s.Name + " assigns $" + name, Span: there[name]})
	}
	for _, other := range elsewhere {
		text := other.Name + " assigns $" + r.variable + ", and no way leads from it to " + s.Name
		switch {
		case other == s:
			text = s.Name + " assigns $" + r.variable + " itself, which is there from the next state on"
		case other.Scope != s.Scope:
			text = other.Name + " assigns $" + r.variable + " in a scope that " + s.Name + " does not see"
		}
		d.Reasons = append(d.Reasons, asl.Reason{Text: text, Span: other.NameSpan})
	}
	suggest(d, r.variable, slices.Sorted(maps.Keys(there)))
}

// variableFlow computes which variables may be there before each state.
type variableFlow struct {
	before map[*asl.State]variableSet
	read   map[string]bool // the names that are of interest
}

// scope goes over a scope until nothing changes, and then into the scopes in it. outer are the variables that are
// there when it begins.
func (f *variableFlow) scope(scope *asl.Scope, outer variableSet) {
	first := scope.Meant(scope.StartAt)
	if first == nil {
		return
	}
	f.before[first] = maps.Clone(outer)
	if f.before[first] == nil {
		f.before[first] = variableSet{}
	}
	for pending := []*asl.State{first}; len(pending) > 0; {
		s := pending[0]
		pending = pending[1:]
		for _, e := range edges(s) {
			if f.enter(e.To, f.before[s], f.along(s, e)) {
				pending = append(pending, e.To)
			}
		}
	}
	for _, s := range scope.States {
		for _, branch := range s.Branches {
			f.scope(branch, f.before[s])
		}
		if s.Processor != nil {
			inner := f.before[s]
			if s.Distributed() { // its iterations are executions of their own
				inner = nil
			}
			f.scope(s.Processor, inner)
		}
	}
}

// enter adds variables to those before a state, and reports whether it is new or learned something.
func (f *variableFlow) enter(s *asl.State, sets ...variableSet) bool {
	there, known := f.before[s]
	if !known {
		there = variableSet{}
		f.before[s] = there
	}
	size := len(there)
	for _, set := range sets {
		for name, span := range set {
			if _, ok := there[name]; !ok && f.read[name] {
				there[name] = span
			}
		}
	}
	return !known || len(there) > size
}

// along returns the variables that a state assigns on the way of an edge.
func (f *variableFlow) along(s *asl.State, e asl.Edge) variableSet {
	switch e.Kind {
	case asl.EdgeChoice:
		return assignedBy(s, itemOf(s.Node.Get("Choices"), e.Index))
	case asl.EdgeCatch:
		return assignedBy(s, itemOf(s.Node.Get("Catch"), e.Index))
	case asl.EdgeNext, asl.EdgeDefault:
	}
	return assignedBy(s, s.Node)
}

// assigned returns all variables that a state assigns, on whatever way.
func (f *variableFlow) assigned(s *asl.State) variableSet {
	set := assignedBy(s, s.Node)
	for _, field := range []string{"Choices", "Catch"} {
		if list := s.Node.Get(field); list != nil {
			for _, item := range list.Items {
				for name, span := range assignedBy(s, item) {
					if set == nil {
						set = variableSet{}
					}
					set[name] = span
				}
			}
		}
	}
	return set
}

func itemOf(list *source.Node, i int) *source.Node {
	if list == nil || i >= len(list.Items) {
		return nil
	}
	return list.Items[i]
}

// assignedBy returns the names in the Assign of a state, a choice rule or a catcher.
func assignedBy(s *asl.State, n *source.Node) variableSet {
	assign := n.Get("Assign")
	if assign == nil || len(assign.Members) == 0 {
		return nil
	}
	set := make(variableSet, len(assign.Members))
	for i := range assign.Members {
		name := assign.Members[i].Key
		if s.QueryLanguage == asl.JSONPath {
			name = strings.TrimSuffix(name, template.Suffix)
		}
		set[name] = assign.Members[i].KeySpan
	}
	return set
}

// maxReasons bounds the steps that one message lists.
const maxReasons = 6
