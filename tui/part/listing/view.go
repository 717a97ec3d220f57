package listing

import (
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/widget"
)

// View is a text with its marks on the screen, and a cursor on one of its lines.
type View struct {
	*Text
	marks Marks

	scroll      widget.Scroll
	head        int // rows above the lines
	left, cells int // characters
	// reveal asks for the current field to be brought into view as soon as the size is known.
	reveal bool
	needle string
	// problems are the places in the lines for the marks' problems.
	problems []problemPlace
}

// problemPlace is the place of a problem in the lines. outside: it has none, and is put on the first line.
type problemPlace struct {
	at      source.Position
	outside bool
}

// NewView returns a view of a text.
func NewView(t *Text) *View { return &View{Text: t} }

// Show puts other marks around the text. The cursor goes to the current field where follow is set.
func (v *View) Show(m Marks, follow bool) {
	v.marks = m
	v.problems = v.problems[:0]
	for i := range m.Problems {
		at, outside := v.ofProblem(&m.Problems[i])
		if outside {
			at = source.Position{Line: 1, Col: 1}
		}
		v.problems = append(v.problems, problemPlace{at, outside})
	}
	if !follow || m.State == nil {
		return
	}
	v.scroll.Cursor = max(0, min(v.beginning(m.State, m.Field)-1, v.Len()-1))
	v.reveal = true
}

// Marks returns the marks around the text.
func (v *View) Marks() *Marks { return &v.marks }

// Cursor returns the line under the cursor, from 0, and Rows the number of lines that were last on the screen.
func (v *View) Cursor() int { return v.scroll.Cursor }

// Rows returns the number of lines that were on the screen when the view was last drawn.
func (v *View) Rows() int { return v.scroll.Height() }

// Move moves the cursor by lines, and the text to the side by characters.
func (v *View) Move(lines, characters int) {
	v.scroll.Step(lines, v.Len())
	v.left = max(0, v.left+characters)
	if lines == -widget.Far {
		v.left = 0
	}
}

// SelectAt moves the cursor to the line drawn at row y, and reports whether it was there.
func (v *View) SelectAt(y int) (same bool) {
	line := v.scroll.Line(y-v.head, v.Len())
	if line < 0 {
		return false
	}
	same = v.scroll.Cursor == line
	v.scroll.Cursor = line
	return same
}

// GoTo moves the cursor to a place, and the text to the side so that the place can be seen.
func (v *View) GoTo(at source.Position) {
	v.scroll.Cursor = max(0, min(at.Line-1, v.Len()-1))
	v.scrollTo(at.Col-1, at.Col)
}

// words are the texts in quotes, and words outside of them.
var words = wording.Pattern(`"((?:[^"\\\\]|\\\\.)*)"|[\pL_$][\pL\d_.$-]*`)

// Words yields the texts in quotes and the words of the text.
func (v *View) Words() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range v.Len() {
			for _, found := range words().FindAllStringSubmatch(string(v.lines[i]), -1) {
				word := found[1]
				if word == "" {
					word = found[0]
				}
				if !yield(word) {
					return
				}
			}
		}
	}
}

// Find goes to the next line with a text, downwards or upwards and round at the end.
func (v *View) Find(text string, by int) (wrapped, ok bool) {
	v.needle = text
	line, wrapped, ok := widget.FindFrom(v.scroll.Cursor, v.Len(), by, func(i int) bool { return indexFold(v.lines[i], text) >= 0 })
	if !ok {
		return false, false
	}
	v.scroll.Cursor = line
	at := indexFold(v.lines[line], text)
	v.scrollTo(at, at+len([]rune(text)))
	return wrapped, true
}

func indexFold(line []rune, text string) int {
	folded := strings.ToLower(string(line))
	at := strings.Index(folded, strings.ToLower(text))
	if at < 0 {
		return -1
	}
	return len([]rune(folded[:at]))
}

