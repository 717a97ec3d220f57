package graph

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// chainOf is a definition of n states one after the other.
func chainOf(t testing.TB, n int) *asl.StateMachine {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"StartAt":"S0","States":{`)
	for i := range n - 1 {
		fmt.Fprintf(&b, `"S%d":{"Type":"Pass","Next":"S%d"},`, i, i+1)
	}
	fmt.Fprintf(&b, `"S%d":{"Type":"Succeed"}}}`, n-1)
	return parse(t, "chain.asl.json", []byte(b.String()))
}

// A large graph is laid out elsewhere: until it is there, the drawing before it stays. What came too late, after a change,
// is not shown.
func TestALargeGraphIsLaidOutBehind(t *testing.T) {
	model := Build(chainOf(t, manyStates+1))
	var waiting []func() (done func())
	s := NewSheet(model)
	s.LayOutBehind(func(work func() func()) { waiting = append(waiting, work) })
	finish := func() {
		t.Helper()
		if len(waiting) != 1 {
			t.Fatalf("%d layouts have begun, want 1", len(waiting))
		}
		work := waiting[0]
		waiting = nil
		work()()
	}
	s.Auto, s.Density = false, Chips
	for range 2 {
		if d := s.Fit(60, 40); d != nil {
			t.Fatal("a drawing is there before it is laid out")
		}
	}
	finish()
	chips := s.Fit(60, 40)
	if chips == nil || chips.Shape.Density != Chips || len(waiting) > 0 {
		t.Fatalf("there is no drawing after its layout, and %d layouts", len(waiting))
	}
	plain := NewSheet(model)
	plain.Auto, plain.Density = false, Chips
	if want := plain.Fit(60, 40).Text(canvas.ASCII(), &Overlay{}); chips.Text(canvas.ASCII(), &Overlay{}) != want {
		t.Error("the drawing differs from the one that is waited for")
	}

	s.Density = Boxes
	if d := s.Fit(60, 40); d != chips {
		t.Error("the chips do not stay until there are boxes")
	}
	s.SetNotes(func(*asl.State) string { return "a note" })
	work := waiting[0]
	waiting = nil
	work()()
	if d := s.Fit(60, 40); d != chips {
		t.Error("boxes without notes are shown, which are out of date")
	}
	finish()
	if d := s.Fit(60, 40); d == nil || d.Shape.Density != Boxes || !strings.Contains(d.Text(canvas.ASCII(), &Overlay{
		Mark: func(*asl.State) Mark { return Mark{Part: OnWay, Note: "a note"} },
	}), "a note") {
		t.Error("the boxes have no notes")
	}

	s.Density = Rail
	if s.Fit(60, 40) != nil || len(waiting) > 0 {
		t.Error("the list waits for a layout")
	}
}

// A small graph is there at once.
func TestASmallGraphIsLaidOutAtOnce(t *testing.T) {
	s := NewSheet(Build(chainOf(t, 5)))
	s.LayOutBehind(func(func() func()) { t.Error("a layout has begun behind") })
	if s.Fit(60, 40) == nil {
		t.Error("there is no drawing")
	}
}
