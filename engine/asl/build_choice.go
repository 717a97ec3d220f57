package asl

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// The operators that combine tests.
const (
	And = "And"
	Or  = "Or"
	Not = "Not"
)

// choices reads the rules of a Choice state.
func (b *builder) choices(s *State, m *NodeMember) {
	for i, n := range b.objects(m, "choice rule") {
		s.Choices = append(s.Choices, b.choiceRule(s, n, i))
	}
}

// choiceRule reads one member of Choices.
func (b *builder) choiceRule(s *State, n *Node, index int) *ChoiceRule {
	rule := &ChoiceRule{Span: n.Span}
	for i := range n.Members {
		m := &n.Members[i]
		f := partOf(ruleFields, m.Key)
		switch m.Key {
		case "Next":
			if name, ok := b.text(m); ok {
				rule.Next = name
				b.transition(s, EdgeChoice, len(s.Choices), m, name) // its own place: wrong members are left out
			}
		case "Comment":
			rule.Comment = b.comment(m)
		case "Assign":
			rule.Assign = b.assign(s, m, fmt.Sprintf("Choices[%d]/", index), f)
		case "Output":
			if b.allowed(s, m, f.Language) {
				rule.Output = b.query(s, m, fmt.Sprintf("Choices[%d]/Output", index), f)
			}
		case "Condition":
			if b.allowed(s, m, f.Language) {
				b.condition(s, rule, m, index, f)
			}
		}
	}
	if s.QueryLanguage == JSONPath {
		rule.Test = b.test(s, n, true)
		b.ruleNext(n)
		return rule
	}
	for i := range n.Members {
		m := &n.Members[i]
		f := partOf(ruleFields, m.Key)
		if o, _ := operatorOf(m.Key); o != nil || f != nil && f.Language == JSONPath {
			b.allowed(s, m, JSONPath)
		} else if f == nil {
			b.unknown(m, "a choice rule", namesOf(ruleFields))
		}
	}
	if n.Get("Condition") == nil {
		b.missing(n, "a choice rule", "Condition")
	}
	b.ruleNext(n)
	return rule
}

// ruleNext checks that a rule names the state to go to.
func (b *builder) ruleNext(n *Node) {
	if n.Get("Next") == nil {
		b.missing(n, "a choice rule", "Next")
	}
}

// allowed reports whether a field of the language, 0 for both, belongs to the state's query language, and notes where not.
func (b *builder) allowed(s *State, m *NodeMember, language QueryLanguage) bool {
	if language == 0 || s.QueryLanguage == language {
		return true
	}
	d := b.wrongKey(m, rules.WrongQueryLanguage, "%s belongs to %s, but the query language of this state is %s", quote(m.Key), language, s.QueryLanguage)
	d.Expected, d.Found = "a field of "+s.QueryLanguage.String(), quote(m.Key)
	d.Suggestion = inPlaceOf(m.Key, language)
	d.Service = source.Reply{
		Message:  fmt.Sprintf("The QueryLanguage is set to '%s', but field '%s' is only supported for the '%s' QueryLanguage", s.QueryLanguage, m.Key, language),
		Location: b.ownerOf(m),
		Silent:   s.QueryLanguage == JSONPath && b.machine.QueryLanguage == JSONata, // the state's QueryLanguage is reported
	}
	return false
}

// condition reads a JSONata rule's Condition: true, false or an expression.
func (b *builder) condition(s *State, rule *ChoiceRule, m *NodeMember, index int, f *Field) {
	if !b.isExpression(s, m) && m.Node.Kind != value.KindBool {
		b.wrong(m, rules.Type, "\"Condition\" must be a JSONata expression, true or false, but is %s", describe(m.Node))
		return
	}
	rule.Condition = m.Node.Value
	rule.Query = b.query(s, m, fmt.Sprintf("Choices[%d]/Condition", index), f).Query
}

