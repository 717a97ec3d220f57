package asl

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
)

func mustParse(t testing.TB, text string) *StateMachine {
	t.Helper()
	src := &Source{Name: "t.json", Data: []byte(text)}
	machine, diagnostics := Parse(src)
	if machine == nil {
		t.Fatal(formatAll(src, diagnostics))
	}
	return machine
}

func TestLabels(t *testing.T) {
	tests := []struct{ rule, want string }{
		{`"Variable": "$.total", "NumericGreaterThan": 100`, `$.total > 100`},
		{`"Variable": "$.a", "StringEquals": "x"`, `$.a = "x"`},
		{`"Variable": "$.a", "StringLessThanEqualsPath": "$.b"`, `$.a <= $.b`},
		{`"Variable": "$.a", "TimestampGreaterThanEquals": "2024-01-01T00:00:00Z"`, `$.a >= "2024-01-01T00:00:00Z"`},
		{`"Variable": "$.a", "NumericLessThan": 1.50`, `$.a < 1.50`},
		{`"Variable": "$.a", "BooleanEquals": false`, `$.a = false`},
		{`"Variable": "$.a", "StringMatches": "log-*"`, `$.a matches "log-*"`},
		{`"Variable": "$.v", "IsPresent": true`, `$.v is present`},
		{`"Variable": "$.v", "IsNull": false`, `$.v is not null`},
		{`"Variable": "$$.v", "IsTimestamp": true`, `$$.v is a timestamp`},
		{`"Not": {"Variable": "$.a", "NumericEquals": 1}`, `not ($.a = 1)`},
		{`"And": [{"Variable": "$.v", "IsPresent": true}, {"Or": [{"Variable": "$.a", "NumericEquals": 1}, {"Not": {"Variable": "$.a", "IsNull": true}}]}]`,
			`$.v is present and ($.a = 1 or not ($.a is null))`},
		{`"Or": [{"And": [{"Variable": "$.v", "IsNumeric": true}]}]`, `$.v is a number`},
		{`"Variable": "$.a", "StringEquals": "` + strings.Repeat("x", 100) + `"`, `$.a = "` +
			strings.Repeat("x", maxLiteral-2) + `…`},
	}
	for _, test := range tests {
		machine := mustParse(t, choice(test.rule+`, "Next": "B"`))
		if got := machine.Lookup("A").Edges()[0].Label; got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.rule, got, test.want)
		}
	}
	jsonata := mustParse(t, `{"QueryLanguage": "JSONata", "StartAt": "A", "States": {"A": {"Type": "Choice", "Choices": [
  {"Condition": "{%  $states.input.x \n > 1 %}", "Next": "B"}, {"Condition": true, "Next": "B"}]}, "B": {"Type": "Succeed"}}}`)
	edges := jsonata.Lookup("A").Edges()
	if edges[0].Label != "$states.input.x > 1" || edges[1].Label != "true" {
		t.Errorf("got %q and %q", edges[0].Label, edges[1].Label)
	}
}

func TestEdges(t *testing.T) {
	machine := mustParse(t, `{"StartAt": "Task", "States": {
  "Task": {"Type": "Task", "Resource": "a:b", "Catch": [{"ErrorEquals": ["X", "Y"], "Next": "End"}, {"ErrorEquals": ["States.ALL"], "Next": "Choice"}], "Next": "Choice"},
  "Choice": {"Type": "Choice", "Default": "End", "Choices": [
    {"Next": "Task", "Variable": "$.a", "NumericEquals": 1}, {"Next": "End", "Variable": "$.a", "IsNull": true}]},
  "End": {"Type": "Succeed"}}}`)
	list := func(name string) string {
		var out []string
		for _, e := range machine.Lookup(name).Edges() {
			if e.From.Name != name {
				t.Errorf("an edge of %s comes from %s", name, e.From.Name)
			}
			out = append(out, fmt.Sprintf("%s %d %s [%s]", e.Kind, e.Index, e.To.Name, e.Label))
		}
		return strings.Join(out, "; ")
	}
	if got, want := list("Task"), "next 0 Choice []; catch 0 End [X, Y]; catch 1 Choice [States.ALL]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := list("Choice"), "choice 0 Task [$.a = 1]; choice 1 End [$.a is null]; default 0 End [default]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := list("End"); got != "" {
		t.Errorf("got %s", got)
	}
}

