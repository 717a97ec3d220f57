package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// maxReasons bounds the reasons that one message lists.
const maxReasons = 6

// unassigned is a read of a variable that no way assigns.
func (s *sites) unassigned(one *site, lack *Lack) Fault {
	f := s.fault(one, rules.Unassigned, path.NotAssigned("$"+lack.Name))
	f.Certain, f.Expected, f.Found = true, "a variable that a state before this one assigns", one.text
	f.Name, f.Names = lack.Name, lack.Owner.Names()
	if len(f.Names) == 0 {
		f.Reasons = append(f.Reasons, asl.Reason{Text: "no state on a way to " + s.state.Name + " sets a variable"})
	}
	for _, name := range f.Names {
		if by := s.pass.assigners(name); len(by) > 0 && len(f.Reasons) < maxReasons {
			f.Reasons = append(f.Reasons, asl.Reason{Text: "a way to " + s.state.Name + " assigns $" + name, Span: by[0].Assigned()[name]})
		}
	}
	for _, other := range s.pass.assigners(lack.Name) {
		text := other.Name + " assigns $" + lack.Name + ", and no way leads from it to " + s.state.Name
		switch {
		case other == s.state:
			text = s.state.Name + " assigns $" + lack.Name + " itself, which is there from the next state on"
		case s.pass.inputs[other] == nil:
			text = other.Name + " assigns $" + lack.Name + ", and the data do not lead to it"
		case other.Scope != s.state.Scope:
			text = other.Name + " assigns $" + lack.Name + " in a scope that " + s.state.Name + " does not see"
		}
		f.Reasons = append(f.Reasons, asl.Reason{Text: text, Span: other.NameSpan})
	}
	return f
}

// onWay is a read of a variable that some ways assign and others do not.
func (s *sites) onWay(one *site, lack *Lack) (Fault, bool) {
	by := s.pass.without(s.state, lack.Name)
	if by == nil {
		return Fault{}, false
	}
	f := s.fault(one, rules.VariableOnWay, path.NotAssigned("$"+lack.Name)+" on the way by "+by.Name)
	f.Suggestion = path.GiveBefore + by.Name + path.OnThatWay
	f.Expected, f.Found = "a variable that every way to "+s.state.Name+" assigns", one.text
	for _, other := range s.pass.assigners(lack.Name) {
		f.Reasons = append(f.Reasons, asl.Reason{Text: other.Name + " assigns $" + lack.Name, Span: other.Assigned()[lack.Name]})
	}
	f.Reasons = append(f.Reasons, asl.Reason{Text: one.field + " of " + s.state.Name + " reads " + one.text, Span: one.span})
	return f, true
}

// assigners returns the states that assign a variable, on whatever way.
func (p *pass) assigners(name string) (list []*asl.State) {
	for s := range p.machine.All() {
		if _, ok := s.Assigned()[name]; ok {
			list = append(list, s)
		}
	}
	return list
}

// without returns the last state on a way to a state that does not assign a variable; nil where the scope begins
// without it.
func (p *pass) without(s *asl.State, name string) *asl.State {
	seen := map[*asl.State]bool{}
	for !seen[s] {
		seen[s] = true
		both := (*asl.State)(nil)
		for _, by := range s.Scope.States {
			with, without := p.leads(by, s, name)
			switch {
			case without && !with:
				return by
			case without && both == nil:
				both = by
			}
		}
		if both == nil {
			return nil
		}
		s = both
	}
	return nil
}

// leads reports whether a state leads to another with a variable, and without it.
func (p *pass) leads(by, to *asl.State, name string) (with, without bool) {
	in := p.inputs[by]
	if in == nil {
		return false, false
	}
	for _, c := range p.cells(by, in) {
		for _, way := range p.through(by, c, in, newSites(p, by, 1)).ways {
			if way.to != to {
				continue
			}
			if found := p.space.Member(way.variables, name); found.Kind() == Absent {
				without = true
			} else {
				with = true
			}
		}
	}
	return with, without
}

// constant is a test whether there is something that has the same outcome for all data.
func (s *sites) constant(one *site) (Fault, bool) {
	switch {
	case len(one.lacks) == one.total && one.lacks[0].Lack() != nil && !one.lacks[0].Lack().variable:
		lack := one.usual()
		owner, _ := one.around(lack)
		f := s.fault(one, rules.ConstantChoice, one.text+" is never there: "+owner+" "+lack.instead())
		s.explain(&f, one, lack)
		return f, true
	case one.held == one.total:
		return s.fault(one, rules.ConstantChoice, one.text+" is always there"), true
	}
	return Fault{}, false
}

// settled is another test that has the same outcome for all data.
func (s *sites) settled(one *site) (Fault, bool) {
	outcome := " always holds"
	switch {
	case one.failed == one.total:
		outcome = " never holds"
	case one.held != one.total:
		return Fault{}, false
	}
	message := one.text + outcome
	if operator, ok := strings.CutSuffix(one.place, " always"); ok && one.field == "Choices" {
		message = operator + outcome + ": " + one.text + " is always " + value.Compact(one.shape.Cases()[0].Constant())
	}
	f := s.fault(one, rules.ConstantChoice, message)
	for _, step := range one.shape.Steps() {
		f.Reasons = append(f.Reasons, asl.Reason{Text: step.Text, Span: step.Span})
	}
	return f, true
}