// test reads a JSONPath rule: a comparison or a combination of rules. Only a top rule has Next.
func (b *builder) test(s *State, n *Node, top bool) *Test {
	if n.Kind != value.KindObject {
		b.report(n, n.Span, rules.Type, "a choice rule must be an object, but is %s", describe(n))
		return nil
	}
	t := &Test{Span: n.Span}
	var first *NodeMember // of the operators
	for i := range n.Members {
		m := &n.Members[i]
		compare, isPath := operatorOf(m.Key)
		switch {
		case compare != nil || m.Key == And || m.Key == Or || m.Key == Not:
			if first != nil {
				d := b.wrongKey(m, rules.ManyOperators, "a choice rule must have exactly one operator, but has %s and %s", quote(first.Key), quote(m.Key))
				if other, _ := operatorOf(first.Key); compare != nil && other != nil {
					d.Service = source.Reply{Message: manyOfMessage(serviceOperators), Location: b.ownerOf(m)}
				}
				continue
			}
			first = m
			if compare != nil {
				t.Operator = compare.Name
				b.rightSide(t, m, compare.right, isPath)
			} else {
				t.Operator = m.Key
				b.combined(s, t, m)
			}
		case m.Key == "Variable":
			// The language demands a Reference Path here; the service evaluates any Path.
			t.Variable = b.pathText(m, "a path", rules.ReferencePath)
		case partOf(ruleFields, m.Key) != nil:
			if m.Key == "Comment" && !top {
				b.comment(m)
			} else if !top {
				b.wrongKey(m, rules.WrongStateType, "a choice rule inside another one has no field %s", quote(m.Key))
			}
		default:
			b.unknown(m, "a choice rule", slices.Concat(namesOf(ruleFields), operatorFields()))
		}
	}
	b.testAsWhole(n, first)
	return t
}

// testAsWhole checks that a rule has an operator and, for a comparison, a Variable.
func (b *builder) testAsWhole(n *Node, operator *NodeMember) {
	variable := n.Get("Variable")
	switch {
	case operator == nil:
		d := b.lacks(n, operatorFields(), n.Span, rules.MissingField, "a choice rule must have a comparison operator, And, Or or Not")
		d.Expected, d.Found = "a comparison operator, And, Or or Not", fieldsOf(n)
		d.Service.Message = oneOfMessage(serviceOperators)
		d.Suggestion = "add one, such as \"StringEquals\": \"TEXT\" or \"IsPresent\": true"
	case operator.Key == And || operator.Key == Or || operator.Key == Not:
		if variable != nil {
			b.exclusive(n, operator.Key, "Variable")
		}
	case variable == nil:
		b.missing(n, "a comparison", "Variable")
	}
}

// combined reads the operands of And, Or and Not.
func (b *builder) combined(s *State, t *Test, m *NodeMember) {
	if m.Key == Not {
		if b.object(m) {
			t.Tests = []*Test{b.test(s, m.Node, false)}
		}
		return
	}
	if !b.kind(m, value.KindArray) {
		return
	}
	if len(m.Node.Items) == 0 {
		b.wrong(m, rules.EmptyArray, "%s must have at least one choice rule", quote(m.Key)).Service.Message = emptyMessage
	}
	for _, item := range m.Node.Items {
		t.Tests = append(t.Tests, b.test(s, item, false))
	}
}

// rightSide reads the right operand of a comparison.
func (b *builder) rightSide(t *Test, m *NodeMember, kind Operand, isPath bool) {
	if isPath {
		t.Path = b.pathText(m, "a path", rules.ReferencePath)
		return
	}
	t.Value = m.Node.Value
	switch kind {
	case StringOperand:
		b.kind(m, value.KindString)
	case NumberOperand:
		b.kind(m, value.KindNumber)
	case BoolOperand:
		b.kind(m, value.KindBool)
	case TimestampOperand:
		b.timestampLiteral(m)
	}
}

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
