package tui

import (
	"strconv"
	"strings"

	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/diffview"
	"asldb.dev/asldb/tui/jsonview"
	"asldb.dev/asldb/tui/theme"
)

// dataView is which side of the data is shown.
type dataView uint8

const (
	viewDiff dataView = iota
	viewBefore
	viewAfter
	viewCount
)

func (v dataView) String() string { return [...]string{"diff", "before", "after"}[v] }

// document is what the data pane scrolls over. Only the rows on the screen are formatted.
type document interface {
	Len() int
	// Draw paints row i on line y, scrolled left cells to the side, and returns the x after it.
	Draw(area canvas.Area, y, i, left int) int
	Text(i int) string
}

type jsonDocument []jsonview.Line

func (d jsonDocument) Len() int          { return len(d) }
func (d jsonDocument) Text(i int) string { return d[i].Text("…") }
func (d jsonDocument) Draw(area canvas.Area, y, i, left int) int {
	return d[i].Draw(area, 2-left, y, theme.Plain) // in line with a diff, which has signs before its lines
}

// drawCut paints a row with an ellipsis at the edge where there is more of it.
func drawCut(d document, area canvas.Area, y, i, left int) {
	if end := d.Draw(area, y, i, left); end > area.W() {
		area.Right(area.W(), y, theme.Dim, area.Glyphs().Ellipsis)
	}
}

type diffDocument struct{ *diffview.Diff }

func (d diffDocument) Len() int { return len(d.Rows) }

// dataPane shows the stage strip, what the event means in words, and the data.
type dataPane struct {
	view   dataView
	unfold bool

	moment *moment
	words  []para
	doc    document
	// reason is what the status line has no room to say about why the run stands still.
	reason string
	// unchanged: before and after are the same.
	unchanged bool
	note      string // about the data: how much changed, how large it is
	// top and left are the first row and the first cell on the screen. toChange asks for the first
	// change to be brought into view as soon as the height is known.
	top, left int
	toChange  bool

	measured value.Value // what size was found of
	size     int
	rows     int // on the screen when it was last drawn
}

// show looks at another moment; words explain it.
func (p *dataPane) show(m *moment, words []para, g *canvas.Glyphs) {
	p.moment, p.words = m, words
	p.build(g)
}

// build makes the document of the moment in the present view, scrolled to the first change.
func (p *dataPane) build(g *canvas.Glyphs) {
	p.top, p.left, p.toChange, p.unchanged, p.note = 0, 0, false, false, ""
	m := p.moment
	switch {
	case p.view == viewBefore:
		p.doc = jsonDocument(jsonview.Lines(m.before))
	case p.view == viewAfter || m.before == nil:
		p.doc = jsonDocument(jsonview.Lines(m.after))
	case m.after == nil:
		p.doc, p.note = jsonDocument(jsonview.Lines(m.before)), "what the stage read"
	default:
		p.buildDiff(g)
	}
	if m.event != nil && m.source != m.event {
		p.note = "the data of event " + strconv.FormatInt(m.source.Seq, 10)
	}
}

func (p *dataPane) buildDiff(g *canvas.Glyphs) {
	d := diffview.Compute(p.moment.before, p.moment.after, p.unfold)
	if d.Unchanged {
		p.doc, p.note = jsonDocument(jsonview.Lines(p.moment.after)), "no change"
		p.unchanged = true
		return
	}
	p.doc, p.toChange = diffDocument{d}, true
	p.note = countsText(diffview.Count(p.moment.before, p.moment.after), g)
}

// setView changes the view; unfold is about what the diff folds.
func (p *dataPane) setView(v dataView, unfold bool, g *canvas.Glyphs) {
	p.view, p.unfold = v, unfold
	p.build(g)
}

// shown is the value whose size is told.
func (p *dataPane) shown() value.Value {
	if p.view == viewBefore || p.moment.after == nil {
		return p.moment.before
	}
	return p.moment.after
}

// measure returns the size of what is shown, which is found only once, and what it is bounded by; limit is 0 where
// it is not.
func (p *dataPane) measure(limit int) string {
	v := p.shown()
	if v == nil {
		return ""
	}
	if !value.Identical(v, p.measured) || p.measured == nil {
		p.measured, p.size = v, value.Size(v)
	}
	return boundedSize(p.size, limit)
}

// draw paints the pane with its frame; limit is the greatest size of a payload, or 0.
func (p *dataPane) draw(area canvas.Area, limit int, focused bool) {
	border := borderStyle(focused)
	title, note := p.moment.heading()
	inner := area.Frame(canvas.Frame{
		Title: title, Note: note, Border: border, TitleStyle: theme.Title, Focused: focused,
	})
	y := 0
	if p.moment.visit != nil && inner.H() > stripHeight+3 {
		drawStrip(inner, p.moment)
		y = stripHeight
	} else if p.moment.visit != nil && inner.H() > 5 {
		p.moment.drawExpression(inner.Row(0))
		y = 1
	}
	if y > 0 {
		area.Separator(y+1, border, focused)
		p.drawTabs(area, y+1, limit, border)
		y++
	}
	body := inner.Area(canvas.Rect{Y: y, W: inner.W(), H: inner.H() - y})
	used := p.drawWords(body)
	if used > 0 && used < body.H() && p.doc.Len() > 0 && body.H()-used > 3 {
		used++
	}
	p.drawRows(body.Area(canvas.Rect{Y: used, W: body.W(), H: body.H() - used}))
	area.Foot(border, p.position())
}

