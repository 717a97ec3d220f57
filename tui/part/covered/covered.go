// Package covered marks the coverage of a definition in its graph: counts, missing items, and the transitions that runs took.
package covered

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/internal/visible"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

// Overlay returns the marks of a definition's states and transitions. A state has a note with the number of its visits and
// its items without coverage; one that was never entered says so.
func Overlay(machine *asl.StateMachine, d *coverage.Definition, glyphs *canvas.Glyphs) *graph.Overlay {
	o := &overlay{items: map[string][]*coverage.Item{}, glyphs: glyphs}
	for i := range d.Items {
		item := &d.Items[i]
		o.items[item.State] = append(o.items[item.State], item)
	}
	marks := map[*asl.State]graph.Mark{}
	for state := range machine.All() {
		marks[state] = o.mark(state)
	}
	return &graph.Overlay{
		Mark:  func(state *asl.State) graph.Mark { return marks[state] },
		Taken: o.taken,
	}
}

type overlay struct {
	items  map[string][]*coverage.Item
	glyphs *canvas.Glyphs
}

// mark returns the mark of a state.
func (o *overlay) mark(state *asl.State) graph.Mark {
	visits := o.count(state, coverage.Entered, 0)
	if visits == 0 {
		return graph.Mark{Part: graph.LackPart, Note: "never entered"}
	}
	var missing []string
	for _, item := range o.items[state.Path()] {
		if !item.Covered() {
			missing = append(missing, brief(item))
		}
	}
	note := strconv.FormatInt(visits, 10) + "x"
	if len(missing) > 0 {
		note += "  " + o.glyphs.Failed + " " + visible.Line(strings.Join(missing, ", "))
		return graph.Mark{Part: graph.LostPart, Note: note}
	}
	return graph.Mark{Part: graph.OnWay, Note: note}
}

// brief names an item without its label.
func brief(item *coverage.Item) string {
	if item.Kind == coverage.ConditionTrue || item.Kind == coverage.ConditionFalse {
		return item.Describe()
	}
	short := *item
	short.Label = ""
	return short.Describe()
}

// count returns the count of an item; 0 where there is no such item.
func (o *overlay) count(state *asl.State, kind coverage.Kind, index int) int64 {
	for _, item := range o.items[state.Path()] {
		if item.Kind == kind && item.Index == index {
			return item.Count
		}
	}
	return 0
}

// taken reports whether a run took a transition. That of Next is none of the items: it was taken where the state was left without
// an error and its successor was entered.
func (o *overlay) taken(from *asl.State, edge int) bool {
	e := from.Edges()[edge]
	switch e.Kind {
	case asl.EdgeChoice:
		return o.count(from, coverage.Rule, e.Index) > 0
	case asl.EdgeDefault:
		return o.count(from, coverage.Default, 0) > 0
	case asl.EdgeCatch:
		return o.count(from, coverage.Caught, e.Index) > 0
	case asl.EdgeNext:
	}
	left := o.count(from, coverage.Entered, 0) - o.count(from, coverage.Uncaught, 0)
	for i := range from.Catch {
		left -= o.count(from, coverage.Caught, i)
	}
	return left > 0 && o.count(e.To, coverage.Entered, 0) > 0
}
