package lint

import (
	"maps"
	"slices"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
)

// variables looks for reads of variables that no state can have assigned before: for every state, the variables that
// may be there when it is entered are those of every way that leads to it (an Assign of a catcher counts on the way
// that the catcher goes, one of a choice rule on that of the rule).
func (c *checker) variables(states []stateReads) {
	read := make(map[string]bool)
	for _, s := range states {
		for _, r := range s.reads {
			if r.root == path.VariableRoot {
				read[r.variable] = true
			}
		}
	}
	if c.damage == nil { // else a read may be in a part with errors
		for _, s := range states {
			c.unused(s.state, read, s.state.Assigned())
		}
	}
	if len(read) == 0 {
		return
	}
	before := c.machine.VariablesBefore(read, false)
	everywhere := make(map[string][]*asl.State)
	for _, s := range states {
		for name := range s.state.Assigned() {
			everywhere[name] = append(everywhere[name], s.state)
		}
	}
	for _, s := range states {
		there, entered := before[s.state]
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
func (c *checker) unused(s *asl.State, read map[string]bool, assigned asl.VariableSet) {
	for _, name := range slices.Sorted(maps.Keys(assigned)) {
		if !read[name] {
			c.hint(s.Node, assigned[name], rules.Unused, "no state reads the variable $%s that %q assigns", name, s.Name)
		}
	}
}

// unassigned notes that nothing can have assigned a variable, and why.
func (c *checker) unassigned(s *asl.State, r *read, there asl.VariableSet, elsewhere []*asl.State) {
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

// maxReasons bounds the steps that one message lists.
const maxReasons = 6
