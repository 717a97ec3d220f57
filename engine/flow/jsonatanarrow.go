package flow

import (
	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// narrow drops the alternatives of the data for which an expression is certainly not of a truth value.
func (p *pass) narrow(t *jsonata.Tree, data *Shape, truth bool) []*Shape {
	switch {
	case len(t.Filters) > 0 || !t.Plain:
	case t.Kind == jsonata.BlockTree && len(t.Parts) == 1:
		return p.narrow(t.Parts[0], data, truth)
	case t.Kind == jsonata.BinaryTree && (t.Text == "and" && truth || t.Text == "or" && !truth):
		var list []*Shape
		for _, c := range p.narrow(t.Parts[0], data, truth) {
			list = append(list, p.narrow(t.Parts[1], c, truth)...)
		}
		return list
	case t.Kind == jsonata.BinaryTree && (t.Text == "and" || t.Text == "or"): // one of the parts decides
		if len(p.narrow(t.Parts[0], data, truth)) == 0 && len(p.narrow(t.Parts[1], data, truth)) == 0 {
			return nil
		}
	case calls(t, "not"):
		return p.narrow(t.Parts[1], data, !truth)
	case calls(t, "exists"):
		if names := inputPath(t.Parts[1]); names != nil {
			found := p.memberAt(data, names)
			_, some := p.space.Present(found)
			if truth && !some || !truth && data.Certain(names) {
				return nil
			}
		}
	case t.Kind == jsonata.BinaryTree && t.Text == "=" && t.Parts[1].Kind == jsonata.LiteralTree:
		if names := inputPath(t.Parts[0]); names != nil {
			found := p.memberAt(data, names)
			known := found.Constant()
			if known != nil && value.Equal(known, t.Parts[1].Literal) != truth || truth && found.Kind() == Absent {
				return nil
			}
		}
	}
	return []*Shape{data}
}

// calls reports whether an expression calls a function with one argument.
func calls(t *jsonata.Tree, name string) bool {
	if t.Kind != jsonata.CallTree || len(t.Parts) != 2 {
		return false
	}
	return t.Parts[0].Kind == jsonata.VariableTree && t.Parts[0].Text == name
}

func (p *pass) memberAt(s *Shape, names []string) *Shape {
	for _, name := range names {
		s = p.space.Member(s, name)
	}
	return s
}

// inputPath returns the names of a path $states.input.a.b, nil of any other expression.
func inputPath(t *jsonata.Tree) []string {
	if t.Kind != jsonata.PathTree || len(t.Parts) < 3 || len(t.Filters) > 0 || !t.Plain {
		return nil
	}
	var names []string
	for i, step := range t.Parts {
		switch {
		case len(step.Filters) > 0 || !step.Plain:
			return nil
		case i == 0 && (step.Kind != jsonata.VariableTree || step.Text != "states"):
			return nil
		case i > 0 && step.Kind != jsonata.NameTree:
			return nil
		}
		if i > 0 {
			names = append(names, step.Text)
		}
	}
	if names[0] != "input" {
		return nil
	}
	return names[1:]
}
