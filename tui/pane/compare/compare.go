// Package compare shows two runs side by side: their events in step, and the data of the chosen pair.
package compare

import (
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/datatree"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// Runs are the two runs that a [View] compares.
type Runs struct {
	// A and B are the numbers of the branches; A is 0 where it is the recorded run.
	A, B        int
	Left, Right *runlog.Log
	Start       time.Time
	// Compared is how they differ.
	Compared *compare.Result
	// Go brings the session to the event at an index of a branch.
	Go func(branch, at int)
}

// New returns the view of two runs, at the first difference.
func New(r Runs) *View {
	v := &View{
		a: r.A, b: r.B, left: r.Left, right: r.Right, lengths: [2]int{r.Left.Len(), r.Right.Len()}, c: r.Compared, start: r.Start, goTo: r.Go,
		shown: -1, opened: true,
	}
	v.Cursor = v.next(-1, 1)
	return v
}

// Branches returns the numbers of the branches; a is 0 where it is the recorded run.
func (v *View) Branches() (a, b int) { return v.a, v.b }

// Of reports whether the view is of these branches with as many events as they have now.
func (v *View) Of(a, b, left, right int) bool {
	return v.a == a && v.b == b && v.lengths == [2]int{left, right}
}

// Same reports whether nothing differs.
func (v *View) Same() bool { return v.Cursor < 0 }

// goThere brings the session to the chosen event, in the branch where it happened.
func (v *View) goThere(c pane.Context) {
	row := v.c.Row(v.Cursor)
	branch, at := v.b, row.B
	if at < 0 {
		branch, at = v.a, row.A
	}
	if branch == 0 { // the recorded run is not one of the session's
		for i := v.Cursor; i >= 0 && at >= 0; i-- {
			if r := v.c.Row(i); r.B >= 0 {
				branch, at = v.b, r.B
				break
			}
		}
		c.Say(theme.Warn, "That was only recorded; this is the last event before it that is also in this run.")
		if branch == 0 {
			return
		}
	}
	v.goTo(branch, at)
}

// SameText says that nothing differs.
func (v *View) SameText() string {
	if v.a == 0 {
		return "The run is as it was recorded, in all " + explain.Plural(v.left.Len(), "event", "events") + "."
	}
	return "What-ifs " + strconv.Itoa(v.a) + " and " + strconv.Itoa(v.b) + " are the same, event for event."
}

// part is a part of the view that has the keys.
type part uint8

const (
	partEvents part = iota
	partData
)

// View holds two runs against each other: their events in step, and the data of the chosen pair.
type View struct {
	widget.Rows
	a, b        int // the branches; a is 0 where it is the recorded run
	left, right *runlog.Log
	lengths     [2]int // of the logs when they were compared
	c           *compare.Result
	start       time.Time
	goTo        func(branch, at int)

	part    part
	reading bool // the data before the events, where an event has both
	opened  bool // the cursor is to be brought into view with the lines below it
	shown   int  // the row that tree and facts are of, -1 for none
	tree    *datatree.Tree
	folding datatree.Folding
	width   int // for which tree was made
	about   string
	facts   []fact
	data    struct{ cursor, top, left, rows int }
}

// next returns the next row that is not the same on both sides, or -1.
func (v *View) next(from, by int) int {
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

// Mode implements [pane.Dialog].
func (*View) Mode() pane.Mode { return pane.Choosing }

// Handle implements [pane.Dialog].
func (v *View) Handle(c pane.Context, k keys.Press) {
	switch k.Action {
	case keys.FocusNext, keys.FocusPrevious:
		v.part = 1 - v.part
		return
	case keys.FocusData:
		v.part = partData
		return
	case keys.FocusEvents:
		v.part = partEvents
		return
	case keys.FindNext, keys.FindPrevious:
		v.jump(c, k.Action)
		return
	case keys.DataView:
		v.reading = !v.reading
		v.shown = -1
		return
	case keys.FoldAll:
		v.folding = (v.folding + 1) % (datatree.AllFolded + 1)
		v.shown = -1
		return
	default:
	}
	if v.part == partData && v.moveData(k.Action) {
		return
	}
	if v.part == partEvents && v.Move(k.Action, v.c.Len()) {
		return
	}
	switch k.Action {
	case keys.Look:
		c.Open(nil)
		v.goThere(c)
	case keys.Now, keys.Compare, keys.Quit:
		c.Open(nil)
		c.Say(theme.Plain, c.Keys().Key(keys.Compare)+" shows both runs side by side again.")
	default:
	}
}

// jump goes to the next row that differs.
func (v *View) jump(c pane.Context, a keys.Action) {
	by, word := 1, "below"
	if a == keys.FindPrevious {
		by, word = -1, "above"
	}
	to := v.next(v.Cursor, by)
	if to < 0 {
		c.Say(theme.Plain, "No more differences "+word+".")
		return
	}
	v.opened = v.opened || to < v.Top || to >= v.Top+v.Height
	v.Cursor = to
}

// moveData moves in the data; false where the action moves nothing.
func (v *View) moveData(a keys.Action) bool {
	d := &v.data
	switch a {
	case keys.Fold:
		if v.tree != nil && v.tree.Len() > 0 {
			d.cursor, _ = v.tree.Toggle(d.cursor)
		}
		return true
	case keys.Left, keys.ScrollLeft:
		d.left = max(0, d.left-8)
		return true
	case keys.Right, keys.ScrollRight:
		d.left += 8
		return true
	default:
	}
	by, ok := widget.PageMove(a, max(d.rows, 1))
	if ok && v.tree != nil {
		d.cursor = max(0, min(d.cursor+by, v.tree.Len()-1))
	}
	return ok
}

// prepare makes the tree of the chosen pair's data for a width.
func (v *View) prepare(width int, g *canvas.Glyphs) {
	if v.shown == v.Cursor && v.width == width {
		return
	}
	v.shown, v.width = v.Cursor, width
	v.data.cursor, v.data.top, v.data.left = 0, 0, 0
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
	layout := datatree.Unified
	if width >= datatree.MinColumns {
		layout = datatree.SideBySide
	}
	switch {
	case old == nil && found == nil:
		v.tree, v.about = nil, ""
	case old != nil && found != nil && !value.Equal(old, found):
		v.tree = datatree.OfDifference(old, found, layout, v.folding)
		v.data.cursor = v.tree.FirstChange()
	case found != nil:
		v.tree = datatree.OfValue(found, v.folding)
	default:
		v.tree = datatree.OfValue(old, v.folding)
	}
	switch {
	case v.tree == nil:
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
func (v *View) nameOf(side int) string {
	switch {
	case side == 0 && v.a == 0:
		return "recorded"
	case side == 1 && v.a == 0:
		return "this run"
	case side == 0:
		return "what-if " + strconv.Itoa(v.a)
	}
	return "what-if " + strconv.Itoa(v.b)
}
