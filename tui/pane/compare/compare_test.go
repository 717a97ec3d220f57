package compare

import (
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/compare"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
)

const definition = `{"StartAt":"A","States":{
	"A":{"Type":"Wait","SecondsPath":"$.s","Next":"C"},
	"C":{"Type":"Choice","Choices":[{"Variable":"$.s","NumericEquals":1,"Next":"F"}],"Default":"E"},
	"F":{"Type":"Fail","Error":"Bad","Cause":"s is 1"},"E":{"Type":"Succeed"}}}`

var start = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

// run returns the log of the whole run of an input.
func run(t *testing.T, input string) *runlog.Log {
	t.Helper()
	def, _ := asl.Parse(&source.File{Name: "d.json", Data: []byte(definition)})
	m, err := engine.Compile(def, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(m, debug.Options{Input: value.Must(input), Start: start})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	return s.Log()
}

// screen is the screen around the view.
type screen struct {
	pane.Context
	open pane.Dialog
	said string
}

func (s *screen) Keys() *keys.Map              { return keys.Default() }
func (s *screen) Say(_ canvas.Style, t string) { s.said = t }
func (s *screen) Open(d pane.Dialog)           { s.open = d }

func (s *screen) do(actions ...keys.Action) {
	for _, a := range actions {
		s.open.Handle(s, keys.Press{Action: a})
	}
}

func (s *screen) frame(w, h int) string {
	c := canvas.New(w, h, canvas.ASCII())
	s.open.Draw(s, c.Area(canvas.Rect{W: w, H: h}))
	return c.String()
}

func TestSameRuns(t *testing.T) {
	left, right := run(t, `{"s":2}`), run(t, `{"s":2}`)
	v := New(Runs{A: 1, B: 2, Left: left, Right: right, Compared: compare.Logs(left, right)})
	if !v.Same() || !strings.Contains(v.SameText(), "What-ifs 1 and 2 are the same") {
		t.Errorf("%t, %s", v.Same(), v.SameText())
	}
	if v = New(Runs{Left: left, Right: right, Compared: compare.Logs(left, right)}); !strings.Contains(v.SameText(), "as it was recorded") {
		t.Error(v.SameText())
	}
}

func TestView(t *testing.T) {
	left, right := run(t, `{"s":1}`), run(t, `{"s":2}`)
	branch, at := -1, -1
	open := func(a int) (*screen, *View) {
		v := New(Runs{A: a, B: 2, Left: left, Right: right, Start: start, Compared: compare.Logs(left, right), Go: func(b, i int) { branch, at = b, i }})
		return &screen{open: v}, v
	}
	s, v := open(1)
	if a, b := v.Branches(); v.Same() || a != 1 || b != 2 || !v.Of(1, 2, left.Len(), right.Len()) || v.Of(1, 2, 0, 0) || v.Mode() != pane.Choosing {
		t.Error("the view is of other runs")
	}
	for range v.c.Len() + 1 { // every difference, at each size
		for _, size := range [][2]int{{40, 10}, {80, 24}, {140, 40}} {
			if frame := s.frame(size[0], size[1]); !strings.Contains(frame, "what-if 1 beside what-if 2") {
				t.Fatalf("%v:\n%s", size, frame)
			}
		}
		s.do(keys.FindNext)
	}
	if s.said != "No more differences below." {
		t.Errorf("said: %q", s.said)
	}
	s.do(keys.FindPrevious, keys.Up, keys.DataView, keys.FoldAll, keys.FocusNext)
	s.frame(40, 10)
	s.do(keys.Down, keys.Fold, keys.Right, keys.Left, keys.FocusEvents, keys.FocusData, keys.FocusPrevious)
	if frame := s.frame(100, 30); !strings.Contains(frame, "line ") {
		t.Errorf("the frame does not say where the cursor is:\n%s", frame)
	}
	s.do(keys.Top, keys.Look)
	if s.open != nil || branch != 2 || at != 0 {
		t.Errorf("enter goes to event %d of branch %d", at, branch)
	}
	s, v = open(0)
	for i := range v.c.Len() {
		if v.c.Row(i).B < 0 {
			v.Cursor = i
		}
	}
	if frame := s.frame(100, 30); !strings.Contains(frame, "recorded beside this run") {
		t.Errorf("the recorded run is not named:\n%s", frame)
	}
	if s.do(keys.Look); !strings.Contains(s.said, "That was only recorded") || branch != 2 {
		t.Errorf("said: %q", s.said)
	}
	s, _ = open(0)
	if s.do(keys.Now); s.open != nil || !strings.Contains(s.said, "side by side again") {
		t.Errorf("said: %q", s.said)
	}
}
