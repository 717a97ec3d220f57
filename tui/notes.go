package tui

import (
	"strings"

	"asldb/engine/explain"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// para is one paragraph of an explanation. Blanks at its beginning say how deep it stands: those that follow and stand
// deeper belong to it, and are folded with it.
type para struct {
	style canvas.Style
	text  string
	// indent is the number of cells that the lines after the first stand further to the right; cutLine says that the text
	// is a line that is cut where it does not fit.
	indent int
}

// cutLine, as the indent of a paragraph, keeps it on one line: a line of source, or marks below one.
const cutLine = -1

// notes are the paragraphs of an explanation with the folds and the cursor of the person.
type notes struct {
	paras  []para
	folded map[int]bool
	// lines are what is on the screen at some width: each paragraph that is not folded away, broken into lines.
	lines []noteLine
	width int
	// cursor is a line, top the first one on the screen, shown how many are; y and height are where they stand on the
	// screen, with the line below them.
	cursor, top, shown, y, height int
}

type noteLine struct {
	para, x int
	text    string
	first   bool
	hidden  int // how many paragraphs are folded away in it
}

// manyNotes is the number of paragraphs from which on the deeper ones are folded at first.
const manyNotes = 16

func (n *notes) set(paras []para) {
	*n = notes{folded: map[int]bool{}}
	for _, p := range paras {
		if p.text != "" {
			n.paras = append(n.paras, p)
		}
	}
	if len(n.paras) <= manyNotes {
		return
	}
	for i := range n.paras {
		if n.depth(i) > 0 && n.last(i) > i {
			n.folded[i] = true
		}
	}
}

func (n *notes) empty() bool { return len(n.paras) == 0 }

func (n *notes) depth(i int) int {
	return len(n.paras[i].text) - len(strings.TrimLeft(n.paras[i].text, " "))
}

// last returns the last paragraph that belongs to i.
func (n *notes) last(i int) int {
	if n.paras[i].indent == cutLine {
		return i
	}
	end := i
	for end+1 < len(n.paras) && n.depth(end+1) > n.depth(i) && n.paras[end+1].indent != cutLine {
		end++
	}
	return end
}

// layout breaks the paragraphs into lines of at most width cells.
func (n *notes) layout(width int) {
	if n.width == width && n.lines != nil {
		return
	}
	n.width, n.lines = width, n.lines[:0]
	for i := 0; i < len(n.paras); i++ {
		p := &n.paras[i]
		lead := n.depth(i)
		text := p.text[lead:]
		end, hidden := n.last(i), 0
		if n.folded[i] {
			hidden = end - i
		}
		if p.indent == cutLine {
			n.lines = append(n.lines, noteLine{para: i, x: lead, text: text, first: true})
			continue
		}
		for k, line := range canvas.Wrap(text, max(width-2-lead-p.indent, 8)) {
			x := lead
			if k > 0 {
				x += p.indent
			}
			n.lines = append(n.lines, noteLine{para: i, x: x, text: line, first: k == 0})
		}
		n.lines[len(n.lines)-1].hidden = hidden
		if hidden > 0 {
			i = end
		}
	}
	n.cursor = min(n.cursor, max(0, len(n.lines)-1))
}

// reachable reports whether there is a reason to go into the notes: not all of them are on the screen, or some fold.
func (n *notes) reachable() bool {
	if n.shown < len(n.lines) {
		return true
	}
	for i := range n.paras {
		if n.last(i) > i {
			return true
		}
	}
	return false
}

// enter puts the cursor on the last line on the screen, or on the first of all.
func (n *notes) enter(first bool) {
	if n.cursor = max(0, n.top+n.shown-1); first {
		n.cursor, n.top = 0, 0
	}
}

// move moves the cursor. It reports true where that leads beyond the last line.
func (n *notes) move(rows int) (below bool) {
	n.cursor += rows
	below = n.cursor >= len(n.lines)
	n.cursor = max(0, min(n.cursor, len(n.lines)-1))
	return below
}

// fold folds or unfolds the paragraph at the cursor, or the one that it belongs to.
func (n *notes) fold() bool {
	if n.cursor >= len(n.lines) {
		return false
	}
	i := n.lines[n.cursor].para
	if n.last(i) == i {
		for up := i - 1; up >= 0; up-- {
			if n.last(up) >= i {
				i = up
				break
			}
		}
	}
	if n.last(i) == i {
		return false
	}
	n.folded[i] = !n.folded[i]
	n.lines = nil
	n.layout(n.width)
	for at := range n.lines {
		if n.lines[at].para == i {
			n.cursor = at
			break
		}
	}
	return true
}

// drawNotes writes the explanation, in most cases at most half of the area, and returns the number of lines. Where not
// all fits the cursor can be moved into it, and it scrolls.
func (p *dataPane) drawNotes(area canvas.Area, focused bool) int {
	n := &p.notes
	n.layout(area.W())
	room := p.notesRoom(area.H())
	y := 0
	if p.reason != "" {
		area.Text(1, 0, theme.Strong, canvas.FitMiddle(p.reason, area.W()-2, area.Glyphs().Ellipsis))
		y++
	}
	n.shown = min(max(room-y, 0), len(n.lines))
	n.top = max(0, min(n.top, len(n.lines)-n.shown))
	if p.inNotes && n.shown > 0 {
		n.top = min(max(n.top, n.cursor-n.shown+1), n.cursor)
	}
	n.y = y
	for k := range n.shown {
		p.drawNote(area, y, n.top+k, focused)
		y++
	}
	if n.top+n.shown < len(n.lines) && n.shown > 0 {
		area.Right(area.W()-1, y-1, theme.Dim, area.Glyphs().Ellipsis) // there is more of it
	}
	n.height = y - n.y
	return y
}

// notesRoom is how many lines of h the explanation may take.
func (p *dataPane) notesRoom(h int) int {
	if p.tree.Len() == 0 {
		return h
	}
	room := max(1, h/2)
	if p.unchanged || p.failed() || p.inNotes { // then the words say more than the data
		room = max(room, h-4, h*3/4)
	}
	room = max(room, h-1-p.tree.Len()) // what short data leave
	if p.selection.Event == nil {      // how to begin
		room = max(room, h-1)
	}
	return room
}

func (p *dataPane) drawNote(area canvas.Area, y, at int, focused bool) {
	line := &p.notes.lines[at]
	style := p.notes.paras[line.para].style
	x := area.Fit(1+line.x, y, area.W()-2-line.x, style, line.text)
	if line.hidden > 0 {
		area.Text(x+1, y, theme.Dim, area.Glyphs().Ellipsis+" "+explain.Plural(line.hidden, "line", "lines")+" folded")
	}
	if focused && p.inNotes && at == p.notes.cursor {
		area.Text(0, y, theme.Current, area.Glyphs().Pointer)
		area.MarkSpan(0, y, 1)
	}
}
