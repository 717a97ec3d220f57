package data

import (
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/view/dialog"
)

func (p *Pane) copyData(what string) {
	for _, choice := range dialog.CopyChoices() {
		if choice.Name == what {
			sendCopy(p.screen, choice.About, p.copied(what))
			return
		}
	}
	if what != "" {
		p.screen.Say(canvas.Bad, "What is copied is value, path or document; found "+what)
		return
	}
	p.screen.Open(dialog.NewCopy(p.screen, p.copySize))
}

// copied returns the text of a choice of [dialog.CopyChoices]. Of a string it is the characters, not its form in JSON.
func (p *Pane) copied(what string) string {
	v := p.Selected()
	switch what {
	case "path":
		return p.Path()
	case "document":
		v = p.Document()
	}
	if text, ok := v.(value.String); ok {
		return string(text)
	}
	return value.Pretty(v)
}

// greatCopy is the size in bytes above which many terminals refuse to copy.
const greatCopy = 100_000

func sendCopy(screen Screen, what, text string) {
	screen.Copy(text)
	message := "Copied " + what + ", " + wording.Size(len(text)) + ", to the terminal's clipboard"
	if len(text) > greatCopy {
		screen.Say(canvas.Warn, message+". Many terminals refuse more than 100 KB.")
		return
	}
	screen.Say(canvas.Plain, message+": "+prose.Value(value.String(text), 60, screen.Glyphs()))
}

// copySize returns the size of the text of a choice, or the text where that is short.
func (p *Pane) copySize(what string) string {
	switch what {
	case "path":
		return p.Path()
	case "document":
		return wording.Size(value.Size(p.Document()))
	}
	return aboutValue(p.Selected(), p.screen.Glyphs())
}