// Value returns the first value on the line under the cursor whose way can be followed, else the first value, or nil.
func (v *View) Value() *explain.FieldValue {
	var found *explain.FieldValue
	for i := range v.marks.Values {
		switch value := &v.marks.Values[i]; {
		case v.lineOfValue(value) != v.scroll.Cursor:
		case value.Path != "":
			return value
		case found == nil:
			found = value
		}
	}
	return found
}

// Problem returns the first problem of the line under the cursor, or nil.
func (v *View) Problem() *source.Diagnostic {
	if i := v.problemAt(v.scroll.Cursor); i >= 0 {
		return &v.marks.Problems[i]
	}
	return nil
}

// problemAt returns the number of the first problem on a line, counted from 0, or -1.
func (v *View) problemAt(line int) int {
	return slices.IndexFunc(v.problems, func(p problemPlace) bool { return p.at.Line == line+1 })
}

// GoToProblem goes to the place of a problem of the marks, by its number.
func (v *View) GoToProblem(i int) {
	if i < len(v.problems) {
		v.GoTo(v.problems[i].at)
	}
}

// NextProblem goes to the next line with a problem. It reports false where there is none.
func (v *View) NextProblem() bool {
	if len(v.problems) == 0 {
		return false
	}
	next := 0 // the nearest below the cursor, else the first
	for i, p := range v.problems {
		best := v.problems[next].at.Line
		if below, found := p.at.Line > v.scroll.Cursor+1, best > v.scroll.Cursor+1; below && (!found || p.at.Line < best) || !below && !found && p.at.Line < best {
			next = i
		}
	}
	v.GoTo(v.problems[next].at)
	return true
}

// scrollTo scrolls to the side so that the characters from before to can be seen.
func (v *View) scrollTo(from, to int) {
	if v.cells <= 0 {
		return
	}
	if to > v.left+v.cells || from < v.left {
		v.left = max(0, from-v.cells/8)
	}
	if to <= v.cells {
		v.left = 0
	}
}

// Draw paints the lines around the cursor, and below them the problem of the line under the cursor.
func (v *View) Draw(area canvas.Area, focused bool) {
	problem := v.problemLines(area.W() - 2)
	if len(problem) > area.H()/2 {
		problem = problem[:area.H()/2]
	}
	v.head = 0
	if v.About() != "" && area.H() > 4 {
		v.head = 1
		v.drawHead(area.Row(0))
	}
	rows := max(area.H()-len(problem)-v.head, 1)
	v.drawLines(area.Area(canvas.Rect{Y: v.head, W: area.W(), H: rows}), focused)
	for i, text := range problem {
		area.Text(1, v.head+rows+i, canvas.Warn, text)
	}
}

// drawHead writes where the definition comes from, and at the right the place in its file of the line under the cursor.
func (v *View) drawHead(row canvas.Area) {
	file, at := v.Origin(v.scroll.Cursor)
	place := filepath.Base(file.Name) + ":" + strconv.Itoa(at.Line) + ":" + strconv.Itoa(at.Col)
	text := " " + v.About()
	if width := canvas.Width(place); width+canvas.Width(text)+2 <= row.W() {
		row.Right(row.W()-1, 0, canvas.Dim, place)
	} else if place = ":" + strconv.Itoa(at.Line) + ":" + strconv.Itoa(at.Col); len(place)+20 <= row.W() {
		row.Right(row.W()-1, 0, canvas.Dim, place)
		row = row.Area(canvas.Rect{W: row.W() - len(place) - 2, H: 1})
	}
	row.Fit(0, 0, row.W(), canvas.Dim, text)
}

// problemLines returns the problem of the line under the cursor, broken into lines.
func (v *View) problemLines(width int) []string {
	d := v.Problem()
	if d == nil {
		return nil
	}
	text := d.Severity.String() + ": " + d.Message + " [" + d.Rule + "]"
	if v.problems[v.problemAt(v.scroll.Cursor)].outside && d.File != nil && d.Span.Start.Line > 0 {
		text = filepath.Base(d.File.Name) + ":" + strconv.Itoa(d.Span.Start.Line) + ":" + strconv.Itoa(d.Span.Start.Col) + ": " + text
	}
	lines := canvas.Wrap(text, width)
	for _, r := range d.Reasons {
		lines = append(lines, canvas.Wrap("- "+r.String(), width)...)
	}
	if d.Suggestion != "" {
		lines = append(lines, canvas.Wrap(d.Suggestion, width)...)
	}
	return lines
}

