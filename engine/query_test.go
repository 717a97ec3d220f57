package engine_test

import (
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// query is a definition in JSONata of one state called S, which has the fields given as JSON members.
func query(fields string) string {
	return `{"QueryLanguage":"JSONata","StartAt":"S","States":{"S":{` + fields + `}}}`
}

// States in JSONata (sections "Using JSONata" and "Variables").
func TestQueryStates(t *testing.T) {
	tests := []struct {
		name, definition, input string
		answer                  answers
		output                  string
	}{
		{
			"one Assign sees the variables as they were",
			`{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"a":1,"b":2},"Next":"B"},
				"B":{"Type":"Pass","Assign":{"a":"{% $b %}","b":"{% $a %}"},"Output":"{% [$a, $b] %}","Next":"C"},
				"C":{"Type":"Pass","Output":{"before":"{% $states.input %}","after":"{% [$a, $b] %}"},"End":true}}}`,
			`{}`, nil, `{"before":[1,2],"after":[2,1]}`,
		},
		{
			"numbers as the service has them", query(
				`"Type":"Pass","Output":{"inf":"{% 1/0 %}","n":"{% $states.input.n %}","r":"{% $random(42) %}"},"End":true`),
			`{"n":1.0}`, nil, `{"inf":"Infinity","n":1,"r":0.7275636800328681}`,
		},
		{"a blank before makes a literal", query(`"Type":"Pass","Output":" {% 1 %}","End":true`), `{}`, nil,
			`" {% 1 %}"`},
		{"a sequence of one", query(`"Type":"Pass","Output":"{% $range(1,9,9) %}","End":true`), `{}`, nil, `1`},
		{"no Output: the input", query(`"Type":"Pass","End":true`), `{"a":1}`, nil, `{"a":1}`},
		{"no Output: the result", query(taskFields + `,"Arguments":{"x":"{% $states.input.a %}"},"End":true`),
			`{"a":1}`, nil, `{"x":1}`},
		{
			"result and input in Output", query(taskFields +
				`,"Arguments":"{% {'n': $states.input.n + 1} %}","Output":{"was":"{% $states.input.n %}","is":"{% $states.result.n %}"},"End":true`),
			`{"n":1}`, nil, `{"was":1,"is":2}`,
		},
		{
			"a catcher's Output", `{"QueryLanguage":"JSONata","StartAt":"S","States":{"S":{` + taskFields + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C",
				"Output":{"e":"{% $states.errorOutput.Error %}","in":"{% $states.input %}"},"Assign":{"cause":"{% $states.errorOutput.Cause %}"}}],"End":true},
				"C":{"Type":"Pass","Output":{"got":"{% $states.input %}","cause":"{% $cause %}"},"End":true}}}`,
			`5`, inTurn(fails("X")), `{"got":{"e":"X","in":5},"cause":"because"}`,
		},
		{
			"a Choice with Output and Assign of the rule", `{"QueryLanguage":"JSONata","StartAt":"S","States":{"S":{"Type":"Choice","Default":"D","Output":"default",
				"Choices":[{"Condition":"{% $states.input.n > 5 %}","Next":"D","Output":{"big":"{% $states.input.n %}"},"Assign":{"big":true}},{"Condition":false,"Next":"D"}]},
				"D":{"Type":"Pass","Output":"{% [$states.input, $exists($big)] %}","End":true}}}`,
			`{"n":6}`, nil, `[{"big":6},true]`,
		},
		{
			"a Choice by Default", `{"QueryLanguage":"JSONata","StartAt":"S","States":{"S":{"Type":"Choice","Default":"D","Output":"default",
				"Choices":[{"Condition":"{% $states.input.n > 5 %}","Next":"D"}]},"D":{"Type":"Succeed"}}}`,
			`{"n":1}`, nil, `"default"`,
		},
		{
			"a Map", query(`"Type":"Map","Items":"{% $states.input.list %}","MaxConcurrency":"{% 1 + 1 %}",
				"ItemSelector":{"i":"{% $states.context.Map.Item.Index %}","v":"{% $states.context.Map.Item.Value %}","all":"{% $count($states.input.list) %}"},
				"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"Output":"{% $states.result.v %}","End":true`),
			`{"list":[7,8]}`, nil, `[7,8]`,
		},
		{
			"a Parallel", query(`"Type":"Parallel","Arguments":{"a":1},"Branches":[{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}],
				"Output":{"first":"{% $states.result[0] %}"},"End":true`),
			`{}`, nil, `{"first":{"a":1}}`,
		},
		{"a Wait", query(`"Type":"Wait","Seconds":"{% $states.input.s %}","End":true`), `{"s":90}`, nil, `{"s":90}`},
		{"the context object", query(`"Type":"Pass","Output":"{% $states.context.State.Name %}","End":true`), `{}`, nil,
			`"S"`},
		{"parts without an expression", query(`"Type":"Pass","Output":{"a":[1,"x",{"b":null}],"{% not a key %}":"{% 1 %}"},"End":true`), `{}`, nil, `{"a":[1,"x",{"b":null}],"{% not a key %}":1}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, _ := run(t, test.definition, test.input, test.answer)
			wantOutput(t, e, test.output)
		})
	}
}

// A fault says the expression and the place of it, in Step Functions' words.
func TestQueryFaults(t *testing.T) {
	tests := []struct{ name, definition, input, field, cause string }{
		{
			"an undefined variable", query(`"Type":"Pass","Output":{"r":"{% $nope %}"},"End":true`), `{}`,
			"Output/r", "An error occurred while executing the state 'S' (entered at the event id #2). The JSONata expression '$nope' specified for the field 'Output/r' returned nothing (undefined).",
		},
		{"in an array", query(`"Type":"Pass","Output":{"a":{"b":[1,"{% $states.input.no %}"]}},"End":true`), `{}`,
			"Output/a/b[1]", "'Output/a/b[1]' returned nothing"},
		{"a thrown error", query(`"Type":"Pass","Output":"{% $sum('x') + $nofunction(1) %}","End":true`), `{}`,
			"Output", "threw an error during evaluation. T"},
		{
			"a limit of the service", query(`"Type":"Pass","Output":"{% $count([1..873783]) %}","End":true`), `{}`,
			"Output",
			"The JSONata expression '$count([1..873783])' specified for the field 'Output' threw an error during evaluation: Expression evaluation memory limit exceeded: Check for excessive memory usage",
		},
		{"an error inside of the service", query(`"Type":"Pass","Output":"{% $base64decode('!!!') %}","End":true`),
			`{}`, "Output", "threw an internal error during evaluation. "},
		{"a function", query(`"Type":"Pass","Output":"{% function($x){$x} %}","End":true`), `{}`, "Output",
			"returned an unsupported result type."},
		{"Arguments", query(taskFields + `,"Arguments":{"x":"{% $no %}"},"End":true`), `{}`, "Arguments/x",
			"'Arguments/x' returned nothing"},
		{"Assign", query(`"Type":"Pass","Assign":{"x":"{% $no %}"},"End":true`), `{}`, "Assign/x",
			"'Assign/x' returned nothing"},
		{
			"a Condition", `{"QueryLanguage":"JSONata","StartAt":"S","States":{"S":{"Type":"Choice","Choices":[{"Condition":false,"Next":"D"},{"Condition":"{% 1 %}","Next":"D"}]},"D":{"Type":"Succeed"}}}`,
			`{}`, "Choices[1]/Condition", "returned an unexpected result type. Expected 'boolean', but was 'number' for value: 1",
		},
		{
			"Items", query(`"Type":"Map","Items":"{% 1 %}","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`), `{}`,
			"Items", "The JSONata expression '1' specified for the field 'Items' returned an unexpected result type. Expected 'array', but was 'number' for value: 1",
		},
		{
			"a Map's input", query(`"Type":"Map","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`), `"string"`,
			"", `Map state input must be an array but was: "string"`,
		},
		{"a timestamp", query(`"Type":"Wait","Timestamp":"{% $states.input %}","End":true`), `"2016-12-05 21:29:29Z"`,
			"Timestamp", "The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: 2016-12-05 21:29:29Z"},
		{"a time limit", query(taskFields + `,"TimeoutSeconds":"{% 'x' %}","End":true`), `{}`, "TimeoutSeconds",
			"The JSONata expression ''x'' specified for the field 'TimeoutSeconds' returned an unexpected result type. Expected 'number', but was 'string' for value: \"x\""},
		{"a time limit out of range", query(taskFields + `,"TimeoutSeconds":"{% 100000000 %}","End":true`), `{}`,
			"TimeoutSeconds", "TimeoutSeconds must be between 0 and 99999999 but was: 100000000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, _ := run(t, test.definition, test.input, nil)
			wantFailure(t, e, "States.QueryEvaluationError", test.cause)
			if got := e.Failure().Field; got != test.field {
				t.Errorf("the field is %q, want %q", got, test.field)
			}
		})
	}
}

