package lsp

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/definitions"
)

// completed returns the labels of the completions at the place of ¦ in a document, and the text after the first with a
// label.
func completed(t *testing.T, e *editor, name, text, label string) (labels []string, after string) {
	t.Helper()
	var list completionList
	e.must("textDocument/completion", e.open(name, text), &list)
	plain := strings.Replace(text, "¦", "", 1)
	for _, item := range list.Items {
		if item.Label == label && after == "" {
			after = string(linesOf([]byte(plain)).apply(&change{Range: &item.TextEdit.Range, Text: item.TextEdit.NewText}))
		}
		labels = append(labels, item.Label)
	}
	return labels, after
}

func TestCompletion(t *testing.T) {
	const head = `{"StartAt": "A", "States": {"Bee": {"Type": "Succeed"}, "A": `
	for _, test := range []struct {
		about, file, text, label, want string
		without                        string
	}{
		{"a target between quotes", "a.asl.json", head + `{"Type": "Pass", "Next": "¦"}}}`, "Bee", head + `{"Type": "Pass", "Next": "Bee"}}}`, "A"},
		{"a target that is begun", "a.asl.json", head + `{"Type": "Pass", "Next": "B¦"}}}`, "Bee", head + `{"Type": "Pass", "Next": "Bee"}}}`, ""},
		{"a target before a missing comma", "a.asl.json", head + "{\"Next\": \"B¦\"\n\"Type\": \"Pass\"}}}", "Bee", head + "{\"Next\": \"Bee\"\n\"Type\": \"Pass\"}}}", ""},
		{"a target without quotes", "a.asl.json", head + `{"Type": "Pass", "Next": ¦}}}`, "Bee", head + `{"Type": "Pass", "Next": "Bee"}}}`, ""},
		{"a target without a closing quote", "a.asl.json", head + `{"Type": "Pass", "Next": "B¦}}}`, "Bee", head + `{"Type": "Pass", "Next": "Bee}}}`, ""},
		{"a target after a missing comma", "a.asl.json", head + "{\"Type\": \"Pass\"\n\"Next\": \"¦\"}}}", "Bee", head + "{\"Type\": \"Pass\"\n\"Next\": \"Bee\"}}}", ""},
		{"StartAt", "a.asl.json", `{"StartAt": "¦", "States": {"A": {"Type": "Pass", "End": true}}}`, "A", `{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}`, ""},
		{"a type", "a.asl.json", head + `{"Type": "¦"}}}`, "Choice", head + `{"Type": "Choice"}}}`, ""},
		{"a key", "a.asl.json", head + `{"Type": "Task", "Res¦"}}}`, "Resource", head + `{"Type": "Task", "Resource": }}}`, "Choices"},
		{"a key with its colon", "a.asl.json", head + `{"Type": "Task", "Res¦": 1}}}`, "Resource", head + `{"Type": "Task", "Resource": 1}}}`, "Type"},
		{"a key without quotes", "a.asl.json", head + `{"Type": "Wait", Sec¦}}}`, "Seconds", head + `{"Type": "Wait", "Seconds": }}}`, "Retry"},
		{"a key on a new line", "a.asl.json", head + "{\"Type\": \"Wait\"\n¦}}}", "Seconds", head + "{\"Type\": \"Wait\"\n\"Seconds\": }}}", ""},
		{"a key of a retrier", "a.asl.json", head + `{"Type": "Task", "Retry": [{"¦"}]}}}`, "MaxAttempts", head + `{"Type": "Task", "Retry": [{"MaxAttempts": }]}}}`, "Next"},
		{"a key of a rule", "a.asl.json", head + `{"Type": "Choice", "Choices": [{"Not": {"¦"}}]}}}`, "StringEqualsPath", head + `{"Type": "Choice", "Choices": [{"Not": {"StringEqualsPath": }}]}}}`, ""},
		{"a key of JSONata", "a.asl.json", head + `{"Type": "Task", "QueryLanguage": "JSONata", "¦"}}}`, "Arguments", head + `{"Type": "Task", "QueryLanguage": "JSONata", "Arguments": }}}`, "Parameters"},
		{"a key of a definition", "a.asl.json", `{"States": {"A": {"Type": "Pass", "End": true}}, "¦"}`, "StartAt", `{"States": {"A": {"Type": "Pass", "End": true}}, "StartAt": }`, "States"},
		{"a key of a state without type", "a.asl.json", head + `{"¦"}}}`, "Type", head + `{"Type": }}}`, "Next"},
		{"a key of ItemProcessor", "a.asl.json", head + `{"Type": "Map", "ItemProcessor": {"¦"}}}}`, "ProcessorConfig", head + `{"Type": "Map", "ItemProcessor": {"ProcessorConfig": }}}}`, "Version"},
		{"a key of ProcessorConfig", "a.asl.json", head + `{"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"¦"}}}}}`, "Mode", head + `{"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"Mode": }}}}}`, ""},
		{"a mode", "a.asl.json", head + `{"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"Mode": "¦"}}}}}`, "DISTRIBUTED", head + `{"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED"}}}}}`, ""},
		{"a word of a writer", "a.asl.json", head + `{"Type": "Map", "ResultWriter": {"WriterConfig": {"Transformation": "¦"}}}}}`, "COMPACT", head + `{"Type": "Map", "ResultWriter": {"WriterConfig": {"Transformation": "COMPACT"}}}}}`, "LOAD_AND_FLATTEN"},
		{"an error", "a.asl.json", head + `{"Type": "Task", "Resource": "arn:aws:states:::dynamodb:putItem", "Retry": [{"ErrorEquals": ["¦"]}]}}}`, "DynamoDB.ConditionalCheckFailedException", head + `{"Type": "Task", "Resource": "arn:aws:states:::dynamodb:putItem", "Retry": [{"ErrorEquals": ["DynamoDB.ConditionalCheckFailedException"]}]}}}`, ""},
		{"an error of the language", "a.asl.json", head + `{"Type": "Task", "Catch": [{"ErrorEquals": ["States.¦"]}]}}}`, "States.Timeout", head + `{"Type": "Task", "Catch": [{"ErrorEquals": ["States.Timeout"]}]}}}`, ""},
		{"a resource", "a.asl.json", head + `{"Type": "Task", "Resource": "¦"}}}`, "arn:aws:states:::sqs:sendMessage.waitForTaskToken", head + `{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken"}}}`, ""},
		{"a service", "a.asl.json", head + `{"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:¦"}}}`, "arn:aws:states:::aws-sdk:s3:", head + `{"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:"}}}`, ""},
		{"an action", "a.asl.json", head + `{"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:getO¦"}}}`, "arn:aws:states:::aws-sdk:s3:getObject", head + `{"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:getObject"}}}`, ""},
		{"an action of no service", "a.asl.json", head + `{"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:none:¦"}}}`, "", "", ""},
		{"a parameter", "a.asl.json", head + `{"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:getObject", "Parameters": {"¦"}}}}`, "Bucket.$", head + `{"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:getObject", "Parameters": {"Bucket.$": }}}}`, ""},
		{"an intrinsic function", "a.asl.json", head + `{"Type": "Pass", "Parameters": {"a.$": "States.Fo¦"}}}}`, "States.Format(", head + `{"Type": "Pass", "Parameters": {"a.$": "States.Format("}}}}`, ""},
		{"a function of JSONata", "a.asl.json", head + `{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $su¦ %}"}}}`, "$sum(", head + `{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $sum( %}"}}}`, ""},
		{"$states", "a.asl.json", head + `{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $states.¦ %}"}}}`, "$states.input", head + `{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $states.input %}"}}}`, ""},
		{"a text without marks", "a.asl.json", head + `{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "$¦"}}}`, "", "", ""},
		{"a variable", "a.asl.json", head + `{"Type": "Pass", "Assign": {"total": 1}, "OutputPath": "$t¦"}}}`, "$total", head + `{"Type": "Pass", "Assign": {"total": 1}, "OutputPath": "$total"}}}`, ""},
		{"a literal", "a.asl.json", head + `{"Type": "Pass", "Parameters": {"a": "$¦"}}}}`, "", "", ""},
		{"a comment", "a.asl.json", head + `{"Type": "Pass", "Comment": "¦"}}}`, "", "", ""},
		{"a target in YAML", "a.asl.yaml", "StartAt: A\nStates:\n  A:\n    Type: Pass\n    Next: ¦\n  B B:\n    Type: Succeed\n", "B B", "StartAt: A\nStates:\n  A:\n    Type: Pass\n    Next: B B\n  B B:\n    Type: Succeed\n", ""},
		{"a key in YAML", "a.asl.yaml", "StartAt: A\nStates:\n  A:\n    Type: Pass\n    ¦\n", "Result", "StartAt: A\nStates:\n  A:\n    Type: Pass\n    Result: \n", "Type"},
		{"a key that is begun in YAML", "a.asl.yaml", "StartAt: A\nStates:\n  A:\n    Type: Pass\n    Nex¦\n", "Next", "StartAt: A\nStates:\n  A:\n    Type: Pass\n    Next: \n", ""},
		{"a target in a template", "t.yaml", strings.Replace(template, `"Chrage"`, `"¦"`, 1), "Charge", strings.Replace(template, "Chrage", "Charge", 1), ""},
		{"a target in YAML of a template", "t.yaml", strings.Replace(template, "StartAt: Pay", "StartAt: ¦", 1), "Pay", template, ""},
		{"an empty document", "a.asl.json", "¦", "StartAt and States", begun, ""},
		{"a document with a word", "a.asl.json", "  St¦\n", "StartAt and States", "  " + begun + "\n", ""},
		{"a document with a quote", "a.asl.json", `"¦`, "", "", ""},
		{"a document with a brace", "a.asl.json", `{¦`, "StartAt", `{"StartAt": `, ""},
		{"the beginning behind a brace", "a.asl.json", "{\n  ¦\n}", "StartAt and States", begun, ""},
		{"the beginning between quotes", "a.asl.json", "{\n  \"S¦\"\n}", "StartAt and States", begun, ""},
		{"the beginning where there are fields", "a.asl.json", `{"Comment": "", ¦}`, "StartAt", `{"Comment": "", "StartAt": }`, "StartAt and States"},
		{"a key in an object that is not closed", "a.asl.json", head + `{"Type": "Wait", "Sec¦`, "Seconds", head + `{"Type": "Wait", "Seconds`, "Retry"},
		{"an empty document in YAML", "a.asl.yaml", "¦", "StartAt and States", begunYAML, ""},
		{"a document in YAML with a letter", "a.asl.yaml", "---\nS¦", "StartAt", "---\nStartAt: ", ""},
		{"another file", "other.json", `{"a": "¦"}`, "", "", ""},
	} {
		e := begin(t, nil)
		labels, after := completed(t, e, test.file, test.text, test.label)
		if test.label == "" && len(labels) > 0 {
			t.Errorf("%s: %v, want none", test.about, labels)
		}
		if test.label != "" && !slices.Contains(labels, test.label) {
			t.Errorf("%s: no %s in %v", test.about, test.label, labels)
		} else if after != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.about, after, test.want)
		}
		if test.without != "" && slices.Contains(labels, test.without) {
			t.Errorf("%s: %s is in %v", test.about, test.without, labels)
		}
	}
}

