package tui

import (
	"strconv"

	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// branchList lists the branches of the run.
type branchList struct{ widget.Rows }

func newBranchList(s *debug.Session) *branchList {
	l := &branchList{}
	for i, b := range s.Branches() {
		if b.Current {
			l.Cursor = i
		}
	}
	return l
}

func (l *branchList) handle(u *ui, k keys.Press) {
	branches := u.session.Branches()
	if l.Move(k.Action, len(branches)) {
		return
	}
	u.dialog = nil
	chosen := branches[l.Cursor]
	switch k.Action {
	case keys.Look, keys.Fold:
		if err := u.session.Switch(chosen.ID); err != nil {
			u.say(theme.Bad, err.Error())
			return
		}
		u.catchUp()
		u.passLogged()
		u.settle()
		u.say(theme.Plain, "This is branch "+strconv.Itoa(chosen.ID)+" of the run.")
	case keys.DataView:
		u.compare(branches, chosen)
	case keys.EditData:
		u.goLive()
	}
}

// sealed says why a recorded run cannot be changed, and what can be done about it; "" where it can be.
func (u *ui) sealed() string {
	switch {
	case !u.session.Replaying():
		return ""
	case !u.session.Executable():
		return "this shows what was recorded; without the definition it cannot be changed"
	}
	return "a recorded run does not change: " + u.keys.Key(keys.Branches) + " and then " + u.keys.Key(keys.EditData) + " make it live"
}

// goLive lets a recorded run be changed: what is said otherwise begins a branch, and the recording stays as it is.
func (u *ui) goLive() {
	if !u.session.Replaying() {
		u.say(theme.Warn, "The run is live already.")
		return
	}
	if err := u.session.GoLive(u.session.Options().Source); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.settle()
	u.say(theme.Plain, "The run is live now: what you change begins a branch, and the recording stays as it is.")
}

// compare opens the comparison of a branch with the one that the session is in, or of that one with its parent.
func (u *ui) compare(branches []debug.Branch, chosen debug.Branch) {
	a, b := chosen.ID, chosen.ID
	for _, other := range branches {
		if other.Current {
			b = other.ID
		}
	}
	if a == b {
		if a = chosen.Parent; a == 0 {
			u.say(theme.Warn, "This is the branch that the run is in: choose another one to compare it with.")
			return
		}
	}
	u.openBeside(a, b)
}

func (l *branchList) draw(u *ui, area canvas.Area) {
	branches := u.session.Branches()
	inner := widget.Window(area, 84, len(branches)+4, "Branches of the run", "")
	hint := "enter go there   " + u.keys.Key(keys.DataView) + " compare   esc close"
	if u.session.Replaying() {
		hint = u.keys.Key(keys.EditData) + " make it live, to change it   " + hint
	}
	if gone := u.session.Dropped(); gone > 0 {
		hint += "   " + explain.Plural(gone, "older branch is", "older branches are") + " not kept"
	}
	l.Rows.Draw(inner, len(branches), hint, func(line canvas.Area, i int) {
		b := branches[i]
		style, mark := theme.Plain, " "
		if b.Current {
			style, mark = theme.Strong, u.glyphs.Current
		}
		x := line.Text(1, 0, style, mark+" "+strconv.Itoa(b.ID)) + 1
		line.Fit(x, 0, line.W()-x, style, branchText(b))
	})
}

// branchText says what a branch is.
func branchText(b debug.Branch) string {
	status := b.Status.String()
	if !b.Status.Done() {
		status = "not over"
	}
	text := status + ", " + explain.Plural(b.Events, "event", "events")
	switch {
	case b.Parent == 0:
		return "the first run: " + text
	case b.Shared == 0:
		return b.Cause + ": " + text
	}
	return b.Cause + " after event " + strconv.Itoa(b.Shared) + " of branch " + strconv.Itoa(b.Parent) + ": " + text
}

// hopList shows the way of a value back to where it came from.
type hopList struct {
	widget.Rows
	path string
	hops []debug.Hop
}

func (l *hopList) handle(u *ui, k keys.Press) {
	if l.Move(k.Action, len(l.hops)) {
		return
	}
	u.dialog = nil
	if k.Action == keys.Look {
		u.standAt(l.hops[l.Cursor].Event)
	}
}

func (l *hopList) draw(u *ui, area canvas.Area) {
	inner := widget.Window(area, 100, len(l.hops)+4, "Where "+canvas.FitMiddle(l.path, 40, u.glyphs.Ellipsis)+" came from, newest first", "")
	l.Rows.Draw(inner, len(l.hops), "enter go there   esc close", func(line canvas.Area, i int) {
		hop := &l.hops[i]
		event := u.session.Log().At(hop.Event)
		place := explain.EventPlace(event)
		if place != "" {
			place += " "
		}
		x := line.Text(2, 0, theme.Dim, strconv.FormatInt(event.Seq, 10)) + 1
		x = line.Fit(max(x, 6), 0, line.W()/3, theme.Strong, place+explain.EventName(event)) + 2
		line.Fit(x, 0, line.W()-x, theme.Plain, hopWords(hop, event))
	})
}
