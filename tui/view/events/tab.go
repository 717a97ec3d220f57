package events

import (
	"cmp"
	"strings"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// Recorded is a recorded run that the session's is compared with.
type Recorded struct {
	// Log has its events.
	Log *runlog.Log
	// Compare lays a run beside it where its events are events of Step Functions' history, which knows no stages; nil:
	// event by event.
	Compare func(run *runlog.Log) *runlog.Result
	// Ahead, where it is not nil, is the end of the run without interventions: it is shown beside the recorded one
	// as long as the session has not come as far and has no other branch.
	Ahead *runlog.Log
	// Open shows the two side by side when the screen opens, at the first difference.
	Open bool
	// Versions: the recorded run is from an old version of the definition, the session's from a new one.
	Versions bool
	// First are the indexes of the events at which the comparison opens, in Log and in the session's; -1 for none. Nil:
	// the first that differ.
	First *[2]int
	// Leave, where it is not nil, is done in place of the return from the comparison to the events.
	Leave func()
}

// Tab shows two runs side by side: two forks of the session, or a fork and the recorded run.
type Tab struct {
	screen   Screen
	recorded *Recorded    // nil: there is none
	view     *compareView // the newest
}

// NewCompare returns the tab of a screen. recorded may be nil.
func NewCompare(screen Screen, recorded *Recorded) *Tab {
	return &Tab{screen: screen, recorded: recorded}
}

// Disabled is the reason why there is nothing to compare, or "".
func (t *Tab) Disabled() string {
	switch a, _ := t.present(); {
	case t.screen.Session().Log().Len() == 0 && t.recorded == nil:
		return "nothing has run yet"
	case a == 0 && t.recorded == nil:
		return "there is only one run, and no recording to compare it with"
	}
	return ""
}

// present returns the two runs to compare: the runs of the view that was left, where the session is still in one
// of them, else the recorded run (0) or the parent of the branch that the session is in, and that branch.
func (t *Tab) present() (a, b int) {
	for _, branch := range t.screen.Session().Forks().All() {
		if branch.Current {
			a, b = branch.Parent, branch.ID
		}
	}
	if t.view != nil && (t.view.a == b || t.view.b == b) {
		return t.view.a, t.view.b
	}
	if t.recorded != nil {
		a = 0
	}
	return a, b
}

// Leave leaves the screen for the list that it was opened from. It reports false where that is not wanted.
func (t *Tab) Leave() bool {
	if t.recorded == nil || t.recorded.Leave == nil {
		return false
	}
	t.recorded.Leave()
	return true
}

// Refresh compares the present runs, again where they have other events since.
func (t *Tab) Refresh() {
	if t.Disabled() == "" {
		a, b := t.present()
		_ = t.Compare(a, b) // a removed fork leaves the newest view
	}
}

// Compare shows two branches of the run; a is 0 for the recorded run. The error is [debug.ErrNoFork].
func (t *Tab) Compare(a, b int) error {
	forks := t.screen.Session().Forks()
	left, right := forks.Log(a), forks.Log(b)
	if a == 0 && t.recorded != nil {
		left = t.recorded.Log
		if ahead := t.recorded.Ahead; ahead != nil && right != nil && right.Len() < ahead.Len() && len(forks.All()) == 1 {
			right = ahead
		}
	}
	switch {
	case left == nil || right == nil:
		return debug.ErrNoFork
	case t.view != nil && t.view.of(a, b, left.Len(), right.Len()):
		return nil
	}
	var compared *runlog.Result
	if a == 0 && t.recorded.Compare != nil {
		compared = t.recorded.Compare(right)
	} else {
		compared = runlog.Logs(left, right)
	}
	before := t.view
	t.view = newView(a, b, left, right, compared, t.screen.Start())
	t.view.Moved = t.follow
	if a == 0 {
		t.view.versions = t.recorded.Versions
		if first := t.recorded.First; first != nil && before == nil {
			t.view.goTo(first[0], first[1])
		}
	}
	if before != nil && before.a == a && before.b == b && before.Cursor < compared.Len() && !before.same { // the runs have gone on
		t.view.Scroll, t.view.part = before.Scroll, before.part
	}
	return nil
}

// Draw paints the tab, and returns a note for its title, of at most some cells.
func (t *Tab) Draw(inner widget.Frame, cells int) (foot string) {
	if t.view != nil {
		foot = t.foot(cells)
	}
	switch {
	case t.view == nil:
		reason := cmp.Or(t.Disabled(), "nothing has run yet")
		inner.Fit(1, 0, inner.W()-2, canvas.Dim, strings.ToUpper(reason[:1])+reason[1:]+".")
	case t.view.same:
		for y, line := range canvas.Wrap(t.view.sameText(), inner.W()-2) {
			inner.Text(1, y, canvas.Plain, line)
		}
	default:
		t.view.draw(inner)
	}
	return foot
}

// foot names the runs, the place of the cursor and the keys, as many as fit.
func (t *Tab) foot(cells int) string {
	v, key := t.view, t.screen.Key
	if v.same {
		return v.title()
	}
	toData := "right data"
	if v.part == partData {
		toData = "left events"
	}
	return widget.Hints(cells, v.title(), wording.Grouped(v.Cursor+1)+" of "+wording.Grouped(v.c.Len()), key(keys.FindNext)+" next difference",
		toData, "esc back", key(keys.Look)+" go there", t.screen.Keys().Any(keys.DataView)+" before, after")
}

// rows reports whether there are rows to select.
func (t *Tab) rows() bool { return t.view != nil && !t.view.same && t.view.c.Len() > 0 }

// Move selects another pair, or another line of the data, by rows further; cells go to the data and back.
func (t *Tab) Move(rows, cells int) {
	if t.rows() {
		t.view.move(rows, cells)
	}
}

// follow looks at the selected event where it is one of the run on the screen.
func (t *Tab) follow() {
	v := t.view
	row, at := v.c.Row(v.Cursor), -1
	switch t.screen.Session().Forks().Current() {
	case v.b:
		at = row.B
	case v.a:
		at = row.A
	}
	if at >= 0 && at < t.screen.Log().Len() {
		t.screen.Inspect(at)
	}
}

// Page returns the number of rows of the part that has the keys.
func (t *Tab) Page() int {
	switch {
	case t.view == nil:
		return 1
	case t.view.part == partData:
		return t.view.data.Height()
	}
	return t.view.Height()
}

// Find selects the next pair with a text in the name or the place of an event.
func (t *Tab) Find(text string, by int) (wrapped, ok bool) {
	if !t.rows() {
		return false, false
	}
	v := t.view
	at, wrapped, ok := widget.FindFrom(v.Cursor, v.c.Len(), by, func(i int) bool { return v.contains(i, text) })
	if ok {
		v.Cursor = at
		t.follow()
	}
	return wrapped, ok
}

// Next selects the next pair that differs, or the previous one where by is -1.
func (t *Tab) Next(by int) {
	switch {
	case t.rows() && t.view.jump(by):
		t.follow()
	case by > 0:
		t.screen.Say(canvas.Plain, "No more differences below.")
	default:
		t.screen.Say(canvas.Plain, "No more differences above.")
	}
}

// Turn shows the data before the events, or those after them.
func (t *Tab) Turn() {
	if t.rows() {
		t.view.reading, t.view.shown = !t.view.reading, -1
	}
}

// Fold folds the selected line of the data, or opens it.
func (t *Tab) Fold() {
	if t.rows() {
		t.view.fold()
	}
}

// FoldAll unfolds all data, folds them, or shows what differs.
func (t *Tab) FoldAll() {
	if t.rows() {
		t.view.foldAll()
	}
}

// Enter shows both texts of a line of the data, whose row has no more than the change. Else it brings the
// session to the selected event, in the branch where it happened, and reports whether it did.
func (t *Tab) Enter() bool {
	if !t.rows() {
		return false
	}
	if v := t.view; v.part == partData && v.data.Count() > 0 {
		row, _ := v.data.Row()
		if before, after, ok := row.Texts(); ok && (dialog.WorthViewing(before, v.columns/2) || dialog.WorthViewing(after, v.columns/2)) {
			t.screen.Open(dialog.NewTextChange(t.screen, row.Path(), before, after, func() { t.screen.Copy(after) }))
			return false
		}
	}
	branch, at, recorded, ok := t.view.target()
	if recorded {
		t.screen.Say(canvas.Warn, t.view.onlyLeft()+"; this is the last event before it that is also in this run.")
	}
	if ok {
		t.goTo(branch, at)
	}
	return ok
}

// goTo brings the session to the event at an index of a branch.
func (t *Tab) goTo(branch, at int) {
	if err := t.screen.Switch(branch); err != nil {
		t.screen.Say(canvas.Bad, err.Error())
		return
	}
	session := t.screen.Session()
	if more := at + 1 - session.Log().Len(); more > 0 { // it has not happened yet
		session.GoTo(session.Log().Len())
		stop, _ := session.Do(debug.Command{Kind: debug.Continue, Events: more})
		if session.Log().Len() <= at || stop.Reason == debug.StoppedByBreakpoint {
			t.screen.Sync()
			return
		}
	}
	t.screen.Sync()
	t.screen.StandAt(at)
}

// compareBindings are about the comparison of two runs.
func (p *Pane) compareBindings() view.Bindings {
	here := func() bool { return p.view == asCompared && p.screen.Focused() == view.Drawer }
	return view.Bindings{
		{Action: keys.Compare, Disabled: p.compared.Disabled, Run: view.Run(func() {
			if p.view == asCompared {
				p.back()
				return
			}
			p.openCompared()
		})},
		{Action: keys.Look, Applies: here, Run: view.Run(func() {
			if p.compared.Enter() {
				p.open(asList)
			}
		})},
		{Action: keys.FindNext, Applies: here, Run: view.Run(func() { p.compared.Next(1) })},
		{Action: keys.FindPrevious, Applies: here, Run: view.Run(func() { p.compared.Next(-1) })},
		{Action: keys.DataView, Applies: here, Bare: true, Run: view.Run(p.compared.Turn)},
		{Action: keys.Fold, Applies: here, Run: view.Run(p.compared.Fold)},
		{Action: keys.FoldAll, Applies: here, Run: view.Run(p.compared.FoldAll)},
		{Action: keys.Now, Applies: here, Run: view.Run(func() {
			if p.compared.Leave() {
				return
			}
			p.back()
			p.screen.Say(canvas.Plain, p.screen.Key(keys.Compare)+" shows both runs side by side again.")
		})},
	}
}

// CompareRuns shows two forks side by side, from their first difference on; a is 0 for the recorded run.
func (p *Pane) CompareRuns(a, b int) {
	if err := p.compared.Compare(a, b); err != nil {
		p.screen.Say(canvas.Bad, err.Error())
		return
	}
	p.openCompared()
}

// OpenRecorded shows the run beside the recorded one.
func (p *Pane) OpenRecorded() { p.openCompared() }

// openCompared shows the comparison, on the whole screen where the pane is too small for both runs.
func (p *Pane) openCompared() {
	p.open(asCompared)
	if place := p.screen.Place(view.Drawer); p.zoomed.Empty() && !place.Empty() && (place.W < compareWidth ||
		place.H < compareHeight) {
		p.screen.Do(keys.Zoom, "")
		if p.screen.Place(view.Drawer) == place { // it has the whole screen already
			p.screen.Do(keys.Zoom, "")
			return
		}
		p.zoomed = place
	}
}

// The size of the pane from which on two runs can be read beside the other panes.
const (
	compareWidth  = 66
	compareHeight = 10
)

// unzoom ends the zoom of the comparison, where it has not been ended yet.
func (p *Pane) unzoom() {
	if place := p.screen.Place(view.Drawer); !p.zoomed.Empty() && (place.W > p.zoomed.W || place.H > p.zoomed.H) {
		p.screen.Do(keys.Zoom, "")
	}
	p.zoomed = canvas.Rect{}
}
