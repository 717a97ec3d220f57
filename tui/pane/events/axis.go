package events

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/runlog/groups"
	"asldb/tui/part/canvas"
	"asldb/tui/part/folding"
	"asldb/tui/part/theme"
	"asldb/tui/part/timeline"
	"asldb/tui/part/widget"
)

// timeAxis is the run on the axis of the virtual clock: a lane for each thread, a bar for each visit.
type timeAxis struct {
	// whole: long stretches in which nothing happens are drawn to scale, too.
	whole  bool
	zoom   int
	offset int // the first cell of the axis on the screen
	top    int // the first lane below that of the root
	cursor int // the event that was selected when the pane was last drawn

	stretches timeline.Stretches
	read      int // events in stretches
	lanes     map[int]*lane
	timers    []engine.Timer // pending ones, the earliest first, a few of them

	// As it was last drawn.
	axis  *timeline.Axis
	end   int64
	cuts  []timeline.Stretch
	cells int
	lines int // lanes below that of the root
}

// reset forgets the run, and keeps the scale.
func (p *timeAxis) reset() {
	*p = timeAxis{whole: p.whole, zoom: p.zoom, cursor: groups.None}
}

// learn reads the instants of the log's new events.
func (p *timeAxis) learn(x *folding.Rows, start time.Time) {
	for ; p.read < x.Len(); p.read++ {
		p.stretches.Add(int64(x.Log().At(p.read).At().Sub(start)))
	}
}

// breakEvery is the least number of cells for each break of the axis.
const breakEvery = 12

// layOut makes the axis for a width, and moves it so that the selected event is on the screen when another one was
// selected.
func (p *timeAxis) layOut(l *list, start time.Time, cells int) {
	p.learn(l.index, start)
	all := p.stretches.Clone()
	all.Add(int64(l.now.Sub(start)))
	for i := range p.timers {
		all.Add(int64(p.timers[i].At.Sub(start)))
	}
	p.cells, p.end, p.cuts = cells, all.End(), nil
	if !p.whole {
		p.cuts = all.Cuts(cells / breakEvery)
	}
	p.axis = timeline.Fit(p.end, p.cuts, cells, p.zoom)
	at := p.axis.Cell(int64(l.index.Log().At(l.cursor).At().Sub(start)))
	if p.cursor != l.cursor {
		p.cursor = l.cursor
		margin := min(cells/8, 8)
		p.offset = max(min(p.offset, at-margin), at-cells+1+margin)
	}
	p.pan(0)
}

// pan moves the axis by cells, staying on it.
func (p *timeAxis) pan(by int) {
	if p.axis != nil {
		p.offset = max(0, min(p.offset+by, p.axis.Cells()-p.cells))
	}
}

// maxZoom is far enough for nanoseconds in a run of years.
const maxZoom = 60

// scale zooms by levels, keeping the selected event where it is on the screen. It reports false at either end.
func (p *timeAxis) scale(by int, at int64) bool {
	if p.zoom+by < 0 || p.zoom+by > maxZoom || by > 0 && p.axis != nil && p.axis.Per() == 1 {
		return false
	}
	p.zoom += by
	if p.axis == nil { // not drawn yet
		return true
	}
	x := p.axis.Cell(at) - p.offset
	p.axis = timeline.Fit(p.end, p.cuts, p.cells, p.zoom)
	p.offset = p.axis.Cell(at) - x
	p.pan(0)
	return true
}

// laneNumber is the lane of an event.
func laneNumber(x *folding.Rows, i int) int {
	header := x.ThreadOf(i)
	if header == groups.None {
		return 0
	}
	return x.Number(header)
}

// turn returns the newest event, at the time of the selected one, of the thread by lanes further.
func (p *timeAxis) turn(l *list, by int) int {
	x := l.index
	n := laneNumber(x, l.cursor)
	to := max(0, min(n+by, x.Threads()-1))
	if to == n {
		return l.cursor
	}
	lane := p.laneOf(x, to)
	if len(lane.visits) == 0 {
		return max(lane.header, 0)
	}
	at := sort.Search(len(lane.visits), func(i int) bool { return int(lane.visits[i]) > l.cursor })
	return int(lane.visits[max(at-1, 0)])
}

// hit returns the event nearest to x, y of the pane's inside, or None.
func (p *timeAxis) hit(l *list, start time.Time, x, y, width int) int {
	if p.axis == nil || y < 0 {
		return groups.None
	}
	n, rows := 0, p.rowsOf(l.index)
	if y >= rows {
		n = p.top + y/rows
	}
	cell := x - (width - p.cells)
	if n >= l.index.Threads() || cell < 0 {
		return groups.None
	}
	lane := p.laneOf(l.index, n)
	at := start.Add(time.Duration(p.axis.Time(cell + p.offset)))
	if i := lane.from(l.index, at, l.now); i < len(lane.visits) {
		return int(lane.visits[i])
	}
	return groups.None
}

