package explain

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/jsonata"
	"asldb/engine/provenance"
	"asldb/internal/wording"
)

// Query unfolds the JSONata expressions of the stage of event i of the log, counted from 0: the value of each part.
// Where an expression fails or has no value, it unfolds only that one. For an event that passes an error on, the stage
// is that in which the error occurred. The explanation is empty where there is no JSONata.
func Query(s *debug.Session, i int) Text {
	explained, not := s.Explainer().Stage(raisedAt(s, i))
	if not != nil {
		return unexplained(not)
	}
	for i := range explained {
		if e := &explained[i]; e.Err != nil || e.Trace.Nothing() {
			explained = explained[i : i+1]
			break
		}
	}
	var text Text
	for i := range explained {
		e := &explained[i]
		p := partText(e.Trace, "{% "+oneLine(e.Text)+" %}", brief)
		p.Spans = append([]Span{fieldName(e.Location), words("  ")}, p.Spans...)
		text = appendParts(append(text, p), e.Trace, 1, brief)
	}
	return text
}

// Trace unfolds the evaluation of a JSONata expression: the value of each part.
func Trace(t *jsonata.Trace) Text {
	return appendParts(Text{partText(t, oneLine(t.Text), complete)}, t, 1, complete)
}

// unexplained says why an evaluation is not explained.
func unexplained(not *provenance.Unexplained) Text {
	text := "The explanation was stopped."
	switch {
	case not.Steps > 0:
		text = "This took " + wording.Grouped(not.Steps) + " steps to evaluate; its parts are not shown."
	case not.Bound > 0:
		text = "This takes more than " + wording.Grouped(not.Bound) + " steps to evaluate; its parts are not shown."
	case not.Random:
		text = "This drew random numbers that were not kept; its parts are not shown."
	}
	return Text{say(ToneQuiet, NoSign, words(text))}
}

// reach is the number of events before one that are searched for the data that it refers to.
const reach = 10_000

// raisedAt returns the index of the event with which the error of event i occurred, i where that carries none.
func raisedAt(s *debug.Session, i int) int {
	failure := s.Log().At(i).Failure()
	if failure == nil {
		return i
	}
	for k := i; k >= max(0, i-reach); k-- {
		if earlier := s.Log().At(k); earlier.Type == engine.StageFailed && earlier.Failure() == failure {
			return k
		}
	}
	return i
}

// detail is how much of an expression is unfolded.
type detail uint8

const (
	complete detail = iota
	// brief leaves out the content of the lines around it: $states, the steps of a plain path that leads to a value,
	// and an error that occurred in a part.
	brief
)

// appendParts adds the parts of an expression.
func appendParts(text Text, t *jsonata.Trace, level int, d detail) Text {
	if d == brief && plainPath(t.Text) && !t.Nothing() && t.Err == nil {
		return text
	}
	for _, child := range t.Children {
		if d == brief && child.Text == "$states" {
			continue
		}
		p := partText(child, oneLine(child.Text), d)
		p.Level = level
		text = appendParts(append(text, p), child, level+1, d)
	}
	return text
}

// partText gives the value of a part of an expression.
func partText(t *jsonata.Trace, text string, d detail) Paragraph {
	p := say(TonePlain, NoSign, code(text), words("  "), mark(SignGives), words("  "))
	if t.Nothing() || t.Err != nil {
		p.Tone = ToneBad
	}
	p.Spans = append(p.Spans, resultOf(t, d))
	switch {
	case t.Item != nil:
		p.Spans = append(p.Spans, words("  (at index "+strconv.Itoa(t.Index)+": "), val(t.Item), words(")"))
	case t.Count > 1:
		p.Spans = append(p.Spans, words("  (the first of "+strconv.Itoa(t.Count)+")"))
	}
	return p
}

func resultOf(t *jsonata.Trace, d detail) Span {
	switch {
	case t.Err != nil && d == brief && failsBelow(t):
		return words("fails")
	case t.Err != nil:
		return causeSpan("error " + t.Err.Error())
	case t.Function:
		return words("a function")
	case t.Cut:
		return words("a value too large to be shown")
	case t.Value == nil:
		return words("nothing")
	}
	return val(t.Value)
}

// failsBelow reports whether the error of a part occurred in one of its parts, which says it.
func failsBelow(t *jsonata.Trace) bool {
	return slices.ContainsFunc(t.Children, func(child *jsonata.Trace) bool { return child.Err != nil })
}

// plainPath reports whether an expression consists of names with dots between.
func plainPath(text string) bool {
	return strings.Trim(text, "$_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
