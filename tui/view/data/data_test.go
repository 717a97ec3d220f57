package data

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/part/prose"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// put has a state whose ResultPath puts something into the data, one that loses data, and a Choice.
const put = `{"StartAt":"Put","States":{
	"Put":{"Type":"Pass","Result":{"new":true},"ResultPath":"$.added","Next":"Replace"},
	"Replace":{"Type":"Pass","Result":{"a":[1,2,{"b":"needle"}]},"ResultPath":"$","Next":"Route"},
	"Route":{"Type":"Choice","Choices":[{"Variable":"$.a[0]","NumericEquals":1,"Next":"Done"}]},
	"Done":{"Type":"Succeed"}}}`

// input has enough members for unchanged ones to be folded, and a string that is longer than its row.
var input = `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":{"x":1},"text":"` + strings.Repeat("word ", 60) + `"}`

func newScreen(t testing.TB, definition, input string, w, h int) (*tuitest.Screen, *Pane) {
	s := debug.New(runs.Machine(definition), debug.Options{
		Input: value.Must(input), Start: time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC), Limits: engine.Limits{Payload: 256 << 10},
	})
	screen := tuitest.New(t, s, w, h)
	p := New(given(screen), Options{
		About: []string{"The run is for this test."}, Limit: 1000,
		Nested: func() []prose.Paragraph { return nil }, Reason: func() string { return "" },
	})
	screen.Add(view.Data, p, p.Show)
	return screen, p
}

// until steps until an event of a stage is selected.
func until(t testing.TB, s *tuitest.Screen, state string, stage engine.Stage) {
	t.Helper()
	for range 100 {
		if e := s.Selection().Event; e != nil && e.Stage == stage && e.Visit.State.Name == state {
			return
		}
		s.Step(debug.StepStage)
	}
	t.Fatalf("the run does not come to %s %v", state, stage)
}

func TestGreeting(t *testing.T) {
	s, _ := newScreen(t, put, input, 100, 40)
	s.Sees("Nothing has run yet.", "The run is for this test.", "The clock starts at 2026-01-01T09:00:00Z; the seed is 0.", "The input (e edits it):", `"a": 1`)
	s.Press("right")
	s.Said("This event belongs to no state")
	s.Press("d")
	s.Said("Of a stage the data will be shown as: side")
}

func TestViews(t *testing.T) {
	s, p := newScreen(t, put, input, 120, 34)
	until(t, s, "Put", engine.StageResultPath)
	s.Sees(`+   "added": {`, "$.added", "[ResultPath]")
	if p.Path() != "$.added" {
		t.Errorf("the cursor is at %s", p.Path())
	}
	s.Press("d")
	s.Sees("[side]", `│ +   "added": {`)
	s.Press("d")
	s.Said("There is no $.added before this: the cursor is at $")
	s.Sees("[before]")
	s.Press("d")
	s.Sees("[after]")
	if p.View() != After || p.Path() != "$.added" {
		t.Errorf("in the view %v the cursor is at %s", p.View(), p.Path())
	}
	p.chooseView("huge")
	s.Said("A view is diff, side, before, after, wanted or definition; found huge")
	p.chooseView("side")
	s.Resize(50, 20)
	s.Sees("[side]", `+   "added": {`)
	p.chooseView("side")
	s.Said("Side by side needs 52 cells, and this pane has 48")
}

func TestLostMembersAndChoice(t *testing.T) {
	s, _ := newScreen(t, put, input, 120, 40)
	until(t, s, "Replace", engine.StageResultPath)
	s.Sees("lost: b, c, d", `-   "b": 2`)
	until(t, s, "Route", engine.StageChoices)
	s.Sees("NumericEquals", "[Choices]")
	for range 10 {
		s.Step(debug.StepStage)
	}
	s.Sees("events, 0s of virtual time; r starts again")
}

