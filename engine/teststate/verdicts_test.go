package teststate_test

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine/teststate"
	"asldb/engine/value"
)

// The answers of TestState as localstack/localstack recorded them, or as the API and its guide say; source says which.
// A verdict is a response, or a refusal as text.
func TestVerdicts(t *testing.T) {
	const (
		body   = `"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},`
		items  = `{"Type":"Map","ItemsPath":"$.l",` + body
		failed = `{"error":"States.ExceedToleratedFailureThreshold","cause":"The specified tolerated failure threshold was exceeded","status":"FAILED"}`
		three  = `{"mock":{"result":"[1,2,3]"},"stateConfiguration":{"mapIterationFailureCount":2}}`
		broken = `{"mock":{"errorOutput":{"error":"E","cause":"c"}},"stateConfiguration":{"errorCausedByState":"I","mapIterationFailureCount":3},"level":"TRACE"}`
		mapped = `{"StartAt":"M","States":{"M":{"Type":"Map",` + body + `"Next":"P"},"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"N","States":{
			"N":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"J","States":{"J":{"Type":"Pass","Parameters":{"i.$":"$$.Map.Item.Index","v.$":"$$.Map.Item.Value"},"End":true}}}}}}]}}}`
	)
	long := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct{ source, definition, input, more, want string }{
		{"localstack test_state_configuration BASE_MAP_STATE: no tolerance", items + `"End":true}`, `{"l":[1,2,3]}`,
			three, `{"output":[1,2,3],"status":"SUCCEEDED"}`},
		{"localstack test_state_configuration: one more than tolerated", items +
			`"ToleratedFailureCount":1,"End":true}`, `{"l":[1,2,3]}`, three, failed},
		{"localstack test_state_configuration: as many as tolerated", items + `"ToleratedFailureCount":2,"End":true}`,
			`{"l":[1,2,3]}`, three, `{"output":[1,2,3],"status":"SUCCEEDED"}`},
		{"localstack test_state_configuration: a tolerance of none", items + `"ToleratedFailureCount":0,"End":true}`,
			`{"l":[1,2,3]}`, three, failed},
		{"localstack test_state_configuration: the threshold is caught", items +
			`"ToleratedFailureCount":1,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"End":true}`,
			`{"l":[1,2,3]}`, three, `{"output":{"Error":"States.ExceedToleratedFailureThreshold","Cause":"The specified tolerated failure threshold was exceeded"},
			"error":"States.ExceedToleratedFailureThreshold","cause":"The specified tolerated failure threshold was exceeded","nextState":"C","status":"CAUGHT_ERROR"}`},
		{"localstack test_state_configuration: errorOutput with errorCausedByState and any count", items +
			`"End":true}`, `{"l":[1,2,3]}`, broken,
			`{"error":"E","cause":"c","inspectionData":{"input":{"l":[1,2,3]},"afterInputPath":{"l":[1,2,3]},"afterItemsPath":[1,2,3],"maxConcurrency":0},"status":"FAILED"}`},
		{"localstack test_state_configuration: inspectionData of a JSONPath Map that fails", items +
			`"ToleratedFailureCount":1,"End":true}`, `{"l":[1,2,3]}`,
			three[:len(three)-1] + `,"level":"DEBUG"}`, failed[:len(failed)-1] +
				`,"inspectionData":{"input":{"l":[1,2,3]},"afterInputPath":{"l":[1,2,3]},"afterItemsPath":[1,2,3],"maxConcurrency":0,"toleratedFailureCount":1}}`},
		{"localstack test_state_configuration: inspectionData of a JSONata Map", `{"QueryLanguage":"JSONata","Type":"Map","Items":"{% $states.input.l %}",` + body + `"ToleratedFailureCount":1,
			"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C","Output":1}],"End":true}`, `{"l":[1,2,3]}`, three[:len(three)-1] + `,"level":"DEBUG"}`,
			`{"output":1,"error":"States.ExceedToleratedFailureThreshold","cause":"The specified tolerated failure threshold was exceeded","nextState":"C","status":"CAUGHT_ERROR",
			"inspectionData":{"input":{"l":[1,2,3]},"maxConcurrency":0,"toleratedFailureCount":1,"errorDetails":{"catchIndex":0}}}`},
		{"agent-toolkit-for-aws: stateName of a state in a Map", mapped, `{"a":1}`, `{"stateName":"J"}`,
			`{"output":{"i":0,"v":{"a":1}},"status":"SUCCEEDED"}`},
		{"localstack mock_validation: a mock for a Pass", `{"Type":"Pass","End":true}`, `{}`,
			`{"mock":{"result":"{}"}}`,
			"ValidationException: State type 'Pass' is not supported when a mock is specified"},
		{"localstack mock_validation: a Map without a mock", items + `"End":true}`, `{"l":[]}`, `{}`,
			"InvalidDefinition: TestState API does not support Map or Parallel states. Supported state types include: [Task, Wait, Pass, Succeed, Fail, Choice]"},
		{"localstack mock_validation: a Map's result", items + `"End":true}`, `{"l":[]}`, `{"mock":{"result":"{}"}}`,
			"ValidationException: Mocked result must be an array."},
		{"localstack analyser: the result is not JSON", items + `"End":true}`, `{"l":[]}`, `{"mock":{"result":"{"}}`,
			"ValidationException: Mocked result must be valid JSON"},
		{"API MockInput: the length of result", items + `"End":true}`, `{"l":[]}`, `{"mock":{"result":"` +
			long(262_145) + `"}}`,
			"ValidationException: 1 validation error detected: Value at 'mock.result' failed to satisfy constraint: Member must have length less than or equal to 262144"},
		{"API TestStateConfiguration: the length of mapItemReaderData", items + `"End":true}`, `{"l":[]}`,
			`{"mock":{"result":"[]"},"stateConfiguration":{"mapItemReaderData":"` + long(262_145) + `"}}`,
			"ValidationException: 1 validation error detected: Value at 'stateConfiguration.mapItemReaderData' failed to satisfy constraint: Member must have length less than or equal to 262144"},
		{"API TestStateConfiguration: the length of errorCausedByState", items + `"End":true}`, `{"l":[]}`,
			`{"mock":{"result":"[]"},"stateConfiguration":{"errorCausedByState":"` + long(81) + `"}}`,
			"ValidationException: 1 validation error detected: Value '" + long(81) +
				"' at 'stateConfiguration.errorCausedByState' failed to satisfy constraint: Member must have length less than or equal to 80"},
	} {
		response, err := teststate.Run(ask(t, c.definition, c.input, c.more))
		var refusal *teststate.Refusal
		got := ""
		switch {
		case errors.As(err, &refusal):
			if got = refusal.Error(); got != c.want {
				t.Errorf("%s\n     %.300s\nwant %.300s", c.source, got, c.want)
			}
		case err != nil:
			t.Errorf("%s: %v", c.source, err)
		case !strings.HasPrefix(c.want, "{") || !value.Equal(response.Object(true), value.Must(c.want)):
			t.Errorf("%s\n     %s\nwant %s", c.source, value.Compact(response.Object(true)), c.want)
		}
	}
	_, err := teststate.ParseConfiguration(value.Must(`{"errorCausedByState":""}`))
	if err == nil || !strings.Contains(err.Error(),
		"Invalid length for parameter stateConfiguration.errorCausedByState, value: 0, valid min length: 1") {
		t.Errorf("API TestStateConfiguration: an errorCausedByState of no characters: %v", err)
	}
}
