package states

import (
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/view"
)

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
