package screen

import (
	"asldb/tui/keys"
	"asldb/tui/pane"
)

func (u *ui) findBindings() pane.Bindings {
	noText := func() string {
		if u.needle == "" {
			return u.keys.Key(keys.Find) + " finds a text first"
		}
		return ""
	}
	return pane.Bindings{
		{Action: keys.Find, Run: u.find},
		{Action: keys.FindNext, Run: plainly(func() { u.findAgain(1) }), Disabled: noText},
		{Action: keys.FindPrevious, Run: plainly(func() { u.findAgain(-1) }), Disabled: noText},
	}
}

// find finds a text in the focused pane, and asks for it where none is given.
func (u *ui) find(text string) {
	switch {
	case text != "":
		u.needle = text
		u.findAgain(1)
	case u.needle != "":
		u.askFor(keys.Find, "Find ("+u.needle+"):", u.needle, "")
	default:
		u.askFor(keys.Find, "Find:", "", "")
	}
}
