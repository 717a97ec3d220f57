package dialog

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// screen is a screen around a dialog that records the dialog's calls.
type screen struct {
	t      *testing.T
	open   view.View
	keys   *keys.Map
	said   []string
	did    []string
	reason map[keys.Action]string
	spots  widget.Spots
	edited string // the text that the user's editor leaves
}

func around(t *testing.T) *screen {
	return &screen{t: t, keys: keys.Default(), reason: map[keys.Action]string{}}
}

// show opens a dialog, and forgets what was said and done before.
func (s *screen) show(d view.View) *screen {
	s.open, s.said, s.did = d, nil, nil
	return s
}

func (s *screen) Keys() *keys.Map                 { return s.keys }
func (s *screen) Say(_ canvas.Style, text string) { s.said = append(s.said, text) }
func (s *screen) Open(d view.View)                { s.open = d }
func (s *screen) Disabled(a keys.Action) string   { return s.reason[a] }
func (s *screen) Copy(text string)                { s.did = append(s.did, "copy "+text) }
func (s *screen) Do(a keys.Action, argument string) {
	s.did = append(s.did, strings.TrimSpace(s.keys.Binding(a).Names[0]+" "+argument))
}

func (s *screen) OpenFile(string, int, int) {}

func (s *screen) EditOutside(_ string, done func(text string, err error)) {
	if s.edited == "" {
		done("", errors.New("the editor failed"))
		return
	}
	done(s.edited, nil)
}

// frame paints the dialog on a screen of w by h cells.
func (s *screen) frame(w, h int) string {
	c := canvas.New(w, h, canvas.ASCII())
	s.spots.Reset()
	s.open.Draw(s.spots.Frame(c.Area(canvas.Rect{W: w, H: h}), true))
	return c.String()
}

func (s *screen) sees(texts ...string) *screen {
	s.t.Helper()
	frame := s.frame(100, 30)
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			s.t.Errorf("%q is not on the screen:\n%s", text, frame)
		}
	}
	return s
}

// press presses keys by their names; a name that the table does not know is text.
func (s *screen) press(names ...string) *screen {
	s.t.Helper()
	for _, name := range names {
		k := keys.Press{Name: name, Action: s.keys.Lookup(name)}
		if len([]rune(name)) == 1 {
			k.Text = name
		}
		if s.open == nil {
			s.t.Fatalf("the dialog is closed before %s", name)
		}
		s.open.Handle(k)
	}
	return s
}

func (s *screen) typed(text string) *screen { return s.press(strings.Split(text, "")...) }

func (s *screen) closed() {
	s.t.Helper()
	if s.open != nil {
		s.t.Errorf("the dialog is open:\n%s", s.frame(100, 30))
	}
}

// TestHelp: the keys of the situation come first, what cannot be done now comes last with its reason, and letters narrow the list.
func TestHelp(t *testing.T) {
	s := around(t)
	s.reason[keys.StepStage] = "the run is over"
	s.open = NewPalette(s, "Keys", []keys.Action{keys.Zoom, keys.StepStage})
	frame := s.frame(100, 120)
	at := func(text string) int {
		if !strings.Contains(frame, text) {
			t.Fatalf("no %q in:\n%s", text, frame)
		}
		return strings.Index(frame, text)
	}
	if list := []int{at("z            zoom the"), at("s, F11, S    step to the"), at(":step-over"), at("(the run is over)")}; !slices.IsSorted(list) {
		t.Errorf("the order is %v:\n%s", list, frame)
	}
	if narrow := s.frame(50, 20); !strings.Contains(narrow, "Keys") || !strings.Contains(narrow, "the focused pane") {
		t.Errorf("narrow:\n%s", narrow)
	}
	s.typed("stepover").sees(":step-over").press("enter").closed()
	if got := strings.Join(s.did, "; "); got != "step-over" {
		t.Errorf("enter does %q", got)
	}
}

