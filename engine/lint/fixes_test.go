package lint

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

// letters are fields with a letter wrong.
var letters = []struct {
	at   *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`"ResultPath"`), `"ResultPaht"`}, {regexp.MustCompile(`"ErrorEquals"`), `"ErorEquals"`},
	{regexp.MustCompile(`"Default"`), `"Defualt"`}, {regexp.MustCompile(`"StartAt"`), `"StratAt"`},
	{regexp.MustCompile(`"FunctionName"`), `"FunctionNmae"`}, {regexp.MustCompile(`"TableName"`), `"TableNaem"`},
	{regexp.MustCompile(`:::lambda:invoke`), `:::lambda:invkoe`},
	{regexp.MustCompile(`sdk:dynamodb:query`), `sdk:dynamodb:qurey`},
	{
		regexp.MustCompile(`"QueueUrl"`),
		`"QueueURLL"`,
	}, {regexp.MustCompile(`"Choice"`), `"Choise"`}, {regexp.MustCompile(`"Parameters"`), `"Parametres"`},
}

// Each certain fix of the problems of broken and misspelt definitions mends its problem: the text can be read, and the
// problem is gone from its place.
func TestFixesMend(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "definitions"), "invalid", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no definitions: %v", err)
	}
	texts, whole := make(map[string]string), make(map[string]string)
	for _, name := range files {
		texts[filepath.Base(name)] = string(testkit.Read(t, name))
	}
	valid, err := filepath.Glob(filepath.Join(testkit.Dir(t, "definitions"), "valid", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range valid {
		text := string(testkit.Read(t, name))
		for i := range letters {
			if at := letters[i].at.FindStringIndex(text); at != nil {
				mistaken := filepath.Base(name) + ", " + letters[i].text
				texts[mistaken], whole[mistaken] = text[:at[0]]+letters[i].text+text[at[1]:], text
			}
		}
	}
	texts["a catcher, an error's name, a deeper path"] = threeMistakes
	tried := 0
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		forms := map[string]string{name: texts[name]}
		if v, err := value.ParseString(texts[name]); err == nil && i%3 == 0 {
			forms[name+" as YAML"] = strings.TrimPrefix(block(v, 0), "\n")
		}
		for form, text := range forms {
			tried += mendAll(t, form, text, whole[name])
		}
	}
	if tried < 200 {
		t.Errorf("only %d fixes are certain", tried)
	}
	if n := mendAll(t, "three mistakes", threeMistakes, ""); n != 3 {
		t.Errorf("%d fixes of the three mistakes are certain, want 3", n)
	}
	const lone = `{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
		"Parameters": {"FunctionName": "f", "Payload": "$"}, "End": true}}}`
	if n := mendAll(t, "a lone $", lone, strings.Replace(lone, `"Payload"`, `"Payload.$"`, 1)); n != 1 {
		t.Errorf("%d fixes of a lone $ are certain, want 1", n)
	}
}

const threeMistakes = `{
  "StartAt": "Enrich",
  "States": {
    "Enrich": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
      "Parameters": {"FunctionName": "f", "Payload.$": "$.order"}, "ResultPath": "$.customer",
      "Retry": [{"ErrorEquals": ["Lambda.ServiceExecption"]}],
      "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Mail"}],
      "Next": "Mail"},
    "Mail": {"Type": "Pass", "Parameters": {"id.$": "$.order.id"}, "Next": "In"},
    "In": {"Type": "Pass", "Result": {"box": {"name": {"first": "A"}}}, "Next": "Out"},
    "Out": {"Type": "Pass", "Parameters": {"n.$": "$.first"}, "End": true}
  }
}`

