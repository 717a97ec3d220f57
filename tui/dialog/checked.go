package dialog

import (
	"strings"

	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// Form is a line of help: an input and its meaning. Without the first it is a heading.
type Form struct{ Text, Meaning string }

// CheckedPrompt is a prompt that says, while the user types, the meaning of the text or its fault. A text that is
// wrong is not taken, and stays to be mended.
type CheckedPrompt struct {
	*Prompt
	// Title is that of the window with the help, and Forms its lines.
	Title string
	Forms []Form
	// Check returns the meaning of a text, or its fault.
	Check func(text string) (meaning string, err error)
}

// Handle implements [pane.Dialog].
func (p *CheckedPrompt) Handle(c pane.Context, k keys.Press) {
	if text := p.input.Value(); k.Name == "enter" && strings.TrimSpace(text) != "" {
		if _, err := p.Check(text); err != nil {
			return // the fault is shown above
		}
	}
	p.Prompt.Handle(c, k)
}

// Draw implements [pane.Dialog].
func (p *CheckedPrompt) Draw(c pane.Context, area canvas.Area) {
	above := area.Area(canvas.Rect{W: area.W(), H: area.H() - 1})
	column := 0
	for _, f := range p.Forms {
		column = max(column, canvas.Width(f.Text))
	}
	column = min(column, area.W()/3)
	lines, style := p.judgement(area.Glyphs(), min(area.W(), checkedWidth)-4)
	inner := widget.Window(above, checkedWidth, len(p.Forms)+len(lines)+3, p.Title, "enter takes it   esc leaves it")
	for i, line := range lines {
		inner.Fit(1, i, inner.W()-2, style, line)
	}
	for i, f := range p.Forms {
		y := len(lines) + 1 + i
		if y >= inner.H() {
			break
		}
		if f.Text == "" {
			inner.Fit(1, y, inner.W()-2, theme.Dim, f.Meaning)
			continue
		}
		inner.Fit(1, y, column, theme.Key, f.Text)
		inner.Fit(column+3, y, inner.W()-column-4, theme.Plain, f.Meaning)
	}
	p.Prompt.Draw(c, area)
}

// checkedWidth is the greatest width of the window with the help, its frame included.
const checkedWidth = 100

// judgement is the meaning of the text, or its fault, in at most two lines.
func (p *CheckedPrompt) judgement(g *canvas.Glyphs, width int) ([]string, canvas.Style) {
	text := p.input.Value()
	if strings.TrimSpace(text) == "" {
		return []string{"Type one of these; what it means is said here."}, theme.Dim
	}
	meaning, err := p.Check(text)
	style := theme.Good
	if err != nil {
		meaning, style = g.Failed+" "+err.Error(), theme.Bad
	}
	lines := canvas.Wrap(meaning, max(width, 10))
	if len(lines) > 2 {
		lines = []string{lines[0], strings.Join(lines[1:], " ")}
	}
	return lines, style
}
