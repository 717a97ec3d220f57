// Package states is the pane States: the graph of the states, drawn where there is space and listed where there is not,
// with the marks of the run.
package states

import (
	"iter"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Screen is the part of the screen that the pane uses.
type Screen struct {
	view.Shell
	view.RunState
	view.Selected
	view.Control
	view.Panes
}

// Pane is the pane States.
type Pane struct {
	screen   Screen
	sheet    *graph.Sheet
	selected *asl.State
	// current is the state of the event on the screen.
	current *asl.State
	// unshown is the selected state where no visit of it is on the screen, or nil. glancing is set while a visit is
	// shown because its state was selected here.
	unshown  *asl.State
	glancing bool
	minimap  bool

	// drawing is the drawing that was painted last, or nil for the list; x, y is its corner in view, and w, h the
	// view's size.
	drawing *graph.Drawing
	x, y    int
	w, h    int
	// pannedAt is the state that was selected when the view was moved by hand: while it is selected the view stays.
	pannedAt *asl.State
	// past are the tallies as of the event on the screen, nil where the run is at it.
	past runlog.Marks

	// Polls is the waiter that runs, nil where none does.
	Polls *view.Polls

	// inside are the marks of the iteration of each Map state in which the selected event is.
	inside map[*asl.State]*runlog.InsideMarks
}

var _ view.Pane = (*Pane)(nil)

// NewGraph returns the pane for a screen.
func NewGraph(s Screen) *Pane {
	definition := s.Session().Machine().Definition()
	p := &Pane{screen: s, sheet: graph.NewSheet(graph.Build(definition)), minimap: true, w: 1, h: 1}
	p.sheet.LayOutBehind(s.Behind)
	p.selected = p.sheet.Model.States()[0]
	if start := definition.Top.State(definition.Top.StartAt); start != nil {
		p.selected = start
	}
	return p
}

// Follow redraws the graph where the run is of another definition than before.
func (p *Pane) Follow() {
	if definition := p.screen.Session().Machine().Definition(); definition != p.sheet.Model.Definition() {
		next := NewGraph(p.screen)
		next.minimap, next.sheet.Auto, next.sheet.Density = p.minimap, p.sheet.Auto, p.sheet.Density
		next.Polls = p.Polls
		*p = *next
	}
}

// Selected returns the state that is selected.
func (p *Pane) Selected() *asl.State { return p.selected }

// Show selects the state of the event on the screen. At the end of a run, where that has none, it selects the state in
// which the run ended.
func (p *Pane) Show() {
	s := p.screen.Selection()
	p.unshown = nil
	if p.glancing { // the marks are of the place of the run
		return
	}
	p.past = nil
	if s.Event != nil && !p.screen.Newest() && !p.screen.Running() {
		p.past = p.screen.Session().MarksAt(s.Index)
	}
	p.current, p.pannedAt = nil, nil
	has := p.sheet.Model.Has // the events before a redrive can be of another definition
	if s.Visit != nil && has(s.Visit.State) {
		p.current, p.selected = s.Visit.State, s.Visit.State
		return
	}
	for i := s.Index; i >= 0; i-- {
		if v := p.screen.Log().At(i).Visit; v != nil && has(v.State) {
			p.selected = v.State
			return
		}
	}
}

// Choose selects a state, and unfolds its containers.
func (p *Pane) Choose(state *asl.State) {
	p.selected, p.pannedAt = state, nil
	for c := state.Scope.Container; c != nil; c = c.Scope.Container {
		if p.sheet.Folded(c) {
			p.sheet.Fold(c)
		}
	}
}

// Refresh implements [view.Pane].
func (p *Pane) Refresh() {}

// Width returns the number of cells that the states take, at most so many, or wide where a drawing is whole only then.
func (p *Pane) Width(most, wide, h int) int {
	if p.Polls.Shown() {
		return p.Polls.Width()
	}
	return p.sheet.Width(most, wide, h)
}

// shown is the node of the selection in the drawing: where it is in a folded container, the container's.
func (p *Pane) shown() *graph.Node { return p.drawing.Node(p.selected) }

// pan moves the view by rows, which stays there until another state is selected.
func (p *Pane) pan(rows int) { p.y, p.pannedAt = p.y+rows, p.selected }

// Handle implements [view.View]: it takes the keys that move the selection.
func (p *Pane) Handle(k keys.Press) bool { return view.MoveBy(k.Action, p.Page(), p.Move) }

// Page returns the number of rows that were on the screen when the pane was last drawn.
func (p *Pane) Page() int { return p.h }

// Move selects the next state up, down, left or right in a drawing, and up or down in the
// list.
func (p *Pane) Move(rows, cells int) {
	if p.Polls.Shown() {
		if event, ok := p.Polls.Beside(p.screen.Session(), p.screen.Selection().Index, rows); ok {
			p.screen.Inspect(event)
		}
		return
	}
	before := p.selected
	if p.drawing == nil {
		p.moveInList(rows)
	} else {
		p.moveInDrawing(rows, cells)
	}
	if p.selected != before {
		p.glance()
	}
}

// glance shows the last visit of the selected state, at this moment; time does not move. Of a state that has not run
// the other panes show its text.
func (p *Pane) glance() {
	state, last := p.selected, p.screen.Session().Position()-1
	if p.screen.Running() || last < 0 {
		return
	}
	at, log := last, p.screen.Log()
	for at >= 0 && (log.At(at).Visit == nil || log.At(at).Visit.State != state) {
		if at--; at < max(log.First(), last-near) {
			at = -1
		}
	}
	p.glancing, p.past, p.unshown = true, nil, nil
	p.screen.Glance(at)
	p.glancing, p.selected, p.pannedAt = false, state, nil
	if at < 0 && state != p.current {
		p.unshown = state
	}
}

// Glance selects a state as the moves of the selection do.
func (p *Pane) Glance(state *asl.State) {
	p.Choose(state)
	p.glance()
}

// near is the number of events before the place of the run among which the last visit of a state is looked for while
// the selection moves: more would have to be read from the file of a long recording.
const near = 1000

// Unshown returns the selected state where no visit of it is on the screen, or nil: the run has not been in it, or long
// ago.
func (p *Pane) Unshown() *asl.State { return p.unshown }

func (p *Pane) moveInDrawing(rows, cells int) {
	p.pannedAt = nil
	n, nodes := p.shown(), p.drawing.Nodes()
	switch {
	case rows <= -widget.Far:
		n = &nodes[0]
	case rows >= widget.Far:
		n = &nodes[len(nodes)-1]
	case rows == -1:
		n = p.drawing.Toward(n, graph.Up)
	case rows == 1:
		n = p.drawing.Toward(n, graph.Down)
	case rows != 0:
		n = p.drawing.Page(n, rows)
	case cells < 0:
		n = p.drawing.Toward(n, graph.Left)
	case cells > 0:
		n = p.drawing.Toward(n, graph.Right)
	}
	p.selected = n.State
}

func (p *Pane) moveInList(rows int) {
	list := p.sheet.Rail()
	p.pannedAt = nil
	step := 1
	if rows < 0 {
		step, rows = -1, -rows
	}
	for i := list.Row(p.selected) + step; i >= 0 && i < list.Len() && rows > 0; i += step {
		if state := list.State(i); state != nil {
			p.selected = state
			rows--
		}
	}
}

// Words implements [view.Pane]: the names of the states.
func (p *Pane) Words() iter.Seq[string] {
	return func(yield func(string) bool) {
		for state := range p.screen.Session().Machine().Definition().All() {
			if !yield(state.Name) {
				return
			}
		}
	}
}

// Find implements [view.Pane]: it unfolds the containers of the state that it finds.
func (p *Pane) Find(text string, by int) (wrapped, ok bool) {
	state := p.sheet.Model.Find(text, p.selected, by)
	if state == nil {
		return false, false
	}
	from, _ := p.sheet.Model.Index(p.selected)
	to, _ := p.sheet.Model.Index(state)
	p.Choose(state)
	p.glance()
	return (to-from)*by <= 0, true
}

// click selects the state at x, y.
func (p *Pane) click(x, y int) {
	state := p.sheet.Rail().State(p.y + y)
	if p.drawing != nil {
		state = nil
		if n := p.drawing.At(p.x+x, p.y+y); n != nil {
			state = n.State
		}
	}
	if state != nil {
		p.selected = state
		p.glance()
	}
}

// fold folds or unfolds the selected container, or folds the one that the selection is in. It reports whether there
// is one.
func (p *Pane) fold() bool {
	for c := p.selected; c != nil; c = c.Scope.Container {
		if p.sheet.Fold(c) {
			p.selected = c
			return true
		}
	}
	return false
}

// Bindings implements [view.Pane].
func (p *Pane) Bindings() view.Bindings {
	here := func() bool { return p.screen.Focused() == view.States }
	return view.Bindings{
		{Action: keys.Look, Applies: here, Run: func(string) { p.goToSelected() }},
		{Action: keys.Fold, Applies: here, Run: func(string) {
			if !p.fold() {
				p.screen.Say(canvas.Warn, "Only a Parallel or a Map can be folded.")
			}
		}},
		{Action: keys.GraphLarger, Run: p.Enlarge},
		{Action: keys.GraphSmaller, Run: func(string) { p.shiftDensity(-1) }},
		{Action: keys.Minimap, Run: func(string) { p.minimap = !p.minimap }, Disabled: func() string {
			if p.drawing == nil || p.drawing.Within(p.w, p.h) {
				return "all of the graph is in view"
			}
			return ""
		}},
	}
}

// Enlarge draws the states larger, or at a density with a name.
func (p *Pane) Enlarge(density string) {
	if density != "" {
		p.chooseDensity(density)
		return
	}
	p.shiftDensity(1)
}

func (p *Pane) chooseDensity(word string) {
	for _, d := range []graph.Density{graph.Boxes, graph.Chips, graph.Rail} {
		if word == d.String() {
			p.sheet.Auto, p.sheet.Density = false, d
			return
		}
	}
	if word == "auto" {
		p.sheet.Auto = true
		return
	}
	p.screen.Say(canvas.Bad, "The states are drawn as boxes, chips, rail, or auto for what fits; found "+word)
}

func (p *Pane) shiftDensity(by int) {
	if !p.sheet.Shift(by, p.w, p.h) {
		size := "larger"
		if by < 0 {
			size = "smaller"
		}
		p.screen.Say(canvas.Warn, "The states cannot be drawn "+size+".")
	}
}

// goToSelected brings the run to the newest event of the selected state.
func (p *Pane) goToSelected() {
	log := p.screen.Log()
	at := explain.LastIn(log, p.selected, log.Len()-1)
	switch {
	case at < 0:
		p.screen.Say(canvas.Warn, "The run has not been in this state.")
	case at == p.screen.Session().Position()-1:
		p.screen.Say(canvas.Plain, "The run is at the newest event of "+p.selected.Name+" already.")
	default:
		p.screen.StandAt(at)
	}
}

// PlainLines returns the states as lines for --plain: the name of each, its type, its status in words, and the states
// that it leads to.
func (p *Pane) PlainLines() (lines []string) {
	over := p.runMarks().overlay()
	for _, state := range p.sheet.Model.States() {
		depth := 0
		for c := state.Scope.Container; c != nil; c = c.Scope.Container {
			depth++
		}
		mark := over.Mark(state)
		parts := []string{wording.Line(state.Name), state.Type.String(), statusOf(&mark)}
		if mark.Breakpoint {
			parts = append(parts, "breakpoint")
		}
		var next []string
		for _, e := range p.sheet.Model.Edges(state) {
			next = append(next, leads(&e))
		}
		line := strings.Repeat("  ", depth) + strings.Join(parts, ", ")
		if len(next) > 0 {
			line += "; to " + strings.Join(next, ", ")
		}
		lines = append(lines, line+".")
	}
	return lines
}

// leads names the target of a transition, with its label.
func leads(e *asl.Edge) string {
	name := "the end"
	if e.To != nil {
		name = wording.Line(e.To.Name)
	}
	if e.Label == "" {
		return name
	}
	return name + " (" + wording.Line(e.Label) + ")"
}

// statusOf is the status of a state in words.
func statusOf(m *graph.Mark) string {
	switch {
	case m.Current:
		return "here"
	case m.Failed:
		return "failed"
	case m.Waiting && m.Active:
		return "waits"
	case m.Active:
		return "under way"
	case m.Caught:
		return "caught an error"
	case m.Visited:
		return "done"
	}
	return "not run"
}
