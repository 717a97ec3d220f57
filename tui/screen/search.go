package screen

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// search finds texts in the focused pane.
type search struct {
	contract
	text    string // the newest that was searched for
	focused func() view.Pane
}

func (sr *search) bindings() view.Bindings {
	noText := func() string {
		if sr.text == "" {
			return sr.Key(keys.Find) + " finds a text first"
		}
		return ""
	}
	return view.Bindings{
		{Action: keys.Find, Run: sr.find},
		{Action: keys.FindNext, Run: plainly(func() { sr.again(1) }), Disabled: noText},
		{Action: keys.FindPrevious, Run: plainly(func() { sr.again(-1) }), Disabled: noText},
	}
}

// find finds a text in the focused pane, and asks for it where none is given.
func (sr *search) find(text string) {
	switch {
	case text != "":
		sr.text = text
		sr.again(1)
	case sr.text != "":
		sr.AskFor(keys.Find, "Find ("+sr.text+"):", sr.text, "")
	default:
		sr.AskFor(keys.Find, "Find:", "", "")
	}
}

// again goes to the next match, or to the previous one where by is -1.
func (sr *search) again(by int) {
	if sr.text == "" {
		return
	}
	switch wrapped, ok := sr.focused().Find(sr.text, by); {
	case !ok:
		sr.Say(canvas.Warn, "Not found: "+sr.text)
	case wrapped && by > 0:
		sr.Say(canvas.Plain, "Search wrapped to the top: "+sr.text)
	case wrapped:
		sr.Say(canvas.Plain, "Search wrapped to the bottom: "+sr.text)
	}
}
