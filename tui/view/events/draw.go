package events

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/widget"
)

// Draw paints the table with its border.
func (t *Table) Draw(f widget.Frame) {
	t.read()
	title, foot := "Iterations", ""
	if t.visit != nil {
		title = t.title(f.Glyphs(), f.W()*2/3)
		foot = t.foot(f.W() - canvas.Width(title) - 10)
	}
	inner := f.Titled(canvas.Frame{Title: title, Note: foot})
	if t.visit == nil {
		inner.Fit(1, 0, inner.W()-2, canvas.Dim, "The run has been in no Map and no Parallel.")
		return
	}
	header := 0
	if inner.H() > 3 && len(t.rows) > 1 {
		t.drawHistogram(inner.Row(0))
		header++
	}
	columns := t.columns(inner.W())
	if inner.H() > 4 {
		t.drawHeadings(inner.Row(header), columns)
		inner.In(canvas.Rect{Y: header, W: inner.W(), H: 1}).Mouse(func(x, _ int) { t.sortAt(x) }, nil)
		header++
	}
	t.drawRows(inner.In(canvas.Rect{Y: header, W: inner.W(), H: max(inner.H()-header, 0)}), columns)
}

// title is the state with the counts of its iterations, the filter and the order; parts that do not fit are left out.
func (t *Table) title(g *canvas.Glyphs, cells int) string {
	sign := g.Map
	if t.visit.State.Type == asl.Parallel {
		sign = g.Parallel
	}
	title := t.name() + " " + sign + " " + wording.Grouped(len(t.rows))
	parts := []string{Counts(t.tally, g)}
	if t.filter.Kind != console.None {
		parts = append(parts, "filter: "+t.filter.Source)
	}
	if name := orderNames[t.order]; name != "" {
		parts = append(parts, "sort: "+name)
	}
	for _, part := range parts {
		if part != "" && canvas.Width(title)+3+canvas.Width(part) <= cells {
			title += "   " + part
		}
	}
	return title
}

// Counts writes the numbers of iterations that are done, failed, running, stopped and not begun, each with its sign.
func Counts(n [5]int, g *canvas.Glyphs) string {
	var parts []string
	for _, state := range []runlog.InsideState{runlog.Succeeded, runlog.Failed, runlog.Running, runlog.Aborted, runlog.NotStarted} {
		if n[state] > 0 {
			sign, _ := widget.Sign(state, g)
			parts = append(parts, sign+wording.Grouped(n[state]))
		}
	}
	return strings.Join(parts, "  ")
}

// foot has the keys of the table, as many as fit, and how many rows the filter shows.
func (t *Table) foot(cells int) string {
	var hints []string
	if position := t.position(); position < t.screen.Session().Position() {
		hints = append(hints, "as of event "+wording.Grouped(position))
	}
	if t.filter.Kind != console.None {
		hints = append(hints, wording.Grouped(len(t.list))+" of "+wording.Grouped(len(t.rows)))
	}
	return widget.Hints(cells, append(hints, t.screen.Key(keys.Look)+" look inside", t.screen.Key(keys.Find)+" filter",
		t.screen.Key(keys.StepState)+" sort", t.screen.Key(keys.FindNext)+" next failed", ":iteration N")...)
}

// drawHistogram paints a bar for each iteration, or for several: how long they took, and which failed or still run.
func (t *Table) drawHistogram(row canvas.Area) {
	g, cells := row.Glyphs(), row.W()-2
	n := len(t.rows)
	if cells < 8 {
		return
	}
	cells = min(cells, n)
	levels, longest := g.Levels(), time.Duration(1)
	now := t.now()
	for i := range t.rows {
		longest = max(longest, t.rows[i].Took(now))
	}
	for cell := range cells {
		from, to := cell*n/cells, (cell+1)*n/cells
		worst, took := runlog.Succeeded, time.Duration(0)
		for i := from; i < to; i++ {
			took = max(took, t.rows[i].Took(now))
			if ranks[t.rows[i].State] < ranks[worst] || i == from {
				worst = t.rows[i].State
			}
		}
		sign, style := widget.Sign(worst, g)
		if worst == runlog.Succeeded {
			sign, style = levels[int(int64(took)*int64(len(levels)-1)/int64(longest))], canvas.Good
		}
		row.Text(1+cell, 0, style, sign)
		if t.cursor >= from && t.cursor < to {
			row.MarkSpan(1+cell, 0, 1)
		}
	}
}

