package prose

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
)

// storyOf paints the stages that the events of one visit make.
func storyOf(t *testing.T, marks []runlog.StageMark, attempt, now, width int, glyphs *canvas.Glyphs) []string {
	t.Helper()
	stages := &runlog.VisitStages{Stages: marks, Attempt: attempt}
	story := &Story{Stages: stages, Now: now}
	rows, ok := story.Layout(40, 6)
	height := rows.Above() + rows.Below()
	c := canvas.New(width, height, glyphs)
	spots := story.Draw(c.Area(canvas.Rect{W: width, H: rows.Above()}), &rows, false, nil)
	spots = story.Draw(c.Area(canvas.Rect{Y: rows.Above(), W: width, H: rows.Below()}), &rows, true, spots)
	if !ok || len(spots) != height {
		t.Errorf("%d places for %d rows", len(spots), height)
	}
	return strings.Split(strings.TrimRight(c.String(), "\n"), "\n")
}

func stageMark(field string, stage engine.Stage, state runlog.StageState, before, after string) runlog.StageMark {
	m := runlog.StageMark{Info: engine.StageInfo{Stage: stage, Field: field, Declared: true}, State: state}
	if after != "" {
		e := &engine.Event{After: value.Must(after)}
		if before != "" {
			e.Before = value.Must(before)
		}
		m.Newest, m.Size = e, value.Size(e.After)
	}
	return m
}

// Each stage has a row: the members that it added, changed and removed with their numbers, and the size of the data; what has not run
// says nothing, and stages without a field are left out.
func TestStory(t *testing.T) {
	absent := stageMark("InputPath", engine.StageInputPath, runlog.StageAbsent, "", "")
	rows := storyOf(t, []runlog.StageMark{
		stageMark("input", engine.StageInput, runlog.StageCompleted, "", `{"order": 1, "customer": 2}`), absent,
		stageMark("Parameters", engine.StageParameters, runlog.StageCompleted, `{"a": 1, "b": 2}`, `{"b": 3, "c": 4}`),
		stageMark("Task", engine.StageResult, runlog.StageCompleted, `{"b": 3}`, `{"x": 1}`),
		stageMark("ResultPath", engine.StageResultPath, runlog.StageCompleted, `{"b": 3}`, `{"b": 3}`),
		stageMark("output", engine.StageOutput, runlog.StagePending, "", ""),
	}, 3, 2, 80, canvas.Unicode())
	for i, want := range []string{
		"✓ input { order, customer } 24 B", "✓ [Parameters] ~b +c -a +1 -1 ~1 13 B", "✓ Task «2 → { x } 7 B", "✓ ResultPath no change 7 B", "· output",
	} {
		if got := strings.Join(strings.Fields(rows[i]), " "); got != want {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
}

// In a narrow pane the members are cut, never the name or the size, and hidden characters do not reach the screen.
func TestStoryInANarrowPane(t *testing.T) {
	rows := storyOf(t, []runlog.StageMark{
		stageMark("Parameters", engine.StageParameters, runlog.StageCompleted, `{}`, `{"first-member": 1, "second-member": 2, "\u001b[31m": 3}`),
	}, 1, -1, 46, canvas.ASCII())
	if !strings.Contains(rows[0], "Parameters") || !strings.HasSuffix(strings.TrimSpace(rows[0]), "B") || strings.Contains(rows[0], "\x1b") ||
		!strings.Contains(rows[0], "..") {
		t.Errorf("%q", rows[0])
	}
}
