package asl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// problemsOf reads a JSONata definition with one state E, which has the members given.
func problemsOf(t *testing.T, members string) []asl.Diagnostic {
	t.Helper()
	src := &source.File{Name: "e.json", Data: []byte(`{"QueryLanguage":"JSONata","StartAt":"E","States":{"E":{` +
		members + `},"F":{"Type":"Succeed"}}}`)}
	_, problems := asl.Parse(src)
	return slices.DeleteFunc(problems, func(d asl.Diagnostic) bool { return d.Rule == rules.Unreachable })
}

// Names at the top level, as Step Functions refuses them: its message and place of each.
func TestUnsupportedJSONata(t *testing.T) {
	const (
		pass   = `"Type":"Pass","Next":"F",`
		task   = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Next":"F",`
		phone  = `Reference to 'phone' at the top level is not supported.`
		dollar = `Reference to '$' at the top level is not supported.`
	)
	for _, test := range []struct{ members, want string }{
		{pass + `"Output":"{% phone %}"`, `/Output ` + phone},
		{pass + `"Output":{"a":{"b":["{% phone %}"]}}`, `/Output/a/b/0 ` + phone},
		{pass + `"Assign":{"v":"{% phone %}"}`, `/Assign/v ` + phone},
		{pass + `"Assign":{"phone":1},"Output":"{% phone %}"`, `/Output ` + phone},
		{pass + `"Output":"{% aaa + bbb %}"`, `/Output Reference to 'aaa' at the top level is not supported.; /Output Reference to 'bbb' at the top level is not supported.`},
		{pass + `"Output":"{% phone & phone %}"`, `/Output ` + phone},
		{pass + `"Output":"{% $.phone %}"`, `/Output ` + dollar},
		{pass + `"Output":"{% $ %}"`, `/Output ` + dollar},
		{pass + `"Output":"{% $$ %}"`, `/Output Reference to '$$' is not supported.`},
		{pass + `"Output":"{% $states.input.items[phone > 3] %}"`, ``},
		{pass + `"Output":"{% $states.input.items^(price) %}"`, ``},
		{pass + `"Output":"{% $map($states.input.a, function($x){ b }) %}"`,
			`/Output Reference to 'b' at the top level is not supported.`},
		{pass + `"Output":"{% $map($states.input.a, function($x){ $x.b }) %}"`, ``},
		{pass + `"Output":"{% $phone %}"`, ``},
		{pass + `"Output":"{% $states.errorOutput %}"`, `/Output Field '$states.errorOutput' does not exist.`},
		{pass + `"Output":"{% $states.result %}"`, `/Output Field '$states.result' does not exist.`},
		{pass + `"Comment":"{% phone %}"`, ``},
		{task + `"Arguments":{"Payload":{"Comment":"{% phone %}"}}`, `/Arguments/Payload/Comment ` + phone},
		{task + `"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F","Output":{"v":"{% phone %}"}}]`,
			`/Catch/0/Output/v ` + phone},
		{task + `"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F","Output":"{% $states.errorOutput %}"}]`, ``},
		{`"Type":"Choice","Default":"F","Choices":[{"Condition":"{% phone %}","Next":"F"}]`, `/Choices/0/Condition ` +
			phone},
		{`"Type":"Wait","Next":"F","Seconds":"{% phone %}"`, `/Seconds ` + phone},
		{`"Type":"Fail","Cause":"{% phone %}"`, `/Cause ` + phone},
		{
			`"Type":"Map","Next":"F","Items":"{% phone %}","ItemSelector":{"Next":"{% phone %}"},"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Succeed"}}}`,
			`/Items ` + phone + `; /ItemSelector/Next ` + phone,
		},
		{
			`"Type":"Map","Next":"F","ItemBatcher":{"MaxItemsPerBatch":1,"BatchInput":{"Comment":"{% phone %}"}},"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{"I":{"Type":"Succeed"}}}`,
			`/ItemBatcher/BatchInput/Comment ` + phone,
		},
		{pass + `"QueryLanguage":"JSONPath","Result":"{% phone %}"`, ``},
	} {
		var got []string
		for _, d := range problemsOf(t, test.members) {
			if d.Rule != rules.UnsupportedJSONata {
				continue
			}
			if d.Severity != asl.Error || rules.Codes()[d.Rule] != "UNSUPPORTED_JSONATA_EXPRESSION" {
				t.Errorf("%s: %v %s", test.members, d.Severity, rules.Codes()[d.Rule])
			}
			got = append(got, strings.TrimPrefix(d.Pointer, "/States/E")+" "+d.Service.Message)
		}
		if list := strings.Join(got, "; "); list != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.members, list, test.want)
		}
	}
}

