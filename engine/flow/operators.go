package flow

import (
	"asldb/engine/jsonata"
)

// calculations says what the operators of numbers do.
var calculations = map[string]string{
	"+": "adds numbers", "-": "subtracts numbers", "*": "multiplies numbers",
	"/": "divides numbers", "%": "divides numbers",
}

// calculated notes a calculation with a value that cannot be one.
func (e *evaluation) calculated(t *jsonata.Tree, operands []*Shape) {
	for i, operand := range operands {
		wrong := other(operand, Number)
		if wrong == nil || e.branches > 0 {
			continue
		}
		advice := ""
		if t.Text == "+" && wrong.Kind() == String {
			advice = "write & to join texts"
		}
		e.cannotCalculate(t, t.Text+" "+calculations[t.Text]+"; "+e.described(t.Parts[i], wrong), advice)
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
			e.cannotCalculate(t, what+e.described(t.Parts[i], wrong), "")
			e.attribute(t, t.Parts[i], wrong, operands[1-i].Always(Number))
			return
		}
	}
	left, right := other(operands[0], Number), other(operands[1], Number)
	if left != nil && operands[1].Always(Number) || right != nil && operands[0].Always(Number) {
		e.cannotCalculate(t, what+e.described(t.Parts[0], operands[0])+", "+e.described(t.Parts[1], operands[1]), "")
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

// cannotCalculate notes an operator that fails whenever it is evaluated.
func (e *evaluation) cannotCalculate(t *jsonata.Tree, message, advice string) {
	e.noteFault(e.node, e.field, e.sourceOf(t), message, "")
	if e.sites != nil {
		one := e.sites.at(&use{node: e.node, text: e.sourceOf(t), place: message})
		one.operator, one.advice = true, advice
	}
}

// attribute adds to the newest fault of a call that its operand is an attribute of DynamoDB: its value is in a member.
func (e *evaluation) attribute(t, operand *jsonata.Tree, wrong *Shape, number bool) {
	if e.sites == nil || wrong.Kind() != Object || wrong.members.get("S") == nil || wrong.members.get("N") == nil {
		return
	}
	member := ".S"
	if number {
		member = ".N"
	}
	for _, one := range e.sites.order {
		if one.fault != "" && one.node == e.node && one.text == e.sourceOf(t) {
			one.advice = "did you mean \"" + e.sourceOf(operand) + member +
				"\"? An attribute of DynamoDB has its value in a member"
		}
	}
}
