package states

import (
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/part/widget"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// each is a Map over three items with a task that fails for the second one, which is caught, and a Parallel.
const each = `{"StartAt":"Each","States":{
	"Each":{"Type":"Map","MaxConcurrency":1,"Next":"Both","ItemProcessor":{"StartAt":"Try","States":{
		"Try":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["No"],"Next":"Else"}],"Next":"Good"},
		"Good":{"Type":"Pass","End":true},
		"Else":{"Type":"Pass","End":true}}}},
	"Both":{"Type":"Parallel","Next":"Done","Branches":[
		{"StartAt":"Left","States":{"Left":{"Type":"Pass","End":true}}},
		{"StartAt":"Right","States":{"Right":{"Type":"Wait","Seconds":5,"End":true}}}]},
	"Done":{"Type":"Succeed"}}}`

func newScreen(t *testing.T, w, h int, list ...engine.Outcome) (*tuitest.Screen, *Pane) {
	s := debug.New(runs.Machine(each), debug.Options{
		Input: value.Must(`[1,2,3]`), Start: time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC), Source: runs.ByState{"Try": list}.Source(),
	})
	screen := tuitest.New(t, s, w, h)
	p := NewGraph(given(screen))
	screen.Add(view.States, p, p.Show)
	return screen, p
}

var (
	good   = engine.Outcome{Output: value.Must(`1`)}
	failed = engine.Outcome{Error: "No"}
)

// TestIterationOfTheSelection: of a Map the marks are the marks of the event's iteration.
func TestIterationOfTheSelection(t *testing.T) {
	s, p := newScreen(t, 120, 40, good, failed)
	s.Step(debug.Continue)
	s.Sees("#2 ✓✓[▷]  ✓2 ▷1", "║ ▶ Try") // the third one waits for an answer
	states := p.sheet.Model.States()
	first, other := states[2], states[3]
	marks := func() (a, b bool) {
		r := p.runMarks()
		return r.mark(first).Visited, r.mark(other).Visited
	}
	if a, b := marks(); a || b {
		t.Errorf("the third iteration has been in Good: %v, in Else: %v", a, b)
	}
	inside := func(iteration int) {
		for i := s.Log().Len() - 1; ; i-- {
			if v := s.Log().At(i).Visit; v != nil && v.Parent != nil && v.Index == iteration {
				s.Inspect(i)
				return
			}
		}
	}
	inside(1)
	s.Sees("#1 ✓[▷]  ✓1 ▷1")
	if a, b := marks(); a || !b {
		t.Errorf("the second iteration has been in Good: %v, in Else: %v", a, b)
	}
	inside(0)
	if a, b := marks(); !a || b {
		t.Errorf("the first iteration has been in Good: %v, in Else: %v", a, b)
	}
}

// TestStripOfMany: a sign represents several iterations, and is the sign of the one that needs most attention.
func TestStripOfMany(t *testing.T) {
	s := debug.New(runs.Machine(`{"StartAt":"Each","States":{"Each":{"Type":"Map","ToleratedFailurePercentage":50,"End":true,"ItemProcessor":{
		"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"C","States":{
		"C":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":3,"Next":"F"},{"Variable":"$","NumericEquals":2,"Next":"W"}],"Default":"P"},
		"F":{"Type":"Fail"},"P":{"Type":"Pass","End":true},"W":{"Type":"Wait","Seconds":100,"End":true}}}}}}`), debug.Options{
		Input: value.Must("[2,3" + strings.Repeat(",1,1", 18) + ",2,1]"), Start: time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC),
	})
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	screen := tuitest.New(t, s, 120, 40)
	p := NewGraph(given(screen))
	screen.Add(view.States, p, p.Show)
	screen.Step(debug.Continue)
	// 40 iterations on 16 signs: 2 or 3 for each. The first has items 2 and 3, the last 1, 2 and 1.
	screen.Sees("✓37 ×1 ▷2  ×" + strings.Repeat("✓", 14))
}

func TestClicksAndArrows(t *testing.T) {
	s, p := newScreen(t, 120, 60)
	s.Frame()
	try := p.drawing.Node(p.sheet.Model.States()[1])
	if try.State.Name != "Try" {
		t.Fatal(try.State.Name)
	}
	s.ClickAt(1+try.Rect.X-p.x+2, 1+try.Rect.Y-p.y+try.Rect.H/2)
	if p.Selected() != try.State {
		t.Fatalf("a click selects %s", p.Selected().Name)
	}
	for _, test := range []struct{ key, want string }{
		{"down", "Good"}, {"right", "Else"}, {"left", "Good"}, {"up", "Try"}, {"end", "Done"}, {"home", "Each"}, {"pgdown", "Done"},
	} {
		if s.Press(test.key); p.Selected().Name != test.want {
			t.Errorf("%s leads to %s, want %s", test.key, p.Selected().Name, test.want)
		}
	}
}

