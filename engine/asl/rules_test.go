package asl

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// one returns a machine with the state A alone, whose fields are given.
func one(fields string) string {
	return "{\n  \"StartAt\": \"A\",\n  \"States\": {\n    \"A\": {" + fields + "}\n  }\n}"
}

// choice returns a machine with a Choice state with one rule, whose fields are given.
func choice(rule string) string {
	return "{\"StartAt\": \"A\", \"States\": {\n \"A\": {\"Type\": \"Choice\", \"Choices\": [\n{" + rule +
		"}\n]},\n \"B\": {\"Type\": \"Succeed\"}}}"
}

// task returns a machine with a Task state with the fields in addition to those it needs.
func task(fields string) string {
	return one(`"Type": "Task", "Resource": "a:b", "End": true, ` + fields)
}

// mapState returns a machine with a Map state with the fields in addition to those it needs.
func mapState(fields string) string {
	return one(`"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}, ` + fields)
}

// The texts have a ¶ where the problem is to be reported.
var ruleTests = []struct{ name, rule, text string }{
	{"no JSON", source.RuleMalformed, "{\n ¶StartAt: 1}"},
	{"truncated", source.RuleMalformed, "{\"StartAt\": \"A\"¶"},
	{"empty text", source.RuleMalformed, "¶"},
	{"text after the end", source.RuleMalformed, one(`"Type": "Succeed"`) + " ¶x"},
	{"not an object", rules.Type, `¶[]`},
	{"no StartAt", rules.MissingField, `¶{"States": {"A": {"Type": "Succeed"}}}`},
	{"no States", rules.MissingField, `¶{"StartAt": "A"}`},
	{"empty States", rules.EmptyObject, `{"StartAt": "A", "States": ¶{}}`},
	{"States is an array", rules.Type, `{"StartAt": "A", "States": ¶[]}`},
	{"unknown field of the machine", rules.UnknownField,
		`{"StartAt": "A", ¶"startat": 1, "States": {"A": {"Type": "Succeed"}}}`},
	{"unknown version", rules.Enum, `{"Version": ¶"2.0", "StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`},
	{"query language", rules.Enum, `{"QueryLanguage": ¶"jsonata", "StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`},
	{"machine timeout", rules.Range, `{"TimeoutSeconds": ¶-1, "StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`},
	{"StartAt not found", rules.StartAt, `{"StartAt": ¶"B", "States": {"A": {"Type": "Succeed"}}}`},
	{"StartAt empty", rules.StartAt, `{"StartAt": ¶"", "States": {"A": {"Type": "Succeed"}}}`},
	{"duplicate field", rules.DuplicateKey, one(`"Type": "Pass", "End": true, ¶"End": true`)},
	{"duplicate state", rules.DuplicateKey, "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Succeed\"},\n ¶\"A\": {\"Type\": \"Succeed\"}}}"},
	{"duplicate key in data", rules.DuplicateKey, one(
		`"Type": "Pass", "End": true, "Result": {"a": [{"b": 1, ¶"b": 1}]}`)},
	{"duplicate among many", rules.DuplicateKey, one(
		`"Type": "Pass", "End": true, "Result": {"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"12":1,"13":1,"14":1,"15":1,"16":1,¶"3":1}`)},
	{"name used twice in the machine", rules.DuplicateState,
		one(`"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "A", "States": {¶"A": {"Type": "Succeed"}}}`)},
	{"long name", rules.LongName, `{"StartAt": "` + strings.Repeat("é", 81) + `", "States": {¶"` +
		strings.Repeat("é", 81) + `": {"Type": "Succeed"}}}`},
	{"control character", rules.Name, `{"StartAt": "A\u0007", "States": {¶"A\u0007": {"Type": "Succeed"}}}`},
	{"empty name", rules.Name, `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": ""}, ¶"": {"Type": "Succeed"}}}`},
	{"state is a string", rules.Type, `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Pass", "End": true, "Next": "C"}, "C": ¶"x"}}`},

	{"no Type", rules.MissingField, "{\n  \"StartAt\": \"A\",\n  \"States\": {\n    \"A\": ¶{\"End\": true}}}"},
	{"unknown Type", rules.Enum, one(`"Type": ¶"pass", "End": true`)},
	{"unknown field", rules.UnknownField, one(`"Type": "Pass", ¶"Nxet": "A", "End": true`)},
	{"field of another type", rules.WrongStateType, one(`"Type": "Pass", ¶"Resource": "x:y", "End": true`)},
	{"JSONata field", rules.WrongQueryLanguage, task(`¶"Arguments": {}`)},
	{"JSONPath field", rules.WrongQueryLanguage, task(`"QueryLanguage": "JSONata", ¶"Parameters": {}`)},
	{"JSONPath field in a catcher", rules.WrongQueryLanguage,
		`{"StartAt": "A", "States": {"A": {"QueryLanguage": "JSONata", "Type": "Task", "Resource": "a:b", "Next": "B", "Catch": [{"ErrorEquals": ["x"], "Next": "B", ¶"ResultPath": "$"}]}, "B": {"Type": "Succeed"}}}`},
	{"neither Next nor End", rules.MissingTransition,
		"{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Pass\", \"Next\": \"B\"},\n \"B\": {\"Type\": \"Choice\", \"Default\": \"C\", \"Choices\": [{\"Next\": \"D\", \"Variable\": \"$.x\", \"IsNull\": true}]}, \"D\": {\"Type\": \"Fail\"}, \"C\": ¶{\"Type\": \"Pass\"}}}"},
	{"both Next and End", rules.Exclusive, one(`"Type": "Pass", "Next": "A", ¶"End": true`)},
	{"Next not found", rules.Target, "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Choice\", \"Default\": \"B\", \"Choices\": [\n {\"Variable\": \"$.x\", \"IsNull\": true, \"Next\": ¶\"b\"}]}, \"B\": {\"Type\": \"Succeed\"}}}"},
	{"Default not found", rules.Target, `{"StartAt": "A", "States": {"A": {"Type": "Choice", "Default": ¶"X", "Choices": [{"Variable": "$.x", "IsNull": true, "Next": "B"}]}, "B": {"Type": "Succeed"}}}`},
	{"Catch not found", rules.Target, task(`"Catch": [{"ErrorEquals": ["x"], "Next": ¶"Y"}]`)},
	{"Next leaves the scope", rules.LeavesScope, `{"StartAt": "P", "States": {"P": {"Type": "Parallel", "Next": "B", "Branches": [{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": ¶"B"}, "Z": {"Type": "Succeed"}}}]}, "B": {"Type": "Succeed"}}}`},
	{"unreachable", rules.Unreachable, `{"StartAt": "A", "States": {"A": {"Type": "Succeed"}, ¶"B": {"Type": "Pass", "Next": "A"}}}`},
	{"no end", rules.NoTerminal, `{"StartAt": "A", ¶"States": {"A": {"Type": "Pass", "Next": "A"}}}`},

	{"InputPath", rules.Path, one(`"Type": "Pass", "End": true, "InputPath": ¶"x"`)},
	{"OutputPath is a call", rules.Path, one(`"Type": "Pass", "End": true, "OutputPath": ¶"States.UUID()"`)},
	{"ResultPath with a filter", rules.ReferencePath, one(`"Type": "Pass", "End": true, "ResultPath": ¶"$.a[*]"`)},
	{"ResultPath to the context", rules.ReferencePath, one(`"Type": "Pass", "End": true, "ResultPath": ¶"$$.a"`)},
	{"ResultPath to a variable", rules.ReferencePath, one(`"Type": "Pass", "End": true, "ResultPath": ¶"$a"`)},
	{"ItemsPath null", rules.Type, mapState(`"ItemsPath": ¶null`)},
	{"template", rules.TemplateValue, "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Pass\", \"End\": true, \"Parameters\": {\n  \"a\": [{\"x.$\": ¶\"y\"}]}}}}"},
	{"template without a string", rules.TemplateValue, task(`"ResultSelector": {"x.$": ¶5}`)},
	{"template collision", rules.TemplateCollision, task(`"Parameters": {"x": 1, ¶"x.$": "$.y"}`)},
	{"ResultSelector", rules.Type, task(`"ResultSelector": ¶[]`)},
	{"reserved variable", rules.VariableName, task(`"Assign": {¶"states": 1}`)},
	{"no result before the work", rules.UnsupportedJSONata, `{"QueryLanguage": "JSONata", "StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f",
		"Arguments": {"a": "{% ¶$states.result.x %}"}, "End": true}}}`},
	{"no result in a Pass", rules.UnsupportedJSONata,
		`{"QueryLanguage": "JSONata", "StartAt": "P", "States": {"P": {"Type": "Pass", "Output": [1, "{% ¶$states.result %}"], "End": true}}}`},
	{"no error outside a catcher", rules.UnsupportedJSONata,
		`{"QueryLanguage": "JSONata", "StartAt": "P", "States": {"P": {"Type": "Pass", "Output": "{% ¶$states.errorOutput.Error %}", "End": true}}}`},
	{"JSONata that cannot be read", rules.JSONata,
		`{"QueryLanguage": "JSONata", "StartAt": "P", "States": {"P": {"Type": "Pass", "Output": {"a": ["{% 1 +¶ %}"]}, "End": true}}}`},
	{"shadowed variable", rules.DuplicateVariable,
		scopes(`"Assign": {"x": 1}, "Next": "P"`, `"End": true`, `¶"x.$": "$.y"`)},
	{"shadowed by the state's own in a loop", rules.DuplicateVariable,
		scopes(`"Next": "P"`, `"Assign": {"x": 1}, "Next": "A", "Catch": [{"ErrorEquals": ["E"], "Next": "E"}]}, "E": {"Type": "Succeed"`, `¶"x": 1`)},
	{"shadowed by a catcher in a loop", rules.DuplicateVariable,
		scopes(`"Next": "P"`, `"End": true, "Catch": [{"ErrorEquals": ["States.ALL"], "Assign": {"x": 1}, "Next": "A"}]`, `¶"x": 1`)},
	{"shadowed in a distributed Map", rules.DuplicateVariable, `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Assign": {"x": 1}, "Next": "M"}, "M": {"Type": "Map", "End": true, "ItemProcessor": {
		"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "Assign": {¶"x": 2}, "End": true}}}}}}`},
	{"shadowed two scopes below", rules.DuplicateVariable, scopes(`"Assign": {"x": 1}, "Next": "P"`, `"End": true`,
		`}, "Next": "R"}, "R": {"Type": "Parallel", "Branches": [{"StartAt": "S", "States": {"S": {"Type": "Pass", "Assign": {¶"x": 1}, "End": true}}}], "Assign": {`)},
	{"long variable", rules.VariableName, task(`"Assign": {¶"` + strings.Repeat("v", 81) + `.$": "$.x"}`)},
	{"JSONata not closed", rules.JSONata, task(`"QueryLanguage": "JSONata", "Output": {"a": [¶"{% 1"]}`)},
	{"JSONata not opened", rules.JSONata, task(`"QueryLanguage": "JSONata", "Arguments": {"a": ¶"1 %}"}`)},
	{"Arguments", rules.Type, task(`"QueryLanguage": "JSONata", "Arguments": ¶"x"`)},

	{"no Resource", rules.MissingField, "{\"StartAt\": \"A\", \"States\": {\"A\": ¶{\"Type\": \"Task\", \"End\": true}}}"},
	{"Resource", rules.Resource, one(`"Type": "Task", "Resource": ¶"${x", "End": true`)},
	{"two timeouts", rules.Exclusive, task(`"TimeoutSeconds": 1, ¶"TimeoutSecondsPath": "$.x"`)},
	{"two heartbeats", rules.Exclusive, task(`"HeartbeatSecondsPath": "$.x", ¶"HeartbeatSeconds": 1`)},
	{"timeout 0", rules.Range, task(`"TimeoutSeconds": ¶0`)},
	{"timeout too long", rules.Range, task(`"TimeoutSeconds": ¶100000000`)},
	{"timeout huge", rules.Range, task(`"TimeoutSeconds": ¶1e400`)},
	{"timeout fraction", rules.Type, task(`"TimeoutSeconds": ¶1.5`)},
	{"heartbeat not below timeout", rules.Range, task(`"TimeoutSeconds": 5, "HeartbeatSeconds": ¶5`)},

	{"no Choices", rules.MissingField, `{"StartAt": "A", "States": {"A": ¶{"Type": "Choice", "Default": "B"}, "B": {"Type": "Succeed"}}}`},
	{"empty Choices", rules.EmptyArray, `{"StartAt": "A", "States": {"A": {"Type": "Choice", "Default": "B", "Choices": ¶[]}, "B": {"Type": "Succeed"}}}`},
	{"rule is a string", rules.Type, `{"StartAt": "A", "States": {"A": {"Type": "Choice", "Default": "B", "Choices": [¶"x"]}, "B": {"Type": "Succeed"}}}`},
	{"two operators", rules.ManyOperators, choice(`"Variable": "$.x", "IsNull": true, ¶"IsString": true, "Next": "B"`)},
	{"unknown operator", rules.UnknownField, choice(
		`"Variable": "$.x", "IsNull": true, ¶"StringEqual": "x", "Next": "B"`)},
	{"no path form", rules.UnknownField, choice(`"Variable": "$.x", "IsNull": true, ¶"StringMatchesPath": "$.x", "Next": "B"`)},
	{"no Variable", rules.MissingField, "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Choice\", \"Choices\": [\n ¶{\"IsNull\": true, \"Next\": \"B\"}]}, \"B\": {\"Type\": \"Succeed\"}}}"},
	{"no operator", rules.MissingField, "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Choice\", \"Choices\": [\n ¶{\"Variable\": \"$\", \"Next\": \"B\"}]}, \"B\": {\"Type\": \"Succeed\"}}}"},
	{"no Next in a rule", rules.MissingField, "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Choice\", \"Default\": \"B\", \"Choices\": [\n ¶{\"Variable\": \"$\", \"IsNull\": true}]}, \"B\": {\"Type\": \"Succeed\"}}}"},
	{"Variable and And", rules.Exclusive, choice(`"And": [{"Variable": "$.x", "IsNull": true}], ¶"Variable": "$.x", "Next": "B"`)},
	{"Next inside", rules.WrongStateType, choice(`"Not": {"Variable": "$.x", "IsNull": true, ¶"Next": "B"}, "Next": "B"`)},
	{"empty And", rules.EmptyArray, choice(`"And": ¶[], "Next": "B"`)},
	{"Not with an array", rules.Type, choice(`"Not": ¶[], "Next": "B"`)},
	{"Or with a string", rules.Type, choice(`"Or": [¶"x"], "Next": "B"`)},
	{"wrong operand", rules.Type, choice(`"Variable": "$.x", "NumericEquals": ¶"1", "Next": "B"`)},
	{"wrong timestamp", rules.Timestamp, choice(`"Variable": "$.x", "TimestampLessThan": ¶"2024-01-01", "Next": "B"`)},
	{"operand path", rules.ReferencePath, choice(`"Variable": "$.x", "StringEqualsPath": ¶"x", "Next": "B"`)},
	{"Variable", rules.ReferencePath, choice(`"Variable": ¶"States.UUID()", "IsNull": true, "Next": "B"`)},
	{"Condition with JSONPath", rules.WrongQueryLanguage,
		choice(`"Variable": "$.x", "IsNull": true, ¶"Condition": true, "Next": "B"`)},
	{"Condition", rules.Type, `{"StartAt": "A", "QueryLanguage": "JSONata", "States": {"A": {"Type": "Choice", "Choices": [{"Condition": ¶"x", "Next": "B"}]}, "B": {"Type": "Succeed"}}}`},
	{"Variable with JSONata", rules.WrongQueryLanguage,
		`{"StartAt": "A", "QueryLanguage": "JSONata", "States": {"A": {"Type": "Choice", "Choices": [{"Condition": true, ¶"Variable": "$.x", "Next": "B"}]}, "B": {"Type": "Succeed"}}}`},

	{"Wait without anything", rules.MissingField, "{\"StartAt\": \"A\", \"States\": {\"A\": ¶{\"Type\": \"Wait\", \"End\": true}}}"},
	{"Wait with two", rules.Exclusive, one(`"Type": "Wait", "End": true, "Seconds": 1, ¶"TimestampPath": "$.x"`)},
	{"negative Seconds", rules.Range, one(`"Type": "Wait", "End": true, "Seconds": ¶-1`)},
	{"SecondsPath", rules.ReferencePath, one(`"Type": "Wait", "End": true, "SecondsPath": ¶"$.a[1:2]"`)},
	{"Timestamp", rules.Timestamp, one(`"Type": "Wait", "End": true, "Timestamp": ¶"2016-03-14T01:59:00"`)},
	{"two errors", rules.Exclusive, one(`"Type": "Fail", "Error": "x", ¶"ErrorPath": "$.x"`)},
	{"CausePath", rules.Path, one(`"Type": "Fail", "CausePath": ¶"States.ArrayLength($)"`)},
	{"ErrorPath", rules.Path, one(`"Type": "Fail", "ErrorPath": ¶"x"`)},

	{"no branches", rules.EmptyArray, one(`"Type": "Parallel", "End": true, "Branches": ¶[]`)},
	{"branch is a number", rules.Type, one(`"Type": "Parallel", "End": true, "Branches": [¶1]`)},
	{"unknown field of a branch", rules.UnknownField,
		one(`"Type": "Parallel", "End": true, "Branches": [{"StartAt": "I", ¶"ProcessorConfig": {}, "States": {"I": {"Type": "Succeed"}}}]`)},
	{"two processors", rules.Exclusive, one(`"Type": "Map", "End": true, "Iterator": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, ¶"ItemProcessor": {"StartAt": "J", "States": {"J": {"Type": "Succeed"}}}`)},
	{"two selectors", rules.Exclusive, mapState(`"ItemSelector": {}, ¶"Parameters": {}`)},
	{"mode", rules.Enum, one(`"Type": "Map", "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": ¶"Inline"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}`)},
	{"no execution type", rules.MissingField, one(
		`"Type": "Map", "End": true, "ItemProcessor": {"ProcessorConfig": ¶{"Mode": "DISTRIBUTED"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}`)},
	{"percentage", rules.Range, mapState(`"ToleratedFailurePercentage": ¶100.5`)},
	{"label", rules.Name, mapState(`"Label": ¶"a b"`)},
	{"long label", rules.LongName, mapState(`"Label": ¶"` + strings.Repeat("l", 41) + `"`)},
	{"batcher without size", rules.MissingField, mapState(`"ItemBatcher": ¶{}`)},
	{"batcher with two sizes", rules.Exclusive, mapState(
		`"ItemBatcher": {"MaxItemsPerBatch": 1, ¶"MaxItemsPerBatchPath": "$.x"}`)},
	{"reader without resource", rules.MissingField, mapState(`"ItemReader": ¶{}`)},
	{"reader template", rules.TemplateValue, mapState(
		`"ItemReader": {"Resource": "a:b", "Parameters": {"x.$": ¶"y"}}`)},
	{"input type", rules.Enum, mapState(`"ItemReader": {"Resource": "a:b", "ReaderConfig": {"InputType": ¶"XML"}}`)},
	{"given headers are missing", rules.MissingField,
		mapState(`"ItemReader": {"Resource": "a:b", "ReaderConfig": ¶{"InputType": "CSV", "CSVHeaderLocation": "GIVEN"}}`)},
	{"headers beside the first row", rules.Exclusive,
		mapState(`"ItemReader": {"Resource": "a:b", "ReaderConfig": {"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "CSVHeaders": ¶["a"]}}`)},
	{"a header that is a number", rules.Type, mapState(
		`"ItemReader": {"Resource": "a:b", "ReaderConfig": {"CSVHeaders": ["a", ¶1]}}`)},
	{"delimiter", rules.Enum, mapState(`"ItemReader": {"Resource": "a:b", "ReaderConfig": {"CSVDelimiter": ¶","}}`)},
	{"two bounds of items", rules.Exclusive, mapState(
		`"ItemReader": {"Resource": "a:b", "ReaderConfig": {"MaxItems": 1, ¶"MaxItemsPath": "$.x"}}`)},
	{"negative MaxItems", rules.Range, mapState(`"ItemReader": {"Resource": "a:b", "ReaderConfig": {"MaxItems": ¶-1}}`)},
	{"ItemsPointer", rules.Path, mapState(`"ItemReader": {"Resource": "a:b", "ReaderConfig": {"ItemsPointer": ¶"$.a"}}`)},
	{"an empty batch", rules.Range, mapState(`"ItemBatcher": {"MaxItemsPerBatch": ¶0}`)},
	{"a batch above the quota", rules.Range, mapState(`"ItemBatcher": {"MaxInputBytesPerBatch": ¶262145}`)},
	{"empty writer", rules.MissingField, mapState(`"ResultWriter": ¶{}`)},
	{"writer without parameters", rules.MissingField, mapState(`"ResultWriter": ¶{"Resource": "a:b"}`)},
	{"writer without resource", rules.MissingField, mapState(`"ResultWriter": ¶{"Parameters": {}}`)},
	{"writer without output type", rules.MissingField,
		mapState(`"ResultWriter": {"WriterConfig": ¶{"Transformation": "NONE"}}`)},
	{"writer field", rules.UnknownField, mapState(
		`"ResultWriter": {"Resource": "a:b", "Parameters": {}, ¶"Bucket": "x"}`)},

	{"Retry is an object", rules.Type, task(`"Retry": ¶{}`)},
	{"retrier is a string", rules.Type, task(`"Retry": [¶"x"]`)},
	{"no ErrorEquals", rules.MissingField, task(`"Retry": [¶{"MaxAttempts": 1}]`)},
	{"empty ErrorEquals", rules.EmptyArray, task(`"Retry": [{"ErrorEquals": ¶[]}]`)},
	{"Error Name is a number", rules.Type, task(`"Retry": [{"ErrorEquals": ["x", ¶1]}]`)},
	{"States.ALL not alone", rules.StatesAll, task(`"Retry": [{"ErrorEquals": ¶["x", "States.ALL"]}]`)},
	{"States.ALL not last", rules.StatesAll, task(
		`"Retry": [{"ErrorEquals": ¶["States.ALL"]}, {"ErrorEquals": ["x"]}]`)},
	{"unknown field of a retrier", rules.UnknownField, task(`"Retry": [{"ErrorEquals": ["x"], ¶"MaxAttempt": 1}]`)},
	{"IntervalSeconds", rules.Range, task(`"Retry": [{"ErrorEquals": ["x"], "IntervalSeconds": ¶0}]`)},
	{"MaxAttempts", rules.Range, task(`"Retry": [{"ErrorEquals": ["x"], "MaxAttempts": ¶-1}]`)},
	{"BackoffRate", rules.Range, task(`"Retry": [{"ErrorEquals": ["x"], "BackoffRate": ¶0.9}]`)},
	{"MaxDelaySeconds", rules.Range, task(`"Retry": [{"ErrorEquals": ["x"], "MaxDelaySeconds": ¶31622401}]`)},
	{"JitterStrategy", rules.Enum, task(`"Retry": [{"ErrorEquals": ["x"], "JitterStrategy": ¶"full"}]`)},
	{"no Next in a catcher", rules.MissingField, task(`"Catch": [¶{"ErrorEquals": ["x"]}]`)},
	{"ResultPath of a catcher", rules.ReferencePath,
		task(`"Catch": [{"ErrorEquals": ["x"], "Next": "A", "ResultPath": ¶"x"}]`)},
}

