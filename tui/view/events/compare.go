// This part of the package shows two runs side by side: their events in step, and the data of the chosen pair.

package events

import (
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
)

// newView returns the view of two runs, at the first difference.
func newView(a, b int, left, right *runlog.Log, compared *runlog.Result, start time.Time) *compareView {
	v := &compareView{a: a, b: b, left: left, right: right, lengths: [2]int{left.Len(), right.Len()}, c: compared, start: start, shown: -1}
	v.Rows, v.Resting = widget.Count(compared.Len()), true
	v.Reveal()
	v.Cursor = v.next(-1, 1)
	v.same = v.Cursor < 0
	v.Cursor = max(v.Cursor, 0)
	return v
}

// of reports whether the view is of these branches with as many events as they have now.
func (v *compareView) of(a, b, left, right int) bool {
	return v.a == a && v.b == b && v.lengths == [2]int{left, right}
}

// target returns the branch of the selected pair and the event's index in it. Of a pair that is only in the recorded
// run it is the last event before it in the other one, and recorded is true; ok is false where there is none.
func (v *compareView) target() (branch, at int, recorded, ok bool) {
	row := v.c.Row(v.Cursor)
	switch {
	case row.B >= 0:
		return v.b, row.B, false, true
	case v.a != 0:
		return v.a, row.A, false, row.A >= 0
	}
	for i := v.Cursor; i >= 0; i-- { // the recorded run is not one of the session's
		if r := v.c.Row(i); r.B >= 0 {
			return v.b, r.B, true, true
		}
	}
	return 0, 0, true, false
}

// goTo selects the row of two events (one may be -1 for none), or the first row of their visit that is not the
// same on both sides.
func (v *compareView) goTo(left, right int) {
	for i := range v.c.Len() {
		if row := v.c.Row(i); right >= 0 && row.B == right || right < 0 && left >= 0 && row.A == left {
			v.Cursor = i
			for j := v.next(i, -1); j >= 0 && v.sameVisit(i, j); j = v.next(j, -1) {
				v.Cursor = j
			}
			return
		}
	}
}

// sameVisit reports whether the events of the run on the right in two rows are of the same visit of a state.
func (v *compareView) sameVisit(i, j int) bool {
	a, b := v.c.Row(i).B, v.c.Row(j).B
	return a >= 0 && b >= 0 && v.right.At(a).Visit != nil && v.right.At(a).Visit == v.right.At(b).Visit
}

// onlyLeft says that an event is one of the run on the left alone, which is not the session's.
func (v *compareView) onlyLeft() string {
	if v.versions {
		return "That is in the old version's run alone"
	}
	return "That was only recorded"
}

// sameText says that nothing differs.
func (v *compareView) sameText() string {
	if v.versions {
		return "Both versions run the same way, in all " + wording.Count(v.left.Len(), "event") + "."
	}
	if v.a == 0 {
		return "The run is as it was recorded, in all " + wording.Count(v.left.Len(), "event") + "."
	}
	return "What-ifs " + strconv.Itoa(v.a) + " and " + strconv.Itoa(v.b) + " are the same, event for event."
}

// part is a part of the view that has the keys.
type part uint8

const (
	partEvents part = iota
	partData
)

// display compares two runs: their events in step, and the data of the chosen pair.
type compareView struct {
	widget.List[int]     // the pairs of events, by their numbers
	a, b             int // the branches; a is 0 where it is the recorded run
	left, right      *runlog.Log
	lengths          [2]int // of the logs when they were compared
	c                *runlog.Result
	start            time.Time
	same             bool // nothing differs
	versions         bool // the runs are an old and a new version's

	part    part
	reading bool // the data before the events, where an event has both
	shown   int  // the row that tree and facts are of, -1 for none
	data    tree.View
	folding tree.Folding
	columns int // the width for which data was made
	about   string
	facts   []fact
}

// next returns the next row that is not the same on both sides, or -1.
func (v *compareView) next(from, by int) int {
	for i := from + by; i >= 0 && i < v.c.Len(); i += by {
		if i < v.c.First { // all is the same up to there
			if by < 0 {
				break
			}
			i = v.c.First
			if i == v.c.Len() {
				break
			}
		}
		if row := v.c.Row(i); !row.Same() {
			return i
		}
	}
	return -1
}

