package engine_test

import (
	"strconv"
	"testing"
	"time"

	"asldb/engine"
)

// Each case is of a section of the specification.
func TestVectors(t *testing.T) {
	choice := func(rule string) string {
		return `{"StartAt":"S","States":{"S":{"Type":"Choice","Choices":[{` + rule + `,"Next":"Y"}],"Default":"N"},
			"Y":{"Type":"Pass","Result":true,"End":true},"N":{"Type":"Pass","Result":false,"End":true}}}`
	}
	const (
		longPath = "Invalid path '$.no.such' : Missing property in path $['no']"
		noField  = "The JSONPath '$.no' specified for the field 'o.$' could not be found in the input '{}'"
	)
	tests := []struct {
		section, definition, input string
		answer                     answers
		output                     string // empty: it fails
		failure, cause             string
	}{
		{section: "Pass State", definition: single(`"Type":"Pass","Result":{"a.$":"$.x","b.$":"$$"},"End":true`),
			input: `{"x":1}`, output: `{"a.$":"$.x","b.$":"$$"}`},
		{section: "InputPath, OutputPath", definition: single(
			`"Type":"Pass","InputPath":null,"Parameters":{"k":1,"i.$":"$"},"End":true`), input: `{"z":9}`,
			output: `{"k":1,"i":{}}`},
		{section: "InputPath, OutputPath", definition: single(`"Type":"Pass","OutputPath":null,"End":true`),
			input: `{"z":9}`, output: `{}`},
		{section: "ResultPath", definition: single(`"Type":"Pass","Result":[1],"ResultPath":"$.arr","End":true`),
			input: `{}`, output: `{"arr":[1]}`},
		{section: "ResultPath", definition: single(`"Type":"Pass","Result":5,"ResultPath":"$.a.b.c","End":true`),
			input: `{"a":1,"k":2}`, failure: "States.ResultPathMatchFailure"},
		{section: "ResultPath", definition: single(`"Type":"Pass","Result":5,"ResultPath":"$.n.m","End":true`),
			input: `{"k":2}`, output: `{"k":2,"n":{"m":5}}`},
		{section: "ResultPath", definition: single(
			`"Type":"Pass","InputPath":"$.a","Result":7,"ResultPath":"$.r","End":true`), input: `{"a":{"q":1}}`,
			output: `{"a":{"q":1},"r":7}`},
		{section: "ResultPath", definition: single(taskFields + `,"ResultPath":null,"OutputPath":"$.keep","End":true`),
			input: `{"keep":3,"x":0}`, answer: inTurn(gives(`{"big":1}`)), output: `3`},
		{
			section: "Payload Template",
			definition: `{"StartAt":"S","States":{"S":{` + taskFields +
				`,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F","ResultPath":"$.err"}],"OutputPath":"$.x","End":true},"F":{"Type":"Succeed"}}}`,
			input: `{"x":1}`, answer: inTurn(engine.Outcome{Error: "E", Cause: "c"}),
			output: `{"x":1,"err":{"Error":"E","Cause":"c"}}`,
		},
		{section: "Payload Template", definition: single(
			`"Type":"Pass","Parameters":{"o.$":"$.items[*].v"},"End":true`), input: `{}`, output: `{"o":[]}`},
		{section: "Payload Template", definition: single(
			`"Type":"Pass","Parameters":{"o.$":"$.items[?(@.s == 0)]"},"End":true`),
			input: `{"items":[{"s":0},{"s":1}]}`, output: `{"o":[{"s":0}]}`},
		{section: "Payload Template", definition: single(`"Type":"Pass","Parameters":{"o.$":"$.no"},"End":true`),
			input: `{}`, failure: "States.Runtime", cause: noField},
		{section: "Payload Template", definition: single(
			`"Type":"Pass","Parameters":{"n.$":"$.l.length()"},"End":true`), input: `{"l":[1,2]}`,
			failure: "States.Runtime"},
		{
			section: "InputPath, OutputPath", definition: `{"StartAt":"S","States":{"S":{` + taskFields +
				`,"OutputPath":"$.no.such","Catch":[{"ErrorEquals":["States.Runtime"],"Next":"F"}],"End":true},"F":{"Type":"Succeed"}}}`,
			input: `{}`, answer: inTurn(gives(`{}`)), failure: "States.Runtime", cause: longPath,
		},
		{section: "Choice State", definition: choice(`"Variable":"$.v","NumericEquals":0`), input: `{"v":"0"}`,
			output: `false`},
		{section: "Choice State", definition: choice(`"Variable":"$.v","NumericEquals":0`), input: `{"v":0.0}`,
			output: `true`},
		{section: "Choice State", definition: choice(`"Variable":"$.v","IsPresent":false`), input: `{}`,
			output: `true`},
		{section: "Choice State", definition: choice(`"Variable":"$.v","IsPresent":false`), input: `{"v":null}`,
			output: `false`},
		{section: "Choice State", definition: choice(`"Variable":"$.v","StringEquals":"a"`), input: `{}`,
			failure: "States.Runtime", cause: "Invalid path '$.v'"},
		{section: "Choice State", definition: choice(
			`"And":[{"Variable":"$.v","IsPresent":true},{"Variable":"$.v","NumericGreaterThan":1}]`), input: `{}`,
			output: `false`},
		{section: "Choice State", definition: choice(`"Variable":"$","StringMatches":"log-*.txt"`), input: `"log-.txt"`,
			output: `true`},
		{section: "Choice State", definition: choice(`"Variable":"$","StringMatches":"a\\*b"`), input: `"a*b"`,
			output: `true`},
		{section: "Choice State", definition: choice(`"Variable":"$","StringMatches":"a\\*b"`), input: `"axb"`,
			output: `false`},
		{section: "Choice State", definition: choice(`"Variable":"$","IsTimestamp":true`),
			input: `"2024-01-01T00:00:00Z"`, output: `true`},
		{section: "Choice State", definition: choice(`"Variable":"$","IsTimestamp":true`),
			input: `"2024-01-01T00:00:00"`, output: `false`},
		{section: "Choice State", definition: choice(`"Variable":"$","IsTimestamp":true`), input: `"2024-01-01"`,
			output: `false`},
		{
			section: "Choice State", definition: `{"StartAt":"S","States":{"S":{"Type":"Choice","Choices":[{"Variable":"$.v","NumericEquals":1,"Next":"F"}]},"F":{"Type":"Succeed"}}}`,
			input: `{"v":2}`, failure: "States.Runtime", cause: "Failed to transition out of the state.",
		},
		{section: "Errors", definition: `{"StartAt":"S","States":{"S":{` + taskFields +
			`,"Retry":[{"ErrorEquals":["E"],"MaxAttempts":0}],"Catch":[{"ErrorEquals":["E"],"Next":"F"}],"End":true},"F":{"Type":"Succeed"}}}`, input: `{}`, answer: inTurn(fails("E")), output: `{"Error":"E","Cause":"because"}`},
		{section: "Map State", definition: single(
			`"Type":"Map","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`),
			input: `[]`, output: `[]`},
		{
			section: "Map State", definition: single(`"Type":"Map","ItemsPath":"$.a","ItemSelector":{"i.$":"$$.Map.Item.Index","v.$":"$$.Map.Item.Value","k.$":"$.k"},
				"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`),
			input: `{"a":["x","y"],"k":9}`, output: `[{"i":0,"v":"x","k":9},{"i":1,"v":"y","k":9}]`,
		},
		{
			section: "Map State", definition: single(`"Type":"Map","ToleratedFailureCount":1,"ItemProcessor":{"StartAt":"I","States":{
				"I":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":0,"Next":"Ok"}],"Default":"No"},"Ok":{"Type":"Pass","End":true},"No":{"Type":"Fail","Error":"X"}}},"End":true`),
			input: `[0,1,2]`, failure: "States.ExceedToleratedFailureThreshold",
			cause: "The specified tolerated failure threshold was exceeded",
		},
		{
			section: "Variables", definition: `{"StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"answer":42},"Next":"B"},"B":{"Type":"Pass","InputPath":"$answer","OutputPath":"$answer","Assign":{"answer":"x"},"End":true}}}`,
			input: `{}`, output: `42`,
		},
		{section: "Wait State", definition: single(`"Type":"Wait","SecondsPath":"$.s","End":true`), input: `{"s":0}`,
			output: `{"s":0}`},
		{section: "Wait State", definition: single(`"Type":"Wait","SecondsPath":"$.s","End":true`), input: `{"s":-1}`,
			failure: "States.Runtime", cause: "The SecondsPath parameter references a negative value: $.s == -1"},
		{section: "Wait State", definition: single(`"Type":"Wait","SecondsPath":"$.s","End":true`), input: `{"s":1.5}`,
			failure: "States.Runtime", cause: "The SecondsPath parameter cannot be parsed as a long value: $.s == 1.5"},
	}
	for i, test := range tests {
		t.Run(test.section+"/"+strconv.Itoa(i), func(t *testing.T) {
			e, _ := run(t, test.definition, test.input, test.answer)
			if test.output != "" {
				wantOutput(t, e, test.output)
				return
			}
			wantFailure(t, e, test.failure, test.cause)
		})
	}
}

