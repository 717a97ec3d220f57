package data

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/tui/keys"
)

// lines has a definition of several lines, so that each has one field.
var lines = `{
  "StartAt": "Route",
  "States": {
    "Route": {
      "Type": "Choice",
      "Choices": [
        {"Variable": "$.total", "NumericGreaterThan": 5, "Next": "Make"}
      ]
    },
    "Make": {
      "Type": "Pass",
      "Parameters": {
        "amount.$": "$.total",
        "text.$": "States.Format('{} EUR', $.total)"
      },
      "ResultPath": "$.payment",
      "End": true
    }
  }
}`

// TestDefinition: the text follows the stage, with the values behind the expressions.
func TestDefinition(t *testing.T) {
	s, p := newScreen(t, lines, `{"total":7}`, 100, 36)
	until(t, s, "Make", engine.StageParameters)
	p.chooseView("definition")
	s.Sees("[definition]", `▸  12 ▶       "Parameters": {`, `"amount.$": "$.total",`, "→ 7", `→ "7 EUR"`, "line 12 of 20", "test.asl.json")
	s.Step(debug.StepStage)
	s.Sees(`12 ✓       "Parameters": {`, `▸  16 ▶       "ResultPath": "$.payment",`, `→ {"amount":7,"text":"7 EUR"}`, "ResultPath  object, 2 members")
	until(t, s, "Make", engine.StageResultPath)
	s.Press("home", "down")
	s.Sees("▸   2")
	s.Press("d")
	s.Sees("✓ Parameters", "[ResultPath]", `+   "payment"`)
}

// TestDefinitionOfAChoice: the rule that holds is marked.
func TestDefinitionOfAChoice(t *testing.T) {
	s, p := newScreen(t, lines, `{"total":7}`, 130, 36)
	until(t, s, "Route", engine.StageChoices)
	p.Text().Open(nil)
	s.Sees("→ 7  ✓  ✓ goes here")
}

// TestBreakpointOnALine sets and removes breakpoints on lines.
func TestBreakpointOnALine(t *testing.T) {
	s, p := newScreen(t, lines, `{"total":7}`, 100, 36)
	p.Text().Open(nil)
	points := s.Session().Breakpoints()
	for _, test := range []struct {
		down int
		want string
	}{{0, ""}, {9, "Make"}, {3, "Make Make:Parameters"}, {0, "Make"}, {1, "Make Make:Parameters"}} {
		for range test.down {
			s.Press("down")
		}
		p.Text().toggleLine()
		var specs []string
		for _, b := range points.All() {
			specs = append(specs, b.String())
		}
		if got := strings.Join(specs, " "); got != test.want {
			t.Errorf("on line %d: the breakpoints are %q, want %q", p.Text().Cursor()+1, got, test.want)
		}
	}
	s.Sees(" ● 10", " ● 12")
	s.Press("home")
	p.Text().toggleLine()
	s.Said("There is no state on this line to stop at.")
}

// TestJump: from a transition to the state, from a value to its origin.
func TestJump(t *testing.T) {
	s, p := newScreen(t, lines, `{"total":7}`, 100, 36)
	until(t, s, "Make", engine.StageResultPath)
	p.Text().Open(nil)
	s.Press("up", "up", "up")
	if event, path, ok := p.Text().Reading(); !ok || path != "$.amount" || s.Log().At(event).Stage != engine.StageParameters {
		t.Errorf("the value on line %d is %s of event %d", p.Text().Cursor()+1, path, event+1)
	}
	if p.Path() != "$.payment" {
		t.Errorf("the path in the selected event is %s", p.Path())
	}
	s.Press("up", "up", "up")
	p.Text().jump()
	s.Said("No value and no transition on this line")
	s.Press("up", "up", "up")
	if p.Text().Cursor() != 6 {
		t.Fatalf("the cursor is on line %d", p.Text().Cursor()+1)
	}
	if p.Text().jump(); p.Text().Cursor() != 9 {
		t.Errorf("Next leads to line %d", p.Text().Cursor()+1)
	}
	if b := TextBindings(p).Find(keys.ToggleBreak); b == nil {
		t.Error("b has no binding in the text")
	}
}

// TestDefinitionNeedsCells: a small pane leaves the definition out of its views.
func TestDefinitionNeedsCells(t *testing.T) {
	s, p := newScreen(t, lines, `{"total":7}`, 48, 30)
	until(t, s, "Make", engine.StageParameters)
	for range 5 {
		if p.chooseView(""); p.View() == Definition {
			t.Error("the definition is among the views")
		}
	}
	if strings.Contains(s.Frame(), "def") && !strings.Contains(s.Frame(), "default") {
		t.Errorf("the definition is named:\n%s", s.Frame())
	}
}

// TestDefinitionAtTheEnd: the values stay when the run is over, the values of the selected state.
func TestDefinitionAtTheEnd(t *testing.T) {
	s, p := newScreen(t, lines, `{"total":7}`, 100, 36)
	p.chooseView("definition")
	s.Step(debug.Continue)
	if s.Log().Last().Visit != nil {
		t.Fatal("the last event is one of a state")
	}
	p.Text().Open(s.Session().Machine().Definition().Top.State("Make"))
	s.Sees(`"amount.$": "$.total",`, "→ 7", `→ "7 EUR"`)
}