const nestedDefinition = `{"StartAt": "Order", "States": {
  "Order": {"Type": "Parallel", "Next": "Each", "Branches": [
    {"StartAt": "Check/in", "States": {"Check/in": {"Type": "Succeed"}}},
    {"StartAt": "Charge", "States": {"Charge": {"Type": "Pass", "Next": "Inner"},
      "Inner": {"Type": "Map", "End": true, "Iterator": {"StartAt": "Deep", "States": {"Deep": {"Type": "Succeed"}}}}}}]},
  "Each": {"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "Validate", "States": {"Validate": {"Type": "Succeed"}}}}}}`

func TestDefinitionPaths(t *testing.T) {
	machine := mustParse(t, nestedDefinition)
	var paths, pointers []string
	for s := range machine.All() {
		paths = append(paths, s.Path())
		pointers = append(pointers, s.Pointer)
	}
	want := []string{"Order", "Order/Branches[0]/Check/in", "Order/Branches[1]/Charge", "Order/Branches[1]/Inner",
		"Order/Branches[1]/Inner/Iterations[*]/Deep", "Each", "Each/Iterations[*]/Validate"}
	if !slices.Equal(paths, want) {
		t.Errorf("paths %q", paths)
	}
	if pointers[1] != "/States/Order/Branches/0/States/Check~1in" ||
		pointers[4] != "/States/Order/Branches/1/States/Inner/Iterator/States/Deep" {
		t.Errorf("pointers %q", pointers)
	}
	for name, wanted := range map[string]string{
		"Deep":                         "Deep",
		"Check/in":                     "Check/in",
		"Order/Branches[0]/Check/in":   "Check/in",
		"Each/Iterations[*]/Validate":  "Validate",
		"Each/Iterations[12]/Validate": "Validate",
		"Order/Branches[1]/Inner/Iterations[0]/Deep": "Deep",
		"Each/Iterations[x]/Validate":                "",
		"Each/Iterations[":                           "",
		"Order/Branches[0]/Charge":                   "",
		"Nothing":                                    "",
		"":                                           "",
	} {
		got := ""
		if s := machine.Lookup(name); s != nil {
			got = s.Name
		}
		if got != wanted {
			t.Errorf("Lookup(%q) = %q, want %q", name, got, wanted)
		}
	}
	for range machine.All() { // a loop may end early
		break
	}
}

func TestSpan(t *testing.T) {
	text := "{\"StartAt\": \"a/b\",\n \"States\": {\"a/b\": {\"Type\": \"Pass\", \"End\": true, \"Result\": [1, {\"é\": [22]}]}}}"
	machine := mustParse(t, text)
	key, node, ok := machine.Span("/States/a~1b/Result/1/é")
	if !ok || text[node.Start.Offset:node.End.Offset] != "[22]" || text[key.Start.Offset:key.End.Offset] != `"é"` {
		t.Errorf("got %v, %v, %v", key, node, ok)
	}
	if node.Start.Line != 2 || node.Start.Col != 1+strings.IndexRune(text[19:], 'é')+4 {
		t.Errorf("at %d:%d", node.Start.Line, node.Start.Col)
	}
	if _, node, ok = machine.Span("/States/a~1b/Result/1/é/0"); !ok || text[node.Start.Offset:node.End.Offset] != "22" {
		t.Errorf("got %v, %v", node, ok)
	}
	for _, pointer := range []string{"/States/x", "States", "/States/a~1b/Result/2", "/States/a~1b/Result/01",
		"/StartAt/0"} {
		if _, _, ok := machine.Span(pointer); ok {
			t.Errorf("%s was found", pointer)
		}
	}
	if s := machine.Lookup("a/b"); text[s.NameSpan.Start.Offset:s.NameSpan.End.Offset] != `"a/b"` ||
		s.Span != s.Node.Span {
		t.Errorf("the state is at %v, its name at %v", s.Span, s.NameSpan)
	}
}