// The cases of retriers (section "Errors"): the calls that are made, and the delays between them.
func TestRetryVectors(t *testing.T) {
	s := time.Second
	tests := []struct {
		name   string
		retry  string
		answer answers
		calls  int
		delays []time.Duration
		error  string
	}{
		{"backoff", `[{"ErrorEquals":["E"],"MaxAttempts":2}]`, inTurn(fails("E")), 3, []time.Duration{s, 2 * s}, "E"},
		{"each retrier by itself", `[{"ErrorEquals":["X"],"MaxAttempts":1},{"ErrorEquals":["State.ALL"],"MaxAttempts":2},{"ErrorEquals":["E"],"MaxAttempts":3}]`, inTurn(fails("E")), 4, []time.Duration{s, 2 * s, 4 * s}, "E"},
		{"MaxDelaySeconds", `[{"ErrorEquals":["E"],"IntervalSeconds":3,"MaxAttempts":2,"BackoffRate":2,"MaxDelaySeconds":5}]`, inTurn(fails("E")), 3, []time.Duration{3 * s, 5 * s}, "E"},
		{
			"a retrier for two names", `[{"ErrorEquals":["X","Y"],"MaxAttempts":2},{"ErrorEquals":["Z"],"IntervalSeconds":5}]`,
			inTurn(fails("X"), fails("Y"), fails("Z"), fails("Y")), 4, []time.Duration{s, 2 * s, 5 * s}, "Y",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, events := run(t, single(taskFields+`,"Retry":`+test.retry+`,"End":true`), `{}`, test.answer)
			wantFailure(t, e, test.error, "because")
			if calls := count(events, engine.TaskScheduled); calls != test.calls {
				t.Errorf("%d calls, want %d", calls, test.calls)
			}
			got := delays(events)
			if len(got) != len(test.delays) {
				t.Fatalf("delays %v, want %v", got, test.delays)
			}
			for i := range got {
				if got[i] != test.delays[i] {
					t.Errorf("delay %d is %v, want %v", i, got[i], test.delays[i])
				}
			}
		})
	}
}

