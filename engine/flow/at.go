package flow

import (
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Machine returns the machine that was analysed.
func (a *Analysis) Machine() *asl.StateMachine { return a.pass.machine }

// visit computes a state, and returns what is known of its registers, and its reads.
func (a *Analysis) visit(s *asl.State) (known Registers[*Shape], reads *sites) {
	p, in := a.pass, a.pass.inputs[s]
	reads = newSites(p, s, 1)
	if in == nil {
		return known, reads
	}
	p.space.Refill(budget)
	p.known = &known
	defer func() { p.known = nil }()
	for _, c := range p.cells(s, in) {
		v := p.through(s, c, in, reads)
		v.gather()
	}
	return known, reads
}

// gather adds what the visit knows to what the others do.
func (v *visit) gather() {
	if v.known == nil {
		return
	}
	for r, s := range v.is {
		switch known := &v.known[r]; {
		case s == nil:
		case *known == nil:
			*known = s
		default:
			*known = v.space.Either(*known, s)
		}
	}
}

// Reads says in words what is known of the parts of data that are read at a place of a state's text: of what kind each
// is, which state has made it, and on which ways it is missing.
func (a *Analysis) Reads(s *asl.State, at source.Span) (lines []ReadWords) {
	_, reads := a.visit(s)
	for _, one := range reads.order {
		here := one.node.Span.Start == at.Start && one.node.Span.End == at.End
		if !here || one.total == 0 || one.takes != nil || one.fault != "" || one.guards {
			continue
		}
		lines = append(lines, ReadWords{one.text, one.words()})
	}
	return lines
}

// ReadWords is a part of data with what is known of it.
type ReadWords struct{ Text, Words string }

// words says what is known of a read.
func (s *site) words() string { return factOf(s.found, false, s.text).String() }

// Example returns a value that has the members of a shape; null where nothing is known.
func (s *Shape) Example() value.Value {
	switch s.Kind() {
	case Object:
		members := value.Each(s.Members(), func(m Member) value.Member {
			return value.Member{Key: m.Name, Value: m.Shape.Example()}
		})
		return value.NewObject(members)
	case Array:
		for _, item := range append(s.items[:len(s.items):len(s.items)], s.item) {
			if item != nil {
				return value.ArrayOf(item.Example())
			}
		}
		return value.ArrayOf()
	case Union:
		return s.examples()
	case Bool, Number, String:
		if s.constant != nil {
			return s.constant
		}
	case Unknown, Absent, Null, Function:
	}
	return value.Null{}
}

// examples returns a value with the members of all alternatives, if they are objects, and else the first that is known.
func (s *Shape) examples() value.Value {
	var all value.Value = value.Null{}
	for _, c := range s.cases {
		one := c.Example()
		object, ok := one.(*value.Object)
		have, both := all.(*value.Object)
		switch {
		case ok && both:
			for name, member := range object.All() {
				if have.Get(name) == nil {
					have = have.With(name, member)
				}
			}
			all = have
		case all.Kind() == value.KindNull:
			all = one
		}
	}
	return all
}
