package events

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// list is the log, grouped by the visits of states. Only the rows on the screen are read.
type list struct {
	screen Screen
	pane   *Pane
	index  *Rows
	cursor int // index of the selected event; where a folded group hides it, that group's row is selected
	top    int // the event of the first row on the screen
	height int // when it was last drawn
	// present is the event that the run is at, and now the virtual time there. happened is the number of events up to
	// the run's position: events after them come later, since the run has gone back.
	present, happened int
	now               time.Time
	// own: the list itself has moved its cursor, so no group opens or folds.
	own     bool
	longest int // the width of the longest name of a state, 0 before it is known
	// details caches the details of rows: comparing data for each frame would cost more.
	details map[detailKey]string
}

// logged returns the bookmark and the messages of logpoints at an event, "" where there are none.
func (l *list) logged(i int, g *canvas.Glyphs) string {
	var texts []string
	if l.pane.Bookmarked != nil {
		if note, ok := l.pane.Bookmarked(i); ok {
			texts = append(texts, strings.TrimSpace(g.Bookmark+" "+note))
		}
	}
	for _, m := range l.screen.Session().Breakpoints().MessagesAt(i) {
		texts = append(texts, g.Breakpoint+" "+m.Text)
	}
	return strings.Join(texts, "  ")
}

// outside returns the intervention or the call that an event came of, "" where it came of neither.
func (l *list) outside(i int) string {
	if l.ahead(i) {
		return ""
	}
	return explain.Outside(l.screen.Session(), i)
}

// detailKey is the event of a row, and of a group its own newest event.
type detailKey struct{ event, newest int }

// maxDetails bounds details; a screen needs far fewer.
const maxDetails = 2048

// read reads the new events of the log. changed reports whether the log has become another one.
func (l *list) read(log *runlog.Log) (changed bool) {
	if changed = l.index.Extend(log); changed {
		l.details = nil
	}
	return changed
}

// show selects an event. The groups that hold it open, unless it was the list that selected it.
func (l *list) show(i int) {
	l.cursor = max(i, 0)
	if !l.own {
		l.index.Anchor(l.cursor)
	}
	l.own = false
}

// row returns the selected row.
func (l *list) row() int { return l.index.Visible(l.cursor) }

// land selects a row: for a folded visit the most informative event, for another folded group its newest event,
// or the present one where it is in the group.
func (l *list) land(row int) {
	l.own, l.cursor = true, row
	g, ok := l.index.Get(row)
	switch {
	case !ok || l.index.Open(row):
	case l.index.Holds(row, l.present) && l.present < l.index.Len():
		l.cursor = l.present
	case g.Kind() == runlog.Visit:
		l.cursor = l.screen.Log().MainEvent(g.Newest())
	default:
		l.cursor = g.Newest()
	}
}

// move moves the cursor by rows, staying inside the log.
func (l *list) move(by int) {
	row := l.row()
	switch {
	case row == runlog.None:
		return
	case by <= -widget.Far:
		row = l.index.Top()
	case by >= widget.Far:
		row = l.index.Bottom()
	}
	at := row
	for n := by; n != 0 && by > -widget.Far && by < widget.Far; {
		next := runlog.None
		if n > 0 {
			next, n = l.index.Next(at), n-1
		} else {
			next, n = l.index.Previous(at), n+1
		}
		if next == runlog.None {
			break
		}
		at = next
	}
	if at != l.row() {
		l.land(at)
		return
	}
	l.own = true
}

// fold folds the selected group, or opens it; the event of an open one folds the group around it. It reports
// false where there is none.
func (l *list) fold() bool {
	row := l.row()
	if _, ok := l.index.Get(row); !ok {
		row = l.index.Parent(row)
	}
	if row == runlog.None {
		return false
	}
	l.setOpen(row, !l.index.Open(row))
	return true
}

func (l *list) setOpen(row int, open bool) {
	l.index.SetOpen(row, open)
	l.own = true
	if open || !l.index.Holds(row, l.cursor) || l.cursor == row {
		l.land(row)
	}
}

// aside moves along the tree: to the left it folds the selected group or moves to the one around it, to the
// right it opens it or moves into it.
func (l *list) aside(by int) {
	row := l.row()
	if row == runlog.None {
		return
	}
	_, group := l.index.Get(row)
	switch parent := l.index.Parent(row); {
	case by > 0 && group && !l.index.Open(row):
		l.setOpen(row, true)
	case by > 0:
		l.move(1)
	case group && l.index.Open(row):
		l.setOpen(row, false)
	case parent != runlog.None:
		l.land(parent)
	default:
		l.own = true
	}
}