func isError(d Diagnostic) bool { return d.Severity == Error }

func TestRules(t *testing.T) {
	for _, test := range ruleTests {
		t.Run(test.name, func(t *testing.T) {
			before, after, ok := strings.Cut(test.text, "¶")
			if !ok {
				t.Fatal("the test says no place")
			}
			src := &Source{Name: "test.json", Data: []byte(before + after)}
			line, col := value.LineCol([]byte(before), int64(len(before)))
			machine, diagnostics := Parse(src)
			if machine != nil && !slices.ContainsFunc(machine.Refused(rules.AWS), isError) {
				t.Fatal("accepted")
			}
			matches := 0
			for _, d := range diagnostics {
				checkDiagnostic(t, src, d)
				if d.Rule == test.rule && d.Span.Start.Line == line && d.Span.Start.Col == col &&
					d.Span.Start.Offset == len(before) {
					matches++
				}
			}
			if matches != 1 {
				t.Errorf("want one %s at %d:%d, got\n%s", test.rule, line, col, formatAll(src, diagnostics))
			}
			if len(diagnostics) > 1 && !strings.Contains(secondary, test.name+"\n") {
				t.Errorf("more than one problem:\n%s", formatAll(src, diagnostics))
			}
		})
	}
}

// secondary are the tests in which one fault is the cause of another.
const secondary = `
empty States
StartAt not found
StartAt empty
States is an array
state is a string
duplicate state
Next leaves the scope
`

