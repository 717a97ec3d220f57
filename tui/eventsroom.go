package tui

import (
	"strconv"
	"strings"

	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/keys"
	"asldb.dev/asldb/tui/theme"
)

func eventsPanel() panel {
	return panel{
		draw: func(u *ui, area canvas.Area, focused bool) { u.events.draw(area, u.session.Log(), u.start, focused) },
		move: func(u *ui, rows, _ int) {
			if u.session.Log().Len() > 0 && rows != 0 {
				u.events.move(rows, u.session.Log())
				u.look(u.events.cursor)
			}
		},
		page: func(u *ui) int { return u.events.height },
		find: func(u *ui, text string, by int) bool {
			found := u.events.find(text, by, u.session.Log(), u.start, u.glyphs)
			if found {
				u.look(u.events.cursor)
			}
			return found
		},
		click: func(u *ui, _, y int) {
			if y >= 0 && y < u.events.height && u.session.Log().Len() > 0 {
				u.events.selectAt(y, u.session.Log())
				u.look(u.events.cursor)
			}
		},
	}
}

func eventsRoom() room {
	return room{
		actions: []keys.Action{keys.GoTo},
		act:     (*ui).actOnEvents,
		disabled: func(u *ui, a keys.Action) string {
			if a == keys.GoTo && u.session.Log().Len() == 0 {
				return "nothing has happened yet"
			}
			return ""
		},
	}
}

func (u *ui) actOnEvents(a keys.Action, argument string) bool {
	if a != keys.GoTo {
		return false
	}
	if argument == "" {
		u.askFor(a, "Go to event (1-"+strconv.Itoa(u.session.Log().Len())+"):", "", "")
		return true
	}
	n, err := strconv.Atoi(strings.TrimSpace(argument))
	if err != nil || n < 1 || n > u.session.Log().Len() {
		u.say(theme.Bad, "An event is a number from 1 to "+strconv.Itoa(u.session.Log().Len())+"; found "+argument)
		return true
	}
	u.look(n - 1)
	return true
}
