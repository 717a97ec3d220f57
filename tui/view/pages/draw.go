package pages

import (
	"strings"
	"time"

	"asldb/internal/executions"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/program"
)

// column is one of the list.
type column struct {
	head  string
	cells int
	right bool
	text  func(p *Picker, row *executions.Row, g *canvas.Glyphs) (string, canvas.Style)
}

// The widths of the list from which on it has more columns, or wider ones.
const (
	middleWidth = 70
	wideWidth   = 105
)

// columns returns those that fit into cells cells. The last one has the rest.
func (p *Picker) columns(cells int) []column {
	status := column{"status", 11, false, func(_ *Picker, row *executions.Row, g *canvas.Glyphs) (string, canvas.Style) {
		sign, style := signOf(row.Status, g)
		return sign + " " + row.Status, style
	}}
	start := column{"start", 14, false, func(p *Picker, row *executions.Row, _ *canvas.Glyphs) (string, canvas.Style) {
		return p.in(row.Start).Format("01-02 15:04:05"), canvas.Plain
	}}
	duration := column{"duration", 9, true, func(_ *Picker, row *executions.Row, g *canvas.Glyphs) (string, canvas.Style) {
		if row.Start.IsZero() || row.Stop.IsZero() {
			return g.Dash, canvas.Dim
		}
		return wording.Duration(row.Stop.Sub(row.Start)), canvas.Plain
	}}
	failure := column{"error", 16, false, func(p *Picker, row *executions.Row, _ *canvas.Glyphs) (string, canvas.Style) {
		return p.errorText(row)
	}}
	name := column{"name", 0, false, func(_ *Picker, row *executions.Row, _ *canvas.Glyphs) (string, canvas.Style) {
		return row.Name, canvas.Plain
	}}
	switch {
	case cells < middleWidth:
		start.cells = 11
		start.text = func(p *Picker, row *executions.Row, _ *canvas.Glyphs) (string, canvas.Style) {
			return p.in(row.Start).Format("01-02 15:04"), canvas.Plain
		}
		return []column{status, start, name}
	case cells >= wideWidth:
		status.cells, start.cells, failure.cells = 17, 19, max(cells/4, 24)
		start.text = func(p *Picker, row *executions.Row, _ *canvas.Glyphs) (string, canvas.Style) {
			return p.moment(row.Start), canvas.Plain
		}
	}
	return []column{status, start, duration, failure, name}
}

// errorText is the text of a row in the column of errors.
func (p *Picker) errorText(row *executions.Row) (string, canvas.Style) {
	f := p.failureOf(row)
	switch {
	case f != nil && f.Error != "":
		return f.Error, canvas.Bad
	case f != nil:
		return "no name", canvas.Dim
	case p.detail.going() && p.of == row.ID:
		return "reading", canvas.Dim
	}
	return row.At, canvas.Warn
}

// signOf is the sign of a status, with its style.
func signOf(status string, g *canvas.Glyphs) (string, canvas.Style) {
	switch status {
	case "SUCCEEDED":
		return g.Visited, canvas.Good
	case "FAILED", "TIMED_OUT":
		return g.Failed, canvas.Bad
	case "ABORTED":
		return g.Aborted, canvas.Warn
	case "RUNNING":
		return g.Active, canvas.Plain
	}
	return g.Waiting, canvas.Warn
}

func (p *Picker) in(at time.Time) time.Time { return at.In(p.zone) }

// moment is a time as the list shows it where there is enough width; empty for none.
func (p *Picker) moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return p.in(at).Format("2006-01-02 15:04:05")
}

// Draw implements [program.Page].
func (p *Picker) Draw(s *program.Sheet, f widget.Frame) {
	w, h := f.W(), f.H()
	low := min(max(h/3, 5), 14)
	p.drawFilter(f.Row(0))
	foot := p.counted()
	if p.more && len(p.rows) > 0 && !p.source.Local() {
		foot += ", there are more"
	}
	if n := p.source.LeftOut(); n > 0 && !p.list.going() {
		foot += ", " + wording.Count(n, "other file") + " left out"
	}
	p.drawList(s, f.In(canvas.Rect{Y: 1, W: w, H: h - low - 1}).Titled(canvas.Frame{Title: "Executions", Note: foot}))
	p.drawDetail(f.Area.Area(canvas.Rect{Y: h - low, W: w, H: low}))
}

// counted says where the cursor is.
func (p *Picker) counted() string {
	n := p.shown.Len()
	if n == 0 {
		return "0 of " + wording.Grouped(len(p.rows))
	}
	text := wording.Grouped(p.shown.Cursor+1) + " of " + wording.Grouped(n)
	if p.shown.Filter() != "" {
		text += ", " + wording.Grouped(len(p.rows)) + " in all"
	}
	return text
}

func (p *Picker) drawFilter(line canvas.Area) {
	if p.shown.Filter() == "" {
		text := "Type to filter by name, status, error, state or start."
		if line.W() < middleWidth {
			text = "Type to filter."
		}
		line.Fit(1, 0, line.W()-2, canvas.Dim, text)
		return
	}
	x := line.Text(1, 0, canvas.Dim, "filter: ")
	p.shown.DrawFilter(line.Area(canvas.Rect{X: x, W: line.W() - x - 1, H: 1}))
}

