package tui

import (
	"strconv"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/theme"
)

func graphPanel() panel {
	return panel{
		draw:  (*ui).drawGraph,
		move:  func(u *ui, rows, cells int) { u.graph.move(rows, cells) },
		pan:   func(u *ui, rows int) { u.graph.pan(rows) },
		page:  func(u *ui) int { return u.graph.h },
		find:  func(u *ui, text string, by int) (wrapped, ok bool) { return u.graph.find(text, by) },
		click: func(u *ui, x, y int) { u.graph.selectAt(x, y) },
	}
}

func (u *ui) graphBindings() pane.Bindings {
	here := u.inPane(pane.States)
	return pane.Bindings{
		{Action: keys.Look, Applies: here, Run: plainly(u.lookAtSelected)},
		{Action: keys.Fold, Applies: here, Run: plainly(func() {
			if !u.graph.fold() {
				u.say(theme.Warn, "Only a Parallel or a Map can be folded.")
			}
		})},
		{Action: keys.GraphLarger, Run: func(density string) {
			if density != "" {
				u.chooseDensity(density)
				return
			}
			u.shiftDensity(1)
		}},
		{Action: keys.GraphSmaller, Run: plainly(func() { u.shiftDensity(-1) })},
		{Action: keys.Minimap, Run: plainly(func() { u.graph.minimap = !u.graph.minimap })},
		{Action: keys.PreviousInside, Run: plainly(func() { u.lookInside(-1) }), Disabled: u.insideDisabled},
		{Action: keys.NextInside, Run: plainly(func() { u.lookInside(1) }), Disabled: u.insideDisabled},
		{Action: keys.Source, Run: plainly(u.openSource), Disabled: func() string {
			if origin := u.session.Machine().Definition().Origin; origin != nil {
				return "the definition was made from another text"
			}
			return ""
		}},
	}
}

func (u *ui) insideDisabled() string {
	if container := u.lookedInto(); container == nil {
		return "no Map is selected, and nothing in one"
	} else if u.runMarks().of(container).Inside(container).Len() == 0 {
		return "no iteration of " + container.Name + " has begun"
	}
	return ""
}

func (u *ui) chooseDensity(word string) {
	for _, d := range []graph.Density{graph.Boxes, graph.Chips, graph.Rail} {
		if word == d.String() {
			u.graph.sheet.Auto, u.graph.sheet.Density = false, d
			return
		}
	}
	if word == "auto" {
		u.graph.sheet.Auto = true
		return
	}
	u.say(theme.Bad, "The states are drawn as boxes, chips, rail, or auto for what fits; found "+word)
}

func (u *ui) shiftDensity(by int) {
	if !u.graph.sheet.Shift(by, u.graph.w, u.graph.h) {
		size := "larger"
		if by < 0 {
			size = "smaller"
		}
		u.say(theme.Warn, "The states cannot be drawn "+size+".")
	}
}

// lookedInto is the Map state that is selected, or the innermost one that the selection is in.
func (u *ui) lookedInto() *asl.State {
	for c := u.target(); c != nil; c = c.Scope.Container {
		if c.Type == asl.Map {
			return c
		}
	}
	return nil
}

// lookInside shows the next or the previous iteration of a Map state.
func (u *ui) lookInside(by int) {
	container, r := u.lookedInto(), u.runMarks()
	n := r.of(container).Inside(container).Len()
	now, ok := r.index(container)
	if !ok {
		now = -1
	}
	index, chosen := u.graph.inside.choose(container, now, by, n)
	if !chosen {
		u.say(theme.Plain, container.Name+": the iteration that is looked at")
		return
	}
	u.say(theme.Plain, container.Name+": iteration "+strconv.Itoa(index)+" of "+strconv.Itoa(n)+", counted from 0")
}

// followInGraph shows where the selected event lies. At the end of a run, where no state is looked at, the selection is the
// state that it ended in.
func (u *ui) followInGraph(index int) {
	if v := u.selection.Visit; v != nil {
		u.graph.follow(v.State)
		return
	}
	u.graph.follow(nil)
	for i := index; i >= 0; i-- {
		if v := u.session.Log().At(i).Visit; v != nil {
			u.graph.selected = v.State
			return
		}
	}
}

// drawGraph paints the states with the marks as of the event that is looked at.
func (u *ui) drawGraph(area canvas.Area, focused bool) {
	foot := explain.Plural(len(u.graph.sheet.Model.States()), "state", "states")
	if u.past != nil {
		foot = "as of event " + strconv.FormatInt(u.selection.Event.Seq, 10)
	}
	u.graph.draw(area, u.overlay(), foot, focused)
}

// lookAtSelected shows the newest event of the selected state.
func (u *ui) lookAtSelected() {
	state, log := u.graph.selected, u.session.Log()
	for i := log.Len() - 1; i >= 0; i-- {
		if v := log.At(i).Visit; v != nil && v.State == state {
			if i == u.selection.Index {
				u.say(theme.Plain, "The newest event of "+state.Name+" is looked at already.")
			}
			u.look(i)
			return
		}
	}
	u.say(theme.Warn, "The run has not been in this state.")
}
