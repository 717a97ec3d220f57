package prose

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
)

// task has the stages of a task whose second attempt runs.
func task() *runlog.VisitStages {
	mark := func(stage engine.Stage, field string, state runlog.StageState) runlog.StageMark {
		return runlog.StageMark{Info: engine.StageInfo{Stage: stage, Field: field, Declared: state != runlog.StageAbsent}, State: state}
	}
	s := &runlog.VisitStages{Attempt: 2, Stages: []runlog.StageMark{
		mark(engine.StageInput, "input", runlog.StageCompleted), mark(engine.StageInputPath, "InputPath", runlog.StageAbsent),
		mark(engine.StageParameters, "Parameters", runlog.StageCompleted), mark(engine.StageResult, "Task", runlog.StageCompleted),
		mark(engine.StageResultSelector, "ResultSelector", runlog.StageFailed), mark(engine.StageResultPath, "ResultPath", runlog.StageBegun),
		mark(engine.StageOutput, "output", runlog.StagePending),
	}}
	s.Stages[0].Edited = true
	s.Stages[2].Counts = value.Counts{Added: 1, Changed: 2}
	s.Stages[3].Times = 3
	return s
}

func renderStrip(c *canvas.Canvas) []string {
	rows := strings.Split(c.Render(func(canvas.Style) (before, after string) { return "", "" }), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return rows
}

// TestDraw: each stage has its mark below it; absent ones are left out, and where not all fit those far from the
// selected one.
func TestDrawStrip(t *testing.T) {
	for _, test := range []struct {
		width, now  int
		names, mark string
		spots       int
	}{
		{90, 3, " input ─ Parameters ─ [Task] ─ ResultSelector ─ ResultPath ─ output", "manual                +1 ~2      ✓2x3          ×              ◔", 6},
		{76, 3, " input ─ Parameters ─ [Task] ─ ResultSelector ─ ResultPath ─ output", "", 6},
		{40, 6, " … ResultPath ─ [output]", "", 2},
		{40, 0, " [input] ─ Parameters ─ Task …", "", 3},
	} {
		c := canvas.New(test.width, 2, canvas.Unicode())
		spots := Draw(c.Area(canvas.Rect{W: test.width, H: 2}), task(), test.now, nil)
		rows := renderStrip(c)
		if squeezed := strings.Join(strings.Fields(rows[0]), " "); squeezed != strings.Join(strings.Fields(test.names), " ") {
			t.Errorf("%d cells: %q, want %q", test.width, squeezed, test.names)
		}
		if test.mark != "" && strings.Join(strings.Fields(rows[1]), " ") != strings.Join(strings.Fields(test.mark), " ")+" ·" {
			t.Errorf("%d cells: the marks are %q", test.width, rows[1])
		}
		if len(spots) != test.spots {
			t.Errorf("%d cells: %d places, want %d", test.width, len(spots), test.spots)
		}
		for _, spot := range spots {
			if spot.X < 1 || spot.X+spot.W > test.width {
				t.Errorf("%d cells: a stage is at %d, %d cells wide", test.width, spot.X, spot.W)
			}
		}
	}
}

func TestDrawExpression(t *testing.T) {
	for _, test := range []struct {
		width int
		want  string
	}{
		{60, ` ResultPath  $.payment  puts the result into the raw input`},
		{36, ` ResultPath  $.payment  puts the re…`},
		{24, ` ResultPath  $.payment`},
	} {
		c := canvas.New(test.width, 1, canvas.Unicode())
		DrawExpression(c.Area(canvas.Rect{W: test.width, H: 1}), "ResultPath", "$.payment", "puts the result into the raw input")
		if got := renderStrip(c)[0]; got != test.want {
			t.Errorf("%d cells: %q, want %q", test.width, got, test.want)
		}
	}
}
