package flow

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
)

// visit is the computation of one state for one shape of its input. It is the domain of shapes.
type visit struct {
	*pass
	state   *asl.State
	flow    *asl.Flow
	lane    *asl.Lane // that is taken; nil before
	is      Registers[*Shape]
	sites   *sites // nil where none are gathered
	stopped bool   // the state certainly fails
	failed  bool   // it has, on one way
	went    bool   // it has ended without failure
	lenient bool
	ways    []way
}

// through computes a state for one shape of its input. Faults go to the sites, if there are any.
func (p *pass) through(s *asl.State, c cell, in *input, sites *sites) *visit {
	v := &visit{pass: p, state: s, flow: asl.FlowOf(s, p.options.LiteralFirst), lenient: in.lenient, sites: sites}
	v.is[asl.RegisterRaw], v.is[asl.RegisterVariables] = c.data, c.variables
	if p.options.Damage.States[s] || in.unknown == notComputed {
		v.damaged()
		return v
	}
	Forward(v, &v.is, v.flow.Enter[1:])
	if v.stopped {
		return v
	}
	if s.Type == asl.Choice {
		v.choose()
		return v
	}
	v.take(asl.LaneCaught)
	Forward(v, &v.is, v.flow.Work)
	Forward(v, &v.is, v.flow.Each)
	if !v.stopped && v.ends() {
		v.take(asl.LaneDone)
	}
	return v
}

// stop notes that the state fails.
func (v *visit) stop() {
	v.failed = true
	v.stopped = !v.lenient
}

// take goes along all lanes of a kind.
func (v *visit) take(kind asl.LaneKind) {
	for i := range v.flow.Lanes {
		if l := &v.flow.Lanes[i]; l.Kind == kind {
			v.along(l)
		}
	}
}

// along goes along a lane, to the next state or the end of the scope. What it has done with the registers is forgotten.
func (v *visit) along(l *asl.Lane) {
	before := v.is
	v.lane = l
	Forward(v, &v.is, l.Moves)
	if !v.stopped {
		v.went = v.went || l.Kind != asl.LaneCaught
		switch {
		case l.To != nil:
			v.ways = append(v.ways, way{l.To, v.is[asl.RegisterOutput], v.is[asl.RegisterVariables]})
		case l.Ends && !v.done:
			v.exit(v.state.Scope, v.is[asl.RegisterOutput])
		}
	}
	v.gather()
	v.is, v.lane, v.stopped = before, nil, false
}

// ends reports whether all scopes in the state end, and are computed; else the state is computed again when they are.
func (v *visit) ends() bool {
	if v.state.Type == asl.Map && v.state.Processor == nil {
		return false
	}
	for _, scope := range v.flow.Children {
		if _, ends := v.exits[scope]; !ends {
			return false
		}
	}
	return len(v.flow.Children) == 0 || v.settled()
}

// settled reports whether all states inside of the container are computed; else the container is computed again when
// they are.
func (v *visit) settled() bool {
	depth := 1
	for c := v.state.Scope.Container; c != nil; c = c.Scope.Container {
		depth++
	}
	for ; depth < len(v.pending); depth++ {
		if len(v.pending[depth]) > 0 {
			v.queue(v.state, v.inputs[v.state])
			return false
		}
	}
	return true
}

// Read evaluates the path of a field.
func (v *visit) Read(m *asl.Move) *Shape {
	if m.Stage == asl.StageResultWriter { // outputs that it describes
		return nil
	}
	found := v.read(m.Node, m.Field.Name, value.Plain(m.Node.Value), m.From[0])
	if from := m.From[0]; m.To.Register != asl.RegisterItems && from.Register == m.Base.Register && from.Path != nil {
		found = v.space.Because(found, v.state, m.Node.Span, "in "+v.state.Name+", "+m.Field.Name+" "+from.Path.String()+asl.SelectsAnother)
	}
	return v.iterated(m, found)
}

// Keep returns a value as it is; one that a catcher or a state without a field for it puts in place of the data says
// so.
func (v *visit) Keep(m *asl.Move, s *Shape) *Shape {
	if m.Absent && m.To.Register == asl.RegisterOutput && m.From[0].Register == asl.RegisterError {
		return v.caught(s, "no Output")
	}
	return v.iterated(m, s)
}

