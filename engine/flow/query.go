package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// expression is a compiled expression of the text.
type expression struct {
	text string
	tree *jsonata.Tree // nil where it does not compile
}

// compiled returns the expression of a string, which is read once.
func (p *pass) compiled(n *source.Node, text string) *expression {
	if known := p.queries[n]; known != nil {
		return known
	}
	made := &expression{text: text}
	if x, err := jsonata.Compile(text, jsonata.StepFunctions()); err == nil {
		made.tree = x.Tree()
	}
	p.queries[n] = made
	return made
}

// query computes a JSONata state.
func (v *visit) query() {
	s := v.state
	v.effective = v.raw
	switch s.Type {
	case asl.Choice:
		v.conditions()
		return
	case asl.Wait:
		v.queryField("Seconds", Number)
		v.queryField("Timestamp", String)
	case asl.Fail:
		v.queryField("Error", String)
		v.queryField("Cause", String)
		return
	case asl.Task, asl.Parallel, asl.Map:
		for _, field := range []string{"TimeoutSeconds", "HeartbeatSeconds", "MaxConcurrency"} {
			v.queryField(field, Number)
		}
	default:
	}
	payload := v.raw
	if m := member(s.Node, "Arguments"); m != nil {
		payload = v.queryTemplate(m.Node, "Arguments", nil)
	}
	if v.stopped {
		return
	}
	v.queryCaught()
	if s.Type != asl.Pass && !v.work(payload) {
		return
	}
	output, states := v.raw, v.states(nil, nil)
	if s.Type.Works() {
		output, states = v.result, v.states(v.result, nil)
	}
	variables := v.queryAssigned(s.Node, states)
	v.end(v.queryOutput(s.Node, output, states), variables)
}

// states returns the shape of $states with a result or an Error Output, of which one may be nil.
func (v *visit) states(result, errorOutput *Shape) *Shape {
	list := []Member{{Name: "input", Shape: v.raw}, {Name: "context", Shape: v.contextObject()}}
	if result != nil {
		list = append(list, Member{Name: "result", Shape: result})
	}
	if errorOutput != nil {
		list = append(list, Member{Name: "errorOutput", Shape: errorOutput})
	}
	return v.space.Object(list, true)
}

// queryOutput returns the output of a state, rule or catcher.
func (v *visit) queryOutput(n *source.Node, without, states *Shape) *Shape {
	m := member(n, "Output")
	if m == nil {
		return without
	}
	made := v.queryTemplate(m.Node, "Output", states)
	if made == nil {
		return nil
	}
	return v.space.Because(made, v.state, m.Node.Span, "the Output of "+v.state.Name+" "+made.Has())
}

func (v *visit) queryAssigned(n *source.Node, states *Shape) *Shape {
	m := member(n, "Assign")
	if m == nil {
		return v.variables
	}
	variables := v.variables
	for i := range m.Node.Members {
		one := &m.Node.Members[i]
		variables = v.space.Set(variables, []string{one.Key}, v.queryTemplate(one.Node, "Assign", states))
	}
	return variables
}

// queryCaught goes along the catchers of a JSONata state.
func (v *visit) queryCaught() {
	list := v.state.Node.Get("Catch")
	for i, c := range v.state.Catch {
		n := list.Item(i)
		if n == nil {
			continue
		}
		caught := v.errorOutput(c.Span)
		without := v.space.OnWay(caught, v.state, c.Span, "the catcher of "+v.state.Name+" replaces the data by the Error Output (no Output)")
		states := v.states(nil, caught)
		variables := v.queryAssigned(n, states)
		data := v.queryOutput(n, without, states)
		if !v.stopped {
			v.to(c.Next, data, variables)
		}
		v.stopped = false
	}
}

// queryField evaluates a field that takes one kind of value.
func (v *visit) queryField(field string, takes Kind) {
	m := member(v.state.Node, field)
	if m == nil {
		return
	}
	text, ok := m.Node.Value.(value.String)
	if !ok || !template.IsExpression(string(text)) {
		return
	}
	found := v.queryTemplate(m.Node, field, nil)
	var b *bound
	if field == "Timestamp" {
		b = timestamps
	}
	v.typed(&use{node: m.Node, span: m.Node.Span, field: field, text: "this expression", shape: found, place: field + " takes", takes: []Kind{takes}, bound: b})
}

