package asl

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// everyField has every field that the language knows, in states of every type, in both query languages.
var everyField = []string{`{
 "Comment": "c", "Version": "1.0", "TimeoutSeconds": 5, "QueryLanguage": "JSONPath", "StartAt": "Pass", "States": {
 "Pass": {"Type": "Pass", "Comment": "c", "QueryLanguage": "JSONPath", "Next": "Task", "InputPath": "$", "OutputPath": "$", "ResultPath": "$",
   "Parameters": {"a.$": "$.a"}, "Result": {}, "Assign": {"v": 1}},
 "Task": {"Type": "Task", "Resource": "a:b", "Next": "Choice", "TimeoutSeconds": 9, "HeartbeatSeconds": 3, "Credentials": {"RoleArn": "x"},
   "InputPath": "$", "OutputPath": "$", "ResultPath": "$", "Parameters": {}, "ResultSelector": {}, "Assign": {},
   "Retry": [{"ErrorEquals": ["x"], "IntervalSeconds": 1, "MaxAttempts": 0, "BackoffRate": 1.5, "MaxDelaySeconds": 9, "JitterStrategy": "FULL", "Comment": "c"}],
   "Catch": [{"ErrorEquals": ["x"], "Next": "Fail", "ResultPath": "$.e", "Assign": {}, "Comment": "c"}]},
 "Choice": {"Type": "Choice", "Default": "Wait", "InputPath": "$", "OutputPath": "$", "Assign": {}, "Choices": [
   {"Variable": "$.a", "StringEquals": "x", "Next": "Wait", "Comment": "c", "Assign": {}},
   {"Variable": "$.a", "NumericLessThanPath": "$.b", "Next": "Path"},
   {"And": [{"Variable": "$.a", "NumericEquals": 1}, {"Not": {"Variable": "$.t", "TimestampLessThan": "2024-01-01T00:00:00Z"}}], "Next": "Until"},
   {"Or": [{"Variable": "$.a", "BooleanEquals": true}, {"Variable": "$.a", "IsPresent": true}], "Next": "UntilPath"}]},
 "Wait": {"Type": "Wait", "Seconds": 0, "Next": "Parallel", "InputPath": "$", "OutputPath": "$", "Assign": {}},
 "Path": {"Type": "Wait", "SecondsPath": "$.s", "Next": "Parallel"},
 "Until": {"Type": "Wait", "Timestamp": "2024-01-01T00:00:00Z", "Next": "Parallel"},
 "UntilPath": {"Type": "Wait", "TimestampPath": "$$.x", "Next": "Parallel"},
 "Parallel": {"Type": "Parallel", "Next": "Map", "InputPath": "$", "OutputPath": "$", "ResultPath": "$", "Parameters": {}, "ResultSelector": {}, "Assign": {},
   "Retry": [], "Catch": [], "Branches": [{"StartAt": "InBranch", "Comment": "c", "States": {"InBranch": {"Type": "Succeed", "InputPath": "$", "OutputPath": "$"}}}]},
 "Map": {"Type": "Map", "Next": "PathMap", "InputPath": "$", "OutputPath": "$", "ResultPath": "$", "ItemSelector": {}, "ResultSelector": {}, "Assign": {}, "ItemsPath": "$.a",
   "MaxConcurrency": 1, "ToleratedFailureCount": 1, "ToleratedFailurePercentage": 1.5, "Label": "l", "Retry": [], "Catch": [],
   "ItemReader": {"Resource": "a:b", "Parameters": {}, "ReaderConfig": {"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"], "CSVDelimiter": "TAB", "MaxItems": 1, "ItemsPointer": "/a", "Transformation": "NONE", "ManifestType": "S3_INVENTORY"}},
   "ItemBatcher": {"BatchInput": {}, "MaxItemsPerBatch": 1, "MaxInputBytesPerBatchPath": "$.x"},
   "ResultWriter": {"Resource": "a:b", "Parameters": {}, "WriterConfig": {"OutputType": "JSON", "Transformation": "FLATTEN"}},
   "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "InMap", "States": {"InMap": {"Type": "Pass", "End": true}}}},
 "PathMap": {"Type": "Map", "Next": "PathTask", "Parameters": {}, "MaxConcurrencyPath": "$.m", "ToleratedFailureCountPath": "$.m", "ToleratedFailurePercentagePath": "$.m",
   "Iterator": {"StartAt": "InPathMap", "States": {"InPathMap": {"Type": "Succeed"}}}},
 "PathTask": {"Type": "Task", "Resource": "a:b", "Next": "PathFail", "TimeoutSecondsPath": "$.t", "HeartbeatSecondsPath": "$.t"},
 "PathFail": {"Type": "Fail", "ErrorPath": "$.e", "CausePath": "States.Format('{}', $.e)"},
 "Fail": {"Type": "Fail", "Error": "e", "Cause": "c"}}}`, `{
 "QueryLanguage": "JSONata", "StartAt": "Task", "States": {
 "Task": {"Type": "Task", "Resource": "a:b", "Next": "Choice", "TimeoutSeconds": "{% 1 %}", "HeartbeatSeconds": "{% 1 %}", "Arguments": {}, "Output": {}, "Assign": {},
   "Catch": [{"ErrorEquals": ["x"], "Next": "Fail", "Output": {}, "Assign": {}}]},
 "Choice": {"Type": "Choice", "Default": "Wait", "Output": {}, "Assign": {}, "Choices": [{"Condition": "{% true %}", "Next": "Wait", "Output": {}, "Assign": {}}]},
 "Wait": {"Type": "Wait", "Seconds": "{% 1 %}", "Next": "Until", "Output": {}},
 "Until": {"Type": "Wait", "Timestamp": "{% $now() %}", "Next": "Parallel"},
 "Parallel": {"Type": "Parallel", "Next": "Map", "Arguments": {}, "Output": {}, "Branches": [{"StartAt": "InBranch", "States": {"InBranch": {"Type": "Succeed", "Output": {}}}}]},
 "Map": {"Type": "Map", "End": true, "Items": [1], "ItemSelector": {}, "Output": {}, "MaxConcurrency": "{% 1 %}", "ToleratedFailureCount": "{% 1 %}", "ToleratedFailurePercentage": "{% 1 %}",
   "ItemReader": {"Resource": "a:b", "Arguments": {}}, "ItemBatcher": {"MaxItemsPerBatch": "{% 1 %}"}, "ResultWriter": {"Resource": "a:b", "Arguments": {}},
   "ItemProcessor": {"StartAt": "InMap", "States": {"InMap": {"Type": "Pass", "End": true, "Output": {}}}}},
 "Fail": {"Type": "Fail", "Error": "{% 'e' %}", "Cause": "{% 'c' %}"}}}`}