// rowsOf is how many rows a lane has: two where its bars have their names above them.
func (p *timeAxis) rowsOf(x *folding.Rows) int {
	if 2*x.Threads() <= p.lines+1 {
		return 2
	}
	return 1
}

// draw paints the pane; list has the log and the selected event.
func (p *timeAxis) draw(area canvas.Area, list *list, log *runlog.Log, start time.Time, focused bool) {
	x := list.index
	note, foot := "", explain.Plural(x.Threads(), "thread", "threads")
	inner := area.Area(canvas.Rect{X: 1, Y: 1, W: max(area.W()-2, 0), H: max(area.H()-2, 0)})
	if log.Len() > 0 {
		p.layOut(list, start, max(inner.W()-labelWidth(inner.W(), list.index.Threads()), 1))
		note = "a cell is " + explain.Duration(time.Duration(p.axis.Per()))
		if p.end == 0 {
			note = "no time has passed"
		}
	}
	area.Frame(canvas.Frame{
		Title: "Time", Note: note, Border: widget.Border(focused), TitleStyle: theme.Title, Focused: focused, Foot: foot,
	})
	if log.Len() == 0 {
		inner.Fit(1, 0, inner.W()-2, theme.Dim, "Nothing has happened yet.")
		return
	}
	p.drawLanes(inner, list, start)
	if inner.H() > 2 {
		p.drawSelected(inner.Row(inner.H()-1), list, start)
	}
}

// labelWidth is the width of the names of the lanes.
func labelWidth(w, threads int) int {
	least := 10
	if w >= 60 && threads > 1 { // then they say which is which
		least = 14
	}
	return min(max(w/6, least), 22)
}

func (p *timeAxis) drawLanes(inner canvas.Area, list *list, start time.Time) {
	x := list.index
	height := max(inner.H()-2, 1) // the axis and the selected event stand below
	p.lines = height - 1
	rows := p.rowsOf(x)
	if rows == 2 {
		p.lines = height/2 - 1
	}
	selected := laneNumber(x, list.cursor)
	p.top = max(0, min(p.top, x.Threads()-1-p.lines))
	if selected > 0 {
		p.top = max(min(p.top, selected-1), selected-p.lines)
	}
	label := inner.W() - p.cells
	paint := &barPaint{axis: p.axis, offset: p.offset, index: x, start: start, list: list, now: list.now}
	for row := 0; row*rows < height; row++ {
		n := row
		if row > 0 {
			n += p.top
		}
		if n >= x.Threads() {
			break
		}
		line := inner.Area(canvas.Rect{Y: row * rows, W: inner.W(), H: rows})
		p.drawLabel(line, list, n, label, n == selected)
		bars := line.Area(canvas.Rect{X: label, W: p.cells, H: rows})
		if now := p.axis.Cell(int64(list.now.Sub(start))) - p.offset; len(p.timers) > 0 {
			bars.Text(now, rows-1, theme.Current, bars.Glyphs().Bars().Now)
		}
		paint.lane(bars, p.laneOf(x, n))
		p.drawTimers(bars.Row(rows-1), list, n, start)
	}
	p.drawAxis(inner.Area(canvas.Rect{X: label, Y: height, W: p.cells, H: 1}))
	at := p.axis.Cell(int64(x.Log().At(list.cursor).At().Sub(start))) - p.offset
	for y := range min(height+1, inner.H()) {
		if at >= 0 && at < p.cells {
			inner.MarkSpan(label+at, y, 1)
		}
	}
}

// drawLabel names a lane and says how its thread ended.
func (p *timeAxis) drawLabel(line canvas.Area, list *list, n, width int, selected bool) {
	g, y := line.Glyphs(), line.H()-1
	if selected {
		line.Text(0, y, theme.Current, g.Pointer)
	}
	name, style := "root", theme.Plain
	if n > 0 {
		header := list.index.Thread(n)
		group, _ := list.index.Get(header)
		glyph, glyphStyle := outcomeGlyph(list.outcome(group), g)
		if list.ahead(header) {
			glyph, glyphStyle = g.Pending, theme.Dim
		}
		line.Text(1, y, glyphStyle, glyph)
		name = laneName(list.index.Log().At(header))
	}
	if selected {
		style = theme.Strong
	}
	line.Fit(3, y, width-4, style, name)
}

