package flow

import (
	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// compiled returns the tree of an expression of the text, which is read once.
func (p *pass) compiled(m *asl.Move) *jsonata.Tree {
	if known := p.queries[m.Node]; known != nil {
		return known
	}
	tree := m.Expression.Tree()
	p.queries[m.Node] = tree
	return tree
}

// states returns the shape of $states: a result is there where the work is done, an Error Output in a catcher.
func (v *visit) states() *Shape {
	list := []Member{{Name: "input", Shape: v.is[asl.RegisterRaw]}, {Name: "context", Shape: v.contextObject()}}
	switch {
	case v.lane == nil:
	case v.lane.Kind == asl.LaneCaught:
		list = append(list, Member{Name: "errorOutput", Shape: v.is[asl.RegisterError]})
	case v.state.Type.Works():
		list = append(list, Member{Name: "result", Shape: v.is[asl.RegisterResult]})
	}
	return v.space.Object(list, true)
}

// condition returns the data for which the condition of a rule may hold, and those for which it may not.
func (v *visit) condition(guard *asl.Move, left []*Shape) (holds, fails []*Shape) {
	parts := guard.Parts()
	if len(parts) == 0 || guard.Node.Get("Condition") == nil {
		return left, left
	}
	m := &parts[0]
	for _, c := range left {
		v.at(c)
		v.stopped = false
		found := v.literal(m.Node)
		if m.Expression != nil {
			found = v.evaluated(m)
		}
		v.typed(&use{node: m.Node, span: m.Node.Span, field: "Condition", text: "this expression", shape: found, place: "a Condition takes", takes: []Kind{Bool}})
		if v.stopped {
			continue
		}
		may, not := false, false
		for _, one := range found.Cases() {
			truth, known := one.Constant().(value.Bool)
			may, not = may || !known || bool(truth), not || !known || !bool(truth)
		}
		if may {
			holds = append(holds, v.assume(m, c, true)...)
		}
		if not {
			fails = append(fails, v.assume(m, c, false)...)
		}
	}
	v.stopped = false
	return holds, fails
}

// assume returns the data under a rule's condition, as far as it asks for members of the input.
func (v *visit) assume(m *asl.Move, data *Shape, truth bool) []*Shape {
	if m.Expression == nil {
		return []*Shape{data}
	}
	return v.narrow(v.compiled(m), data, truth)
}

// evaluated returns the shape of an expression's value. One that gives nothing makes the state fail.
func (v *visit) evaluated(m *asl.Move) *Shape {
	text := Unmarked(m.Node)
	e := &evaluation{visit: v, node: m.Node, field: m.Field.Name, text: text}
	found := e.eval(v.compiled(m), nil, &frame{names: map[string]*Shape{"states": v.states()}})
	present, some := v.space.Present(found)
	if !some {
		v.stop()
		return nil
	}
	return present
}