// legalKinds says which other kinds a field may have, by the end of its JSON Pointer.
var legalKinds = map[string][]value.Kind{
	"/InputPath":  {value.KindNull},
	"/OutputPath": {value.KindNull},
	"/ResultPath": {value.KindNull},
	"/Condition":  {value.KindBool},
	"/Items":      {value.KindObject},
}

// anyKind are the fields that hold any JSON; so do their members.
var anyKind = []string{"/Result", "/Parameters", "/Output"}

// dataFields hold data, in which every value is legal.
var dataFields = []string{"/Parameters/", "/Assign/", "/Credentials/", "/Items/"}

func legal(pointer string, kind value.Kind, jsonata bool) bool {
	for _, field := range anyKind {
		// ItemReader's and ResultWriter's Parameters must be objects.
		if strings.HasSuffix(pointer, field) && !strings.Contains(pointer, "/ItemReader/") &&
			!strings.Contains(pointer, "/ResultWriter/") {
			return true
		}
	}
	for _, field := range dataFields {
		if strings.Contains(pointer, field) {
			return !strings.HasSuffix(pointer, ".$")
		}
	}
	if jsonata && kind == value.KindNumber {
		for _, field := range []string{"TimeoutSeconds", "HeartbeatSeconds", "Seconds", "MaxConcurrency",
			"ToleratedFailureCount", "ToleratedFailurePercentage", "MaxItemsPerBatch"} {
			if strings.HasSuffix(pointer, "/"+field) {
				return true
			}
		}
	}
	for suffix, kinds := range legalKinds {
		if strings.HasSuffix(pointer, suffix) && slices.Contains(kinds, kind) {
			return true
		}
	}
	return false
}

