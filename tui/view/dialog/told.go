package dialog

import (
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
)

// toldValue bounds a value in a line, in characters.
const toldValue = 400

// Told implements [view.Told].
func (q *Question) Told() (lines []string, stays bool) {
	if q.Way != "" {
		lines = append(lines, "In "+q.Way+":")
	}
	lines = append(lines, q.ask(wording.Line(q.Request.Visit.Path())))
	if q.Why != "" {
		lines = append(lines, wording.Line(q.Why))
	}
	if q.Request.Parameters != nil {
		lines = append(lines, "Payload: "+value.Preview(q.Request.Parameters, toldValue))
	}
	if text, suggestion := q.Result(); suggestion {
		if v, err := value.ParseString(text); err == nil {
			text = value.Preview(v, toldValue)
		}
		lines = append(lines, "Result "+q.suggestions[q.suggested].from+": "+text+" An empty line takes it.")
	}
	if name := q.name.Value(); name != "" {
		lines = append(lines, "Error that it had: "+strings.TrimSpace(name+" "+q.cause.Value()))
	}
	errors := strings.Join(q.errors, ", ")
	lines = append(lines, "Type a result as JSON, or error NAME CAUSE (such as "+errors+"), or esc.")
	if q.fault != "" {
		lines = append(lines, q.fault)
	}
	return lines, true
}

// ask is the question itself.
func (*Question) ask(about string) string { return "What does " + about + " return?" }

// Told implements [view.Told].
func (t *Tree) Told() (lines []string, stays bool) {
	return strings.Split(value.Pretty(t.value), "\n"), false
}

// Told implements [view.Told].
func (v *Text) Told() (lines []string, stays bool) {
	if v.differs {
		return strings.Split(string(value.Unified("before", v.before, "after", v.text)), "\n"), false
	}
	return strings.Split(v.text, "\n"), false
}

// Told implements [view.Told].
func (p *Messages) Told() (lines []string, stays bool) {
	return value.Each(p.list(), func(m Message) string { return m.Text }), false
}

// Told implements [view.Told].
func (p *Prompt) Told() (lines []string, stays bool) {
	if p.About != "" {
		lines = append(lines, p.About)
	}
	if p.fallback != "" {
		return append(lines, p.label+" An empty line means "+p.fallback+"."), true
	}
	return append(lines, p.label), true
}

// Told implements [view.Told]: a text that is wrong is not kept, only told.
func (p *CheckedPrompt) Told() (lines []string, stays bool) {
	if !p.Tried {
		return []string{p.Title + ": " + p.label}, true
	}
	for _, line := range p.judgement(canvas.Words(), checkedWidth) {
		lines = append(lines, prose.Line(line.text, canvas.Words()))
	}
	return lines, false
}
