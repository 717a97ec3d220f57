package tui

import (
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// copies is what can be copied from the data.
var copyChoices = [...]struct{ key, name, about string }{
	{"v", "value", "the value at the cursor"},
	{"p", "path", "its path"},
	{"d", "document", "the whole document"},
}

// copyMenu asks what to copy.
type copyMenu struct{ cursor int }

func (u *ui) copyData(what string) {
	for _, choice := range copyChoices {
		if choice.name == what {
			u.sendCopy(choice.about, u.copied(what))
			return
		}
	}
	if what != "" {
		u.say(theme.Bad, "What is copied is value, path or document; found "+what)
		return
	}
	u.dialog = &copyMenu{}
}

// copied is the text of what is copied. Of a string it is what the string says, not its form in JSON.
func (u *ui) copied(what string) string {
	v := u.data.selected()
	switch what {
	case "path":
		return u.data.path()
	case "document":
		v = u.data.shown()
	}
	if text, ok := v.(value.String); ok {
		return string(text)
	}
	return value.Pretty(v)
}

// greatCopy is the size in bytes above which terminals are known to refuse what is copied.
const greatCopy = 100_000

func (u *ui) sendCopy(what, text string) {
	u.wants.copy = text
	message := "Copied " + what + ", " + explain.Size(len(text)) + ", to the terminal's clipboard"
	if len(text) > greatCopy {
		u.say(theme.Warn, message+". Many terminals refuse more than 100 KB.")
		return
	}
	u.say(theme.Plain, message+": "+cutPreview(value.String(text), 60, u.glyphs))
}

func (m *copyMenu) handle(u *ui, k keys.Press) {
	switch {
	case k.Action == keys.Up:
		m.cursor--
	case k.Action == keys.Down:
		m.cursor++
	case k.Name == "enter" || k.Action == keys.Copy:
		u.dialog = nil
		u.copyData(copyChoices[m.cursor].name)
	default:
		u.dialog = nil
		for _, choice := range copyChoices {
			if k.Name == choice.key {
				u.copyData(choice.name)
			}
		}
	}
	m.cursor = max(0, min(m.cursor, len(copyChoices)-1))
}

func (m *copyMenu) draw(u *ui, area canvas.Area) {
	inner := widget.Window(area, 64, len(copyChoices)+2, "Copy", "esc closes")
	for i, choice := range copyChoices {
		x := inner.Text(2, i, theme.HintKey, choice.key)
		x = inner.Text(x+1, i, theme.Plain, choice.about+"  ")
		inner.Fit(x, i, inner.W()-x-1, theme.Dim, m.size(u, choice.name))
		if i == m.cursor {
			inner.Text(0, i, theme.Current, u.glyphs.Pointer)
			inner.Mark(i)
		}
	}
}

// size says how much an entry copies.
func (m *copyMenu) size(u *ui, what string) string {
	switch what {
	case "path":
		return u.data.path()
	case "document":
		return explain.Size(value.Size(u.data.shown()))
	}
	return aboutValue(u.data.selected(), u.glyphs)
}
