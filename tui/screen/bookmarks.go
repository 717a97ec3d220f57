package screen

import (
	"cmp"
	"slices"
	"strconv"

	"asldb/engine/explain"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// bookmark is an event with a note, which may be empty.
type bookmark struct {
	place
	note string
}

// bookmarks are the events that the person has marked, in the order of the forks and of their events.
type bookmarks struct {
	pane.Screen
	jumps *jumps
	list  []bookmark
}

func (bm *bookmarks) bindings() pane.Bindings {
	return pane.Bindings{
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
	i := slices.IndexFunc(bm.list, func(b bookmark) bool { return b.place == here })
	switch {
	case i >= 0 && note == "":
		bm.list = slices.Delete(bm.list, i, i+1)
		bm.Say(theme.Plain, "Bookmark removed: "+number+".")
		return
	case i >= 0:
		bm.list[i].note = note
	default:
		bm.list = append(bm.list, bookmark{here, note})
		slices.SortFunc(bm.list, func(a, b bookmark) int { return cmp.Or(cmp.Compare(a.fork, b.fork), cmp.Compare(a.index, b.index)) })
	}
	bm.Say(theme.Plain, "Bookmark: "+number+". "+bm.Key(keys.Bookmarks)+" lists the bookmarks.")
}

// at returns the note of the bookmark at an event of the fork on the screen; ok is false where there is none.
func (bm *bookmarks) at(index int) (note string, ok bool) {
	if len(bm.list) == 0 {
		return "", false
	}
	fork := bm.jumps.here().fork
	for _, b := range bm.list {
		if b.index == index && (b.fork == fork || index < bm.Session().Forks().Shared(b.fork, fork)) {
			return b.note, true
		}
	}
	return "", false
}

// open lists the bookmarks.
func (bm *bookmarks) open() {
	several := len(bm.Session().Forks().All()) > 1
	l := &dialog.Bookmarks{Go: func(i int) { bm.jumps.to(bm.list[i].place) }, Delete: func(i int) { bm.list = slices.Delete(bm.list, i, i+1) }}
	for _, b := range bm.list {
		row := dialog.Bookmark{Number: strconv.Itoa(b.index + 1), Note: b.note}
		if log := bm.Session().Forks().Log(b.fork); log != nil && b.index < log.Len() {
			e := log.At(b.index)
			row.Event = explain.EventName(e)
			if place := explain.EventPlace(e); place != "" {
				row.Event = place + " " + row.Event
			}
		}
		if several {
			row.Event += ", what-if " + strconv.Itoa(b.fork)
		}
		l.List = append(l.List, row)
	}
	bm.Open(l)
}