// In dialect spec, JSONata is the reference implementation's.
func TestQueryDialects(t *testing.T) {
	definition := query(`"Type":"Pass","Output":"{% [$count([1..900000]), $states.input.n] %}","End":true`)
	e, _ := runIn(t, engine.Spec, definition, `{"n":1.0}`, nil)
	wantOutput(t, e, `[900000,1.0]`)
	e, _ = runIn(t, engine.Spec, query(`"Type":"Pass","Output":"{% 1/0 %}","End":true`), `{}`, nil)
	wantFailure(t, e, "States.QueryEvaluationError", "D1001: Number out of range")
	e, _ = run(t, query(`"Type":"Pass","Output":"{% 1/0 %}","End":true`), `{}`, nil)
	wantOutput(t, e, `"Infinity"`)
}

func TestQueryFaultsAreCaughtAndRetried(t *testing.T) {
	definition := `{"QueryLanguage":"JSONata","StartAt":"S","States":{"S":{` + taskFields + `,"Output":"{% $states.result.no %}",
		"Retry":[{"ErrorEquals":["States.QueryEvaluationError"],"MaxAttempts":2}],
		"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"End":true},"C":{"Type":"Pass","Output":"{% $states.input.Error %}","End":true}}}`
	e, events := run(t, definition, `{}`, nil)
	wantOutput(t, e, `"States.QueryEvaluationError"`)
	if n := count(events, engine.TaskScheduled); n != 3 {
		t.Errorf("%d attempts, want 3", n)
	}
}

