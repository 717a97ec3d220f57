package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

// The marks of the order after a run in which the card is slow at first.
func TestOverlay(t *testing.T) {
	machine := runs.Machine(runs.Order)
	session := debug.New(machine, debug.Options{Input: value.Must(runs.OrderInput), Source: runs.Paid()})
	if _, err := session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	c := coverage.NewCollector(machine.Definition(), coverage.All)
	c.Add(session)
	d := c.Definition("", "", "")
	over := graph.CoverageOverlay(machine.Definition(), &d, canvas.ASCII())
	var got []string
	for state := range machine.Definition().All() {
		mark := over.Mark(state)
		line := fmt.Sprintf("%s: %d %s", state.Name, mark.Part, mark.Note)
		for i, edge := range state.Edges() {
			if over.Taken(state, i) {
				line += " > " + edge.To.Name
			}
		}
		got = append(got, line)
	}
	want := []string{
		fmt.Sprintf("Check: %d (1)  ,, Default, $.total > 100 is false > Charge", graph.PartlyPart),
		fmt.Sprintf("Free: %d never entered", graph.NeverPart),
		fmt.Sprintf("Charge: %d (1)  ,, retrier 1 exhausted, catcher 1 > Fulfil", graph.PartlyPart),
		fmt.Sprintf("Fulfil: %d (1)  ,, uncaught error > Each", graph.PartlyPart),
		fmt.Sprintf("Reserve: %d (1) > Pack", graph.WholePart),
		fmt.Sprintf("Pack: %d (1)", graph.WholePart),
		fmt.Sprintf("Notify: %d (1)", graph.WholePart),
		fmt.Sprintf("Each: %d (1)  ,, uncaught error, no items, failed iteration > Done", graph.PartlyPart),
		fmt.Sprintf("Ship: %d (2)", graph.WholePart),
		fmt.Sprintf("Done: %d (1)", graph.WholePart),
		fmt.Sprintf("Refund: %d never entered", graph.NeverPart),
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A catcher that took all errors of a state leaves nothing for Next.
func TestOnlyACatcherWasTaken(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Next":"C","Catch":[{"ErrorEquals":["E"],"Next":"B"}]},
		"B":{"Type":"Pass","Next":"C"},"C":{"Type":"Choice","Default":"D","Choices":[{"Variable":"$.a","IsNull":true,"Next":"D"}]},"D":{"Type":"Succeed"}}}`)
	d := &coverage.Definition{Items: []coverage.Item{
		{ID: coverage.ID{State: "A", Kind: coverage.Entered}, Count: 2}, {ID: coverage.ID{State: "A", Kind: coverage.Caught}, Count: 2},
		{ID: coverage.ID{State: "C", Kind: coverage.Entered}, Count: 2}, {ID: coverage.ID{State: "C", Kind: coverage.Default}, Count: 2},
	}}
	over := graph.CoverageOverlay(machine.Definition(), d, canvas.Unicode())
	for _, test := range []struct {
		state string
		kind  asl.EdgeKind
		want  bool
	}{{"A", asl.EdgeNext, false}, {"A", asl.EdgeCatch, true}, {"C", asl.EdgeDefault, true}} {
		state := machine.Definition().Lookup(test.state)
		edge, ok := state.EdgeTo(test.kind, 0)
		if !ok || over.Taken(state, edge) != test.want {
			t.Errorf("%s, %v: %v, want %v", test.state, test.kind, over.Taken(state, edge), test.want)
		}
	}
}

// The texts at the transitions: the count of those that are counted, a sign at those that no run took.
func TestTextsAtTransitions(t *testing.T) {
	machine := runs.Machine(runs.Order)
	session := debug.New(machine, debug.Options{Input: value.Must(runs.OrderInput), Source: runs.Paid()})
	if _, err := session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	c := coverage.NewCollector(machine.Definition(), coverage.Options{})
	c.Add(session)
	d := c.Definition("", "", "")
	marks := graph.MarksOf(machine.Definition(), &d, canvas.Unicode())
	sheet := graph.NewSheet(graph.Build(machine.Definition()))
	marks.LayOut(sheet)
	drawing := sheet.Fit(120, 200)
	text := drawing.Text(canvas.Unicode(), marks.In(drawing))
	for _, want := range []string{"(1)", "│▪▫", "never entered", "┄ ▫▫ "} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	for state := range machine.Definition().All() {
		for i, edge := range state.Edges() {
			if marks.Without(state, i) == marks.Taken(state, i) {
				t.Errorf("the transition from %s to %s is both taken and not, or neither", state.Name, edge.To.Name)
			}
		}
		if m := marks.Mark(state); m.Short != "never" && !strings.HasPrefix(m.Note, m.Short) {
			t.Errorf("%s: %q is not a short form of %q", state.Name, m.Short, m.Note)
		}
	}
}

// A state that no run entered is hollow and red, one with a missing part amber, and one that ran whole green: none has
// the sign of a failure, in either set of signs.
func TestSignsOfStates(t *testing.T) {
	for _, g := range []*canvas.Glyphs{canvas.Unicode(), canvas.ASCII()} {
		for part, want := range map[graph.Part]struct {
			sign  string
			style canvas.Style
		}{
			graph.NeverPart:  {g.Empty + g.Empty, canvas.Bad},
			graph.PartlyPart: {g.Filled + g.Empty, canvas.Warn},
			graph.WholePart:  {g.Filled + g.Filled, canvas.Good},
		} {
			if sign, style := (&graph.Mark{Part: part}).Status(g); sign != want.sign || style != want.style || sign == g.Failed {
				t.Errorf("part %d: %q, style %d", part, sign, style)
			}
		}
	}
}
