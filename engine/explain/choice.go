package explain

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/value"
)

// Choice explains the rules of a Choice state in JSONPath: which holds, and the operands of the tests. Event i of the
// log, counted from 0, is one of the state; the explanation is empty for the events of other states.
func Choice(s *debug.Session, i int) Text {
	event := s.Log().At(i)
	if event.Stage != engine.StageChoices || event.Visit == nil || event.Visit.State.Type != asl.Choice || event.Visit.State.QueryLanguage == asl.JSONata || event.Before == nil {
		return nil
	}
	results, not := s.Explainer().Choice(i)
	if not != nil {
		return unexplained(not)
	}
	var text Text
	matched := false
	for i := range results {
		r := &results[i]
		p := Paragraph{Number: i + 1, Spans: append(test(&r.TestResult), words(" "), mark(SignLeads), words(" "), state(r.Rule.Next))}
		switch {
		case !r.Reached:
			p.Tone, p.Spans = ToneQuiet, append(p.Spans, words("  not evaluated"))
			text = append(text, p)
			continue
		case r.Err == nil && r.Holds:
			matched = true
			p.Tone, p.Sign = ToneGood, SignHolds
		default:
			p.Sign = SignFails
		}
		text = compared(append(text, p), &r.TestResult, 2)
	}
	if !matched && event.Failure() == nil && event.Visit.State.Default != "" {
		text = append(text, say(ToneCaution, NoSign, words("no rule holds: Default "), mark(SignLeads), words(" "), state(event.Visit.State.Default)))
	}
	return text
}

// compared adds the values that a test and its operands compare.
func compared(text Text, r *engine.TestResult, level int) Text {
	if len(r.Operands) == 0 {
		var spans []Span
		if r.Err == nil && r.Test != nil && r.Test.Variable != nil {
			spans = []Span{pathSpan(r.Test.Variable.String()), words(" ")}
		}
		return append(text, Paragraph{Tone: ToneQuiet, Level: level, Spans: append(spans, leftOperand(r)...)})
	}
	for i := range r.Operands {
		o := &r.Operands[i]
		p := Paragraph{Level: level, Sign: SignFails, Spans: test(o)}
		switch {
		case !o.Evaluated:
			p.Sign = SignOpen
		case o.Holds:
			p.Sign = SignHolds
		}
		if len(o.Operands) > 0 {
			text = compared(append(text, p), o, level+1)
			continue
		}
		p.Spans = append(append(p.Spans, words(": ")), leftOperand(o)...)
		text = append(text, p)
	}
	return text
}

// leftOperand describes the left side of a comparison.
func leftOperand(r *engine.TestResult) []Span {
	switch {
	case r.Err != nil && r.Left == nil && r.Test != nil && r.Test.Variable != nil: // the service's words come last
		return []Span{pathSpan(r.Test.Variable.String()), words(" is missing")}
	case r.Err != nil:
		return []Span{causeSpan(r.Err.Error())}
	case r.Test == nil || r.Test.Variable == nil:
		return nil
	case r.Left == nil:
		return []Span{words("does not exist")}
	}
	spans := []Span{words("is "), val(r.Left)}
	if r.Right != nil && r.Left.Kind() != r.Right.Kind() && r.Right.Kind() != value.KindBool {
		spans = append(spans, words(", a "+value.KindOf(r.Left)+" and not a "+value.KindOf(r.Right)))
	}
	return spans
}

// test writes a test as "$.total NumericGreaterThan 100".
func test(r *engine.TestResult) []Span {
	t := r.Test
	switch {
	case t == nil:
		return []Span{words("?")}
	case t.Variable == nil:
		return []Span{words(t.Operator)}
	case t.Path != nil:
		return []Span{pathSpan(t.Variable.String()), words(" " + t.Operator + " "), pathSpan(t.Path.String())}
	}
	return []Span{pathSpan(t.Variable.String()), words(" " + t.Operator + " "), val(t.Value)}
}

// Computed explains the conditions and quantities at event i that other formats than the Amazon States Language have
// brought; it is empty where there are none.
func Computed(s *debug.Session, i int) Text {
	var text Text
	for _, c := range s.Explainer().Computed(i) {
		p := say(TonePlain, NoSign, code(c.Text))
		switch {
		case c.Rule && c.Holds:
			p = say(ToneGood, SignHolds, code(c.Text), words(" "), mark(SignLeads), words(" "), state(c.Next))
		case c.Rule:
			p = say(TonePlain, SignFails, code(c.Text), words(" "), mark(SignLeads), words(" "), state(c.Next))
		}
		text = append(text, p)
		for _, f := range c.Findings {
			text = append(text, Paragraph{Tone: ToneQuiet, Level: 1, Spans: []Span{words(f.What + ": " + f.Found)}})
		}
		if c.Default != "" {
			text = append(text, say(ToneCaution, NoSign, words("so it continues "), mark(SignLeads), words(" "), state(c.Default)))
		}
	}
	return text
}
