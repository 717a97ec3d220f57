package tui

import (
	"errors"
	"strconv"
	"strings"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/path"
	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/theme"
)

// choiceWords explains the rules of a Choice as a tree: which held, what the others compared, and why they did not.
func (u *ui) choiceWords() []para {
	m := u.moment
	if m.visit == nil || m.visit.State.Type != asl.Choice || m.visit.State.QueryLanguage == asl.JSONata || m.event.Before == nil {
		return nil
	}
	context, variables := u.session.RootsAt(int(m.event.Seq) - 1)
	results := engine.ExplainChoice(m.visit.State, m.event.Before, context, variables)
	words := []para{u.choiceOutcome(results)}
	for i := range results {
		r := &results[i]
		sign, style := u.testSign(&r.TestResult)
		head := strconv.Itoa(i+1) + " " + sign + " " + u.testText(&r.TestResult) + " " + u.glyphs.To + " " + r.Rule.Next
		if !r.Reached {
			words = append(words, para{theme.Dim, head + "  not looked at", 4})
			continue
		}
		words = append(words, para{style, head, 4})
		if len(r.Operands) == 0 {
			words = append(words, para{theme.Dim, "    " + seenVariable(&r.TestResult) + u.reason(&r.TestResult), 2})
			continue
		}
		words = u.operandWords(words, &r.TestResult, 2)
	}
	return words
}

// choiceOutcome says which rule decided.
func (u *ui) choiceOutcome(results []engine.RuleResult) para {
	state := u.moment.visit.State
	for i := range results {
		r := &results[i]
		switch {
		case r.Err != nil:
			return para{theme.Bad, "rule " + strconv.Itoa(i+1) + " cannot be evaluated, so the state fails", 2}
		case r.Reached && r.Holds:
			return para{theme.Good, "rule " + strconv.Itoa(i+1) + " holds " + u.glyphs.To + " " + r.Rule.Next, 2}
		}
	}
	if state.Default == "" {
		return para{theme.Bad, "no rule holds, and there is no Default: States.NoChoiceMatched", 2}
	}
	return para{theme.Warn, "no rule holds: Default " + u.glyphs.To + " " + state.Default, 2}
}

func (u *ui) testSign(r *engine.TestResult) (sign string, style canvas.Style) {
	switch {
	case !r.Evaluated:
		return u.glyphs.Pending, theme.Dim
	case r.Err == nil && r.Holds:
		return u.glyphs.Visited, theme.Good
	case r.Err != nil:
		return u.glyphs.Failed, theme.Bad
	}
	return u.glyphs.Failed, theme.Plain
}

// operandWords says what the comparisons inside an And, Or or Not saw.
func (u *ui) operandWords(words []para, r *engine.TestResult, depth int) []para {
	indent := strings.Repeat("  ", depth)
	for i := range r.Operands {
		o := &r.Operands[i]
		sign, style := u.testSign(o)
		text := indent + sign + " " + u.testText(o)
		switch {
		case !o.Evaluated:
			text += "  not looked at: the one before has decided"
		case len(o.Operands) == 0:
			text += ": " + u.reason(o)
		}
		words = append(words, para{style, text, 4})
		if o.Evaluated {
			words = u.operandWords(words, o, depth+1)
		}
	}
	return words
}

// seenVariable names what a comparison looked at, where the reason begins with it.
func seenVariable(r *engine.TestResult) string {
	if r.Err != nil || r.Test == nil || r.Test.Variable == nil {
		return ""
	}
	return r.Test.Variable.String() + " "
}

// reason says why a comparison holds or does not.
func (u *ui) reason(r *engine.TestResult) string {
	switch {
	case r.Err != nil:
		return u.testFault(r.Err)
	case r.Test == nil || r.Test.Variable == nil:
		return ""
	case r.Test.Operator == "IsPresent" && r.Left == nil:
		return "is not there"
	case r.Test.Operator == "IsPresent":
		return "is there: " + preview(r.Left, u.glyphs)
	case r.Left == nil:
		return "is not there"
	}
	left := "is " + preview(r.Left, u.glyphs)
	if strings.HasPrefix(r.Test.Operator, "Is") {
		return left + ", " + article(r.Left)
	}
	family := familyOf(r.Test.Operator)
	if why := family.unlike(r.Left); why != "" {
		return left + ", " + why + ": a comparison of another type is false"
	}
	if r.Test.Path != nil && r.Right != nil {
		right := r.Test.Path.String() + " is " + preview(r.Right, u.glyphs)
		if why := family.unlike(r.Right); why != "" {
			return left + "; " + right + ", " + why + ": a comparison of another type is false"
		}
		return left + ", and " + right
	}
	return left
}

// testFault says why a comparison could not be made: how far its path got.
func (u *ui) testFault(err error) string {
	var miss *path.MissError
	if errors.As(err, &miss) {
		return miss.Error() + ". A comparison with what is not there is an error; IsPresent asks first"
	}
	return err.Error()
}

// family is what the operators with one prefix compare.
type family struct {
	prefix, noun string
	kind         value.Kind
}

// familyOf returns what an operator compares.
func familyOf(operator string) family {
	for _, f := range []family{
		{"String", "a string", value.KindString}, {"Numeric", "a number", value.KindNumber},
		{"Boolean", "a boolean", value.KindBool}, {"Timestamp", "a timestamp", value.KindString},
	} {
		if strings.HasPrefix(operator, f.prefix) {
			return f
		}
	}
	return family{}
}

// unlike says that a value is not what the operator compares, or returns "".
func (f family) unlike(v value.Value) string {
	text, isText := v.(value.String)
	switch {
	case f.prefix == "":
		return ""
	case v.Kind() != f.kind:
		return article(v) + " and not " + f.noun
	case f.prefix == "Timestamp" && isText:
		if _, ok := asl.ParseTimestamp(string(text)); !ok {
			return "which is no timestamp such as 2026-01-31T09:00:00Z"
		}
	}
	return ""
}

// article names the kind of a value in a sentence.
func article(v value.Value) string {
	switch v.Kind() {
	case value.KindNull:
		return "null"
	case value.KindArray, value.KindObject:
		return "an " + v.Kind().String()
	}
	return "a " + v.Kind().String()
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
