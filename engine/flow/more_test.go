package flow_test

// Cases of the parts of the languages.
var moreCases = []testCase{
	{name: "JSONata: constructors and operators", jsonata: true, want: []string{
		"$states.input.made.z is missing", "$states.input.list[0].z is missing", "$states.input.made.n.x is missing",
	}, states: `
		"A": {"Type": "Pass", "Output": "{% {'made': {'n': -1, 's': 'a' & 'b', 'r': [1..3], 'b': 1 < 2, 'l': [1, 2]}, 'list': [{'a': 1}, {'a': 2}]} %}", "Next": "B"},
		"B": {"Type": "Pass", "Output": {"a": "{% $states.input.made.n + 1 %}", "b": "{% $states.input.made.z %}", "c": "{% $states.input.list[0].a %}", "d": "{% $states.input.list[0].z %}",
			"e": "{% $states.input.made.n.x %}", "f": "{% $states.input.made.l[1] %}", "g": "{% $states.input.list[-1].a ~> $string() %}", "h": "{% $states.input.list^(a).a %}", "i": "{% $states.input.list.* %}"}, "End": true}`},
	{name: "JSONata: parts that may do without", jsonata: true, states: `
		"A": {"Type": "Pass", "Output": {"a": 1}, "Next": "B"},
		"B": {"Type": "Pass", "Output": {"a": "{% $states.input.b and true %}", "b": "{% $states.input.b ? 1 : $states.input.a %}", "c": "{% $count($states.input.b) %}", "d": "{% $not($states.input.b) or false %}",
			"e": "{% $states.input.a in [1, 2] ? 'x' %}", "f": "{% $type($states.input.b) != 'null' %}"}, "End": true}`},
	{name: "JSONata: functions and their variables", jsonata: true, want: []string{"this call can never work: $max takes 1 argument, and this call has 0", "$x.b is missing"}, states: `
		"A": {"Type": "Pass", "Output": {"l": [{"a": 1}], "n": "{% $max() %}"}, "Next": "B"},
		"B": {"Type": "Pass", "Output": {"a": "{% $map($states.input.l, function($x) { $x.b }) %}", "b": "{% ($f := function($y) { $y.c }; $f({'a': 1})) %}", "c": "{% $reduce([1, 2], function($i, $j) { $i + $j }) %}",
			"d": "{% $filter($states.input.l, function($v) { $v.a = 1 }) %}", "e": "{% $substring(?, 1) %}", "f": "{% $keys({'a': 1}) & $split('a', 'b')[0] & $sift({'a': 1}, function($v) { true }).a %}"}, "End": true}`},
	{name: "JSONata: conditions that ask", jsonata: true, want: nil, states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Arguments": {"FunctionName": "f"}, "Output": {"order": {"ok": true}}, "Assign": {"v": 1}, "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Assign": {"e": "{% $states.errorOutput.Error %}"}, "Next": "B"}]},
		"B": {"Type": "Choice", "Default": "G", "Choices": [
			{"Condition": "{% $exists($states.input.order) and $states.input.order.ok = true %}", "Next": "C"}, {"Condition": "{% ($not($exists($states.input.order))) %}", "Next": "D", "Output": "{% $states.input.Error %}"},
			{"Condition": true, "Next": "E"}]},
		"C": {"Type": "Pass", "Output": "{% $states.input.order.ok %}", "Next": "F"}, "D": {"Type": "Pass", "Next": "F"}, "E": {"Type": "Pass", "Next": "F"}, "F": {"Type": "Succeed"},
		"G": {"Type": "Pass", "Output": "{% $states.input.order %}", "Next": "F"}`},
	{name: "JSONata: fields of one type", jsonata: true, want: []string{
		"this expression is the string \"a\", and Seconds takes a number", "this expression is the string \"tomorrow\", and Timestamp takes a timestamp such as 2024-03-14T01:59:00Z", "this expression is a number, and Cause takes a string",
	}, states: `
		"A": {"Type": "Wait", "Seconds": "{% 'a' %}", "Next": "B"}, "B": {"Type": "Wait", "Timestamp": "{% 'tomorrow' %}", "Next": "C"}, "C": {"Type": "Fail", "Error": "{% 'E' %}", "Cause": "{% 1 %}"}`},
	{name: "a Map with a reader", want: []string{"$.max is -1, and MaxItemsPath takes a whole number from 0", "$.key is missing"}, states: `
		"A": {"Type": "Pass", "Result": {"max": -1, "bucket": "b"}, "Next": "B"},
		"B": {"Type": "Map", "End": true, "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON", "MaxItemsPath": "$.max"}, "Parameters": {"Bucket.$": "$.bucket", "Key.$": "$.key"}},
			"ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$.any", "End": true}}}}`},
	{name: "the bounds of a Map", want: []string{"$.c is the string \"many\", and MaxConcurrencyPath takes a whole number from 0", "$.p is 101, and ToleratedFailurePercentagePath takes a number from 0 to 100"}, states: `
		"A": {"Type": "Pass", "Result": {"p": 101, "c": "many", "l": []}, "Next": "B"},
		"B": {"Type": "Map", "ItemsPath": "$.l", "MaxConcurrencyPath": "$.c", "ToleratedFailurePercentagePath": "$.p", "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}}`},
	{name: "the fields of a Fail", want: []string{"NumericEquals always holds: $.n is always 1", "$.n is a number, and ErrorPath takes a string", "$.cause is missing"}, states: `
		"A": {"Type": "Pass", "Result": {"n": 1}, "Next": "B"}, "B": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.n", "NumericEquals": 1, "Next": "C"}]}, "C": {"Type": "Fail", "ErrorPath": "$.n", "CausePath": "States.Format('{}', $.cause)"}`},
	{name: "paths to several values", want: []string{"$.none is missing"}, states: `
		"A": {"Type": "Pass", "Result": {"l": [{"a": 1}, {"a": 2}], "o": {"x": 1}}, "Next": "B"},
		"B": {"Type": "Pass", "Parameters": {"a.$": "$.l[*].a", "b.$": "$.l[0:1].a", "c.$": "$.l[0,1]", "d.$": "$..a", "e.$": "$.o.*", "f.$": "$.l[?(@.a == 1)].a", "g.$": "$.l[*].z", "h": [{"i.$": "$.none"}], "j.$": "$.l[-1].a"}, "End": true}`},
	{name: "intrinsic functions", want: []string{"States.StringToJson: argument 1 must be a string, but is an object"}, states: `
		"A": {"Type": "Pass", "Result": {"l": [1], "o": {"x": 1}, "s": "a"}, "Next": "B"},
		"B": {"Type": "Pass", "Parameters": {"a.$": "States.Array($.s, States.UUID())", "b.$": "States.ArrayGetItem($.l, 0)", "c.$": "States.ArrayContains($.l, 1)", "d.$": "States.ArrayRange(1, 2, 1)", "e.$": "States.StringSplit($.s, ',')",
			"f.$": "States.ArrayUnique($.l)", "g.$": "States.MathAdd(1, 2)", "h.$": "States.StringToJson($.o)"}, "End": true}`},
	{name: "tests of types", want: []string{
		"IsString never holds: $.n is always 1", "IsNull never holds: $.z is always null", "IsNumeric never holds: $.n is always 1",
		"IsBoolean never holds: $.n is always 1", "StringEquals compares a string, and $.n is a number", "BooleanEquals compares a boolean, and $.n is a number", "$.q is missing"}, states: `
		"A": {"Type": "Pass", "Result": {"n": 1, "z": null}, "Next": "B"},
		"B": {"Type": "Choice", "Default": "C", "Choices": [
			{"Variable": "$.n", "StringEquals": "1", "Next": "C"}, {"Variable": "$.n", "BooleanEquals": true, "Next": "C"}, {"Variable": "$.n", "IsString": true, "Next": "D"}, {"Variable": "$.z", "IsNull": false, "Next": "D"},
			{"Variable": "$.n", "IsNumeric": false, "Next": "D"}, {"Variable": "$.n", "IsBoolean": true, "Next": "D"}, {"Variable": "$.n", "NumericGreaterThanPath": "$.q", "Next": "C"}]},
		"C": {"Type": "Succeed"}, "D": {"Type": "Pass", "InputPath": "$.never", "End": true}`},
	{name: "ResultPath into a text", want: []string{"the input is the string \"x\", and ResultPath $.a adds to an object"}, states: `
		"A": {"Type": "Pass", "Result": "x", "Next": "B"}, "B": {"Type": "Pass", "Result": 1, "ResultPath": "$.a", "End": true}`},
	{name: "missing on the usual way and on a catcher's", want: []string{"$.charge.paid is missing: $.charge has only DurableExecutionArn, ExecutedVersion"}, states: `
		"A": {` + lambdaTask + `, "ResultPath": "$.charge", "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]}, "B": {"Type": "Pass", "InputPath": "$.charge.paid", "End": true}`},
	{name: "data that an earlier state dropped", want: []string{"NumericEquals never holds: $.z is always 1", "$.x is missing: $ has only z"}, states: `
		"A": {"Type": "Pass", "Result": {"x": 1}, "Next": "B"}, "B": {"Type": "Pass", "Result": {"y": 1}, "Next": "C"}, "C": {"Type": "Pass", "Result": {"z": 1}, "Next": "D"},
		"D": {"Type": "Choice", "Default": "E", "Choices": [{"Variable": "$.z", "NumericEquals": 2, "Next": "C"}]}, "E": {"Type": "Pass", "InputPath": "$.x", "End": true}`},
	{name: "a member that an earlier state dropped, in JSONata", jsonata: true, want: []string{"$states.input.o.x is missing: $states.input.o has only y"}, states: `
		"A": {"Type": "Pass", "Output": {"o": {"x": 1}}, "Next": "B"}, "B": {"Type": "Pass", "Output": {"o": {"y": 1}}, "Next": "C"}, "C": {"Type": "Pass", "Output": "{% $states.input.o.x %}", "End": true}`},
	{name: "data that were never there", input: `{"a": 1}`, want: []string{"$.q is missing: $ has only c"}, states: `
		"A": {"Type": "Pass", "Result": {"b": 1}, "Next": "B"}, "B": {"Type": "Pass", "Result": {"c": 1}, "Next": "C"}, "C": {"Type": "Pass", "InputPath": "$.q", "End": true}`},
	{name: "data that were perhaps in the input", want: []string{"$.q is missing: $ has only b"}, states: `
		"A": {"Type": "Pass", "Result": {"b": 1}, "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$.q", "End": true}`},
	{name: "a substitution", states: `
		"A": {"Type": "Pass", "Result": {"a": 1}, "Parameters": {"n": "${Number}"}, "Next": "B"}, "B": {"Type": "Task", "Resource": "arn:aws:states:::${Service}:invoke", "Next": "C"}, "C": {"Type": "Pass", "InputPath": "$.any", "End": true}`},
}
