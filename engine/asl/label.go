package asl

import (
	"strings"

	"asldb/engine/value"
)

// Label returns the rule's condition in short, "?" where errors left too little of it: "$.total > 100", "$.a is present and not ($.b = 1)".
func (r *ChoiceRule) Label() string {
	if r.Predicate != nil {
		return r.Predicate.String()
	}
	if r.Test != nil {
		if !r.Test.whole() {
			return "?"
		}
		return r.Test.String()
	}
	if r.Query != nil && r.Query.Text() != "" {
		return strings.Join(strings.Fields(r.Query.Text()), " ")
	}
	if r.Condition == nil {
		return "?"
	}
	return value.Compact(r.Condition)
}

// whole reports whether a test has all its parts, as one in a definition without errors has.
func (t *Test) whole() bool {
	switch t.Operator {
	case Not, And, Or:
		for _, part := range t.Tests {
			if part == nil || !part.whole() {
				return false
			}
		}
		return len(t.Tests) > 0
	}
	return t.Variable != nil && (t.Path != nil || t.Value != nil)
}

// maxLiteral is the greatest number of characters of a literal in a label.
const maxLiteral = 40

// String returns the test in short. Comparisons are written with =, <, >, <= and >=.
func (t *Test) String() string {
	switch t.Operator {
	case Not:
		return "not (" + t.Tests[0].String() + ")"
	case And, Or:
		parts := make([]string, len(t.Tests))
		for i, part := range t.Tests {
			parts[i] = part.String()
			if len(t.Tests) > 1 && (part.Operator == And || part.Operator == Or) {
				parts[i] = "(" + parts[i] + ")"
			}
		}
		return strings.Join(parts, " "+strings.ToLower(t.Operator)+" ")
	}
	left := t.Variable.String()
	o := OperatorNamed(t.Operator)
	switch {
	case o == nil:
		return left + " " + t.Operator + " " + t.right()
	case o.Tests && t.Value == value.Bool(false):
		return left + " is not " + o.label
	case o.Tests:
		return left + " is " + o.label
	}
	return left + " " + o.label + " " + t.right()
}

func (t *Test) right() string {
	if t.Path != nil {
		return t.Path.String()
	}
	return value.Preview(t.Value, maxLiteral)
}
