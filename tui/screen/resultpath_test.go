package screen

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
)

// lossy has a state for each thing that a ResultPath can do with a result, and with an Error Output.
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
	s := session(t, lossy, `{"orderId":1,"customer":{"email":"a@b.c"},"quotes":[1]}`, script{
		"Load": result(`{"quotes":[1,2],"order":{"id":1,"total":2}}`), "Plain": result(`{"order":{"id":1},"n":1}`),
		"Put": result(`3`), "Drop": result(`{"unused":true}`), "Keep": e, "Discard": e, "Lose": e, "LoseToo": e,
	})
	return drive(t, s, w, h, Options{Title: "lossy"})
}

// What is said of a ResultPath is what it does: only one with a place of its own puts something into the raw input.
func TestWhatAResultPathDoes(t *testing.T) {
	d := lossySession(t, 160, 44)
	const puts = "into the raw input"
	for _, test := range []struct {
		state string
		sees  []string
		not   []string
	}{
		{"Load", []string{"ResultPath $ the result replaces the raw input", "- lost: orderId, customer", `"ResultPath": "$.result" keeps the raw input.`}, []string{puts}},
		{"Plain", []string{"ResultPath $ (its default) the result replaces the raw input", "- lost: quotes, order.total"}, []string{puts}},
		{"Put", []string{"ResultPath $.put puts the result into the raw input"}, []string{"lost:", "replaces"}},
		{"Drop", []string{"ResultPath null discards the result: the raw input goes on"}, []string{"lost:", puts}},
		{"Keep", []string{"the catcher's ResultPath $.error puts the Error Output into the raw input"}, []string{"lost:", "replaces"}},
		{"Discard", []string{"the catcher's ResultPath null discards the Error Output: the raw input goes on"}, []string{"lost:", puts}},
		{"Lose", []string{"the catcher's ResultPath $ (its default) the Error Output replaces the raw input", "- lost: order, n, put, error",
			`"ResultPath": "$.error2" keeps the raw input.`, `-   "order": { … 1 member, 3 lines … }`, `-   "n": 1`}, []string{puts, "lines replaced"}},
	} {
		stagesUntil(d, "ResultPath", test.state)
		frame := d.app.Text()
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
	d.press("U").typed("Load:Res").sees("the result replaces the raw input")
}

// What is said where a catcher takes an error.
func TestWhatACatcherDoes(t *testing.T) {
	d := lossySession(t, 200, 50)
	for _, test := range []struct{ state, want string }{
		{"Keep", "The catcher's ResultPath is $.error: it puts the Error Output into the raw input."},
		{"Discard", "The catcher's ResultPath is null: it discards the Error Output, and the raw input goes on."},
		{"Lose", "The catcher's ResultPath is $ (its default): the Error Output replaces the raw input."},
	} {
		for d.app.ui.selection.Event == nil || d.app.ui.selection.Event.Type != engine.ErrorCaught || d.app.ui.selection.Visit.State.Name != test.state {
			d.press("i")
		}
		d.sees(test.want)
		if lost := strings.Contains(d.frame(), "- lost: order, n, put, error"); lost != (test.state == "Lose") {
			t.Errorf("%s: what is lost is named: %v\n%s", test.state, lost, d.frame())
		}
	}
}

func TestWhatACatcherInJSONataDoes(t *testing.T) {
	s := session(t, `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["E"],"Output":{"why":"{% $states.errorOutput.Cause %}"},"Next":"B"}],"Output":"{% $states.result %}","End":true},
		"B":{"Type":"Task","Resource":"r","Catch":[{"ErrorEquals":["E"],"Next":"End"}],"End":true},
		"End":{"Type":"Succeed"}}}`, `{}`, script{"A": {{Error: "E", Cause: "broken"}}, "B": {{Error: "E"}}})
	d := drive(t, s, 160, 44, Options{}).until("i", "ErrorCaught").sees("the catcher's Output makes of it what goes on")
	d.press("i").sees("the catcher's Output  {\"why\":\"{% $states.errorOutput.Cause %}\"}")
	d.press("i", "i").until("i", "catcher 1 takes E and goes to End").sees("The catcher has no Output: the Error Output goes on in place of the input.")
}
