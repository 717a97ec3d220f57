package asl

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

// pathMove returns the move of InputPath or OutputPath.
func (b *flowBuilder) pathMove(stage Stage, from Register) Move {
	s, to, field := b.State, RegisterOutput, b.State.OutputPath
	if stage == StageInputPath {
		to, field = RegisterEffective, s.InputPath
		if b.literal && b.skips {
			return b.field(keep(stage, from, to), stage.String())
		}
	}
	return b.field(selected(Move{Stage: stage, To: ref(to)}, from, field), stage.String())
}

// selected completes a move by the path of a field, which may be absent or null. What the path reads has from as $.
func selected(m Move, from Register, field *PathField) Move {
	switch {
	case field == nil:
		m.Kind, m.From, m.Absent, m.Silent = MoveKeep, refs(from), true, true
	case field.Null:
		m.Kind, m.From = MoveClear, refs(RegisterText)
	default:
		m.Kind, m.From = ReadOf(from, field.Path)
	}
	m.Base = ref(from)
	return m
}

// ReadOf returns the move that a path is, and the parts of registers that it reads: more than one where a filter looks
// elsewhere.
func ReadOf(from Register, p *path.Path) (MoveKind, []Ref) {
	kind, first := MoveGather, Ref{Register: from, Path: p}
	switch {
	case p.Len() == 0:
		kind, first.Path = MoveKeep, nil
	case p.Definite():
		kind = MoveSelect
	}
	switch p.Root() {
	case path.DataRoot:
	case path.ContextRoot:
		first = contextRef(p)
	case path.VariableRoot:
		first.Register, first.Variable, first.Path = RegisterVariables, p.Variable(), behind(p, 0)
	}
	if kind == MoveGather && strings.LastIndex(p.String(), "$$") > 0 {
		return kind, []Ref{first, ref(RegisterContext)}
	}
	return kind, []Ref{first}
}

// contextRef returns a part of the context object; the value of a Map's item is kept in its own register.
func contextRef(p *path.Path) Ref {
	for i, name := range []string{"Map", "Item", "Value"} {
		if i >= p.Len() || p.Segment(i).Name != name {
			return Ref{Register: RegisterContext, Path: behind(p, 0)}
		}
	}
	return Ref{Register: RegisterItem, Path: behind(p, 3)}
}

// behind returns a path to the same place from the value that the first n segments lead to; nil where there are no
// more.
func behind(p *path.Path, n int) *path.Path {
	if n >= p.Len() {
		return nil
	}
	return rooted(p.String()[p.Offset(n):])
}

// rooted returns the path of segments from $.
func rooted(segments string) *path.Path {
	if segments == "" {
		return nil
	}
	p, err := path.Parse("$" + segments)
	if err != nil {
		return nil
	}
	return p
}

// placed returns the move of a ResultPath.
func (b *flowBuilder) placed(where string, field *PathField, from, to Register) Move {
	m := Move{Kind: MovePut, Stage: StageResultPath, From: refs(from), Base: ref(RegisterRaw), To: ref(to)}
	switch {
	case field == nil: // the result replaces the input: worth a stage to look at where there is a result
		m.Absent, m.Silent = true, b.State.Type == Pass && where == ""
	case field.Null:
		m.Kind = MoveDiscard
	case field.Path.Len() > 0:
		m.To.Path = field.Path
	}
	return b.field(m, where+"ResultPath")
}

// payload returns the move of Parameters, Arguments or ItemSelector.
func (b *flowBuilder) payload() Move {
	s, name, field := b.State, "Parameters", b.State.Parameters
	m := Move{Stage: StageParameters, Base: ref(RegisterEffective), To: ref(RegisterPayload)}
	switch {
	case s.Type == Map:
		m.Base, name, field = ref(RegisterItem), "ItemSelector", s.ItemSelector
		if s.Node.Get(name) == nil && s.Node.Get("Parameters") != nil {
			name = "Parameters"
		}
	case s.QueryLanguage == JSONata:
		name, field = "Arguments", s.Arguments
	}
	return b.filled(m, name, field)
}

// output returns the move of Output of a state, rule or catcher in JSONata.
func (b *flowBuilder) output(where string, field *TemplateField, from Register) Move {
	return b.filled(Move{Stage: StageOutputPath, Base: ref(from), To: ref(RegisterOutput)}, where+"Output", field)
}

// assigned returns the move of an Assign; none of a catcher without one.
func (b *flowBuilder) assigned(where string, field *TemplateField) []Move {
	if b.State.Type == Succeed || field == nil && strings.HasPrefix(where, "Catch") {
		return nil
	}
	m := b.filled(Move{Stage: StageAssign, Base: ref(RegisterVariables), To: ref(RegisterAssigned)}, where+"Assign", field)
	if field != nil {
		m.Kind = MoveBind
	}
	return []Move{m}
}

