package lsp

import (
	"asldb/engine/value"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const order = `{
  "StartAt": "Check",
  "States": {
    "Check": {"Type": "Choice", "Choices": [{"Variable": "$.n", "IsPresent": true, "Next": "Each"}], "Default": "Charge"},
    "Each": {"Type": "Map", "Next": "Charge", "Assign": {"total.$": "$.n"}, "ItemProcessor": {"StartAt": "Pack", "States": {
      "Pack": {"Type": "Pass", "End": true}}}},
    "Charge": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f", "Payload": {"t.$": "$total"}},
      "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Charge"}], "End": true}
  }
}`

// at puts the place after a text into a definition.
func at(text, after string) string {
	i := strings.Index(text, after) + len(after)
	return text[:i] + "¦" + text[i:]
}

// placesOf returns locations as "line:from-to".
func placesOf(list []location) string {
	out := value.Each(list, func(l location) string {
		return fmt.Sprintf("%d:%d-%d", l.Range.Start.Line, l.Range.Start.Character, l.Range.End.Character)
	})
	return strings.Join(out, " ")
}

func TestDefinition(t *testing.T) {
	for _, test := range []struct{ after, want string }{
		{`"StartAt": "Ch`, "3:4-11"},
		{`"Default": "Charge`, "6:4-12"},
		{`"IsPresent": true, "Next": "`, "4:4-10"},
		{`{"StartAt": "Pack`, "5:6-12"},
		{`["States.ALL"], "Next": "C`, "6:4-12"},
		{`    "Each`, "4:4-10"},
		{`"$tot`, "4:57-66"},
		{`"Type": "Ch`, ""},
		{`"IsPresent": tr`, ""},
	} {
		e := begin(t, nil)
		where := e.open("order.asl.json", at(order, test.after))
		m := e.ask("textDocument/definition", where)
		var list []location
		var one location
		if json.Unmarshal(m.Result, &list) != nil && json.Unmarshal(m.Result, &one) == nil {
			list = []location{one}
		}
		if got := placesOf(list); got != test.want {
			t.Errorf("%s: %s, want %s (%s)", test.after, got, test.want, m.Result)
		}
	}
}

func TestReferences(t *testing.T) {
	e := begin(t, nil)
	where := e.open("order.asl.json", at(order, `    "Charge`))
	p := referenceParams{positionParams: where}
	p.Context.IncludeDeclaration = true
	var list []location
	e.must("textDocument/references", p, &list)
	if got, want := placesOf(list), "6:4-12 3:112-120 4:36-44 7:56-64"; got != want {
		t.Errorf("references %s, want %s", got, want)
	}
	p.Context.IncludeDeclaration = false
	e.must("textDocument/references", p, &list)
	if len(list) != 3 {
		t.Errorf("references without the declaration: %s", placesOf(list))
	}
	p.positionParams = e.open("order.asl.json", at(order, `{"tot`))
	e.must("textDocument/references", p, &list)
	if got, want := placesOf(list), "6:133-139"; got != want {
		t.Errorf("references of a variable %s, want %s", got, want)
	}
	p.positionParams = e.open("order.asl.json", at(order, `"Type"`))
	e.must("textDocument/references", p, &list)
	if len(list) != 0 {
		t.Errorf("references of a field: %s", placesOf(list))
	}
}

// TestReferencesOfVariables: the parsers of the languages say what is a variable: not a literal, not a text
// in quotes, not what the expression binds itself; and where it is written, behind characters that are escaped, too.
func TestReferencesOfVariables(t *testing.T) {
	for _, test := range []struct{ about, states, want string }{
		{"JSONPath", `"A": {"Type": "Pass", "Assign": {"n¦": 1}, "Comment": "$n", "Next": "B"},
"B": {"Type": "Pass", "Parameters": {"a": "$n", "b.$": "$n.x", "c.$": "States.Format('$n {} {}', $.n, $n)",
	"d.$": "$no"}, "End": true}`,
			"0:61-64 1:56-58 1:102-104"},
		{"JSONata", `"A": {"Type": "Pass", "QueryLanguage": "JSONata", "Assign": {"n¦": 1}, "Next": "B"},
"B": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": {"a": "{% '$n' & \"\\n$n\" & $n & $sum($n.x) %}",
	"b": "{% ($n := 1; $n) %}", "c": "$n"}, "End": true}`,
			"0:89-92 1:89-91 1:99-101"},
	} {
		e := begin(t, nil)
		p := referenceParams{positionParams: e.open("a.asl.json", `{"StartAt": "A", "States": {`+test.states+`}}`)}
		p.Context.IncludeDeclaration = true
		var list []location
		e.must("textDocument/references", p, &list)
		if got := placesOf(list); got != test.want {
			t.Errorf("%s: %s, want %s", test.about, got, test.want)
		}
	}
}

// applied returns a text after edits.
func applied(t *testing.T, text string, edits []textEdit) string {
	t.Helper()
	slices.SortFunc(edits, func(a, b textEdit) int {
		if before(a.Range.Start, b.Range.Start) {
			return 1
		}
		return -1
	})
	for _, e := range edits {
		text = string(linesOf([]byte(text)).apply(&change{Range: &e.Range, Text: e.NewText}))
	}
	return text
}

func TestRename(t *testing.T) {
	const fixturesText = "version: 1\ntasks:\n  Charge: {output: {}}\n"
	e := begin(t, map[string]string{"order.fixtures.yaml": fixturesText})
	where := e.open("order.asl.json", at(order, `    "Charge`))
	var could prepared
	e.must("textDocument/prepareRename", where, &could)
	if could.Placeholder != "Charge" || could.Range != (span{position{6, 5}, position{6, 11}}) {
		t.Errorf("prepareRename %+v", could)
	}
	var edit workspaceEdit
	e.must("textDocument/rename", renameParams{where, `Pay "now"`}, &edit)
	want := strings.NewReplacer(`"Charge"`, `"Pay \"now\""`).Replace(order)
	if got := applied(t, order, edit.Changes[e.uri("order.asl.json")]); got != want {
		t.Errorf("renamed:\n%s", got)
	}
	if got := applied(t, fixturesText, edit.Changes[e.uri("order.fixtures.yaml")]); got != strings.Replace(fixturesText, "Charge", `"Pay \"now\""`, 1) {
		t.Errorf("renamed fixtures:\n%s", got)
	}
	for _, name := range []string{"", "Pack", "Check", "a\tb", strings.Repeat("x", 81)} {
		if m := e.ask("textDocument/rename", renameParams{where, name}); m.Error == nil {
			t.Errorf("a rename to %q succeeds", name)
		}
	}
	where = e.open("order.asl.json", at(order, `"Type`))
	if m := e.ask("textDocument/rename", renameParams{where, "Pay"}); m.Error == nil {
		t.Error("a field can be renamed")
	}
	if m := e.ask("textDocument/prepareRename", where); string(m.Result) != "null" {
		t.Errorf("prepareRename of a field: %s", m.Result)
	}
}

// A rename changes the suites about the definition, and no others.
func TestRenameInSuite(t *testing.T) {
	const text = "version: 1\ndefinition: %s\ncases:\n  pays:\n    tasks: {Charge: {output: {Charge: 1}}}\n    inject: {Charge: Boom}\n    expect: {path: [Check, Charge], never: [Each], states: {Charge: {visits: 1}}}\n"
	e := begin(t, map[string]string{"other.test.yaml": fmt.Sprintf(text, "other.asl.json")})
	suite := fmt.Sprintf(text, "order.asl.json")
	if err := os.WriteFile(filepath.Join(e.dir, "order.test.yaml"), []byte(suite), 0o600); err != nil {
		t.Fatal(err)
	}
	where := e.open("order.asl.json", at(order, `    "Charge`))
	var edit workspaceEdit
	e.must("textDocument/rename", renameParams{where, "Pay"}, &edit)
	want := strings.NewReplacer("tasks: {Charge", "tasks: {Pay", "inject: {Charge", "inject: {Pay", "Check, Charge", "Check, Pay", "states: {Charge", "states: {Pay").Replace(suite)
	if got := applied(t, suite, edit.Changes[e.uri("order.test.yaml")]); got != want || len(edit.Changes) != 2 {
		t.Errorf("%d files, the suite:\n%s", len(edit.Changes), got)
	}
}

// Names are written as their place demands: in YAML, in a string of JSON inside of a template, after a surrogate pair.
func TestRenameWritten(t *testing.T) {
	for _, test := range []struct{ file, text, name, want string }{
		{"a.asl.yaml", "StartAt: A\nStates:\n  ¦A: {Type: Pass, End: true}\n", "B", "StartAt: B\nStates:\n  B: {Type: Pass, End: true}\n"},
		{"a.asl.yaml", "StartAt: 'A'\nStates:\n  ¦A: {Type: Pass, End: true}\n", "It's: on", "StartAt: 'It''s: on'\nStates:\n  \"It's: on\": {Type: Pass, End: true}\n"},
		{"a.asl.yaml", "StartAt: A\nStates:\n  ¦A: {Type: Pass, End: true}\n", "No", "StartAt: \"No\"\nStates:\n  \"No\": {Type: Pass, End: true}\n"},
		{"a.asl.json", `{"Comment": "😀", "StartAt": "A", "States": {"¦A": {"Type": "Pass", "End": true}}}`, "ü", `{"Comment": "😀", "StartAt": "ü", "States": {"ü": {"Type": "Pass", "End": true}}}`},
		{
			"t.json", `{"Resources": {"M": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": "{\"StartAt\": \"A¦\", \"States\": {\"A\": {\"Type\": \"Pass\", \"End\": true}}}"}}}}`,
			`B"`, `{"Resources": {"M": {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"DefinitionString": "{\"StartAt\": \"B\\\"\", \"States\": {\"B\\\"\": {\"Type\": \"Pass\", \"End\": true}}}"}}}}`,
		},
	} {
		e := begin(t, nil)
		where := e.open(test.file, test.text)
		var edit workspaceEdit
		e.must("textDocument/rename", renameParams{where, test.name}, &edit)
		if got := applied(t, strings.Replace(test.text, "¦", "", 1), edit.Changes[e.uri(test.file)]); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestSymbols(t *testing.T) {
	e := begin(t, nil)
	where := e.open("order.asl.json", order)
	var list []documentSymbol
	e.must("textDocument/documentSymbol", where, &list)
	if len(list) != 3 || list[1].Name != "Each" || list[1].Detail != "Map" || len(list[1].Children) != 1 || list[1].Children[0].Name != "Pack" {
		t.Fatalf("symbols %+v", list)
	}
	if list[1].Range != (span{position{4, 4}, position{5, 46}}) || list[1].SelectionRange != (span{position{4, 5}, position{4, 9}}) {
		t.Errorf("ranges %+v", list[1])
	}
	where = e.open("template.yaml", template)
	e.must("textDocument/documentSymbol", where, &list)
	if len(list) != 2 || list[0].Name != "Orders" || len(list[0].Children) != 1 || list[1].Children[0].Name != "Pay" || list[1].Children[0].Range.Start.Line != 15 {
		t.Fatalf("symbols of a template %+v", list)
	}
	where = e.open("none.json", "{}")
	e.must("textDocument/documentSymbol", where, &list)
	if len(list) != 0 {
		t.Errorf("symbols of another file %+v", list)
	}
}

func TestSuites(t *testing.T) {
	e := begin(t, map[string]string{"order.asl.json": order})
	text := "version: 1\ndefinition: order.asl.json\ncases:\n  pays:\n    inject: {Ch¦arge: Boom}\n    expect: {status: SUCCEEDED}\n  \"n {{n}}\":\n    table: [{n: 1}, {n: 2}]\n    input: {n: \"{{n}}\"}\n    expect: {status: SUCCEEDED}\n"
	where := e.open("order.test.yaml", text)
	var lenses []codeLens
	e.must("textDocument/codeLens", where, &lenses)
	var got []string
	for _, l := range lenses {
		got = append(got, fmt.Sprintf("%d:%d %s %s %v", l.Range.Start.Line, l.Range.Start.Character, l.Command.Title, l.Command.Command, l.Command.Arguments[1]))
		if l.Command.Arguments[0] != e.uri("order.test.yaml") {
			t.Errorf("arguments %v", l.Command.Arguments)
		}
	}
	want := []string{
		"3:2 Run case asldb.runCase pays", "3:2 Debug asldb.debugCase pays",
		`6:2 Run "n 1" asldb.runCase n 1`, `6:2 Debug "n 1" asldb.debugCase n 1`, `6:2 Run "n 2" asldb.runCase n 2`, `6:2 Debug "n 2" asldb.debugCase n 2`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("lenses\n%s", strings.Join(got, "\n"))
	}
	var symbols []documentSymbol
	e.must("textDocument/documentSymbol", where, &symbols)
	if len(symbols) != 3 || symbols[0].Name != "pays" {
		t.Errorf("symbols %+v", symbols)
	}
	var found location
	e.must("textDocument/definition", where, &found)
	if found.URI != e.uri("order.asl.json") || found.Range.Start != (position{6, 4}) {
		t.Errorf("the state of a suite: %+v", found)
	}
	where.Position = position{1, 15}
	e.must("textDocument/definition", where, &found)
	if found.URI != e.uri("order.asl.json") || found.Range != (span{}) {
		t.Errorf("the definition of a suite: %+v", found)
	}
	where.Position = position{2, 1}
	if m := e.ask("textDocument/definition", where); string(m.Result) != "null" {
		t.Errorf("cases: %s", m.Result)
	}
}