// laneName names a branch or an iteration: its number first, which is never cut off.
func laneName(e *engine.Event) string {
	name := ""
	if e.Visit != nil {
		name = " " + e.Visit.State.Name
	}
	if index, ok := explain.ThreadIndex(e); ok {
		return "[" + strconv.Itoa(index) + "]" + name
	}
	return name
}

// drawTimers paints the timers of a lane's thread, ahead of now.
func (p *timeAxis) drawTimers(row canvas.Area, list *list, n int, start time.Time) {
	g := row.Glyphs()
	bars := g.Bars()
	now := p.axis.Cell(int64(list.now.Sub(start))) - p.offset
	for i := len(p.timers) - 1; i >= 0; i-- {
		t := &p.timers[i]
		thread := engine.ThreadID(0)
		if t.Visit != nil {
			thread = t.Visit.Thread
		}
		header, ok := list.index.ThreadAt(thread, list.happened)
		if !ok || (header == groups.None) != (n == 0) || n > 0 && header != list.index.Thread(n) {
			continue
		}
		at := p.axis.Cell(int64(t.At.Sub(start))) - p.offset
		for x := max(now+1, 0); x < min(at, row.W()); x++ {
			row.Text(x, 0, theme.Dim, bars.Future)
		}
		style := theme.Dim
		if i == 0 {
			style = theme.Warn
		}
		row.Text(at, 0, style, g.Waiting)
	}
}

// drawAxis paints the ticks with their times, and marks the breaks.
func (p *timeAxis) drawAxis(row canvas.Area) {
	bars := row.Glyphs().Bars()
	end, breaks := 0, p.axis.Breaks()
	after := make(map[int]bool) // the cells that come after a break
	for _, b := range breaks {
		after[b.Cell+timeline.BreakCells] = true
	}
	for _, tick := range p.axis.Ticks(p.offset, p.offset+row.W()-1, tickApart) {
		x, text := tick.Cell-p.offset, tickText(time.Duration(tick.At))
		row.Text(x, 0, theme.Dim, bars.Tick)
		before := x - canvas.Width(text)
		if after[tick.Cell] {
			before -= timeline.BreakCells
		}
		switch {
		case x+1+canvas.Width(text) <= row.W():
			end = row.Text(x+1, 0, theme.Dim, text)
		case before > end: // at the right edge it stands before its tick, and before a break
			row.Text(before, 0, theme.Dim, text)
		}
	}
	for _, b := range breaks {
		for i := range timeline.BreakCells {
			row.Text(b.Cell+i-p.offset, 0, theme.Dim, bars.Break)
		}
	}
}

// maxTimers is how many timers are drawn.
const maxTimers = 8

// tickApart is the least number of cells between ticks, enough for their times.
const tickApart = 10

// tickText writes the time of a tick: nothing that is 0 stands at its end, so a round time is short.
func tickText(at time.Duration) string {
	const day = 24 * time.Hour
	if at >= day && at%day == 0 {
		return strconv.Itoa(int(at/day)) + "d"
	}
	text := explain.Duration(at)
	if at < time.Minute {
		return text
	}
	for _, zero := range []string{"00s", "00m", "00h"} {
		cut := strings.TrimSuffix(text, zero)
		if cut == text {
			break
		}
		text = cut
	}
	return text
}

// drawSelected writes when the selected event happened, how long its visit took, and the next timer.
func (p *timeAxis) drawSelected(row canvas.Area, list *list, start time.Time) {
	x, g := list.index, row.Glyphs()
	e := x.Log().At(list.cursor)
	end := row.W() - 1
	if len(p.timers) > 0 && !list.now.After(p.timers[0].At) {
		t := &p.timers[0]
		text := "next " + g.Waiting + " " + explain.SinceStart(start, t.At) + " in " + explain.Duration(t.At.Sub(list.now)) + "  " + timerName(t)
		if canvas.Width(text) < row.W()/2 {
			end = row.Right(end, 0, theme.Warn, text) - 1
		}
	}
	text := strconv.FormatInt(e.Seq, 10) + " " + explain.SinceStart(start, e.At()) + "  " + explain.EventPlace(e) + " " + explain.EventName(e)
	at := row.Fit(1, 0, end-2, theme.Strong, text)
	if visit := x.VisitOf(list.cursor); visit != groups.None && end-at > 8 {
		length, counts := list.facts(visit, g)
		row.Fit(at+2, 0, end-at-2, theme.Plain, strings.TrimRight("the visit: "+length+"  "+counts, " "))
	}
}

// timerName names a timer.
func timerName(t *engine.Timer) string {
	if t.Visit == nil {
		return t.Kind.String()
	}
	return explain.PlaceName(t.Visit) + " " + t.Kind.String()
}