// items returns the move of ItemsPath or Items.
func (b *flowBuilder) items() Move {
	s := b.State
	m := Move{Stage: StageItemsPath, Base: ref(RegisterEffective), To: ref(RegisterItems), Takes: ofArray}
	if s.Distributed() {
		m.Takes |= ofObject
	}
	if s.QueryLanguage == JSONata {
		m = b.filled(m, "Items", s.Items)
	} else {
		m = b.field(selected(m, RegisterEffective, s.ItemsPath), "ItemsPath")
	}
	m.Silent = false
	return m
}

// filled completes the move of a template; an absent one keeps what its event has as Before.
func (b *flowBuilder) filled(m Move, name string, field *TemplateField) Move {
	m = b.field(m, name)
	if field == nil {
		m.Kind, m.From, m.Absent, m.Silent = MoveKeep, refs(m.Base.Register), true, true
		return m
	}
	m.Kind, m.Query, m.Document = MoveFill, field.Query, b.State.Document(m.Field)
	m.parts = sync.OnceValue(func() []Move { return leavesOf(b.State, &m, field, m.Document) })
	return m
}

// Document returns the register that $ is in a field of the state.
func (s *State) Document(f *Field) Register {
	if f == nil || s.QueryLanguage == JSONata {
		return RegisterRaw
	}
	switch f.Reads {
	case EffectiveInput:
		return RegisterEffective
	case RawResult:
		return RegisterResult
	case AssignInput:
		if s.Type.in(onPass | onWork) {
			return RegisterResult
		}
		return RegisterEffective
	case StateOutput:
		return RegisterPlaced
	case ErrorOutput:
		return RegisterError
	case NoDocument, RawInput:
	}
	return RegisterRaw
}

// leaves makes the leaves of a template.
type leaves struct {
	state    *State
	whole    *Move
	from     Register // that $ is
	compiled map[string]*jsonata.Expression
	list     []Move
}

func leavesOf(s *State, whole *Move, field *TemplateField, from Register) []Move {
	l := &leaves{state: s, whole: whole, from: from}
	if field.Query != nil {
		l.compiled = make(map[string]*jsonata.Expression)
		field.Query.Expressions(func(e template.Expression) bool {
			l.compiled[e.Pointer] = e.Compiled
			return true
		})
	}
	n := whole.Node
	if n == nil {
		return nil
	}
	l.walk(n, "", "")
	return l.list
}

// walk adds the leaves below a node; a part without anything to evaluate is a leaf. pointer is its place in the text,
// segments its place in the value.
func (l *leaves) walk(n *Node, pointer, segments string) {
	switch {
	case !l.evaluates(n):
		l.add(n, pointer, segments, Move{Kind: MoveText, From: refs(RegisterText)})
		return
	case n.Kind == value.KindString:
		l.expression(n, pointer, segments)
		return
	}
	for i := range n.Members {
		m := &n.Members[i]
		inner := pointer + "/" + value.EscapePointer(m.Key)
		if name, ok := l.leaf(m); ok {
			l.path(m.Node, inner, segments+path.Member(name))
		} else {
			l.walk(m.Node, inner, segments+path.Member(m.Key))
		}
	}
	for i, item := range n.Items {
		l.walk(item, pointer+"/"+strconv.Itoa(i), segments+"["+strconv.Itoa(i)+"]")
	}
}

// leaf returns the name of a member of a payload template whose value is evaluated.
func (l *leaves) leaf(m *NodeMember) (name string, ok bool) {
	name, ok = strings.CutSuffix(m.Key, template.Suffix)
	return name, ok && l.state.QueryLanguage == JSONPath
}

// evaluates reports whether something in a node is evaluated.
func (l *leaves) evaluates(n *Node) bool {
	if text, ok := n.Value.(value.String); ok {
		return l.state.QueryLanguage == JSONata && template.IsExpression(string(text))
	}
	return slices.ContainsFunc(n.Items, l.evaluates) || slices.ContainsFunc(n.Members, func(m NodeMember) bool {
		_, ok := l.leaf(&m)
		return ok || l.evaluates(m.Node)
	})
}

// add adds a leaf.
func (l *leaves) add(n *Node, pointer, segments string, m Move) {
	m.Stage, m.Field, m.Node, m.At = l.whole.Stage, l.whole.Field, n, l.whole.At+pointer
	m.To = l.whole.To
	if m.To.Register == RegisterAssigned && segments != "" {
		if p := rooted(segments); p != nil {
			m.To.Variable, m.To.Path = p.Segment(0).Name, behind(p, 1)
		}
	} else if m.To.Path != nil {
		m.To.Path = rooted(m.To.Path.String()[1:] + segments)
	} else {
		m.To.Path = rooted(segments)
	}
	l.list = append(l.list, m)
}

