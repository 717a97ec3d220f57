package lint

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/engine/source"
)

// big returns a definition of about a megabyte with n states: Pass, Choice, Task and Wait in turn.
func big(n int) []byte {
	var out strings.Builder
	out.WriteString("{\"StartAt\": \"S0\", \"States\": {\n")
	for i := range n {
		next := fmt.Sprintf(`"Next": "S%d"`, i+1)
		switch i % 4 {
		case 0:
			fmt.Fprintf(&out, `"S%d": {"Type": "Pass", "Parameters": {"id.$": "$.id"}, "ResultPath": "$.s", %s},`+"\n", i, next)
		case 1:
			fmt.Fprintf(&out, `"S%d": {"Type": "Choice", "Default": "S%d", "Choices": [{"Variable": "$.id", "IsNull": true, %s}]},`+"\n", i, i+1, next)
		case 2:
			fmt.Fprintf(&out, `"S%d": {"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "Assign": {"v2.$": "$.MessageId"}, "ResultPath": null, %s},`+"\n", i, next)
		default:
			fmt.Fprintf(&out, `"S%d": {"Type": "Wait", "Seconds": 1, %s},`+"\n", i, next)
		}
	}
	fmt.Fprintf(&out, `"S%d": {"Type": "Succeed", "OutputPath": "$v2"}}}`, n)
	return []byte(out.String())
}

func TestBig(t *testing.T) {
	_, problems := find(string(big(10_000)), Options{Hints: true})
	if len(problems) > 0 {
		t.Errorf("%d problems: %s", len(problems), problems[0].Format())
	}
}

func BenchmarkAll(b *testing.B) {
	src := &source.File{Name: "big.json", Data: big(10_000)}
	b.SetBytes(int64(len(src.Data)))
	b.ReportAllocs()
	for b.Loop() {
		root, problem := source.Read(src, nil)
		if problem != nil {
			b.Fatal(problem)
		}
		if problems := All(src, root, Options{}); len(problems) > 0 {
			b.Fatal(problems[0])
		}
	}
}

// FuzzAll: whatever the text is, nothing panics, every problem has a place in the text and a rule that is explained.
func FuzzAll(f *testing.F) {
	for r := range rules.All() {
		f.Add(r.Wrong)
		f.Add(r.Right)
	}
	for _, test := range flows {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src, problems := find(text, Options{Hints: true, Express: true})
		for _, d := range problems {
			if d.Span.Start.Line < 1 || d.Span.Start.Offset > len(src.Data) || d.Span.End.Offset < d.Span.Start.Offset {
				t.Fatalf("place %+v of %s", d.Span, d.Message)
			}
			if d.Format() == "" || d.Message == "" || d.Rule == "" {
				t.Fatalf("nothing said: %+v", d)
			}
		}
	})
}

// machine returns a definition that starts at A.
func machine(states string) string { return `{"StartAt": "A", "States": {` + states + `}}` }