// Expressions that cannot be parsed have the parser's message, without its code.
func TestInvalidJSONata(t *testing.T) {
	for _, test := range [][2]string{
		{`{% $states.input.a[1,2) %}`, `Expected "]", got ","`},
		{`{% 'x %}`, `String literal must be terminated by a matching quote`},
		{`{% 1 + %}`, `Unexpected end of expression`}, {`{%%}`, `Unexpected end of expression`},
		{`{% $x := %}`, `Unexpected end of expression`},
		{`{% {'a':} %}`, `The symbol "}" cannot be used as a unary operator`},
		{`{% $match('a', /abc %}`, `No terminating / in regular expression`},
	} {
		problems := problemsOf(t, `"Type":"Pass","Next":"F","Output":"`+test[0]+`"`)
		if len(problems) != 1 || problems[0].Service.Message != test[1] ||
			rules.Codes()[problems[0].Rule] != "INVALID_JSONATA_EXPRESSION" {
			t.Errorf("%s: %+v", test[0], problems)
		}
	}
}

// Mistakes say what to write instead, with the place of the part: in JSON with escapes, in YAML in each of its forms.
func TestMistakesInExpressions(t *testing.T) {
	for _, test := range []struct{ name, text, marked, suggestion string }{
		{"json", `{"QueryLanguage":"JSONata","StartAt":"E","States":{"E":{"Type":"Pass","End":true,"Output":"{% $states.input.a == 1 %}"}}}`, `==`, `write = to compare`},
		{"escapes", `{"QueryLanguage":"JSONata","StartAt":"E","States":{"E":{"Type":"Pass","End":true,"Output":"{% \"\u00e9\\\"\" & (\n $lenght(1)) %}"}}}`, `$lenght`, `did you mean $length?`},
		{"yaml plain", "QueryLanguage: JSONata\nStartAt: E\nStates:\n  E:\n    Type: Pass\n    End: true\n    Output: \"{% $states.input.é && true %}\"\n", `&&`, `write and`},
		{"yaml quoted", "QueryLanguage: JSONata\nStartAt: E\nStates:\n  E:\n    Type: Pass\n    End: true\n    Output: '{% ''a'' & $eval(1) %}'\n", `$eval`, `$parse reads JSON text`},
		{"yaml block", "QueryLanguage: JSONata\nStartAt: E\nStates:\n  E:\n    Type: Pass\n    End: true\n    Output: |-\n      {% (\n        $a := 1;\n        $a || 2\n      ) %}\n", `||`, `write or`},
		{"yaml folded", "QueryLanguage: JSONata\nStartAt: E\nStates:\n  E:\n    Type: Pass\n    End: true\n    Output: >-\n      {% $states.input.a\n      ?? phone %}\n", `??`, `write $exists(a) ? a : b`},
		{"yaml lines in quotes", "QueryLanguage: JSONata\nStartAt: E\nStates:\n  E:\n    Type: Pass\n    End: true\n    Output: \"{% $states.input.a\n      = $.phone.x %}\"\n", `$`, `write $states.input.phone.x`},
		{"a member", `{"QueryLanguage":"JSONata","StartAt":"E","States":{"E":{"Type":"Pass","End":true,"Output":"{% 1 + $states.result %}"}}}`, `$states.result`, ``},
		{"not", `{"QueryLanguage":"JSONata","StartAt":"E","States":{"E":{"Type":"Pass","End":true,"Output":"{% !$states.input.a %}"}}}`, `!`, `write $not(...)`},
	} {
		src := &source.File{Name: "e", Data: []byte(test.text)}
		_, problems := asl.Parse(src)
		if len(problems) != 1 {
			t.Errorf("%s: %v", test.name, problems)
			continue
		}
		d := problems[0]
		if marked := string(src.Data[d.Span.Start.Offset:d.Span.End.Offset]); marked != test.marked ||
			d.Suggestion != test.suggestion {
			t.Errorf("%s: %q marked, suggestion %q\n%s", test.name, marked, d.Suggestion, d.Format())
		}
	}
}

func ExampleParse_mistake() {
	src := &source.File{Name: "e.json", Data: []byte(`{"QueryLanguage": "JSONata", "StartAt": "E", "States": {
  "E": {"Type": "Pass", "Output": "{% $.phone %}", "End": true}}}`)}
	_, problems := asl.Parse(src)
	fmt.Println(problems[0].Format())
	// Output:
	// e.json:2:39: error: an expression has no context: $ has no value here [unsupported-jsonata]
	//  2 |   "E": {"Type": "Pass", "Output": "{% $.phone %}", "End": true}}}
	//    |                                       ^
	//    = write $states.input.phone
}
