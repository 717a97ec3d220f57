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
		move: (*ui).moveInEvents,
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
		actions: []keys.Action{keys.GoTo, keys.Fold},
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
	switch {
	case a == keys.Fold && u.mode.focus == paneEvents:
		u.foldVisit()
	case a == keys.GoTo && argument == "":
		u.askFor(a, "Go to event (1-"+strconv.Itoa(u.session.Log().Len())+"):", "", "")
	case a == keys.GoTo:
		n, err := strconv.Atoi(strings.TrimSpace(argument))
		if err != nil || n < 1 || n > u.session.Log().Len() {
			u.say(theme.Bad, "An event is a number from 1 to "+strconv.Itoa(u.session.Log().Len())+"; found "+argument)
			return true
		}
		u.look(n - 1)
	default:
		return false
	}
	return true
}

// tellEvents lets the list of events know where the run stands and what is looked at.
func (u *ui) tellEvents(index int) {
	log := u.session.Log()
	u.events.stand(u.present(), log.Len(), u.session.Now())
	u.events.show(index, log)
}

// moveInEvents moves the cursor of the list by rows, or along the tree of visits to the side, and looks at what
// it comes to.
func (u *ui) moveInEvents(rows, cells int) {
	log := u.session.Log()
	if log.Len() == 0 {
		return
	}
	if rows != 0 {
		u.events.move(rows, log)
	} else {
		u.events.aside(cells, log)
	}
	u.look(u.events.cursor)
}

// foldVisit folds the selected visit, branch or iteration, or opens it.
func (u *ui) foldVisit() {
	u.events.read(u.session.Log())
	if u.session.Log().Len() == 0 || !u.events.fold() {
		u.say(theme.Warn, "This event belongs to no visit that could be folded.")
		return
	}
	u.look(u.events.cursor)
}
