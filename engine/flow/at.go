package flow

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Machine returns the machine that was analysed.
func (a *Analysis) Machine() *asl.StateMachine { return a.pass.machine }

// Register returns what is known of a register of a state; nil where that is nothing.
func (a *Analysis) Register(s *asl.State, r asl.Register) *Shape {
	known, _ := a.visit(s)
	found := known[r]
	switch {
	case found != nil || a.pass.inputs[s] == nil:
	case r == asl.RegisterEffective, r == asl.RegisterPlaced, r == asl.RegisterResult && !s.Type.Works():
		found = known[asl.RegisterRaw] // of a state with an error
	case r == asl.RegisterResult && s.Type == asl.Task:
		found = (&visit{pass: a.pass, state: s}).answer()
	}
	return found
}

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
func (s *site) words() string {
	var kinds, parts []string
	made, unknown, absent := "", false, false
	for _, c := range s.found {
		switch kind := c.Kind(); {
		case kind == Absent:
			absent = true
		case kind == Unknown:
			unknown = true
		default:
			word := strings.TrimPrefix(strings.TrimPrefix(kind.String(), "a "), "an ")
			if !slices.Contains(kinds, word) {
				kinds = append(kinds, word)
			}
			if steps := c.Steps(); len(steps) > 0 && steps[len(steps)-1].By != nil {
				last := steps[len(steps)-1]
				made = "made by " + last.By.Name + " (line " + strconv.Itoa(last.Span.Start.Line) + ")"
			}
		}
	}
	switch {
	case len(kinds) > 0 && !unknown:
		parts = append(parts, strings.Join(kinds, " or "))
	case len(kinds) > 0:
		parts = append(parts, strings.Join(kinds, " or ")+", or any other")
	}
	if made != "" {
		parts = append(parts, made)
	}
	for _, c := range s.lacks {
		lack := c.Lack()
		if lack == nil || len(lack.Owner.Steps()) == 0 {
			continue
		}
		step := decisive(lack.Owner, s.text)
		where := "missing: " + step.Text
		if step.Way && step.By != nil && step.catcher > 0 {
			where = "missing on the way by catcher " + strconv.Itoa(step.catcher) + " of " + step.By.Name
		}
		if !slices.Contains(parts, where) {
			parts = append(parts, where)
		}
	}
	told := slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, "missing") })
	if absent && !told && len(parts) > 0 { // for reasons outside of the definition
		parts = append(parts, "may be missing")
	}
	return strings.Join(parts, "; ")
}

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
