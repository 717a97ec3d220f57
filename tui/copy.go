package tui

import (
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/dialog"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
)

func (u *ui) copyData(what string) {
	for _, choice := range dialog.CopyChoices() {
		if choice.Name == what {
			u.sendCopy(choice.About, u.copied(what))
			return
		}
	}
	if what != "" {
		u.say(theme.Bad, "What is copied is value, path or document; found "+what)
		return
	}
	u.dialog = dialog.NewCopy(u.copySize)
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
	u.effects.copy = text
	message := "Copied " + what + ", " + explain.Size(len(text)) + ", to the terminal's clipboard"
	if len(text) > greatCopy {
		u.say(theme.Warn, message+". Many terminals refuse more than 100 KB.")
		return
	}
	u.say(theme.Plain, message+": "+prose.Value(value.String(text), 60, u.glyphs))
}

// copySize says how much an entry of the menu copies.
func (u *ui) copySize(what string) string {
	switch what {
	case "path":
		return u.data.path()
	case "document":
		return explain.Size(value.Size(u.data.shown()))
	}
	return aboutValue(u.data.selected(), u.glyphs)
}