// The beginning of a definition, as the completion of an empty document writes it.
const (
	begun     = "{\n  \"StartAt\": \"First\",\n  \"States\": {\n    \"First\": {\n      \"Type\": \"Pass\",\n      \"End\": true\n    }\n  }\n}"
	begunYAML = "StartAt: First\nStates:\n  First:\n    Type: Pass\n    End: true\n"
)

// The beginning is valid. An editor that fills in the places of snippets gets them.
func TestCompletionOfABeginning(t *testing.T) {
	e := newEditor(t, nil)
	e.must("initialize", map[string]any{"capabilities": map[string]any{"textDocument": map[string]any{
		"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": true}},
	}}}, nil)
	for name, text := range map[string]string{"a.asl.json": begun, "a.asl.yaml": begunYAML} {
		var list completionList
		e.must("textDocument/completion", e.open("empty-"+name, "¦"), &list)
		at := slices.IndexFunc(list.Items, func(item completionItem) bool { return item.Kind == kindSnippet })
		if at < 0 || list.Items[at].InsertTextFormat != snippet || !strings.Contains(list.Items[at].TextEdit.NewText, "${2:Pass}") {
			t.Errorf("%s: %+v", name, list.Items)
		}
		e.open(name, text)
		if got := shown(e.problems(name)); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Every request about a place is answered at the end of every beginning of a text: no text on the way to a definition
// is a fault.
func TestEveryBeginning(t *testing.T) {
	e := begin(t, nil)
	for name, text := range map[string]string{
		"a.asl.json": `{"StartAt": "A", "States": {"A": {"Type": "Map", "ItemProcessor": {"StartAt": "B", "States": {"B": {"Type": "Fail"}}}, "Retry": [{"ErrorEquals": ["\u0041"]}]}}}`,
		"a.asl.yaml": "---\nStartAt: A\nStates:\n  A: {Type: Choice, Choices: [{Not: {Variable: $.a, IsNull: true}, Next: A}]}\n- \"A\n",
		"t.yaml":     template, "o.fixtures.yaml": "tasks:\n  A: [{output: {}}]\n", "o.test.yaml": "definition: a.asl.json\ncases:\n  a: {expect: {path: [A]}}\n",
	} {
		for end := range len(text) + 1 {
			where := e.open(name, text[:end]+"¦")
			for _, method := range []string{"completion", "hover", "definition", "references", "prepareRename", "documentSymbol", "codeLens"} {
				if m := e.ask("textDocument/"+method, where); m.Error != nil {
					t.Fatalf("%s behind %q: %s", method, text[:end], m.Error.Message)
				}
			}
		}
	}
}

// Paths come from the data of a run in memory, of the definition as it was before the text became wrong.
func TestCompletionOfData(t *testing.T) {
	e := begin(t, map[string]string{"order.fixtures.yaml": string(definitions.Fixtures)})
	text := string(definitions.DemoDefinition)
	where := e.open("order.asl.json", strings.Replace(text, `"$.validation.valid"`, `"$.validation.¦valid"`, 1))
	var list completionList
	e.must("textDocument/completion", where, &list)
	labels := value.Each(list.Items, func(item completionItem) string { return item.Label + " = " + item.Detail })
	if want := []string{"$.validation.valid = true", `$.validation.currency = "EUR"`, "$.validation.total = 129.90"}; !slices.Equal(labels, want) {
		t.Errorf("got %v", labels)
	}
	begun := strings.Replace(text, `"$.validation.valid"`, `"$.validation."`, 1)
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": where.TextDocument.URI, "version": 2}, "contentChanges": []any{map[string]any{"text": begun}},
	})
	e.must("textDocument/completion", where, &list)
	if len(list.Items) != 3 {
		t.Errorf("after the path is wrong: %v", list.Items)
	}
}

