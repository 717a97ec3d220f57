package lint

import (
	"maps"
	"slices"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// reference is a part of the context object, or a variable, that a state reads.
type reference struct {
	state *asl.State
	node  *source.Node
	ref   asl.Ref
}

// Variables returns the names of the variables that each state reads, in alphabetical order: variableReferences of
// DescribeStateMachine.
func Variables(machine *asl.StateMachine) map[string][]string {
	found := make(map[string][]string)
	for _, r := range (&checker{machine: machine}).references() {
		if name := r.ref.Variable; name != "" && !slices.Contains(found[r.state.Name], name) {
			found[r.state.Name] = append(found[r.state.Name], name)
		}
	}
	for _, names := range found {
		slices.Sort(names)
	}
	return found
}

// references returns what the states read besides their data, and notes the calls of intrinsic functions that can never
// work.
func (c *checker) references() (list []reference) {
	for s := range c.machine.All() {
		if s.Node == nil || s.Type == 0 {
			continue
		}
		for _, m := range asl.FlowOf(s, false).Moves() {
			list = c.readBy(list, s, m, m.Node, false)
		}
	}
	return list
}

// readBy adds what a move or its parts read. called: it is an argument of a call.
func (c *checker) readBy(list []reference, s *asl.State, m *asl.Move, n *source.Node, called bool) []reference {
	if m.Node != nil {
		n = m.Node
	}
	if m.Intrinsic != nil && !called {
		if err := m.Intrinsic.Fault(); err != nil {
			c.warn(n, rules.CallFails, "this call can never work: %v", err)
		}
	}
	parts := m.Parts()
	for i := range parts {
		list = c.readBy(list, s, &parts[i], n, m.Intrinsic != nil)
	}
	if len(parts) > 0 || n == nil {
		return list
	}
	for i, from := range m.From {
		if m.Test != nil {
			n = m.Node.Get([]string{"Variable", m.Test.Operator + "Path"}[min(i, 1)])
		}
		if from.Variable != "" || from.Path != nil && from.Register == asl.RegisterContext || from.Register == asl.RegisterItem && m.Kind == asl.MoveSelect {
			list = append(list, reference{s, n, from})
		}
	}
	return list
}

// names returns the members of the context object that are read, up to the first part of the path that isn't a name.
func (r *reference) names() (names []string) {
	if r.ref.Register == asl.RegisterItem {
		names = []string{"Map", "Item", "Value"}
	}
	for i := 0; r.ref.Path != nil && i < r.ref.Path.Len(); i++ {
		segment := r.ref.Path.Segment(i)
		if segment.Kind != path.NameSegment {
			break
		}
		names = append(names, segment.Name)
	}
	return names
}

// text returns a reference to the context object as it is written.
func (r *reference) text() string {
	text := "$$"
	if r.state.QueryLanguage == asl.JSONata {
		text = "$states.context"
	}
	if r.ref.Register == asl.RegisterItem {
		text += ".Map.Item.Value"
	}
	if r.ref.Path == nil {
		return text
	}
	return text + r.ref.Path.String()[1:]
}

// unused hints at variables that no state reads. Where there are errors a read may be in a part of those.
func (c *checker) unused(references []reference) {
	if c.damage != nil || !c.options.Hints {
		return
	}
	read := make(map[string]bool)
	for i := range references {
		read[references[i].ref.Variable] = true
	}
	for s := range c.machine.All() {
		assigned := s.Assigned()
		for _, name := range slices.Sorted(maps.Keys(assigned)) {
			if !read[name] {
				c.hint(s.Node, assigned[name], rules.Unused, "no state reads the variable $%s that %q assigns", name, s.Name)
			}
		}
	}
}
