package screen

import (
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
)

// A question about a task that was answered, or for which nothing was called, has nothing to call again.
func TestNothingIsCalledAgain(t *testing.T) {
	s := session(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true}}}`, `{}`, nil)
	d := drive(t, s, 100, 30, Options{}).press("c").sees("What does A return?").press("ctrl+t").sees("No call was cancelled here.")
	if strings.Contains(d.frame(), "calls again") {
		t.Error(d.frame())
	}
}

// Where a result is to come from outside and may not, the question says so.
func TestTheQuestionSaysWhatIsNotAllowed(t *testing.T) {
	definition := machine(t, "test.asl.json", []byte(`{"StartAt":"Charge","States":{"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","End":true}}}`))
	file, err := fixtures.Load("charge.yaml", []byte("version: 1\ntasks:\n  Charge:\n    - {exec: charge.sh}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{120, 34}, {80, 24}, {60, 15}} {
		source, err := file.Source(definition.Definition())
		if err != nil {
			t.Fatal(err)
		}
		calls := live.NewCalls()
		t.Cleanup(calls.Close)
		source.AllowLive(calls, fixtures.Permission{})
		s := debug.New(definition, debug.Options{Input: value.Must(`{}`), Start: startTime, Source: fixtures.OnMissing(source, fixtures.Ask)})
		d := drive(t, s, size[0], size[1], Options{Calls: calls}).press("c").sees("What does Charge return?", "charge.yaml:4:14")
		if size[0] > 60 {
			d.sees("exec charge.sh", "--allow-live")
		}
	}
}

// The question says which list of the fixtures is used up.
func TestTheQuestionSaysWhatIsUsedUp(t *testing.T) {
	file, err := fixtures.Load("once.yaml", []byte("version: 1\ntasks:\n  Charge:\n    - {when: {}, error: Busy, repeat: 1}\n    - {output: {}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t, "once.asl.json", []byte(`{"StartAt":"Charge","States":{"Charge":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true,
		"Retry":[{"ErrorEquals":["Busy"]}]}}}`))
	source, err := file.Source(m.Definition())
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(m, debug.Options{Input: value.ObjectOf(), Start: startTime, Seed: 7, Source: fixtures.OnMissing(source, fixtures.Ask)})
	d := drive(t, s, 120, 40, Options{Title: "once.asl.json"})
	d.press("c").sees("What does Charge return?", "once.yaml:4:7", "is used up", `"repeat: forever"`)
}