func formatAll(src *Source, diagnostics []Diagnostic) string {
	var out strings.Builder
	for _, d := range diagnostics {
		out.WriteString(d.Format() + "\n")
	}
	return out.String()
}

func TestEveryProblemInOrder(t *testing.T) {
	src := &Source{Name: "t.json", Data: []byte(`{"StartAt": "A", "States": {
 "A": {"Type": "Task", "Resource": 5, "Nxt": "B", "End": "yes", "TimeoutSeconds": -1},
 "B": {"Type": "Wait", "Seconds": 1, "Next": "C"},
 "C": {"Type": "Fale"}}, "Foo": 1}`)}
	_, diagnostics := Parse(src)
	var got []string
	for i, d := range diagnostics {
		got = append(got, d.Rule)
		if i > 0 && d.Span.Start.Offset < diagnostics[i-1].Span.Start.Offset {
			t.Errorf("%s comes after %s", diagnostics[i-1].Rule, d.Rule)
		}
	}
	want := "wrong-type unknown-field wrong-type value-out-of-range not-in-enum unknown-field"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s\n%s", got, want, formatAll(src, diagnostics))
	}
}

// Pointers of wrong values, and suggestions.
func TestPointersAndSuggestions(t *testing.T) {
	tests := []struct{ text, pointer, suggestion string }{
		{one(`"Type": "Pass", "Nxet": "A", "End": true`), "/States/A/Nxet", `did you mean "Next"?`},
		{one(`"Type": "pass", "End": true`), "/States/A/Type", `did you mean "Pass"?`},
		{`{"StartAt": "Chekout", "States": {"Checkout": {"Type": "Succeed"}}}`, "/StartAt", `did you mean "Checkout"?`},
		{`{"StartAt": "a/~b", "States": {"a/~b": {"Type": "Pass", "Next": "a~b"}, "c": {"Type": "Succeed"}}}`,
			"/States/a~1~0b/Next", `did you mean "a/~b"?`},
		{choice(`"Or": [{"Variable": "$.x", "IsNul": true}], "Next": "B"`), "/States/A/Choices/0/Or/0/IsNul",
			`did you mean "IsNull"?`},
		{task(`"Retry": [{"ErrorEquals": ["x"], "MaxAttempt": 1}]`), "/States/A/Retry/0/MaxAttempt",
			`did you mean "MaxAttempts"?`},
		{task(`"TimeoutSeconds": 1, "TimeoutSecondsPath": "$.x"`), "/States/A", "remove one of them"},
		{one(`"Type": "Task", "End": true`), "/States/A", ""},
	}
	for _, test := range tests {
		_, diagnostics := Parse(&Source{Data: []byte(test.text)})
		found := false
		for _, d := range diagnostics {
			found = found || d.Pointer == test.pointer && d.Suggestion == test.suggestion
		}
		if !found {
			t.Errorf("%s\nwant %s, %q\ngot %+v", test.text, test.pointer, test.suggestion, diagnostics)
		}
	}
}

