package data

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/part/prose"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// onePass is a machine whose only state puts {"new": true} at $.added.
const onePass = `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"new":true},"ResultPath":"$.added","End":true}}}`

// driver drives the pane as the keys of the screen do.
type driver struct {
	*tuitest.Screen
	t testing.TB
}

func session(_ testing.TB, definition, input string, outcomes runs.ByState) *debug.Session {
	return debug.New(runs.Machine(definition), debug.Options{Input: value.Must(input), Seed: 7, Source: outcomes.Source()})
}

func drive(t testing.TB, s *debug.Session, w, h int) *driver {
	d := &driver{tuitest.New(t, s, w, h), t}
	p := New(given(d.Screen), Options{Limit: 1000, Nested: func() []prose.Paragraph { return nil }, Reason: func() string { return "" }})
	d.Add(view.Data, p, p.Show)
	return d
}

func open(t testing.TB, definition, input string, outcomes runs.ByState, w, h int) *driver {
	return drive(t, session(t, definition, input, outcomes), w, h)
}

// press presses keys; i goes one stage on, and c to the end.
func (d *driver) press(names ...string) *driver {
	d.t.Helper()
	for _, name := range names {
		switch name {
		case "i":
			d.Step(debug.StepStage)
		case "c":
			d.Step(debug.Continue)
		default:
			d.Press(name)
		}
	}
	return d
}

// sees checks that the pane shows every text, or said it last.
func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if n := len(d.Messages); n == 0 || !strings.Contains(d.Messages[n-1], text) {
			d.Sees(text)
		}
	}
	return d
}

func (d *driver) until(key, text string) *driver {
	d.t.Helper()
	for range 200 {
		if strings.Contains(d.Frame(), text) {
			return d
		}
		d.press(key)
	}
	d.t.Fatalf("pressing %s never shows %q:\n%s", key, text, d.Frame())
	return d
}

func stagesUntil(d *driver, stage, state string) {
	d.t.Helper()
	for range 100 {
		if s := d.Selection(); s.Visit != nil && s.Visit.State.Name == state && s.StageName() == stage {
			return
		}
		d.press("i")
	}
	d.t.Fatalf("%s of %s never runs", stage, state)
}

func TestPathOfTheCursor(t *testing.T) {
	d := open(t, onePass, `{"list":[{"two words":"text"}],"n":1.50}`, nil, 100, 30)
	d.sees("$  object, 2 members, 40 B")
	d.press("down", "down", "down").sees(`$.list[0]['two words']  "text"  string, 6 B`)
	d.press("down", "down", "down").sees("$.n  1.50  number")
	d.press("up", " ").sees(`"list": [ … 1 item … ]`, "$.list  array, 1 item, 22 B")
	d.press("enter").sees(`"two words": "text"`)
}

func TestUnchangedLines(t *testing.T) {
	input := `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":{"x":1}}`
	d := open(t, onePass, input, nil, 100, 40).until("i", "[ResultPath]")
	d.sees("… 5 unchanged lines …", "▸+   \"added\": {").press("up", "up").sees("$  unchanged lines", "▸    … 5 unchanged lines …")
	d.press(" ").sees(`"a": 1,`, `"e": 5`).press("Z").sees("Everything is unfolded.", `"x": 1`)
	d.press("Z").sees("Everything is folded.", `+   "added": { … 1 member, 3 lines … }`).press("Z").sees("Folded as usual.", "… 5 unchanged lines …")
}

func TestLongString(t *testing.T) {
	long := strings.Repeat("word ", 200) + "the end"
	d := open(t, onePass, `{"s":"`+long+`","t":"one\ntwo"}`, nil, 80, 24).press("down")
	d.press("enter").sees("$.s", "string, 1007 B", "word word").press("end").sees("the end").press("esc", "down", "enter").sees("┃ one", "┃ two")
}

// TestChangedText: of a text whose change is beyond the row the change is on the screen, and Enter shows both texts whole.
func TestChangedText(t *testing.T) {
	same := strings.Repeat("word ", 200)
	changes := `{"StartAt":"A","States":{"A":{"Type":"Pass","QueryLanguage":"JSONata","Output":"{% {'s': $states.input.s & 'now', 'b': $replace($states.input.b, '1', '2')} %}","End":true}}}`
	d := open(t, changes, `{"s":"`+same+`","b":"{\"n\":1}"}`, nil, 100, 40).until("i", "[Output]")
	d.sees(`-   "s": "…`, `word "`, `word now"`, `"b": JSON {`, `+     "n": 2`)
	d.press("enter").sees("$.s", "before and after", "word now").press("esc")
	d.press("down", "down", "down").sees("$.b  in its JSON: 1  number")
}

