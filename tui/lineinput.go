package tui

import (
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"github.com/charmbracelet/bubbles/textinput"
)

// lineInput is a text field of one line. Only the editing of Bubbles' field is used: drawing it is the canvas's work.
type lineInput struct {
	model textinput.Model
	// suggestion is set while a text stands there that goes when something is typed. Keys that move the cursor or delete
	// keep it.
	suggestion bool
}

func newInput() lineInput {
	model := textinput.New()
	model.Focus()
	return lineInput{model: model}
}

// Value returns the text.
func (l *lineInput) Value() string { return l.model.Value() }

// set puts a text in, with the cursor behind it.
func (l *lineInput) set(text string) {
	l.model.SetValue(text)
	l.model.CursorEnd()
	l.suggestion = false
}

// suggest puts a text in that goes when something is typed.
func (l *lineInput) suggest(text string) {
	l.set(text)
	l.suggestion = text != ""
}

// press edits the text.
func (l *lineInput) press(k press) {
	if l.suggestion && k.text != "" {
		l.model.SetValue("")
	}
	l.suggestion = false
	l.model, _ = l.model.Update(k.msg)
}

// aboutSuggestion is said of a suggestion where there is room.
const aboutSuggestion = "a suggestion: typing takes its place, the arrows keep it"

// draw paints the text, with the cursor where the field has the focus.
func (l *lineInput) draw(area canvas.Area, focused bool) {
	if !l.suggestion {
		drawInput(area, l.Value(), l.model.Position(), focused)
		return
	}
	end := area.Fit(0, 0, area.W(), theme.Dim, l.Value())
	if focused {
		area.MarkSpan(0, 0, 1)
	}
	if area.W()-end > canvas.Width(aboutSuggestion)+3 {
		area.Text(end+3, 0, theme.Hint, aboutSuggestion)
	}
}
