package events

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
)

// columns are the widths of the columns with the number and the time of an event, the same for all rows of a frame.
type columns struct {
	start         time.Time
	digits, times int
	// ids is the width of the ids of Step Functions' history, 0 where they are not shown.
	ids int
	// name is the column behind the names, where counts and details begin.
	name int
}

// columns returns the columns of a frame for rows of w cells. A name has the cells that the longest name of the
// definition needs, but no more than its share.
func (l *list) columns(start time.Time, w int) columns {
	log := l.index.Log()
	c := columns{start: start, digits: len(strconv.Itoa(log.Len())), times: len("t+59.999s")}
	if log.Last().At().Sub(start) >= time.Hour {
		c.times = len("t+23h59m59s")
	}
	x := 1 + c.digits + 5
	if w >= timedRow {
		if c.ids = l.idWidth(); c.ids > 0 {
			x += c.ids + 1
		}
		x += c.times + 1
	}
	c.name = x + max(min(l.longestName(), (w-x)*2/5), min(leastName, (w-x)/2))
	return c
}

// idsNear is the number of the newest events among which the widest id is looked for, and widestID the widest that an
// event can have.
const (
	idsNear  = 4096
	widestID = len("#65535")
)

// recorded reports whether the session has a recording, whose events have ids; the ids of other runs lead nowhere.
func (l *list) recorded() bool {
	return l.screen.Session().ReadOnly() || l.pane != nil && l.pane.compared.recorded != nil
}

// idWidth returns the width of the widest id of Step Functions' history in the log, 0 where the events have none. Where
// none of the newest has one, but the first has, the rest had them too: it is the widest there can be.
func (l *list) idWidth() int {
	log := l.index.Log()
	if !l.recorded() {
		return 0
	}
	for i := log.Len() - 1; i >= max(log.First(), log.Len()-idsNear); i-- {
		if e := log.At(i); e.HistoryID > 0 && e.HistoryThread() == 0 {
			return len(explain.HistoryID(e))
		}
	}
	if log.Len() > log.First() && log.At(log.First()).HistoryID > 0 {
		return widestID
	}
	return 0
}

// draw paints the number, the id and the time of an event, and returns the column after them.
func (c *columns) draw(row canvas.Area, e *engine.Event) int {
	x := 1 + c.digits
	row.Right(x, 0, canvas.Dim, strconv.FormatInt(e.Seq, 10))
	if c.ids > 0 {
		row.Right(x+1+c.ids, 0, canvas.Dim, explain.HistoryID(e))
		x += c.ids + 1
	}
	if row.W() >= timedRow {
		row.Fit(x+1, 0, c.times, canvas.Dim, explain.SinceStart(c.start, e.At()))
		x += c.times + 1
	}
	return x
}

// leastName is the least share of a name, in cells: it holds the name of most events.
const leastName = 18

// timedRow is the least width of rows with a time.
const timedRow = 60

// drawRow paints the row of event i: a group where it is the header of one.
func (l *list) drawRow(row canvas.Area, i int, columns *columns, selected bool) {
	e, g, w := l.index.Log().At(i), row.Glyphs(), row.W()
	group, isGroup := l.index.Get(i)
	glyph, style := prose.EventGlyph(e, g), prose.EventStyle(e)
	if isGroup {
		glyph, style = outcomeGlyph(l.outcome(group), g)
	}
	if selected {
		row.Text(0, 0, canvas.Current, g.Pointer)
	}
	x := columns.draw(row, e)
	if l.ahead(i) {
		glyph, style = g.Pending, canvas.Dim
	}
	row.Text(x+1, 0, style, glyph)
	x += 3 + indent(l.index.Depth(i), w)
	if isGroup {
		l.drawGroup(row, x, i, columns)
	} else {
		l.drawEvent(row, x, i, columns, style)
	}
	if l.ahead(i) {
		row.Fill(0, canvas.Dim, false)
	}
}

// indent returns the indentation of rows of a depth; deep ones must leave space for their text.
func indent(depth, w int) int {
	if w < timedRow {
		return min(depth, w/6)
	}
	return min(2*depth, w/4)
}

func (l *list) drawEvent(row canvas.Area, x, i int, columns *columns, style canvas.Style) {
	e, w := l.index.Log().At(i), row.W()
	name := explain.EventName(e)
	if index, ok := explain.ThreadIndex(e); ok && l.index.Parent(i) == runlog.None {
		name += " [" + strconv.Itoa(index) + "]"
	}
	end := row.Fit(x+2, 0, w-x-3, style, name)
	at := max(end+1, columns.name)
	if text := l.outside(i); text != "" && w-at > 8 {
		at = row.Fit(at, 0, w-at-1, canvas.Warn, text) + 2
	}
	if text := l.logged(i, row.Glyphs()); text != "" && w-at > 7 {
		at = row.Fit(at, 0, w-at-1, canvas.Text, text) + 2
	}
	if w-at > 7 {
		row.Fit(at, 0, w-at-1, canvas.Dim, l.detail(i, columns.start, row.Glyphs()))
	}
}