func TestTimeoutVectors(t *testing.T) {
	const definition = `{"StartAt":"S","States":{"S":{` + taskFields + `,"TimeoutSeconds":5,
		"Catch":[{"ErrorEquals":["States.TaskFailed"],"Next":"A"},{"ErrorEquals":["States.ALL"],"Next":"B"}],"End":true},
		"A":{"Type":"Pass","End":true},"B":{"Type":"Pass","Parameters":{"b.$":"$"},"End":true}}}`
	e, events := run(t, definition, `{}`, inTurn(engine.Outcome{Output: nil, Error: "late", After: time.Minute}))
	// Vectors 27 and 28: States.TaskFailed does not take States.Timeout, whose Cause is empty.
	wantOutput(t, e, `{"b":{"Error":"States.Timeout","Cause":""}}`)
	for i := range events {
		if events[i].Type == engine.TaskTimedOut {
			if after := events[i].At().Sub(events[0].At()); after != 5*time.Second {
				t.Errorf("timed out after %v, want 5s", after)
			}
		}
	}
}

func TestParallelVectors(t *testing.T) {
	// Vector 29: the first failure ends the state, the other branch is stopped.
	const branches = `"Branches":[{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"F"}}},{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"End":true}}}]`
	e, events := run(t, single(`"Type":"Parallel",`+branches+`,"End":true`), `{}`, nil)
	wantFailure(t, e, "F", "")
	if n := count(events, engine.BranchAborted); n != 1 {
		t.Errorf("%d branches aborted, want 1", n)
	}
	if !events[len(events)-1].At().Equal(events[0].At()) {
		t.Error("the failure waited for the other branch")
	}
	// Vector 30: a retried Parallel begins again from its branches.
	_, events = run(t, single(`"Type":"Parallel",`+branches+
		`,"Retry":[{"ErrorEquals":["F"],"MaxAttempts":2}],"End":true`), `{}`, nil)
	if n := count(events, engine.ParallelStarted); n != 3 {
		t.Errorf("%d times started, want 3", n)
	}
}