// A member that an OutputPath drops, or that the iterations of a Map state do not get, is kept by a change that is
// certain where the analysis shows that no other read is harmed.
func TestKeptMembers(t *testing.T) {
	const outputPath = `{"StartAt":"In","States":{"In":{"Type":"Pass","Result":{"orderId":5},"Next":"A"},
  "A":{"Type":"Pass","Result":{"paid":true},"ResultPath":"$.a","OutputPath":"$.a","Next":"B"},
  "B":{"Type":"Pass","InputPath":"$.orderId","End":true}}}`
	const items = `{"StartAt":"In","States":{"In":{"Type":"Pass","Result":{"orderId":5,"lines":[{"sku":1}]},"Next":"M"},
  "M":{"Type":"Map","ItemsPath":"$.lines","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass",
  "Parameters":{"order.$":"$.orderId","s.$":"$.sku"},"End":true}}},"End":true}}}`
	lambda := strings.Replace(outputPath, `"Pass","Result":{"paid":true}`,
		`"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"}`, 1)
	for _, c := range []struct {
		name, text, want string
		certain          bool
	}{
		{"an OutputPath", outputPath, `remove "OutputPath" in A, which drops it`, true},
		{"an OutputPath whose member is read", strings.Replace(outputPath, `"InputPath":"$.orderId"`,
			`"Parameters":{"a.$":"$.orderId","b.$":"$.paid"}`, 1), `remove "OutputPath" in A, which drops it`, false},
		{"an OutputPath of unknown data", strings.Replace(lambda, `"OutputPath":"$.a"`,
			`"OutputPath":"$.a.Payload"`, 1), "", false},
		{"an OutputPath of a service's result", lambda, `remove "OutputPath" in A, which drops it`, true},
		{"items", items, `write "ItemSelector": {"sku.$": "$$.Map.Item.Value.sku", ` +
			`"orderId.$": "$.orderId"} in M`, true},
		{"items in JSONata", strings.NewReplacer(`{"StartAt":"In"`, `{"QueryLanguage":"JSONata","StartAt":"In"`,
			`"Result":`, `"Output":`, `"ItemsPath":"$.lines"`, `"Items":"{% $states.input.lines %}"`,
			`"Parameters":{"order.$":"$.orderId","s.$":"$.sku"}`,
			`"Output":{"order":"{% $states.input.orderId %}","s":"{% $states.input.sku %}"}`).Replace(items),
			`write "ItemSelector": {"sku": "{% $states.context.Map.Item.Value.sku %}", ` +
				`"orderId": "{% $states.input.orderId %}"} in M`, true},
		{"items of several forms", strings.Replace(items, `{"sku":1}`, `{"sku":1},{"name":2}`, 1), "", false},
	} {
		_, problems := find(c.text, Options{Try: true})
		got, certain := "", false
		for _, d := range problems {
			if d.Fix != nil && d.Fix.Into != nil {
				got, certain = d.Suggestion, d.Fix.Certain
			}
		}
		if got != c.want || certain != c.certain {
			t.Errorf("%s: %q, certain: %v; want %q, %v: %v", c.name, got, certain, c.want, c.certain, problems)
		}
		if n := mendAll(t, c.name, c.text, ""); c.certain && n != 1 {
			t.Errorf("%s: %d certain fixes", c.name, n)
		}
	}
}

// A catcher whose Error Output is read keeps its word: a ResultPath would move it away.
func TestNoCertainFix(t *testing.T) {
	text := strings.Replace(threeMistakes, `{"id.$": "$.order.id"}`, `{"id.$": "$.order.id", "why.$": "$.Cause"}`, 1)
	_, problems := find(text, Options{Try: true})
	for i := range problems {
		if f := problems[i].Fix; f != nil && f.Into != nil && f.Certain {
			t.Errorf("%s is certain, and %s needs the Cause", f, problems[i].Message)
		}
	}
}

// block writes a value as YAML in blocks, with a comment behind some lines.
func block(v value.Value, depth int) string {
	var out strings.Builder
	before := "\n" + strings.Repeat("  ", depth)
	switch v := v.(type) {
	case *value.Object:
		if v.Len() == 0 {
			return " {}"
		}
		for key, part := range v.All() {
			out.WriteString(before + value.Quote(key) + ":" + block(part, depth+1))
		}
	case *value.Array:
		if v.Len() == 0 {
			return " []"
		}
		for _, item := range v.All() {
			out.WriteString(before + "-" + strings.TrimPrefix(strings.TrimLeft(block(item, depth+1), "\n"),
				strings.Repeat("  ", depth)+" "))
		}
	default:
		return " " + value.Compact(v) + " # said so"
	}
	return out.String()
}

// mendAll makes each certain fix of a text alone, and returns their number. The text without the mistake may have
// problems, which the mistake hides, as an error of the language may hide others.
func mendAll(t *testing.T, name, text, whole string) (tried int) {
	t.Helper()
	_, problems := find(text, Options{Try: true})
	before := counted(problems)
	_, hidden := find(whole, Options{})
	own := counted(hidden)
	for i := range problems {
		d := &problems[i]
		edit, ok := d.Edit()
		if !ok || !d.Fix.Certain {
			continue
		}
		tried++
		mended := string(source.Apply(edit.File, []source.Edit{edit}))
		_, after := find(mended, Options{})
		if at := (place{d.Rule, d.Pointer}); counted(after)[at] >= before[at] {
			t.Errorf("%s: %s is still there:\n%s", name, d.Message, mended)
		}
		for at, n := range counted(after) {
			if n > max(before[at], own[at]) && (whole != "" || d.Severity != source.Error) {
				t.Errorf("%s: %s for %s: %s at %s is new", name, d.Fix, d.Message, at.rule, at.pointer)
			}
		}
		if strings.Count(mended, "# said so") < strings.Count(text, "# said so") {
			t.Errorf("%s: %s loses a comment", name, d.Fix)
		}
	}
	return tried
}

