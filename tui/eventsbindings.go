package tui

import (
	"strconv"
	"strings"

	"asldb/engine/runlog/groups"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

func eventsPanel() panel {
	return panel{
		draw: func(u *ui, area canvas.Area, focused bool) {
			if u.events.time.shown {
				u.events.time.draw(area, &u.events, u.session.Log(), u.start, focused)
				return
			}
			u.events.draw(area, u.session.Log(), u.start, focused)
		},
		move: (*ui).moveInEvents,
		page: func(u *ui) int { return u.events.height },
		find: func(u *ui, text string, by int) (wrapped, ok bool) {
			if wrapped, ok = u.events.find(text, by, u.session.Log(), u.glyphs); ok {
				u.look(u.events.cursor)
			}
			return wrapped, ok
		},
		click: (*ui).clickInEvents,
	}
}

func (u *ui) eventBindings() pane.Bindings {
	here := u.inPane(pane.Events)
	return pane.Bindings{
		{Action: keys.Fold, Applies: here, Run: plainly(u.foldVisit)},
		{Action: keys.GraphLarger, Applies: here, Run: func(density string) {
			if density != "" {
				u.chooseDensity(density)
				return
			}
			u.openOrScale(true)
		}},
		{Action: keys.GraphSmaller, Applies: here, Run: plainly(func() { u.openOrScale(false) })},
		{Action: keys.Look, Applies: func() bool { return here() && u.selectedElsewhere() }, Run: plainly(u.goToSelected)},
		{Action: keys.TimelineMode, Run: plainly(func() {
			u.events.time.shown = !u.events.time.shown
			u.focus(pane.Events)
		})},
		{Action: keys.GoTo, Run: u.goToEvent, Disabled: u.nothingHappened},
	}
}

// goToEvent looks at the event with a number, for which it asks where none is given.
func (u *ui) goToEvent(number string) {
	last := strconv.Itoa(u.session.Log().Len())
	if number == "" {
		u.askFor(keys.GoTo, "Go to event (1-"+last+"):", "", "")
		return
	}
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 1 || n > u.session.Log().Len() {
		u.say(theme.Bad, "An event is a number from 1 to "+last+"; found "+number)
		return
	}
	u.look(n - 1)
}

// selectedElsewhere reports whether the run stands elsewhere than after the selected event.
func (u *ui) selectedElsewhere() bool {
	return u.session.Log().Len() > 0 && !u.following && u.events.cursor+1 != u.session.Position()
}

// goToSelected brings the run to the selected event, back or ahead within what is known.
func (u *ui) goToSelected() {
	u.session.GoTo(u.events.cursor + 1)
	u.sync()
	u.say(theme.Plain, "The run stands after event "+strconv.Itoa(u.session.Position())+" of "+strconv.Itoa(u.session.Log().Len())+
		"; "+u.keys.Key(keys.StepStage)+" goes on from here.")
}

// tellEvents lets the list of events know where the run stands and what is looked at.
func (u *ui) tellEvents(index int) {
	log := u.session.Log()
	u.events.stand(u.present(), u.session.Position(), u.session.Now())
	u.events.show(index, log)
}

// moveInEvents moves the cursor of the list by rows, or along the tree of visits to the side, and looks at what
// it comes to.
func (u *ui) moveInEvents(rows, cells int) {
	log := u.session.Log()
	switch {
	case log.Len() == 0:
		return
	case u.events.time.shown:
		u.moveInTime(rows, cells)
		return
	case rows != 0:
		u.events.move(rows, log)
	default:
		u.events.aside(cells, log)
	}
	u.look(u.events.cursor)
}

// moveInTime goes from event to event to the side, and from lane to lane up and down; more rows at once, a page or
// a turn of the wheel, pan along time.
func (u *ui) moveInTime(rows, cells int) {
	p, last := &u.events.time, u.session.Log().Len()-1
	u.events.read(u.session.Log())
	switch {
	case cells < 0:
		u.look(max(u.events.cursor-1, 0))
	case cells > 0:
		u.look(min(u.events.cursor+1, last))
	case rows <= -widget.Far:
		u.look(0)
	case rows >= widget.Far:
		u.look(last)
	case rows == 1 || rows == -1:
		u.look(p.turn(&u.events, rows))
	case rows < 0:
		p.pan(-max(p.cells/2, 1))
	default:
		p.pan(max(p.cells/2, 1))
	}
}

func (u *ui) clickInEvents(x, y int) {
	log := u.session.Log()
	switch {
	case log.Len() == 0:
	case u.events.time.shown:
		if i := u.events.time.hit(&u.events, u.start, x, y, u.places.panes[pane.Events].W-2); i != groups.None {
			u.look(i)
		}
	case y >= 0 && y < u.events.height:
		u.events.selectAt(y, log)
		u.look(u.events.cursor)
	}
}

// foldVisit folds the selected visit, branch or iteration, or opens it; on the time axis it leaves out the long
// stretches in which nothing happens, or draws them to scale.
func (u *ui) foldVisit() {
	if p := &u.events.time; p.shown {
		p.whole, p.cursor = !p.whole, groups.None
		if p.whole {
			u.say(theme.Plain, "All of the time is drawn to scale.")
		} else {
			u.say(theme.Plain, "Long stretches in which nothing happens are left out.")
		}
		return
	}
	u.events.read(u.session.Log())
	if u.session.Log().Len() == 0 || !u.events.fold() {
		u.say(theme.Warn, "This event belongs to no visit that could be folded.")
		return
	}
	u.look(u.events.cursor)
}

// openOrScale opens all visits, or folds them; on the time axis it zooms in or out.
func (u *ui) openOrScale(larger bool) {
	if p := &u.events.time; p.shown {
		by := -1
		if larger {
			by = 1
		}
		if u.session.Log().Len() == 0 || !p.scale(by, int64(u.eventTime().Sub(u.start))) {
			u.say(theme.Warn, "This is as far as the time axis goes.")
		}
		return
	}
	u.events.foldAll(larger)
	if larger {
		u.say(theme.Plain, "Every visit is open.")
	} else {
		u.say(theme.Plain, "Every visit is folded.")
	}
	if u.session.Log().Len() > 0 {
		u.look(u.events.cursor)
	}
}
