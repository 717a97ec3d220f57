package flow

import (
	"strings"

	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// maxDepth bounds how deep templates are read.
const maxDepth = 100

// template returns the shape of a payload template.
func (v *visit) template(m *source.NodeMember, data *Shape) *Shape {
	made := v.templateNode(m.Node, m.Key, data, 0)
	if v.stopped || made.Kind() == Unknown {
		return made
	}
	return v.space.Because(made, v.state, m.KeySpan, "the "+m.Key+" of "+v.state.Name+" make a new value, which "+made.Has())
}

func (v *visit) templateNode(n *source.Node, field string, data *Shape, depth int) *Shape {
	switch {
	case depth > maxDepth:
		return nil
	case n.Kind == value.KindArray:
		items := make([]*Shape, 0, len(n.Items))
		for _, inner := range n.Items {
			items = append(items, v.templateNode(inner, field, data, depth+1))
		}
		return v.space.Array(items...)
	case n.Kind != value.KindObject:
		return v.literal(n)
	}
	members := make([]Member, 0, len(n.Members))
	for i := range n.Members {
		m := &n.Members[i]
		name, evaluated := strings.CutSuffix(m.Key, template.Suffix)
		one := Member{Name: name}
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
func (p *pass) literal(n *source.Node) *Shape {
	if text, ok := n.Value.(value.String); ok && strings.Contains(string(text), "${") {
		return nil
	}
	return p.space.Of(n.Value)
}

// text evaluates a string that is a path or a call of an intrinsic function.
func (v *visit) text(n *source.Node, field string, data *Shape) *Shape {
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
	if call, err := template.Parse(string(text)); err == nil {
		return v.call(n, field, call, data)
	}
	return nil
}

// read evaluates a path, and notes it where it finds nothing: then the state fails, except for the index of an item, which gives
// null.
func (v *visit) read(n *source.Node, field string, p *path.Path, data *Shape) *Shape {
	found := v.find(p, data)
	v.noteRead(&use{node: n, span: n.Span, field: field, text: p.String(), shape: found, variable: p.Root() == path.VariableRoot})
	present, some := v.space.Present(found)
	if !some {
		if lack := found.Lack(); lack != nil && strings.HasPrefix(lack.Name, "[") && lack.Owner.Kind() == Array {
			return Scalar(Null, nil)
		}
		v.stop()
		return nil
	}
	return present
}

// find evaluates a path.
func (v *visit) find(p *path.Path, data *Shape) *Shape {
	if strings.Contains(p.String(), "\\") { // an escape may stand for itself, as was recorded
		return nil
	}
	s := data
	switch p.Root() {
	case path.ContextRoot:
		s = v.contextObject()
	case path.VariableRoot:
		s = v.space.Member(v.variables, p.Variable())
		if s.Kind() == Absent { // reported as a variable that is not assigned
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
			if s.Kind() == Unknown || p.Definite() {
				return nil
			}
			return v.several(p, i, s)
		}
	}
	return s
}

// several evaluates the rest of a path that gives an array.
func (v *visit) several(p *path.Path, i int, s *Shape) *Shape {
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
func (p *pass) anyMember(s *Shape) *Shape {
	switch s.Kind() {
	case Array:
		return p.space.AnyItem(s)
	default:
		return nil
	}
}

// contextObject returns the shape of the context object.
func (v *visit) contextObject() *Shape {
	text, number := Scalar(String, nil), Scalar(Number, nil)
	of := func(members ...Member) *Shape { return v.space.Object(members, true) }
	execution := v.input
	if v.inDistributed() {
		execution = nil
	}
	list := []Member{
		{Name: "Execution", Shape: of(Member{Name: "Id", Shape: text}, Member{Name: "Input", Shape: execution},
			Member{Name: "Name", Shape: text}, Member{Name: "RoleArn", Shape: text}, Member{Name: "StartTime", Shape: text},
			Member{Name: "RedriveCount", Shape: number})},
		{Name: "State", Shape: of(Member{Name: "EnteredTime", Shape: text}, Member{Name: "Name", Shape: Scalar(String, value.String(v.state.Name))},
			Member{Name: "RetryCount", Shape: number})},
		{Name: "StateMachine", Shape: of(Member{Name: "Id", Shape: text}, Member{Name: "Name", Shape: text})},
		{Name: "Task", Shape: of(Member{Name: "Token", Shape: text})},
	}
	if v.inItem {
		one := of(Member{Name: "Index", Shape: number}, Member{Name: "Value", Shape: v.item})
		list = append(list, Member{Name: "Map", Shape: of(Member{Name: "Item", Shape: one})})
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
var argumentKinds = map[string][][]Kind{
	"States.StringToJson":   {{String}},
	"States.ArrayPartition": {{Array}, {Number}},
	"States.ArrayContains":  {{Array}},
	"States.ArrayRange":     {{Number}, {Number}, {Number}},
	"States.ArrayGetItem":   {{Array}, {Number}},
	"States.ArrayLength":    {{Array}},
	"States.ArrayUnique":    {{Array}},
	"States.Base64Encode":   {{String}},
	"States.Base64Decode":   {{String}},
	"States.JsonMerge":      {{Object}, {Object}, {Bool}},
	"States.MathRandom":     {{Number}, {Number}, {Number}},
	"States.MathAdd":        {{Number}, {Number}},
	"States.StringSplit":    {{String}, {String}},
}

// call evaluates a call of an intrinsic function.
func (v *visit) call(n *source.Node, field string, c *template.Call, data *Shape) *Shape {
	var arguments []*Shape
	kinds := argumentKinds[c.Function()]
	for i, a := range c.Arguments() {
		var s *Shape
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
func (p *pass) called(name string, arguments []*Shape) *Shape {
	switch name {
	case "States.Format", "States.JsonToString", "States.Base64Encode", "States.Base64Decode", "States.Hash", "States.UUID":
		return Scalar(String, nil)
	case "States.Array":
		return p.space.Array(arguments...)
	case "States.ArrayPartition", "States.ArrayUnique":
		return p.space.ArrayOf(nil)
	case "States.ArrayContains":
		return Scalar(Bool, nil)
	case "States.ArrayRange":
		return p.space.ArrayOf(Scalar(Number, nil))
	case "States.ArrayLength", "States.MathRandom", "States.MathAdd":
		return Scalar(Number, nil)
	case "States.StringSplit":
		return p.space.ArrayOf(Scalar(String, nil))
	case "States.ArrayGetItem":
		if present, some := p.space.Present(p.space.AnyItem(arguments[0])); some {
			return present
		}
	}
	return nil
}
