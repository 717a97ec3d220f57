package tui

import "asldb/tui/keys"

func lookRoom() room {
	return room{
		actions: []keys.Action{
			keys.Look, keys.Now, keys.Zoom, keys.FocusNext, keys.FocusPrevious, keys.FocusData, keys.FocusGraph, keys.FocusEvents,
			keys.FocusSide, keys.DividerLeft, keys.DividerRight, keys.DividerUp, keys.DividerDown,
		},
		act:      func(u *ui, a keys.Action, _ string) bool { return u.actOnLook(a) || u.actOnDividers(a) },
		disabled: (*ui).lookDisabled,
	}
}

func moveRoom() room {
	return room{
		actions: []keys.Action{
			keys.Up, keys.Down, keys.Left, keys.Right, keys.ScrollLeft, keys.ScrollRight, keys.PageUp, keys.PageDown, keys.Top, keys.Bottom, keys.Find, keys.FindNext,
			keys.FindPrevious,
		},
		act: (*ui).actOnMove,
		disabled: func(u *ui, a keys.Action) string {
			if (a == keys.FindNext || a == keys.FindPrevious) && u.needle == "" {
				return u.keys.Key(keys.Find) + " finds a text first"
			}
			return ""
		},
	}
}

func otherRoom() room {
	return room{
		actions: []keys.Action{keys.Prompt, keys.Palette, keys.Help, keys.Messages, keys.Redraw, keys.Suspend, keys.Quit, keys.Kill},
		act:     func(u *ui, a keys.Action, _ string) bool { return u.actOnOther(a) },
	}
}

func (u *ui) actOnLook(a keys.Action) bool {
	switch a {
	case keys.Look, keys.Zoom:
		u.zoom(!u.mode.zoom)
	case keys.Now:
		if u.following && u.mode.zoom {
			u.zoom(false)
		}
		u.settle()
	case keys.FocusNext:
		u.focus((u.mode.focus + 1) % paneCount)
	case keys.FocusPrevious:
		u.focus((u.mode.focus + paneCount - 1) % paneCount)
	case keys.FocusData, keys.FocusGraph, keys.FocusEvents:
		u.focus(pane(a - keys.FocusData))
	case keys.FocusSide:
		if u.mode.focus == paneSide {
			u.side.turn(1)
			return true
		}
		u.focus(paneSide)
	default:
		return false
	}
	return true
}

func (u *ui) lookDisabled(a keys.Action) string {
	switch a {
	case keys.DividerLeft, keys.DividerRight, keys.DividerUp, keys.DividerDown:
		if len(u.places.lines) == 0 {
			return "only one pane is on the screen"
		}
	}
	return ""
}

// dividerStep is by how many cells a key moves a line to the side.
const dividerStep = 2

func (u *ui) actOnDividers(a keys.Action) bool {
	by, upright := 0, false
	switch a {
	case keys.DividerLeft:
		by, upright = -dividerStep, true
	case keys.DividerRight:
		by, upright = dividerStep, true
	case keys.DividerUp:
		by = -1
	case keys.DividerDown:
		by = 1
	default:
		return false
	}
	if l := u.places.lineBeside(u.mode.focus, upright); l != nil {
		u.moveLine(l, l.at+by)
	}
	return true
}

func (u *ui) actOnOther(a keys.Action) bool {
	switch a {
	case keys.Prompt:
		u.askForCommand("")
	case keys.Palette:
		u.openPalette()
	case keys.Messages:
		u.dialog = &messagePage{}
	case keys.Help:
		u.dialog = &helpPage{}
	case keys.Redraw:
		u.wants.redraw = true
	case keys.Suspend:
		u.wants.suspend = true
	case keys.Quit:
		u.quit()
	case keys.Kill:
		u.kill()
	default:
		return false
	}
	return true
}

func (u *ui) actOnMove(a keys.Action, argument string) bool {
	rows, cells := 0, 0
	page := max(u.pageHeight()-1, 1)
	switch a {
	case keys.Up:
		rows = -1
	case keys.Down:
		rows = 1
	case keys.PageUp:
		rows = -page
	case keys.PageDown:
		rows = page
	case keys.Top:
		rows = -far
	case keys.Bottom:
		rows = far
	case keys.Left, keys.ScrollLeft:
		cells = -8
	case keys.Right, keys.ScrollRight:
		cells = 8
	case keys.Find, keys.FindNext, keys.FindPrevious:
		u.actOnFind(a, argument)
		return true
	default:
		return false
	}
	u.move(u.mode.focus, rows, cells)
	return true
}

func (u *ui) actOnFind(a keys.Action, argument string) {
	switch {
	case a == keys.FindPrevious:
		u.findAgain(-1)
	case a == keys.FindNext:
		u.findAgain(1)
	case argument != "":
		u.needle = argument
		u.findAgain(1)
	case u.needle != "":
		u.askFor(a, "Find ("+u.needle+"):", u.needle, "")
	default:
		u.askFor(a, "Find:", "", "")
	}
}
