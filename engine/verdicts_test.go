package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

const entered2 = "An error occurred while executing the state 'S' (entered at the event id #2). "

// The answers of Step Functions to faults in the data, as others measured or reported them; source names the repository
// and the issue. A verdict without an Error Name is an output.
func TestVerdictsOnData(t *testing.T) {
	pass := func(template string) string { return single(`"Type":"Pass","Parameters":` + template + `,"End":true`) }
	tests := []struct{ source, definition, input, want string }{
		{"floci-io/floci#3167: an index past the end in a plain template",
			pass(`{"x.$":"$.items[5]"}`), `{"items":[1]}`, `{"x":null}`},
		{"floci-io/floci#3167: an index past the end below the top of a template",
			pass(`{"a":{"x.$":"$.items[5]"}}`), `{"items":[1]}`, `{"a":{"x":null}}`},
		{"floci-io/floci#3167: the same path as an argument",
			pass(`{"x.$":"States.Format('{}', $.items[5])"}`), `{"items":[1]}`, "States.Runtime " + entered2 +
				`The function 'States.Format('{}', $.items[5])' had the following error: The JsonPath argument for the field '$.items[5]' could not be found in the input '{"items":[1]}'`},
		{"floci-io/floci#3167: an argument below an index past the end",
			pass(`{"x.$":"States.Format('{}', $.items[5].x)"}`), `{"items":[1]}`, "States.Runtime " + entered2 +
				`The function 'States.Format('{}', $.items[5].x)' had the following error: The JsonPath argument for the field '$.items[5].x' could not be found in the input '{"items":[1]}'`},
		{"floci-io/floci#3167: a missing argument",
			pass(`{"x.$":"States.Format('{}', $.nope)"}`), `{"a": "b"}`, "States.Runtime " + entered2 +
				`The function 'States.Format('{}', $.nope)' had the following error: The JsonPath argument for the field '$.nope' could not be found in the input '{"a":"b"}'`},
		{"floci-io/floci#3167: the outermost call is named, and the path that is missing",
			pass(`{"x.$":"States.Array(1, States.Format( '{}',$.nope ))"}`), `{}`, "States.Runtime " + entered2 +
				`The function 'States.Array(1, States.Format( '{}',$.nope ))' had the following error: The JsonPath argument for the field '$.nope' could not be found in the input '{}'`},
		{"floci-io/floci#3167: the template of States.Format",
			pass(`{"x.$":"States.Format($.nope, 1)"}`), `{}`, "States.Runtime " + entered2 +
				`The function 'States.Format($.nope, 1)' had the following error: The JsonPath argument for the field '$.nope' could not be found in the input '{}'`},
		{"floci-io/floci (Step Functions Local 2.0.0): the context object",
			pass(`{"x.$":"States.Format('{}', $$.Nope.Deep)"}`), `{}`, "States.Runtime " + entered2 +
				`The function 'States.Format('{}', $$.Nope.Deep)' had the following error: The JsonPath argument for the field '$.Nope.Deep' could not be found in the input '{}'`},
		{"gabrielmoreira/tiny-asl-machine: the whole outer call is quoted, and the function that failed",
			pass(`{"x.$":"States.ArrayLength(States.JsonToString($.items))"}`), `{"items":[1]}`, "States.Runtime " +
				entered2 +
				`There was an error while evaluating the intrinsic function: States.ArrayLength(States.JsonToString($.items)). Invalid arguments in States.ArrayLength`},
		{"gabrielmoreira/tiny-asl-machine: a wrong number of arguments is accepted at creation",
			pass(`{"x.$":"States.MathAdd(1)"}`), `{}`, "States.Runtime " + entered2 +
				`There was an error while evaluating the intrinsic function: States.MathAdd(1). Invalid arguments in States.MathAdd`},
		{"gabrielmoreira/tiny-asl-machine: no catcher takes the fault of a function",
			`{"StartAt":"S","States":{"S":{"Type":"Parallel","Branches":[{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"x.$":"States.MathAdd($.a, 1)"},"End":true}}}],
				"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"End":true},"C":{"Type":"Pass","End":true}}}`, `{"a":"1"}`,
			"States.Runtime An error occurred while executing the state 'A' (entered at the event id #4). " +
				`There was an error while evaluating the intrinsic function: States.MathAdd($.a, 1). Invalid arguments in States.MathAdd`},
		{"floci-io/floci#3167: null is a value",
			pass(`{"x.$":"States.Format('{}', $.a)"}`), `{"a":null}`, `{"x":"null"}`},
		{"floci-io/floci#3167: a wildcard without a match",
			pass(`{"x.$":"States.Format('{}', $.nope[*])"}`), `{}`, `{"x":"[]"}`},
		{"floci-io/floci#3167: an index where there is no array",
			pass(`{"x.$":"States.Format('{}', $.a[0])"}`), `{"a":1}`, "States.Runtime " + entered2 +
				`The function 'States.Format('{}', $.a[0])' had the following error: Filter: [0] can only be applied to arrays. Current context is: 1`},
		{"floci-io/floci#3167: ResultSelector of a Parallel",
			single(`"Type":"Parallel","Branches":[{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}],
				"ResultSelector":{"x.$":"States.Format('{}', $.nope)"},"End":true`), `{"k":1}`, "States.Runtime " + entered2 +
				`The function 'States.Format('{}', $.nope)' had the following error: The JsonPath argument for the field '$.nope' could not be found in the input '[{"k":1}]'`},
		{"floci-io/floci#3167: ItemSelector",
			single(`"Type":"Map","ItemsPath":"$.items","ItemSelector":{"x.$":"States.Format('{}', $.nope)"},
				"ItemProcessor":{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},"End":true`), `{"items":[1]}`, "States.Runtime " + entered2 +
				`The function 'States.Format('{}', $.nope)' had the following error: The JsonPath argument for the field '$.nope' could not be found in the input '{"items":[1]}'`},
		{"aws/aws-cdk#29473: a ResultPath into a number",
			single(`"Type":"Pass","Result":1,"ResultPath":"$.x.y","End":true`), `{"x": 1}`,
			"States.ResultPathMatchFailure " + entered2 + `Unable to apply ReferencePath $.x.y to input "{\"x\":1}"`},
		{"floci-io/floci#3167: no rule matches, and there is no Default",
			`{"StartAt":"S","States":{"S":{"Type":"Choice","Choices":[{"Variable":"$.a","NumericEquals":2,"Next":"E"}]},"E":{"Type":"Succeed"}}}`,
			`{"a":1}`, "States.Runtime " + entered2 +
				"Failed to transition out of the state. The state does not point to a next state."},
		{"localstack/localstack#11980: Variable is absent",
			`{"StartAt":"S","States":{"S":{"Type":"Choice","Choices":[{"Variable":"$.x","NumericEquals":2,"Next":"E"}]},"E":{"Type":"Succeed"}}}`,
			`{"a":1}`, "States.Runtime " + entered2 +
				"Invalid path '$.x': The choice state's condition path references an invalid value."},
		{"floci-io/floci#3255: CausePath is read as a template's path is",
			single(`"Type":"Fail","CausePath":"$.nope"`), `{"a":1}`, "States.Runtime " + entered2 +
				`The JSONPath '$.nope' specified for the field 'CausePath' could not be found in the input '{"a":1}'`},
	}
	for _, test := range tests {
		e, _ := run(t, test.definition, test.input, nil)
		got := "no end"
		switch f := e.Failure(); {
		case f != nil:
			got = f.Name + " " + f.Cause
		case e.Output() != nil:
			got = value.Compact(e.Output())
		}
		if got != test.want {
			t.Errorf("%s\n     %s\nwant %s", test.source, got, test.want)
		}
	}
}

