package graph

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// RailRow is one row of the list: a state, the heading of a branch, or a transition of a Choice.
type RailRow struct {
	State *asl.State // nil in other rows than states
	depth int
	text  string // of a heading
	edge  *asl.Edge
	place int // of the edge in its state's Edges
	owner *asl.State
}

// List is the states in the order of the text, indented by the branch or Map that they are in, with their
// transitions.
type List struct {
	model *Model
	rows  []RailRow
	rowOf map[*asl.State]int
}

// Rail returns the model's list. Folded containers hide their content.
func (s *Sheet) Rail() *List {
	if s.list == nil {
		s.list = &List{model: s.Model, rowOf: map[*asl.State]int{}}
		s.list.add(s.Model.top, 0, s.folds)
	}
	return s.list
}

func (l *List) add(scope *asl.Scope, depth int, folds Folds) {
	for _, state := range l.model.in(scope) {
		l.rowOf[state] = len(l.rows)
		l.rows = append(l.rows, RailRow{State: state, depth: depth})
		if state.Type == asl.Choice {
			edges := l.model.Edges(state)
			for i := range edges {
				if k := edges[i].Kind; (k == asl.EdgeChoice || k == asl.EdgeDefault) && !l.model.dropped(&edges[i], i) {
					l.rows = append(l.rows, RailRow{depth: depth + 1, edge: &edges[i], place: i, owner: state})
				}
			}
		}
		if folds[state] {
			continue
		}
		for i, branch := range state.Branches {
			l.rows = append(l.rows, RailRow{depth: depth + 1, text: "branch " + strconv.Itoa(i), owner: state, place: i})
			l.add(branch, depth+2, folds)
		}
		if state.Processor != nil {
			l.add(state.Processor, depth+1, folds)
		}
	}
}

// width is the number of cells in which every name in the list is whole; with led, those that a state leads to as well.
func (l *List) width(led bool) int {
	const signs = 4 // behind a name, such as the type's
	w, g := 0, canvas.Unicode()
	for i := range l.rows {
		r := &l.rows[i]
		name := r.text
		switch {
		case r.State != nil:
			name = r.State.Name
			if led {
				name += targets(r.State, g)
			}
		case r.edge != nil && r.edge.To != nil:
			name = "> " + r.edge.To.Name
		}
		w = max(w, 3+2*r.depth+canvas.Width(name)+signs)
	}
	return w
}

// Len returns the number of rows.
func (l *List) Len() int { return len(l.rows) }

// State returns the state of a row, or nil.
func (l *List) State(row int) *asl.State {
	if row < 0 || row >= len(l.rows) {
		return nil
	}
	return l.rows[row].State
}

// Row returns the row of a state, or of the folded container that it is in; -1 for none.
func (l *List) Row(state *asl.State) int {
	for state != nil {
		if row, ok := l.rowOf[state]; ok {
			return row
		}
		state = state.Scope.Container
	}
	return -1
}

// Paint paints the list from row top on.
func (l *List) Paint(area canvas.Area, top int, over *Overlay) {
	for y := 0; y < area.H() && top+y < len(l.rows); y++ {
		r, row := &l.rows[top+y], area.Row(y)
		switch {
		case r.State != nil:
			l.paintState(row, r, over)
		case r.edge != nil:
			l.paintEdge(row, r, over)
		default:
			text := r.text
			if over.Head != nil {
				if head := over.Head(r.owner, r.place); head != "" {
					text += "  " + head
				}
			}
			row.Fit(3+2*r.depth, 0, row.W()-3-2*r.depth, canvas.Dim, text)
		}
	}
}

// Text returns the whole list as lines of at most width cells, without blanks at their ends.
func (l *List) Text(width int, glyphs *canvas.Glyphs, over *Overlay) string {
	if over == nil {
		over = &Overlay{}
	}
	c := canvas.New(width, len(l.rows), glyphs)
	l.Paint(c.Area(canvas.Rect{W: width, H: len(l.rows)}), 0, over)
	return trimmed(c)
}