func TestModel(t *testing.T) {
	machine := mustParse(t, everyField[0])
	if machine.Version != "1.0" || machine.TimeoutSeconds != 5 || machine.Comment != "c" ||
		machine.QueryLanguage != JSONPath {
		t.Errorf("machine %+v", machine)
	}
	task := machine.Lookup("Task")
	if r := task.Retry[0]; r.MaxAttempts != 0 || r.BackoffRate != 1.5 || r.MaxDelaySeconds != 9 ||
		r.JitterStrategy != JitterFull {
		t.Errorf("retrier %+v", r)
	}
	if c := task.Catch[0]; c.Next != "Fail" || c.ResultPath.Path.String() != "$.e" || c.Assign.Template == nil {
		t.Errorf("catcher %+v", c)
	}
	if task.TimeoutSeconds.Field != "TimeoutSeconds" || value.Compact(task.TimeoutSeconds.Literal) != "9" {
		t.Errorf("timeout %+v", task.TimeoutSeconds)
	}
	if p := machine.Lookup("PathTask").TimeoutSeconds; p.Field != "TimeoutSecondsPath" || p.Path.String() != "$.t" ||
		p.Literal != nil {
		t.Errorf("timeout %+v", p)
	}
	if s := machine.Lookup("Pass"); s.Result.Template != nil || s.Parameters.Template == nil || s.InputPath.Null {
		t.Errorf("Pass %+v", s)
	}
	fail := machine.Lookup("PathFail")
	cause, err := fail.Cause.Intrinsic.Eval(&path.Roots{Data: value.Must(`{"e": 5}`)}, nil)
	if err != nil || value.Compact(cause) != `{"value":"5"}` || fail.Error.Path.String() != "$.e" {
		t.Errorf("cause %v, %v", cause, err)
	}
	m := machine.Lookup("Map")
	if m.Processor.Container != m || m.ProcessorConfig.Mode != ModeDistributed || m.ItemReader == nil ||
		m.Label != "l" {
		t.Errorf("Map %+v", m)
	}
	c := m.ItemReader.Config
	if !m.Distributed() || m.ItemReader.Resource != "a:b" || m.ItemReader.Parameters.Template == nil ||
		c.InputType != InputCSV ||
		c.CSVHeaderLocation != HeaderGiven || !slices.Equal(c.CSVHeaders, []string{"a"}) ||
		c.CSVDelimiter != DelimiterTab ||
		value.Compact(c.MaxItems.Literal) != "1" || c.ItemsPointer != "/a" || c.Transformation != LoadNone ||
		c.ManifestType != ManifestInventory {
		t.Errorf("ItemReader %+v with %+v", m.ItemReader, c)
	}
	if b := m.ItemBatcher; b.BatchInput.Template == nil || value.Compact(b.MaxItemsPerBatch.Literal) != "1" ||
		b.MaxInputBytesPerBatch.Path.String() != "$.x" {
		t.Errorf("ItemBatcher %+v", b)
	}
	if w := m.ResultWriter; w.Resource != "a:b" || w.Parameters.Template == nil || w.Config.OutputType != OutputJSON ||
		w.Config.Transformation != TransformFlatten {
		t.Errorf("ResultWriter %+v", w)
	}
	if old := machine.Lookup("PathMap"); old.ItemSelector == nil || old.Processor == nil || old.ProcessorConfig != nil {
		t.Errorf("Map with the older names %+v", old)
	}
	if b := machine.Lookup("Parallel").Branches[0]; b.Kind != BranchScope || b.StartAt != "InBranch" ||
		b.State("InBranch") == nil {
		t.Errorf("branch %+v", b)
	}
	jsonata := mustParse(t, everyField[1])
	if s := jsonata.Lookup("InMap"); s.QueryLanguage != JSONata || s.Output.Template != nil {
		t.Errorf("state %+v", s)
	}
	if s := jsonata.Lookup("Wait"); s.Seconds.Query.Text() != "1" {
		t.Errorf("state %+v", s)
	}
	defaults := mustParse(t, task1Retry).Lookup("A").Retry[0]
	if defaults.IntervalSeconds != 1 || defaults.MaxAttempts != 3 || defaults.BackoffRate != 2 ||
		defaults.MaxDelaySeconds != 0 || defaults.JitterStrategy != JitterNone {
		t.Errorf("defaults %+v", defaults)
	}
	null := mustParse(t, one(`"Type": "Pass", "End": true, "InputPath": null, "ResultPath": null`)).Lookup("A")
	if !null.InputPath.Null || !null.ResultPath.Null || null.OutputPath != nil {
		t.Errorf("null paths %+v", null)
	}
}

