package view_test

import (
	"slices"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/testkit/runs"
	"asldb/tui/view"
)

// TestMarksOf has the field that the definition's text marks at each kind of event.
func TestMarksOf(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Parameters":{"a.$":"$.n"},
			"Retry":[{"ErrorEquals":["Busy"]}],"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"P"}],"Next":"P"},
		"P":{"Type":"Pass","InputPath":"$.none","End":true}}}`)
	log := runs.Run(machine, `{"n":1}`, runs.InTurn(engine.Outcome{Error: "Busy"}, engine.Outcome{Error: "E"}))
	var events []engine.Event
	for e := range log.All() {
		events = append(events, *e)
	}
	session := debug.ReplayLog(machine, debug.Options{}, debug.Recording{Events: events})
	for !session.AtEnd() || session.Position() < len(events) {
		if _, err := session.Do(debug.Command{Kind: debug.Continue}); err != nil {
			t.Fatal(err)
		}
	}
	fields := map[string]string{}
	for i := range log.Len() {
		selection := view.Select(session.Log(), i, nil)
		marks := selection.MarksOf(session, nil)
		if e := log.At(i); e.Visit == nil {
			if marks.State != nil {
				t.Errorf("event %d belongs to no state, and %s is marked", i+1, marks.State.Name)
			}
		} else {
			fields[e.Visit.State.Name+" "+e.Type.String()] = marks.Field
		}
	}
	for event, want := range map[string]string{"T RetryScheduled": "Retry/0", "T ErrorCaught": "Catch/0", "P StageFailed": "InputPath"} {
		if fields[event] != want {
			t.Errorf("at %s the field is %q, want %q", event, fields[event], want)
		}
	}
	state := machine.Definition().Top.State("P")
	end := view.Select(session.Log(), log.Len()-1, nil)
	if marks := end.MarksOfState(session, state, nil); marks.State != state || marks.Now != -1 {
		t.Errorf("%+v", marks)
	}
	marks := end.MarksOfState(session, machine.Definition().Top.State("T"), nil)
	if marks.Stages == nil || len(marks.Values) == 0 || marks.Values[0].Place.Pointer != "/States/T/Parameters/a.$" {
		t.Errorf("at the end the values of T are %+v", marks.Values)
	}
}

// TestSmallParts has functions without an argument, and restored histories.
func TestSmallParts(t *testing.T) {
	ran := false
	view.Run(func() { ran = true })("an argument")
	if !ran {
		t.Error("the function has not run")
	}
	lines := make([]string, 150)
	for i := range lines {
		lines[i] = string(rune('a' + i))
	}
	var h view.History
	h.Restore(lines)
	if got := h.Lines(); !slices.Equal(got, lines[50:]) {
		t.Errorf("%d lines, the first %q", len(got), got[0])
	}
}
