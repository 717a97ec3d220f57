package dialog

import (
	"strings"

	"asldb/engine/console"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// Form is a line of help: an input and its meaning. Without the first it is a heading.
type Form struct{ Text, Meaning string }

// Judgement is the meaning of a text in a prompt, or its error.
type Judgement struct {
	Meaning string
	// Err is the error, nil for none; Refused reports that the text is not taken.
	Err     error
	Refused bool
}

// Refuse returns the judgement of a text that is not taken for an error.
func Refuse(err error) Judgement { return Judgement{Err: err, Refused: true} }

// CheckedPrompt is a prompt that says, while the user types, the meaning of the text, or its error with a caret under the place. A
// text that is wrong is not taken, and stays to be mended.
type CheckedPrompt struct {
	*Prompt
	// Title is the title of the window with the help. Forms returns its lines for a text; nil means that there are
	// none.
	Title string
	Forms func(text string) []Form
	// Check judges a text.
	Check func(text string) Judgement
	// Tried is set while the text is one that was to be taken and is wrong: an error at its end is shown as one then, while before
	// more text may still mend it.
	Tried bool
}

// Once returns a function that computes its answer once for the same text in a row: a frame asks again what the frame
// before has asked, and of 10,000 states that takes longer than drawing it.
func Once[T any](of func(text string) T) func(text string) T {
	var last T
	var known bool
	var about string
	return func(text string) T {
		if !known || text != about {
			last, about, known = of(text), text, true
		}
		return last
	}
}

// Handle implements [view.View].
func (p *CheckedPrompt) Handle(k keys.Press) bool {
	p.Tried = false
	if text := p.input.Value(); k.Name == "enter" && strings.TrimSpace(text) != "" {
		if p.Check(text).Refused {
			p.Tried = true // the error is shown above
			return true
		}
	}
	p.Prompt.Handle(k)
	return true
}

// Draw implements [view.View].
func (p *CheckedPrompt) Draw(f widget.Frame) {
	area := f.Area
	above := area.Area(canvas.Rect{W: area.W(), H: area.H() - 1})
	var forms []Form
	if p.Forms != nil {
		forms = p.Forms(p.input.Value())
	}
	column := 0
	for _, f := range forms {
		column = max(column, canvas.Width(f.Text))
	}
	most := area.W() * 2 / 5
	if area.W() < narrow {
		most = area.W() / 3
	}
	column = min(column, most)
	lines := p.judgement(area.Glyphs(), min(area.W(), checkedWidth)-4)
	inner := widget.Window(above, checkedWidth, len(forms)+len(lines)+3, p.Title, "enter takes it   esc leaves it")
	for i, line := range lines {
		inner.Fit(1, i, inner.W()-2, line.style, line.text)
	}
	for i, f := range forms {
		y := len(lines) + 1 + i
		if y >= inner.H() {
			break
		}
		if f.Text == "" {
			inner.Fit(1, y, inner.W()-2, canvas.Dim, f.Meaning)
			continue
		}
		inner.Fit(1, y, column, canvas.Key, f.Text)
		inner.Fit(column+3, y, inner.W()-column-4, canvas.Plain, f.Meaning)
	}
	p.Prompt.Draw(f)
}

// narrow is the width, in cells, below which the meanings of the inputs get more of it.
const narrow = 80

// checkedWidth is the greatest width of the window with the help, its frame included.
const checkedWidth = 100

// styledLine is a line in one style.
type styledLine struct {
	text  string
	style canvas.Style
}

// judgement is the meaning of the text, or its error, in at most maxJudgement lines.
func (p *CheckedPrompt) judgement(g *canvas.Glyphs, width int) []styledLine {
	text := p.input.Value()
	if strings.TrimSpace(text) == "" {
		return []styledLine{{"Type one of these; what it means is said here.", canvas.Dim}}
	}
	width = max(width, 10)
	j := p.Check(text)
	style, sign := canvas.Good, ""
	switch {
	case j.Err != nil && j.Refused:
		style, sign = canvas.Bad, g.Failed+" "
	case j.Err != nil:
		style = canvas.Warn
	}
	if fault, ok := console.FaultOf(text, j.Err); ok {
		if fault.Open && !p.Tried {
			style = canvas.Dim
		}
		lines := lined(widget.FaultLines(fault.Line, fault.Offset, fault.Message, width, g), style)
		lines[0].style = canvas.Plain
		return lines
	}
	if j.Err != nil {
		j.Meaning = sign + j.Err.Error()
	}
	return lined(canvas.Wrap(j.Meaning, width), style)
}

// maxJudgement is the greatest number of lines of a judgement.
const maxJudgement = 4

// lined gives lines a style; those after the greatest number are put on the last.
func lined(texts []string, style canvas.Style) []styledLine {
	if len(texts) > maxJudgement {
		texts = append(texts[:maxJudgement-1:maxJudgement-1], strings.Join(texts[maxJudgement-1:], " "))
	}
	return value.Each(texts, func(text string) styledLine { return styledLine{text, style} })
}
