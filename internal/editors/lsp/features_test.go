package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// formsOf returns a definition in each form, by the name of the file.
func formsOf(t *testing.T, text string) map[string]string {
	t.Helper()
	v, err := value.Parse([]byte(text), value.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"order.asl.json": value.Pretty(v) + "\n",
		"order.asl.yaml": yamlOf(v, ""),
		"template.yaml": "Transform: AWS::Serverless-2016-10-31\nResources:\n  Order:\n" +
			"    Type: AWS::Serverless::StateMachine\n" +
			"    Properties:\n      Definition:\n" + yamlOf(v, "        "),
		"serverless.yml": "service: order\nstepFunctions:\n  stateMachines:\n    order:\n      definition:\n" + yamlOf(
			v,
			"        ",
		),
		"main.tf": "resource \"aws_sfn_state_machine\" \"order\" {\n  definition = <<EOF\n" + value.Pretty(
			v,
		) + "\nEOF\n}\n",
	}
}

// words are the parts of a document that ranges are about, with the kind of each.
func kindsOf(text string, data []int) (list []string) {
	l := linesOf([]byte(text))
	var at position
	for ; len(data) >= 5; data = data[5:] {
		if data[0] > 0 {
			at = position{at.Line + data[0], data[1]}
		} else {
			at.Character += data[1]
		}
		from := l.offset(at)
		to := l.offset(position{at.Line, at.Character + data[2]})
		one := tokenTypes[data[3]] + ":" + text[from:to]
		for i, name := range tokenModifiers {
			if data[4]&(1<<i) != 0 {
				one += "/" + name
			}
		}
		list = append(list, one)
	}
	return list
}

const coloured = `{"QueryLanguage": "JSONata", "StartAt": "A", "States": {
	"A": {"Type": "Pass", "Output": "{% $sum($states.input.lines[price > 1.5].price) & 'é' %}",
		"Assign": {"n": "{% 1 %}"}, "Next": "B"},
	"B": {"Type": "Task", "QueryLanguage": "JSONPath", "Resource": "arn:aws:states:::lambda:invoke",
		"Parameters": {"FunctionName": "f", "x.$": "States.Format('{}', $.a.b)", "y.$": "$n"},
		"Retry": [{"ErrorEquals": ["Busy"], "JitterStrategy": "FULL"}], "End": true}}}`

func TestSemanticTokens(t *testing.T) {
	want := strings.Fields(
		`enumMember:JSONata class:A class:A/declaration enumMember:Pass function:$sum variable:$states/defaultLibrary
		property:input property:lines property:price operator:> number:1.5 property:price operator:&
		string:'é' variable:n/declaration
		number:1 class:B class:B/declaration enumMember:Task enumMember:JSONPath function:States.Format string:'{}'
		variable:$/defaultLibrary property:a property:b variable:$n event:Busy enumMember:FULL`,
	)
	for name, text := range formsOf(t, coloured) {
		e := begin(t, nil)
		document := e.open(name, "¦"+text).TextDocument
		var all, some semanticTokens
		e.must("textDocument/semanticTokens/full", map[string]any{"textDocument": document}, &all)
		if got := kindsOf(text, all.Data); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s, want\n%s", name, strings.Join(got, " "), strings.Join(want, " "))
		}
		line := lineOf(text, "Busy")
		lines := span{Start: position{Line: line}, End: position{Line: line + 1}}
		e.must("textDocument/semanticTokens/range", rangeParams{document, lines}, &some)
		if got := kindsOf(text, some.Data); !slices.Equal(got, []string{"event:Busy"}) {
			t.Errorf("%s: on one line %s", name, got)
		}
	}
}

// In one line, and with escapes, the places are right, too.
func TestSemanticTokensOfOneLine(t *testing.T) {
	text := `{"QueryLanguage":"JSONata","StartAt":"é😀","States":{"é😀":{"Type":"Pass",` +
		`"Output":"{% \"é😀\" & $x %}","End":true}}}`
	e := begin(t, nil)
	var all semanticTokens
	e.must(
		"textDocument/semanticTokens/full",
		map[string]any{"textDocument": e.open("a.asl.json", "¦"+text).TextDocument},
		&all,
	)
	want := []string{
		"enumMember:JSONata",
		"class:é😀",
		"class:é😀/declaration",
		"enumMember:Pass",
		`string:\"é😀\"`,
		"operator:&",
		"variable:$x",
	}
	if got := kindsOf(text, all.Data); !slices.Equal(got, want) {
		t.Errorf("%s", got)
	}
}

