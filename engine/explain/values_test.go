package explain_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/value"
)

// valuesAt writes the values in the state of an event, a line each: the place in the state, its path in parentheses,
// and the text.
func valuesAt(s *debug.Session, i int) string {
	stages := s.Log().StagesAt(i, nil)
	var lines []string
	for _, v := range explain.Values(s, i, &stages) {
		line := strings.TrimPrefix(v.Place.Pointer, stages.Visit.State.Pointer+"/")
		if v.Path != "" {
			line += " (" + v.Path + ")"
		}
		p := explain.Paragraph{Sign: v.Sign, Spans: v.Spans}
		lines = append(lines, line+" "+explain.Plain(40).Paragraph(&p))
	}
	return strings.Join(lines, "\n")
}

func TestValues(t *testing.T) {
	ok := func(text string) engine.Outcome { return engine.Outcome{Output: value.Must(text)} }
	for _, test := range []struct {
		name, definition, input string
		answers                 []engine.Outcome
		state, event            string
		want                    string
	}{
		{"fields in JSONPath", `{"StartAt":"A","States":{"A":{` + lambda + `,"InputPath":"$.in",
"Parameters":{"n.$":"$.total","f.$":"States.Format('<{}>', $.total)","list":[{"x.$":"$['a b']"}],"odd name.$":"$.total","lit":"$.no"},
"ResultSelector":{"id.$":"$.Payload.id"},"ResultPath":"$.got","OutputPath":"$.got.id","End":true}}}`,
			`{"in":{"total":7,"a b":true}}`, []engine.Outcome{ok(`{"Payload":{"id":"x"}}`)}, "A", "StateExited",
			`Resource ($) -> {"Payload":{"id":"x"}}
InputPath ($) -> {"total":7,"a b":true}
Parameters/n.$ ($.n) -> 7
Parameters/f.$ ($.f) -> "<7>"
Parameters/list/0/x.$ ($.list[0].x) -> true
Parameters/odd name.$ ($['odd name']) -> 7
ResultSelector/id.$ ($.id) -> "x"
ResultPath ($.got) -> {"id":"x"}
OutputPath ($) -> "x"`},
		{"only up to the event", `{"StartAt":"A","States":{"A":{` + lambda + `,"Parameters":{"n.$":"$.total"},"ResultPath":null,"End":true}}}`,
			`{"total":7}`, []engine.Outcome{ok(`{}`)}, "A", "Parameters", `Parameters/n.$ ($.n) -> 7`},
		{"a discarded result", `{"StartAt":"A","States":{"A":{"Type":"Pass","ResultPath":null,"End":true}}}`,
			`{}`, nil, "A", "StateExited", `ResultPath -> the result is discarded`},
		{"fields in JSONata", `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{` + lambda + `,
"Arguments":{"n":"{% $states.input.total * 2 %}","list":["a","{% 'b' %}"]},"Assign":{"id":"{% $states.result.id %}"},
"Output":"{% $states.result %}","End":true}}}`,
			`{"total":7}`, []engine.Outcome{ok(`{"id":"x"}`)}, "A", "StateExited",
			`Resource ($) -> {"id":"x"}
Arguments/n ($.n) -> 14
Arguments/list/1 ($.list[1]) -> "b"
Assign/id ($.id) -> "x"
Output ($) -> {"id":"x"}`},
		{"retries and a catcher", `{"StartAt":"A","States":{"A":{` + lambda + `,"Parameters":{"n.$":"$.n"},
"Retry":[{"ErrorEquals":["Busy"],"MaxAttempts":2}],"Catch":[{"ErrorEquals":["No"],"Next":"B"},
{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"B"}],"End":true},"B":{"Type":"Succeed"}}}`,
			`{"n":1}`, []engine.Outcome{failed("Busy", ""), failed("Gone", "away")}, "A", "StateExited",
			`Parameters/n.$ ($.n) -> 1
Retry/0/MaxAttempts 1 of 2 retries used
Catch/1/ErrorEquals took Gone
Catch/1/ResultPath ($.e) -> {"Error":"Gone","Cause":"away"}`},
		{"a missing path", `{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"n.$":"$.a.c"},"End":true}}}`,
			`{"a":{"b":1}}`, nil, "A", "StateFailed", `Parameters/n.$ ($.a.c) missing: c`},
		{"an expression without a value", `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Output":{"n":"{% $states.input.none %}"},"End":true}}}`,
			`{}`, nil, "A", "StateFailed", `Output/n returned nothing (undefined)`},
		{"rules in JSONPath", `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[
{"And":[{"Variable":"$.n","NumericGreaterThan":5},{"Variable":"$.s","NumericEqualsPath":"$.n"}],"Next":"B"},
{"Not":{"Variable":"$.none","IsPresent":true},"Next":"B"},{"Variable":"$.n","NumericEquals":9,"Next":"B"}],"Default":"B"},"B":{"Type":"Succeed"}}}`,
			`{"n":9,"s":"9"}`, nil, "A", "StateExited",
			`Choices/0/And/0/Variable ($.n) -> 9
Choices/0/And/0/NumericGreaterThan yes 
Choices/0/And/1/Variable ($.s) -> "9"
Choices/0/And/1/NumericEqualsPath no 9
Choices/1/Not/Variable -> not there
Choices/1/Not/IsPresent no 
Choices/1/Next yes goes here`},
		{"rules in JSONata", `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Choice","Choices":[
{"Condition":"{% $states.input.n > 10 %}","Next":"B"},{"Condition":"{% $states.input.n > 5 %}","Assign":{"v":"{% 1 + 1 %}"},"Next":"B"}],
"Assign":{"v":"{% 0 %}"},"Default":"B"},"B":{"Type":"Succeed"}}}`,
			`{"n":9}`, nil, "A", "StateExited",
			`Choices/0/Condition no false
Choices/1/Condition yes true
Choices/1/Assign/v ($.v) -> 2
Choices/1/Next yes goes here`},
		{"no rule", `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericEquals":1,"Next":"B"}],"Default":"B"},
"B":{"Type":"Succeed"}}}`, `{"n":"1"}`, nil, "A", "StateExited",
			`Choices/0/Variable ($.n) -> "1"
Choices/0/NumericEquals no a string, not a number
Default yes goes here: no rule holds`},
		{"a Wait", `{"StartAt":"A","States":{"A":{"Type":"Wait","SecondsPath":"$.s","End":true}}}`, `{"s":3}`, nil, "A", "StateExited", `SecondsPath -> 3`},
		{"a Wait in JSONata", `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Wait","Seconds":"{% 1 + 2 %}","End":true}}}`,
			`{}`, nil, "A", "StateExited", `Seconds -> 3, until 2026-03-01T09:00:03Z`},
		{"a Fail", `{"StartAt":"A","States":{"A":{"Type":"Fail","ErrorPath":"$.e","Cause":"text"}}}`, `{"e":"Bad"}`, nil, "A", "StateFailed", `ErrorPath -> "Bad"`},
		{"a Map", `{"StartAt":"A","States":{"A":{"Type":"Map","ItemsPath":"$.l","ItemSelector":{"i.$":"$$.Map.Item.Value"},
"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}}}`, `{"l":[1,2]}`, nil, "A", "StateExited",
			`ItemsPath ($) -> [1,2]
ItemSelector/i.$ ($.i) -> 2
ItemProcessor ($) -> [{"i":1},{"i":2}]`},
	} {
		s := open(t, test.definition, test.input)
		play(t, s, test.answers...)
		i := find(t, s, test.state, test.event)
		if got := valuesAt(s, i); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestValuesOfTheExecution: events of the whole execution have none.
func TestValuesOfTheExecution(t *testing.T) {
	s := open(t, containers, `{"lines":[]}`)
	play(t, s)
	if got := valuesAt(s, 0); got != "" {
		t.Errorf("the first event has %s", got)
	}
}
