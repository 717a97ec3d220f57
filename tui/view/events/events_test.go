package events

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
	"asldb/tui/part/widget"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

const definition = `{"StartAt":"First","States":{
	"First":{"Type":"Pass","Result":{"n":1},"ResultPath":"$.first","Next":"Wait"},
	"Wait":{"Type":"Wait","Seconds":30,"Next":"Each"},
	"Each":{"Type":"Map","ItemsPath":"$.items","Next":"Bad","ResultPath":null,"Iterator":{"StartAt":"Item","States":{"Item":{"Type":"Wait","Seconds":3,"End":true}}}},
	"Bad":{"Type":"Pass","InputPath":"$.absent","End":true}}}`

// shown is a pane of events on a screen, at the end of a run where finished, else at its beginning.
func shown(t testing.TB, definition, input string, finished bool) (*tuitest.Screen, *Pane) {
	t.Helper()
	s := debug.New(runs.Machine(definition), debug.Options{Input: value.Must(input), Start: time.Unix(0, 0)})
	if finished {
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			t.Fatal(err)
		}
	}
	screen := tuitest.New(t, s, 120, 24)
	p := New(given(screen), runlog.New(), nil)
	screen.Add(view.Drawer, p, func() { p.Select(screen.Selection().Index, s.Position()-1) })
	return screen, p
}

func TestGroups(t *testing.T) {
	screen, _ := shown(t, definition, `{"items":[1,2]}`, true)
	screen.Sees("First", "30s", "2 done", "Bad", "States.Runtime")
	screen.Do(keys.GraphLarger, "")
	screen.Sees("iteration 1", "Item")
	screen.Do(keys.GraphSmaller, "")
	screen.Said("Every visit is folded.")
	screen.Sees("Each")
}

// TestFoldingKeepsTheCursor: the selected row shows the selected event, and is on the screen, after any keys.
func TestFoldingKeepsTheCursor(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		screen, p := shown(t, definition, `{"items":[1,2,3]}`, true)
		moves := []func(){
			func() { p.Move(-1, 0) }, func() { p.Move(1, 0) }, func() { p.Move(0, -8) }, func() { p.Move(0, 8) },
			func() { p.Move(-widget.Far, 0) }, func() { p.Move(widget.Far, 0) }, func() { p.Move(-9, 0) }, func() { p.Move(9, 0) },
			func() { screen.Do(keys.Fold, "") }, func() { screen.ClickAt(6, 8) }, func() { p.Find("item", 1) }, screen.Sync,
		}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(moves)-1), 1, 30).Draw(rt, "moves") {
			moves[n]()
			if i := screen.Selection().Index; i != p.list.cursor {
				rt.Fatalf("after move %d event %d is on the screen, and %d selected", n, i, p.list.cursor)
			}
			row := p.list.row()
			pointer := "▸" + strings.Repeat(" ", 2-len(strconv.Itoa(row+1))) + strconv.Itoa(row+1) + " "
			if frame := screen.Frame(); !strings.Contains(frame, pointer) {
				rt.Fatalf("after move %d row %d is not on the screen:\n%s", n, row, frame)
			}
			if row == runlog.None || !p.list.index.Holds(row, p.list.cursor) {
				rt.Fatalf("after move %d row %d shows event %d", n, row, p.list.cursor)
			}
		}
	})
}

func TestFind(t *testing.T) {
	screen, p := shown(t, definition, `{"items":[1,2]}`, true)
	if _, ok := p.Find("no such text", 1); ok {
		t.Error("a text that is nowhere was found")
	}
	wrapped, ok := p.Find("WaitStarted", 1)
	if !ok || !wrapped {
		t.Errorf("found %v, beyond the end %v", ok, wrapped)
	}
	first := screen.Selection().Index
	if wrapped, ok = p.Find("WaitStarted", 1); !ok || wrapped || screen.Selection().Index <= first {
		t.Errorf("found %v at %d, beyond the end %v", ok, screen.Selection().Index, wrapped)
	}
	screen.Do(keys.FindEvent, `state == "Bad"`)
	if e := screen.Selection().Event; e.Visit.State.Name != "Bad" {
		t.Errorf("found %v", e)
	}
	screen.Do(keys.FindEvent, "1 +")
	screen.Do(keys.FindEvent, "$.absent")
	screen.Said("No event meets $.absent.")
	screen.Do(keys.FindEvent, "")
	screen.Sees("Find an event", `type == "TaskFailed"`)
}