// drawGroup paints the row of a visit, a branch or an iteration: its name, and how far it has come.
func (l *list) drawGroup(row canvas.Area, x, i int, columns *columns) {
	g, w := row.Glyphs(), row.W()
	sign := g.Folded
	if l.index.Open(i) {
		sign = g.Unfolded
	}
	row.Text(x, 0, canvas.Dim, sign)
	length, facts := l.facts(i, g)
	space := max(columns.name-x-3, min(leastName, w-x-3)/2)
	end := row.Text(x+2, 0, canvas.Strong, canvas.FitMiddle(l.groupName(i, g), space, g.Ellipsis))
	at := max(end+1, columns.name)
	end = row.Fit(at, 0, w-at-1, canvas.Plain, length)
	if end < at+lengthCells && w >= timedRow {
		end = at + lengthCells
	}
	if facts != "" && w-end > 4 {
		end = row.Fit(end+2, 0, w-end-3, canvas.Plain, facts)
	}
	text := l.logged(i, g)
	if text == "" && l.hidesBookmark(i) {
		text = g.Bookmark
	}
	if text != "" && w-end > 10 {
		end = row.Fit(end+2, 0, w-end-3, canvas.Text, text)
	}
	if w-end > 10 {
		row.Fit(end+2, 0, w-end-3, canvas.Dim, l.detail(i, columns.start, g))
	}
}

// hidesBookmark reports whether a folded group has an event with a bookmark inside.
func (l *list) hidesBookmark(i int) bool {
	if l.pane.Bookmarks == nil || l.index.Open(i) {
		return false
	}
	return slices.ContainsFunc(l.pane.Bookmarks(), func(event int) bool { return event != i && l.index.Holds(i, event) })
}

// lengthCells are for the time that a visit took: "1h00m00s".
const lengthCells = 8

// groupName returns the name of a group with the glyph of the state's type.
func (l *list) groupName(i int, g *canvas.Glyphs) string {
	e := l.index.Log().At(i)
	name := explain.GroupName(e)
	if e.Type == engine.StateEntered && !e.Visit.State.Terminal() {
		if glyph := prose.StateGlyph(e.Visit.State, g); glyph != "" {
			name += " " + glyph
		}
	}
	return name
}

// outcome returns the outcome of a group at the run's position.
func (l *list) outcome(group runlog.Group) runlog.Outcome {
	if group.End() >= l.happened || group.End() == runlog.None && l.happened < l.index.Len() {
		return runlog.BranchRunning // its end comes later
	}
	return l.index.Outcome(group)
}

// facts returns the time that a group took on the virtual clock, and the retries of its work with the tally of the
// branches and iterations that it began. Of a group that comes later it is all that is known; of one that has begun,
// the time up to now, with the whole time where that is known.
func (l *list) facts(i int, g *canvas.Glyphs) (length, counts string) {
	group, _ := l.index.Get(i)
	from, end := l.index.Span(group, l.index.Log().Last().At())
	length = wording.Duration(max(end.Sub(from), 0))
	if passed := max(l.now.Sub(from), 0); !l.ahead(i) && l.outcome(group) == runlog.BranchRunning {
		if length = wording.Duration(passed); group.End() != runlog.None && end.Sub(from) > passed {
			length += " of " + wording.Duration(end.Sub(from))
		}
	}
	standing := l.standing(i)
	var parts []string
	if n := standing.Attempts - 1; n > 0 {
		parts = append(parts, g.Retried+strconv.Itoa(n))
	}
	if standing.Counts.Begun > 0 {
		parts = append(parts, explain.Tally(standing.Counts))
	}
	return length, strings.Join(parts, "  ")
}

// standing returns the state of a group at the run's position; of one that comes later, the newest one known.
func (l *list) standing(i int) runlog.Standing {
	if l.ahead(i) {
		return l.index.Standing(i, l.index.Len())
	}
	return l.index.Standing(i, l.happened)
}

// outcomeGlyph returns the glyph of a group's outcome.
func outcomeGlyph(o runlog.Outcome, g *canvas.Glyphs) (string, canvas.Style) {
	switch o {
	case runlog.BranchSucceeded:
		return g.Visited, canvas.Good
	case runlog.Caught:
		return g.Caught, canvas.Warn
	case runlog.BranchFailed:
		return g.Failed, canvas.Bad
	case runlog.BranchAborted:
		return g.Aborted, canvas.Warn
	case runlog.BranchRunning:
	}
	return g.Active, canvas.Current
}

// detail returns the text at the end of a row.
func (l *list) detail(i int, start time.Time, g *canvas.Glyphs) string {
	key := detailKey{event: i, newest: i}
	_, isGroup := l.index.Get(i)
	if isGroup {
		key.newest = l.standing(i).Newest
	}
	text, ok := l.details[key]
	if !ok {
		if len(l.details) >= maxDetails || l.details == nil {
			l.details = make(map[detailKey]string)
		}
		e := l.index.Log().At(key.newest)
		if isGroup {
			text = prose.Spans(explain.GroupDetail(e), g)
		} else {
			text = prose.Spans(explain.EventDetail(e, start), g)
		}
		l.details[key] = text
	}
	return text
}
