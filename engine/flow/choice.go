package flow

import (
	"slices"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
)

// outcome has the data with which a test holds and those with which it does not; a nil pointer is none.
type outcome struct{ holds, fails []*Shape }

// choose goes along the rules of a Choice state. Each takes the data for which it may hold, and leaves the others to
// the next one.
func (v *visit) choose() {
	left := v.is[asl.RegisterEffective].Cases()
	v.constants()
	for i := range v.flow.Lanes {
		l := &v.flow.Lanes[i]
		holds := left
		switch {
		case l.Kind == asl.LaneRule:
			holds, left = v.decided(l, left)
		case l.Kind != asl.LaneDefault || v.state.Default == "":
			continue
		}
		for _, c := range holds {
			v.at(c)
			v.along(l)
		}
	}
}

// at makes one alternative of the data the input of a Choice state.
func (v *visit) at(data *Shape) {
	v.is[asl.RegisterEffective] = data
	if v.state.QueryLanguage == asl.JSONata {
		v.is[asl.RegisterRaw] = data
	}
}

// decided returns the data for which a rule may hold, and those for which it may not.
func (v *visit) decided(l *asl.Lane, left []*Shape) (holds, fails []*Shape) {
	switch rule := v.state.Choices[l.Index]; {
	case v.state.QueryLanguage == asl.JSONata:
		return v.condition(l.Guard, left)
	case rule.Test == nil || l.Guard.Node == nil: // not of the language
		return left, left
	default:
		o := v.test(l.Guard.Parts(), rule.Test, left)
		return o.holds, o.fails
	}
}

// test evaluates a Data-Test Expression for alternatives of the data. What makes it fail is in neither list.
func (v *visit) test(moves []asl.Move, t *asl.Test, data []*Shape) outcome {
	switch t.Operator {
	case asl.And:
		o := outcome{holds: data}
		for _, part := range t.Tests {
			one := v.test(moves, part, o.holds)
			o.holds, o.fails = one.holds, append(o.fails, one.fails...)
		}
		return o
	case asl.Or:
		o := outcome{fails: data}
		for _, part := range t.Tests {
			one := v.test(moves, part, o.fails)
			o.holds, o.fails = append(o.holds, one.holds...), one.fails
		}
		return o
	case asl.Not:
		o := outcome{}
		for _, part := range t.Tests {
			one := v.test(moves, part, data)
			o.holds, o.fails = append(o.holds, one.fails...), append(o.fails, one.holds...)
		}
		return o
	}
	i := slices.IndexFunc(moves, func(m asl.Move) bool { return m.Test == t })
	operator := asl.OperatorNamed(t.Operator)
	if i < 0 || operator == nil || moves[i].Node.Get("Variable") == nil {
		return outcome{data, data}
	}
	var o outcome
	for _, c := range data {
		v.compare(&moves[i], operator, c, &o)
	}
	return o
}

// compare evaluates one comparison for one alternative of the data.
func (v *visit) compare(m *asl.Move, operator *asl.Operator, data *Shape, o *outcome) {
	t, at := m.Test, m.Node.Get("Variable")
	v.at(data)
	v.stopped = false
	found := v.find(m.From[0])
	if !operator.TakesAbsent {
		found = v.read(at, "Choices", t.Variable.String(), m.From[0])
		v.mismatch(t, at, operator, found)
	}
	if right := m.Node.Get(t.Operator + "Path"); t.Path != nil && right != nil {
		v.read(right, "Choices", t.Path.String(), m.From[1])
	}
	stopped := v.stopped
	v.stopped = false
	if stopped {
		return
	}
	holds, fails := v.split(t, operator, found)
	if want, ok := t.Value.(value.Bool); ok && operator.Name == "IsPresent" && found.Kind() == Unknown && t.Variable.Root() == path.DataRoot {
		if names, plain := namesOf(t.Variable); plain && data.Certain(names) {
			if bool(want) {
				fails = nil
			} else {
				holds = nil
			}
		}
	}
	if kept, ok := v.keep(t.Variable, data, found, holds); ok {
		o.holds = append(o.holds, kept)
	}
	if kept, ok := v.keep(t.Variable, data, found, fails); ok {
		o.fails = append(o.fails, kept)
	}
}

// split returns the alternatives of the left operand for which a comparison may hold, and for which it may not.
func (v *visit) split(t *asl.Test, operator *asl.Operator, found *Shape) (holds, fails []*Shape) {
	for _, c := range found.Cases() {
		truth, known := v.decide(t, operator, c)
		if !known || truth {
			holds = append(holds, c)
		}
		if !known || !truth {
			fails = append(fails, c)
		}
	}
	return holds, fails
}