// iterated looks at the items of a Map state.
func (v *visit) iterated(m *asl.Move, s *Shape) *Shape {
	if m.To.Register != asl.RegisterItems {
		return s
	}
	u := use{node: m.Node, field: m.Field.Name, shape: s, place: "a Map state iterates over", takes: kindsOf(m.Takes)}
	switch {
	case m.Absent:
		u.node, u.span, u.text = v.state.Node, v.state.NameSpan, "the input"
	case v.state.QueryLanguage == asl.JSONPath:
		u.place, u.text = m.Field.Name+" takes", value.Plain(m.Node.Value)
	case m.Node.IsText():
		u.place, u.text = m.Field.Name+" takes", "this expression"
	default:
		u.place, u.text = m.Field.Name+" takes", "this value"
	}
	if u.span == (source.Span{}) {
		u.span = m.Node.Span
	}
	v.typed(&u)
	return s
}

// kindsOf returns the kinds of shapes of kinds of values.
func kindsOf(takes asl.Kinds) (list []Kind) {
	for of, kind := range shapeKinds {
		if takes.Has(value.Kind(of)) {
			list = append(list, kind)
		}
	}
	return list
}

// shapeKinds has the kind of the shapes of each kind of values.
var shapeKinds = [...]Kind{
	value.KindNull: Null, value.KindBool: Bool, value.KindNumber: Number, value.KindString: String, value.KindArray: Array, value.KindObject: Object,
}

// Text returns the Result of a Pass state, or the empty object of a path that is null.
func (v *visit) Text(m *asl.Move) *Shape {
	s := v.state
	if m.Kind == asl.MoveClear {
		return v.space.Because(v.space.Object(nil, false), s, m.Node.Span,
			m.Field.Name+" of "+s.Name+" is null: the data are an empty object")
	}
	shape := v.space.Of(s.Result.Value)
	return v.space.Because(shape, s, s.Result.Span, "the Result of "+s.Name+" "+shape.Has())
}

// Put returns the output of ResultPath.
func (v *visit) Put(m *asl.Move, raw, result *Shape) *Shape {
	s := v.state
	switch {
	case m.Kind == asl.MoveDiscard:
		return v.discarded(raw)
	case m.Absent && v.lane.Kind == asl.LaneCaught:
		return v.caught(result, asl.DefaultResultPath)
	case m.Absent && (s.Type != asl.Pass || s.Result != nil || s.Parameters != nil):
		return v.space.Because(result, s, s.NameSpan, "in "+s.Name+", "+asl.DefaultResultPath+asl.Replaced(false))
	case m.To.Path == nil:
		return result
	}
	list, plain := namesOf(m.To.Path)
	if !plain {
		return nil
	}
	if raw.Kind() != Unknown && v.lane.Kind == asl.LaneDone {
		v.typed(&use{node: m.Node, span: m.Node.Span, field: "ResultPath", text: "the input", shape: raw, place: "ResultPath " + m.To.Path.String() + " adds to", takes: []Kind{Object}})
	}
	return v.space.Set(raw, list, result)
}

// discarded returns the input of a state whose ResultPath is null.
func (v *visit) discarded(raw *Shape) *Shape {
	if v.lane.Kind != asl.LaneCaught {
		return raw
	}
	return v.space.because(raw, Step{
		By: raw.By(), Span: v.state.Catch[v.lane.Index].Span, Way: true, discards: true,
		Text: "catcher " + strconv.Itoa(v.lane.Index+1) + " of " + v.state.Name + " discards the Error Output (ResultPath null)",
	})
}

// caught adds the step of a catcher.
func (v *visit) caught(s *Shape, field string) *Shape {
	return v.space.because(s, Step{
		By: v.state, Span: v.state.Catch[v.lane.Index].Span,
		Text: "in " + v.state.Name + ", " + field + " of catcher " + strconv.Itoa(v.lane.Index+1) + asl.Replaced(true),
		Way:  true, catcher: v.lane.Index + 1,
	})
}

// errorOutput returns the Error Output that a catcher takes.
func (v *visit) errorOutput() *Shape {
	text := v.space.Either(Scalar(String, nil), Scalar(Null, nil))
	shape := v.space.Object([]Member{{Name: "Error", Shape: text}, {Name: "Cause", Shape: text}}, false)
	return v.space.OnWay(shape, v.state, v.state.Catch[v.lane.Index].Span, "a catcher of "+v.state.Name+" gives the Error Output: Error and Cause")
}

// Bind returns the variables with the variables of an Assign.
func (v *visit) Bind(variables, assigned *Shape) *Shape {
	for _, one := range assigned.Members() {
		variables = v.space.Set(variables, []string{one.Name}, one.Shape)
	}
	return variables
}

// Item returns the shape of any item of a Map state.
func (v *visit) Item(_ *asl.Move, items *Shape) *Shape {
	item := v.space.Each(items, func(c *Shape) *Shape {
		if c.Kind() == Array {
			return v.space.AnyItem(c)
		}
		return nil // of an object they have Key and Value
	})
	if item.Kind() == Absent {
		return nil
	}
	return item
}