// The text before the one that is wrong was never asked about.
func TestCompletionOfFirstData(t *testing.T) {
	e := begin(t, map[string]string{"order.fixtures.yaml": string(definitions.Fixtures)})
	text := string(definitions.DemoDefinition)
	e.open("order.asl.json", text)
	e.problems("order.asl.json")
	where := linesOf([]byte(text)).position(strings.Index(text, `"$.validation.valid"`) + len(`"$.validation.`))
	e.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": e.uri("order.asl.json"), "version": 2},
		"contentChanges": []any{map[string]any{"text": strings.Replace(text, `"$.validation.valid"`, `"$.validation."`, 1)}},
	})
	var list completionList
	e.must("textDocument/completion", positionParams{documentID{URI: e.uri("order.asl.json")}, where}, &list)
	if len(list.Items) != 3 {
		t.Errorf("%v", list.Items)
	}
}

func TestFieldTexts(t *testing.T) {
	for _, name := range fieldNames() {
		if fieldText(name) == "" {
			t.Errorf("%s has no description", name)
		}
	}
	for name, want := range map[string]string{
		"StringEqualsPath": "the value of this path", "IsPresent": "may be absent", "StringMatches": "pattern", "NumericEquals": "this value", "IsString": "Tests",
		"SecondsPath": "The value is at this path.",
	} {
		if got := fieldText(name); !strings.Contains(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := fieldText("None"); got != "" {
		t.Error(got)
	}
}