// drawTabs writes the views into the line above the data; the one shown is in brackets.
func (p *dataPane) drawTabs(area canvas.Area, y, limit int, border canvas.Style) {
	x := 2
	g := area.Glyphs()
	for v := range viewCount {
		if x > 2 {
			x = area.Text(x, y, border, g.Dash)
		}
		if v == p.view {
			x = area.Text(x, y, theme.Current, " ["+v.String()+"] ")
		} else {
			x = area.Text(x, y, theme.Dim, " "+v.String()+" ")
		}
	}
	right := p.note
	if size := p.measure(limit); size != "" && area.W() > 70 {
		if right != "" {
			right += " " + g.Dash + " "
		}
		right += size
	}
	if right != "" && canvas.Width(right)+4 < area.W()-x {
		area.Right(area.W()-2, y, theme.Dim, " "+right+" ")
	}
}

// failed reports whether the event looked at is about an error.
func (p *dataPane) failed() bool { return p.moment.event != nil && p.moment.event.Failure() != nil }

// drawWords writes the explanation, in most cases at most half of the area, and returns the number of lines.
func (p *dataPane) drawWords(area canvas.Area) int {
	room := area.H()
	if p.doc.Len() > 0 {
		room = max(1, area.H()/2)
		if p.unchanged || p.failed() { // then the words say more than the data
			room = max(room, area.H()-4)
		}
		if p.moment.event == nil { // how to begin
			room = max(room, area.H()-1)
		}
	}
	y := 0
	if p.reason != "" {
		area.Text(1, 0, theme.Strong, canvas.FitMiddle(p.reason, area.W()-2, area.Glyphs().Ellipsis))
		y++
	}
	for _, paragraph := range p.words {
		if paragraph.text == "" {
			continue
		}
		text := strings.TrimLeft(paragraph.text, " ")
		lead := len(paragraph.text) - len(text)
		for i, line := range canvas.Wrap(text, max(area.W()-2-lead-paragraph.indent, 8)) {
			if y >= room {
				area.Right(area.W()-1, y-1, theme.Dim, area.Glyphs().Ellipsis) // there is more of it
				return y
			}
			indent := lead
			if i > 0 {
				indent += paragraph.indent
			}
			area.Text(1+indent, y, paragraph.style, line)
			y++
		}
	}
	return y
}

func (p *dataPane) drawRows(area canvas.Area) {
	p.rows = max(area.H(), 1)
	if p.toChange {
		p.toChange = false
		if d, ok := p.doc.(diffDocument); ok {
			if first := d.First(); first >= p.rows {
				p.top = first - p.rows/3
			}
		}
	}
	p.clamp()
	body := area.Area(canvas.Rect{X: 1, W: area.W() - 1, H: area.H()})
	if p.doc.Len() > p.rows { // the thumb is in the last column
		body = area.Area(canvas.Rect{X: 1, W: area.W() - 2, H: area.H()})
	}
	for y := 0; y < area.H() && p.top+y < p.doc.Len(); y++ {
		drawCut(p.doc, body, y, p.top+y, p.left)
	}
	if p.doc.Len() == 0 && len(p.words) == 0 && area.H() > 0 {
		area.Text(1, 0, theme.Dim, "nothing "+p.view.String())
	}
	drawScroll(area, p.top, p.doc.Len())
}

func (p *dataPane) clamp() {
	p.top = max(0, min(p.top, p.doc.Len()-p.rows))
	p.left = max(0, p.left)
}

// position says which rows are on the screen, where not all are.
func (p *dataPane) position() string {
	if n := p.doc.Len(); p.rows > 0 && n > p.rows {
		return strconv.Itoa(p.top+1) + "-" + strconv.Itoa(min(p.top+p.rows, n)) + " of " + strconv.Itoa(n)
	}
	return ""
}

func (p *dataPane) scroll(rows, cells int) {
	p.toChange = false
	p.top += rows
	p.left += cells
	p.clamp()
}

// find brings the next row that contains text into view; by is 1 or -1.
func (p *dataPane) find(text string, by int) bool {
	text = strings.ToLower(text)
	for i := p.top + by; i >= 0 && i < p.doc.Len(); i += by {
		if strings.Contains(strings.ToLower(p.doc.Text(i)), text) {
			p.scroll(i-p.top, -p.left)
			return true
		}
	}
	return false
}

func borderStyle(focused bool) canvas.Style {
	if focused {
		return theme.BorderFocus
	}
	return theme.Border
}

// drawScroll paints a thumb at the right edge where not everything is on the screen.
func drawScroll(area canvas.Area, top, total int) {
	h := area.H()
	if total <= h || h < 3 {
		return
	}
	thumb := max(1, h*h/total)
	at := (h - thumb) * top / max(1, total-h)
	for y := at; y < at+thumb; y++ {
		area.Text(area.W()-1, y, theme.Border, area.Glyphs().ScrollThumb)
	}
}