// Batch returns the input of an iteration with a batch of items.
func (v *visit) Batch(m *asl.Move, item, input *Shape) *Shape {
	members := []Member{{Name: "Items", Shape: v.space.ArrayOf(item)}}
	if v.state.ItemBatcher.BatchInput != nil {
		members = append(members, Member{Name: "BatchInput", Shape: input})
	}
	return v.space.Because(v.space.Object(members, false), v.state, m.Node.Span, "the ItemBatcher of "+v.state.Name+" gives an object with Items")
}

// Begin enters a scope. The iterations of a distributed Map are separate executions, without variables.
func (v *visit) Begin(m *asl.Move, data *Shape) {
	if v.done || v.stopped || len(v.flow.Children) == 0 {
		return
	}
	scope, variables := v.flow.Children[max(0, m.To.Child)], v.is[asl.RegisterVariables]
	if v.state.Distributed() {
		variables = v.space.Object(nil, false)
	}
	if first := scope.Meant(scope.StartAt); first != nil {
		v.enter(first, data, variables)
	}
}

// Collect returns the result of a container.
func (v *visit) Collect(*asl.Move) *Shape {
	s := v.state
	if s.Type == asl.Map {
		var result *Shape
		if s.Processor != nil {
			result = v.exits[s.Processor]
		}
		return v.space.Because(v.space.ArrayOf(result), s, s.NameSpan, "the result of a Map state such as "+s.Name+" is an array, with one item for each iteration")
	}
	results := value.Each(s.Branches, func(branch *asl.Scope) *Shape { return v.exits[branch] })
	return v.space.Because(v.space.Array(results...), s, s.NameSpan, "the result of a Parallel state such as "+s.Name+" is an array, with one item for each branch")
}

// Ask returns the result of a task, or of a Map whose outputs are written elsewhere; of what a reader gives nothing is
// known.
func (v *visit) Ask(m *asl.Move) *Shape {
	switch {
	case m.Kind == asl.MoveCaught:
		return v.errorOutput()
	case m.To.Register == asl.RegisterItems:
		return nil
	case m.Stage != asl.StageResultWriter:
		return v.answer()
	}
	text := Scalar(String, nil)
	details := v.space.Object([]Member{{Name: "Bucket", Shape: text}, {Name: "Key", Shape: text}}, false)
	members := []Member{{Name: "MapRunArn", Shape: text}, {Name: "ResultWriterDetails", Shape: details}}
	shape := v.space.Object(members, false)
	return v.space.Because(shape, v.state, v.state.ResultWriter.Span,
		"the ResultWriter of "+v.state.Name+" writes the outputs elsewhere: the result is an object with MapRunArn and ResultWriterDetails")
}

// Use looks at the values of fields that take a number, a timestamp or a text. The rules of a Choice are looked at one
// by one.
func (v *visit) Use(m *asl.Move) {
	if m.To.Register == asl.RegisterDecision {
		return
	}
	parts := m.Parts()
	for i := range parts {
		v.used(&parts[i])
	}
}

func (v *visit) used(m *asl.Move) {
	if m.Kind == asl.MoveText || m.Node == nil || m.Field == nil {
		return
	}
	u := use{node: m.Node, span: m.Node.Span, field: m.Field.Name, place: m.Field.Name + " takes", takes: []Kind{String}, text: value.Plain(m.Node.Value)}
	number := m.Takes.Has(value.KindNumber)
	if number {
		u.takes = []Kind{Number}
	}
	switch {
	case m.Expression != nil:
		u.text, u.shape = "this expression", v.evaluated(m)
		if m.Field.Name == "Timestamp" {
			u.bound = timestamps
		}
	case m.Intrinsic != nil:
		u.shape = v.call(m.Node, m.Field.Name, m)
	case len(m.From) > 0 && strings.HasPrefix(u.text, "$"):
		u.shape, u.numeric = v.read(m.Node, m.Field.Name, u.text, m.From[0]), number
		if m.To.Register != asl.RegisterFailure {
			u.bound = boundOf(m.Field.Name)
		}
	default: // not of the language
		return
	}
	v.typed(&u)
}

// namesOf returns the names of a path, false where it has other segments.
func namesOf(p *path.Path) (names []string, plain bool) {
	for i := range p.Len() {
		segment := p.Segment(i)
		if segment.Kind != path.NameSegment {
			return nil, false
		}
		names = append(names, segment.Name)
	}
	return names, true
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