func TestMessages(t *testing.T) {
	var list []Message
	s := around(t)
	s.show(NewMessages(s, func() []Message { return list })).sees("Nothing was said yet.")
	list = []Message{{canvas.Plain, "first"}, {canvas.Bad, "second"}}
	s.sees("first", "second").press("down", "esc").closed()
}

func TestPalette(t *testing.T) {
	s := around(t)
	s.reason[keys.StepState] = "the run is over"
	p := NewPalette(s, "All commands", nil)
	s.open = p
	s.typed("stepstate").sees("(the run is over)", "All commands")
	if p.First() != keys.StepState || !p.Writes() {
		t.Errorf("the first is %d", p.First())
	}
	s.press("down", "up", "pgdown", "pgup")
	s.frame(50, 12)
	s.press("enter").closed()
	if got := strings.Join(s.did, "; "); got != s.keys.Binding(keys.StepState).Names[0] {
		t.Errorf("enter does %q", got)
	}
	s.open = NewPalette(s, "All commands", nil)
	s.frame(100, 30)
	s.spots.Click(10, 5) // selects a row
	if s.open == nil || len(s.did) != 1 {
		t.Error("the first click does more than to select a row")
	}
	s.frame(100, 30)
	s.spots.Click(10, 5)
	s.closed()
	if len(s.did) != 2 {
		t.Error("a click at the selected row does nothing")
	}
	none := NewPalette(s, "All commands", nil)
	s.open = none
	s.typed("qqqzzz").sees("No command has these letters.")
	if none.First() != keys.None {
		t.Error("something fits")
	}
	s.press("enter", "esc").closed()
}

func TestPrompt(t *testing.T) {
	s := around(t)
	var taken []string
	history := view.Histories{}.Of("x")
	history.Restore([]string{"old", "older"})
	back := NewQuit(s, nil, nil)
	open := func() *Prompt {
		p := NewPrompt(s, "Find:", "fallback", func(text string) { taken = append(taken, text) })
		p.History, p.Back, p.About = history, back, "any text"
		p.Complete = func(text string) []view.Completion {
			var list []view.Completion
			for _, word := range []string{"alpha", "alpine", "beta", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"} {
				if strings.HasPrefix(word, text) {
					list = append(list, view.Completion{Text: word, Shown: word, About: "about " + word,
						Reason: map[bool]string{true: "not now"}[word == "beta"]})
				}
			}
			return list
		}
		s.show(p)
		return p
	}
	p := open()
	s.sees("Find:", "any text", "about alpha", "(not now)", "more")
	s.typed("al").press("tab").sees("alpha")
	if p.Text() != "alpha" {
		t.Errorf("tab gives %q", p.Text())
	}
	s.press("tab", "tab")
	if p.Text() != "al" {
		t.Errorf("behind the last one comes %q", p.Text())
	}
	s.press("shift+tab", "enter")
	p = open()
	s.press("up", "up")
	if p.Text() != "older" {
		t.Errorf("the second line back is %q", p.Text())
	}
	s.press("down", "down", "enter") // nothing typed: the fallback
	if s.open != back {
		t.Error("the dialog before is not shown again")
	}
	if got := strings.Join(taken, " "); got != "alpine fallback" {
		t.Errorf("taken: %s", got)
	}
	if got := strings.Join(history.Lines(), " "); got != "old older alpine fallback" {
		t.Errorf("the history is %s", got)
	}
	s.show(NewPrompt(s, ":", "", nil))
	s.press("a", "backspace", "tab").sees(":").press("backspace").closed()
}

