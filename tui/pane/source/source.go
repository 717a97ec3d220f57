// Package source shows the text of a definition.
package source

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/source"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// View shows the text of the definition with a state and one of its fields marked, and the warnings about it.
type View struct {
	name     string
	lines    [][]rune
	problems []source.Diagnostic
	state    string
	field    string
	// first and last are the lines of the state; from and to the place of the field. Lines and columns are from 1.
	first, last int
	from, to    source.Position

	cursor, top, rows int // lines from 0
	left, cells       int // characters
	needle            string
}

// New returns the view of a file, with the problems found in it.
func New(file *source.File, problems []source.Diagnostic) *View {
	return &View{name: file.Name, lines: linesOf(file.Data), problems: problems}
}

// Cursor returns the line under the cursor, from 0.
func (v *View) Cursor() int { return v.cursor }

// linesOf breaks a text into lines without their line ends. A tab takes one cell.
func linesOf(data []byte) [][]rune {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var lines [][]rune
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		line = bytes.ReplaceAll(bytes.TrimSuffix(line, []byte("\r")), []byte("\t"), []byte(" "))
		lines = append(lines, []rune(string(line)))
	}
	return lines
}

// Mark marks a state, and a field of it; an empty field, or one that is not there, is the state's name.
func (v *View) Mark(state *asl.State, field string) {
	place := state.Place(field)
	v.state = state.Name
	v.first, v.last = state.NameSpan.Start.Line, state.Span.End.Line
	v.from, v.to = place.Span.Start, place.Span.End
	if place.Key.Start.Line > 0 {
		v.from = place.Key.Start
		v.field = strings.TrimPrefix(strings.TrimPrefix(place.Pointer, state.Pointer), "/")
	}
	if v.to.Line > v.from.Line { // of a value of several lines, the first
		v.to = source.Position{Line: v.from.Line, Col: v.length(v.from.Line) + 1}
	}
	v.cursor = v.from.Line - 1
	v.left = -1 // to be chosen when the width is known
}

func (v *View) length(line int) int {
	if line < 1 || line > len(v.lines) {
		return 0
	}
	return len(v.lines[line-1])
}

// Handle implements [pane.Dialog].
func (v *View) Handle(c pane.Context, k keys.Press) {
	by, moved := widget.PageMove(k.Action, max(v.rows-1, 1))
	switch {
	case moved:
		v.cursor = max(0, min(v.cursor+by, len(v.lines)-1))
		if k.Action == keys.Top {
			v.left = 0
		}
	case k.Action == keys.Left || k.Action == keys.ScrollLeft:
		v.left = max(0, v.left-scrollStep)
	case k.Action == keys.Right || k.Action == keys.ScrollRight:
		v.left += scrollStep
	case k.Action == keys.Find:
		p := dialog.NewPrompt("Find", v.needle, func(text string) { v.find(c, text, 1) })
		p.Back = v
		c.Open(&finding{p, v})
	case k.Action == keys.FindNext:
		v.find(c, v.needle, 1)
	case k.Action == keys.FindPrevious:
		v.find(c, v.needle, -1)
	case k.Action == keys.AddWatch: // w for warning: nothing is watched in a text
		v.nextProblem(c)
	case k.Action == keys.Copy:
		if len(v.lines) > 0 {
			c.Copy(strings.TrimSpace(string(v.lines[v.cursor])))
			c.Say(theme.Plain, "copied line "+strconv.Itoa(v.cursor+1))
		}
	default:
		c.Open(nil)
	}
}

// scrollStep is by how many characters a key moves the text to the side.
const scrollStep = 8

// find goes to the next line with the text, downwards or upwards and round at the end.
func (v *View) find(c pane.Context, text string, by int) {
	v.needle = text
	if text == "" {
		c.Say(theme.Warn, c.Keys().Key(keys.Find)+" finds a text first")
		return
	}
	for n := 1; n <= len(v.lines); n++ {
		i := ((v.cursor+n*by)%len(v.lines) + len(v.lines)) % len(v.lines)
		if at := indexFold(v.lines[i], text); at >= 0 {
			v.cursor = i
			v.reveal(at, at+len([]rune(text)))
			return
		}
	}
	c.Say(theme.Warn, "\""+text+"\" is not in the text")
}

func indexFold(line []rune, text string) int {
	at := strings.Index(strings.ToLower(string(line)), strings.ToLower(text))
	if at < 0 {
		return -1
	}
	return len([]rune(strings.ToLower(string(line))[:at]))
}

// nextProblem goes to the next line with a warning.
func (v *View) nextProblem(c pane.Context) {
	if len(v.problems) == 0 {
		c.Say(theme.Plain, "there are no warnings about the definition")
		return
	}
	next := slices.IndexFunc(v.problems, func(d source.Diagnostic) bool { return d.Span.Start.Line > v.cursor+1 })
	at := v.problems[max(next, 0)].Span.Start
	v.cursor = max(0, min(at.Line-1, len(v.lines)-1))
	v.reveal(at.Col-1, at.Col)
}

