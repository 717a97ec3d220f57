package events

import (
	"time"

	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/tui/part/canvas"
)

// barPaint paints the visits of lanes onto the axis.
type barPaint struct {
	axis   *Axis
	offset int
	index  *Rows
	start  time.Time
	now    time.Time
	list   *list // knows where the run is
}

// bar is a visit on the screen: from cell x to before cell end, or a single cell where it takes no time.
type bar struct {
	header int
	group  runlog.Group
	state  *asl.State
	x, end int
}

func (p *barPaint) cell(t time.Time) int { return p.axis.Cell(int64(t.Sub(p.start))) - p.offset }

func (p *barPaint) instant(cell int) time.Time {
	return p.start.Add(time.Duration(p.axis.Time(cell + p.offset)))
}

func (p *barPaint) bar(header int) bar {
	group, _ := p.index.Get(header)
	from, to := p.index.Span(group, p.now)
	b := bar{header: header, group: group, x: p.cell(from), end: p.cell(to)}
	if v := p.index.Log().At(header).Visit; v != nil {
		b.state = v.State
	}
	return b
}

// lane paints the visits of a lane, with the names of their states where there is space on the bars. Visits
// that crowd in one cell are counted and not read, so that a million cost no more than a few.
func (p *barPaint) lane(area canvas.Area, l *lane, named bool) {
	w, y := area.W(), 0
	var names []bar
	for i := l.from(p.index, p.instant(0), p.now); i < len(l.visits); {
		b := p.bar(int(l.visits[i]))
		if b.x >= w {
			break
		}
		next := i + 1
		if b.end <= b.x {
			next = max(next, l.after(p.index, p.instant(b.x+1)))
			if next > i+1 { // the last of the crowd may be one that lasts
				if last := p.bar(int(l.visits[next-1])); last.end > last.x {
					next--
				}
			}
		}
		if next > i+1 {
			p.crowd(area, b, y, l.failed(p.index, i, next))
		} else {
			p.paint(area, b, y)
			names = append(names, b)
		}
		i = next
	}
	for _, b := range names {
		if named {
			p.name(area, b)
		}
	}
	for _, br := range p.axis.Breaks() {
		for i := range BreakCells {
			area.Text(br.Cell+i-p.offset, y, canvas.Dim, area.Glyphs().Bars().Break)
		}
	}
}

// crowd represents several visits in one cell; b is the first.
func (p *barPaint) crowd(area canvas.Area, b bar, y int, failed bool) {
	sign, style := area.Glyphs().Bars().Many, canvas.Good
	if failed {
		sign, style = area.Glyphs().Failed, canvas.Bad
	}
	if p.list.ahead(b.header) {
		style = canvas.Dim
	}
	area.Text(b.x, y, style, sign)
}

// paint paints a visit. The part of it after the run's position is dim.
func (p *barPaint) paint(area canvas.Area, b bar, y int) {
	g := area.Glyphs()
	bars, known := g.Bars(), p.index.Outcome(b.group)
	outcome, now := p.list.outcome(b.group), p.cell(p.now)
	if p.list.ahead(b.header) {
		now = b.x
	}
	glyph, style := outcomeGlyph(outcome, g)
	if outcome != known || p.list.ahead(b.header) { // how it ends is known, and has not happened yet
		glyph, _ = outcomeGlyph(known, g)
	}
	if b.end <= b.x {
		sign := bars.Instant
		if known != runlog.BranchSucceeded {
			sign = glyph
		}
		if p.list.ahead(b.header) {
			style = canvas.Dim
		}
		area.Text(b.x, y, style, sign)
		return
	}
	if now > b.x || outcome == known {
		p.stretch(area, y, b.x, b.end, style, b.fill(outcome, bars))
		p.attempts(area, b, y)
	}
	if outcome != known || now < b.end {
		p.stretch(area, y, now, b.end, canvas.Dim, bars.Future)
		style = canvas.Dim
	}
	if known != runlog.BranchRunning && (b.end-b.x >= 3 || known != runlog.BranchSucceeded) {
		area.Text(b.end-1, y, style, glyph)
	}
}

// fill returns the glyph that a bar is made of; an attempt that failed has another one.
func (b *bar) fill(outcome runlog.Outcome, bars canvas.Bars) string {
	switch {
	case b.state == nil:
	case b.state.Type == asl.Parallel || b.state.Type == asl.Map:
		return bars.Inside
	case outcome == runlog.BranchFailed || outcome == runlog.Caught:
		return bars.Tried
	case b.state.Type == asl.Wait:
		return bars.Wait
	}
	return bars.Work
}

// attempts paints the attempts of a visit that failed, and the delays after them.
func (p *barPaint) attempts(area canvas.Area, b bar, y int) {
	g := area.Glyphs()
	bars, from := g.Bars(), b.x
	for i, retry := range p.index.Retries(b.header) {
		if p.list.ahead(retry.Event) {
			break // it comes later
		}
		failed, due := p.cell(time.Unix(0, retry.From)), p.cell(time.Unix(0, retry.Due))
		p.stretch(area, y, from, min(failed, b.end), canvas.Bad, b.fill(runlog.BranchFailed, bars))
		p.again(area, b, from, i, y)
		p.stretch(area, y, failed, min(due, b.end), canvas.Warn, bars.Delay)
		if at := max(failed-1, from); at < b.end {
			area.Text(at, y, canvas.Bad, g.Failed)
		}
		p.again(area, b, due, i+1, y)
		from = due
	}
}

// again marks where an attempt begins, counted from 0, that is not the first.
func (p *barPaint) again(area canvas.Area, b bar, x, attempt, y int) {
	if attempt > 0 && x > b.x && x < b.end {
		area.Text(x, y, canvas.Warn, area.Glyphs().Retried)
	}
}

// stretch fills the cells from x to before end.
func (p *barPaint) stretch(area canvas.Area, y, x, end int, style canvas.Style, fill string) {
	for x = max(x, 0); x < min(end, area.W()); x++ {
		area.Text(x, y, style, fill)
	}
}

// shortName is the least that is shown of a state's name.
const shortName = 4

// name writes the state's name onto its bar, where the bar says nothing else there.
func (p *barPaint) name(area canvas.Area, b bar) {
	if b.state == nil {
		return
	}
	from := max(b.x, 0) + 1
	if space := min(b.end, area.W()) - from - 2; space >= shortName && len(p.index.Retries(b.header)) == 0 {
		area.Text(from, 0, canvas.Plain, " "+canvas.Fit(b.state.Name, space-1, area.Glyphs().Ellipsis)+" ")
	}
}
