package flow

import (
	"slices"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Sent returns the shape of what a Task state gives its work.
func (a *Analysis) Sent(s *asl.State) *Shape {
	return a.Part(s, asl.Ref{Register: asl.RegisterPayload})
}

// Unmet returns the reads of a machine that fail for every input of a shape, and not for others: the ones that each
// execution makes in which no state before fails.
func Unmet(machine *asl.StateMachine, input *Shape, o Options) (list []Fault) {
	usual := Check(machine, o)
	o.given = input
	for _, f := range Check(machine, o) {
		same := func(other Fault) bool { return other.Span == f.Span && other.Rule == f.Rule }
		if f.Certain && f.needsData() && f.State.OnEveryWay() && !slices.ContainsFunc(usual, same) {
			list = append(list, f)
		}
	}
	return list
}

// needsData reports whether the state cannot do without the data that it reads: it does not test them only, and they
// are not a part of an expression, or of a field that may be left out.
func (f *Fault) needsData() bool {
	within := func(n *source.Node) bool {
		return n != nil && n.Span.Start.Offset <= f.Span.Start.Offset && f.Span.End.Offset <= n.Span.End.Offset
	}
	switch {
	case f.Rule != rules.NeverProvided && f.Rule != rules.WrongValue:
		return false
	case f.State.QueryLanguage == asl.JSONata:
		return f.Rule == rules.NeverProvided && f.State.Type != asl.Map && f.Read == Unmarked(f.Node) &&
			!within(f.State.Node.Get("Catch"))
	case f.State.Type == asl.Map:
		return !within(f.State.Node.Get("ItemSelector")) && !within(f.State.Node.Get("Parameters"))
	case f.State.Type == asl.Choice:
		return within(firstTest(f.State.Node.Get("Choices").Item(0))) || !within(f.State.Node.Get("Choices"))
	}
	return true
}

// firstTest returns the comparison of a rule that is always made.
func firstTest(rule *source.Node) *source.Node {
	for {
		inner := rule.Get("Not")
		for _, list := range []string{"And", "Or"} {
			if n := rule.Get(list); n != nil {
				inner = n.Item(0)
			}
		}
		if inner == nil {
			return rule
		}
		rule = inner
	}
}

// bare returns a shape of another machine without the steps that made it there.
func (p *Space) bare(s *Shape) *Shape {
	return p.Each(s, func(c *Shape) *Shape {
		switch c.Kind() {
		case Object:
			if c.item != nil {
				return nil
			}
			members := value.Each(c.Members(), func(m Member) Member {
				m.Shape = p.bare(m.Shape)
				return m
			})
			return p.Object(members, c.open)
		case Array:
			return p.array(value.Each(c.items, p.bare), p.bare(c.item), c.open)
		case Null, Bool, Number, String:
			return Scalar(c.kind, c.constant)
		case Unknown, Absent, Function, Union:
		}
		return nil
	})
}