// The time and the random numbers of an expression are the execution's.
func TestQueriesAreDeterministic(t *testing.T) {
	machine := compile(t, query(`"Type":"Pass","Output":{"id":"{% $uuid() %}","r":"{% $random() %}","now":"{% $now() %}"},"End":true`), engine.AWS)
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	once := func(seed int64) string {
		e := machine.Start(value.Must(`{}`), engine.StartOptions{Start: start, Seed: seed})
		drive(t, e, nil)
		if e.Status() != engine.Succeeded {
			t.Fatal(e.Failure())
		}
		return value.Compact(e.Output())
	}
	first := once(1)
	if again := once(1); again != first {
		t.Errorf("the same seed gave %s and %s", first, again)
	}
	if other := once(2); other == first {
		t.Error("another seed gave the same")
	}
	if !strings.Contains(first, `"now":"2026-01-02T03:04:05.000Z"`) {
		t.Errorf("$now is not the virtual time: %s", first)
	}
}

// A state may choose JSONata in a JSONPath machine; the other way round Step Functions refuses.
func TestMixedQueryLanguages(t *testing.T) {
	e, _ := run(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","QueryLanguage":"JSONata","Output":{"x":"{% 1 + 1 %}"},"Assign":{"v":3},"Next":"B"},
		"B":{"Type":"Pass","Parameters":{"x.$":"$.x","v.$":"$v"},"End":true}}}`, `{}`, nil)
	wantOutput(t, e, `{"x":2,"v":3}`)
	src := &source.File{Name: "mixed", Data: []byte(
		`{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","QueryLanguage":"JSONPath","End":true}}}`)}
	definition, _ := asl.Parse(src)
	if definition == nil {
		t.Fatal("the definition is refused before it is compiled")
	}
	if _, err := engine.Compile(definition, engine.AWS); err == nil ||
		!strings.Contains(err.Error(), "'QueryLanguage' can not be 'JSONPath'") {
		t.Errorf("compiled for AWS: %v", err)
	}
	if _, err := engine.Compile(definition, engine.Spec); err != nil {
		t.Errorf("compiled for the specification: %v", err)
	}
}
