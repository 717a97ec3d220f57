package screen

import (
	"cmp"
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// bookmark is an event with a note, which may be empty.
type bookmark struct {
	place
	note string
	// name says what happened: a bookmark of an earlier run holds for the event of its number where that has the same
	// name.
	name string
}

// bookmarks are the events that the user has marked, in the order of the forks and of their events.
type bookmarks struct {
	contract
	jumps *jumps
	list  []bookmark
}

func (bm *bookmarks) bindings() view.Bindings {
	return view.Bindings{
		{Action: keys.Bookmark, Run: bm.toggle, Disabled: func() string {
			if bm.Selection().Event == nil {
				return "nothing has run yet"
			}
			return ""
		}},
		{Action: keys.Bookmarks, Run: plainly(bm.open), Disabled: func() string {
			if len(bm.list) == 0 {
				return "no bookmarks; " + bm.Key(keys.Bookmark) + " sets one at the event on the screen"
			}
			return ""
		}},
	}
}

// toggle sets a bookmark at the event on the screen, gives it another note, or removes it.
func (bm *bookmarks) toggle(note string) {
	here := bm.jumps.here()
	number := "event " + strconv.Itoa(here.index+1)
	i := slices.IndexFunc(bm.list, func(b bookmark) bool { return b.place == here && bm.event(b) != nil })
	switch {
	case i >= 0 && note == "":
		bm.list = slices.Delete(bm.list, i, i+1)
		bm.SetupChanged()
		bm.Say(canvas.Plain, "Bookmark removed: "+number+".")
		return
	case i >= 0:
		bm.list[i].note = note
	default:
		bm.list = append(bm.list, bookmark{here, note, nameOf(bm.Selection().Event)})
		bm.sort()
	}
	bm.SetupChanged()
	bm.Say(canvas.Plain, "Bookmark: "+number+". "+bm.Key(keys.Bookmarks)+" lists the bookmarks.")
}

// at returns the note of the bookmark at an event of the fork on the screen; ok is false where there is none.
func (bm *bookmarks) at(index int) (note string, ok bool) {
	if len(bm.list) == 0 {
		return "", false
	}
	fork := bm.jumps.here().fork
	for _, b := range bm.list {
		if b.index == index && bm.event(b) != nil && (b.fork == fork || index < bm.Session().Forks().Shared(b.fork, fork)) {
			return b.note, true
		}
	}
	return "", false
}

// shown returns the indexes of the marked events of the fork on the screen.
func (bm *bookmarks) shown() []int {
	var list []int
	for _, b := range bm.list {
		if _, ok := bm.at(b.index); ok {
			list = append(list, b.index)
		}
	}
	return list
}

// nameOf says what happened in an event, and where.
func nameOf(e *engine.Event) string {
	if place := explain.EventPlace(e); place != "" {
		return place + " " + explain.EventName(e)
	}
	return explain.EventName(e)
}

// event returns the marked event, nil where the run does not have it.
func (bm *bookmarks) event(b bookmark) *engine.Event {
	log := bm.Session().Forks().Log(b.fork)
	if log == nil || b.index >= log.Len() || nameOf(log.At(b.index)) != b.name {
		return nil
	}
	return log.At(b.index)
}

// missing says why the run does not have a marked event, "" where it does.
func (bm *bookmarks) missing(b bookmark) string {
	log := bm.Session().Forks().Log(b.fork)
	switch {
	case bm.event(b) != nil:
		return ""
	case log != nil && b.index >= log.Len() && !bm.Session().Status().Done():
		return "not reached yet"
	}
	return "not in this run"
}

// saved returns the bookmarks for the next session.
func (bm *bookmarks) saved() []breakpoint.Bookmark {
	var list []breakpoint.Bookmark
	for _, b := range bm.list {
		saved := breakpoint.Bookmark{Event: b.index + 1, Name: b.name, Note: b.note}
		same := func(other breakpoint.Bookmark) bool { return other.Event == saved.Event && other.Name == saved.Name }
		if !slices.ContainsFunc(list, same) { // another what-if may have the same event
			list = append(list, saved)
		}
	}
	return list
}

// restore sets the bookmarks of an earlier session.
func (bm *bookmarks) restore(list []breakpoint.Bookmark) {
	fork := bm.Session().Forks().Current()
	for _, b := range list {
		if b.Event > 0 {
			bm.list = append(bm.list, bookmark{place{fork, b.Event - 1}, b.Note, b.Name})
		}
	}
	bm.sort()
}

func (bm *bookmarks) sort() {
	slices.SortStableFunc(bm.list, func(a, b bookmark) int { return cmp.Or(cmp.Compare(a.fork, b.fork), cmp.Compare(a.index, b.index)) })
}

// open lists the bookmarks.
func (bm *bookmarks) open() {
	several := len(bm.Session().Forks().All()) > 1
	l := &dialog.Bookmarks{Screen: bm, Go: bm.goTo, Delete: func(i int) {
		bm.list = slices.Delete(bm.list, i, i+1)
		bm.SetupChanged()
	}}
	for _, b := range bm.list {
		row := dialog.Bookmark{Number: strconv.Itoa(b.index + 1), Event: b.name, Note: b.note}
		if reason := bm.missing(b); reason != "" {
			row.Event += ", " + reason
		}
		if several {
			row.Event += ", what-if " + strconv.Itoa(b.fork)
		}
		l.List = append(l.List, row)
	}
	bm.Open(l)
}

// goTo shows the event of a bookmark.
func (bm *bookmarks) goTo(i int) {
	b := bm.list[i]
	if reason := bm.missing(b); reason != "" {
		bm.Say(canvas.Warn, "Event "+strconv.Itoa(b.index+1)+", "+b.name+", is "+reason+".")
		return
	}
	bm.jumps.to(b.place)
}
