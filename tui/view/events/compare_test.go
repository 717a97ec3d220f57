package events

import (
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

const compareDefinition = `{"StartAt":"A","States":{
	"A":{"Type":"Wait","SecondsPath":"$.s","Next":"C"},
	"C":{"Type":"Choice","Choices":[{"Variable":"$.s","NumericEquals":1,"Next":"F"}],"Default":"E"},
	"F":{"Type":"Fail","Error":"Bad","Cause":"s is 1"},"E":{"Type":"Succeed"}}}`

var start = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

// run returns the whole run of an input.
func run(t *testing.T, input string) *debug.Session {
	t.Helper()
	def, _ := asl.Parse(&source.File{Name: "d.json", Data: []byte(compareDefinition)})
	m, err := engine.Compile(def, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(m, debug.Options{Input: value.Must(input), Start: start})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	return s
}

// alone is the tab as the only pane of a screen.
type alone struct{ *Tab }

func (a alone) Bindings() view.Bindings { return nil }
func (a alone) Handle(k keys.Press) bool {
	return view.MoveBy(k.Action, a.Page(), a.Move)
}
func (a alone) Words() iter.Seq[string] { return func(func(string) bool) {} }
func (a alone) Draw(f widget.Frame) {
	inner := f.Titled(canvas.Frame{})
	if note := a.Tab.Draw(inner, f.W()-7); note != "" {
		f.Titled(canvas.Frame{Note: note})
	}
}

// shown is the tab on a screen, with the runs of two inputs: left's is the recorded one.
func shownCompare(t *testing.T, left, right string, w, h int) (*tuitest.Screen, *Tab) {
	t.Helper()
	screen := tuitest.New(t, run(t, right), w, h)
	tab := NewCompare(given(screen), &Recorded{Log: run(t, left).Log()})
	screen.Add(view.Drawer, alone{tab}, func() {})
	return screen, tab
}

func TestSameRuns(t *testing.T) {
	screen, tab := shownCompare(t, `{"s":2}`, `{"s":2}`, 80, 12)
	screen.Sees("The run is as it was recorded, in all 11 events.")
	tab.Next(1)
	screen.Said("No more differences below.")
	if tab.Enter() {
		t.Error("a difference was entered where there is none")
	}
	screen = tuitest.New(t, run(t, `{"s":2}`), 80, 12)
	tab = NewCompare(given(screen), nil)
	screen.Add(view.Drawer, alone{tab}, func() {})
	screen.Sees("There is only one run, and no recording to compare it with.")
	if err := tab.Compare(1, 7); !errors.Is(err, debug.ErrNoFork) {
		t.Errorf("a fork that does not exist: %v", err)
	}
}

// Every difference can be seen, at each size, and its event is the one on the screen where the run has it.
func TestDifferences(t *testing.T) {
	screen, tab := shownCompare(t, `{"s":1}`, `{"s":2}`, 140, 40)
	for range tab.view.c.Len() {
		for _, size := range [][2]int{{40, 7}, {72, 10}, {120, 12}, {140, 40}} {
			screen.Resize(size[0], size[1])
			screen.Sees("recorded beside this run")
		}
		if row := tab.view.c.Row(tab.view.Cursor); row.B >= 0 && screen.Selection().Index != row.B && screen.Selection().Index != screen.Log().Len()-1 {
			t.Errorf("the pair %+v is selected, and event %d is on the screen", row, screen.Selection().Index)
		}
		tab.Next(1)
	}
	screen.Said("No more differences below.")
	for range tab.view.c.Len() {
		tab.Next(-1)
	}
	screen.Said("No more differences above.")
}

// A low pane has the events and the data side by side, a narrow one the part that has the keys.
func TestParts(t *testing.T) {
	screen, tab := shownCompare(t, `{"s":1}`, `{"s":2}`, 100, 10)
	screen.Sees("data after", `"s": 2`, "ExecutionStarted: after", "right data")
	screen.Resize(60, 9)
	screen.Sees("ExecutionStarted: after")
	if strings.Contains(screen.Frame(), "data after") {
		t.Errorf("a narrow pane has both parts:\n%s", screen.Frame())
	}
	screen.Press("right")
	screen.Sees("data after", `"s": 2`)
	tab.Fold()
	screen.Press("down")
	tab.FoldAll()
	tab.Turn()
	screen.Press("right", "left", "left")
	screen.Sees("ExecutionStarted: after")
	screen.Press("end")
	screen.Sees("ExecutionSucceeded")
	if _, ok := tab.Find("executionstarted", 1); !ok || tab.view.Cursor != 0 {
		t.Errorf("the cursor is at %d", tab.view.Cursor)
	}
	screen.Resize(100, 10)
	screen.Frame()
	screen.ClickAt(5, 3)
	if tab.view.Cursor != 2 {
		t.Errorf("a click selects row %d", tab.view.Cursor)
	}
}

// Enter goes to the event in this run; of one that was only recorded, to the last one before it.
func TestEnter(t *testing.T) {
	screen, tab := shownCompare(t, `{"s":1}`, `{"s":2}`, 100, 30)
	for i := range tab.view.c.Len() {
		if tab.view.c.Row(i).B < 0 {
			tab.view.Cursor = i
		}
	}
	if !tab.Enter() {
		t.Error("nothing was entered")
	}
	screen.Said("That was only recorded; this is the last event before it that is also in this run.")
	tab.Move(-1<<30, 0)
	if !tab.Enter() || screen.Session().Position() != 1 {
		t.Errorf("the run is at %d", screen.Session().Position())
	}
}

// Two versions of a definition are named so. The comparison opens at the visit that is named, and leaves for the list.
func TestVersions(t *testing.T) {
	left, right := run(t, `{"s":1}`), run(t, `{"s":2}`)
	at := func(s *debug.Session, state string) int {
		for i := range s.Log().Len() {
			if e := s.Log().At(i); e.Type == engine.StateExited && e.Visit.State.Name == state {
				return i
			}
		}
		t.Fatal(state)
		return 0
	}
	for _, first := range []*[2]int{nil, {at(left, "C"), at(right, "C")}, {left.Log().Len() - 1, -1}} {
		screen := tuitest.New(t, right, 120, 24)
		left := left.Log()
		leaves := 0
		tab := NewCompare(given(screen), &Recorded{Log: left, Versions: true, First: first, Leave: func() { leaves++ }})
		screen.Add(view.Drawer, alone{tab}, func() {})
		screen.Sees("old version", "new version", "old version beside new version")
		switch v := tab.view; {
		case first == nil:
			if v.Cursor != v.next(-1, 1) {
				t.Errorf("the cursor is on row %d", v.Cursor)
			}
		case first[1] < 0:
			if v.c.Row(v.Cursor).A != first[0] {
				t.Errorf("the cursor is on row %d", v.Cursor)
			}
			tab.Enter()
			screen.Said("That is in the old version's run alone; this is the last event before it that is also in this run.")
		default:
			row := v.c.Row(v.Cursor)
			if row.Same() || v.right.At(row.B).Visit.State.Name != "C" || row.B > first[1] {
				t.Errorf("the cursor is on row %d", v.Cursor)
			}
		}
		if !tab.Leave() || leaves != 1 {
			t.Errorf("left %d times", leaves)
		}
	}
	screen := tuitest.New(t, right, 120, 24)
	tab := NewCompare(given(screen), &Recorded{Log: run(t, `{"s":2}`).Log(), Versions: true})
	screen.Add(view.Drawer, alone{tab}, func() {})
	screen.Sees("Both versions run the same way, in all 11 events.")
	if tab.Leave() {
		t.Error("a comparison without a list was left")
	}
}