const hinted = `{"StartAt": "A", "States": {
	"A": {"Type": "Pass", "Result": {"id": 1, "lines": [{"sku": "a"}]}, "Next": "B"},
	"B": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem", "Parameters": {"TableName": "t", "Key": {}},
		"ResultPath": "$.row",
		"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 2, "MaxAttempts": 3, "BackoffRate": 2.0},
			{"ErrorEquals": ["No"], "MaxAttempts": 0}], "Next": "C"},
	"C": {"Type": "Fail", "Error": "E"}}}`

func TestInlayHints(t *testing.T) {
	want := []string{
		`A → {id, lines}`,
		`B → {id, lines, row}`,
		"ErrorEquals 3 retries, after 2s, 4s, 8s",
		"ErrorEquals no retry",
	}
	for name, text := range formsOf(t, hinted) {
		e := begin(t, nil)
		place := e.open(name, "¦"+text)
		var list []inlayHint
		whole := span{End: position{Line: strings.Count(text, "\n")}}
		e.must("textDocument/inlayHint", rangeParams{place.TextDocument, whole}, &list)
		var got []string
		lines := strings.Split(text, "\n")
		for _, h := range list {
			line := lines[h.Position.Line]
			if h.Position.Character != len(line) {
				t.Errorf("%s: a hint within %q", name, line)
			}
			key := strings.Trim(strings.TrimSpace(line), `"{:[- `)
			if key == "" { // the bracket of a retrier
				key = strings.Trim(strings.TrimSpace(lines[h.Position.Line+1]), `"{:[- `)
			}
			got = append(got, key+" "+h.Label)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
		below := span{Start: position{Line: lineOf(text, "Busy")}, End: position{Line: lineOf(text, "Busy")}}
		list = nil
		if e.must("textDocument/inlayHint", rangeParams{place.TextDocument, below}, &list); len(list) > 1 {
			t.Errorf("%s: %d hints on one line", name, len(list))
		}
	}
}

// Each form has the white space that asldb writes after formatting, and the text around a definition stays.
func TestFormatting(t *testing.T) {
	for name, want := range formsOf(t, coloured) {
		messy := want
		if strings.Contains(want, `"Type": "Pass",`) {
			messy = strings.NewReplacer(`"Type": "Pass",`, `"Type"  :"Pass" ,`, "\n    }", "}").Replace(want)
		} else {
			line := want[strings.LastIndex(want[:strings.Index(want, "A:\n")], "\n")+1:]
			indent := strings.Repeat(" ", strings.Index(line, "A"))
			for _, line := range []string{"Type: Pass\n", "Output:", "Assign:", "Next: B"} {
				messy = strings.Replace(messy, "\n"+indent+"  "+line, "\n"+indent+"     "+line, 1)
			}
			messy = strings.Replace(messy, "\n"+indent+"    n:", "\n"+indent+"       n:", 1)
		}
		if messy == want {
			t.Fatalf("%s is not messy", name)
		}
		e := begin(t, nil)
		place := e.open(name, "¦"+messy)
		var edits []textEdit
		p := map[string]any{"textDocument": place.TextDocument, "options": map[string]any{"tabSize": 4}}
		e.must("textDocument/formatting", p, &edits)
		if got := applied(t, messy, edits); got != want {
			t.Errorf("%s:\n%s\nwant\n%s\nof\n%s", name, got, want, messy)
		}
		edits = nil
		p["textDocument"] = e.open(name, "¦"+want).TextDocument
		e.must("textDocument/formatting", p, &edits)
		if len(edits) > 0 {
			t.Errorf("%s: formatted again: %v", name, edits)
		}
	}
}

// resources are the names of the machines of forms in their files.
var resources = map[string]string{"template.yaml": "Order", "serverless.yml": "order", "main.tf": "order"}

func TestLensesOfADefinition(t *testing.T) {
	for name, text := range forms {
		suite := "version: 1\ndefinition: ../" + name + "\ncases: {a: {expect: {}}}\n"
		of := name
		if resource := resources[name]; resource != "" {
			suite = strings.Replace(suite, "cases", "resource: "+resource+"\ncases", 1)
			of += " --resource " + resource
		}
		for _, with := range []bool{false, true} {
			files := map[string]string{name: text, ".git/HEAD": ""}
			want := []string{
				"Run inTerminal [run " + of + "]", "Debug debugDefinition " + resources[name],
				"Explore inTerminal [explore " + of + "]", "Graph inTerminal [graph " + of + "]",
			}
			if with {
				files["tests/order.test.yaml"] = suite
				want = slices.Insert(want, 2, "Test inTerminal [test tests/order.test.yaml]")
			}
			e := inWorkspace(t, files)
			var lenses []codeLens
			document := e.open(name, "¦"+text).TextDocument
			e.must("textDocument/codeLens", map[string]any{"textDocument": document}, &lenses)
			var got []string
			for _, l := range lenses {
				one := fmt.Sprint(l.Command.Title, " ", l.Command.Command, " ", l.Command.Arguments[1])
				got = append(got, strings.NewReplacer("asldb.", "", e.dir+"/", "").Replace(one))
				if l.Command.Arguments[0] != e.uri(name) || l.Range.Start.Line != lineOf(text, "QueryLanguage") {
					t.Errorf("%s: %+v", name, l)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}

// A state is renamed in the definition, in suites of other folders, and in the fixtures that those name, from each of
// them.
func TestRenameAcrossFiles(t *testing.T) {
	const suite = `version: 1
definition: ../%s
%sinclude: [more.fixtures.yaml]
cases:
  a:
    tasks: {A: [{output: 1}]}
    expect: {path: [A, B], states: {A: {visits: 1}}}
`
	const fixtures = "version: 1\ntasks:\n  A: [{output: 1}]\n"
	for name, text := range forms {
		resource := ""
		if named := resources[name]; named != "" {
			resource = "resource: " + named + "\n"
		}
		files := map[string]string{
			name: text, ".git/HEAD": "", "tests/order.test.yaml": fmt.Sprintf(suite, name, resource),
			"tests/more.fixtures.yaml": fixtures,
			"tests/other.test.yaml": "version: 1\ndefinition: other.asl.json\n" +
				"cases: {a: {tasks: {A: [{output: 1}]}, expect: {}}}\n",
			"tests/other.asl.json": forms["order.asl.json"],
		}
		for _, from := range []struct{ file, before string }{
			{name, strings.TrimRight(keyA(text), "A:{\" \n")}, {"tests/order.test.yaml", "tasks: {"},
			{"tests/more.fixtures.yaml", "tasks:\n  "},
		} {
			e := inWorkspace(t, files)
			content := files[from.file]
			marked := at(content, from.before)
			if from.file == name {
				marked = at(content, "StartAt: ")
				if strings.Contains(content, `"StartAt"`) {
					marked = at(content, `"StartAt": "`)
				}
			}
			where := e.open(from.file, marked)
			var ready prepared
			e.must("textDocument/prepareRename", where, &ready)
			var edit workspaceEdit
			e.must(
				"textDocument/rename",
				map[string]any{"textDocument": where.TextDocument, "position": where.Position, "newName": "Zero"},
				&edit,
			)
			var got []string
			for uri, edits := range edit.Changes {
				got = append(got, fmt.Sprint(strings.TrimPrefix(uri, e.uri("")+"/"), " ", len(edits)))
			}
			slices.Sort(got)
			want := []string{name + " 2", "tests/more.fixtures.yaml 1", "tests/order.test.yaml 3"}
			slices.Sort(want)
			if !slices.Equal(got, want) || ready.Placeholder != "A" {
				t.Errorf("%s from %s: %q %+v", name, from.file, got, ready)
			}
		}
	}
}

func TestLinkToTheRule(t *testing.T) {
	for name, text := range forms {
		e := begin(t, nil)
		e.open(name, strings.Replace(text, "Succeed", "Suceed", 1))
		p := e.problems(name)
		if len(p.Diagnostics) == 0 || p.Diagnostics[0].CodeDescription == nil ||
			!strings.HasPrefix(p.Diagnostics[0].CodeDescription.Href, "https://states-language.net/") {
			t.Errorf("%s: %+v", name, p.Diagnostics)
		}
	}
}

// An editor that asks for problems gets them as answers alone.
func TestPull(t *testing.T) {
	for name, text := range forms {
		e := newEditor(t, nil)
		e.must("initialize", map[string]any{"capabilities": map[string]any{
			"textDocument": map[string]any{"diagnostic": map[string]any{}},
			"workspace":    map[string]any{"diagnostics": map[string]any{"refreshSupport": true}},
		}}, nil)
		ask := func(text, previous string) (r report) {
			t.Helper()
			p := pullParams{e.open(name, text).TextDocument, previous}
			e.must("textDocument/diagnostic", p, &r)
			return r
		}
		wrong := strings.Replace(text, "Succeed", "Suceed", 1)
		first := ask("¦"+wrong, "")
		if first.Kind != "full" || first.Items == nil || len(*first.Items) != 1 ||
			(*first.Items)[0].Range.Start.Line != lineOf(wrong, "Suceed") {
			t.Fatalf("%s: %+v", name, first)
		}
		if again := ask("¦"+wrong, first.ResultID); again.Kind != "unchanged" || again.Items != nil ||
			again.ResultID != first.ResultID {
			t.Errorf("%s: %+v", name, again)
		}
		if right := ask("¦"+text, first.ResultID); right.Kind != "full" || len(*right.Items) != 0 {
			t.Errorf("%s: %+v", name, right)
		}
		for _, m := range e.notes {
			if m.Method == "textDocument/publishDiagnostics" {
				t.Errorf("%s: %s %s", name, m.Method, m.Params)
			}
		}
	}
}

// A change of a file that is not open changes the problems of one that is.
func TestWatching(t *testing.T) {
	e := newEditor(t, map[string]string{"template.yaml": templateOfFile, "sm/orders.asl.json": ordersFile})
	e.must("initialize", map[string]any{"rootUri": e.uri(""), "capabilities": map[string]any{
		"workspace": map[string]any{"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true}},
	}}, nil)
	e.notify("initialized", map[string]any{})
	m := e.next()
	if m.Method != "client/registerCapability" ||
		!strings.Contains(string(m.Params), "workspace/didChangeWatchedFiles") {
		t.Fatalf("after initialized: %s %s", m.Method, m.Params)
	}
	e.write(map[string]any{"id": m.ID, "result": nil})
	e.open("sm/orders.asl.json", ordersFile)
	e.until("sm/orders.asl.json", func(text string) bool { return text == "" })
	changed := strings.ReplaceAll(templateOfFile, "FnArn", "Other")
	if err := os.WriteFile(filepath.Join(e.dir, "template.yaml"), []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	e.notify(
		"workspace/didChangeWatchedFiles",
		map[string]any{"changes": []any{map[string]any{"uri": e.uri("template.yaml"), "type": 2}}},
	)
	e.until("sm/orders.asl.json", func(text string) bool { return strings.Contains(text, "missing-substitution") })
}

func TestFolders(t *testing.T) {
	e := newEditor(
		t,
		map[string]string{"a/order.asl.json": forms["order.asl.json"], "b/order.asl.json": forms["order.asl.json"]},
	)
	e.must("initialize", map[string]any{"workspaceFolders": []any{map[string]any{"uri": e.uri("a")}}}, nil)
	e.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{map[string]any{"uri": e.uri("b")}}, "removed": []any{map[string]any{"uri": e.uri("a")}},
	}})
	var list []workspaceSymbol
	e.must("workspace/symbol", symbolParams{"A"}, &list)
	if len(list) != 1 || list[0].Location.URI != e.uri("b/order.asl.json") {
		t.Errorf("%+v", list)
	}
}

// Each state to fill in is a state, with places or without, in both languages.
func TestNewStates(t *testing.T) {
	for name, text := range forms {
		for _, language := range []string{"JSONata", "JSONPath"} {
			for _, snippets := range []bool{false, true} {
				e := newEditor(t, nil)
				item := map[string]any{"snippetSupport": snippets}
				e.must("initialize", map[string]any{"capabilities": map[string]any{"textDocument": map[string]any{
					"completion": map[string]any{"completionItem": item}}}}, nil)
				doc := strings.Replace(text, "JSONata", language, 1)
				doc = strings.Replace(doc, `"{% $substring('x', 1) %}"`, `"x"`, 1)
				key := keyA(doc)
				before := strings.Index(doc, key)
				indent := doc[strings.LastIndexByte(doc[:before], '\n')+1 : before]
				typed := "T¦\n" + indent
				if strings.HasPrefix(key, `"`) {
					typed = "\"T¦\"\n" + indent
				}
				doc = doc[:before] + typed + doc[before:]
				var list completionList
				e.must("textDocument/completion", e.open(name, doc), &list)
				count := 0
				for _, item := range list.Items {
					if item.Detail != "a new state" {
						continue
					}
					count++
					checkState(t, name, strings.Replace(doc, "¦", "", 1), indent, &item)
				}
				if count != len(stateSnippets) {
					t.Errorf("%s %s: %d states among %+v", name, language, count, list.Items)
				}
			}
		}
	}
}

// checkState makes a completion, and checks the definition with the new state.
func checkState(t *testing.T, name, doc, indent string, item *completionItem) {
	t.Helper()
	edit := *item.TextEdit
	if item.InsertTextFormat == snippet {
		edit.NewText = strings.ReplaceAll(places().ReplaceAllString(edit.NewText, "$1"), `\$`, "$")
	}
	edit.NewText = strings.ReplaceAll(strings.TrimSuffix(edit.NewText, "\n"), "\n", "\n"+indent)
	if strings.HasPrefix(edit.NewText, `"`) {
		edit.NewText += ","
	}
	made := applied(t, doc, []textEdit{edit})
	machines := machinesOfText(name, made)
	if len(machines) != 1 || machines[0].text == nil {
		t.Fatalf("%s %s cannot be read:\n%s", name, item.Label, made)
	}
	kind, _, _ := strings.Cut(item.Label, ":")
	state := machines[0].text.Root.Get("States").Get(kind)
	if typed, _ := source.TextOf(state.Get("Type")); typed != kind {
		t.Errorf("%s: the type of %s is %q", name, kind, typed)
	}
	_, problems := asl.Examine(machines[0].text.Source, machines[0].text.Root, 0)
	for _, p := range problems {
		about := strings.HasPrefix(p.Pointer, "/States/"+kind)
		if about && p.Severity == source.Error && p.Rule != rules.Target && p.Rule != rules.Unreachable {
			content, _ := json.Marshal(item)
			t.Errorf("%s: %s\n%s\n%s", name, p.Message, content, made)
		}
	}
}

// machinesOfText returns the definitions in a text that is in no file.
func machinesOfText(name, text string) []*machine {
	s := &server{documents: map[string]*document{name: {name: name, lines: linesOf([]byte(text))}}}
	return machinesIn(s.files(), name, nil)
}

// The steps that lead to a problem have their places.
func TestSteps(t *testing.T) {
	const text = `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": {"id": 1}, "Next": "B"},
		"B": {"Type": "Pass", "Parameters": {"x.$": "$.lost"}, "End": true}}}`
	for name, text := range formsOf(t, text) {
		e := begin(t, nil)
		e.open(name, text)
		p := e.problems(name)
		if len(p.Diagnostics) != 1 || len(p.Diagnostics[0].Related) == 0 ||
			p.Diagnostics[0].Range.Start.Line != lineOf(text, "$.lost") {
			t.Fatalf("%s: %+v", name, p.Diagnostics)
		}
		at := p.Diagnostics[0].Related[0].Location
		if line := at.Range.Start.Line; at.URI != e.uri(name) || line < lineOf(text, keyA(text)) ||
			line > lineOf(text, "id") {
			t.Errorf("%s: %+v", name, at)
		}
	}
}
