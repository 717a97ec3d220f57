package tui

import (
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/keys"
	"asldb.dev/asldb/tui/theme"
)

func dataPanel() panel {
	return panel{
		draw: func(u *ui, area canvas.Area, focused bool) {
			u.data.reason = u.cutReason()
			u.data.draw(area, u.session.Options().Limits.Payload, focused)
		},
		move: func(u *ui, rows, cells int) { u.data.scroll(rows, cells) },
		page: func(u *ui) int { return u.data.rows },
		find: func(u *ui, text string, by int) bool { return u.data.find(text, by) },
	}
}

func dataRoom() room {
	return room{actions: []keys.Action{keys.DataView, keys.Fold}, act: (*ui).actOnData}
}

func (u *ui) actOnData(a keys.Action, argument string) bool {
	switch a {
	case keys.DataView:
		view, ok := viewNamed(argument, u.data.view)
		if !ok {
			u.say(theme.Bad, "A view is diff, before or after; found "+argument)
			return true
		}
		u.data.setView(view, u.data.unfold, u.glyphs)
	case keys.Fold:
		u.data.setView(u.data.view, !u.data.unfold, u.glyphs)
	default:
		return false
	}
	return true
}

// viewNamed returns the view with a name, or the one after present where there is no name.
func viewNamed(name string, present dataView) (view dataView, ok bool) {
	if name == "" {
		return (present + 1) % viewCount, true
	}
	for view := range viewCount {
		if view.String() == name {
			return view, true
		}
	}
	return present, false
}