func TestCheckedPrompt(t *testing.T) {
	s := around(t)
	var taken string
	p := &CheckedPrompt{
		Prompt: NewPrompt(s, "Stop at:", "", func(text string) { taken = text }), Title: "Breakpoints",
		Forms: func(string) []Form { return []Form{{Text: "STATE", Meaning: "a state"}, {Meaning: "and behind it:"}} },
		Check: func(text string) Judgement {
			if text == "bad" {
				return Refuse(errors.New("there is no state bad. " + strings.Repeat("Long words follow here. ", 20)))
			}
			return Judgement{Meaning: "stops at " + text}
		},
	}
	s.show(p).sees("Breakpoints", "STATE", "a state", "Type one of these")
	s.typed("bad").press("enter").sees("there is no state bad")
	if s.open == nil || taken != "" {
		t.Error("what is wrong is taken")
	}
	p.Set("A")
	s.sees("stops at A").press("enter").closed()
	if taken != "A" || !p.Writes() {
		t.Errorf("taken: %q", taken)
	}
	p.Suggest("B")
	s.open = p
	s.press("esc").closed()
}

func TestCopy(t *testing.T) {
	for _, c := range []struct{ keys, did string }{{"p", "copy path"}, {"down down enter", "copy document"},
		{"down up enter", "copy value"}, {"esc", ""}} {
		s := around(t)
		s.show(NewCopy(s, func(name string) string { return "size of " + name })).sees("the value at the cursor",
			"size of document")
		s.press(strings.Fields(c.keys)...).closed()
		if got := strings.Join(s.did, ";"); got != c.did {
			t.Errorf("%s does %q, want %q", c.keys, got, c.did)
		}
	}
	if len(CopyChoices()) != 3 {
		t.Error("the menu has other entries")
	}
}

func TestQuit(t *testing.T) {
	s, quit := around(t), false
	s.show(NewQuit(s, []string{"2 answers"}, func() { quit = true })).sees("Quit?", "2 answers").press("y")
	if !quit {
		t.Error("y does not quit")
	}
	s.show(NewQuit(s, []string{"2 answers"}, nil)).press("ctrl+s")
	if s.closed(); len(s.did) != 1 {
		t.Errorf("the key that saves does %v", s.did)
	}
	s.keys = keys.Default().Only([]keys.Action{keys.Quit})
	s.open = NewQuit(s, nil, nil)
	s.sees("quits without them").press("esc").closed()
}

func TestText(t *testing.T) {
	s := around(t)
	copied := false
	s.show(NewText(s, "$.a", strings.Repeat("line\n", 60)+strings.Repeat("long ", 60),
		func() { copied = true })).sees("$.a", "line")
	for _, key := range []string{"down", "pgdown", "pgup", "up", "end", "home"} {
		s.press(key)
	}
	s.press("end").sees("long long").press(keys.Default().Binding(keys.Copy).Keys[0]).closed()
	if !copied {
		t.Error("the text is not copied")
	}
	s.show(NewText(s, "$", "x", nil)).press("esc").closed()
	if !WorthViewing("a\nb", 80) || WorthViewing("a", 80) {
		t.Error("which strings are worth viewing")
	}
}

func TestMenuAndLeave(t *testing.T) {
	s := around(t)
	did := ""
	items := []Item{
		{Key: "a", Text: "answer", Reason: "no task waits", Do: func() { did += "a" }},
		{Key: "e", Text: "inject", Do: func() { did += "e" }},
	}
	s.show(&Menu{Screen: s, About: "Charge", List: items}).sees("Let Charge go otherwise", "(no task waits)").press("a")
	if len(s.said) != 1 || s.said[0] != "No task waits." {
		t.Errorf("said: %v", s.said)
	}
	s.press("down", "enter").closed()
	s.show(&Menu{Screen: s, List: items}).press("e").closed()
	s.show(&Menu{Screen: s, List: items}).press("esc").closed()
	leave := &Leave{Screen: s, Title: "child", Choices: items}
	s.show(leave).sees("Leave child?", "inject").press("e").closed()
	if did != "eee" {
		t.Errorf("did %q", did)
	}
}

