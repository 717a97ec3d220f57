package flow

import (
	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// calculations says what the operators of numbers do.
var calculations = map[string]string{
	"+": "adds numbers", "-": "subtracts numbers", "*": "multiplies numbers",
	"/": "divides numbers", "%": "divides numbers",
}

// JoinTexts is the advice about + between texts, which + does not join.
const JoinTexts = "write & to join texts"

// calculated notes a calculation with a value that cannot be one.
func (e *evaluation) calculated(t *jsonata.Tree, operands []*Shape) {
	for i, operand := range operands {
		wrong := other(operand, Number)
		if wrong == nil || e.branches > 0 {
			continue
		}
		advice := ""
		if t.Text == "+" && wrong.Kind() == String {
			advice = JoinTexts
		}
		e.cannotCalculate(t, t.Parts[i], t.Text+" "+calculations[t.Text]+"; "+e.described(t.Parts[i], wrong), advice)
		e.attribute(t, t.Parts[i], wrong, true)
		return
	}
}

// compared notes a comparison of values that have no order, or of a number with a string.
func (e *evaluation) compared(t *jsonata.Tree, operands []*Shape) {
	if e.branches > 0 || len(operands) != 2 {
		return
	}
	what := t.Text + " compares two numbers or two strings; "
	for i, operand := range operands {
		if wrong := other(operand, Number, String); wrong != nil {
			e.cannotCalculate(t, t.Parts[i], what+e.described(t.Parts[i], wrong), "")
			e.attribute(t, t.Parts[i], wrong, operands[1-i].Always(Number))
			return
		}
	}
	left, right := other(operands[0], Number), other(operands[1], Number)
	if left != nil && operands[1].Always(Number) || right != nil && operands[0].Always(Number) {
		e.cannotCalculate(t, t, what+e.described(t.Parts[0], operands[0])+", "+e.described(t.Parts[1], operands[1]), "")
	}
}

// other returns an alternative of a value where all that are there are of other kinds, else nil.
func other(s *Shape, kinds ...Kind) (wrong *Shape) {
	for _, c := range s.Cases() {
		switch {
		case c.Kind() == Unknown || c.Always(kinds...):
			return nil
		case c.Kind() != Absent:
			wrong = c
		}
	}
	return wrong
}

// described names an operand with its kind, and the state that assigned it.
func (e *evaluation) described(t *jsonata.Tree, s *Shape) string {
	text := e.sourceOf(t)
	if t.Kind == jsonata.LiteralTree {
		return text + " is " + s.Kind().String()
	}
	if text += " " + s.Has(); s.Kind() == Object {
		text = e.sourceOf(t) + " is " + s.Kind().String()
	}
	if t.Kind == jsonata.VariableTree && s.By() != nil {
		text += ", assigned by " + s.By().Name
	}
	return text
}

// cannotCalculate notes an operator that fails whenever it is evaluated, because of a part of it.
func (e *evaluation) cannotCalculate(t, part *jsonata.Tree, message, advice string) {
	e.noteFault(e.node, e.span(part), e.field, e.sourceOf(t), message, "")
	if e.sites != nil {
		one := e.sites.at(&use{node: e.node, text: e.sourceOf(t), place: message})
		one.operator, one.advice = true, advice
	}
}

// attribute adds to the newest fault of a call that its operand is an attribute of DynamoDB: its value is in a member.
func (e *evaluation) attribute(t, operand *jsonata.Tree, wrong *Shape, number bool) {
	if e.sites == nil || !wrong.attribute() {
		return
	}
	for _, one := range e.sites.order {
		if one.fault != "" && one.node == e.node && one.text == e.sourceOf(t) {
			one.advice = "did you mean \"" + e.sourceOf(operand) + attributeMember(number) +
				"\"? An attribute of DynamoDB has its value in a member"
		}
	}
}

// attribute reports whether a value is an attribute of DynamoDB: an object with a member for each type.
func (s *Shape) attribute() bool {
	return s.Kind() == Object && s.members.get("S") != nil && s.members.get("N") != nil
}

// attributeMember returns the member of an attribute that has a number, or else a text.
func attributeMember(number bool) string {
	if number {
		return ".N"
	}
	return ".S"
}

// compareWords notes a comparison of a string that is one of some words with one that is only like one of them.
func (e *evaluation) compareWords(t *jsonata.Tree, operands []*Shape) {
	for i, part := range t.Parts {
		words := []*jsonata.Tree{part}
		other, some := e.space.Present(operands[1-i]) // nothing is like no word
		if !some {
			continue
		}
		if t.Text == "in" && i == 1 && part.Kind == jsonata.ArrayTree {
			words = part.Parts
		}
		for _, word := range words {
			if word.Kind == jsonata.LiteralTree && len(part.Filters) == 0 {
				e.typed(&use{
					node: e.node, span: e.node.Span, field: e.field,
					text: e.sourceOf(t.Parts[1-i]), shape: other,
					place: t.Text + " " + value.Compact(word.Literal), compares: true, word: word.Literal,
					takes: everyKind,
				})
			}
		}
	}
}

// everyKind are the kinds of values. It is never changed.
var everyKind = []Kind{Null, Bool, Number, String, Array, Object, Function}
