package side

import (
	"slices"

	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// pickLine is a line of picks.
type pickLine struct {
	style      canvas.Style
	left, text string
	indent     int
	// item is the item of the line; lines that only explain have noItem.
	item int64
}

const noItem = -1

// picks is a list of items with lines that explain them. Its lines are made when the run stops.
type picks struct {
	widget.List[pickLine]
	content []pickLine // that is being made
}

// begin begins to make the lines anew, and returns the item under the cursor.
func (l *picks) begin() (picked int64) {
	l.content, l.Resting = nil, true
	l.Paint = func(line canvas.Area, p pickLine, _ []int) { p.draw(line) }
	l.Text = func(p pickLine) string { return p.text }
	l.Skips = func(p pickLine) bool { return p.item == noItem }
	return l.picked()
}

func (l *picks) add(item int64, style canvas.Style, indent int, left, text string) {
	l.content = append(l.content, pickLine{style: style, left: left, text: text, indent: indent, item: item})
}

// picked is the item under the cursor, or noItem.
func (l *picks) picked() int64 {
	if p, ok := l.Selected(); ok {
		return p.item
	}
	return noItem
}

// pick shows the lines that were made, with the cursor on an item; where that is gone it is on the first one, and found is false.
func (l *picks) pick(item int64) (found bool) {
	l.Rows = widget.Slice[pickLine](l.content)
	at := slices.IndexFunc(l.content, func(p pickLine) bool { return p.item == item && item != noItem })
	l.Select(max(at, 0))
	return at >= 0
}

func (p *pickLine) draw(line canvas.Area) {
	x := 1 + min(p.indent, line.W()/4)
	if p.left != "" {
		x = line.Text(x, 0, p.style, p.left) + 1
	}
	line.Text(x, 0, p.style, canvas.FitMiddle(p.text, line.W()-x-1, line.Glyphs().Ellipsis))
}

func (l *picks) draw(f widget.Frame) { l.Draw(f) }