// items returns the items of a JSONata Map state.
func (v *visit) items() *Shape {
	m := member(v.state.Node, "Items")
	if m == nil {
		v.typed(&use{
			node: v.state.Node, span: v.state.NameSpan, field: "Items", text: "the input", shape: v.raw, place: "a Map state iterates over",
			takes: []Kind{Array, Object},
		})
		return v.raw
	}
	found := v.queryTemplate(m.Node, "Items", nil)
	takes, text := []Kind{Array, Object}, "this value"
	if m.Node.IsText() { // recorded: an expression that gives an object fails, though an object without one is taken
		takes, text = takes[:1], "this expression"
	}
	v.typed(&use{node: m.Node, span: m.Node.Span, field: "Items", text: text, shape: found, place: "a Map state iterates over", takes: takes})
	return found
}

// conditions goes along the rules of a JSONata Choice state.
func (v *visit) conditions() {
	s := v.state
	list := s.Node.Get("Choices")
	left := []*Shape{v.raw}
	for i, rule := range s.Choices {
		n := list.Item(i)
		if n == nil {
			continue
		}
		var fails []*Shape
		for _, c := range left {
			v.raw, v.effective = c, c
			holds, not := v.condition(n)
			if holds {
				v.takeRule(rule.Next, n, v.space.Either(v.assume(n, c, true)...))
			}
			if not {
				fails = append(fails, v.assume(n, c, false)...)
			}
		}
		left = fails
	}
	for _, c := range left {
		if s.Default != "" {
			v.raw, v.effective = c, c
			v.takeRule(s.Default, s.Node, c)
		}
	}
}

func (v *visit) takeRule(next string, n *source.Node, data *Shape) {
	for _, c := range data.Cases() {
		v.raw, v.effective, v.stopped = c, c, false
		variables := v.queryAssigned(n, nil)
		output := v.queryOutput(n, c, nil)
		if !v.stopped {
			v.went = true
			v.to(next, output, variables)
		}
	}
	v.stopped = false
}

// condition reports whether the condition of a rule may hold, and whether it may not.
func (v *visit) condition(n *source.Node) (holds, fails bool) {
	m := n.Get("Condition")
	if m == nil {
		return true, true
	}
	v.stopped = false
	found := v.queryTemplate(m, "Condition", nil)
	v.typed(&use{node: m, span: m.Span, field: "Condition", text: "this expression", shape: found, place: "a Condition takes", takes: []Kind{Bool}})
	stopped := v.stopped
	v.stopped = false
	if stopped {
		return false, false
	}
	for _, c := range found.Cases() {
		truth, known := c.Constant().(value.Bool)
		holds = holds || !known || bool(truth)
		fails = fails || !known || !bool(truth)
	}
	return holds, fails
}

// queryTemplate returns the shape of the value of a field in JSONata.
func (v *visit) queryTemplate(n *source.Node, field string, states *Shape) *Shape {
	if states == nil {
		states = v.states(nil, nil)
	}
	return v.queryNode(n, field, states, 0)
}

func (v *visit) queryNode(n *source.Node, field string, states *Shape, depth int) *Shape {
	if depth > maxDepth {
		return nil
	}
	switch n.Kind {
	case value.KindArray:
		items := make([]*Shape, 0, len(n.Items))
		for _, inner := range n.Items {
			items = append(items, v.queryNode(inner, field, states, depth+1))
		}
		return v.space.Array(items...)
	case value.KindObject:
		members := make([]Member, 0, len(n.Members))
		for i := range n.Members {
			m := &n.Members[i]
			members = append(members, Member{Name: m.Key, Shape: v.queryNode(m.Node, field, states, depth+1)})
		}
		return v.space.Object(members, false)
	default:
	}
	text, ok := n.Value.(value.String)
	if !ok || !template.IsExpression(string(text)) {
		return v.literal(n)
	}
	return v.evaluated(n, field, string(text[2:len(text)-2]), states)
}

// evaluated returns the shape of an expression's value. One that gives nothing makes the state fail.
func (v *visit) evaluated(n *source.Node, field, text string, states *Shape) *Shape {
	x := v.compiled(n, text)
	if x.tree == nil {
		return nil
	}
	e := &evaluation{visit: v, node: n, field: field, text: text, whole: strings.TrimSpace(text)}
	found := e.eval(x.tree, nil, &frame{names: map[string]*Shape{"states": states}})
	present, some := v.space.Present(found)
	if !some {
		v.stop()
		return nil
	}
	return present
}
