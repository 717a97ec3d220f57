// Package findings has the views of coverage and of faults: the graph with marks, and beside it a list.
//
// This part shows the coverage by runs: the graph with counts and marks, and beside it a list of what no run went
// through.
package findings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Screen is the part of the screen that the views use.
type Screen interface {
	view.Opener
	view.Messages
	view.Table
	view.Actions
}

// CoverageSubject is the coverage that a [View] shows.
type CoverageSubject struct {
	Definition *asl.StateMachine
	Glyphs     *canvas.Glyphs
	// Of returns the coverage with kinds of items that only count on request. The error says why there is none.
	Of func(kinds coverage.Options) (*coverage.Definition, error)
	// Runs says which runs are counted: "this session (2 runs), cover.json (12 runs)".
	Runs string
	// Graph selects a state in the graph, and Source shows a field of it in the text of the definition.
	Graph  func(state *asl.State)
	Source func(state *asl.State, field string)
}

// CoverageView is the view of the coverage of a definition.
type CoverageView struct {
	view.Modal
	screen     Screen
	subject    CoverageSubject
	definition *coverage.Definition
	graph      *graph.Graph
	states     map[string]*asl.State

	rows    widget.List[coverage.Item]
	all     bool // all items are in the list
	kinds   coverage.Options
	figures []string
	name    int // the width of the longest name of a state
}

// NewCoverage returns the view of a subject. The error comes from [Subject.Of].
func NewCoverage(screen Screen, s CoverageSubject) (*CoverageView, error) {
	v := &CoverageView{screen: screen, subject: s, states: make(map[string]*asl.State)}
	for state := range s.Definition.All() {
		v.states[state.Path()] = state
	}
	if err := v.count(); err != nil {
		return nil, err
	}
	return v, nil
}

// count counts again.
func (v *CoverageView) count() error {
	d, err := v.subject.Of(v.kinds)
	if err != nil {
		return err
	}
	v.definition = d
	marks := graph.MarksOf(v.subject.Definition, d, v.subject.Glyphs)
	v.graph = graph.NewGraph(v.subject.Definition, marks, &marks.Overlay)
	v.figures = strings.Split(coverage.Shares(d, v.subject.whole(), v.subject.never()), "   ")
	v.list()
	return nil
}

// list makes the list of items.
func (v *CoverageView) list() {
	items := v.definition.Missing()
	if v.all {
		items = slices.DeleteFunc(slices.Clone(v.definition.Items), func(i coverage.Item) bool { return i.Unasked })
	}
	v.name = 0
	for i := range items {
		v.name = max(v.name, canvas.Width(wording.Line(coverage.StateName(items[i].State))))
	}
	v.rows.Rows = widget.Slice[coverage.Item](items)
	v.rows.Select(v.rows.Cursor)
}

// keyKinds is a key of the view that means something else elsewhere: continue.
const keyKinds = keys.Continue

// Handle implements [view.View].
func (v *CoverageView) Handle(k keys.Press) bool {
	if v.rows.Press(k.Action) {
		return true
	}
	switch k.Action {
	case keys.FindNext:
		v.rows.Move(1)
	case keys.FindPrevious:
		v.rows.Move(-1)
	case keys.Look, keys.Source:
		v.leave(k.Action)
	case keys.Zoom:
		v.all = !v.all
		v.rows.Home()
		v.list()
	case keyKinds:
		all := coverage.All
		if v.kinds == all {
			all = coverage.Options{}
		}
		v.kinds = all
		if err := v.count(); err != nil {
			v.screen.Say(canvas.Bad, err.Error())
		}
	case keys.SaveFixtures:
		v.screen.Open(nil)
		v.screen.Do(keys.Coverage, "save")
	case keys.Help:
		v.screen.Say(canvas.Plain, graph.HintText(v.hints()))
	case keys.Now, keys.Coverage, keys.Quit:
		v.screen.Open(nil)
	default:
	}
	return true
}

// leave closes the view and goes to the item at the cursor: in the graph, or in the text.
func (v *CoverageView) leave(how keys.Action) {
	state := v.selected()
	if state == nil {
		v.screen.Say(canvas.Plain, "The list is empty.")
		return
	}
	v.screen.Open(nil)
	if how == keys.Source {
		item, _ := v.rows.Selected()
		v.subject.Source(state, item.Field())
		return
	}
	v.subject.Graph(state)
}

// selected returns the state of the item at the cursor, or nil.
func (v *CoverageView) selected() *asl.State {
	item, _ := v.rows.Selected()
	return v.states[item.State]
}

// headline is the share of all items.
func (v *CoverageView) headline() string {
	share := v.definition.Share()
	return fmt.Sprintf("Coverage %d %%: %d of %d", share.Percent(), share.Covered, share.Total)
}

// wideItem is the width from which on an item says that its number is a line.
const wideItem = 48

// drawItem paints an item: the sign, its state, the part of it, and its line in the definition.
func (v *CoverageView) drawItem(line canvas.Area, item *coverage.Item) {
	sign, style := v.subject.never(), canvas.Bad
	text := wording.Line(item.Describe())
	if item.Covered() {
		sign, style = v.subject.whole(), canvas.Good
		text += "  (" + strconv.FormatInt(item.Count, 10) + ")"
	}
	end := line.W() - 2
	if item.Line > 0 {
		place := strconv.Itoa(item.Line)
		if line.W() >= wideItem {
			place = "line " + place
		}
		line.Right(end, 0, canvas.Dim, place)
		end -= canvas.Width(place) + 2
	}
	name := min(v.name, end/2)
	line.Text(3, 0, style, sign)
	line.Fit(6, 0, name, canvas.Plain, wording.Line(coverage.StateName(item.State)))
	line.Fit(8+name, 0, end-8-name, canvas.Plain, text)
}

// whole and never are the signs of covered states and of states that no run entered.
func (s *CoverageSubject) whole() string { return s.sign(s.Glyphs.Filled, "ran") }
func (s *CoverageSubject) never() string { return s.sign(s.Glyphs.Empty, "never") }

func (s *CoverageSubject) sign(half, word string) string {
	if s.Glyphs.InWords() {
		return word
	}
	return half + half
}