func TestEdit(t *testing.T) {
	s := around(t)
	var taken value.Value
	same := false
	facts := EditFacts{Data: value.Must(`{"a":1}`), Limit: 20, Take: func(v value.Value, unchanged bool) error {
		if taken, same = v, unchanged; value.Equal(v, value.Must(`false`)) {
			return errors.New("not possible")
		}
		return nil
	}}
	d := NewEdit(s, facts)
	s.show(d).sees("Edit the data", "ctrl+s applies it").press("ctrl+s")
	if !same || d.Changed() || !d.Writes() {
		t.Error("unchanged data are taken as changed")
	}
	d.SetText("{")
	s.press("ctrl+s").sees("line 1")
	d.SetText("false")
	s.press("ctrl+s").sees("not possible")
	d.SetText(`"` + strings.Repeat("x", 30) + `"`)
	s.press("end").sees("more than the 20 B")
	s.press("ctrl+x")
	s.edited = "[1]\n"
	s.press("ctrl+x", "enter", "tab", "pgup", "pgdown", "ctrl+s")
	if !value.Equal(taken, value.Must(`[1]`)) || !strings.Contains(d.Text(), "[1]") {
		t.Errorf("taken: %v", taken)
	}
	s.press("esc").closed()
	if len(s.said) != 2 { // the editor's error, and that nothing was changed
		t.Errorf("said: %v", s.said)
	}
	s.open = d
	s.frame(60, 12)
}

func question(t *testing.T, facts Facts) (*screen, *Question) {
	s := around(t)
	state := &asl.State{Name: "Charge", Type: asl.Task, Scope: &asl.Scope{}}
	facts.Request = &engine.TaskRequest{ID: 1, Visit: &engine.Visit{State: state, Number: 1},
		Resource: "arn:aws:lambda:eu-central-1:1:function:f", Parameters: value.Must(`{"a":[1,2,3]}`), Attempt: 1,
		Invocation: 1}
	q := NewQuestion(s, facts)
	return s.show(q), q
}