// reveal scrolls to the side so that the characters from before to can be seen.
func (v *View) reveal(from, to int) {
	if v.cells <= 0 {
		return
	}
	if to > v.left+v.cells || from < v.left {
		v.left = max(0, from-v.cells/3)
	}
	if to <= v.cells {
		v.left = 0
	}
}

// problem returns the first problem of a line (from 0).
func (v *View) problem(line int) *source.Diagnostic {
	for i := range v.problems {
		if v.problems[i].Span.Start.Line == line+1 {
			return &v.problems[i]
		}
	}
	return nil
}

// Mode implements [pane.Dialog].
func (*View) Mode() pane.Mode { return pane.Choosing }

// Draw implements [pane.Dialog].
func (v *View) Draw(c pane.Context, area canvas.Area) {
	inner := widget.Window(area, area.W(), area.H(), v.title(), v.foot(c))
	said := v.said(inner.W() - 2)
	if len(said) > inner.H()/2 {
		said = said[:inner.H()/2]
	}
	gutter := len(strconv.Itoa(len(v.lines))) + 3 // the number, and a sign on both sides
	v.rows, v.cells = max(inner.H()-len(said), 1), inner.W()-gutter-2
	if v.left < 0 {
		v.left = 0
		v.reveal(v.from.Col-1, v.to.Col)
		v.top = v.cursor - v.rows/3
	}
	v.top = max(min(v.top, v.cursor), v.cursor-v.rows+1)
	v.top = max(0, min(v.top, len(v.lines)-v.rows))
	for y := 0; y < v.rows && v.top+y < len(v.lines); y++ {
		v.drawLine(inner.Row(y), v.top+y, gutter)
	}
	for i, text := range said {
		inner.Text(1, v.rows+i, theme.Warn, text)
	}
	widget.Scrollbar(inner.Area(canvas.Rect{W: inner.W(), H: v.rows}), v.top, len(v.lines))
}

func (v *View) title() string {
	title := v.name
	if v.state != "" {
		title += ": " + v.state
	}
	if v.field != "" {
		title += "/" + v.field
	}
	return title
}

func (v *View) foot(c pane.Context) string {
	foot := "line " + strconv.Itoa(v.cursor+1) + " of " + strconv.Itoa(len(v.lines)) + "; " + c.Keys().Key(keys.Find) + " finds"
	if len(v.problems) > 0 {
		foot += "; " + c.Keys().Key(keys.AddWatch) + " next of " + explain.Plural(len(v.problems), "warning", "warnings")
	}
	return foot
}

// said is the problem of the line under the cursor, broken into lines.
func (v *View) said(width int) []string {
	d := v.problem(v.cursor)
	if d == nil {
		return nil
	}
	lines := canvas.Wrap(d.Severity.String()+": "+d.Message+" ["+d.Rule+"]", width)
	for _, r := range d.Reasons {
		lines = append(lines, canvas.Wrap("- "+r.String(), width)...)
	}
	if d.Suggestion != "" {
		lines = append(lines, canvas.Wrap(d.Suggestion, width)...)
	}
	return lines
}

// drawLine paints one line: the pointer, its number, its sign, and the text.
func (v *View) drawLine(row canvas.Area, line, gutter int) {
	g := row.Glyphs()
	if line == v.cursor {
		row.Text(0, 0, theme.Strong, g.Pointer)
	}
	number := strconv.Itoa(line + 1)
	row.Text(gutter-2-len(number), 0, theme.Dim, number)
	inState := line+1 >= v.first && line+1 <= v.last
	switch {
	case v.problem(line) != nil:
		row.Text(gutter-1, 0, theme.Warn, g.Warning)
	case line+1 == v.from.Line:
		row.Text(gutter-1, 0, theme.Current, g.Current)
	case inState:
		row.Text(gutter-1, 0, theme.Current, g.Box.Vertical)
	}
	text := v.lines[line]
	style := theme.Dim
	if inState || v.first == 0 {
		style = theme.Plain
	}
	body := row.Area(canvas.Rect{X: gutter + 1, W: row.W() - gutter - 1, H: 1})
	from := min(v.left, len(text))
	body.Text(0, 0, style, string(text[from:min(len(text), from+body.W())]))
	if line+1 != v.from.Line {
		return
	}
	start, end := max(v.from.Col-1, from), min(v.to.Col-1, len(text))
	if start < end {
		x := canvas.Width(string(text[from:start]))
		shown := string(text[start:min(end, start+body.W())])
		body.Text(x, 0, theme.Current, shown)
		body.MarkSpan(x, 0, canvas.Width(shown))
	}
}

// finding asks for the text to find and goes back to the view.
type finding struct {
	*dialog.Prompt
	view *View
}

// Draw implements [pane.Dialog].
func (f *finding) Draw(c pane.Context, area canvas.Area) {
	f.view.Draw(c, area)
	f.Prompt.Draw(c, area)
}