// TestWrongKinds puts a value of every other kind in the place of every value.
func TestWrongKinds(t *testing.T) {
	others := map[value.Kind]string{
		value.KindNull: `null`, value.KindBool: `true`, value.KindNumber: `7`, value.KindString: `"x"`,
		value.KindArray: `[]`, value.KindObject: `{}`,
	}
	tried := 0
	for i, text := range everyField {
		machine, diagnostics := Parse(&Source{Name: "every field", Data: []byte(text)})
		if machine == nil {
			t.Fatal(formatAll(&Source{Data: []byte(text)}, diagnostics))
		}
		var visit func(n *Node)
		visit = func(n *Node) {
			pointer := machine.Root.Pointers()[n]
			for kind, other := range others {
				if kind == n.Kind {
					continue
				}
				tried++
				changed := &Source{Data: []byte(text[:n.Span.Start.Offset] + other + text[n.Span.End.Offset:])}
				machine, diagnostics := Parse(changed)
				if ok := legal(pointer, kind, i == 1); ok != (machine != nil) {
					t.Errorf("%s of kind %s: accepted %v, want %v\n%s", pointer, kind, machine != nil, ok,
						formatAll(changed, diagnostics))
				}
				for _, d := range diagnostics {
					if d.Span.Start.Line < 1 || d.Format() == "" {
						t.Errorf("%s of kind %s: %+v", pointer, kind, d)
					}
				}
			}
			for _, m := range n.Members {
				visit(m.Node)
			}
			for _, item := range n.Items {
				visit(item)
			}
		}
		visit(machine.Root)
	}
	if tried < 1000 {
		t.Errorf("only %d replacements were tried", tried)
	}
}

// TestTruncatedText cuts a definition at every byte.
func TestTruncatedText(t *testing.T) {
	text := strings.TrimSpace(everyField[1])
	for i := range len(text) {
		src := &Source{Name: "cut", Data: []byte(text[:i])}
		machine, diagnostics := Parse(src)
		if machine != nil || len(diagnostics) != 1 || diagnostics[0].Rule != source.RuleMalformed {
			t.Fatalf("cut at %d: %v", i, diagnostics)
		}
		checkDiagnostic(t, src, diagnostics[0])
	}
}

func TestDeepText(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 20000),
		one(`"Type": "Pass", "End": true, "Result": ` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000)),
		choice(strings.Repeat(`"Not": {`, 20000) + strings.Repeat("}", 20000)),
	} {
		src := &Source{Name: "deep", Data: []byte(text)}
		machine, diagnostics := Parse(src)
		if machine != nil || len(diagnostics) != 1 {
			t.Fatalf("accepted %v, problems %v", machine != nil, diagnostics)
		}
		checkDiagnostic(t, src, diagnostics[0])
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range everyField {
		f.Add([]byte(seed))
	}
	for _, test := range ruleTests {
		f.Add([]byte(strings.Replace(test.text, "¶", "", 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src := &Source{Name: "fuzz", Data: data}
		machine, diagnostics := Parse(src)
		errors := func(list []Diagnostic) (n int) {
			for _, d := range list {
				if d.Severity == Error {
					n++
				}
			}
			return n
		}
		if machine == nil && errors(diagnostics) == 0 ||
			machine != nil && errors(diagnostics) != errors(machine.Refused(rules.AWS)) {
			t.Fatalf("machine %v with %v", machine != nil, diagnostics)
		}
		for _, d := range diagnostics {
			checkDiagnostic(t, src, d)
		}
		if machine == nil {
			return
		}
		for s := range machine.All() {
			for _, e := range s.Edges() {
				if e.To.Scope != s.Scope {
					t.Fatalf("an edge from %q to %q", s.Path(), e.To.Path())
				}
			}
			if _, _, ok := machine.Span(s.Pointer); !ok || machine.Lookup(s.Name) != s {
				t.Fatalf("the state %q at %s is not found", s.Name, s.Pointer)
			}
		}
	})
}
