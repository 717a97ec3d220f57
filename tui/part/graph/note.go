package graph

import "asldb/tui/part/canvas"

// Part is the part of a state where some are singled out, such as those on the way of a value.
type Part uint8

// The parts.
const (
	NoPart        Part = iota
	OnWay              // the state is on the way
	OriginPart         // the way begins there
	LostPart           // it ends there, with a loss
	LackPart           // the state comes after the loss
	WouldMakePart      // it would have made the value
	AsidePart          // the state has no part in it
	PlainPart          // the state is not singled out
	FailsPart          // errors of the state are handled by none
	CaughtPart         // catchers take the errors of the state
	WrongPart          // errors are about the state
	MissingPart        // the state is only a name in a transition
	NeverPart          // no run went through the state
	PartlyPart         // runs went through some of it
	WholePart          // runs went through all of it
)

// status returns the sign of the part, which in coverage takes two cells, and the style of the state's name.
func (p Part) status(g *canvas.Glyphs) (string, canvas.Style) {
	switch p {
	case OnWay:
		return g.HeavyBox.Vertical, p.style()
	case OriginPart:
		return g.Origin, p.style()
	case LostPart:
		return g.Failed, p.style()
	case LackPart:
		return g.Removed, p.style()
	case WouldMakePart:
		return pensOf(g).would, p.style()
	case CaughtPart:
		return g.Caught, p.style()
	case WrongPart, FailsPart:
		return g.Failed, p.style()
	case MissingPart:
		return "?", p.style()
	case NeverPart:
		return g.Empty + g.Empty, p.style()
	case PartlyPart:
		return g.Filled + g.Empty, p.style()
	case WholePart:
		return g.Filled + g.Filled, p.style()
	case NoPart, AsidePart, PlainPart:
	}
	return " ", p.style()
}

func (p Part) style() canvas.Style {
	switch p {
	case OnWay, OriginPart, WouldMakePart:
		return canvas.Way
	case LostPart, FailsPart, WrongPart, NeverPart:
		return canvas.Bad
	case LackPart, CaughtPart, MissingPart, PartlyPart:
		return canvas.Warn
	case WholePart:
		return canvas.Good
	case AsidePart:
		return canvas.Dim
	case NoPart, PlainPart:
	}
	return canvas.Plain
}

// leads reports whether the list shows where a state leads.
func (p Part) leads() bool { return p == NoPart || p == PlainPart || p == WrongPart }

// maxNote is the greatest width of a note in a box, in cells.
const maxNote = 48

// leastNote is the width up to which a note of a box is whole in every shape.
const leastNote = 36

// addNote makes space for a note: in a box a separate row, in a chip the cells behind the name.
func (l *layouter) addNote(b *box) {
	if l.notes == nil {
		return
	}
	width := min(canvas.Width(l.notes(b.node.State)), maxNote, max(l.shape.Name+l.shape.Label, leastNote))
	switch {
	case width == 0:
	case l.shape.Density == Chips:
		width = min(width, max(l.shape.Name, l.shape.Note))
		b.node.note = width + 2
		b.w += b.node.note
	default:
		b.node.note = width
		b.w, b.h = max(b.w, width+6), b.h+1
	}
}

// noteOf returns the note of a mark that the drawing has space for.
func (p *painter) noteOf(m *Mark) string {
	switch {
	case p.Shape.Paths && m.Brief != m.Note:
		return m.Brief
	case p.Shape.Short:
		return m.short()
	}
	return m.Note
}

func (m *Mark) short() string {
	if m.Short == "" {
		return m.Note
	}
	return m.Short
}

// note paints the note of a node where there is space for it, and returns the column behind it.
func (p *painter) note(n *Node, m *Mark, x, y, width int) int {
	text := p.noteOf(m)
	if n.note == 0 || text == "" {
		return x
	}
	return p.area.Text(x, y, m.Part.style(), canvas.FitMiddle(text, width, p.area.Glyphs().Ellipsis))
}
