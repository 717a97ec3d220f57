// Package lens shows the way of a value: the states that it went through in the graph, and beside it the steps in which
// it was made, moved, used or lost.
package lens

import (
	"errors"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/prose"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Screen is the part of the screen that the view uses.
type Screen interface {
	view.Opener
	view.Messages
	view.Table
	view.Actions
	view.Clipboard
}

// Run is the run in which a [View] follows a value.
type Run struct {
	Lens       *provenance.Lens
	Definition *asl.StateMachine
	Glyphs     *canvas.Glyphs
	// Go shows the event at an index of the log, with the cursor at a path of its data, which may be empty.
	Go func(event int, path string)
	// Slices carries on the search of a view whose first slice was not enough: it calls [View.Advance] until that
	// reports false, or [View.Stop]. nil: the search continues at once.
	Slices func(v *View)
	// Found has the results of earlier searches; it may be nil.
	Found *Found
}

// View shows the way of one value, or the place where it was lost.
type View struct {
	view.Modal
	screen Screen
	run    Run
	// all has the graph of every state, ran the graph of the states that the run has entered; whole is set where the
	// first is asked for.
	all, ran *graph.Sheet
	whole    bool
	over     *graph.Way

	way    *provenance.Way
	loss   *provenance.Loss
	states []provenance.StatePart
	steps  []explain.Step

	rows  widget.List[int] // the steps, by their numbers
	lines [][]line         // of each step, for width
	width int
	x, y  int // the corner of the graph in view

	// search is not finished; nil: the way is whole. asked is the path that it looks for, come the event that it has
	// reached, and shownAt the number of slices after which the way so far is shown the next time, of those taken.
	search         *provenance.Search
	asked          question
	come           int
	taken, shownAt int

	tree *tree.Tree // the data of the step treeOf
	row  int        // of the value in it
	// treeOf is the step that the tree is of, -1 for none.
	treeOf int
}

// New returns the view of the way back of the value at a path of the data of event i, counted from 0. Where there is
// none at the path, it is the view of its loss. The errors come from [provenance.Lens].
func New(screen Screen, run Run, i int, text string) (*View, error) {
	v := &View{
		screen: screen,
		run:    run,
		all:    graph.NewSheet(graph.Build(run.Definition)),
		ran:    graph.NewSheet(graph.BuildOf(run.Definition, visited(run.Lens.Log))),
	}
	if err := v.follow(question{event: i, path: text}); err != nil {
		return nil, err
	}
	return v, nil
}

func (v *View) log() *runlog.Log { return v.run.Lens.Log }

// show shows a way, or a loss.
func (v *View) show(way *provenance.Way, loss *provenance.Loss) {
	v.way, v.loss = way, loss
	var edges []*provenance.Edge
	if loss != nil {
		v.states, edges, v.steps = loss.States(), loss.Edges, explain.LossSteps(loss, v.log())
	} else {
		v.states, edges, v.steps = way.States(), way.Edges, explain.Steps(way, v.log())
	}
	v.rows.Home()
	v.rows.Rows, v.lines, v.treeOf = widget.Count(len(v.steps)), nil, -1
	if loss != nil && loss.Kind != provenance.NeverThere && len(v.steps) > 1 {
		v.rows.Cursor = 1 // the state that lost it
	}
	v.over = graph.WayOf(v.states, edges, nil, v.run.Glyphs)
	for _, sheet := range []*graph.Sheet{v.all, v.ran} {
		v.foldAside(sheet)
		v.over.LayOut(sheet)
	}
}

// visited returns a function that reports whether the run has been in a state.
func visited(log *runlog.Log) func(*asl.State) bool {
	seen := make(map[*asl.State]bool)
	for i := log.First(); i < log.Len(); i++ {
		seen[log.Head(i).State] = true
	}
	return func(state *asl.State) bool { return seen[state] }
}

// foldAside folds the containers in which nothing is on the way, and unfolds the others.
func (v *View) foldAside(sheet *graph.Sheet) {
	inside := make(map[*asl.State]bool)
	for i := range v.states {
		for c := v.states[i].State.Scope.Container; c != nil; c = c.Scope.Container {
			inside[c] = true
		}
	}
	for _, state := range sheet.Model.States() {
		if sheet.Model.Inside(state) > 0 && sheet.Folded(state) == inside[state] {
			sheet.Fold(state)
		}
	}
}

// The keys of the view that mean something else elsewhere.
const (
	keyForward = ">"
	keyBack    = "<"
)

// Handle implements [view.View].
func (v *View) Handle(k keys.Press) bool {
	switch k.Name {
	case keyForward:
		v.turn(forward)
		return true
	case keyBack:
		v.turn(back)
		return true
	}
	if by, ok := widget.PageMove(k.Action, max(v.rows.Height()/3, 1)); ok {
		v.move(by)
		return true
	}
	switch k.Action {
	case keys.FindNext:
		v.move(1)
	case keys.FindPrevious:
		v.move(-1)
	case keys.Look:
		v.goToEvent()
	case keys.Source:
		if v.leaveFor() {
			v.screen.Do(keys.Source, "")
		}
	case keys.Help:
		v.screen.Say(canvas.Plain, graph.HintText(v.hints()))
	case keys.Copy:
		if s := v.selected(); s != nil && s.Path != "" {
			v.screen.Copy(s.Path)
			v.screen.Say(canvas.Plain, "Copied "+s.Path+".")
		}
	case keys.Zoom:
		v.whole = !v.whole
	case keys.Now, keys.ComesFrom, keys.Quit:
		v.screen.Open(nil)
	default:
	}
	return true
}

// goToEvent goes to the event of the step at the cursor.
func (v *View) goToEvent() {
	if !v.leaveFor() {
		v.screen.Say(canvas.Warn, "This step sums up several events.")
	}
}

// move moves the cursor by steps.
func (v *View) move(by int) {
	before := v.rows.Cursor
	if v.rows.Move(by); v.rows.Cursor == before && (by == 1 || by == -1) {
		v.screen.Say(canvas.Plain, "The way ends here.")
	}
}

// selected returns the step at the cursor, or nil.
func (v *View) selected() *explain.Step {
	if i, ok := v.rows.Selected(); ok {
		return &v.steps[i]
	}
	return nil
}

// leaveFor closes the view and goes to the event of the step at the cursor. It reports whether there is one.
func (v *View) leaveFor() bool {
	s := v.selected()
	if s == nil || s.Event < 0 {
		return false
	}
	v.screen.Open(nil)
	v.run.Go(s.Event, s.Path)
	return true
}

// turn follows the value of the step at the cursor in a direction.
func (v *View) turn(turn direction) {
	s := v.selected()
	event, at := -1, ""
	switch {
	case s != nil && s.Event >= 0 && s.Path != "":
		event, at = s.Event, s.Path
	case v.way != nil:
		event, at = v.way.Event, v.way.Path
	case v.loss != nil && v.loss.HadPath != "":
		event, at = v.loss.Had, v.loss.HadPath
	}
	if event < 0 {
		v.screen.Say(canvas.Warn, "There is no value at this step.")
		return
	}
	err := v.follow(question{event: event, path: at, turn: turn})
	var miss *path.MissError
	switch {
	case errors.As(err, &miss):
		v.screen.Say(canvas.Warn, at+" is not in the data of this event.")
	case err != nil:
		v.screen.Say(canvas.Bad, err.Error())
	}
}

// title names the value that is followed.
func (v *View) title() (words, path string) {
	switch {
	case v.loss != nil && v.loss.Kind == provenance.NeverThere:
		return "Never there: ", v.loss.Path
	case v.loss != nil && v.loss.Kind == provenance.Elsewhere:
		return "Put elsewhere: ", v.loss.Path
	case v.loss != nil:
		return "Lost: ", v.loss.Path
	case v.way.Forward:
		return "Where it goes: ", v.way.Path
	}
	return "Where it comes from: ", v.way.Path
}

// headline says the path that was asked for, its value, and how long the way is.
func (v *View) headline(cells int) (about string) {
	if v.loss != nil {
		return "is missing"
	}
	if v.way.Value == nil { // not known yet
		return ""
	}
	return "= " + prose.Value(v.way.Value, max(cells, 8), v.run.Glyphs)
}

// PlainLines implements [view.PlainDialog]: the way, or the loss, as reports have it.
func (v *View) PlainLines() (lines []string, stays bool) {
	text := explain.Text(nil)
	if v.loss != nil {
		text = explain.Loss(v.loss, v.log())
	} else {
		text = explain.Way(v.way, v.log())
	}
	return explain.Plain(toldValue).Labelled(text), false
}

// plainValue bounds a value in a line, in characters.
const toldValue = 120