func (l *List) paintEdge(row canvas.Area, r *RailRow, over *Overlay) {
	g := row.Glyphs()
	style, to := canvas.Dim, "?"
	if over.Taken != nil && over.Taken(r.owner, r.place) {
		style = canvas.Plain
		sign, signStyle := g.Visited, canvas.Good
		if over.TrailStyle != canvas.Plain {
			sign, signStyle, style = g.HeavyBox.Vertical, over.TrailStyle, over.TrailStyle
		}
		row.Text(1+2*r.depth, 0, signStyle, sign)
	}
	if r.edge.To != nil {
		to = r.edge.To.Name
	}
	x := 3 + 2*r.depth
	x = row.Fit(x, 0, row.W()-x, style, g.To+" "+to) + 2
	if width := row.W() - x - 1; width > 3 {
		row.Text(x, 0, canvas.Dim, FitCondition(r.edge.Label, width, g.Ellipsis))
	}
}

// leastListed is the number of cells that a name has before a note.
const leastListed = 14

func (l *List) paintState(row canvas.Area, r *RailRow, over *Overlay) {
	g, s, mark := row.Glyphs(), r.State, Mark{}
	if over.Mark != nil {
		mark = over.Mark(s)
	}
	if mark.Breakpoint {
		row.Text(0, 0, canvas.Bad, g.Breakpoint)
	} else if mark.BreakpointOff {
		row.Text(0, 0, canvas.Dim, g.BreakpointOff)
	}
	x, style := 1+2*r.depth, canvas.Plain
	if over.Mark != nil {
		sign, signStyle := mark.Status(g)
		row.Text(x+1-canvas.Width(sign), 0, signStyle, sign)
		style = mark.nameStyle(s)
	}
	folded := 0
	if l.hidden(s) {
		folded = l.model.Inside(s)
	}
	width := max(row.W()-x-2, leastName)
	if note := canvas.Width(mark.short()); note > 0 { // a name is cut before the note behind it
		width = max(width-note-2, min(width, leastListed))
	}
	kind, badges := yield(s.Name, kindText(s, g, folded), mark.Badge, width)
	name := canvas.FitMiddle(s.Name, width-canvas.Width(kind)-canvas.Width(badges), g.Ellipsis)
	x = row.Text(x+2, 0, style, name)
	x = row.Text(x, 0, mark.kindStyle(s), kind)
	x = row.Text(x, 0, canvas.Warn, badges)
	if width := row.W() - x - 2; mark.Note != "" && width > 6 {
		note := mark.Note
		if canvas.Width(note) > width {
			note = mark.short()
		}
		x = row.Text(x+2, 0, mark.Part.style(), canvas.FitMiddle(note, width, g.Ellipsis)) + 1
	}
	if to := targets(s, g); to != "" && mark.Part.leads() && row.W()-x > 6 {
		row.Fit(x+1, 0, row.W()-x-1, canvas.Dim, to)
	}
	if ground, ok := mark.ground(s == over.Selected); ok {
		row.Restyle(0, 0, row.W(), ground)
	}
}

// PaintChip paints the sign of a state, its name, its type and its badges into a row from cell x on, and returns the
// cell behind them.
func (m *Model) PaintChip(row canvas.Area, x int, s *asl.State, mark *Mark) int {
	g, from := row.Glyphs(), x
	sign, style := mark.Status(g)
	x = row.Text(x, 0, style, sign) + 1
	kind, badges := yield(s.Name, kindText(s, g, m.Inside(s)), mark.Badge, max(row.W()-x-1, leastName))
	x = row.Text(x, 0, mark.nameStyle(s), canvas.FitMiddle(s.Name, max(row.W()-x-1, leastName), g.Ellipsis))
	x = row.Text(x, 0, mark.kindStyle(s), kind)
	x = row.Text(x, 0, canvas.Warn, badges)
	if ground, ok := mark.ground(false); ok {
		row.Restyle(from, 0, x-from, ground)
	}
	return x
}

// hidden reports whether a container's content is not in the list.
func (l *List) hidden(s *asl.State) bool {
	for _, scope := range scopesOf(s) {
		for _, inner := range scope.States {
			_, shown := l.rowOf[inner]
			return !shown
		}
	}
	return false
}

// targets writes where a state leads; a Choice has separate rows for that.
func targets(s *asl.State, g *canvas.Glyphs) string {
	var parts []string
	if s.Next != "" && s.Type != asl.Choice {
		parts = append(parts, g.To+" "+s.Next)
	}
	last := ""
	for _, c := range s.Catch {
		if c.Next != last {
			parts = append(parts, g.Catches+" "+c.Next)
		}
		last = c.Next
	}
	return strings.Join(parts, "  ")
}
