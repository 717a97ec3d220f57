package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// maxDepth bounds how deep expressions are read.
const maxDepth = 100

// Fill returns the shape of a template; its leaves are parts of the move.
func (v *visit) Fill(m *asl.Move) *Shape {
	parts := m.Parts()
	shape := Filled[*Shape](m.Node, v.state.QueryLanguage, &parts, v)
	s := v.state
	switch {
	case shape == nil || m.To.Register == asl.RegisterItems:
		return v.iterated(m, shape)
	case m.To.Register == asl.RegisterAssigned:
		return v.assigning(m, shape)
	case s.QueryLanguage == asl.JSONPath && v.stopped:
		return shape
	case s.QueryLanguage == asl.JSONPath:
		text := "the " + m.Field.Name + " of " + s.Name + " makes a new value, which " + shape.Has()
		return v.space.Because(shape, s, m.Key, text)
	case m.To.Register == asl.RegisterOutput:
		return v.space.Because(shape, s, m.Node.Span, "the Output of "+s.Name+" "+shape.Has())
	}
	return shape
}

// assigning adds to the values of variables by which state they are assigned.
func (v *visit) assigning(m *asl.Move, shape *Shape) *Shape {
	for _, one := range shape.Members() {
		at := m.Node
		for i := range m.Node.Members {
			if key := m.Node.Members[i].Key; strings.TrimSuffix(key, template.Suffix) == one.Name {
				at = m.Node.Members[i].Node
			}
		}
		shape = v.space.Set(shape, []string{one.Name}, v.space.Because(one.Shape, v.state, at.Span, "the Assign of "+v.state.Name+" sets $"+one.Name))
	}
	return shape
}

// Array returns an array of a template.
func (v *visit) Array(items []*Shape) *Shape { return v.space.Array(items...) }

// Object returns an object of a template.
func (v *visit) Object(names []string, values []*Shape) *Shape {
	members := make([]Member, len(names))
	for i, name := range names {
		members[i] = Member{Name: name, Shape: values[i]}
	}
	return v.space.Object(members, false)
}

// Leaf returns the shape of a leaf of a template; one that is not of the language is unknown.
func (v *visit) Leaf(m *asl.Move) *Shape {
	switch {
	case m.Expression != nil:
		return v.evaluated(m)
	case m.Kind == asl.MoveText:
		return v.literal(m.Node)
	case m.Intrinsic != nil:
		return v.call(m.Node, m.Field.Name, m)
	case len(m.From) > 0:
		return v.read(m.Node, m.Field.Name, value.Plain(m.Node.Value), m.From[0])
	}
	return nil
}

// literal returns the shape of a value of the text, in which strings with a substitution are any.
func (p *pass) literal(n *source.Node) *Shape {
	switch text, _ := n.Value.(value.String); {
	case strings.Contains(string(text), "${"):
		return nil
	case len(n.Items) > 0:
		items := value.Each(n.Items, p.literal)
		return p.space.Array(items...)
	case len(n.Members) > 0:
		members := value.Each(n.Members, func(each source.NodeMember) Member {
			return Member{Name: each.Key, Shape: p.literal(each.Node)}
		})
		return p.space.Object(members, false)
	}
	return p.space.Of(n.Value)
}

// read evaluates a path, and notes it where it finds nothing: then the state fails, except for the index of an item,
// which gives null. Of a variable that is not there nothing is known.
func (v *visit) read(n *source.Node, field, text string, from asl.Ref) *Shape {
	found := v.find(from)
	v.noteRead(&use{node: n, span: n.Span, field: field, text: text, shape: found})
	present, some := v.space.Present(found)
	if !some {
		lack := found.Lack()
		switch {
		case lack != nil && lack.variable:
			return nil
		case lack != nil && strings.HasPrefix(lack.Name, "[") && lack.Owner.Kind() == Array:
			return Scalar(Null, nil)
		}
		v.stop()
		return nil
	}
	return present
}

// find returns a part of a register.
func (v *visit) find(from asl.Ref) *Shape {
	p := from.Path
	if p != nil && strings.Contains(p.String(), "\\") { // an escape may stand for itself, as was recorded
		return nil
	}
	s := v.is[from.Register]
	switch {
	case from.Register == asl.RegisterContext:
		s = v.contextObject()
	case from.Variable != "":
		all := s
		if s = v.space.Member(s, from.Variable); s.Kind() == Absent {
			return &Shape{kind: Absent, hash: nothing.hash, lack: &Lack{Owner: all, Name: from.Variable, variable: true}}
		}
	}
	if p == nil {
		return s
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
	execution := v.given
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
	if item := v.is[asl.RegisterItem]; item != nil {
		one := of(Member{Name: "Index", Shape: number}, Member{Name: "Value", Shape: item})
		list = append(list, Member{Name: "Map", Shape: of(Member{Name: "Item", Shape: one})})
	}
	return of(list...)
}

// argumentKinds has the kinds that the arguments of the intrinsic functions take; missing ones take any. The table is
// never changed.
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

// call evaluates a call of an intrinsic function, whose operands are the parts of the move.
func (v *visit) call(n *source.Node, field string, m *asl.Move) *Shape {
	c := m.Intrinsic
	var arguments []*Shape
	kinds, parts := argumentKinds[c.Function()], m.Parts()
	for i, a := range c.Arguments() {
		var s *Shape
		text := ""
		switch {
		case a.Call != nil:
			s, text = v.call(n, field, &parts[i]), a.Call.String()
		case a.Path != nil:
			text = a.Path.String()
			s = v.read(n, field, text, parts[i].From[0])
		default:
			s, text = v.space.Of(a.Literal), value.Compact(a.Literal)
		}
		if i < len(kinds) && !v.stopped && a.Literal == nil {
			v.typed(&use{node: n, span: n.Span, field: field, text: text, shape: s, place: c.Function() + ": ", takes: kinds[i], argument: i + 1})
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