// scopes is a definition with a Pass state A, a Parallel state P, and in that a Pass state with the variables.
func scopes(a, p, inner string) string {
	return `{"StartAt": "A", "States": {"A": {"Type": "Pass", ` + a + `}, "P": {"Type": "Parallel", "Branches": [` +
		`{"StartAt": "Q", "States": {"Q": {"Type": "Pass", "Assign": {` + inner + `}, "End": true}}}], ` + p + `}}}`
}

// A variable that is assigned only behind a Parallel or Map state may have the name of one inside of it (measured).
func TestVariablesOfTheSameName(t *testing.T) {
	for _, text := range []string{
		scopes(`"Next": "P"`, `"Assign": {"x": 1}, "End": true`, `"x": 1`),
		scopes(`"Next": "P"`, `"Next": "B"`, `"x": 1`),
		scopes(`"Next": "P"`, `"End": true, "Catch": [{"ErrorEquals": ["States.ALL"], "Assign": {"x": 1}, "Next": "B"}]`, `"x": 1`),
	} {
		text = strings.Replace(text, `"P": {`, `"B": {"Type": "Pass", "Assign": {"x": 2}, "End": true}, "P": {`, 1)
		_, diagnostics := Parse(&Source{Data: []byte(text)})
		for _, d := range diagnostics {
			if d.Rule == rules.DuplicateVariable {
				t.Errorf("%s\n%s", text, d.Format())
			}
		}
	}
}