// path adds the leaf of a member whose name ends in .$: a text that is neither a path nor a call reads nothing that is
// known.
func (l *leaves) path(n *Node, pointer, segments string) {
	text, _ := n.Value.(value.String)
	m := Move{Kind: MoveCall}
	if strings.HasPrefix(string(text), "$") {
		if p, err := path.Parse(string(text)); err == nil {
			m.Kind, m.From = ReadOf(l.from, p)
		}
	} else if call, err := template.Parse(string(text)); err == nil {
		m = callOf(l.from, call)
	}
	l.add(n, pointer, segments, m)
}

// callOf returns the move of an intrinsic function.
func callOf(from Register, call *template.Call) Move {
	m := Move{Kind: MoveCall, Intrinsic: call}
	var parts []Move
	for _, a := range call.Arguments() {
		var part Move
		switch {
		case a.Call != nil:
			part = callOf(from, a.Call)
		case a.Path != nil:
			part.Kind, part.From = ReadOf(from, a.Path)
		default:
			part.Kind = MoveText
		}
		m.From = append(m.From, part.From...)
		parts = append(parts, part)
	}
	m.parts = func() []Move { return parts }
	return m
}

// expression adds the leaf of a string that is an expression.
func (l *leaves) expression(n *Node, pointer, segments string) {
	compiled := l.compiled[pointer]
	if compiled == nil {
		compiled = compile(string(n.Value.(value.String)))
	}
	m := Move{Kind: MoveCall}
	if compiled != nil {
		m = expressionMove(compiled)
	}
	l.add(n, pointer, segments, m)
}

// compile returns the expression of a text with its marks, nil where it does not compile.
func compile(text string) *jsonata.Expression {
	x, err := jsonata.Compile(strings.TrimSpace(text[2:len(text)-2]), jsonata.StepFunctions())
	if err != nil {
		return nil
	}
	return x
}

// reads returns the Read of the fields of a stage into an end; only is the name of the one of interest, "" for all.
func (b *flowBuilder) reads(stage Stage, to Register, only string) Move {
	s := b.State
	base := RegisterEffective
	if stage == StageFail {
		base = RegisterRaw
	}
	m := Move{Kind: MoveRead, Stage: stage, Base: ref(base), To: ref(to)}
	var list []Move
	for _, f := range FieldsAt(s.Type, s.QueryLanguage, stage) {
		q, t := f.QuantityIn(s), f.TextIn(s)
		switch {
		case only != "" && strings.TrimSuffix(f.Name, "Path") != only:
		case q != nil && q.Field == f.Name:
			list = append(list, b.quantity(m, f.Name, q))
		case t != nil && t.Field == f.Name:
			list = append(list, b.text(m, t))
		}
	}
	return gathered(m, list, stage == StageLimits)
}

// gathered gives a Read its parts. A Read of bounds has an event where not all of them are literals.
func gathered(m Move, list []Move, bounds bool) Move {
	if m.Silent = bounds; bounds {
		for i := range list {
			m.Silent = m.Silent && list[i].Kind == MoveText
		}
	}
	m.Absent = len(list) == 0
	m.parts = func() []Move { return list }
	return m
}

// laterBounds returns the Read of the bounds of a Map that are evaluated once it has begun.
func (b *flowBuilder) laterBounds() Move {
	s := b.State
	m := Move{Kind: MoveRead, Stage: StageLimits, Base: ref(RegisterEffective), To: ref(RegisterBound)}
	var list []Move
	add := func(where string, q *Quantity) {
		if q != nil {
			list = append(list, b.quantity(m, where+q.Field, q))
		}
	}
	add("", s.ToleratedFailureCount)
	add("", s.ToleratedFailurePercentage)
	if s.ItemReader != nil {
		add("ItemReader/ReaderConfig/", s.ItemReader.Config.MaxItems)
	}
	if s.ItemBatcher != nil {
		add("ItemBatcher/", s.ItemBatcher.MaxItemsPerBatch)
		add("ItemBatcher/", s.ItemBatcher.MaxInputBytesPerBatch)
	}
	return gathered(m, list, true)
}

// quantity returns the Read of a number or a timestamp.
func (b *flowBuilder) quantity(m Move, at string, q *Quantity) Move {
	m.Base, m.Takes = Ref{}, ofNumber
	switch {
	case at == "Timestamp" || at == "TimestampPath":
		m.Takes = ofString
	case m.To.Register == RegisterBound && q.Path != nil:
		m.Takes |= ofString // that is the text of a number
	}
	m = b.field(m, at)
	switch {
	case q.Literal != nil:
		m.Kind, m.From = MoveText, refs(RegisterText)
	case q.Path != nil:
		_, m.From = ReadOf(b.State.Document(m.Field), q.Path)
	case q.Query != nil:
		b.asked(&m, q.Query)
	default: // a Calculation
		m.From = refs(RegisterEffective)
	}
	return m
}

