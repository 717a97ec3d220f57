package tui

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/tui/part/theme"
)

// choiceWords explains the rules of a Choice: which held, and what the others compared.
func (u *ui) choiceWords() []para {
	m := u.moment
	if m.visit == nil || m.visit.State.Type != asl.Choice || m.visit.State.QueryLanguage == asl.JSONata || m.event.Before == nil {
		return nil
	}
	var words []para
	matched := false
	results, not := u.session.ExplainChoice(int(m.event.Seq) - 1)
	if not != nil {
		return unexplainedWords(not)
	}
	for i := range results {
		r := &results[i]
		head := strconv.Itoa(i+1) + " "
		switch {
		case !r.Reached:
			words = append(words, para{theme.Dim, head + u.testText(&r.TestResult) + " " + u.glyphs.To + " " + r.Rule.Next + "  not looked at", 4})
			continue
		case r.Err == nil && r.Holds:
			matched = true
			words = append(words, para{theme.Good, head + u.glyphs.Visited + " " + u.testText(&r.TestResult) + " " + u.glyphs.To + " " + r.Rule.Next, 4})
		default:
			words = append(words, para{theme.Plain, head + u.glyphs.Failed + " " + u.testText(&r.TestResult) + " " + u.glyphs.To + " " + r.Rule.Next, 4})
		}
		words = u.testWords(words, &r.TestResult, 1)
	}
	if !matched && m.visit.State.Default != "" {
		words = append(words, para{theme.Warn, "no rule holds: Default " + u.glyphs.To + " " + m.visit.State.Default, 0})
	}
	return words
}

// testWords says what the comparisons inside a test saw.
func (u *ui) testWords(words []para, r *engine.TestResult, depth int) []para {
	indent := strings.Repeat("  ", depth+1)
	if len(r.Operands) == 0 {
		return append(words, para{theme.Dim, indent + seenVariable(r) + u.seen(r), 0})
	}
	for i := range r.Operands {
		o := &r.Operands[i]
		sign := u.glyphs.Failed
		switch {
		case !o.Evaluated:
			sign = u.glyphs.Pending
		case o.Holds:
			sign = u.glyphs.Visited
		}
		text := indent + sign + " " + u.testText(o)
		if len(o.Operands) == 0 {
			text += ": " + u.seen(o)
		}
		words = append(words, para{theme.Plain, text, 2})
		if len(o.Operands) > 0 {
			words = u.testWords(words, o, depth+1)
		}
	}
	return words
}

// seen says what the left side of a comparison was.
func (u *ui) seen(r *engine.TestResult) string {
	switch {
	case r.Err != nil:
		return r.Err.Error()
	case r.Test == nil || r.Test.Variable == nil:
		return ""
	case r.Left == nil:
		return "is not there"
	}
	text := "is " + preview(r.Left, u.glyphs)
	if r.Right != nil && r.Left.Kind() != r.Right.Kind() && r.Right.Kind() != value.KindBool {
		text += ", a " + value.KindOf(r.Left) + " and not a " + value.KindOf(r.Right)
	}
	return text
}

func seenVariable(r *engine.TestResult) string {
	if r.Err != nil || r.Test == nil || r.Test.Variable == nil {
		return ""
	}
	return r.Test.Variable.String() + " "
}

func (u *ui) testText(r *engine.TestResult) string {
	t := r.Test
	switch {
	case t == nil:
		return "?"
	case t.Variable == nil:
		return t.Operator
	case t.Path != nil:
		return t.Variable.String() + " " + t.Operator + " " + t.Path.String()
	}
	return t.Variable.String() + " " + t.Operator + " " + preview(t.Value, u.glyphs)
}