func TestList(t *testing.T) {
	s, p := newScreen(t, 40, 8)
	s.Sees("Each * → Both", "Try → Good")
	if p.drawing != nil {
		t.Fatal("six rows are too few for a drawing")
	}
	s.Press("down", "down")
	if p.Selected().Name != "Good" {
		t.Errorf("%s is selected", p.Selected().Name)
	}
	s.Press("end")
	s.Sees("Done")
	s.Press("home", "up")
	s.Frame()
	s.ClickAt(8, 2)
	if p.Selected().Name != "Try" {
		t.Errorf("a click selects %s", p.Selected().Name)
	}
	p.pan(3)
	before := p.y
	if s.Frame(); p.y != before || p.pannedAt == nil {
		t.Errorf("the view is at row %d, want %d", p.y, before)
	}
}

func TestDensityAndMinimap(t *testing.T) {
	s, p := newScreen(t, 120, 60)
	s.Frame()
	p.Enlarge("rail")
	if s.Frame(); p.drawing != nil {
		t.Error("a rail is a list")
	}
	s.Press("-")
	s.Said("The states cannot be drawn smaller.")
	s.Press("+", "+", "+")
	s.Said("The states cannot be drawn larger.")
	p.Enlarge("huge")
	s.Said("boxes, chips, rail, or auto for what fits; found huge")
	p.Enlarge("auto")
	p.Enlarge("boxes")
	s.Resize(120, 16)
	s.Frame()
	foot := func() string {
		rows := strings.Split(strings.TrimRight(s.Frame(), "\n"), "\n")
		return rows[0]
	}
	with := foot()
	if s.Press("M"); foot() == with {
		t.Errorf("the minimap is still there: %s", with)
	}
}

func TestFolding(t *testing.T) {
	s, p := newScreen(t, 120, 40)
	s.Press(" ")
	s.Sees("Each * [+3]")
	if wrapped, ok := p.Find("els", 1); !ok || wrapped || p.Selected().Name != "Else" {
		t.Errorf("found %v in %s", ok, p.Selected().Name)
	}
	s.Sees("Else")
	if wrapped, ok := p.Find("each", 1); !ok || !wrapped {
		t.Errorf("found %v beyond the end %v", ok, wrapped)
	}
	if _, ok := p.Find("absent", 1); ok {
		t.Error("found an absent state")
	}
	p.Move(widget.Far, 0)
	s.Press(" ")
	s.Said("Only a Parallel or a Map can be folded.")
}

// TestMarks: branches have their state and time above them, and an earlier event shows the states as of then.
func TestMarks(t *testing.T) {
	s, p := newScreen(t, 120, 50, good, failed, good)
	s.Step(debug.Continue)
	if p.Selected().Name != "Done" {
		t.Errorf("at the end %s is selected", p.Selected().Name)
	}
	s.Sees("✓ t+0s", "✓ t+5s", "(3)", "8 states")
	p.Find("Try", 1)
	s.Press("enter")
	s.Sees("▶ Try", "▷ Each")
	s.Press("enter")
	s.Said("The run is at the newest event of Try already.")
	s.Inspect(0)
	if p.past == nil || p.past.Of(p.sheet.Model.States()[1]).Visits != 0 {
		t.Error("at the first event Try has been visited")
	}
	p.Find("Good", 1)
	fresh, unvisited := newScreen(t, 120, 50)
	unvisited.Find("Good", 1)
	fresh.Press("enter")
	fresh.Said("The run has not been in this state.")
}

// given are the parts of a screen that the pane uses.
func given(s *tuitest.Screen) Screen {
	return Screen{Shell: s, RunState: s, Selected: s, Control: s, Panes: s}
}

// TestRowKeepsNames: in one row a long condition is cut, so that the states before and behind keep their names.
func TestRowKeepsNames(t *testing.T) {
	const long = `{"StartAt":"Decide","States":{
		"Decide":{"Type":"Choice","Choices":[{"And":[{"Variable":"$.validation.total","IsPresent":true},
			{"Variable":"$.validation.total","NumericGreaterThan":0}],"Next":"Charge"}],"Default":"Charge"},
		"Charge":{"Type":"Pass","Next":"Ship"},"Ship":{"Type":"Succeed"}}}`
	s := debug.New(runs.Machine(long), debug.Options{Input: value.Must(`{}`), Start: time.Unix(0, 0)})
	screen := tuitest.New(t, s, 70, 1)
	p := NewGraph(given(screen))
	screen.Add(view.States, p, p.Show)
	screen.Step(debug.StepState)
	screen.Sees("Decide", "…total > 0 ", "Charge", " │ default ─→")
	screen.Step(debug.StepState)
	screen.Sees("Decide", "Charge", "Ship")
}

// TestRowNamesTheNext: a state that comes next is named in the row, cut where it does not fit whole.
func TestRowNamesTheNext(t *testing.T) {
	const long = `{"StartAt":"Log execution in DynamoDB","States":{
		"Log execution in DynamoDB":{"Type":"Pass","Next":"Wait for at least quorum number processes complete"},
		"Wait for at least quorum number processes complete":{"Type":"Succeed"}}}`
	s := debug.New(runs.Machine(long), debug.Options{Input: value.Must(`{}`), Start: time.Unix(0, 0)})
	screen := tuitest.New(t, s, 70, 1)
	p := NewGraph(given(screen))
	screen.Add(view.States, p, p.Show)
	screen.Sees("Log execution in DynamoDB ─→ · Wait for at least…", "complete")
}