// foldAll folds every group, or opens them.
func (l *list) foldAll(open bool) {
	l.index.SetAll(open)
	l.own = true
}

// find selects the next row with text, after or before the cursor and round at the end, also in folded groups, which it
// opens. wrapped reports whether the row is beyond an end.
func (l *list) find(text string, by int, log *runlog.Log) (wrapped, ok bool) {
	text = strings.ToLower(text)
	at, wrapped, ok := widget.FindFrom(l.cursor, log.Len(), by, func(i int) bool {
		return strings.Contains(strings.ToLower(l.textOf(i)), text)
	})
	if ok {
		l.index.Reveal(at)
		l.own, l.cursor = true, at
	}
	return wrapped, ok
}

// selectAt selects the row on line y of the pane's inside. The row that is selected already is folded or opened.
func (l *list) selectAt(y int) {
	l.own = true
	row := l.index.Visible(l.top)
	for ; y > 0 && row != runlog.None; y-- {
		row = l.index.Next(row)
	}
	if row == runlog.None || y < 0 {
		return
	}
	if _, group := l.index.Get(row); group && row == l.row() {
		l.setOpen(row, !l.index.Open(row))
		return
	}
	l.land(row)
}

// scroll brings the selected row onto the screen by as little as possible.
func (l *list) scroll() {
	x, row := l.index, l.row()
	top := x.Visible(min(max(l.top, 0), x.Len()-1))
	if at := steps(top, row, 2*l.height, x.Next); at >= 0 {
		top = walk(top, max(0, at-l.height+1), x.Next)
	} else if steps(top, row, 2*l.height, x.Previous) >= 0 {
		top = row
	} else {
		top = walk(row, l.height/2, x.Previous)
	}
	rest := 0 // the rows from top on that are on the screen
	for at := top; at != runlog.None && rest < l.height; at = x.Next(at) {
		rest++
	}
	l.top = walk(top, l.height-rest, x.Previous)
}

// steps counts the steps from a row to another, at most limit, or returns -1.
func steps(from, to, limit int, step func(int) int) int {
	for n := 0; n <= limit && from != runlog.None; n++ {
		if from == to {
			return n
		}
		from = step(from)
	}
	return -1
}

// walk takes n steps, or as many as there are.
func walk(row, n int, step func(int) int) int {
	for ; n > 0; n-- {
		next := step(row)
		if next == runlog.None {
			break
		}
		row = next
	}
	return row
}

// draw paints the list, and returns a note for the title.
func (l *list) draw(inner widget.Frame, log *runlog.Log, start time.Time) (foot string) {
	if more := log.Len() - l.happened; more > 0 {
		foot = strconv.Itoa(more) + " not yet"
	}
	if selected := min(l.cursor, log.Len()-1); selected >= 0 && inner.W() < timedRow && l.recorded() {
		if id := explain.HistoryID(log.At(selected)); id != "" {
			foot = strings.TrimSpace(id + "  " + foot)
		}
	}
	l.height = max(inner.H(), 1)
	if log.Len() == 0 {
		l.drawOpening(inner.Area)
		return foot
	}
	l.cursor = max(0, min(l.cursor, log.Len()-1))
	l.scroll()
	columns := l.columns(start, inner.W())
	selected, at := l.row(), l.top
	for y := 0; y < inner.H() && at != runlog.None; y++ {
		l.drawRow(inner.Row(y), at, &columns, at == selected)
		if at == selected && inner.Focused {
			inner.Mark(y)
		}
		at = l.index.Next(at)
	}
	if l.top != l.index.Top() || at != runlog.None {
		widget.Scrollbar(inner.Area, min(l.top, max(log.Len()-inner.H(), 0)), log.Len())
	}
	return foot
}

// drawOpening paints a list without events: the progress of a recording that is being opened, and facts about it.
func (l *list) drawOpening(area canvas.Area) {
	lines := []string{"Nothing has happened yet."}
	if l.pane.Opening != nil {
		if more := l.pane.Opening(); len(more) > 0 {
			lines = more
		}
	}
	for y, line := range lines[:min(len(lines), area.H())] {
		style := canvas.Dim
		if y == 0 && len(lines) > 1 {
			style = canvas.Strong
		}
		area.Fit(1, y, area.W()-2, style, line)
	}
}

// longestName returns the width of the longest name of a state, with the sign of its type.
func (l *list) longestName() int {
	if l.longest == 0 {
		for s := range l.screen.Session().Machine().Definition().All() {
			l.longest = max(l.longest, canvas.Width(s.Name)+3)
		}
	}
	return l.longest
}

// ahead reports whether the event is after the run's position.
func (l *list) ahead(i int) bool { return i >= l.happened }
