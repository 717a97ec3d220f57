package lsp

import (
	"slices"
	"strings"
	"testing"
)

// offered returns the completions at the place of ¦ in a document as lines "label = detail".
func offered(t *testing.T, e *editor, name, text string) (lines []string) {
	t.Helper()
	var list completionList
	e.must("textDocument/completion", e.open(name, text), &list)
	for _, item := range list.Items {
		lines = append(lines, item.Label+" = "+item.Detail)
	}
	return lines
}

// has checks that each wanted line is among others; those behind ! must not be the beginning of one.
func has(t *testing.T, about string, got, want []string) {
	t.Helper()
	for _, line := range want {
		if without, not := strings.CutPrefix(line, "!"); not {
			if slices.ContainsFunc(got, func(one string) bool { return strings.HasPrefix(one, without) }) {
				t.Errorf("%s: %q is in\n%s", about, without, strings.Join(got, "\n"))
			}
		} else if !slices.Contains(got, line) {
			t.Errorf("%s: no %q in\n%s", about, line, strings.Join(got, "\n"))
		}
	}
}

// TestCompletionFromShapes: what the definition alone tells of the data is completed, without fixtures: of
// each item its type,
// whether it is always there, and the state that has made it.
func TestCompletionFromShapes(t *testing.T) {
	const order = `"A": {"Type": "Pass", "Result": {"id": 1, "name": "n"}, "ResultPath": "$.order", "Next": "L"},
		"L": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"},
			"ResultPath": "$.loaded", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}], "Next": "B"},
		`
	const query = `"A": {"Type": "Task", "QueryLanguage": "JSONata", "Resource": "arn:aws:states:::dynamodb:getItem",
		"Arguments": {"TableName": "t", "Key": {}}, `
	const row = query + `"Assign": {"row": "{% $states.result.Item %}", "n": 1}, "Next": "B"}, `
	const calls = `"A": {"Type": "Pass", "Result": {"items": [{"name": "n", "price": 1, "tags": [{"t": true}]}]},
		"Next": "B"}, "B": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% `
	const items = calls + `$states.input.items`
	e := begin(t, nil)
	for _, test := range []struct {
		name, states string
		want         []string
	}{
		{"a payload template", order + `"B": {"Type": "Pass", "Parameters": {"x.$": "$.order.¦"}, "End": true}`,
			[]string{"$.order.id = number; made by A (line 1); missing on the way by catcher 1 of L",
				"$.order.name = string; made by A (line 1); missing on the way by catcher 1 of L"}},
		{"a Path", order + `"B": {"Type": "Wait", "SecondsPath": "$.order.¦", "End": true}`,
			[]string{"$.order.id = number; made by A (line 1); missing on the way by catcher 1 of L"}},
		{"a rule", order + `"B": {"Type": "Choice", "Choices": [{"Variable": "$.¦", "IsPresent": true, "Next": "A"}]}`,
			[]string{"$.Error = string or null, or any other; made by L (line 3)"}},
		{"the way that is left", order[:len(order)-3] + `, "M": {"Type": "Pass", "Parameters": {"x.$": "$.loaded.¦"},
			"End": true}`, nil},
		{"a result", `"A": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem",
			"Parameters": {"TableName": "t", "Key": {}},
			"ResultSelector": {"x.$": "$.¦"}, "End": true}`,
			[]string{"$.Item = object; made by A (line 1); may be missing"}},
		{"$states.input", `"A": {"Type": "Pass", "Result": {"a": {"b": true}}, "Next": "B"},
			"B": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": {"c": "{% 1 + $states.input.a.¦ %}"},
				"End": true}`,
			[]string{"$states.input.a.b = boolean; always; made by A (line 1)"}},
		{"$states.result", query + `"Output": "{% $states.result.¦ %}", "End": true}`,
			[]string{"$states.result.Item = object; made by A (line 1); may be missing"}},
		{"$states of a task", query + `"Output": "{% $states.¦ %}", "End": true}`,
			[]string{"$states.result = object; always; made by A (line 1)", "!$states.errorOutput"}},
		{"Arguments have no result", `"A": {"Type": "Task", "QueryLanguage": "JSONata",
			"Resource": "arn:aws:states:::dynamodb:getItem",
			"Arguments": {"TableName": "{% $states.¦ %}", "Key": {}}, "End": true}`, []string{"!$states.result"}},
		{"$states.errorOutput", query + `"Catch": [{"ErrorEquals": ["States.ALL"],
			"Output": "{% $states.errorOutput.¦ %}", "Next": "Z"}], "End": true}, "Z": {"Type": "Succeed"}`,
			[]string{"$states.errorOutput.Error = string or null; always; made by A (line 2)"}},
		{"no result in a catcher", query + `"Catch": [{"ErrorEquals": ["States.ALL"], "Output": "{% $states.¦ %}",
			"Next": "Z"}], "End": true}, "Z": {"Type": "Succeed"}`,
			[]string{"!$states.result"}},
		{"$states.context", query + `"Output": "{% $states.context.¦ %}", "End": true}`,
			[]string{"$states.context.Execution = object; always"}},
		{"the context object", `"A": {"Type": "Pass", "Parameters": {"x.$": "$$.Execution.¦"}, "End": true}`,
			[]string{"$$.Execution.Id = string; always", "!$$.Execution.Map"}},
		{"the item of a Map", `"A": {"Type": "Pass", "Result": [{"sku": "a"}], "Next": "M"}, "M": {"Type": "Map",
			"End": true,
			"ItemSelector": {"x.$": "$$.Map.Item.Value.¦"}, "ItemProcessor": {"StartAt": "P",
				"States": {"P": {"Type": "Pass", "End": true}}}}`,
			[]string{"$$.Map.Item.Value.sku = string; always; made by A (line 1)"}},
		{"in the iterations of a Map", `"A": {"Type": "Pass", "Result": [{"sku": "a"}], "Next": "M"},
			"M": {"Type": "Map", "End": true,
			"ItemProcessor": {"StartAt": "P", "States": {"P": {"Type": "Pass", "OutputPath": "$.¦", "End": true}}}}`,
			[]string{"$.sku = string; always; made by A (line 1)"}},
		{"a variable's member", `"A": {"Type": "Pass", "Assign": {"cart": {"total": 1, "lines": []}}, "Next": "B"},
			"B": {"Type": "Pass", "Parameters": {"x.$": "$cart.¦"}, "End": true}`,
			[]string{"$cart.lines = array; always; made by A (line 1)",
				"$cart.total = number; always; made by A (line 1)"}},
		{"variables in JSONata", row + `"B": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $¦ %}",
			"End": true}`,
			[]string{"$row = object; always; made by A (line 2)", "$n = number; always; made by A (line 2)"}},
		{"a variable of one way", `"C": {"Type": "Choice", "QueryLanguage": "JSONata",
			"Choices": [{"Condition": "{% $states.input.a %}", "Next": "X"}], "Default": "B"},
			"X": {"Type": "Pass", "Assign": {"x": 1}, "Next": "B"}, "A": {"Type": "Pass", "Next": "C"},
			"B": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $x¦ %}", "End": true}`,
			[]string{"$x = number; made by X (line 3); may be missing"}},
		{"no variable that is assigned later", `"A": {"Type": "Pass", "QueryLanguage": "JSONata",
			"Output": "{% $¦ %}", "Next": "B"},
			"B": {"Type": "Pass", "Assign": {"later": 1}, "End": true}`, []string{"!$later"}},
		{"no variable of the state itself", `"A": {"Type": "Pass", "Assign": {"own": 1}, "OutputPath": "$¦",
			"End": true}`, []string{"!$own"}},
		{"no variable in a distributed Map", `"A": {"Type": "Pass", "Assign": {"outer": 1}, "Next": "M"},
			"M": {"Type": "Map", "End": true, "ItemProcessor":
			{"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "P",
				"States": {"P": {"Type": "Pass", "OutputPath": "$¦", "End": true}}}}`,
			[]string{"!$outer"}},
		{"a predicate's path", items + `[price > 1].na¦ %}", "End": true}`,
			[]string{"name = string; always; made by A (line 1)", "!price", "!$"}},
		{"in a predicate", items + `[pr¦ %}", "End": true}`, []string{"price = number; always; made by A (line 1)"}},
		{"a predicate in a predicate", items + `[price > 1 and tags[¦ %}", "End": true}`,
			[]string{"t = boolean; always; made by A (line 1)"}},
		{"a lambda's parameter", calls + `$map($states.input.items, function($o){ $o.¦ %}", "End": true}`,
			[]string{"name = string; always; made by A (line 1)", "price = number; always; made by A (line 1)"}},
		{"behind $filter", calls + `$filter($states.input.items, function($o){ $o.price > 1 }).¦ %}", "End": true}`,
			[]string{"name = string; always; made by A (line 1)"}},
		{"$sort", calls + `$sort($states.input.items, function($a, $b){ $a.price > $b.¦ %}", "End": true}`,
			[]string{"price = number; always; made by A (line 1)"}},
		{"$reduce", calls + `$reduce($states.input.items, function($sum, $o){ $sum + $o.¦ %}", "End": true}`,
			[]string{"price = number; always; made by A (line 1)"}},
		{"an application", calls + `$states.input.items ~> $map(function($o){ $o.¦ %}", "End": true}`,
			[]string{"price = number; always; made by A (line 1)"}},
		{"what $map makes", calls +
			`$map($states.input.items, function($o){ {'cost': $o.price} }).¦ %}", "End": true}`,
			[]string{"cost = number; always; made by A (line 1)", "!price"}},
		{"a block's variable", calls + `($x := $states.input.items[0]; $x.¦ %}", "End": true}`,
			[]string{"price = number; always; made by A (line 1)"}},
		{"no function without a shape", calls + `$map($unknown(), function($o){ $o.¦ %}", "End": true}`,
			[]string{"!name", "!price"}},
		{"items of an array", `"A": {"Type": "Pass", "Result": {"list": [{"sku": "a"}]}, "Next": "B"},
			"B": {"Type": "Pass", "Parameters": {"x.$": "$.list[*].¦"}, "End": true}`,
			[]string{"$.list[*].sku = array; always"}},
	} {
		has(t, test.name, offered(t, e, "a.asl.json", `{"StartAt": "A", "States": {`+test.states+`}}`), test.want)
	}
}