func TestLimit(t *testing.T) {
	for size, want := range map[int]string{200_000: "… 195.3 KiB", 240_000: "! 91% of 256 KiB  234.4 KiB", 300_000: "! 114% of 256 KiB  293 KiB"} {
		s := debug.New(runs.Machine(onePass), debug.Options{
			Input: value.String(strings.Repeat("x", size-2)), Limits: engine.Limits{Payload: 256 << 10},
		})
		drive(t, s, 120, 30).press("i").until("i", "[input]").sees(want)
	}
}

// The expressions of a JSONata stage are unfolded: the value of each part, and the part that has none.
func TestJSONata(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"Price","States":{
		"Price":{"Type":"Pass","Output":{"net":"{% $sum($states.input.lines.(price * quantity)) %}"},"Next":"Route"},
		"Route":{"Type":"Choice","Choices":[{"Condition":"{% $states.input.net > 1000 %}","Next":"Charge"},{"Condition":"{% $states.input.net > 100 %}","Next":"Charge"}],"Default":"Charge"},
		"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","Output":{"id":"{% $states.result.payment.id %}"},"End":true}}}`
	s := session(t, definition, `{"lines":[{"price":60,"quantity":2},{"price":5.5,"quantity":1}]}`, runs.ByState{"Charge": {{Output: value.Must(`{"paid":true}`)}}})
	d := drive(t, s, 120, 34)
	d.press("i", "i", "i").sees("━ 2 Price ━", "[Output]", "Output/net", "→ 125.5", "price * quantity → 120", "the first of 2")
	d.press("i", "i", "i").sees("━ 2 Route ━", "[Choices]", "Choices[0]/Condition", "→ false", "Choices[1]/Condition", "→ true")
	d.press("c").sees("FAILED in Charge with States.QueryEvaluationError", "payment → nothing")
	if s.Status() != engine.Failed {
		t.Errorf("ended as %v", s.Status())
	}
}

// Where an expression failed in a loop, the item that failed is shown with its index.
func TestFailedItem(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"Price","States":{
		"Price":{"Type":"Pass","Output":"{% $states.input.lines.(price * 2) %}","End":true}}}`
	s := session(t, definition, `{"lines":[{"price":60},{"price":5.5},{"price":"six"},{"price":7}]}`, nil)
	drive(t, s, 120, 34).press("i", "i", "i").sees("(price * 2) →", `(at index 2: {"price":"six"})`, `price → "six"`)
}

// The explanation has the random numbers that the run drew.
func TestRandomNumbers(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Output":{"id":"{% $uuid() %}"},"Next":"R"},
		"R":{"Type":"Choice","Choices":[{"Condition":"{% $random() > 0.000001 %}","Next":"E"}],"Default":"E"},"E":{"Type":"Pass","End":true}}}`
	s := session(t, definition, `{}`, nil)
	d := drive(t, s, 120, 34).press("i", "i", "i")
	id := s.Log().Last().After.(*value.Object).Get("id").(value.String)
	d.sees(`Output/id {% $uuid() %} → "` + string(id) + `"`)
	d.press("i", "i", "i").sees("Choices[0]/Condition {% $random() > 0.000001 %} → true")
	d.press("c")
	for i := range s.Log().Len() {
		if s.Log().At(i).Stage == engine.StageChoices {
			d.StandAt(i)
		}
	}
	d.sees("$random() > 0.000001")
}

// A long evaluation is not repeated to explain it, and one without an end has the service's error.
func TestLongEvaluation(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Output":"{% $count([1..100000].($ + 1)) %}","Next":"B"},
		"B":{"Type":"Pass","Output":"{% ($f := function($n){ 1 + $f($n) }; $f(1)) %}","End":true}}}`
	d := open(t, definition, `{}`, nil, 120, 34).press("i", "i", "i")
	d.sees("This took ", " steps to evaluate; its parts are not shown.")
	d.press("i", "i", "i").sees("Stack overflow error", "ends the execution")
}

// lossy has a state for each effect of a ResultPath on a result, and on an Error Output.
const lossy = `{"StartAt":"Load","States":{
	"Load":{"Type":"Task","Resource":"r","ResultPath":"$","Next":"Plain"},
	"Plain":{"Type":"Task","Resource":"r","Next":"Put"},
	"Put":{"Type":"Task","Resource":"r","ResultPath":"$.put","Next":"Drop"},
	"Drop":{"Type":"Task","Resource":"r","ResultPath":null,"Next":"Keep"},
	"Keep":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["E"],"ResultPath":"$.error","Next":"Discard"}],"End":true},
	"Discard":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["E"],"ResultPath":null,"Next":"Lose"}],"End":true},
	"Lose":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["E"],"Next":"LoseToo"}],"End":true},
	"LoseToo":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["E"],"ResultPath":"$","Next":"End"}],"End":true},
	"End":{"Type":"Succeed"}}}`

