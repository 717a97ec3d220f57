package tui

import (
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/datatree"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// Recorded is a recorded run that the session's is held against.
type Recorded struct {
	// Log has its events.
	Log *debug.Log
	// Compare lays a run beside it where its events are those of Step Functions' history, which knows no stages; nil: event by event.
	Compare func(run *debug.Log) *compare.Result
	// Ahead, where it is not nil, is how the run comes out when nobody intervenes: what is shown beside the recorded one
	// as long as the session has not come as far and has no other branch.
	Ahead *debug.Log
	// Open shows the two side by side when the screen opens, at the first difference.
	Open bool
}

func (u *ui) compareBindings() pane.Bindings {
	return pane.Bindings{{
		Action: keys.Beside,
		Run:    plainly(func() { u.openBeside(u.besideNow()) }),
		Disabled: func() string {
			switch a, _ := u.besideNow(); {
			case u.session.Log().Len() == 0 && u.recorded == nil:
				return "nothing has run yet"
			case a == 0 && u.recorded == nil:
				return "there is one run, and nothing recorded to hold it against"
			}
			return ""
		},
	}}
}

// besideNow returns what is to be held against what: the branches of the view that was left, where the session is still in one
// of them, else the recorded run (0) or the parent of the branch that the session is in, and that branch.
func (u *ui) besideNow() (a, b int) {
	for _, branch := range u.session.Branches() {
		if branch.Current {
			a, b = branch.Parent, branch.ID
		}
	}
	if v := u.beside; v != nil && (v.b == b || v.a == b) {
		return v.a, v.b
	}
	if u.recorded != nil {
		a = 0
	}
	return a, b
}

// openBeside opens the view of two branches of the run; 0 stands for the recorded run as a, and for the branch that the
// session is in as b.
func (u *ui) openBeside(a, b int) {
	for _, branch := range u.session.Branches() {
		if b == 0 && branch.Current {
			b = branch.ID
		}
	}
	left, right := u.session.BranchLog(a), u.session.BranchLog(b)
	if a == 0 && u.recorded != nil {
		left = u.recorded.Log
		if ahead := u.recorded.Ahead; ahead != nil && right != nil && right.Len() < ahead.Len() && len(u.session.Branches()) == 1 {
			right = ahead
		}
	}
	if left == nil || right == nil {
		u.say(theme.Bad, debug.ErrNoBranch.Error())
		return
	}
	v := u.beside
	if v == nil || v.a != a || v.b != b || v.lengths != [2]int{left.Len(), right.Len()} {
		v = &besideView{u: u, a: a, b: b, left: left, right: right, lengths: [2]int{left.Len(), right.Len()}, start: u.start, shown: -1, opened: true}
		if a == 0 && u.recorded.Compare != nil {
			v.c = u.recorded.Compare(right)
		} else {
			v.c = compare.Logs(left, right)
		}
		v.Cursor = v.next(-1, 1)
	}
	if v.Cursor < 0 {
		u.say(theme.Plain, v.sameText())
		return
	}
	u.beside, u.dialog = v, v
}

// sameText says that nothing differs.
func (v *besideView) sameText() string {
	if v.a == 0 {
		return "The run is as it was recorded, in all " + explain.Plural(v.left.Len(), "event", "events") + "."
	}
	return "Branches " + strconv.Itoa(v.a) + " and " + strconv.Itoa(v.b) + " are the same, event for event."
}

// besidePart is a part of the view that has the keys.
type besidePart uint8

const (
	besideEvents besidePart = iota
	besideData
)

// besideView holds two runs against each other: their events in step, and the data of the chosen pair.
type besideView struct {
	u *ui
	widget.Rows
	a, b        int // the branches; a is 0 where it is the recorded run
	left, right *debug.Log
	lengths     [2]int // of the logs when they were compared
	c           *compare.Result
	start       time.Time

	part    besidePart
	reading bool // the data before the events, where an event has both
	opened  bool // the cursor is to be brought into view with what follows it
	shown   int  // the row that tree and facts are of, -1 for none
	tree    *datatree.Tree
	folding datatree.Folding
	width   int // for which tree was made
	about   string
	facts   []besideFact
	data    struct{ cursor, top, left, rows int }
}

// next returns the next row that is not the same on both sides, or -1.
func (v *besideView) next(from, by int) int {
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
func (*besideView) Mode() pane.Mode { return pane.Choosing }

// Handle implements [pane.Dialog].
func (v *besideView) Handle(_ pane.Context, k keys.Press) {
	u := v.u
	switch k.Action {
	case keys.FocusNext, keys.FocusPrevious:
		v.part = 1 - v.part
		return
	case keys.FocusData:
		v.part = besideData
		return
	case keys.FocusEvents:
		v.part = besideEvents
		return
	case keys.FindNext, keys.FindPrevious:
		v.jump(u, k.Action)
		return
	case keys.DataView:
		v.reading = !v.reading
		v.shown = -1
		return
	case keys.FoldAll:
		v.folding = (v.folding + 1) % (datatree.AllFolded + 1)
		v.shown = -1
		return
	}
	if v.part == besideData && v.moveData(k.Action) {
		return
	}
	if v.part == besideEvents && v.Move(k.Action, v.c.Len()) {
		return
	}
	switch k.Action {
	case keys.Look:
		u.dialog = nil
		v.goThere(u)
	case keys.Now, keys.Beside, keys.Quit:
		u.dialog = nil
		u.say(theme.Plain, u.keys.Key(keys.Beside)+" shows both runs side by side again.")
	}
}

// jump goes to the next row that differs.
func (v *besideView) jump(u *ui, a keys.Action) {
	by, word := 1, "below"
	if a == keys.FindPrevious {
		by, word = -1, "above"
	}
	to := v.next(v.Cursor, by)
	if to < 0 {
		u.say(theme.Plain, "Nothing differs "+word+" this.")
		return
	}
	v.opened = v.opened || to < v.Top || to >= v.Top+v.Height
	v.Cursor = to
}

// moveData moves in the data; false where the action moves nothing.
func (v *besideView) moveData(a keys.Action) bool {
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
	}
	by, ok := widget.PageMove(a, max(d.rows, 1))
	if ok && v.tree != nil {
		d.cursor = max(0, min(d.cursor+by, v.tree.Len()-1))
	}
	return ok
}

// goThere brings the session to the chosen event, in the branch where it happened.
func (v *besideView) goThere(u *ui) {
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
		u.say(theme.Warn, "That was only recorded; this is the last event before it that is also in this run.")
		if branch == 0 {
			return
		}
	}
	if err := u.session.Switch(branch); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	if more := at + 1 - u.session.Log().Len(); more > 0 { // it has not happened yet
		u.session.GoTo(u.session.Log().Len())
		stop, _ := u.session.Do(debug.Command{Kind: debug.Continue, Events: more})
		if u.session.Log().Len() <= at || stop.Reason == debug.StoppedByBreakpoint {
			u.settle()
			return
		}
	}
	u.settle()
	u.standAt(at)
}

// prepare makes the tree of the chosen pair's data for a width.
func (v *besideView) prepare(width int, g *canvas.Glyphs) {
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
	old, found, what := besideValues(left, right, v.reading)
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

// besideValues chooses which data of a pair are shown: what differs, after the events rather than before them.
func besideValues(left, right *engine.Event, before bool) (old, found value.Value, what string) {
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
func (v *besideView) nameOf(side int) string {
	switch {
	case side == 0 && v.a == 0:
		return "recorded"
	case side == 1 && v.a == 0:
		return "this run"
	case side == 0:
		return "branch " + strconv.Itoa(v.a)
	}
	return "branch " + strconv.Itoa(v.b)
}
