package screen

import (
	"strconv"
	"strings"

	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/interrupt"
	"asldb/engine/value"
	"asldb/internal/visible"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// watchPane shows the watches with their values. The values are found when another event is looked at, not for each
// frame.
type watchPane struct {
	list pointList
	rows []watchRow
	seen watchMoment // what the rows are about
}

// watchMoment is when the values of the watches are to be found anew.
type watchMoment struct {
	event, before, length int
	texts                 string
}

// watchRow is a watch as the list shows it.
type watchRow struct {
	text          string
	value, before value.Value // nil: nothing
	err           error
	mark          watchMark
	changes       int // in the run so far
	last          int // the event of the newest of them
}

// watchMark says what became of a value since the previous stop.
type watchMark uint8

const (
	watchSame watchMark = iota
	watchChanged
	watchCame
	watchWent
)

// show finds the values at event index of the log; before is the event to compare with.
func (p *watchPane) show(s *debug.Session, index, before int) {
	var texts strings.Builder
	for _, w := range s.Watches().All() {
		texts.WriteString(w.Text + "\n")
	}
	seen := watchMoment{index, before, s.Log().Len(), texts.String()}
	if seen == p.seen && len(p.rows) == len(s.Watches().All()) {
		return
	}
	p.seen, p.rows = seen, p.rows[:0]
	for _, w := range s.Watches().All() {
		row := watchRow{text: w.Text}
		row.value, row.err = s.Watches().At(w, index)
		if before < index {
			row.before, _ = s.Watches().At(w, before) // what could not be had was not there
			row.mark = markOf(row.before, row.value)
		}
		if changes := s.Watches().Changes(w); len(changes) > 0 {
			row.changes, row.last = len(changes), changes[len(changes)-1].Event
		}
		p.rows = append(p.rows, row)
	}
}

func markOf(before, now value.Value) watchMark {
	switch {
	case before == nil && now == nil:
		return watchSame
	case before == nil:
		return watchCame
	case now == nil:
		return watchWent
	case !value.Equal(before, now):
		return watchChanged
	}
	return watchSame
}

// glyph is the sign of the mark, and what it means in a word.
func (m watchMark) glyph(g *canvas.Glyphs) (glyph, word string, style canvas.Style) {
	switch m {
	case watchChanged:
		return g.Changed, "changed", theme.Changed
	case watchCame:
		return g.Added, "new", theme.Added
	case watchWent:
		return g.Removed, "gone", theme.Removed
	}
	return " ", "", theme.Plain
}

// shownWatch is how much of a watched value is written, in characters; what does not fit is cut.
const shownWatch = 300

func (r *watchRow) draw(area canvas.Area, column int) {
	glyph, word, mark := r.mark.glyph(area.Glyphs())
	area.Text(1, 0, mark, glyph)
	area.Text(3, 0, theme.Key, canvas.FitMiddle(r.text, column, area.Glyphs().Ellipsis))
	x := 3 + column + 2
	room := area.W() - x - 1
	if was := r.was(word); was != "" && room > 16+canvas.Width(was) {
		area.Right(area.W()-1, 0, mark, was)
		room -= canvas.Width(was) + 2
	} else if word != "" && room > 12+len(word) {
		area.Right(area.W()-1, 0, mark, word)
		room -= len(word) + 2
	}
	if r.err != nil {
		text := r.err.Error()
		if interrupt.Is(r.err) {
			text = explain.Interrupted(r.err)
		}
		area.Fit(x, 0, room, theme.Dim, text)
		return
	}
	area.Fit(x, 0, room, valueStyle(r.value), visible.JSONLine(value.Preview(r.value, shownWatch)))
}

// was says what the value was, where that is short.
func (r *watchRow) was(word string) string {
	const short = 24
	if r.before == nil || r.mark == watchSame {
		return ""
	}
	return word + ", was " + value.Preview(r.before, short)
}

func valueStyle(v value.Value) canvas.Style {
	switch value.KindOf(v) {
	case "string":
		return theme.Text
	case "number":
		return theme.Number
	case "boolean", "null":
		return theme.Word
	}
	return theme.Plain
}

// selected returns the watch that the list stands at, or nil.
func (p *watchPane) selected(s *debug.Session) *breakpoint.Watch {
	if watches := s.Watches().All(); p.list.cursor < len(watches) {
		return watches[p.list.cursor]
	}
	return nil
}

func (p *watchPane) draw(area canvas.Area, focused bool) {
	column := 0
	for i := range p.rows {
		column = max(column, canvas.Width(p.rows[i].text))
	}
	column = min(column, max(area.W()*2/5, 8))
	p.list.draw(area, len(p.rows), focused, func(int) int { return 1 }, func(area canvas.Area, i int) { p.rows[i].draw(area, column) })
}

// find selects the next watch whose expression or value contains text.
func (p *watchPane) find(text string, by int) (wrapped, ok bool) {
	at, wrapped, ok := widget.FindFrom(p.list.cursor, len(p.rows), by, func(i int) bool {
		return widget.ContainsFold(p.rows[i].text, text) || p.rows[i].value != nil && widget.ContainsFold(value.Preview(p.rows[i].value, shownWatch), text)
	})
	if ok {
		p.list.cursor = at
	}
	return wrapped, ok
}

// history says of the selected watch how often its value changed.
func (p *watchPane) history() string {
	if p.list.cursor >= len(p.rows) || p.rows[p.list.cursor].changes == 0 {
		return ""
	}
	row := &p.rows[p.list.cursor]
	return explain.Plural(row.changes, "change", "changes") + ", the last at event " + strconv.Itoa(row.last+1)
}

// showWatches brings the values up to date with what is looked at: now, compared with the previous stop; an earlier
// event, compared with the one before it in its thread.
func (u *ui) showWatches() {
	index := u.selection.Index
	before := u.session.Log().PreviousInThread(index)
	if u.following {
		before = u.session.PreviousStop()
	}
	u.points.watches.show(u.session, index, before)
}

func watchesSection() section {
	return section{
		title: "Watches",
		count: func(u *ui) string { return countText(len(u.session.Watches().All())) },
		lines: func(u *ui) int { return max(1, len(u.session.Watches().All())) },
		worth: func(u *ui) int { return min(3*len(u.session.Watches().All()), 3) },
		panel: panel{
			draw: func(u *ui, area canvas.Area, focused bool) {
				if len(u.session.Watches().All()) == 0 {
					area.Fit(5, 0, area.W()-6, theme.Dim, "none ("+u.keys.Key(keys.AddWatch)+" adds one)")
				}
				u.showWatches()
				u.points.watches.draw(area, focused)
			},
			move: func(u *ui, rows, _ int) {
				u.points.watches.list.move(rows, len(u.session.Watches().All()))
				if history := u.points.watches.history(); history != "" {
					u.say(theme.Dim, history)
				}
			},
			page:  func(u *ui) int { return u.points.watches.list.height },
			find:  func(u *ui, text string, by int) (wrapped, ok bool) { return u.points.watches.find(text, by) },
			click: func(u *ui, _, y int) { u.points.watches.list.selectAt(y) },
		},
	}
}