func TestQuestion(t *testing.T) {
	var given engine.Outcome
	again := 0
	facts := Facts{
		Why: "exec was cancelled", Way: "outer > Task > inner",
		Take: func(o engine.Outcome) error {
			if given = o; o.Error == "No.Such" {
				return errors.New("refused")
			}
			return nil
		},
		CallAgain: func() error {
			if again++; again > 1 {
				return errors.New("still no call")
			}
			return nil
		},
	}
	s, q := question(t, facts)
	s.sees("What does Charge return?", "exec was cancelled", "in outer > Task > inner", "payload", "result as JSON")
	s.press(CallAgainKey, CallAgainKey).sees("still no call")
	s.press("ctrl+r", "ctrl+r")
	s.typed("{").press("enter").sees("line 1")
	s.edited = `{"ok":true}`
	s.press("ctrl+x").sees("object, 11 B").press("pgdown", "pgup", "enter")
	if text, suggestion := q.Result(); given.Output == nil || suggestion || !strings.Contains(text, "ok") ||
		len(q.Typed()) != 1 {
		t.Errorf("given: %+v", given)
	}
	s.press("tab").sees("such as").press("enter").sees("an error needs a name").press("down", "up")
	if name, focused := q.Name(); name == "" || !focused {
		t.Error("no error is suggested")
	}
	s.typed("No.Such").press("tab").typed("why").press("enter").sees("refused")
	if given.Error != "No.Such" || given.Cause != "why" || len(q.Typed()) != 2 || !q.Writes() {
		t.Errorf("given: %+v", given)
	}
	s.press("shift+tab", "ctrl+u").typed("null").press("tab", "ctrl+u").typed("null").press("enter")
	if given.Output != nil || given.Error != "" || given.Cause != "" {
		t.Errorf("null in both fields gives %+v", given)
	}
	for range 3 { // each field alone
		if frame := s.press("shift+tab").frame(60, 10); !strings.Contains(frame, "enter answers") {
			t.Errorf("compact:\n%s", frame)
		}
	}
	s.press("esc").closed()
	s, q = question(t, Facts{Last: &engine.Outcome{Output: value.Must(`{"ok":1}`)},
		Prepared: &engine.Outcome{Output: value.Must(`{"ok":2}`)}, Grown: value.Must(`{"ok":3}`)})
	c := canvas.New(70, 14, canvas.Unicode())
	inside := func() string {
		c.Clear()
		q.DrawInside(new(widget.Spots).Frame(c.Area(canvas.Rect{W: 70, H: 14}), true))
		return c.String()
	}
	for _, want := range []string{"from the last answer: enter takes it", "from the fixtures: enter takes it",
		"made up from the paths read: enter takes it", "the payload, as an echo: enter takes it"} {
		if got := inside(); !strings.Contains(got, want) || !strings.Contains(got, "What does Charge return?") ||
			strings.Contains(got, "error name") {
			t.Errorf("%s:\n%s", want, got)
		}
		if got := s.frame(80, 24); strings.Contains(got, "What does") {
			t.Errorf("the question is asked twice:\n%s", got)
		}
		s.press("ctrl+r")
	}
	inside()
	if got := strings.Split(strings.TrimSpace(s.frame(80, 24)), "\n"); !strings.Contains(got[len(got)-1],
		"enter answers  tab error") || !strings.HasSuffix(got[len(got)-1], "esc look") {
		t.Errorf("the last line has no keys: %q", got[len(got)-1])
	}
	c.Clear()
	q.DrawInside(new(widget.Spots).Frame(c.Area(canvas.Rect{W: 50, H: 14}), true))
	if got := c.String(); !strings.Contains(got, "result as JSON ") || strings.Contains(got, "JSONt") {
		t.Errorf("the origin of the suggestion is over the label:\n%s", got)
	}
	q.inside = false
	if s.press("tab"); !strings.Contains(inside(), "error name") {
		t.Errorf("an error in place of the result:\n%s", inside())
	}
	q.inside = false
	q.inside = false
	s, _ = question(t, Facts{Grown: value.ObjectOf()})
	s.sees("| {}", "object, 2 B   a suggestion")
	s, _ = question(t, Facts{})
	s.press(CallAgainKey).sees("No call was cancelled here.")
}

// A changed text is shown whole with the one before it, from the first change on; of texts of several lines those that
// differ.
func TestTextChange(t *testing.T) {
	s := around(t)
	same := strings.Repeat("the same words ", 200)
	s.show(NewTextChange(s, "$.a", same+"one end", same+"other end", nil))
	s.sees("$.a", "one end", "before and after")
	s.press("end").sees("other end").press("home").sees("- the same words")
	lines := "first\nsecond\nthird\n"
	s.show(NewTextChange(s, "$.a", lines, strings.Replace(lines, "second", "2nd", 1), nil)).sees("  first", "- second",
		"+ 2nd", "  third")
	s.show(NewTextChange(s, "$.a", "x", "x\n", nil)).sees("- x", "+ x", "+ (a line feed at the end)")
}

// A fix is shown as a diff before it is written; enter writes it, s tries it in the session, n shows the next one.
func TestFixDialog(t *testing.T) {
	s := around(t)
	did := ""
	note := func(what string) func() { return func() { did += what } }
	d := &Fix{
		Screen: s,
		Title:  "a.asl.json",
		Words:  "read $.b",
		Tried:  "B passes",
		Diff:   "@@ -1 +1 @@\n-\t$.a\n+\t$.b\n",
		Write:  note("write "), Session: note("session "), Next: note("next ")}
	s.show(d).sees("a.asl.json", "read $.b", "tried: B passes", "-    $.a", "+    $.b", "n next fix")
	s.press("n", "enter").closed()
	s.open = d
	s.press("s").closed()
	s.open = d
	if s.press("esc").closed(); did != "next write session " {
		t.Errorf("done: %q", did)
	}
	d.Next = nil
	s.show(d).sees("enter writes it and runs again").press("n").closed()
}