// The published text has no null for an item that is not there, and Causes are the engine's own sentences there.
func TestVerdictsAreNotTheSpecifications(t *testing.T) {
	pass := func(template string) string { return single(`"Type":"Pass","Parameters":` + template + `,"End":true`) }
	e, _ := runIn(t, engine.Spec, pass(`{"x.$":"$.items[5]"}`), `{"items":[1]}`, nil)
	wantFailure(t, e, "States.ParameterPathFailure", "$.items[5]")
	e, _ = runIn(t, engine.Spec, pass(`{"x.$":"States.Format('{}', $.nope)"}`), `{}`, nil)
	wantFailure(t, e, "States.IntrinsicFailure", `$.nope is missing`)
}

// The engine's own sentence is beside the Cause, and never twice.
func TestExplanationBesideTheCause(t *testing.T) {
	pass := func(template string) string { return single(`"Type":"Pass","Parameters":` + template + `,"End":true`) }
	tests := []struct{ definition, want string }{
		{pass(`{"x.$":"States.Format('{}', $.nope)"}`), `$.nope is missing: $ has only a`},
		{pass(`{"x.$":"$.nope"}`), `$.nope is missing: $ has only a`},
		{single(`"Type":"Pass","Result":1,"ResultPath":"$.a.b","End":true`),
			"$.a.b cannot be written: $.a is a number, which cannot have b"},
		{pass(`{"x.$":"States.ArrayGetItem(States.Array(1), 7)"}`),
			"States.ArrayGetItem: index 7 is outside of the array, which has 1 item"},
	}
	for _, test := range tests {
		e, _ := run(t, test.definition, `{"a":1}`, nil)
		got := e.Failure().Explanation()
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.definition, got, test.want)
		}
		if got != "" && strings.Contains(e.Failure().Cause, got) {
			t.Errorf("%s: the Cause has the explanation: %s", test.definition, e.Failure().Cause)
		}
	}
}

