package tui

import (
	"strconv"
	"strings"

	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/theme"
)

// outlineRow is one row of the outline: a state, the heading of a branch, or a transition of a Choice.
type outlineRow struct {
	state *asl.State // nil in other rows than states
	depth int
	text  string // of other rows
}

// outline shows the states in the order of the text, indented by the branch or Map that they are in,
// with their transitions and what the run has made of them.
type outline struct {
	rows     []outlineRow
	rowOf    map[*asl.State]int
	selected int // a row that is a state
	top      int
	height   int // when it was last drawn
	// current is the state that is looked at.
	current *asl.State
}

func newOutline(definition *asl.StateMachine) *outline {
	o := &outline{rowOf: make(map[*asl.State]int)}
	o.addScope(definition.Top, 0)
	return o
}

func (o *outline) addScope(scope *asl.Scope, depth int) {
	for _, state := range scope.States {
		o.rowOf[state] = len(o.rows)
		o.rows = append(o.rows, outlineRow{state: state, depth: depth})
		if state.Type == asl.Choice {
			for _, edge := range state.Edges() {
				if edge.Kind == asl.EdgeChoice || edge.Kind == asl.EdgeDefault {
					o.rows = append(o.rows, outlineRow{depth: depth + 1, text: choiceText(edge)})
				}
			}
		}
		for i, branch := range state.Branches {
			o.rows = append(o.rows, outlineRow{depth: depth + 1, text: "branch " + strconv.Itoa(i)})
			o.addScope(branch, depth+2)
		}
		if state.Processor != nil {
			o.addScope(state.Processor, depth+1)
		}
	}
}

// arrow stands in the rows of a Choice's transitions between condition and target.
const arrow = "\x00"

func choiceText(edge asl.Edge) string {
	label := edge.Label
	if edge.Kind == asl.EdgeDefault {
		label = "default"
	}
	to := "?"
	if edge.To != nil {
		to = edge.To.Name
	}
	return label + arrow + to
}

// follow selects the state that is looked at, or keeps the selection where there is none.
func (o *outline) follow(state *asl.State) {
	o.current = state
	if at, ok := o.rowOf[state]; ok {
		o.selected = at
	}
}

// state returns the selected state.
func (o *outline) state() *asl.State {
	if o.selected < len(o.rows) {
		return o.rows[o.selected].state
	}
	return nil
}

// move selects the state by states further down.
func (o *outline) move(by int) {
	step := 1
	if by < 0 {
		step, by = -1, -by
	}
	for i := o.selected + step; i >= 0 && i < len(o.rows) && by > 0; i += step {
		if o.rows[i].state != nil {
			o.selected = i
			by--
		}
	}
}

func (o *outline) find(text string, by int) bool {
	text = strings.ToLower(text)
	for n := 1; n <= len(o.rows); n++ {
		i := ((o.selected+n*by)%len(o.rows) + len(o.rows)) % len(o.rows)
		if s := o.rows[i].state; s != nil && strings.Contains(strings.ToLower(s.Name), text) {
			o.selected = i
			return true
		}
	}
	return false
}

// selectAt selects the state on line y of the pane's inside.
func (o *outline) selectAt(y int) {
	if i := o.top + y; i >= 0 && i < len(o.rows) && o.rows[i].state != nil {
		o.selected = i
	}
}

// draw paints the states; when, where it is not empty, says which time the marks are of.
func (o *outline) draw(area canvas.Area, session *debug.Session, marks debug.Marks, when string, focused bool) {
	foot := when
	if foot == "" {
		foot = plural(len(o.rowOf), "state", "states")
	}
	inner := area.Frame(canvas.Frame{
		Title: "States", Border: borderStyle(focused), TitleStyle: theme.Title, Focused: focused, Foot: foot,
	})
	o.height = max(inner.H(), 1)
	// What stands around the selection is in view as well.
	margin := min(2, (o.height-1)/2)
	o.top = min(o.top, max(0, o.selected-margin))
	o.top = max(o.top, o.selected-o.height+1+margin)
	o.top = max(0, min(o.top, len(o.rows)-o.height))
	for y := 0; y < inner.H() && o.top+y < len(o.rows); y++ {
		i := o.top + y
		row := inner.Row(y)
		if o.rows[i].state == nil {
			o.drawOther(row, &o.rows[i])
			continue
		}
		o.drawState(row, &o.rows[i], session, marks.Of(o.rows[i].state))
		if i == o.selected && focused {
			row.Mark(0)
		}
	}
	drawScroll(inner, o.top, len(o.rows))
}

func (o *outline) drawOther(row canvas.Area, r *outlineRow) {
	g := row.Glyphs()
	x := 3 + 2*r.depth
	label, to, isEdge := strings.Cut(r.text, arrow)
	if !isEdge {
		row.Fit(x, 0, row.W()-x, theme.Dim, r.text)
		return
	}
	x = row.Fit(x, 0, row.W()-x, theme.Dim, g.To+" "+to) + 2
	if room := row.W() - x - 1; room > 3 {
		row.Text(x, 0, theme.Dim, canvas.FitMiddle(label, room, g.Ellipsis))
	}
}

func (o *outline) drawState(row canvas.Area, r *outlineRow, session *debug.Session, mark debug.Mark) {
	g, s := row.Glyphs(), r.state
	if b := session.BreakpointAt(s); b != nil && b.Enabled {
		row.Text(0, 0, theme.Bad, g.Breakpoint)
	} else if b != nil {
		row.Text(0, 0, theme.Dim, g.BreakpointOff)
	}
	glyph, style := o.stateGlyph(s, mark, g)
	x := 1 + 2*r.depth
	row.Text(x, 0, style, glyph)
	name, badges := s.Name, badgesOf(mark, g)
	if kind := kindGlyph(s, g); kind != "" {
		name += " " + kind
	}
	x = row.Text(x+2, 0, nameStyle(style), canvas.FitMiddle(name, max(row.W()-x-2-canvas.Width(badges), 8), g.Ellipsis))
	x = row.Text(x, 0, theme.Warn, badges)
	if to := targets(s, g); to != "" && row.W()-x > 6 {
		row.Fit(x+1, 0, row.W()-x-1, theme.Dim, to)
	}
}

func (o *outline) stateGlyph(s *asl.State, mark debug.Mark, g *canvas.Glyphs) (string, canvas.Style) {
	switch {
	case s == o.current && mark.Active == 0 && mark.Failed:
		return g.Failed, theme.Bad
	case s == o.current:
		return g.Current, theme.Current
	case mark.Active > 0:
		return g.Active, theme.Current
	case mark.Failed:
		return g.Failed, theme.Bad
	case mark.Visits > 0:
		return g.Visited, theme.Good
	}
	return " ", theme.Dim
}

func nameStyle(glyph canvas.Style) canvas.Style {
	if glyph == theme.Current || glyph == theme.Bad {
		return glyph
	}
	return theme.Plain
}

// badgesOf writes what happened in a state more than once or not as it should.
func badgesOf(mark debug.Mark, g *canvas.Glyphs) string {
	text := ""
	if mark.Visits > 1 {
		text += " x" + strconv.Itoa(mark.Visits)
	}
	if mark.Retries > 0 {
		text += " " + g.Retried + strconv.Itoa(mark.Retries)
	}
	if mark.Catches > 0 {
		text += " " + g.Caught + strconv.Itoa(mark.Catches)
	}
	if mark.Failures > mark.Retries+mark.Catches && !mark.Failed {
		text += " " + g.Failed + strconv.Itoa(mark.Failures)
	}
	return text
}

// targets writes where a state leads; a Choice has rows of its own for that.
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
