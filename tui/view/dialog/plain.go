package dialog

import (
	"cmp"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
)

// plainValue bounds a value in a line, in characters.
const plainValue = 400

// PlainLines implements [view.PlainDialog].
func (q *Question) PlainLines() (lines []string, stays bool) {
	if q.Way != "" {
		lines = append(lines, "In "+q.Way+":")
	}
	lines = append(lines, q.ask(wording.Line(q.Request.Visit.Path())))
	if q.Why != "" {
		lines = append(lines, wording.Line(q.Why))
	}
	if q.Request.Parameters != nil {
		lines = append(lines, "Payload: "+value.Preview(q.Request.Parameters, plainValue))
	}
	if text, suggestion := q.Result(); suggestion {
		if v, err := value.ParseString(text); err == nil {
			text = value.Preview(v, plainValue)
		}
		lines = append(lines, "Result "+q.suggestions[q.suggested].from+": "+text+" An empty line takes it.")
	}
	if text, suggestion := q.Result(); !suggestion && text != "" {
		lines = append(lines, "Result typed: "+text+" An empty line gives it.")
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

// toLeave says how to leave a text.
const toLeave = "Type it as JSON, editor opens your editor, an empty line takes it as it is, esc leaves it."

// PlainLines implements [view.PlainDialog].
func (d *Edit) PlainLines() (lines []string, stays bool) {
	title := d.Title
	if title == "" {
		title = "The data of " + cmp.Or(d.Where, "the execution") + " after " + d.Stage.String()
	}
	lines = append([]string{title + ":"}, strings.Split(d.text.Value(), "\n")...)
	if d.fault != "" {
		lines = append(lines, d.fault)
	} else if remark, _ := d.text.remark(canvas.Words(), d.Limit); remark != "" {
		lines = append(lines, prose.Unsigned(remark, canvas.Words()))
	}
	return append(lines, toLeave), true
}

// PlainLines implements [view.PlainDialog].
func (d *Items) PlainLines() (lines []string, stays bool) {
	lines = append(lines, d.title())
	for _, form := range itemsForms(fixtures.RoleOf(d.Request)) {
		lines = append(lines, form.Text+": "+form.Meaning)
	}
	if text := d.text.Value(); text != "" {
		lines = append(lines, "Typed: "+text)
	}
	return append(lines, toLeave), true
}

// PlainLines implements [view.PlainDialog].
func (t *Tree) PlainLines() (lines []string, stays bool) {
	return strings.Split(value.Pretty(t.value), "\n"), false
}

// PlainLines implements [view.PlainDialog].
func (v *Text) PlainLines() (lines []string, stays bool) {
	if v.differs {
		return strings.Split(string(value.Unified("before", v.before, "after", v.text)), "\n"), false
	}
	return strings.Split(v.text, "\n"), false
}

// PlainLines implements [view.PlainDialog].
func (p *Messages) PlainLines() (lines []string, stays bool) {
	return value.Each(p.list(), func(m Message) string { return prose.Unsigned(m.Text, canvas.Words()) }), false
}

// PlainLines implements [view.PlainDialog].
func (p *Prompt) PlainLines() (lines []string, stays bool) {
	if p.About != "" {
		lines = append(lines, p.About)
	}
	if p.fallback != "" {
		return append(lines, p.label+" An empty line means "+p.fallback+"."), true
	}
	return append(lines, p.label), true
}

// PlainLines implements [view.PlainDialog]: a text that is wrong is not kept, only told.
func (p *CheckedPrompt) PlainLines() (lines []string, stays bool) {
	if !p.Tried {
		return []string{p.Title + ": " + p.label}, true
	}
	for _, line := range p.judgement(canvas.Words(), checkedWidth) {
		lines = append(lines, prose.Line(line.text, canvas.Words()))
	}
	return lines, false
}

// PlainLines implements [view.PlainDialog].
func (d *Breakpoints) PlainLines() (lines []string, stays bool) {
	return append(
		d.List.PlainLines(),
		"up and down select, space switches on and off, enter edits, d deletes, a adds, e any error, "+
			"x errors by name, esc closes.",
	), true
}

// PlainLines implements [view.PlainDialog].
func (d *Results) PlainLines() (lines []string, stays bool) {
	lines = append(lines, "Change a result:")
	for i := range d.rows.Rows.Len() {
		r := d.rows.Rows.At(i)
		line := r.State
		if r.Attempt > 1 {
			line += ", attempt " + strconv.Itoa(r.Attempt)
		}
		line = chosen(line+", event "+strconv.FormatInt(r.Event, 10), i == d.rows.Cursor)
		lines = append(lines, line+": "+prose.Line(r.Outcome, canvas.Words()))
	}
	return append(lines, "down and up select, a text filters, enter changes the result, esc leaves it."), true
}

// PlainLines implements [view.PlainDialog].
func (l *Bookmarks) PlainLines() (lines []string, stays bool) {
	for i, b := range l.List {
		lines = append(lines, chosen("event "+b.Number+", "+b.Event, i == l.rows.Cursor)+": "+b.Note)
	}
	return append(lines, "down and up select, enter goes there, d deletes, esc closes."), true
}

// PlainLines implements [view.PlainDialog].
func (m *Menu) PlainLines() (lines []string, stays bool) {
	lines = append(lines, cmp.Or(m.Title, m.About)+":")
	for i, item := range m.List {
		line := chosen(item.Key, i == m.rows.Cursor) + ": " + item.Text
		if item.Reason != "" {
			line += ", not now: " + item.Reason
		}
		lines = append(lines, line)
	}
	return append(lines, "A letter, or enter, does it; esc closes."), true
}

// chosen marks the name of the selected line.
func chosen(name string, is bool) string {
	if is {
		return name + ", selected"
	}
	return name
}

// PlainLines implements [view.PlainDialog].
func (q *Quit) PlainLines() (lines []string, stays bool) {
	lines = append([]string{"Quit? These are saved nowhere:"}, q.list...)
	return append(lines, q.hint()+", any other key stays"), true
}