// flows are definitions about data and variables, with the expected findings: "rule pointer", or nothing.
var flows = []struct{ name, text, want string }{
	{"a member of one way may be there", machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "C"}]},
		"B": {"Type": "Pass", "Result": {"b": 1}, "Next": "D"}, "C": {"Type": "Pass", "Result": {"c": 1}, "Next": "D"}, "D": {"Type": "Pass", "InputPath": "$.c", "End": true}`), "data-missing-on-a-path /States/D/InputPath"},
	{"a member of no way", machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "C"}]},
		"B": {"Type": "Pass", "Result": {"b": 1}, "Next": "D"}, "C": {"Type": "Pass", "Result": {"c": 1}, "Next": "D"}, "D": {"Type": "Pass", "InputPath": "$.x", "End": true}`), "discarded-data /States/D/InputPath"},
	{"ResultPath keeps the input", machine(`"A": {"Type": "Pass", "Result": 1, "ResultPath": "$.r", "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$.x", "End": true}`), ""},
	{"ResultPath adds to the input", machine(`"A": {"Type": "Pass", "Result": {"a": 1}, "Next": "B"}, "B": {"Type": "Pass", "Result": 2, "ResultPath": "$.b.c", "Next": "C"},
		"C": {"Type": "Pass", "Parameters": {"p.$": "$.a", "q.$": "$.b.c", "r.$": "$.b.d"}, "End": true}`), "discarded-data /States/C/Parameters/r.$"},
	{"ResultPath null", machine(`"A": {"Type": "Pass", "Result": {"a": 1}, "Next": "B"}, "B": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "ResultPath": null, "Next": "C"},
		"C": {"Type": "Pass", "InputPath": "$.Payload", "End": true}`), "discarded-data /States/C/InputPath"},
	{"a task may give anything", machine(`"A": {"Type": "Pass", "Result": {"a": 1}, "Next": "B"}, "B": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f", "Next": "C"},
		"C": {"Type": "Pass", "InputPath": "$.x", "End": true}`), ""},
	{"ResultSelector", machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "ResultSelector": {"code.$": "$.StatusCode"}, "Next": "B"},
		"B": {"Type": "Pass", "InputPath": "$.Payload", "End": true}`), "discarded-data /States/B/InputPath"},
	{"OutputPath", machine(`"A": {"Type": "Pass", "Result": {"a": {"b": 1}, "c": 2}, "OutputPath": "$.a", "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$.c", "End": true}`), "discarded-data /States/B/InputPath"},
	{"OutputPath null", machine(`"A": {"Type": "Pass", "OutputPath": null, "Next": "B"}, "B": {"Type": "Wait", "SecondsPath": "$.c", "End": true}`), "discarded-data /States/B/SecondsPath"},
	{"a loop that brings it", machine(`"A": {"Type": "Pass", "Result": {"n": 1}, "Next": "B"}, "B": {"Type": "Choice", "Default": "D", "Choices": [{"Variable": "$.more", "IsPresent": false, "Next": "C"}]},
		"C": {"Type": "Pass", "Result": 1, "ResultPath": "$.more", "Next": "B"}, "D": {"Type": "Pass", "InputPath": "$.more", "End": true}`), ""},
	{"a loop that wraps its data", machine(`"A": {"Type": "Pass", "Parameters": {"in.$": "$"}, "Next": "B"}, "B": {"Type": "Choice", "Default": "A", "Choices": [{"Variable": "$.in.in.in.x", "IsPresent": true, "Next": "C"}]}, "C": {"Type": "Succeed"}`), "data-not-followed /States/A"},
	{"the Error Output", machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true, "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
		"B": {"Type": "Pass", "Parameters": {"e.$": "$.Error", "c.$": "$.Cause", "id.$": "$.id"}, "End": true}`), "discarded-data /States/B/Parameters/id.$"},
	{"the Error Output beside the input", machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true, "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "B"}]},
		"B": {"Type": "Pass", "Parameters": {"e.$": "$.error.Error", "id.$": "$.id"}, "End": true}`), ""},
	{"a member of an array", machine(`"A": {"Type": "Parallel", "Branches": [{"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}], "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$.x", "End": true}`), "discarded-data /States/B/InputPath"},
	{"an item of an array", machine(`"A": {"Type": "Parallel", "Branches": [{"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}], "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$[0].x", "End": true}`), ""},
	{"a wildcard gives an empty array", machine(`"A": {"Type": "Pass", "Result": {"a": 1}, "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$.b[*]", "End": true}`), ""},
	{"a branch gets the payload", machine(`"A": {"Type": "Parallel", "Parameters": {"p": 1}, "End": true, "Branches": [{"StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$.q", "End": true}}}]}`), "discarded-data /States/A/Branches/0/States/I/InputPath"},
	{"an iteration gets the item", machine(`"A": {"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$.q", "End": true}}}}`), ""},
	{"an iteration gets the result of ItemSelector", machine(`"A": {"Type": "Map", "ItemSelector": {"item.$": "$$.Map.Item.Value"}, "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "Parameters": {"a.$": "$.item.x", "b.$": "$.x"}, "End": true}}}}`), "discarded-data /States/A/ItemProcessor/States/I/Parameters/b.$"},
	{"JSONata reads the result of Output", `{"QueryLanguage": "JSONata", ` + machine(`"A": {"Type": "Pass", "Output": {"a": "{% 1 %}"}, "Next": "B"}, "B": {"Type": "Pass", "Output": "{% $states.input.b %}", "End": true}`)[1:], "discarded-data /States/B/Output"},
	{"JSONata that can do without", `{"QueryLanguage": "JSONata", ` + machine(`"A": {"Type": "Pass", "Output": {"a": "{% 1 %}"}, "Next": "B"}, "B": {"Type": "Pass", "Output": "{% $exists($states.input.b) %}", "End": true}`)[1:], ""},

	{"assigned on one way only", machine(`"A": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "B"}]}, "B": {"Type": "Pass", "Assign": {"v": 1}, "Next": "C"}, "C": {"Type": "Pass", "InputPath": "$v", "End": true}`), "variable-missing-on-a-path /States/C/InputPath"},
	{"assigned by the state itself", machine(`"A": {"Type": "Pass", "Assign": {"v": 1}, "OutputPath": "$v", "End": true}`), "unassigned-variable /States/A/OutputPath"},
	{"assigned later", machine(`"A": {"Type": "Pass", "InputPath": "$v", "Next": "B"}, "B": {"Type": "Pass", "Assign": {"v": 1}, "End": true}`), "unassigned-variable /States/A/InputPath"},
	{"assigned in a loop", machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [{"Variable": "$v", "IsPresent": true, "Next": "C"}]}, "B": {"Type": "Pass", "Assign": {"v": 1}, "Next": "A"}, "C": {"Type": "Pass", "InputPath": "$v", "End": true}`), ""},
	{"only the catcher assigns it", machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Assign": {"v": 1}, "Next": "C"}]},
		"B": {"Type": "Pass", "InputPath": "$v", "End": true}, "C": {"Type": "Pass", "InputPath": "$v", "End": true}`), "unassigned-variable /States/B/InputPath"},
	{"only the rule assigns it", machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [{"Variable": "$.x", "IsPresent": true, "Assign": {"v": 1}, "Next": "C"}]}, "B": {"Type": "Pass", "InputPath": "$v", "End": true}, "C": {"Type": "Pass", "InputPath": "$v", "End": true}`), "unassigned-variable /States/B/InputPath"},
	{"an inner scope reads the outer one", machine(`"A": {"Type": "Pass", "Assign": {"v": 1}, "Next": "B"}, "B": {"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$v", "End": true}}}}`), ""},
	{"a distributed one does not", machine(`"A": {"Type": "Pass", "Assign": {"v": 1}, "Next": "B"}, "B": {"Type": "Map", "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$v", "End": true}}}}`), "unassigned-variable /States/B/ItemProcessor/States/I/InputPath"},
	{"the outer one does not read the inner", machine(`"A": {"Type": "Parallel", "Branches": [{"StartAt": "I", "States": {"I": {"Type": "Pass", "Assign": {"v": 1}, "End": true}}}], "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$v", "End": true}`), "unassigned-variable /States/B/InputPath"},
	{"in a call", machine(`"A": {"Type": "Pass", "Parameters": {"x.$": "States.Format('{}', States.ArrayLength($v))"}, "End": true}`), "unassigned-variable /States/A/Parameters/x.$"},
	{"the Map's context outside of a Map", machine(`"A": {"Type": "Pass", "Parameters": {"x.$": "$$.Map.Item.Value"}, "End": true}`), "unknown-context-field /States/A/Parameters/x.$"},
	{"the Map's context inside of one", machine(`"A": {"Type": "Map", "ItemSelector": {"x.$": "$$.Map.Item.Value"}, "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "Parameters": {"x.$": "$$.Map.Item.Index"}, "End": true}}}}`), ""},
	{"a Default to itself that counts", `{"QueryLanguage": "JSONata", ` + machine(`"A": {"Type": "Choice", "Default": "A", "Assign": {"n": "{% $n + 1 %}"}, "Choices": [{"Condition": "{% $n > 3 %}", "Next": "B"}]}, "B": {"Type": "Succeed"}`)[1:], ""},
	{"a Default to itself that waits", `{"QueryLanguage": "JSONata", ` + machine(`"A": {"Type": "Choice", "Default": "A", "Choices": [{"Condition": "{% $millis() > 3 %}", "Next": "B"}]}, "B": {"Type": "Succeed"}`)[1:], ""},
	{"JSONata binds its own", `{"QueryLanguage": "JSONata", ` + machine(`"A": {"Type": "Pass", "Output": "{% ($x := 1; $map([1], function($v) { $v + $x })) %}", "End": true}`)[1:], ""},
}

