package teststate_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/engine/teststate"
	"asldb/engine/value"
)

// ask makes a request of a lone state with the fields in the text more: {"mock": …, "level": …}.
func ask(t *testing.T, definition, input, more string) *teststate.Request {
	t.Helper()
	fields := value.Must(more).(*value.Object)
	text := func(key string) string {
		s, _ := fields.Get(key).(value.String)
		return string(s)
	}
	request := &teststate.Request{
		Definition: &source.File{Name: "state.json", Data: []byte(definition)},
		Input:      value.Must(input), RoleARN: text("roleArn"),
		Variables: fields.Get("variables"), Context: fields.Get("context"),
		Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	if name := fields.Get("stateName"); name != nil {
		exact := text("stateName")
		request.StateName = &exact
	}
	var err error
	if request.Level, err = teststate.ParseLevel(text("level")); err != nil {
		t.Fatal(err)
	}
	if mock := fields.Get("mock"); mock != nil {
		if request.Mock, err = teststate.ParseMock(mock); err != nil {
			t.Fatal(err)
		}
	}
	if configuration := fields.Get("stateConfiguration"); configuration != nil {
		if request.Configuration, err = teststate.ParseConfiguration(configuration); err != nil {
			t.Fatal(err)
		}
	}
	return request
}

// The answers are those that asl.md (B.1, G.3, G.4, L.2) and the description of the API give.
func TestAnswers(t *testing.T) {
	const task = `{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke",`
	const items = `{"Type":"Map","ItemsPath":"$.l","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},`
	const distributed = `{"Type":"Map","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},
		"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},`
	for name, c := range map[string]struct{ definition, input, more, want string }{
		"Pass with Result reads nothing": {
			`{"Type":"Pass","Result":{"r":1},"ResultPath":"$.p","Next":"N"}`, `{"i":0}`, `{"level":"DEBUG"}`,
			`{"output":{"i":0,"p":{"r":1}},"inspectionData":{"input":{"i":0},"result":{"r":1},"afterResultSelector":{"r":1},
				"afterResultPath":{"i":0,"p":{"r":1}}},"nextState":"N","status":"SUCCEEDED"}`,
		},
		"Choice": {
			`{"Type":"Choice","InputPath":"$.a","Choices":[{"Variable":"$.v","NumericGreaterThan":1,"Next":"More"}],"Default":"Less"}`,
			`{"a":{"v":2}}`, `{"level":"TRACE"}`,
			`{"output":{"v":2},"inspectionData":{"input":{"a":{"v":2}},"afterInputPath":{"v":2}},"nextState":"More","status":"SUCCEEDED"}`,
		},
		"Fail": {
			`{"Type":"Fail","ErrorPath":"$.e","Cause":"why"}`, `{"e":"Bad"}`, `{"level":"DEBUG"}`,
			`{"error":"Bad","cause":"why","inspectionData":{"input":{"e":"Bad"},"afterInputPath":{"e":"Bad"}},"status":"FAILED"}`,
		},
		"Wait": {
			`{"Type":"Wait","Seconds":300,"End":true}`, `{}`, `{}`, `{"output":{},"status":"SUCCEEDED"}`,
		},
		"a wait of more than five minutes": {
			`{"Type":"Wait","Seconds":301,"End":true}`, `{}`, `{}`, `{"error":"States.Timeout","status":"FAILED"}`,
		},
		"every stage of a Task": {
			task + `"InputPath":"$.in","Parameters":{"p.$":"$.a"},"ResultSelector":{"s.$":"$.Payload"},"ResultPath":"$.out","OutputPath":"$.out.s","End":true}`,
			`{"in":{"a":1}}`, `{"level":"DEBUG","mock":{"result":"{\"Payload\": 7}"}}`,
			`{"output":7,"inspectionData":{"input":{"in":{"a":1}},"afterInputPath":{"a":1},"afterParameters":{"p":1},"result":{"Payload":7},
				"afterResultSelector":{"s":7},"afterResultPath":{"in":{"a":1},"out":{"s":7}}},"status":"SUCCEEDED"}`,
		},
		"inspection stops at the stage that failed": {
			task + `"ResultSelector":{"s.$":"$.none"},"End":true}`, `{}`, `{"level":"DEBUG","mock":{"result":{}}}`,
			`{"error":"States.Runtime","cause":"The JSONPath '$.none' specified for the field 's.$' could not be found in the input '{}'",
				"inspectionData":{"input":{},"afterInputPath":{},"afterParameters":{},"result":{}},"status":"FAILED"}`,
		},
		"an error that is caught": {
			task + `"Catch":[{"ErrorEquals":["Other"],"Next":"X"},{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Assign":{"v.$":"$.Error"},"Next":"C"}],"End":true}`,
			`{}`, `{"level":"DEBUG","mock":{"errorOutput":{"error":"E","cause":"c"}}}`,
			`{"output":{"e":{"Error":"E","Cause":"c"}},"error":"E","cause":"c","inspectionData":{"input":{},"afterInputPath":{},"afterParameters":{},
				"variables":{"v":"E"},"errorDetails":{"catchIndex":1}},"nextState":"C","status":"CAUGHT_ERROR"}`,
		},
		"an error that is retried": {
			task + `"Retry":[{"ErrorEquals":["A"]},{"ErrorEquals":["B"],"IntervalSeconds":3,"BackoffRate":2,"MaxDelaySeconds":5}],"End":true}`,
			`{}`, `{"level":"DEBUG","mock":{"errorOutput":{"error":"B"}},"stateConfiguration":{"retrierRetryCount":1}}`,
			`{"error":"B","inspectionData":{"input":{},"afterInputPath":{},"afterParameters":{},
				"errorDetails":{"retryIndex":1,"retryBackoffIntervalSeconds":5}},"status":"RETRIABLE"}`,
		},
		"a retrier that is used up": {
			task + `"Retry":[{"ErrorEquals":["B"],"MaxAttempts":1}],"End":true}`,
			`{}`, `{"level":"DEBUG","mock":{"errorOutput":{"error":"B"}},"stateConfiguration":{"retrierRetryCount":1}}`,
			`{"error":"B","inspectionData":{"input":{},"afterInputPath":{},"afterParameters":{},"errorDetails":{"retryIndex":0}},"status":"FAILED"}`,
		},
		"variables": {
			`{"Type":"Pass","Assign":{"n.$":"States.MathAdd($n, 1)"},"Parameters":{"n.$":"$n"},"End":true}`, `{}`,
			`{"level":"DEBUG","variables":{"n":1,"m":2}}`,
			`{"output":{"n":1},"inspectionData":{"input":{},"afterInputPath":{},"afterParameters":{"n":1},"afterResultSelector":{"n":1},
				"afterResultPath":{"n":1},"variables":{"n":2,"m":2}},"status":"SUCCEEDED"}`,
		},
		"every stage of a Map": {
			items + `"ItemSelector":{"v.$":"$$.Map.Item.Value"},"MaxConcurrencyPath":"$.c","ToleratedFailurePercentage":12.5,"ResultSelector":{"n.$":"$[0]"},"End":true}`,
			`{"l":[5,6],"c":3}`, `{"level":"DEBUG","mock":{"result":[1,2]}}`,
			`{"output":{"n":1},"inspectionData":{"input":{"l":[5,6],"c":3},"afterInputPath":{"l":[5,6],"c":3},"afterItemsPath":[5,6],
				"afterItemSelector":[{"v":5},{"v":6}],"afterResultSelector":{"n":1},"afterResultPath":{"n":1},"maxConcurrency":3,
				"toleratedFailurePercentage":12.5},"status":"SUCCEEDED"}`,
		},
		"an ItemReader, with items in batches": {
			distributed + `"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSON","ItemsPointer":"/rows","MaxItemsPath":"$.most"}},
				"ItemSelector":{"v.$":"$$.Map.Item.Value"},"ItemBatcher":{"MaxItemsPerBatch":2,"BatchInput":{"b.$":"$.most"}},"End":true}`,
			`{"most":3}`, `{"level":"DEBUG","mock":{"result":["x","y"]},"stateConfiguration":{"mapItemReaderData":"{\"rows\":[1,2,3,4]}"}}`,
			`{"output":["x","y"],"inspectionData":{"input":{"most":3},"afterInputPath":{"most":3},"afterItemsPointer":[1,2,3],
				"afterItemSelector":[{"v":1},{"v":2},{"v":3}],
				"afterItemBatcher":[{"BatchInput":{"b":3},"Items":[{"v":1},{"v":2}]},{"BatchInput":{"b":3},"Items":[{"v":3}]}],
				"afterResultSelector":["x","y"],"afterResultPath":["x","y"],"maxConcurrency":0},"status":"SUCCEEDED"}`,
		},
		"a dataset that cannot be read is an error that can be caught": {
			distributed + `"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSON"}},
				"Catch":[{"ErrorEquals":["States.ItemReaderFailed"],"ResultPath":null,"Next":"C"}],"End":true}`,
			`{"i":1}`, `{"mock":{"result":[]},"stateConfiguration":{"mapItemReaderData":"{}"}}`,
			`{"output":{"i":1},"error":"States.ItemReaderFailed","nextState":"C","status":"CAUGHT_ERROR"}`,
		},
		"as many failed iterations as are tolerated": {
			items + `"ToleratedFailurePercentage":50,"End":true}`, `{"l":[5,6]}`,
			`{"mock":{"result":[1,2]},"stateConfiguration":{"mapIterationFailureCount":1}}`,
			`{"output":[1,2],"status":"SUCCEEDED"}`,
		},
		"one failed iteration too many": {
			items + `"ToleratedFailurePercentage":50,"End":true}`, `{"l":[5,6]}`,
			`{"mock":{"result":[1,2]},"stateConfiguration":{"mapIterationFailureCount":2}}`,
			`{"error":"States.ExceedToleratedFailureThreshold","cause":"The specified tolerated failure threshold was exceeded","status":"FAILED"}`,
		},
		"a state inside another, of a whole machine": {
			`{"StartAt":"M","States":{"M":` + items + `"End":true}}}`, `3`, `{"stateName":"I"}`,
			`{"output":3,"status":"SUCCEEDED"}`,
		},
		"the context object": {
			`{"Type":"Pass","Parameters":{"c.$":"$$"},"OutputPath":"$.c","End":true}`, `{"i":1}`, `{}`,
			`{"output":{"Execution":{"Id":"arn:aws:states:us-east-1:123456789012:express:StateMachine:Execution","Input":{"i":1},"Name":"Execution",
				"RoleArn":null,"StartTime":"2026-01-01T00:00:00Z"},
				"StateMachine":{"Id":"arn:aws:states:us-east-1:123456789012:stateMachine:StateMachine","Name":"StateMachine"},
				"State":{"Name":"StateName","EnteredTime":"2026-01-01T00:00:00Z"}},"status":"SUCCEEDED"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			response, err := teststate.Run(ask(t, c.definition, c.input, c.more))
			if err != nil {
				t.Fatal(err)
			}
			got := response.Object(true)
			if strings.Contains(name, "cannot be read") { // the words belong to the package that reads
				if response.Cause == "" {
					t.Error("no cause")
				}
				got = got.Without("cause")
			}
			if !value.Equal(got, value.Must(c.want)) {
				t.Errorf("got  %s\nwant %s", value.Compact(got), value.Compact(value.Must(c.want)))
			}
		})
	}
}

// In the API's form payloads are texts, counts are not; a mocked result that goes through unchanged keeps its
// own text.
func TestTexts(t *testing.T) {
	const definition = `{"Type":"Map","ItemsPath":"$","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}`
	response, err := teststate.Run(ask(t, definition, `[1]`, `{"level":"DEBUG","mock":{"result":"[1,  2]"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"output":"[1,  2]","inspectionData":{"input":"[1]","afterInputPath":"[1]","afterItemsPath":"[1]",
		"afterResultSelector":"[1,2]","afterResultPath":"[1,2]","maxConcurrency":0},"status":"SUCCEEDED"}`
	if got := response.Object(false); !value.Equal(got, value.Must(want)) {
		t.Errorf("got  %s\nwant %s", value.Compact(got), value.Compact(value.Must(want)))
	}
}

// Requests that TestState refuses.
func TestRefused(t *testing.T) {
	const pass = `{"Type":"Pass","End":true}`
	const task = `{"Type":"Task","Resource":"arn:aws:states:::dynamodb:getItem","End":true}`
	const sync = `{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2","End":true}`
	const parallel = `{"Type":"Parallel","Branches":[{"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}}],"End":true}`
	for name, c := range map[string]struct{ definition, more, name, message string }{
		"no JSON": {`{"Type":`, `{}`, "InvalidDefinition",
			"Invalid State Machine Definition: 'INVALID_JSON_DESCRIPTION: "},
		"more than a state": {`{"Type":"Pass","End":true},"x":{"Type":"Pass","End":true}`, `{}`, "InvalidDefinition",
			"INVALID_JSON_DESCRIPTION"},
		"a field too many": {`{"Type":"Pass","Seconds":1,"End":true}`, `{}`, "InvalidDefinition",
			" at /States/StateName/Seconds'"},
		"unknown state": {`{"StartAt":"A","States":{"A":` + pass + `}}`, `{"stateName":"B"}`,
			"ValidationException", "State not found in definition"},
		"variables": {pass, `{"variables":[]}`, "ValidationException", "must be a JSON object"},
		"both": {task, `{"mock":{"result":{},"errorOutput":{}}}`, "ValidationException",
			"only one of the following fields: [result, errorOutput]."},
		"neither": {task, `{"mock":{}}`, "ValidationException",
			"one of the following fields: [result, errorOutput]."},
		"a job without mock": {sync, `{"roleArn":"r"}`, "InvalidDefinition", "when a mock is not specified"},
		"shape": {task, `{"mock":{"result":{"Item":{"id":"1"}}}}`, "ValidationException",
			"Field 'Item' must be an object"},
		"shape of a job": {sync, `{"mock":{"result":{}}}`, "ValidationException",
			"Required field 'ExecutionArn' is missing"},
		"word of a job": {sync, `{"mock":{"result":{"Status":"DONE"},"fieldValidationMode":"PRESENT"}}`,
			"ValidationException", "Field 'Status' is not an expected value"},
		"cause elsewhere": {parallel, `{"mock":{"errorOutput":{}},"stateConfiguration":{"errorCausedByState":"X"}}`,
			"ValidationException", "'X'"},
		"negative count": {task, `{"mock":{"result":{}},"stateConfiguration":{"retrierRetryCount":-1}}`,
			"ParamValidationError", "retrierRetryCount"},
		"context field": {task, `{"mock":{"result":{}},"context":{"Exec":{}}}`, "ValidationException",
			"Invalid Context object provided: Field 'Exec' is not allowed"},
		"context of Map": {task, `{"mock":{"result":{}},"context":{"Map":{}}}`, "ValidationException",
			"'Map' field is not supported when mocking a Context object"},
		"context kind": {task, `{"mock":{"result":{}},"context":{"Execution":{"Id":1}}}`, "ValidationException",
			"Execution.Id must be a string"},
		"context without one": {pass, `{"context":{}}`, "ValidationException", "Context"},
	} {
		t.Run(name, func(t *testing.T) {
			response, err := teststate.Run(ask(t, c.definition, `{}`, c.more))
			var refusal *teststate.Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("response %+v, error %v; want a refusal", response, err)
			}
			if refusal.Name != c.name || !strings.Contains(refusal.Message, c.message) {
				t.Errorf("%v\nwant %s with %q", err, c.name, c.message)
			}
		})
	}
}

// A word that is not in the set of its parameter is refused in the words of the API.
func TestWrongWords(t *testing.T) {
	_, level := teststate.ParseLevel("ALL")
	_, mode := teststate.ParseMock(value.Must(`{"result":{},"fieldValidationMode":"LAX"}`))
	for message, err := range map[string]error{
		"1 validation error detected: Value 'ALL' at 'inspectionLevel' failed to satisfy constraint: Member must satisfy enum value set: [INFO, DEBUG, TRACE]":             level,
		"1 validation error detected: Value 'LAX' at 'mock.fieldValidationMode' failed to satisfy constraint: Member must satisfy enum value set: [STRICT, PRESENT, NONE]": mode,
	} {
		var refusal *teststate.Refusal
		if !errors.As(err, &refusal) || refusal.Name != "ValidationException" || refusal.Message != message {
			t.Errorf("got %v, want %s", err, message)
		}
	}
}

// A parameter of the wrong kind, or one that is not there, is refused before anything is asked.
func TestBadParameters(t *testing.T) {
	for _, text := range []string{
		`1`, `{"reslt":1}`, `{"errorOutput":"E"}`, `{"errorOutput":{"Error":"E"}}`, `{"errorOutput":{"error":1}}`,
		`{"result":1,"fieldValidationMode":2}`,
	} {
		wantBadParameter(t, text, func(v value.Value) error { _, err := teststate.ParseMock(v); return err })
	}
	for _, text := range []string{`[]`, `{"retries":1}`, `{"retrierRetryCount":"1"}`,
		`{"mapIterationFailureCount":1.5}`, `{"errorCausedByState":1}`} {
		wantBadParameter(t, text, func(v value.Value) error { _, err := teststate.ParseConfiguration(v); return err })
	}
}

func wantBadParameter(t *testing.T, text string, parse func(value.Value) error) {
	t.Helper()
	var refusal *teststate.Refusal
	if err := parse(value.Must(text)); !errors.As(err, &refusal) || refusal.Name != "ParamValidationError" {
		t.Errorf("%s: error %v, want a ParamValidationError", text, err)
	}
}

// A task that is not mocked is called, where something can call it.
func TestCall(t *testing.T) {
	request := ask(t, `{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"p":1},"End":true}`,
		`{}`, `{"roleArn":"r"}`)
	var noCall *teststate.NoCallError
	if _, err := teststate.Run(request); !errors.As(err, &noCall) {
		t.Errorf("error %v, want a NoCallError", err)
	}
	request.Call = func(r *engine.TaskRequest) (engine.Outcome, error) {
		return engine.Outcome{Output: r.Parameters},
			nil
	}
	response, err := teststate.Run(request)
	if err != nil {
		t.Fatal(err)
	}
	if !value.Equal(response.Output, value.Must(`{"p":1}`)) {
		t.Errorf("output %s", value.Compact(response.Output))
	}
}

// A lone state's problems are where they are in its own text, whatever comes before it.
func TestPlacesOfALoneState(t *testing.T) {
	definition := "\n  {\"Type\":\"Pass\",\n   \"Next\":7}"
	_, err := teststate.Run(ask(t, definition, `{}`, `{}`))
	var refusal *teststate.Refusal
	if !errors.As(err, &refusal) || len(refusal.Diagnostics) == 0 {
		t.Fatalf("error %v, want a refusal with diagnostics", err)
	}
	at := refusal.Diagnostics[0].Span.Start
	if at.Line != 3 || at.Col != 11 || definition[at.Offset] != '7' {
		t.Errorf("line %d, column %d, offset %d; want the 7 in line 3", at.Line, at.Col, at.Offset)
	}
}