func TestFolding(t *testing.T) {
	s, p := newScreen(t, put, input, 100, 40)
	until(t, s, "Put", engine.StageResultPath)
	s.Sees("unchanged lines")
	for _, want := range []string{"Everything is unfolded.", "Everything is folded.", "Folded as usual."} {
		s.Press("Z")
		s.Said(want)
	}
	p.chooseView("before")
	s.Press("home", " ")
	s.Sees("{ … 7 members … }")
	s.Press("enter")
	s.Sees(`"a": 1`)
}

func TestFind(t *testing.T) {
	s, p := newScreen(t, put, input, 100, 40)
	until(t, s, "Replace", engine.StageOutput)
	if wrapped, ok := p.Find("NEEDLE", 1); !ok || wrapped || p.Path() != "$.a[2].b" {
		t.Errorf("found %v beyond the end %v at %s", ok, wrapped, p.Path())
	}
	if wrapped, ok := p.Find("needle", 1); !ok || !wrapped {
		t.Errorf("the second time found %v beyond the end %v", ok, wrapped)
	}
	if _, ok := p.Find("absent", 1); ok {
		t.Error("found what is not there")
	}
	p.ClearSearch()
	s.Sees("needle", "$.a[2].b")
}

func TestCopyAndText(t *testing.T) {
	s, p := newScreen(t, put, input, 80, 30)
	until(t, s, "Put", engine.StageInput)
	p.chooseView("after")
	p.Find("word word", 1)
	s.Press("enter")
	s.Sees("$.text", "word word")
	s.Press("esc", "y")
	s.Sees("Copy", "the value at the cursor")
	s.Press("v")
	if want := strings.Repeat("word ", 60); s.Copied != want {
		t.Errorf("copied %q", s.Copied)
	}
	s.Said("Copied the value at the cursor, 300 B")
	if p.copyData("path"); s.Copied != "$.text" {
		t.Errorf("copied %q", s.Copied)
	}
	if p.copyData("document"); !strings.HasPrefix(s.Copied, "{\n") {
		t.Errorf("copied %q", s.Copied)
	}
	p.copyData("all")
	s.Said("What is copied is value, path or document; found all")
}

func TestStages(t *testing.T) {
	s, _ := newScreen(t, put, input, 120, 34)
	until(t, s, "Put", engine.StageResultPath)
	s.Press("left", "left", "left", "left")
	s.Said("This is the first stage of the state.")
	s.Sees("[input]")
	s.Press("right", "right", "right", "right")
	s.Said("No later stage of the state has run.")
	for y := range 30 { // the stages are below each other
		s.Frame()
		s.ClickAt(4, y)
	}
	s.Said("has not run yet.")
}

// TestCursorStaysVisible presses keys at random: the cursor is always on a row, that row is on the screen, and folding
// leaves the cursor at its node or at one around it.
func TestCursorStaysVisible(t *testing.T) {
	names := []string{"up", "down", "pgup", "pgdown", "home", "end", " ", "Z", "d", "left", "right", "enter", "esc", "step", "click"}
	rapid.Check(t, func(rt *rapid.T) {
		s, p := newScreen(t, put, input, rapid.IntRange(40, 130).Draw(rt, "w"), rapid.IntRange(8, 40).Draw(rt, "h"))
		for range rapid.IntRange(1, 25).Draw(rt, "presses") {
			name := rapid.SampledFrom(names).Draw(rt, "key")
			before := p.Path()
			switch name {
			case "step":
				s.Step(debug.StepStage)
			case "click":
				s.ClickAt(3, rapid.IntRange(1, 40).Draw(rt, "y"))
			default:
				s.Press(name)
			}
			if s.Dialog() != nil {
				s.Press("esc")
			}
			s.Frame()
			if p.doc.Tree.Len() == 0 {
				continue
			}
			if p.doc.Cursor < 0 || p.doc.Cursor >= p.doc.Tree.Len() || (!p.inNotes && (p.doc.Cursor < p.doc.Top() || p.doc.Cursor >= p.doc.Top()+p.doc.Height())) {
				rt.Fatalf("after %s the cursor is at %d of %d, the screen shows %d rows from %d", name, p.doc.Cursor, p.doc.Tree.Len(), p.doc.Height(), p.doc.Top())
			}
			if after := p.Path(); name == " " && !p.inNotes && !strings.HasPrefix(before, after) && !strings.HasPrefix(after, before) {
				rt.Fatalf("folding went from %s to %s", before, after)
			}
		}
	})
}