// drawLines paints the lines around the cursor.
func (v *View) drawLines(area canvas.Area, focused bool) {
	g := area.Glyphs()
	p := v.marks.place(v.Text, g)
	gutter := len(strconv.Itoa(v.Number(v.Len()-1))) + 6 // the pointer, a dot, the number, a sign, and blanks
	v.cells = area.W() - gutter - 1
	if v.reveal {
		v.reveal, v.left = false, v.indent(p.first-1, p.last-1)
		if p.to.Col > v.left+v.cells {
			v.scrollTo(p.from.Col-1, p.to.Col)
		}
		from := v.scroll.Cursor - area.H()/3
		if p.first > 0 && v.scroll.Cursor-(p.first-1) < area.H()*2/3 { // the state from its name on
			from = p.first - 1
		}
		v.scroll.Begin(from)
	}
	v.scroll.Step(0, v.Len())
	top := v.scroll.Fit(area.H(), v.Len())
	end := min(top+v.Rows(), v.Len())
	dots := v.dots(v.marks.Breakpoints, top, end)
	at := v.valueColumn(p, end, g)
	for line := top; line < end; line++ {
		row := area.Row(line - top)
		v.drawGutter(row, line, gutter, p, dots[line])
		body := row.Area(canvas.Rect{X: gutter, W: row.W() - gutter - 1, H: 1})
		cells := body.W()
		if len(p.values[line]) > 0 {
			cells = min(cells, at-1)
			drawValues(body, at, p.values[line])
		}
		v.drawText(body, line, cells, p)
		if line == v.scroll.Cursor && focused {
			row.Text(0, 0, canvas.Current, g.Pointer)
			row.MarkSpan(0, 0, 1)
		}
	}
	widget.Scrollbar(area, top, v.Len())
}

// valueCells are left for values where a state is moved to the left.
const valueCells = 24

// indent returns by how many characters the text is moved to the side so that more of a state, which has the lines from first to
// last, is seen: the blanks before its name but for two, which show that it is inside of something. It is 0 where all of it is seen.
func (v *View) indent(first, last int) int {
	longest := 0
	for i := max(first, 0); i <= min(last, v.Len()-1); i++ {
		longest = max(longest, len(v.lines[i]))
	}
	if longest+valueCells <= v.cells {
		return 0
	}
	line := first
	blanks := 0
	for blanks < len(v.lines[line]) && v.lines[line][blanks] == ' ' {
		blanks++
	}
	return max(0, blanks-2)
}

// narrow is the number of cells below which no text is cut for values.
const narrow = 34

// valueColumn returns the cell of the text at which the values begin: behind the longest line that has one, as far as that leaves
// the width of the values, or three fifths of the cells where they need more. In a narrow area the text comes first.
func (v *View) valueColumn(p *placed, end int, g *canvas.Glyphs) int {
	text, values := 0, 0
	for line := v.scroll.Top(); line < end; line++ {
		if of := p.values[line]; len(of) > 0 {
			runes := v.lines[line]
			text = max(text, canvas.Width(string(runes[min(v.left, len(runes)):])))
			cells := 0
			for i, value := range of {
				cells += min(1, i)*2 + canvas.Width(signOf(value, g)) + canvas.Width(prose.Spans(value.Spans, g))
			}
			values = max(values, cells)
		}
	}
	if v.cells < narrow {
		return text + 2
	}
	return max(0, min(text+2, v.cells-min(values, v.cells*3/5)))
}

// signOf returns the sign before a value with a blank behind it, or "".
func signOf(v *explain.FieldValue, g *canvas.Glyphs) string {
	sign := prose.SignsOf(g)[v.Sign]
	if v.Sign == explain.NoSign || sign == "" {
		return ""
	}
	if len(v.Spans) > 0 {
		sign += " "
	}
	return sign
}