func lossySession(t *testing.T, w, h int) *driver {
	t.Helper()
	result := func(text string) []engine.Outcome { return []engine.Outcome{{Output: value.Must(text)}} }
	e := []engine.Outcome{{Error: "E", Cause: "broken"}}
	s := session(t, lossy, `{"orderId":1,"customer":{"email":"a@b.c"},"quotes":[1]}`, runs.ByState{
		"Load": result(`{"quotes":[1,2],"order":{"id":1,"total":2}}`), "Plain": result(`{"order":{"id":1},"n":1}`),
		"Put": result(`3`), "Drop": result(`{"unused":true}`), "Keep": e, "Discard": e, "Lose": e, "LoseToo": e,
	})
	return drive(t, s, w, h)
}

// The explanation of a ResultPath is true: only one with its own place puts something into the raw input.
func TestResultPath(t *testing.T) {
	d := lossySession(t, 160, 44)
	const puts = "into the raw input"
	for _, test := range []struct {
		state string
		sees  []string
		not   []string
	}{
		{"Load", []string{"$ the result replaces the raw input", "- lost: orderId, customer", `"ResultPath": "$.result" keeps the raw input.`}, []string{puts}},
		{"Plain", []string{"$ (its default) the result replaces the raw input", "- lost: quotes, order.total"}, []string{puts}},
		{"Put", []string{"$.put puts the result into the raw input"}, []string{"lost:", "replaces"}},
		{"Drop", []string{"null discards the result: the raw input is passed on"}, []string{"lost:", puts}},
		{"Keep", []string{"the catcher's ResultPath $.error puts the Error Output into the raw input"}, []string{"lost:", "replaces"}},
		{"Discard", []string{"the catcher's ResultPath null discards the Error Output: the raw input is passed on"}, []string{"lost:", puts}},
		{"Lose", []string{"the catcher's ResultPath $ (its default) the Error Output replaces the raw input", "- lost: order, n, put, error",
			`"ResultPath": "$.error2" keeps the raw input.`, `-   "order": { … 1 member, 3 lines … }`, `-   "n": 1`}, []string{puts, "lines replaced"}},
	} {
		stagesUntil(d, "ResultPath", test.state)
		frame := d.Frame()
		squeezed := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
			if strings.ContainsRune("│┃", r) {
				return ' '
			}
			return r
		}, frame)), " ")
		for _, text := range test.sees {
			if !strings.Contains(squeezed, strings.Join(strings.Fields(text), " ")) {
				t.Errorf("%s does not say %q:\n%s", test.state, text, frame)
			}
		}
		for _, text := range test.not {
			if strings.Contains(squeezed, text) {
				t.Errorf("%s says %q:\n%s", test.state, text, frame)
			}
		}
	}
}

// The explanation where a catcher takes an error.
func TestCatcher(t *testing.T) {
	d := lossySession(t, 200, 50)
	for _, test := range []struct{ state, want string }{
		{"Keep", "The catcher's ResultPath is $.error: it puts the Error Output into the raw input."},
		{"Discard", "The catcher's ResultPath is null: it discards the Error Output, and the raw input is passed on."},
		{"Lose", "The catcher's ResultPath is $ (its default): the Error Output replaces the raw input."},
	} {
		for d.Selection().Event == nil || d.Selection().Event.Type != engine.ErrorCaught || d.Selection().Visit.State.Name != test.state {
			d.press("i")
		}
		d.sees(test.want)
		if lost := strings.Contains(d.Frame(), "- lost: order, n, put, error"); lost != (test.state == "Lose") {
			t.Errorf("%s: the lost members are named: %v\n%s", test.state, lost, d.Frame())
		}
	}
}

func TestCatcherInJSONata(t *testing.T) {
	s := session(t, `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["E"],"Output":{"why":"{% $states.errorOutput.Cause %}"},"Next":"B"}],"Output":"{% $states.result %}","End":true},
		"B":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["E"],"Next":"End"}],"End":true},
		"End":{"Type":"Succeed"}}}`, `{}`, runs.ByState{"A": {{Error: "E", Cause: "broken"}}, "B": {{Error: "E"}}})
	d := drive(t, s, 160, 44).until("i", "ErrorCaught").sees("the catcher's Output makes the state's output of it")
	d.press("i").sees("the catcher's Output  {\"why\":\"{% $states.errorOutput.Cause %}\"}")
	d.press("i", "i").until("i", "catcher 1 takes E and goes to End").sees("The catcher has no Output: the Error Output replaces the input.")
}