func (p *Picker) drawList(s *program.Sheet, inner widget.Frame) {
	var fault []string
	if n := p.shown.Len(); n == 0 {
		p.drawEmpty(inner.Area)
	} else if p.list.fault != "" {
		fault = canvas.Wrap(p.list.fault, inner.W()-4)
		fault = fault[:min(len(fault), max(inner.H()-2, 0))]
	}
	columns := p.columns(inner.W() - 3)
	if p.shown.Len() > 0 {
		p.drawRow(inner.Row(0), columns, func(c *column) (string, canvas.Style) { return c.head, canvas.Dim })
	}
	p.shown.Paint = func(line canvas.Area, row *executions.Row, _ []int) {
		p.drawRow(line, columns, func(c *column) (string, canvas.Style) { return c.text(p, row, line.Glyphs()) })
	}
	p.shown.Open = func() { p.open(s) }
	rows := inner.In(canvas.Rect{Y: 1, W: inner.W(), H: inner.H() - 1 - len(fault)})
	p.shown.Draw(rows)
	rows.Mouse(func(x, y int) {
		before := p.row()
		if p.shown.Click(x, y); p.row() != before {
			p.move(s, 0)
			p.readHistory(s)
		}
	}, func(by int) { p.move(s, by) })
	for i, text := range fault {
		inner.Text(2, inner.H()-len(fault)+i, canvas.Bad, text)
	}
}

// drawEmpty says why there is no row.
func (p *Picker) drawEmpty(inner canvas.Area) {
	text, style := "There is no execution that fits.", canvas.Plain
	switch {
	case p.list.fault != "":
		text, style = inner.Glyphs().Failed+" "+p.list.fault, canvas.Bad
	case p.list.going():
		text, style = "reading "+inner.Glyphs().Ellipsis, canvas.Dim
	case p.list.stopped:
		text = "The list was not read: " + p.Keys().Key(p.Hints()[2]) + " reads it."
	case p.shown.Filter() != "" && p.more:
		text = "None of those that were read fits the filter; PgDn reads more."
	case p.shown.Filter() != "":
		text = "None fits the filter; esc clears it."
	case p.changes():
		text = "There is no execution yet. They appear here as they come."
	}
	for y, line := range canvas.Wrap(text, inner.W()-2) {
		inner.Text(1, y, style, line)
	}
}

func (p *Picker) drawRow(line canvas.Area, columns []column, text func(c *column) (string, canvas.Style)) {
	x := 2
	for i := range columns {
		c := &columns[i]
		cells := c.cells
		if cells == 0 {
			cells = line.W() - x - 1
		}
		value, style := text(c)
		value = wording.Line(value)
		switch {
		case c.right:
			line.Right(x+cells, 0, style, canvas.Fit(value, cells, line.Glyphs().Ellipsis))
		case c.cells == 0:
			line.Text(x, 0, style, canvas.FitMiddle(value, cells, line.Glyphs().Ellipsis))
		default:
			line.Fit(x, 0, cells, style, value)
		}
		x += cells + 2
	}
}

// drawDetail paints the execution of the cursor.
func (p *Picker) drawDetail(area canvas.Area) {
	row := p.row()
	title := "Execution"
	if row != nil {
		title = wording.Line(canvas.FitMiddle(row.Name, max(area.W()-8, 8), area.Glyphs().Ellipsis))
	}
	inner := area.Titled(canvas.Frame{Title: title, Border: widget.Border(false), TitleStyle: canvas.Title})
	if row == nil {
		return
	}
	y := 0
	write := func(style canvas.Style, text string) {
		for _, line := range canvas.Wrap(text, inner.W()-2) {
			if y < inner.H() {
				inner.Text(1, y, style, line)
			}
			y++
		}
	}
	sign, style := signOf(row.Status, inner.Glyphs())
	write(style, sign+" "+row.Status+p.fate(row))
	if cause := p.cause(row); cause != "" {
		write(canvas.Plain, cause)
	}
	write(canvas.Dim, p.times(row))
	write(canvas.Dim, wording.Line(row.About))
}

// fate says how the execution has failed, or that its history is being read.
func (p *Picker) fate(row *executions.Row) string {
	f := p.failureOf(row)
	switch {
	case p.detail.going() && p.of == row.ID:
		text := "  reading the history ..."
		if p.events > 0 {
			text += " " + wording.Count(p.events, "event")
		}
		return text
	case f == nil && row.At != "":
		return ", " + wording.Line(row.At)
	case f == nil:
		return ""
	}
	text := ""
	if f.State != "" {
		text = " in " + wording.Line(f.State)
	}
	if f.Error != "" {
		text += ": " + wording.Line(f.Error)
	}
	return text
}

// cause is the cause of the failure, or the reason why it is not known.
func (p *Picker) cause(row *executions.Row) string {
	if f := p.failureOf(row); f != nil {
		return strings.TrimSpace(wording.Line(f.Cause))
	}
	if k := p.known[row.ID]; k != nil {
		return k.fault
	}
	return ""
}

// times says when the execution ran.
func (p *Picker) times(row *executions.Row) string {
	if row.Start.IsZero() {
		return "The start is not known."
	}
	text := "started " + p.in(row.Start).Format("2006-01-02 15:04:05.000 MST")
	if !row.Stop.IsZero() {
		text += ", ended after " + wording.Duration(row.Stop.Sub(row.Start))
	}
	if f := p.failureOf(row); f != nil && f.Events > 0 {
		text += ", " + wording.Count(f.Events, "event")
	}
	if row.Redrives > 0 {
		text += ", redriven " + wording.Count(row.Redrives, "time")
	}
	return text
}
