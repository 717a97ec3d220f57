package flow

import (
	"strings"

	"asldb/engine/intrinsic"
	"asldb/engine/lint/shape"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// maxDepth bounds how deep templates are read.
const maxDepth = 100

// template returns the shape of a payload template.
func (v *visit) template(m *source.NodeMember, data *shape.Shape) *shape.Shape {
	made := v.templateNode(m.Node, m.Key, data, 0)
	if v.stopped || made.Kind() == shape.Unknown {
		return made
	}
	return v.space.Because(made, v.state, m.KeySpan, "the "+m.Key+" of "+v.state.Name+" make a new value, which "+made.Has())
}

func (v *visit) templateNode(n *source.Node, field string, data *shape.Shape, depth int) *shape.Shape {
	switch {
	case depth > maxDepth:
		return nil
	case n.Kind == value.KindArray:
		items := make([]*shape.Shape, 0, len(n.Items))
		for _, inner := range n.Items {
			items = append(items, v.templateNode(inner, field, data, depth+1))
		}
		return v.space.Array(items...)
	case n.Kind != value.KindObject:
		return v.literal(n)
	}
	members := make([]shape.Member, 0, len(n.Members))
	for i := range n.Members {
		m := &n.Members[i]
		name, evaluated := strings.CutSuffix(m.Key, template.Suffix)
		one := shape.Member{Name: name}
		if evaluated {
			one.Shape = v.text(m.Node, field, data)
		} else {
			one.Shape = v.templateNode(m.Node, field, data, depth+1)
		}
		members = append(members, one)
	}
	return v.space.Object(members, false)
}

// literal returns the shape of a value of the text; one with a substitution is any.
func (p *pass) literal(n *source.Node) *shape.Shape {
	if text, ok := n.Value.(value.String); ok && strings.Contains(string(text), "${") {
		return nil
	}
	return p.space.Of(n.Value)
}

// text evaluates a string that is a path or a call of an intrinsic function.
func (v *visit) text(n *source.Node, field string, data *shape.Shape) *shape.Shape {
	text, ok := n.Value.(value.String)
	if !ok {
		return nil
	}
	if strings.HasPrefix(string(text), "$") {
		if p, err := path.Parse(string(text)); err == nil {
			return v.read(n, field, p, data)
		}
		return nil
	}
	if call, err := intrinsic.Parse(string(text)); err == nil {
		return v.call(n, field, call, data)
	}
	return nil
}

// read evaluates a path, and notes it where it finds nothing: then the state fails, except for the index of an item, which gives
// null.
func (v *visit) read(n *source.Node, field string, p *path.Path, data *shape.Shape) *shape.Shape {
	found := v.find(p, data)
	v.noteRead(&use{node: n, span: n.Span, field: field, text: p.String(), shape: found, variable: p.Root() == path.VariableRoot})
	present, some := v.space.Present(found)
	if !some {
		if lack := found.Lack(); lack != nil && strings.HasPrefix(lack.Name, "[") && lack.Owner.Kind() == shape.Array {
			return shape.Scalar(shape.Null, nil)
		}
		v.stop()
		return nil
	}
	return present
}

// find evaluates a path.
func (v *visit) find(p *path.Path, data *shape.Shape) *shape.Shape {
	if strings.Contains(p.String(), "\\") { // an escape may stand for itself, as was recorded
		return nil
	}
	s := data
	switch p.Root() {
	case path.ContextRoot:
		s = v.contextObject()
	case path.VariableRoot:
		s = v.space.Member(v.variables, p.Variable())
		if s.Kind() == shape.Absent { // reported as a variable that is not assigned
			return nil
		}
	case path.DataRoot:
	}
	for i := range p.Len() {
		switch segment := p.Segment(i); segment.Kind {
		case path.NameSegment:
			s = v.space.Member(s, segment.Name)
		case path.IndexSegment:
			s = v.space.Item(s, segment.Index)
		default:
			if s.Kind() == shape.Unknown || p.Definite() {
				return nil
			}
			return v.several(p, i, s)
		}
	}
	return s
}

// several evaluates the rest of a path that gives an array.
func (v *visit) several(p *path.Path, i int, s *shape.Shape) *shape.Shape {
	for ; i < p.Len(); i++ {
		switch segment := p.Segment(i); segment.Kind {
		case path.NameSegment:
			s = v.space.Member(s, segment.Name)
		case path.IndexSegment:
			s = v.space.Item(s, segment.Index)
		case path.SliceSegment, path.IndexesSegment:
			s = v.space.AnyItem(s)
		case path.WildcardSegment, path.FilterSegment:
			s = v.space.Each(s, v.anyMember)
		default:
			return v.space.ArrayOf(nil)
		}
		if present, some := v.space.Present(s); some {
			s = present
		} else {
			return v.space.ArrayOf(nil)
		}
	}
	return v.space.ArrayOf(s)
}

// anyMember returns the shape of any item or member.
func (p *pass) anyMember(s *shape.Shape) *shape.Shape {
	switch s.Kind() {
	case shape.Array:
		return p.space.AnyItem(s)
	default:
		return nil
	}
}

// contextObject returns the shape of the context object.
func (v *visit) contextObject() *shape.Shape {
	text, number := shape.Scalar(shape.String, nil), shape.Scalar(shape.Number, nil)
	of := func(members ...shape.Member) *shape.Shape { return v.space.Object(members, true) }
	execution := v.input
	if v.inDistributed() {
		execution = nil
	}
	list := []shape.Member{
		{Name: "Execution", Shape: of(shape.Member{Name: "Id", Shape: text}, shape.Member{Name: "Input", Shape: execution},
			shape.Member{Name: "Name", Shape: text}, shape.Member{Name: "RoleArn", Shape: text}, shape.Member{Name: "StartTime", Shape: text},
			shape.Member{Name: "RedriveCount", Shape: number})},
		{Name: "State", Shape: of(shape.Member{Name: "EnteredTime", Shape: text}, shape.Member{Name: "Name", Shape: shape.Scalar(shape.String, value.String(v.state.Name))},
			shape.Member{Name: "RetryCount", Shape: number})},
		{Name: "StateMachine", Shape: of(shape.Member{Name: "Id", Shape: text}, shape.Member{Name: "Name", Shape: text})},
		{Name: "Task", Shape: of(shape.Member{Name: "Token", Shape: text})},
	}
	if v.inItem {
		one := of(shape.Member{Name: "Index", Shape: number}, shape.Member{Name: "Value", Shape: v.item})
		list = append(list, shape.Member{Name: "Map", Shape: of(shape.Member{Name: "Item", Shape: one})})
	}
	return of(list...)
}

// inDistributed reports whether the state runs in an execution of a distributed Map.
func (v *visit) inDistributed() bool {
	for c := v.state.Scope.Container; c != nil; c = c.Scope.Container {
		if c.Distributed() {
			return true
		}
	}
	return false
}

// argumentKinds has the kinds that the arguments of the intrinsic functions take; missing ones take any. The table is never
// changed.
var argumentKinds = map[string][][]shape.Kind{
	"States.StringToJson":   {{shape.String}},
	"States.ArrayPartition": {{shape.Array}, {shape.Number}},
	"States.ArrayContains":  {{shape.Array}},
	"States.ArrayRange":     {{shape.Number}, {shape.Number}, {shape.Number}},
	"States.ArrayGetItem":   {{shape.Array}, {shape.Number}},
	"States.ArrayLength":    {{shape.Array}},
	"States.ArrayUnique":    {{shape.Array}},
	"States.Base64Encode":   {{shape.String}},
	"States.Base64Decode":   {{shape.String}},
	"States.JsonMerge":      {{shape.Object}, {shape.Object}, {shape.Bool}},
	"States.MathRandom":     {{shape.Number}, {shape.Number}, {shape.Number}},
	"States.MathAdd":        {{shape.Number}, {shape.Number}},
	"States.StringSplit":    {{shape.String}, {shape.String}},
}

// call evaluates a call of an intrinsic function.
func (v *visit) call(n *source.Node, field string, c *intrinsic.Call, data *shape.Shape) *shape.Shape {
	var arguments []*shape.Shape
	kinds := argumentKinds[c.Function()]
	for i, a := range c.Arguments() {
		var s *shape.Shape
		text := ""
		switch {
		case a.Call != nil:
			s, text = v.call(n, field, a.Call, data), a.Call.String()
		case a.Path != nil:
			s, text = v.read(n, field, a.Path, data), a.Path.String()
		default:
			s, text = v.space.Of(a.Literal), value.Compact(a.Literal)
		}
		if i < len(kinds) && !v.stopped && a.Literal == nil {
			v.typed(&use{node: n, span: n.Span, field: field, text: text, shape: s, place: c.Function() + " takes", takes: kinds[i]})
		}
		arguments = append(arguments, s)
	}
	if v.stopped {
		return nil
	}
	return v.called(c.Function(), arguments)
}

// called returns the shape of a function's result.
func (p *pass) called(name string, arguments []*shape.Shape) *shape.Shape {
	switch name {
	case "States.Format", "States.JsonToString", "States.Base64Encode", "States.Base64Decode", "States.Hash", "States.UUID":
		return shape.Scalar(shape.String, nil)
	case "States.Array":
		return p.space.Array(arguments...)
	case "States.ArrayPartition", "States.ArrayUnique":
		return p.space.ArrayOf(nil)
	case "States.ArrayContains":
		return shape.Scalar(shape.Bool, nil)
	case "States.ArrayRange":
		return p.space.ArrayOf(shape.Scalar(shape.Number, nil))
	case "States.ArrayLength", "States.MathRandom", "States.MathAdd":
		return shape.Scalar(shape.Number, nil)
	case "States.StringSplit":
		return p.space.ArrayOf(shape.Scalar(shape.String, nil))
	case "States.ArrayGetItem":
		if present, some := p.space.Present(p.space.AnyItem(arguments[0])); some {
			return present
		}
	}
	return nil
}

// textOr returns the string of a node, or its JSON.
func textOr(n *source.Node) string {
	if text, ok := n.Value.(value.String); ok {
		return string(text)
	}
	return value.Compact(n.Value)
}