// decide returns the result of a comparison, where it is known.
func (v *visit) decide(t *asl.Test, operator *asl.Operator, left *Shape) (truth, known bool) {
	if left.Kind() == Unknown {
		return false, false
	}
	want, _ := t.Value.(value.Bool)
	test := func(k Kind) (bool, bool) { return (left.Kind() == k) == bool(want), true }
	switch operator.Name {
	case "IsPresent":
		return (left.Kind() != Absent) == bool(want), true
	case "IsNull":
		return test(Null)
	case "IsString":
		return test(String)
	case "IsNumeric":
		return test(Number)
	case "IsBoolean":
		return test(Bool)
	}
	if left.Kind() == Absent {
		return false, false
	}
	if operator.Left != 0 && left.Kind() != kindOf(operator.Left) && !operator.Tests {
		return false, true
	}
	if t.Path != nil || left.Constant() == nil || t.Value == nil {
		return false, false
	}
	compare, err := operator.Compile(t.Value)
	if err != nil {
		return false, false
	}
	return compare(left.Constant()), true
}

func kindOf(o asl.Operand) Kind {
	switch o {
	case asl.NumberOperand:
		return Number
	case asl.BoolOperand:
		return Bool
	case asl.StringOperand, asl.TimestampOperand:
	}
	return String
}

// keep returns the data in which the value at a path is one of the kept alternatives; false where there is none.
func (v *visit) keep(p *path.Path, data, found *Shape, kept []*Shape) (*Shape, bool) {
	if len(kept) == 0 {
		return nil, false
	}
	if found.Kind() != Union || len(kept) == len(found.Cases()) || p.Root() != path.DataRoot {
		return data, true
	}
	names, plain := namesOf(p)
	if !plain {
		return data, true
	}
	for _, c := range kept {
		if c.Kind() == Absent {
			return data, true
		}
	}
	return v.space.Set(data, names, v.space.Either(kept...)), true
}

// mismatch notes a comparison of a value with one of another type: it never holds.
func (v *visit) mismatch(t *asl.Test, n *source.Node, operator *asl.Operator, left *Shape) {
	if operator.Left == 0 || operator.Tests {
		return
	}
	var word value.Value
	if operator.Name == "StringEquals" {
		word = t.Value
	}
	v.typed(&use{
		node: n, span: n.Span, field: "Choices", text: t.Variable.String(), shape: left,
		place: operator.Name + " compares",
		takes: []Kind{kindOf(operator.Left)}, compares: true, word: word,
	})
}

// constants notes the tests that have one outcome for all data. A rule is looked at with all data, not only with those
// that the rules before it leave.
func (v *visit) constants() {
	if v.sites == nil || v.given != nil || v.options.Results != nil {
		return
	}
	for i := range v.flow.Lanes {
		guard := v.flow.Lanes[i].Guard
		if guard == nil {
			continue
		}
		parts := guard.Parts()
		for k := range parts {
			m := &parts[k]
			switch at := m.Node.Get("Variable"); {
			case v.state.QueryLanguage == asl.JSONata:
				v.constantCondition(m)
			case m.Test == nil || at == nil:
			case m.Test.Operator == "IsPresent":
				u := &use{node: at, span: at.Span, field: "Choices", text: m.Test.Variable.String(), shape: v.find(m.From[0])}
				v.sites.guard(u, v.always(m.From[0]))
			default:
				v.constantTest(m, at)
			}
		}
	}
}

// constantTest notes a comparison with a value that is known.
func (v *visit) constantTest(m *asl.Move, at *source.Node) {
	operator := asl.OperatorNamed(m.Test.Operator)
	if operator == nil {
		return
	}
	found := v.find(m.From[0])
	holds, fails := found.Every(func(c *Shape) bool { return v.settles(m.Test, operator, c, true) }),
		found.Every(func(c *Shape) bool { return v.settles(m.Test, operator, c, false) })
	v.sites.decided(&use{
		node: at, span: at.Span, field: "Choices", text: m.Test.Variable.String(), place: operator.Name + " always",
		shape: found,
	}, holds, fails)
}

// settles reports whether a comparison with a constant certainly has an outcome. One with a value of another kind is
// told elsewhere.
func (v *visit) settles(t *asl.Test, operator *asl.Operator, left *Shape, outcome bool) bool {
	truth, known := v.decide(t, operator, left)
	return known && truth == outcome && left.Constant() != nil &&
		(operator.Tests || left.Kind() == kindOf(operator.Left))
}

// constantCondition notes a Condition that asks for the input and has one outcome.
func (v *visit) constantCondition(m *asl.Move) {
	if m.Expression == nil {
		return
	}
	tree, holds, fails := v.compiled(m), true, true
	for _, c := range v.is[asl.RegisterRaw].Cases() {
		holds, fails = holds && len(v.narrow(tree, c, false)) == 0, fails && len(v.narrow(tree, c, true)) == 0
	}
	v.sites.decided(&use{
		node: m.Node, span: m.Node.Span, field: "Condition", text: "this Condition", place: "Condition always",
		shape: v.is[asl.RegisterRaw],
	}, holds, fails)
}

// always reports whether there certainly is something at the end of a path of names.
func (v *visit) always(from asl.Ref) bool {
	if from.Path == nil {
		return true
	}
	names, plain := namesOf(from.Path)
	return plain && from.Variable == "" && v.is[from.Register].Certain(names)
}
