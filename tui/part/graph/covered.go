package graph

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// CoverageOverlay returns the marks of a definition's states and transitions. A state has a note with the number of its visits and
// its items without coverage; one that was never entered says so.
func CoverageOverlay(machine *asl.StateMachine, d *coverage.Definition, glyphs *canvas.Glyphs) *Overlay {
	o := newOverlay(d, glyphs)
	marks := map[*asl.State]Mark{}
	for state := range machine.All() {
		marks[state] = o.mark(state)
	}
	return &Overlay{Mark: func(state *asl.State) Mark { return marks[state] }, Taken: o.taken}
}

// CoverageMarks are an [Overlay] with its texts at the transitions: how often a run took a rule, a Default or a catcher, and a sign at each
// transition that no run took. Those are light, and in the style of a loss.
type CoverageMarks struct {
	Overlay
	of *overlay
}

// MarksOf returns the marks of a definition.
func MarksOf(machine *asl.StateMachine, d *coverage.Definition, glyphs *canvas.Glyphs) *CoverageMarks {
	over := CoverageOverlay(machine, d, glyphs)
	o := newOverlay(d, glyphs)
	over.Without = func(from *asl.State, edge int) bool { return !o.taken(from, edge) }
	mark := over.Mark
	over.Mark = func(state *asl.State) Mark {
		m := mark(state)
		m.Brief, m.Short = m.Note, o.brief(state)
		return m
	}
	return &CoverageMarks{*over, o}
}

// LayOut lets a sheet have space for the notes of the states and the texts at the transitions.
func (m *CoverageMarks) LayOut(s *Sheet) {
	note := func(state *asl.State) string { return m.Mark(state).Note }
	s.SetNotes(note)
	s.SetShort(func(state *asl.State) string { return m.Mark(state).Short })
	s.SetPaths(m.of.text, note)
}

// In returns the overlay for a drawing, with the lines of the transitions.
func (m *CoverageMarks) In(d *Drawing) *Overlay {
	over := m.Overlay
	over.Trail, over.Broken = d.Trail(m.Taken), d.Trail(m.Without)
	return &over
}

type overlay struct {
	items  map[string][]*coverage.Item
	glyphs *canvas.Glyphs
}

func newOverlay(d *coverage.Definition, glyphs *canvas.Glyphs) *overlay {
	o := &overlay{items: map[string][]*coverage.Item{}, glyphs: glyphs}
	for i := range d.Items {
		item := &d.Items[i]
		o.items[item.State] = append(o.items[item.State], item)
	}
	return o
}

// brief is the note of a state where there is little space.
func (o *overlay) brief(state *asl.State) string {
	if visits := o.count(state, coverage.Entered, 0); visits > 0 {
		return "(" + strconv.FormatInt(visits, 10) + ")"
	}
	return "never"
}

// text returns the text at a transition: how often it was taken where that is counted, a sign where it never was, else "".
func (o *overlay) text(from *asl.State, edge int) string {
	if !o.taken(from, edge) {
		return o.never()
	}
	var n int64
	switch e := from.Edges()[edge]; e.Kind {
	case asl.EdgeChoice:
		n = o.count(from, coverage.Rule, e.Index)
	case asl.EdgeDefault:
		n = o.count(from, coverage.Default, 0)
	case asl.EdgeCatch:
		n = o.count(from, coverage.Caught, e.Index)
	case asl.EdgeNext:
		return ""
	}
	return "(" + strconv.FormatInt(n, 10) + ")"
}

// never is the sign of a transition that no run took.
func (o *overlay) never() string { return o.glyphs.Empty + o.glyphs.Empty }

// mark returns the mark of a state.
func (o *overlay) mark(state *asl.State) Mark {
	visits := o.count(state, coverage.Entered, 0)
	if visits == 0 {
		return Mark{Part: NeverPart, Note: "never entered"}
	}
	var missing []string
	for _, item := range o.items[state.Path()] {
		if !item.Covered() && item.Counts() {
			missing = append(missing, named(item))
		}
	}
	note := "(" + strconv.FormatInt(visits, 10) + ")"
	if len(missing) > 0 {
		note += "  " + o.never() + " " + wording.Line(strings.Join(missing, ", "))
		return Mark{Part: PartlyPart, Note: note}
	}
	return Mark{Part: WholePart, Note: note}
}

// named names an item without its label.
func named(item *coverage.Item) string {
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
