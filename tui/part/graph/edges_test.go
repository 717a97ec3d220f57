package graph

import (
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/internal/definitions"
	"asldb/tui/part/canvas"
)

// longestEdge is the number of cells that a line of the demo takes at most, and usualEdge the number of a usual line
// where labels are short.
const longestEdge, usualEdge = 48, 10

// outside counts the cells of a line between the two states that it joins.
func outside(d *Drawing, l *line) (n int) {
	from, to := d.Node(l.from).Rect, d.Node(l.to).Rect
	for p := range cellsOf(d, l) {
		if !onBorder(from, p) && !onBorder(to, p) {
			n++
		}
	}
	return n
}

// TestEdgesAreShort measures the lines of the demo, cell by cell, in every shape: none goes round the whole drawing,
// and in the narrow shapes, whose labels are cut, they have about ten cells.
func TestEdgesAreShort(t *testing.T) {
	m := Build(parse(t, "order.asl.json", definitions.DemoDefinition))
	for _, shape := range allShapes() {
		d := Layout(m, shape, nil)
		sum := 0
		for i := range d.lines {
			l := &d.lines[i]
			n := outside(d, l)
			sum += n
			if n > longestEdge {
				t.Errorf("%+v: the line from %s to %s has %d cells\n%s", shape, l.from.Name, l.to.Name, n,
					d.Text(canvas.Unicode(), nil))
			}
		}
		if shape.Catch == 0 && sum > usualEdge*len(d.lines) {
			t.Errorf("%+v: %d cells in %d lines, at most %d on average are wanted", shape, sum, len(d.lines), usualEdge)
		}
	}
}

// TestCatchToANeighbour: the line of a catcher to the state beside is as long as the room between the two.
func TestCatchToANeighbour(t *testing.T) {
	m := Build(parse(t, "order.asl.json", definitions.DemoDefinition))
	for _, shape := range allShapes() {
		d := Layout(m, shape, nil)
		for i := range d.lines {
			l := &d.lines[i]
			from, to := d.Node(l.from).Rect, d.Node(l.to).Rect
			if !l.catch || from.Y >= to.Y+to.H || to.Y >= from.Y+from.H {
				continue // it is above or below
			}
			room, n := max(to.X-from.X-from.W, from.X-to.X-to.W), outside(d, l)
			if n > room+2 {
				t.Errorf("%+v: the line from %s to %s has %d cells where %d are between the two\n%s", shape,
					l.from.Name, l.to.Name, n, room, d.Text(canvas.Unicode(), nil))
			}
		}
	}
}

// TestArrowsMeetNames: the arrow to a chip points at a cell of its text, or is next to it.
func TestArrowsMeetNames(t *testing.T) {
	m := Build(parse(t, "order.asl.json", definitions.DemoDefinition))
	for _, shape := range Chips.shapes() {
		d := Layout(m, shape, nil)
		text := d.Text(canvas.Unicode(), nil)
		var rows [][]rune
		for line := range strings.SplitSeq(text, "\n") {
			rows = append(rows, []rune(line))
		}
		at := func(x, y int) rune {
			if y < 0 || y >= len(rows) || x < 0 || x >= len(rows[y]) {
				return ' '
			}
			return rows[y][x]
		}
		for _, a := range d.arrows {
			below := d.At(a.x, a.y)
			if below != nil && (below.State.Type == asl.Map || below.State.Type == asl.Parallel) &&
				onBorder(below.Rect, point{a.x, a.y}) {
				continue // it meets the frame
			}
			met := false
			switch at(a.x, a.y) {
			case '▼': // a name in two rows is as wide as the wider of them
				met = at(a.x, a.y+1) != ' ' || at(a.x-1, a.y+1) != ' ' && at(a.x+1, a.y+1) != ' ' ||
					at(a.x, a.y+2) != ' '
			case '▲':
				met = at(a.x, a.y-1) != ' ' || at(a.x-1, a.y-1) != ' ' && at(a.x+1, a.y-1) != ' '
			case '◀': // one cell is for the sign of the state, one for the gap
				met = at(a.x-1, a.y) != ' ' || at(a.x-2, a.y) != ' ' || at(a.x-3, a.y) != ' '
			case '▶':
				met = at(a.x+1, a.y) != ' ' || at(a.x+2, a.y) != ' ' || at(a.x+3, a.y) != ' '
			}
			if !met {
				t.Errorf("%+v: the arrow at %d, %d meets no name\n%s", shape, a.x, a.y, text)
			}
		}
	}
}