// columns are the widths of the columns, 0 for one that is left out.
type iterationColumns struct{ widths [orderCount]int }

// columns lays the columns out: in a narrow table the error takes the space of the size and the tries.
func (t *Table) columns(w int) iterationColumns {
	var c iterationColumns
	c.widths[byNumber] = max(len(wording.Grouped(max(len(t.rows)-1, 0))), 2)
	c.widths[byStatus], c.widths[byTime] = 11, 7
	if w >= 56 {
		c.widths[byTries], c.widths[bySize] = 5, 8
	}
	if w >= 90 {
		c.widths[byStatus] = 18
	}
	rest := w - 2
	for _, width := range c.widths {
		if width > 0 {
			rest -= width + 2
		}
	}
	if rest < 8 {
		c.widths[byTime] = 0
		rest += 9
	}
	c.widths[byError] = max(rest, 0)
	if w >= 90 { // the output itself follows its size
		c.widths[byError] = rest / 2
	}
	return c
}

func (t *Table) drawHeadings(row canvas.Area, c iterationColumns) {
	x := 1
	t.edges = [orderCount]int{}
	for column, width := range c.widths {
		if width == 0 {
			continue
		}
		text, style := columnNames[column], canvas.Dim
		if order(column) == t.order {
			style = canvas.Strong
		}
		t.edges[column] = x + 1
		if rightward(order(column)) {
			row.Right(x+width, 0, style, text)
		} else {
			row.Fit(x, 0, width, style, text)
		}
		x += width + 2
	}
}

// rightward reports whether a column has numbers, which are at its right edge.
func rightward(column order) bool {
	return column == byNumber || column == byTime || column == byTries || column == bySize
}

func (t *Table) drawRows(f widget.Frame, c iterationColumns) {
	l := &t.onScreen
	l.Empty = "None of " + t.count(len(t.rows)) + " passes the filter; " + t.screen.Key(keys.Now) + " clears it."
	if len(t.rows) == 0 {
		l.Empty = "No " + t.noun() + " has begun."
	}
	l.Rows, l.Cursor, l.Resting = widget.Slice[int32](t.list), max(t.at(), 0), true
	l.Paint = func(line canvas.Area, i int32, _ []int) { t.drawRow(line, &t.rows[i], c) }
	l.Moved = func() {
		if i, ok := l.Selected(); ok {
			t.land(int(i))
		}
	}
	l.Draw(f)
	f.Mouse(l.Click, t.Move)
}

func (t *Table) drawRow(row canvas.Area, r *runlog.Iteration, c iterationColumns) {
	g, x := row.Glyphs(), 1
	sign, style := widget.Sign(r.State, g)
	if r.State == runlog.NotStarted {
		c.widths[byTime], c.widths[byTries], c.widths[bySize] = -c.widths[byTime], -c.widths[byTries], -c.widths[bySize]
	}
	for column, width := range c.widths {
		if width < 0 { // has nothing to show
			x += 2 - width
			continue
		}
		if width == 0 {
			continue
		}
		switch order(column) {
		case byNumber:
			row.Right(x+width, 0, canvas.Plain, wording.Grouped(r.Index))
		case byStatus:
			row.Fit(x, 0, width, style, sign+" "+statusWord(r))
		case byTime:
			row.Right(x+width, 0, canvas.Plain, canvas.Fit(wording.Duration(r.Took(t.now()).Round(time.Millisecond)), width, g.Ellipsis))
		case byTries:
			tone := canvas.Dim
			if r.Retries > 0 {
				tone = canvas.Warn
			}
			row.Right(x+width, 0, tone, strconv.Itoa(tries(r)))
		case byError:
			if r.Failure != nil {
				row.Fit(x, 0, width, canvas.Bad, prose.Writer(g, prose.PreviewLength).Spans(explain.FailureDetail(r.Failure)))
			}
		case bySize:
			if r.Output != nil {
				row.Right(x+width, 0, canvas.Plain, wording.Size(size(r)))
			}
		case orderCount:
		}
		x += width + 2
	}
	if rest := row.W() - x - 1; rest > 8 && r.Output != nil {
		row.Fit(x, 0, rest, canvas.Dim, prose.Preview(r.Output, g))
	}
}
