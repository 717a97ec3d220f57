package events

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// timeAxis is the run on the axis of the virtual clock: a row for each state of the top, and for each branch and
// iteration; in it a bar for each visit.
type timeAxis struct {
	// whole: long stretches in which nothing happens are drawn to scale, too.
	whole  bool
	zoom   int
	offset int // the first cell of the axis on the screen
	top    int // the first row on the screen
	cursor int // the event that was selected when the pane was last drawn

	stretches Stretches
	read      int // events in stretches
	lanes     map[int]*lane
	rows      axisRows
	timers    []engine.Timer // pending ones, the earliest first, a few of them

	// As it was last drawn.
	axis  *Axis
	end   int64
	cuts  []Stretch
	cells int
}

// reset forgets the run, and keeps the scale.
func (p *timeAxis) reset() {
	*p = timeAxis{whole: p.whole, zoom: p.zoom, cursor: runlog.None}
}

// learn reads the instants of the log's new events.
func (p *timeAxis) learn(x *Rows, start time.Time) {
	for ; p.read < x.Len(); p.read++ {
		head := x.Log().Head(p.read)
		p.stretches.Add(int64(head.At().Sub(start)))
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
	p.axis = Fit(p.end, p.cuts, cells, p.zoom)
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
	p.axis = Fit(p.end, p.cuts, p.cells, p.zoom)
	p.offset = p.axis.Cell(at) - x
	p.pan(0)
	return true
}

// turn returns the newest event, at the time of the selected one, of the row by rows further.
func (p *timeAxis) turn(l *list, by int) int {
	x := l.index
	p.rows.read(x)
	n := p.rows.of(x, l.cursor)
	to := max(0, min(n+by, len(p.rows.all)-1))
	if to == n || to < 0 {
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
	n := p.top + y
	cell := x - (width - p.cells)
	if p.axis == nil || y < 0 || n >= len(p.rows.all) || cell < 0 {
		return runlog.None
	}
	lane := p.laneOf(l.index, n)
	at := start.Add(time.Duration(p.axis.Time(cell + p.offset)))
	if i := lane.from(l.index, at, l.now); i < len(lane.visits) {
		return int(lane.visits[i])
	}
	return runlog.None
}

// draw paints the axis, and returns a note for the title; list has the log and the selected event.
func (p *timeAxis) draw(area canvas.Area, list *list, log *runlog.Log, start time.Time) (note string) {
	x := list.index
	p.rows.read(x)
	inner := area.Area(canvas.Rect{W: area.W(), H: max(area.H()-1, 0)})
	if log.Len() == 0 {
		inner.Fit(1, 0, inner.W()-2, canvas.Dim, "Nothing has happened yet.")
		return ""
	}
	p.layOut(list, start, max(inner.W()-p.rows.labelWidth(inner.W()), 1))
	note = "a cell is " + wording.Duration(time.Duration(p.axis.Per()))
	if p.end == 0 {
		note = "no time has passed"
	}
	drawLegend(area.Row(area.H() - 1))
	p.drawRows(inner, list, start)
	if inner.H() > 2 {
		p.drawSelected(inner.Row(inner.H()-1), list, start)
	}
	return note
}

// drawLegend writes the legend of the bars into the last row.
func drawLegend(row canvas.Area) {
	g := row.Glyphs()
	bars := g.Bars()
	x, end := 2, row.W()-2
	for _, entry := range []struct {
		sign, text string
		style      canvas.Style
	}{
		{bars.Work, "works", canvas.Good}, {bars.Wait, "waits", canvas.Good}, {bars.Tried + g.Failed, "failed attempt", canvas.Bad},
		{bars.Delay, "retry delay", canvas.Warn}, {bars.Future, "ahead", canvas.Dim}, {bars.Break, "left out", canvas.Dim},
	} {
		if x+canvas.Width(entry.sign+entry.text)+3 > end {
			return
		}
		x = row.Text(x, 0, entry.style, " "+entry.sign)
		x = row.Text(x, 0, canvas.Dim, " "+entry.text+" ")
	}
}

func (p *timeAxis) drawRows(inner canvas.Area, list *list, start time.Time) {
	x := list.index
	height := max(inner.H()-2, 1) // the axis and the selected event are below
	selected := p.rows.of(x, list.cursor)
	p.top = max(0, min(p.top, selected, len(p.rows.all)-height))
	p.top = max(p.top, selected-height+1)
	label := inner.W() - p.cells
	paint := &barPaint{axis: p.axis, offset: p.offset, index: x, start: start, list: list, now: list.now}
	for y := range min(height, len(p.rows.all)-p.top) {
		n := p.top + y
		lane := p.laneOf(x, n)
		row, line := &p.rows.all[n], inner.Row(y)
		p.drawLabel(line.Area(canvas.Rect{W: label, H: 1}), list, row, lane, n == selected)
		bars := line.Area(canvas.Rect{X: label, W: p.cells, H: 1})
		if now := p.axis.Cell(int64(list.now.Sub(start))) - p.offset; len(p.timers) > 0 {
			bars.Text(now, 0, canvas.Current, bars.Glyphs().Bars().Now)
		}
		paint.lane(bars, lane, row.thread > 0)
		p.drawTimers(bars, list, n, start)
	}
	p.drawAxis(inner.Area(canvas.Rect{X: label, Y: height, W: p.cells, H: 1}))
	at := p.axis.Cell(int64(x.Log().At(list.cursor).At().Sub(start))) - p.offset
	for y := range min(height+1, inner.H()) {
		if at >= 0 && at < p.cells {
			inner.MarkSpan(label+at, y, 1)
		}
	}
}

// drawLabel names a row and says how its newest visit, or its thread, ended.
func (p *timeAxis) drawLabel(line canvas.Area, list *list, row *axisRow, l *lane, selected bool) {
	g := line.Glyphs()
	if selected {
		line.Text(0, 0, canvas.Current, g.Pointer)
	}
	x, header, name := 1, l.header, ""
	if row.thread > 0 {
		x, name = 3, laneName(list.index.Log().Head(header))
	} else {
		header, name = int(l.visits[len(l.visits)-1]), row.state.Name
	}
	group, _ := list.index.Get(header)
	sign, style := outcomeGlyph(list.outcome(group), g)
	if list.ahead(header) {
		sign, style = g.Pending, canvas.Dim
	}
	line.Text(x, 0, style, sign)
	style = canvas.Plain
	if selected {
		style = canvas.Strong
	}
	if row.thread > 0 { // its number comes first
		line.Fit(x+2, 0, line.W()-x-3, style, name)
		return
	}
	line.Text(x+2, 0, style, canvas.FitMiddle(name, line.W()-x-3, g.Ellipsis))
}

// drawTimers paints the timers of a row, ahead of now.
func (p *timeAxis) drawTimers(row canvas.Area, list *list, n int, start time.Time) {
	g := row.Glyphs()
	bars := g.Bars()
	now := p.axis.Cell(int64(list.now.Sub(start))) - p.offset
	for i := len(p.timers) - 1; i >= 0; i-- {
		t := &p.timers[i]
		if p.rows.ofTimer(list, t) != n {
			continue
		}
		at := p.axis.Cell(int64(t.At.Sub(start))) - p.offset
		for x := max(now+1, 0); x < min(at, row.W()); x++ {
			row.Text(x, 0, canvas.Dim, bars.Future)
		}
		style := canvas.Dim
		if i == 0 {
			style = canvas.Warn
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
		after[b.Cell+BreakCells] = true
	}
	for _, tick := range p.axis.Ticks(p.offset, p.offset+row.W()-1, tickApart) {
		x, text := tick.Cell-p.offset, tickText(time.Duration(tick.At))
		row.Text(x, 0, canvas.Dim, bars.Tick)
		before := x - canvas.Width(text)
		if after[tick.Cell] {
			before -= BreakCells
		}
		switch {
		case x+1+canvas.Width(text) <= row.W():
			end = row.Text(x+1, 0, canvas.Dim, text)
		case before > end: // at the right edge it is before its tick, and before a break
			row.Text(before, 0, canvas.Dim, text)
		}
	}
	for _, b := range breaks {
		for i := range BreakCells {
			row.Text(b.Cell+i-p.offset, 0, canvas.Dim, bars.Break)
		}
	}
}

// maxTimers is how many timers are drawn.
const maxTimers = 8

// tickApart is the least number of cells between ticks, enough for their times.
const tickApart = 10

// tickText writes the time of a tick: nothing that is 0 is at its end, so a round time is short.
func tickText(at time.Duration) string {
	const day = 24 * time.Hour
	if at >= day && at%day == 0 {
		return strconv.Itoa(int(at/day)) + "d"
	}
	text := wording.Duration(at)
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
		text := "next " + g.Waiting + " " + explain.SinceStart(start, t.At) + " in " + wording.Duration(t.At.Sub(list.now)) + "  " + timerName(t)
		if canvas.Width(text) < row.W()/2 {
			end = row.Right(end, 0, canvas.Warn, text) - 1
		}
	}
	number := strconv.FormatInt(e.Seq, 10)
	if list.recorded() {
		number = explain.EventNumber(e)
	}
	text := number + " " + explain.SinceStart(start, e.At()) + "  " + explain.EventPlace(e) + " " + explain.EventName(e)
	at := row.Fit(1, 0, end-2, canvas.Strong, text)
	if visit := x.VisitOf(list.cursor); visit != runlog.None && end-at > 8 {
		length, counts := list.facts(visit, g)
		row.Fit(at+2, 0, end-at-2, canvas.Plain, strings.TrimRight("the visit: "+length+"  "+counts, " "))
	}
}

// timerName names a timer.
func timerName(t *engine.Timer) string {
	if t.Visit == nil {
		return t.Kind.String()
	}
	return explain.PlaceName(t.Visit) + " " + t.Kind.String()
}