// drawGutter paints the signs before a line: a breakpoint, the number, and a sign.
func (v *View) drawGutter(row canvas.Area, line, gutter int, p *placed, b *breakpoint.Breakpoint) {
	g := row.Glyphs()
	if b != nil {
		glyph, style := g.Breakpoint, canvas.Style(canvas.Bad)
		if !b.Enabled {
			glyph, style = g.BreakpointOff, canvas.Dim
		}
		row.Text(1, 0, style, glyph)
	}
	number := strconv.Itoa(v.Number(line))
	style := canvas.Style(canvas.Dim)
	if line == v.scroll.Cursor {
		style = canvas.Strong
	}
	row.Text(gutter-3-len(number), 0, style, number)
	switch s, ok := p.signs[line]; {
	case v.problemAt(line) >= 0:
		row.Text(gutter-2, 0, canvas.Warn, g.Warning)
	case ok:
		row.Text(gutter-2, 0, s.style, s.glyph)
	case line+1 >= p.first && line+1 <= p.last:
		row.Text(gutter-2, 0, canvas.Border, g.Box.Vertical)
	}
}

// drawText paints a line in at most a number of cells. The selected state has colours; the rest is dim where there is
// one.
func (v *View) drawText(body canvas.Area, line, cells int, p *placed) {
	text := v.lines[line]
	from := min(v.left, len(text))
	text = text[:min(len(text), from+4*max(cells, 1)+1)] // a line may be very long; more do not fit, also where some take no cell
	shown := body.Area(canvas.Rect{W: max(cells, 0), H: 1})
	bright := p.first == 0 || line+1 >= p.first && line+1 <= p.last
	if canvas.Width(string(text[from:])) > cells {
		defer func() { body.Right(cells, 0, canvas.Dim, body.Glyphs().Ellipsis) }()
	}
	shown.Text(0, 0, canvas.Dim, string(text[from:]))
	if bright {
		for _, t := range v.tokens[line] {
			if t.to > from && t.from < len(text) {
				start := max(t.from, from)
				shown.Text(canvas.Width(string(text[from:start])), 0, t.style, string(text[start:min(t.to, len(text))]))
			}
		}
	}
	v.markText(shown, line, from, p)
}

// markText paints the current field, and the text that was searched for.
func (v *View) markText(shown canvas.Area, line, from int, p *placed) {
	text := v.lines[line]
	mark := func(start, end int, style canvas.Style) {
		start, end = max(start, from), min(end, len(text))
		if start >= end {
			return
		}
		x, part := canvas.Width(string(text[from:start])), string(text[start:end])
		shown.Text(x, 0, style, part)
		shown.MarkSpan(x, 0, canvas.Width(part))
	}
	if line+1 == p.from.Line {
		mark(p.from.Col-1, p.to.Col-1, canvas.Current)
	}
	if v.needle != "" && line == v.scroll.Cursor {
		if at := indexFold(text, v.needle); at >= 0 {
			mark(at, at+len([]rune(v.needle)), canvas.Warn)
		}
	}
}

// drawValues paints the values of a line from a cell on.
func drawValues(body canvas.Area, x int, values []*explain.FieldValue) {
	g := body.Glyphs()
	for i, v := range values {
		if i > 0 {
			x += 2
		}
		style := prose.StyleOf(v.Tone)
		of := style
		if v.Sign == explain.SignLeads {
			of = canvas.Dim
		}
		x = body.Text(x, 0, of, signOf(v, g))
		if v.Tone == explain.TonePlain && v.Value != nil {
			style = valueStyle(v.Value)
		}
		x = body.Fit(x, 0, body.W()-x, style, prose.Spans(v.Spans, g))
	}
}

// valueStyle returns the style of a value as the data have it.
func valueStyle(v value.Value) canvas.Style {
	switch v.Kind() {
	case value.KindString:
		return canvas.Text
	case value.KindNumber:
		return canvas.Number
	case value.KindBool, value.KindNull:
		return canvas.Word
	case value.KindArray, value.KindObject:
	}
	return canvas.Plain
}