// TestCompletionFromShapesOfEveryForm: in YAML, and in templates that embed a definition, the same is known.
func TestCompletionFromShapesOfEveryForm(t *testing.T) {
	const yaml = `StartAt: A
States:
  A:
    Type: Pass
    Result: {id: 1}
    ResultPath: $.order
    Next: B
  B:
    Type: Pass
    Parameters:
      x.$: $.order.¦
    End: true
`
	indented := "      " + strings.ReplaceAll(strings.TrimSuffix(yaml, "\n"), "\n", "\n      ") + "\n"
	for name, text := range map[string]string{
		"a.asl.yaml": yaml,
		"sam.yaml": "Resources:\n  M:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n" +
			"      Definition:\n" + strings.ReplaceAll(indented, "      ", "        "),
		"cfn.yaml": "Resources:\n  M:\n    Type: AWS::StepFunctions::StateMachine\n    Properties:\n" +
			"      RoleArn: r\n      DefinitionString: |\n" +
			`        {"StartAt": "A", "States": {` + "\n" +
			`        "A": {"Type": "Pass", "Result": {"id": 1}, "ResultPath": "$.order", "Next": "B"},` + "\n" +
			`        "B": {"Type": "Pass", "Parameters": {"x.$": "$.order.¦"}, "End": true}}}` + "\n",
		"cfn.json": `{"Resources": {"M": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"RoleArn": "r",
			"Definition":
			{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": {"id": 1}, "ResultPath": "$.order",
				"Next": "B"},
			"B": {"Type": "Pass", "Parameters": {"x.$": "$.order.¦"}, "End": true}}}}}}}`,
		"main.tf": "resource \"aws_sfn_state_machine\" \"m\" {\n  definition = <<EOF\n" +
			`{"StartAt": "A", "States": {` + "\n" +
			`"A": {"Type": "Pass", "Result": {"id": 1}, "ResultPath": "$.order", "Next": "B"},` + "\n" +
			`"B": {"Type": "Pass", "Parameters": {"x.$": "$.order.¦"}, "End": true}}}` + "\nEOF\n}\n",
		"encoded.tf": "resource \"aws_sfn_state_machine\" \"m\" {\n  definition = jsonencode({\n" +
			"    StartAt = \"A\"\n    States = {\n" +
			"      A = { Type = \"Pass\", Result = { id = 1 }, ResultPath = \"$.order\", Next = \"B\" }\n" +
			"      B = { Type = \"Pass\", Parameters = { \"x.$\" = \"$.order.¦\" }, End = true }\n    }\n  })\n}\n",
		"serverless.yml": "service: s\nstepFunctions:\n  stateMachines:\n    m:\n      definition:\n" +
			strings.ReplaceAll(indented, "      ", "        "),
	} {
		got := offered(t, begin(t, nil), name, text)
		if !slices.ContainsFunc(got, func(line string) bool {
			return strings.HasPrefix(line, "$.order.id = number; always; made by A (line ")
		}) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestShapesBesideData: the values of a run in memory come first, with what the definition tells of them; what the run
// does not have is there, too.
func TestShapesBesideData(t *testing.T) {
	e := begin(
		t,
		map[string]string{
			"a.fixtures.yaml": "version: 1\ninput: {}\ntasks:\n  A: [{output: {Item: {total: {N: \"3\"}}}}]\n",
		},
	)
	var list completionList
	e.must("textDocument/completion", e.open("a.asl.json", `{"StartAt": "A", "States": {
		"A": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem", "Parameters": {"TableName": "t",
			"Key": {"id": {"S": "1"}}}, "Next": "B"},
		"B": {"Type": "Pass", "OutputPath": "$.¦Item", "End": true}}}`), &list)
	got := map[string]completionItem{}
	for _, item := range list.Items {
		got[item.Label] = item
	}
	if item := got["$.Item"]; item.Detail != `{"total":{"N":"3"}}` ||
		item.Documentation != "object; made by A (line 2); may be missing" {
		t.Errorf("%+v", item)
	}
	if item := got["$.ConsumedCapacity"]; item.Detail != "object; made by A (line 2); may be missing" {
		t.Errorf("%+v", item)
	}
}

// TestHoverFromShapes: of a path, its kind, the state that has made it, and the ways on which it is missing.
func TestHoverFromShapes(t *testing.T) {
	e := begin(t, map[string]string{})
	got := hovered(t, e, e.open("a.asl.json", `{"StartAt": "Price", "States": {
		"Price": {"Type": "Pass", "Result": {"total": 3}, "ResultPath": "$.order", "Next": "Load"},
		"Load": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"},
		"ResultPath": "$.loaded",
			"Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Use"}], "Next": "Use"},
		"Use": {"Type": "Pass", "Parameters": {"x.$": "$.order.to¦tal"}, "End": true}}}`))
	for _, want := range []string{"number", "made by Price (line 2)", "missing on the way by catcher 1 of Load"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}

// TestHoverInside: of a name in a predicate or in a function of JSONata, its kind and the state that has made it.
func TestHoverInside(t *testing.T) {
	e := begin(t, map[string]string{})
	const made = "; always; made by A (line 2)"
	for text, want := range map[string]string{
		`$states.input.items[pr¦ice > 1].name`:                                      "`price`: number" + made,
		`$states.input.items[price > 1].na¦me`:                                      "`name`: string" + made,
		`$map($states.input.items, function($o){ $o.n¦ame })`:                       "`$o.name`: string" + made,
		`$map($states.input.items, function($o){ $o.price })[$ > \"x\"] & ¦unknown`: "",
	} {
		got := hovered(t, e, e.open("a.asl.json", `{"StartAt": "A", "States": {
			"A": {"Type": "Pass", "Result": {"items": [{"name": "n", "price": 1}]}, "Next": "B"},
			"B": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% `+text+` %}", "End": true}}}`))
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "unknown`") {
			t.Errorf("%s: %q is not in %s", text, want, got)
		}
	}
}

// Members that later states read of the value that a state makes are offered as its keys.
func TestCompletionOfMembersThatAreRead(t *testing.T) {
	const charge = `"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
		"Parameters": {"FunctionName": "f"}, `
	const reader = `"B": {"Type": "Choice", "Default": "C",
		"Choices": [{"Variable": "$.card.paid", "BooleanEquals": true, "Next": "C"}]},
		"C": {"Type": "Pass", "Parameters": {"x.$": "$.card.receipt.id", "y.$": "$.other"}, "End": true}`
	const read = " = a later state reads it"
	e := begin(t, nil)
	for _, test := range []struct {
		name, states string
		want         []string
	}{
		{"ResultSelector", charge + `"ResultSelector": {"p¦": ""}, "ResultPath": "$.card", "Next": "B"}, ` + reader,
			[]string{"paid" + read, "paid.$" + read, "receipt.$" + read, "!other", "!card"}},
		{"all of the data", charge + `"ResultSelector": {"¦": ""}, "Next": "B"}, ` + reader,
			[]string{"card" + read, "other.$" + read, "!paid"}},
		{"a part", charge + `"ResultSelector": {"receipt": {"¦": ""}}, "ResultPath": "$.card", "Next": "B"}, ` + reader,
			[]string{"id" + read, "id.$" + read, "!paid"}},
		{"a result that is discarded", charge + `"ResultSelector": {"¦": ""}, "ResultPath": null,
			"Next": "B"}, ` + reader,
			[]string{"!card", "!paid", "!other"}},
		{"Result", `"A": {"Type": "Pass", "Result": {"¦": ""}, "ResultPath": "$.card", "Next": "B"}, ` + reader,
			[]string{"paid" + read, "receipt" + read, "!paid.$"}},
		{"Parameters of a Pass", `"A": {"Type": "Pass", "Parameters": {"¦": ""}, "ResultPath": "$.card",
			"Next": "B"}, ` +
			reader, []string{"paid.$" + read, "receipt" + read, "!other"}},
		{"Parameters of a task", `"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
			"Parameters": {"¦": ""}, "ResultPath": "$.card", "Next": "B"}, ` + reader,
			[]string{"FunctionName = required", "!paid"}},
		{"Output", `"A": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": {"¦": ""}, "Next": "B"}, ` + reader,
			[]string{"card" + read, "other" + read, "!card.$"}},
		{"a catcher's Output", `"A": {"Type": "Task", "QueryLanguage": "JSONata", "Arguments": {"FunctionName": "f"},
			"Resource": "arn:aws:states:::lambda:invoke",
			"Catch": [{"ErrorEquals": ["States.ALL"], "Output": {"¦": ""}, "Next": "B"}], "Next": "B"}, ` + reader,
			[]string{"!card"}},
	} {
		text := `{"StartAt": "A", "States": {` + test.states + `}}`
		has(t, test.name, offered(t, e, strings.ReplaceAll(test.name, " ", "")+".asl.json", text), test.want)
	}
}

// The keys of a result in fixtures and suites are those that later states read: of tasks by name and by Resource, of
// entries with conditions, of the items of an ItemReader, and of the input.
func TestCompletionOfResults(t *testing.T) {
	definition := `{"StartAt": "Load", "States": {
		"Load": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f",
			"Payload.$": "$.order"}, "ResultSelector": {"id.$": "$.Payload.id", "sum.$": "$.Payload.total.sum"},
			"ResultPath": "$.loaded", "Next": "Each"},
		"Each": {"Type": "Map", "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig":
			{"InputType": "JSON"}, "Parameters": {"Bucket": "b", "Key": "k"}}, "ItemProcessor": {"ProcessorConfig":
			{"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "One", "States": {"One": {"Type": "Pass",
			"Parameters": {"sku.$": "$.sku"}, "End": true}}}, "ResultPath": null, "Next": "Use"},
		"Use": {"Type": "Pass", "Parameters": {"x.$": "$.loaded.id", "y.$": "$.customer.name"}, "End": true}}}`
	const arn = "arn:aws:states:::lambda:invoke"
	for _, test := range []struct{ file, text, want, after string }{
		{"a.fixtures.yaml", "tasks:\n  Load: [{output: {Payload: {¦}}}]\n", "id total", "{Payload: {id: }}"},
		{"a.fixtures.yaml", "tasks:\n  Load:\n  - output:\n      Payload:\n        id: 1\n        to¦\n", "total", "total: "},
		{"a.fixtures.yaml", "tasks:\n  Load:\n  - output:\n      Payload:\n        ¦\n", "id total", "id: "},
		{"a.fixtures.yaml", "tasks:\n  Load: [{when: {attempt: 1}, results: [{output: {Payload: {total: {¦}}}}]}]\n",
			"sum", "{sum: }"},
		{"a.fixtures.yaml", "resources:\n  \"" + arn + "\": [{output: {¦}}]\n", "Payload", "{Payload: }"},
		{"a.fixtures.yaml", "itemReaders: {Each: {items: [{¦}]}}\n", "sku", "{sku: }"},
		{"a.fixtures.yaml", "input: {order: 1, ¦}\n", "customer", "customer: "},
		{"a.fixtures.yaml", "cases: {a: {input: {customer: {¦}}}}\n", "name", "{name: }"},
		{"a.fixtures.yaml", "tasks:\n  Load: [{¦}]\n", "", ""},
		{"a.fixtures.json", `{"tasks": {"Load": [{"output": {"¦"}}]}}`, "Payload", `{"Payload": }`},
		{"a.test.yaml", "definition: a.asl.json\ncases:\n  a:\n    tasks:\n      Load: [{output: {Payload: {¦}}}]\n",
			"id total", "{id: }"},
		{"a.test.yaml", "definition: a.asl.json\ncases:\n  a:\n    input:\n      order: 1\n      ¦\n", "customer",
			"customer: "},
	} {
		e := inWorkspace(t, map[string]string{"a.asl.json": definition, test.file: ""})
		want := strings.Fields(test.want)
		first := ""
		if len(want) > 0 {
			first = want[0]
		}
		labels, after := completed(t, e, test.file, test.text, first)
		slices.Sort(labels)
		if !slices.Equal(labels, want) {
			t.Errorf("%q: %q, want %q", test.text, labels, want)
		} else if !strings.Contains(after, test.after) {
			t.Errorf("%q: %q lacks %q", test.text, after, test.after)
		}
	}
}