// TestLinks: the state in which an error began and the place in the definition lead there, by a click and by Enter.
func TestLinks(t *testing.T) {
	const definition = `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"Deep","States":{
		"Deep":{"Type":"Fail","Error":"E"}}}]}}}`
	s, p := newScreen(t, definition, `{"a":1}`, 100, 40)
	s.Step(debug.Continue)
	for i := range s.Log().Len() {
		if s.Log().At(i).Type == engine.ParallelFailed {
			s.Inspect(i)
		}
	}
	s.Sees("began in Both/Branches[0]/Deep")
	var link prose.Link
	for _, l := range p.notes.Links() {
		if l.Target.Event > 0 {
			link = l
		}
	}
	last := s.Selection().Index
	s.ClickAt(1+link.X, 1+p.above+link.Y) // the explanation of an error comes first
	if e := s.Selection().Event; e.Type != engine.StateEntered || e.Visit.State.Name != "Deep" {
		t.Errorf("the link leads to event %d, %v", e.Seq, e.Type)
	}
	s.Inspect(last)
	s.Frame()
	for range 20 {
		s.Press("up")
	}
	for range 20 {
		if p.notes.Target().Event > 0 {
			break
		}
		s.Press("down")
	}
	if s.Press("enter"); s.Selection().Event.Visit == nil || s.Selection().Event.Visit.State.Name != "Deep" {
		t.Errorf("Enter leads to event %d", s.Selection().Event.Seq)
	}
}

// TestExchange: request and response of a task are two documents: d goes from one to the other, and neither has the signs of a
// difference.
func TestExchange(t *testing.T) {
	d := open(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","Parameters":{"ask":1},"End":true}}}`, `{}`,
		runs.ByState{"T": {{Output: value.Must(`{"answer":2}`)}}}, 100, 30)
	d.until("i", "begun with { ask }").sees(`"ask": 1`)
	d.until("i", "[response]").sees(" request ", `▸  {`, `"answer": 2`)
	d.press("d").sees("[request]", " response ", `"ask": 1`)
	d.press("d", "d").sees("[response]", `"answer": 2`) // between them is the definition
	for _, text := range []string{`+   "answer"`, "[diff]"} {
		if strings.Contains(d.Frame(), text) {
			t.Errorf("the response is shown with %q:\n%s", text, d.Frame())
		}
	}
	d.until("i", "[ResultPath]")
	if strings.Contains(d.Frame(), "request ") {
		t.Errorf("a stage has the views of an exchange:\n%s", d.Frame())
	}
}

// given are the parts of a screen that the pane uses.
func given(s *tuitest.Screen) Screen {
	return Screen{Shell: s, RunState: s, Selected: s, Control: s, Panes: s}
}

// Before the run the pane says which tasks will ask.
func TestGreetingOfTasks(t *testing.T) {
	const two = `{"StartAt": "Quote", "States": {
  "Quote": {"Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:quote", "Next": "Bill"},
  "Bill": {"Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:bill", "Comment": "the second", "End": true}}}`
	s, p := newScreen(t, two, `{}`, 100, 40)
	answered := ""
	p.options.Answers = func(state *asl.State) bool { return state.Name == answered }
	p.Show()
	s.Sees("2 tasks will ask you for their results: Quote, Bill")
	answered = "Bill"
	p.Show()
	s.Sees("1 of 2 tasks will ask you for their results: Quote")
	p.options.Answers = func(*asl.State) bool { return true }
	p.Show()
	s.Sees("2 tasks have results")
}
