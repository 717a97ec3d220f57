package history_test

import (
	"testing"

	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// A payload is parsed once, and one that two events repeat is one value.
func TestPayloadsAreParsedOnce(t *testing.T) {
	x := read(t, page(
		`{"timestamp":1,"type":"ExecutionStarted","id":1,"executionStartedEventDetails":{"input":"{\"a\": 1}"}}`,
		`{"timestamp":2,"type":"PassStateEntered","id":2,"stateEnteredEventDetails":{"name":"P","input":"{\"a\": 1}"}}`,
		`{"timestamp":3,"type":"PassStateExited","id":3,"previousEventId":2,"stateExitedEventDetails":{"name":"P","output":"{\"a\": 1}","outputDetails":{"truncated":true},"assignedVariables":{"v":"[1]"}}}`))[0]
	first, _ := x.Events[0].Payload("input")
	second, is := x.Events[1].Payload("input")
	again, _ := x.Events[1].Payload("input")
	if is != history.Present || !value.Identical(first, second) || !value.Identical(second, again) {
		t.Errorf("%v, %v, %v", first, second, again)
	}
	if v, is := x.Events[2].Payload("output"); v != nil || is != history.Truncated {
		t.Errorf("%v, %d: the service has cut it off", v, is)
	}
	if v, is := x.Events[2].Payload("input"); v != nil || is != history.Withheld {
		t.Errorf("%v, %d: it has none", v, is)
	}
	if a, b := x.Events[2].Assigned(), x.Events[2].Assigned(); a == nil || a != b ||
		!value.Equal(a, value.Must(`{"v":[1]}`)) {
		t.Errorf("%v, %v", a, b)
	}
}

// The payloads of a history that was made of a run are those that its text has.
func TestPayloadsOfARun(t *testing.T) {
	for _, c := range runs.Cases() {
		made := c.Run()
		x := read(t, string(c.Document()))[0]
		for i := range made {
			for _, key := range []string{"input", "output", "parameters"} {
				want, wantIs := x.Events[i].Payload(key)
				got, is := made[i].Payload(key)
				if is != wantIs || (got == nil) != (want == nil) || got != nil && !value.Equal(want, got) {
					t.Errorf("%s: event %d: %s is %v, and in the text %v", c.Name, made[i].ID, key, got, want)
				}
			}
		}
	}
}

func TestJoin(t *testing.T) {
	pages := read(t, page(first, second)+page(third, fourth))[0]
	one, two := read(t, `{"events":[`+first+`,`+second+`],"nextToken":"t"}`)[0], read(t, page(third, fourth))[0]
	if !one.Page() || !two.Page() || pages.Page() {
		t.Errorf("pages: %t, %t, %t", one.Page(), two.Page(), pages.Page())
	}
	joined, err := history.Join("x", two, one)
	if err != nil || len(joined.Events) != 4 || joined.Page() && joined.Events[0].ID != 1 {
		t.Fatalf("%v: %v", joined, err)
	}
	if len(joined.Notes) != 0 {
		t.Errorf("notes: %v", joined.Notes)
	}
	other := read(t, page(`{"timestamp":9,"type":"ExecutionStarted","id":1}`))[0]
	if _, err := history.Join("x", one, other); err == nil {
		t.Error("two executions are joined")
	}
}