// The Error Output that a catcher takes, where the error or the cause is absent.
func TestAbsentErrorAndCause(t *testing.T) {
	const (
		token    = `"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage.waitForTaskToken"`
		activity = `"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a"`
		caught   = `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"End":true},"C":{"Type":"Pass","End":true}}}`
	)
	state := func(fields string) string { return `{"StartAt":"S","States":{"S":{` + fields + caught }
	tests := []struct {
		source, definition string
		outcome            engine.Outcome
		want, spec         string
	}{
		{"localstack/localstack recording: SendTaskFailure without fields", state(token), engine.Outcome{},
			`{"Error":null,"Cause":null}`, `{"Error":"","Cause":""}`},
		{"API SendTaskFailure: without a cause", state(activity), engine.Outcome{Error: "E"},
			`{"Error":"E","Cause":null}`, `{"Error":"E","Cause":""}`},
		{"API SendTaskFailure: without an error", state(token), engine.Outcome{Cause: "c"},
			`{"Error":null,"Cause":"c"}`, `{"Error":"","Cause":"c"}`},
		{"the same, through a Parallel", state(`"Type":"Parallel","Branches":[{"StartAt":"T","States":{"T":{` + token +
			`,"End":true}}}]`), engine.Outcome{},
			`{"Error":null,"Cause":null}`, `{"Error":"States.BranchFailed","Cause":""}`},
		{"localstack/localstack recording: a timeout", state(taskFields + `,"TimeoutSeconds":1`),
			engine.Outcome{Output: value.Null{}, After: time.Hour},
			`{"Error":"States.Timeout","Cause":""}`, `{"Error":"States.Timeout","Cause":""}`},
		{"not measured: another task's error without a cause", state(taskFields), engine.Outcome{Error: "E"},
			`{"Error":"E","Cause":""}`, `{"Error":"E","Cause":""}`},
	}
	for _, test := range tests {
		for dialect, want := range map[engine.Dialect]string{engine.AWS: test.want, engine.Spec: test.spec} {
			e, _ := runIn(t, dialect, test.definition, `{}`, inTurn(test.outcome))
			if e.Status() != engine.Succeeded || value.Compact(e.Output()) != want {
				t.Errorf("%s (%s): %v %s (%v), want %s", test.source, dialect, e.Status(), value.Compact(e.Output()),
					e.Failure(), want)
			}
		}
	}
}