// TestFixesOfSeveralChanges: a field among the states is moved out of them, and a missing Default gets the state that
// it leads to; both in one change.
func TestFixesOfSeveralChanges(t *testing.T) {
	const choice = `{"Type": "Choice", "Choices": [{"Variable": "$.a", "IsNull": true, "Next": "B"}]}`
	for _, c := range []struct{ about, text, want string }{
		{"on a line", `{"StartAt": "A", "States": {"QueryLanguage": "JSONata", "A": {"Type": "Succeed"}}}`,
			`{"StartAt": "A", "QueryLanguage": "JSONata", "States": {"A": {"Type": "Succeed"}}}`},
		{"on lines", "{\n  \"StartAt\": \"A\",\n  \"States\": {\n    \"A\": {\"Type\": \"Succeed\"},\n" +
			"    \"QueryLanguage\": \"JSONata\"\n  }\n}",
			"{\n  \"StartAt\": \"A\",\n  \"QueryLanguage\": \"JSONata\",\n  \"States\": {\n" +
				"    \"A\": {\"Type\": \"Succeed\"}\n  }\n}"},
		{"YAML", "States:\n  StartAt: A\n  A:\n    Type: Succeed\n",
			"StartAt: \"A\"\nStates:\n  A:\n    Type: Succeed\n"},
		{"a Default", `{"StartAt": "A", "States": {"A": ` + choice + `, "B": {"Type": "Succeed"}}}`,
			`{"StartAt": "A", "States": {"A": ` + strings.TrimSuffix(choice, "}") + `, "Default": "NoChoiceMatched"}` +
				`, "B": {"Type": "Succeed"}, "NoChoiceMatched": ` +
				`{"Type": "Fail", "Error": "NoChoiceMatched", "Cause": "no rule of A holds"}}}`},
	} {
		_, problems := find(c.text, Options{Hints: true})
		i := slices.IndexFunc(problems, func(d source.Diagnostic) bool { return d.Fix != nil && len(d.Fix.More) > 0 })
		if i < 0 {
			t.Errorf("%s: no fix in %v", c.about, problems)
			continue
		}
		edit, ok := problems[i].Edit()
		if !ok {
			t.Errorf("%s: no change for %s", c.about, problems[i].Fix)
			continue
		}
		got := string(source.Apply(edit.File, []source.Edit{edit}))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.about, got, c.want)
		}
		if _, left := find(got, Options{Hints: true}); len(left) > 0 {
			t.Errorf("%s: %v is left", c.about, left)
		}
		noted := strings.Replace(c.text, "StartAt: A\n", "StartAt: A # said so\n", 1)
		if _, commented := find(noted, Options{}); c.about == "YAML" {
			if edit, ok := commented[0].Edit(); ok {
				t.Errorf("a comment is lost: %s", edit.Text)
			}
		}
		if mendAll(t, c.about, c.text, ""); problems[i].Fix.Certain != (c.about != "a Default") {
			t.Errorf("%s is certain: %v", c.about, problems[i].Fix.Certain)
		}
	}
}

// TestNamesOfServices: a slip in a name of a service's model is certain, but a plural or another verb may be newer than
// the table; + between texts becomes &.
func TestNamesOfServices(t *testing.T) {
	const form = `{"QueryLanguage": "JSONata", "StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "RESOURCE",
  "Arguments": {ARGUMENTS}, "Output": "OUTPUT", "End": true}}}`
	table := `"TableName": "t", "Key": {"id": {"S": "1"}}`
	for _, c := range []struct {
		resource, arguments, output, want string
		certain                           bool
	}{
		{"aws-sdk:dynamodb:getIte", table, "{% 1 %}", "getItem", true},
		{"aws-sdk:dynamodb:getItems", table, "{% 1 %}", "getItem", false},
		{"aws-sdk:dynamodb:betItem", table, "{% 1 %}", "getItem", false},
		{"aws-sdk:dynamodb:getItem", `"TabelName": "t", "Key": {}`, "{% 1 %}", "TableName", true},
		{"lambda:invkoe", `"FunctionName": "f"`, "{% 1 %}", "invoke", true},
		{"lambda:invoke", `"FunctionName": "f"`, "{% 'order ' + $states.context.Execution.Name %}", "&", true},
		{"lambda:invoke", `"FunctionName": "f"`, "{% 'order ' + $states.context.Execution.Name + '!' %}", "&", false},
	} {
		text := strings.NewReplacer(
			"RESOURCE", "arn:aws:states:::"+c.resource, "ARGUMENTS", c.arguments, "OUTPUT", c.output,
		).Replace(form)
		_, problems := find(text, Options{Try: true})
		found := false
		for _, d := range problems {
			if d.Fix != nil && d.Fix.To == c.want {
				found = true
				if d.Fix.Certain != c.certain {
					t.Errorf("%s: %s for %s is certain: %v", text, d.Fix.To, d.Fix.From, d.Fix.Certain)
				}
			}
		}
		if !found {
			t.Errorf("%s has no fix %s: %v", text, c.want, problems)
		}
	}
}