func TestGoTo(t *testing.T) {
	screen, _ := shown(t, definition, `{"items":[]}`, false)
	screen.Sees("Nothing has happened yet.", "[Events]")
	for _, a := range []keys.Action{keys.GoTo, keys.FindEvent} {
		if got := screen.Disabled(a); got != "nothing has happened yet" {
			t.Errorf("the reason is %q", got)
		}
	}
	screen.Step(debug.Continue)
	screen.Do(keys.GoTo, "3")
	if got := screen.Selection().Index; got != 2 {
		t.Errorf("event %d is selected", got)
	}
	screen.Do(keys.GoTo, "none")
	screen.Said("An event is a number from 1 to")
	screen.Do(keys.Look, "")
	if got := screen.Session().Position(); got != 3 {
		t.Errorf("the run is at %d", got)
	}
	screen.Sees("not yet")
}

func TestTimeAxis(t *testing.T) {
	screen, p := shown(t, definition, `{"items":[1,2]}`, true)
	screen.Do(keys.TimelineMode, "")
	screen.Sees("Time", "✓ Wait ", "  ✓ [0] Each", "× Bad", "a cell is")
	last := screen.Selection().Index
	p.Move(0, -8)
	if got := screen.Selection().Index; got != last-1 {
		t.Errorf("event %d is selected, want %d", got, last-1)
	}
	screen.Sees("the visit:")
	p.Move(-1, 0)
	p.Move(-widget.Far, 0)
	if got := screen.Selection().Index; got != 0 {
		t.Errorf("event %d is selected, want the first", got)
	}
	screen.Do(keys.GraphLarger, "")
	screen.Sees("a cell is 0.")
	p.Move(9, 0)
	screen.Frame()
	screen.WheelAt(20, 2, -9)
	screen.Do(keys.GraphSmaller, "")
	screen.Do(keys.GraphSmaller, "")
	screen.Said("This is as far as the time axis goes.")
	screen.Do(keys.Fold, "")
	screen.Said("All of the time is drawn to scale.")
	screen.Frame()
	screen.ClickAt(61, 2)
	if v := screen.Selection().Event.Visit; v == nil || v.State.Name != "Wait" {
		t.Errorf("a click in the middle of the axis selected %v", screen.Selection().Event)
	}
	p.Move(widget.Far, 0)
	screen.Do(keys.TimelineMode, "")
	screen.Sees("Events")
}

// TestPendingTimers: the timers of threads lie ahead of now.
func TestPendingTimers(t *testing.T) {
	screen, _ := shown(t, definition, `{"items":[1,2]}`, false)
	screen.Session().SetClock(debug.Clock{Mode: debug.ClockByHand})
	screen.Do(keys.TimelineMode, "")
	screen.Step(debug.Continue)
	screen.Sees("◔", "next ◔ t+30s in 30s  Wait Wait")
}

// TestReset: of the log of another fork nothing is remembered.
func TestReset(t *testing.T) {
	screen, p := shown(t, definition, `{"items":[1,2]}`, true)
	screen.Frame()
	p.Reset()
	if p.list.index.Len() != 0 || p.list.details != nil {
		t.Error("events are left")
	}
	screen.Sync()
	screen.Sees("First", "Bad")
}

// TestTellingStage: a folded visit's line lands on the event that tells most of it.
func TestTellingStage(t *testing.T) {
	screen, p := shown(t, definition, `{"items":[1,2]}`, true)
	p.Move(-widget.Far, 0)
	for _, want := range []string{"StageCompleted ResultPath", "WaitStarted Wait", "StageCompleted ItemsPath", "StageFailed InputPath"} {
		p.Move(1, 0)
		if e := screen.Selection().Event; e.Type.String()+" "+e.Stage.String() != want {
			t.Errorf("the line of %s lands on %v %v, want %s", e.Visit.State.Name, e.Type, e.Stage, want)
		}
	}
}

// given are the parts of a screen that the pane uses.
func given(s *tuitest.Screen) Screen {
	return Screen{Shell: s, RunState: s, Selected: s, Control: s, Prompts: s, Panes: s}
}
