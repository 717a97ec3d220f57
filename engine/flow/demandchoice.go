package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// Part returns what is known of a part of a register of a state.
func (a *Analysis) Part(s *asl.State, from asl.Ref) *Shape {
	v := &visit{pass: a.pass, state: s, flow: asl.FlowOf(s, a.pass.options.LiteralFirst)}
	v.is, _ = a.visit(s)
	return v.find(from)
}

// choose requires values by which a Choice state goes where the run is to go.
func (v *backwardWalk) choose(list, at int) {
	n := 0
	for i := range v.flow.Lanes {
		l := &v.flow.Lanes[i]
		if l.Guard == nil {
			continue
		}
		tests := make(map[*asl.Test]*asl.Move)
		parts := l.Guard.Parts()
		v.at(list, at, n)
		for k := range parts {
			m := &parts[k]
			tests[m.Test] = m
			if m.Expression != nil {
				v.expression(m, nil, v.decision(v.state, l.Index))
			}
		}
		if rule := v.state.Choices[l.Index]; rule.Test != nil {
			(&choosing{v, tests, list, at, &n}).test(rule.Test, v.decision(v.state, l.Index))
		}
		n++
	}
}

// choosing goes through the tests of a rule.
type choosing struct {
	*backwardWalk
	moves    map[*asl.Test]*asl.Move
	list, at int
	count    *int
}

// test requires values for which a test comes to a decision.
func (c *choosing) test(t *asl.Test, wanted Decision) {
	if t == nil {
		return
	}
	switch t.Operator {
	case asl.And, asl.Or:
		decisive := ToHold // the operand that decides alone
		if t.Operator == asl.And {
			decisive = NotToHold
		}
		alone := -1
		if wanted == decisive {
			alone = c.easiest(t.Tests, wanted)
		}
		for i, operand := range t.Tests {
			if alone >= 0 && i != alone {
				c.test(operand, Undecided)
			} else {
				c.test(operand, wanted)
			}
		}
	case asl.Not:
		for _, operand := range t.Tests {
			c.test(operand, wanted.not())
		}
	default:
		if m := c.moves[t]; m != nil && len(m.From) > 0 {
			*c.count++
			c.backwardWalk.at(c.list, c.at, *c.count)
			c.comparison(m, wanted)
		}
	}
}

// easiest returns the operand that is to decide alone: one that reads a value from outside, and rather compares it
// than asks for its type, or whether it is there.
func (c *choosing) easiest(tests []*asl.Test, wanted Decision) int {
	best, score := 0, -1
	for i, t := range tests {
		points := 0
		switch {
		case t == nil:
			continue
		case !strings.HasPrefix(t.Operator, "Is"):
			points += 2
		case t.Operator != "IsPresent" || wanted == ToHold:
			points++
		}
		if m := c.moves[t]; m != nil && len(m.From) > 0 && !determined(c.analysis.Part(c.state, m.From[0])) {
			points += 3
		}
		if points > score {
			best, score = i, points
		}
	}
	return best
}

// determined reports whether the definition itself determines a value.
func determined(s *Shape) bool {
	return s.Every(func(c *Shape) bool { return c.Constant() != nil || c.Kind() == Absent })
}

// comparison requires a value for which a comparison comes to a decision.
func (c *choosing) comparison(m *asl.Move, wanted Decision) {
	t := m.Test
	if t.Operator == "IsPresent" {
		var d *Demand
		if there := t.Value == value.Value(value.Bool(true)); wanted != Undecided {
			d = c.present(there == (wanted == ToHold))
		}
		c.asking = true
		c.ask(m.From[0], d)
		c.asking = false
		return
	}
	o := asl.OperatorNamed(t.Operator)
	if o == nil {
		return
	}
	k := operandsWanted[o.Left]
	left, right := c.want(k), c.want(k)
	literal := t.Value
	if t.Path != nil && len(m.From) > 1 {
		known, other := c.known(m.From[0]), c.known(m.From[1])
		literal = other
		if other == nil && known != nil && wanted != Undecided { // the right side comes from outside, the left does not
			right = c.join(right, c.limit(o.Mirrored().Name, known, wanted))
		} else if other == nil {
			literal = c.usual(m.From[1], k)
		}
	}
	if wanted != Undecided && literal != nil {
		left = c.join(left, c.limit(t.Operator, literal, wanted))
	}
	c.asking = wanted == Undecided
	c.ask(m.From[0], left)
	c.asking = false
	if t.Path != nil && len(m.From) > 1 {
		c.early--
		c.ask(m.From[1], c.later(right))
	}
}

// known returns the value that a definition has at the part of a register, or nil.
func (c *choosing) known(from asl.Ref) value.Value {
	if shape := c.analysis.Part(c.state, from); shape.Kind() != Unknown {
		return shape.Cases()[0].Constant()
	}
	return nil
}

// usual is the value that one will have which only its kind is asked of.
func (c *choosing) usual(from asl.Ref, k Wanted) value.Value {
	name := from.Variable
	if p := from.Path; p != nil && p.Len() > 0 {
		name = p.Segment(p.Len() - 1).Name
	}
	return Usual(k, name)
}

// SampleTime is the timestamp of made-up values.
const SampleTime = "2026-01-01T00:00:00Z"

// Usual is the value of a kind that is made up for a name.
func Usual(k Wanted, name string) value.Value {
	switch k {
	case WantNumber:
		return value.Int(1)
	case WantBytes:
		return value.Int(256 << 10)
	case WantBool:
		return value.Bool(true)
	case WantTime:
		return value.String(SampleTime)
	case WantNull:
		return value.Null{}
	case WantAny, WantText, WantArray, WantObject:
	}
	return value.String(name)
}

// limit requires that a comparison with a literal comes to a decision.
func (v *backwardWalk) limit(operator string, literal value.Value, wanted Decision) *Demand {
	return v.leaf(Demand{Limits: []Limit{{operator, literal, wanted == ToHold, chosenWeight}}})
}

// present requires a value to be there, or not to be.
func (v *backwardWalk) present(there bool) *Demand {
	if there {
		return v.leaf(Demand{read: chosenWeight})
	}
	return v.leaf(Demand{unwanted: chosenWeight - 1})
}

// operandsWanted has the kind of value of each type of operand. The table is never changed.
var operandsWanted = [...]Wanted{
	0: WantAny, asl.StringOperand: WantText, asl.NumberOperand: WantNumber, asl.BoolOperand: WantBool,
	asl.TimestampOperand: WantTime,
}
