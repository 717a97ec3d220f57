package tui

import (
	"strings"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// form is a line of help: what can be typed, and what that means. Without the first it is a heading.
type form struct{ text, meaning string }

// checkedPrompt is a prompt that says, while something is typed, what it means or what is wrong with it. What is
// wrong is not taken, and stays to be mended.
type checkedPrompt struct {
	*prompt
	title string
	forms []form
	check func(u *ui, text string) (meaning string, err error)
	back  dialog // what is shown again afterwards
}

func (p *checkedPrompt) handle(u *ui, k keys.Press) {
	if text := p.input.Value(); k.Name == "enter" && strings.TrimSpace(text) != "" {
		if _, err := p.check(u, text); err != nil {
			return // what is wrong is said above
		}
	}
	p.prompt.handle(u, k)
	if u.dialog == nil {
		u.dialog = p.back
	}
}

func (p *checkedPrompt) draw(u *ui, area canvas.Area) {
	above := area.Area(canvas.Rect{W: area.W(), H: area.H() - 1})
	column := 0
	for _, f := range p.forms {
		column = max(column, canvas.Width(f.text))
	}
	column = min(column, area.W()/3)
	lines, style := p.judgement(u, min(area.W(), checkedWidth)-4)
	inner := widget.Window(above, checkedWidth, len(p.forms)+len(lines)+3, p.title, "enter takes it   esc leaves it")
	for i, line := range lines {
		inner.Fit(1, i, inner.W()-2, style, line)
	}
	for i, f := range p.forms {
		y := len(lines) + 1 + i
		if y >= inner.H() {
			break
		}
		if f.text == "" {
			inner.Fit(1, y, inner.W()-2, theme.Dim, f.meaning)
			continue
		}
		inner.Fit(1, y, column, theme.Key, f.text)
		inner.Fit(column+3, y, inner.W()-column-4, theme.Plain, f.meaning)
	}
	p.prompt.draw(u, area)
}

// checkedWidth is the greatest width of the window with the help, its frame included.
const checkedWidth = 100

// judgement says in at most two lines what the text means or what is wrong with it.
func (p *checkedPrompt) judgement(u *ui, width int) ([]string, canvas.Style) {
	text := p.input.Value()
	if strings.TrimSpace(text) == "" {
		return []string{"Type one of these; what it means is said here."}, theme.Dim
	}
	meaning, err := p.check(u, text)
	style := theme.Good
	if err != nil {
		meaning, style = u.glyphs.Failed+" "+err.Error(), theme.Bad
	}
	lines := canvas.Wrap(meaning, max(width, 10))
	if len(lines) > 2 {
		lines = []string{lines[0], strings.Join(lines[1:], " ")}
	}
	return lines, style
}