// MaxItems is read as the text of a 64-bit integer, whatever form it has (floci-io/floci, pull requests 3731 and 3732,
// us-east-1).
func TestMaxItemsVerdicts(t *testing.T) {
	const machine = `{"QueryLanguage":"%s","StartAt":"S","States":{"S":{"Type":"Map","ItemReader":{"Resource":"arn:aws:states:::s3:getObject",
		"ReaderConfig":{"InputType":"JSON","%s":"%s"},"%s":{"Bucket":"b","Key":"k"}},
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},%s"End":true}}}`
	tests := []struct{ n, want string }{
		{`"2"`, `[1,2]`}, {`2`, `[1,2]`}, {`0`, `[1,2,3]`}, {`100000001`, `[1,2,3]`},
		{`9223372036854775807`, `[1,2,3]`},
		{`2.0`, "States.Runtime"}, {`1.5`, "States.Runtime"}, {`9223372036854775808`, "States.Runtime"},
		{`"many"`, "States.Runtime"},
		{`-1`, "States.ItemReaderFailed field MaxItems must be positive"},
	}
	check := func(name, definition, input, want string) {
		e := compile(t, definition, engine.AWS).Start(value.Must(input), engine.StartOptions{Seed: 1})
		driveStore(t, e, store{"b/k": `[1,2,3]`}, nil)
		got := ""
		if f := e.Failure(); f != nil {
			got = f.Name + " " + f.Cause
		} else {
			got = value.Compact(e.Output())
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, test := range tests {
		check("MaxItemsPath "+test.n, fmt.Sprintf(machine, "JSONPath", "MaxItemsPath", "$.n", "Parameters",
			`"InputPath":"$.in",`), `{"in":{"n":`+test.n+`}}`, test.want)
		if test.n == "2.0" {
			continue // JSONata makes it 2 on the way
		}
		check("MaxItems "+test.n, fmt.Sprintf(machine, "JSONata", "MaxItems", "{% $states.input.n %}", "Arguments", ""),
			`{"n":`+test.n+`}`, test.want)
	}
	check("an expression without a value", fmt.Sprintf(machine, "JSONata", "MaxItems", "{% $states.input.nope %}",
		"Arguments", ""), `{}`, "States.QueryEvaluationError")
}

// A task in another partition than the execution is a States.Runtime, which no catcher takes (aws/aws-cdk#4597).
func TestOtherPartition(t *testing.T) {
	const definition = `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:%s:lambda:us-east-1:123456789012:function:f","Next":"B"},
		"B":{"Type":"Task","Resource":"arn:aws-cn:states:::sns:publish","Parameters":{},"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"End":true},"C":{"Type":"Pass","End":true}}}`
	china := value.Must(`{"StateMachine":{"Id":"arn:aws-cn:states:cn-north-1:123456789012:stateMachine:S"}}`)
	for _, test := range []struct {
		first   string
		context value.Value
		state   string // that fails
	}{{"aws", nil, "B"}, {"aws-cn", nil, ""}, {"aws", china, "A"}, {"aws-cn", china, ""}} {
		e := compile(t, fmt.Sprintf(definition, test.first), engine.AWS).Start(value.ObjectOf(),
			engine.StartOptions{Context: test.context})
		driveStore(t, e, nil, echo)
		failure := e.Failure()
		switch {
		case test.state == "" && failure != nil:
			t.Errorf("%s: %v", test.first, failure)
		case test.state != "" && (failure == nil || failure.Name != engine.ErrorRuntime ||
			failure.Origin.State.Name != test.state ||
			failure.Reason() != "The resource belongs to a different partition from the running execution."):
			t.Errorf("%s: %v", test.first, failure)
		}
	}
}
