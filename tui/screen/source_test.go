package screen

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/tui/tuitest"
	"asldb/tui/view/data"
	"asldb/tui/view/states"
)

const lostInput = `{"StartAt": "A", "States": {
	"A": {"Type": "Pass", "Result": {"ok": 1}, "Next": "B"},
	"B": {"Type": "Pass", "InputPath": "$.order", "End": true}}}`

func TestSourceOfAFailure(t *testing.T) {
	s := session(t, lostInput, `{}`, nil)
	wide := drive(t, s, 80, 24, Options{})
	wide.press("c", "v").sees("▸  3 ▶  \"B\": {\"Type\": \"Pass\", \"InputPath\"", "missing: order", "line 3 of 3")
	if wide.press("v"); wide.app.ui.dialog != nil || wide.app.ui.data.View() != data.Diff {
		t.Error("v does not go back to the view before")
	}
	d := drive(t, session(t, lostInput, `{}`, nil), 46, 24, Options{})
	d.press("c", "v").sees("test.asl.json: B/InputPath", "▸  3 ▶", "\"InputPath\":", "missing: order", "line 3 of 3")
	d.press("esc")
	if d.app.ui.dialog != nil {
		t.Error("esc does not close the text")
	}
}

func TestSourceOfTheSelectedState(t *testing.T) {
	for width, want := range map[int]string{46: "test.asl.json: B ", 80: "test.asl.json"} {
		d := drive(t, session(t, lostInput, `{}`, nil), width, 24, Options{})
		d.press("1", "down", "v").sees(want, "▸  3 ▶  \"B\"")
	}
}

func TestSourceFind(t *testing.T) {
	d := drive(t, order(t), 46, 24, Options{})
	d.press("v", "/").typed("CATCH").press("enter").sees("▸ ", "\"Catch\": [")
	v := d.app.ui.dialog.(*states.View)
	first := v.Cursor()
	d.press("n")
	if d.app.ui.dialog != v || v.Cursor() == first && strings.Count(d.frame(), "\"Catch\"") > 1 {
		t.Error("n does not continue")
	}
	d.press("N")
	if v.Cursor() != first {
		t.Errorf("N goes to line %d, not to %d", v.Cursor()+1, first+1)
	}
	d.press("/", "esc")
	if d.app.ui.dialog != v {
		t.Error("esc in the line for the text to find closes the view")
	}
	d.press("/").typed("no such text").press("enter").sees("is not in the text")
}

func TestSourceWarnings(t *testing.T) {
	s := session(t, lostInput, `{}`, nil)
	problems := lint.Check(s.Machine().Definition(), lint.Options{})
	if len(problems) != 1 {
		t.Fatalf("%d problems", len(problems))
	}
	check := func() []asl.Diagnostic { return problems }
	wide := drive(t, s, 80, 24, Options{Check: check})
	wide.sees("1 warning about the definition: v shows the text, w in it the next one")
	wide.press("v", "w").sees("warning: $.order is missing", "[discarded-data]", "w next of 1")
	d := drive(t, s, 46, 24, Options{Check: check})
	d.press("v", "w").sees("warning: $.order is missing", "- in A, ResultPath $ (its default)", "replaced the whole input (line 2)")
	d.press("g", "w")
	if v := d.app.ui.dialog.(*states.View); v.Cursor() != 2 {
		t.Errorf("w goes to line %d", v.Cursor()+1)
	}
	small := drive(t, s, 40, 10, Options{Check: check, ASCII: true})
	small.press("v", "w").sees("is missing")
}

// TestSourceInOneLine: of a text without line breaks the place of the field is scrolled to.
func TestSourceInOneLine(t *testing.T) {
	text := `{"StartAt": "A", "States": {"A": {"Comment": "` + strings.Repeat("长", 40_000) + `", "Type": "Pass", "InputPath": "$.order", "End": true}}}`
	d := drive(t, session(t, text, `{}`, nil), 46, 24, Options{})
	d.press("c", "v").sees("\"InputPath\": ", "missing: order")
	d.press("left", "right", "right", "end", "home").sees("A/InputPath")
	d.sees(`{"StartAt": "A"`)
}

// The definition is checked behind the first frame: however long that takes, it does not keep the screen from opening.
func TestCheckIsBehindTheFirstFrame(t *testing.T) {
	s := session(t, lostInput, `{}`, nil)
	checked := false
	app := shown(s, Options{Title: "order", Check: func() []asl.Diagnostic {
		checked = true
		return lint.Check(s.Machine().Definition(), lint.Options{})
	}})
	app.Resize(80, 24)
	if frame := app.Text(); checked || !strings.Contains(frame, "order") || strings.Contains(frame, "1 warning") {
		t.Errorf("checked %v\n%s", checked, frame)
	}
	_ = app.stack.Settle(t.Context())
	if frame := app.Text(); !strings.Contains(frame, "1 warning about the definition") {
		t.Errorf("no warning\n%s", frame)
	}
}

// The result of the check comes during a run, and does not stop it.
func TestCheckLetsARunGoOn(t *testing.T) {
	app := shown(session(t, loop, `{}`, nil), Options{})
	app.Resize(80, 24)
	app.Press(tuitest.Key("c"))
	app.ui.checked([]asl.Diagnostic{{Severity: source.Warning, Message: "a warning"}})
	if !app.Running() || !strings.Contains(app.Text(), "1 warning about the definition") {
		t.Errorf("running %v\n%s", app.Running(), app.Text())
	}
}

// TestSourceInTheEditor: e in the text opens its file at the line, in the pane and over the panes.
func TestSourceInTheEditor(t *testing.T) {
	for _, width := range []int{46, 80} {
		d := drive(t, session(t, lostInput, `{}`, nil), width, 24, Options{})
		d.press("c", "v", "e")
		if want := []any{openedFile{"test.asl.json", 3, 2}}; !slices.Equal(d.app.asked, want) {
			t.Fatalf("%d: e opens %v", width, d.app.asked)
		}
		d.app.opened(errors.New("the editor vi: not found"))
		d.sees("the editor vi: not found")
		d.app.opened(nil)
		d.sees("A changed definition runs")
	}
}

// TestSourceOfAWaiter: the acceptors that were tried have their verdicts in the model's text.
func TestSourceOfAWaiter(t *testing.T) {
	s := tuitest.Jobs(t, tuitest.Output(`{"S": "RUNS"}`), tuitest.Output(`{"S": "DONE"}`))
	d := drive(t, s, 120, 30, Options{})
	d.press("v").sees("JobDone in jobs.smithy, lines 4 to 10", "4 ▶ JobDone: {")
	for range 30 {
		d.press("i")
		if s.Log().At(s.Log().Len()-1).Type == engine.WaitStarted {
			break
		}
	}
	d.sees("× does not match", "✓ decides", "jobs.smithy:")
	frame := d.frame()
	for _, line := range strings.Split(frame, "\n") {
		if strings.Contains(line, "decides") && !strings.Contains(line, "7 ") {
			t.Errorf("the acceptor of line 7 decided:\n%s", frame)
		}
	}
	d.press("c").sees("✓ decides")
	if frame := d.frame(); strings.Contains(frame, "does not match") {
		t.Errorf("in the last call the first acceptor decided:\n%s", frame)
	}
}

// A run that begins again shows its data and not the text that was looked at.
func TestARestartLeavesTheText(t *testing.T) {
	d := drive(t, session(t, lostInput, `{}`, nil), 120, 30, Options{})
	d.press("c", "v").sees("▸  3 ▶").press("r", "c")
	if d.app.ui.data.View() == data.Definition {
		t.Error("after r and c the text of the definition is still shown")
	}
}
