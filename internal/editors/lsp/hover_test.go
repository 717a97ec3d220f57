package lsp

import (
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/internal/definitions"
	"asldb/internal/testkit/runs"
)

// fieldNames returns the names of all fields with their parts.
func fieldNames() (names []string) {
	var add func(f *asl.Field)
	add = func(f *asl.Field) {
		names = append(names, f.Name)
		for i := range f.Parts {
			add(&f.Parts[i])
		}
	}
	for f := range asl.Fields() {
		add(f)
	}
	return append(names, "StartAt", "States", "Version", "ProcessorConfig", "Mode", "ExecutionType")
}

// hovered returns the text about a place.
func hovered(t *testing.T, e *editor, where positionParams) string {
	t.Helper()
	var h *hover
	e.must("textDocument/hover", where, &h)
	if h == nil {
		return ""
	}
	return h.Contents.Value
}

func TestHover(t *testing.T) {
	e := begin(t, map[string]string{"order.fixtures.yaml": string(definitions.Fixtures)})
	text := string(definitions.DemoDefinition)
	for _, test := range []struct{ after, want string }{
		{`"StartAt": "Valid`, "**ValidateOrder** (Task)\n\nLooks up prices and adds up the total\n\nInput in the run with `order.fixtures.yaml`:\n```json\n{\n  \"order\""},
		{"  \"ChargeC", "Output:\n```json"},
		{`"Default": "Waive`, "The run with `order.fixtures.yaml` does not come here."},
		{`"ResultPa`, "**ResultPath**\n\nThe place in the raw input"},
		{`"ResultPa`, "After:\n```json\n{\n  \"order\": {"},
		{`"Variable": "$.valid`, "Value in the run with `order.fixtures.yaml`:\n```json\ntrue\n```"},
		{`"orderId.$": "$.or`, "Value in the run with `order.fixtures.yaml`:\n```json\n\"o-1042\"\n```"},
		{`"order`, "\"o-1042\""},
		{`"NumericGreaterTh`, "**NumericGreaterThan**\n\nCompares"},
		{`"IsPresent": tr`, ""},
	} {
		if got := hovered(t, e, e.open("order.asl.json", at(text, test.after))); !strings.Contains(got, test.want) ||
			(got == "") != (test.want == "") {
			t.Errorf("%s: %s\nwant %s", test.after, got, test.want)
		}
	}
}

func TestHoverOfQueries(t *testing.T) {
	const definition = `{"QueryLanguage": "JSONata", "StartAt": "A", "States": {
		"A": {"Type": "Pass", "Assign": {"n": "{% $states.input.a + 1 %}"}, "Output": "{% $states.input.b.c %}", "Next": "B"},
		"B": {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:getObject", "Arguments": {"Bucket": "{% $n %}", "Key": "k"}, "Output": "{% $states.result.x %}", "End": true}}}`
	e := begin(t, map[string]string{
		"f.yaml": "version: 1\ninput: {a: 1, b: {c: [2]}}\ntasks: {}\n", ".asldb.yaml": "fixtures: f.yaml\n",
	})
	for _, test := range []struct{ after, want string }{
		{`"{% $states.input.a`, "Value in the run with `f.yaml`:\n```json\n2\n```"},
		{`"{% $states.input.b`, "```json\n[\n  2\n]\n```"},
		{`"{% $n`, "```json\n2\n```"},
		{`{"n`, "The variable `$n`"},
		{`"arn:aws:states:::`, "**s3:getObject** (AWS SDK)\n\nRequired: `Bucket`, `Key`\n\nErrors: "},
		{`"{% $states.result`, "No value in the run"},
		{`"Next": "B`, "the run ends here: a task has no result in the fixtures"},
	} {
		if got := hovered(t, e, e.open("order.asl.json", at(definition, test.after))); !strings.Contains(got,
			test.want) {
			t.Errorf("%s: %s\nwant %s", test.after, got, test.want)
		}
	}
	// The fixtures as the editor has them.
	e.open("f.yaml", "version: 1\ninput: {a: 41, b: {c: 3}}\n")
	if got := hovered(t, e, e.open("order.asl.json", at(definition, `"{% $states.input.a`))); !strings.Contains(got,
		"\n42\n") {
		t.Error(got)
	}
	e.open("f.yaml", "version: 1\ninpt: {}\n")
	if got := hovered(t, e, e.open("order.asl.json", at(definition, `"{% $states.input.a`))); got != "" {
		t.Error(got)
	}
}

// A run that does not end is ended.
func TestHoverOfEndlessRun(t *testing.T) {
	e := begin(t, map[string]string{"a.fixtures.yaml": "version: 1\ninput: {}\n"})
	got := hovered(t, e, e.open("a.asl.json", `{"StartAt": "A", "States": {"¦A": {"Type": "Pass", "Next": "B"},
		"B": {"Type": "Choice", "Choices": [{"Variable": "$.none", "IsPresent": true, "Next": "C"}], "Default": "A"}, "C": {"Type": "Succeed"}}}`))
	if !strings.Contains(got, "**A** (Pass)") || !strings.Contains(got, "visit ") {
		t.Error(got)
	}
}

// The field in which the run in memory fails, and its state, have the sentence and the advice of every face.
func TestHoverOfPlantedMistakes(t *testing.T) {
	for _, p := range runs.Plants {
		e := begin(t, map[string]string{"a.fixtures.yaml": p.Fixtures()})
		path := strings.Split(p.Field, "/")
		key := `"` + path[len(path)-1] + `":`
		if strings.HasPrefix(p.Field, "catcher") {
			key = `"A":` // the state
		}
		at := strings.LastIndex(p.Definition, key)
		if at < 0 {
			t.Fatalf("%s: no %s", p.Name, key)
		}
		got := hovered(t, e, e.open("a.asl.json", p.Definition[:at+2]+"¦"+p.Definition[at+2:]))
		if !strings.Contains(got, "It fails in the run with `a.fixtures.yaml`:\n```\n"+p.Said) ||
			!strings.Contains(got, p.Advice) {
			t.Errorf("%s: no %q and %q in\n%s", p.Name, p.Said, p.Advice, got)
		}
	}
}