func TestWarnings(t *testing.T) {
	tests := []struct{ text, rule string }{
		{task(`"Assign": {"not-a-name": 1}`), rules.VariableName},
		{`{"StartAt": "A", "States": {"A": {"Type": "Succeed"}, "B": {"Type": "Pass", "Next": "C"}, "C": {"Type": "Pass", "Next": "B"}}}`, rules.NoWayFromStart},
		{`{"StartAt": "A", "States": {"A": {"Type": "Succeed"}, "B": {"Type": "Pass", "Next": "B"}}}`,
			rules.NoWayFromStart},
		{one(`"Type": "Task", "Resource": "charge", "End": true`), rules.Resource},
		{task(`"Credentials": {}`), rules.MissingField},
		{one(`"Type": "Succeed", "Comment": "` + strings.Repeat("x", MaxServiceCharacters) + `"`), source.RuleTooLarge},
	}
	for _, test := range tests {
		machine, diagnostics := Parse(&Source{Data: []byte(test.text)})
		if machine == nil || len(diagnostics) != 1 || diagnostics[0].Severity != Warning ||
			diagnostics[0].Rule != test.rule {
			t.Errorf("want a %s warning, got %.300v", test.rule, diagnostics)
		}
	}
}

func TestFormat(t *testing.T) {
	format := func(text string) string {
		src := &Source{Name: "order.asl.json", Data: []byte(text)}
		_, diagnostics := Parse(src)
		if len(diagnostics) == 0 {
			t.Fatalf("no problem in %s", text)
		}
		return diagnostics[0].Format()
	}
	got := format("{\r\n\t\"StartAt\": \"Bill\",\r\n  \"States\": {\"Bil\": {\"Type\": \"Succeed\"}}}")
	want := `order.asl.json:2:13: error: Missing 'StartAt' target: there is no state "Bill" [start-at-not-found]
 2 |  "StartAt": "Bill",
   |             ^^^^^^
   = did you mean "Bil"?`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	got = format("\xef\xbb\xbf{\"StartAt\": \"状态\", \"States\": {\"状态\": {\"Type\": \"Succeed\", \"x\": 1}}}")
	want = `order.asl.json:1:56: error: a Succeed state has no field "x" [unknown-field]
 1 | {"StartAt": "状态", "States": {"状态": {"Type": "Succeed", "x": 1}}}
   |                                                            ^^^`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	long := format(`{"Comment": "` + strings.Repeat("c", 5000) +
		`", "Foo": 1, "StartAt": "A", "States": {"A": {"Type": "Succeed", "Comment": "` + strings.Repeat("d", 5000) +
		`"}}}`)
	lines := strings.Split(long, "\n")
	if len(lines) != 3 || len([]rune(lines[1])) > 110 || !strings.Contains(lines[1], `"Foo": 1`) {
		t.Fatalf("a long line is shown as\n%s", long)
	}
	if at := len([]rune(lines[1][:strings.Index(lines[1], `"Foo"`)])); strings.Index(lines[2], "^") != at {
		t.Errorf("the caret is not below the place:\n%s", long)
	}

	if escape := format("{\"a\x1b[31m\": 1}"); strings.Contains(escape, "\x1b") {
		t.Errorf("a control character gets through: %q", escape)
	}
}