var task1Retry = task(`"Retry": [{"ErrorEquals": ["x"]}]`)

func TestParseTimestamp(t *testing.T) {
	for text, want := range map[string]string{
		"2016-03-14T01:59:00Z":                "2016-03-14T01:59:00Z",
		"2016-03-14T01:59:00+02:00":           "2016-03-13T23:59:00Z",
		"2016-03-14T01:59:00.5Z":              "2016-03-14T01:59:00.5Z",
		"2016-03-14T01:59:00.123456789-00:30": "2016-03-14T02:29:00.123456789Z",
	} {
		got, ok := ParseTimestamp(text)
		if !ok || got.UTC().Format(time.RFC3339Nano) != want {
			t.Errorf("%s: got %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "2016-03-14", "2016-03-14T01:59:00", "2016-03-14 01:59:00Z",
		"2016-03-14t01:59:00Z", "2016-03-14T01:59:00z",
		"2016-03-14T1:59:00Z", "2016-13-14T01:59:00Z", "2016-02-30T01:59:00Z", "2016-03-14T01:59:00,5Z",
		"2016-03-14T01:59:00+0200", "2016-03-14T01:59:00Zx"} {
		if got, ok := ParseTimestamp(text); ok {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

// longDefinition returns a definition of n states with typical fields.
func longDefinition(n int) []byte {
	var out strings.Builder
	out.WriteString("{\n  \"StartAt\": \"State0\",\n  \"States\": {\n")
	for i := range n {
		next := fmt.Sprintf("\"Next\": \"State%d\"", i+1)
		switch i % 4 {
		case 0:
			fmt.Fprintf(&out, "    \"State%d\": {\n      \"Type\": \"Task\",\n      \"Resource\": \"arn:aws:states:::lambda:invoke\",\n      \"Parameters\": {\n        \"FunctionName\": \"f\",\n        \"Payload.$\": \"$.order\",\n        \"Id.$\": \"States.Format('{}-{}', $$.Execution.Id, $.id)\"\n      },\n      \"ResultPath\": \"$.result\",\n      \"Retry\": [{ \"ErrorEquals\": [\"States.TaskFailed\"], \"IntervalSeconds\": 2, \"MaxAttempts\": 3 }],\n      %s\n    },\n", i, next)
		case 1:
			fmt.Fprintf(&out, "    \"State%d\": {\n      \"Type\": \"Pass\",\n      \"Result\": { \"a\": 1, \"b\": [1, 2, 3] },\n      \"ResultPath\": \"$.pass\",\n      %s\n    },\n", i, next)
		case 2:
			fmt.Fprintf(&out, "    \"State%d\": {\n      \"Type\": \"Choice\",\n      \"Choices\": [\n        { \"And\": [{ \"Variable\": \"$.total\", \"NumericGreaterThan\": 100 }, { \"Variable\": \"$.vip\", \"BooleanEquals\": true }], %s }\n      ],\n      \"Default\": \"State%d\"\n    },\n", i, next, i+1)
		default:
			fmt.Fprintf(&out, "    \"State%d\": {\n      \"Type\": \"Wait\",\n      \"SecondsPath\": \"$.delay\",\n      %s\n    },\n", i, next)
		}
	}
	fmt.Fprintf(&out, "    \"State%d\": { \"Type\": \"Succeed\" }\n  }\n}\n", n)
	return []byte(out.String())
}

func BenchmarkParse1000States(b *testing.B) {
	src := &Source{Name: "long.asl.json", Data: longDefinition(1000)}
	b.SetBytes(int64(len(src.Data)))
	b.ReportAllocs()
	for b.Loop() {
		if machine, diagnostics := Parse(src); machine == nil {
			b.Fatal(diagnostics)
		}
	}
}

func BenchmarkRead1000States(b *testing.B) {
	data := longDefinition(1000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, problem := source.ReadJSON(data); problem != nil {
			b.Fatal(problem)
		}
	}
}
