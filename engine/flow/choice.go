package flow

import (
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
)

// outcome has the data with which a test holds and those with which it does not; a nil pointer is none.
type outcome struct{ holds, fails []*Shape }

// choice goes along the rules of a JSONPath Choice state. Each takes the data for which it may hold, and leaves the others to the
// next one.
func (v *visit) choice() {
	s := v.state
	list := s.Node.Get("Choices")
	left := v.effective.Cases()
	for i, rule := range s.Choices {
		n := list.Item(i)
		if rule.Test == nil || n == nil { // not of the language
			for _, c := range left {
				v.follow(rule.Next, n, c)
			}
			continue
		}
		o := v.test(rule.Test, n, left)
		for _, c := range o.holds {
			v.follow(rule.Next, n, c)
		}
		left = o.fails
	}
	for _, c := range left {
		if s.Default != "" {
			v.follow(s.Default, s.Node, c)
		}
	}
}

// follow goes along an edge of a Choice state with data; n is the rule.
func (v *visit) follow(next string, n *source.Node, data *Shape) {
	v.stopped = false
	variables := v.assigned(n, data)
	exit := v.selected("OutputPath", v.state.OutputPath, data)
	if !v.stopped {
		v.went = true
		v.to(next, exit, variables)
	}
	v.stopped = false
}

// test evaluates a Data-Test Expression for alternatives of the data. What makes it fail is in neither list.
func (v *visit) test(t *asl.Test, n *source.Node, data []*Shape) outcome {
	switch t.Operator {
	case asl.And:
		o := outcome{holds: data}
		for i, part := range t.Tests {
			one := v.test(part, n.Get(asl.And).Item(i), o.holds)
			o.holds, o.fails = one.holds, append(o.fails, one.fails...)
		}
		return o
	case asl.Or:
		o := outcome{fails: data}
		for i, part := range t.Tests {
			one := v.test(part, n.Get(asl.Or).Item(i), o.fails)
			o.holds, o.fails = append(o.holds, one.holds...), one.fails
		}
		return o
	case asl.Not:
		o := outcome{}
		for _, part := range t.Tests {
			one := v.test(part, n.Get(asl.Not), data)
			o.holds, o.fails = append(o.holds, one.fails...), append(o.fails, one.holds...)
		}
		return o
	}
	var o outcome
	for _, c := range data {
		v.compare(t, n, c, &o)
	}
	return o
}

// compare evaluates one comparison for one alternative of the data.
func (v *visit) compare(t *asl.Test, n *source.Node, data *Shape, o *outcome) {
	operator := asl.OperatorNamed(t.Operator)
	at := n.Get("Variable")
	if operator == nil || t.Variable == nil || at == nil {
		o.holds, o.fails = append(o.holds, data), append(o.fails, data)
		return
	}
	v.stopped = false
	found := v.find(t.Variable, data)
	if !operator.TakesAbsent {
		found = v.read(at, "Choices", t.Variable, data)
		v.mismatch(t, at, operator, found)
	}
	if t.Path != nil {
		v.read(n.Get(t.Operator+"Path"), "Choices", t.Path, data)
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
	v.typed(&use{
		node: n, span: n.Span, field: "Choices", text: t.Variable.String(), shape: left, place: operator.Name + " compares",
		takes: []Kind{kindOf(operator.Left)}, compares: true,
	})
}