// A word without quotes in a filter is a warning, wherever the path is.
func TestUnquotedWords(t *testing.T) {
	for _, text := range []string{
		one(`"Type": "Pass", "End": true, "InputPath": ¶"$.a[?(@.b == Receipt)]"`),
		task(`"Parameters": {"x": [{"y.$": ¶"$.a[?(@.b==Receipt)]"}]}`),
		task(`"ResultSelector": {"x.$": ¶"States.ArrayLength($.a[?(@.b == Receipt)])"}`),
		one(`"Type": "Wait", "End": true, "SecondsPath": "$.n", "OutputPath": ¶"$.a[?(@.b == Receipt)]"`),
	} {
		before, after, _ := strings.Cut(text, "¶")
		src := &Source{Name: "test.json", Data: []byte(before + after)}
		machine, diagnostics := Parse(src)
		if machine == nil || len(diagnostics) != 1 || len(machine.Differences) != 1 {
			t.Errorf("%s:\n%s", text, formatAll(src, diagnostics))
			continue
		}
		d := diagnostics[0]
		checkDiagnostic(t, src, d)
		if d.Rule != rules.UnquotedWord || d.Severity != Warning || d.Span.Start.Offset != len(before) ||
			!strings.Contains(d.Message, "AWS's answer is not known; compared as text here") {
			t.Errorf("%s:\n%s", text, d.Format())
		}
		for _, dialect := range []rules.Dialect{rules.Spec, rules.Spec2020, rules.Spec2016} {
			refused := machine.Refused(dialect)
			if len(refused) != 1 || refused[0].Severity != Error ||
				!strings.HasSuffix(refused[0].Message, ", in the dialect "+dialect.String()) {
				t.Errorf("%s: %+v", dialect, refused)
			}
		}
	}
}

// TestServiceOperators: the service lists every operator that there is.
func TestServiceOperators(t *testing.T) {
	listed, there := slices.Sorted(slices.Values(serviceOperators)), slices.Sorted(slices.Values(operatorFields()))
	if !slices.Equal(listed, there) {
		t.Errorf("listed %q\nin the table %q", listed, there)
	}
}