// text returns the Read of Error or Cause.
func (b *flowBuilder) text(m Move, t *TextField) Move {
	m.Base, m.Takes = Ref{}, ofString
	m = b.field(m, t.Field)
	switch {
	case t.Path != nil:
		_, m.From = ReadOf(RegisterRaw, t.Path)
	case t.Intrinsic != nil:
		if text, ok := m.nodeText(); ok {
			if call, err := template.Parse(text); err == nil {
				one := callOf(RegisterRaw, call)
				m.From, m.Intrinsic, m.parts = one.From, call, one.parts
			}
		}
	case t.Query != nil:
		b.asked(&m, t.Query)
	case t.Calculation != nil:
		m.From = refs(RegisterRaw)
	default:
		m.Kind, m.From = MoveText, refs(RegisterText)
	}
	return m
}

func (m *Move) nodeText() (string, bool) {
	if m.Node == nil {
		return "", false
	}
	text, ok := m.Node.Value.(value.String)
	return string(text), ok
}

// asked makes a move read what the expression of a field reads.
func (b *flowBuilder) asked(m *Move, q *template.Query) {
	q.Expressions(func(e template.Expression) bool {
		one := expressionMove(e.Compiled)
		m.From, m.Expression, m.Query, m.parts = one.From, e.Compiled, q, one.Parts
		return false
	})
}

// choices returns the Read of all rules of a Choice.
func (b *flowBuilder) choices() Move {
	s := b.State
	m := b.field(Move{Kind: MoveRead, Stage: StageChoices, Base: ref(RegisterEffective), To: ref(RegisterDecision)}, "Choices")
	m.parts = sync.OnceValue(func() []Move {
		var list []Move
		for i, rule := range s.Choices {
			guard := b.guard(i, rule)
			list = append(list, guard.Parts()...)
		}
		return list
	})
	return m
}

// guard returns the Read that decides whether a rule holds.
func (b *flowBuilder) guard(i int, rule *ChoiceRule) Move {
	m := Move{Kind: MoveRead, Stage: StageChoices, Base: ref(RegisterEffective), To: ref(RegisterDecision)}
	m = b.field(m, "Choices["+strconv.Itoa(i)+"]")
	switch {
	case rule.Test != nil:
		m.parts = sync.OnceValue(func() []Move { return b.tests(nil, rule.Test, m.At, nil) })
	case rule.Query != nil:
		whole := b.field(Move{Kind: MoveRead, Stage: StageChoices, To: m.To, Takes: ofBool}, m.At+"/Condition")
		m.parts = sync.OnceValue(func() []Move {
			b.asked(&whole, rule.Query)
			return []Move{whole}
		})
	case rule.Predicate != nil:
		m.From = refs(RegisterEffective)
	}
	return m
}

// tests adds the tests of a rule in the order of the text. asked are the paths whose presence an earlier test of the
// same And has checked.
func (b *flowBuilder) tests(list []Move, t *Test, at string, asked []string) []Move {
	if t == nil { // one with an error
		return list
	}
	for i, operand := range t.Tests {
		if operand == nil {
			continue // of a definition with errors
		}
		inner := at + "/" + t.Operator
		if t.Operator != Not {
			inner += "[" + strconv.Itoa(i) + "]"
		}
		list = b.tests(list, operand, inner, asked)
		if t.Operator == And && operand != nil && operand.Variable != nil && operand.Operator == "IsPresent" {
			asked = append(asked[:len(asked):len(asked)], operand.Variable.String())
		}
	}
	if t.Variable == nil {
		return list
	}
	m := b.field(Move{Kind: MoveRead, Stage: StageChoices, To: ref(RegisterDecision), Test: t}, at)
	_, m.From = ReadOf(RegisterEffective, t.Variable)
	if t.Path != nil {
		_, right := ReadOf(RegisterEffective, t.Path)
		m.From = append(m.From, right...)
	}
	if o := OperatorNamed(t.Operator); o != nil {
		m.Takes = o.Left.kinds()
		if o.TakesAbsent {
			m.Needs = NeedMaybe
		}
	}
	for _, known := range asked {
		if strings.HasPrefix(t.Variable.String(), known) {
			m.Needs = NeedMaybe
		}
	}
	return append(list, m)
}

// kinds returns the kinds of values that operands of the type have; 0 is any.
func (o Operand) kinds() Kinds {
	switch o {
	case StringOperand, TimestampOperand:
		return ofString
	case NumberOperand:
		return ofNumber
	case BoolOperand:
		return ofBool
	}
	return 0
}