func TestFlows(t *testing.T) {
	for _, test := range flows {
		src, problems := find(test.text, Options{})
		var got []string
		for _, d := range problems {
			got = append(got, d.Rule+" "+d.Pointer)
			if d.Rule == "discarded-data" && len(d.Reasons) < 2 {
				t.Errorf("%s: no steps are given: %s", test.name, d.Format())
			}
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: got %v, want %q\n%s", test.name, got, test.want, formatAll(src, problems))
		}
	}
}

// TestReasons: the whole text of one problem.
func TestReasons(t *testing.T) {
	src, problems := find("{\"StartAt\": \"A\", \"States\": {\n \"A\": {\"Type\": \"Pass\", \"Result\": {\"status\": 1}, \"Next\": \"B\"},\n \"B\": {\"Type\": \"Choice\", \"Default\": \"C\", \"Choices\": [\n   {\"Variable\": \"$.sttaus\", \"NumericEquals\": 1, \"Next\": \"C\"}]},\n \"C\": {\"Type\": \"Succeed\"}}}", Options{})
	want := `t.json:4:17: warning: $.sttaus is missing; did you mean $.status? [data-never-provided]
 4 |    {"Variable": "$.sttaus", "NumericEquals": 1, "Next": "C"}]},
   |                 ^^^^^^^^^^
   = the Result of A has only status (line 2)
   = in A, ResultPath $ (its default): the result replaced the whole input (line 2)
   = Choices of B reads $.sttaus (line 4)
`
	if got := formatAll(src, problems); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The other places of one cause are lines, and the names of the states where several are on one line.
func TestAlso(t *testing.T) {
	states := make([]string, 4)
	for i := range states {
		states[i] = fmt.Sprintf(`"S%d": {"Type": "Pass", "Parameters": {"a.$": "$.x"}, "Next": "S%d"}`, i, i+1)
	}
	for sep, want := range map[string]string{", ": "also read in S2, S3", ",\n": "also read at 3, 4"} {
		text := `{"StartAt": "S0", "States": {` + strings.Join(states, sep) + `, "S4": {"Type": "Succeed"}}}`
		if got := formatAll(find(text, Options{})); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