// move selects a pair, or a line of the data, by rows further; cells go to the data and back, and scroll in them.
func (v *compareView) move(rows, cells int) {
	switch d := &v.data; {
	case cells > 0 && v.part == partEvents:
		v.part = partData
	case cells < 0 && v.part == partData && d.Left == 0:
		v.part = partEvents
	case cells != 0 && v.part == partData:
		d.Aside(cells)
	case v.part == partData:
		d.Move(rows)
	default:
		v.Move(rows)
	}
}

// jump goes to the next row that differs, or to the previous one where by is -1; false where there is none.
func (v *compareView) jump(by int) bool {
	to := v.next(v.Cursor, by)
	if to < 0 {
		return false
	}
	if v.Cursor = to; to < v.Top() || to >= v.Top()+v.Height() {
		v.Reveal()
	}
	return true
}

// fold folds the selected line of the data, or opens it.
func (v *compareView) fold() {
	if v.part == partData {
		v.data.Toggle()
	}
}

// foldAll unfolds all data, folds them, or shows what differs.
func (v *compareView) foldAll() {
	v.folding = (v.folding + 1) % (tree.AllFolded + 1)
	v.shown = -1
}

// contains reports whether the name or the place of an event of a pair has a text.
func (v *compareView) contains(i int, text string) bool {
	row := v.c.Row(i)
	return row.A >= 0 && widget.ContainsFold(eventText(v.left.At(row.A), row.Differs), text) ||
		row.B >= 0 && widget.ContainsFold(eventText(v.right.At(row.B), row.Differs), text)
}

// prepare makes the tree of the chosen pair's data for a width.
func (v *compareView) prepare(width int, g *canvas.Glyphs) {
	if v.shown == v.Cursor && v.columns == width {
		return
	}
	v.shown, v.columns = v.Cursor, width
	row := v.c.Row(v.Cursor)
	var left, right *engine.Event
	if row.A >= 0 {
		left = v.left.At(row.A)
	}
	if row.B >= 0 {
		right = v.right.At(row.B)
	}
	v.facts = factsOf(left, right, row.Differs, v.start, g)
	old, found, what := valuesOf(left, right, v.reading)
	v.about = what
	layout := tree.Unified
	if width >= tree.MinColumns {
		layout = tree.SideBySide
	}
	switch {
	case old == nil && found == nil:
		v.data.Put(nil)
		v.about = ""
	case old != nil && found != nil && !value.Equal(old, found):
		v.data.Put(tree.OfDifference(old, found, layout, v.folding))
		v.data.Cursor = v.data.Tree.FirstChange()
	case found != nil:
		v.data.Put(tree.OfValue(found, v.folding))
	default:
		v.data.Put(tree.OfValue(old, v.folding))
	}
	switch {
	case v.data.Tree == nil:
	case old == nil:
		v.about += ", only " + v.nameOf(1)
	case found == nil:
		v.about += ", only " + v.nameOf(0)
	case value.Equal(old, found):
		v.about += ", the same in both"
	}
}

// valuesOf chooses which data of a pair are shown: those that differ, after the events rather than before them.
func valuesOf(left, right *engine.Event, before bool) (old, found value.Value, what string) {
	at := func(e *engine.Event, before bool) value.Value {
		switch {
		case e == nil:
			return nil
		case before:
			return e.Before
		}
		return e.After
	}
	has := func(before bool) bool { return at(left, before) != nil || at(right, before) != nil }
	if !before && (!has(false) || left != nil && right != nil && sameValue(left.After, right.After) && !sameValue(left.Before, right.Before)) {
		before = has(true)
	} else if before && !has(true) {
		before = false
	}
	if before {
		return at(left, true), at(right, true), "data before"
	}
	return at(left, false), at(right, false), "data after"
}

func sameValue(a, b value.Value) bool {
	return value.Identical(a, b) || a != nil && b != nil && value.Equal(a, b)
}

// nameOf names a side: 0 the left one, 1 the right one.
func (v *compareView) nameOf(side int) string {
	switch {
	case side == 0 && v.versions:
		return "old version"
	case side == 1 && v.versions:
		return "new version"
	case side == 0 && v.a == 0:
		return "recorded"
	case side == 1 && v.a == 0:
		return "this run"
	case side == 0:
		return "what-if " + strconv.Itoa(v.a)
	}
	return "what-if " + strconv.Itoa(v.b)
}
