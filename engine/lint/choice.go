package lint

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// choice checks the rules of a Choice state as a whole.
func (c *checker) choice(s *asl.State) {
	m := member(s.Node, "Choices")
	if s.Type != asl.Choice || m == nil || len(s.Choices) == 0 || len(s.Choices) != len(m.Node.Items) {
		return
	}
	seen := make(map[string]int)
	exhaustive := false
	for i, rule := range s.Choices {
		if !sound(rule) {
			return
		}
		c.patterns(m.Node.Items[i], rule.Test)
		label := condition(rule)
		if first, ok := seen[label]; ok {
			n := m.Node.Items[i]
			d := c.warn(n, rules.DeadRule, "this rule can never be taken: rule %d has the same condition", first+1)
			d.Reasons = []asl.Reason{{Text: "rule " + ordinal(first) + ": " + rule.Label(), Span: s.Choices[first].Span}}
			continue
		}
		seen[label] = i
		if _, ok := seen[opposite(rule)]; ok {
			exhaustive = true
		}
	}
	if d := member(s.Node, "Default"); d != nil && s.Default == s.Name && !c.changes(s) {
		c.warn(d.Node, rules.SelfDefault, "the Default of %q is %q itself: when no rule holds, it loops without end", s.Name, s.Name)
	}
	if member(s.Node, "Default") == nil && !exhaustive {
		const text = "%q has no Default: the execution fails when no rule holds"
		if d := c.hint(s.Node, s.NameSpan, rules.MissingDefault, text, s.Name); d != nil {
			c.defaultFix(d, s)
		}
	}
}

// defaultFix suggests a Default with the state that it leads to.
func (c *checker) defaultFix(d *source.Diagnostic, s *asl.State) {
	const name = "NoChoiceMatched"
	states := c.statesOf(s)
	if states == nil || c.machine.Lookup(name) != nil {
		return
	}
	d.Fix = &source.Fix{Into: s.Node, From: "Default", To: `"` + name + `"`, More: []source.Fix{{
		Into: states, From: name, To: `{"Type": "Fail", "Error": "` + name + `", "Cause": ` +
			value.Compact(value.String("no rule of "+s.Name+" holds")) + "}",
	}}}
}

// statesOf returns the States that a state is in.
func (c *checker) statesOf(s *asl.State) *source.Node {
	end := strings.LastIndexByte(s.Pointer, '/')
	_, states := c.machine.Root.Find(s.Pointer[:max(end, 0)])
	return states
}

// patterns warns of the patterns in a rule that let the state fail when it evaluates them.
func (c *checker) patterns(n *source.Node, t *asl.Test) {
	if t == nil {
		return
	}
	for i, part := range t.Tests {
		inner := n.Get(t.Operator)
		if inner == nil {
			return
		}
		if len(inner.Items) > i {
			inner = inner.Items[i]
		}
		c.patterns(inner, part)
	}
	operator, text := asl.OperatorNamed(t.Operator), n.Get(t.Operator)
	if operator == nil || t.Value == nil || text == nil {
		return
	}
	if _, err := operator.Compile(t.Value); err != nil {
		c.warn(text, rules.WrongPattern, "%v: the state fails when it comes to this rule", err)
	}
}

// changes reports whether the rules of a Choice state may decide otherwise the next time: it changes the data or the
// variables, or its rules read the context object, the clock or random numbers.
func (c *checker) changes(s *asl.State) bool {
	if s.Node.Get("Assign") != nil || s.Node.Get("Output") != nil {
		return true
	}
	return mentions(s.Node.Get("Choices"), func(text string) bool {
		return strings.HasPrefix(text, "$$") || strings.Contains(text, "context") || strings.Contains(text, "$now") ||
			strings.Contains(text, "$millis") || strings.Contains(text, "$random") || strings.Contains(text, "$uuid")
	})
}

func ordinal(i int) string { return value.Compact(value.Int(int64(i) + 1)) }

// sound reports whether a rule was read in full.
func sound(rule *asl.ChoiceRule) bool {
	if rule.Test == nil {
		return rule.Condition != nil
	}
	return soundTest(rule.Test)
}

func soundTest(t *asl.Test) bool {
	if t == nil || t.Operator == "" {
		return false
	}
	switch t.Operator {
	case asl.And, asl.Or, asl.Not:
		for _, part := range t.Tests {
			if !soundTest(part) {
				return false
			}
		}
		return len(t.Tests) > 0
	}
	return t.Variable != nil && (t.Path != nil || t.Value != nil)
}

// condition returns a rule's condition in full; a label is cut where it is long.
func condition(rule *asl.ChoiceRule) string {
	if rule.Test == nil {
		return value.Compact(rule.Condition)
	}
	return testText(rule.Test)
}

func testText(t *asl.Test) string {
	text := t.Operator + "("
	for _, part := range t.Tests {
		text += testText(part) + ","
	}
	if t.Variable != nil {
		text += t.Variable.String() + " "
	}
	if t.Path != nil {
		text += "path " + t.Path.String()
	} else if t.Value != nil {
		text += value.Compact(t.Value)
	}
	return text + ")"
}

// opposite returns the condition that holds exactly when the rule's does not, or "" where it is not known.
func opposite(rule *asl.ChoiceRule) string {
	t := rule.Test
	if t == nil {
		return ""
	}
	if t.Operator == asl.Not {
		return testText(t.Tests[0])
	}
	truth, ok := t.Value.(value.Bool)
	if ok && t.Path == nil { // BooleanEquals, IsPresent and the like
		twin := *t
		twin.Value = !truth
		return testText(&twin)
	}
	return testText(&asl.Test{Operator: asl.Not, Tests: []*asl.Test{t}})
}
