package widget

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Line is a text field of one line. Only the editing of Bubbles' field is used: drawing it is the canvas's work.
type Line struct {
	model textinput.Model
	// Suggested is set while there is a text that typing replaces. Keys that move the cursor or delete
	// keep it.
	Suggested bool
}

// NewLine returns an empty field.
func NewLine() Line {
	model := textinput.New()
	model.Focus()
	return Line{model: model}
}

// Value returns the text.
func (l *Line) Value() string { return l.model.Value() }

// Set puts a text in, with the cursor behind it.
func (l *Line) Set(text string) {
	l.model.SetValue(text)
	l.model.CursorEnd()
	l.Suggested = false
}

// Suggest puts a text in that typing replaces.
func (l *Line) Suggest(text string) {
	l.Set(text)
	l.Suggested = text != ""
}

// Press edits the text.
func (l *Line) Press(k keys.Press) {
	m := message(k)
	if m.Type == tea.KeyRunes && len(m.Runes) == 0 { // a key that the field does not know
		return
	}
	if l.Suggested && k.Text != "" {
		l.model.SetValue("")
	}
	l.Suggested = false
	l.model, _ = l.model.Update(m)
}

// keyTypes are the keys that write no text, by name.
var keyTypes = func() map[string]tea.KeyType {
	all := make(map[string]tea.KeyType)
	for typ := tea.KeyType(-128); typ <= 127; typ++ {
		if name := (tea.Key{Type: typ}).String(); name != "" && typ != tea.KeyRunes && typ != tea.KeySpace {
			all[name] = typ
		}
	}
	return all
}()

// message returns a key as the message of Bubble Tea that Bubbles' field takes.
func message(k keys.Press) tea.KeyMsg {
	if k.Text != "" {
		runes := []rune(k.Text)
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: runes, Paste: len(runes) > 1}
	}
	name, alt := strings.CutPrefix(k.Name, "alt+")
	if typ, ok := keyTypes[name]; ok {
		return tea.KeyMsg{Type: typ, Alt: alt}
	}
	if !alt {
		return tea.KeyMsg{Type: tea.KeyRunes}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name), Alt: alt}
}

// AboutSuggestion is shown with a suggestion where it fits.
const AboutSuggestion = "a suggestion: typing takes its place, the arrows keep it"

// Draw paints the text, with the cursor where the field has the focus.
func (l *Line) Draw(area canvas.Area, focused bool) {
	if !l.Suggested {
		DrawRunes(area, []rune(l.Value()), l.model.Position(), focused)
		return
	}
	end := area.Fit(0, 0, area.W(), canvas.Dim, l.Value())
	if focused {
		area.MarkSpan(0, 0, 1)
	}
	if area.W()-end > canvas.Width(AboutSuggestion)+3 {
		area.Text(end+3, 0, canvas.Hint, AboutSuggestion)
	}
}
