package lsp

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

const misspelt = `{
  "Comment": "😀", "StartAt": "Chek",
  "States": {
    "Check": {"Type": "Pass", "Next": "Chrage"},
    "Charge": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true, "Parameters": {"FunctionName": "f"}}
  }
}`

func TestProblems(t *testing.T) {
	e := begin(t, nil)
	e.open("order.asl.json", misspelt)
	p := e.problems("order.asl.json")
	want := `1:30-1:36 1 start-at-not-found: `
	if got := shown(p); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 3 || !strings.Contains(got, `did you mean "Charge"?`) {
		t.Errorf("got\n%s", got)
	}
	if p.Version == nil || *p.Version != 1 {
		t.Errorf("version %v", p.Version)
	}

	var actions []codeAction
	e.must("textDocument/codeAction", codeActionParams{TextDocument: documentID{URI: e.uri("order.asl.json")}, Range: p.Diagnostics[0].Range}, &actions)
	if len(actions) != 1 || actions[0].Title != `Change "Chek" to "Check"` || !actions[0].IsPreferred || len(actions[0].Diagnostics) != 1 {
		t.Fatalf("actions %+v", actions)
	}
	edit := actions[0].Edit.Changes[e.uri("order.asl.json")][0]
	if edit.Range != (span{position{1, 31}, position{1, 35}}) || edit.NewText != "Check" {
		t.Errorf("edit %+v", edit)
	}
	e.must("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.uri("order.asl.json")}, "range": p.Diagnostics[0].Range, "context": map[string]any{"only": []string{"refactor"}},
	}, &actions)
	if len(actions) != 0 {
		t.Errorf("actions of another kind %+v", actions)
	}

	// The corrections as changes of stretches; the problems go.
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri("order.asl.json"), "version": 2},
		"contentChanges": []any{
			map[string]any{"range": edit.Range, "text": edit.NewText},
			map[string]any{"range": span{position{3, 39}, position{3, 45}}, "text": "Charge"},
		},
	})
	if p = e.problems("order.asl.json"); len(p.Diagnostics) != 0 || *p.Version != 2 {
		t.Errorf("after the corrections: %s", shown(p))
	}
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri("order.asl.json"), "version": 3}, "contentChanges": []any{map[string]any{"text": `{"StartAt": "A", "States": {`}},
	})
	if p = e.problems("order.asl.json"); len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != "malformed-json" {
		t.Errorf("a text that cannot be read: %s", shown(p))
	}
	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri("order.asl.json")}})
	if p = e.problems("order.asl.json"); len(p.Diagnostics) != 0 {
		t.Errorf("of a closed document: %s", shown(p))
	}
}

func TestProblemsOfProject(t *testing.T) {
	e := begin(t, map[string]string{".asldb.yaml": "rules:\n  unreachable-state: off\n  transition-target-not-found: warning\n"})
	e.open("order.asl.json", misspelt)
	for _, d := range e.problems("order.asl.json").Diagnostics {
		if d.Code == "unreachable-state" {
			t.Errorf("%+v", d)
		}
	}
	e.open(".asldb.yaml", "ruls: {}\n")
	if got := shown(e.problems(".asldb.yaml")); !strings.HasPrefix(got, "0:0-0:4 1 ") || !strings.Contains(got, "rules") {
		t.Error(got)
	}
}

// Hints can be left out.
func TestHints(t *testing.T) {
	const hinted = `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": "${Name}", "End": true}}}`
	e := begin(t, nil)
	e.open("a.asl.json", hinted)
	if got := shown(e.problems("a.asl.json")); !strings.Contains(got, " 4 ") {
		t.Errorf("hints: %q", got)
	}
	e = newEditor(t, nil)
	e.must("initialize", map[string]any{"initializationOptions": map[string]any{"hints": false}}, nil)
	e.open("a.asl.json", hinted)
	if got := shown(e.problems("a.asl.json")); got != "" {
		t.Errorf("without hints: %q", got)
	}
}

const template = `Resources:
  Orders:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      DefinitionString: !Sub |
        {
          "StartAt": "Chrage",
          "States": {"Charge": {"Type": "Pass", "Result": "${Queue}", "End": true}}
        }
  Refunds:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: Pay
        States:
          Pay:
            Type: Pass
            Next: Py
`

func TestProblemsOfTemplate(t *testing.T) {
	e := begin(t, nil)
	e.open("template.yaml", template)
	got := shown(e.problems("template.yaml"))
	for _, want := range []string{"6:21-6:29 1 start-at-not-found: ", "17:18-17:20 1 transition-target-not-found: "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestProblemsOfOtherFiles(t *testing.T) {
	e := begin(t, map[string]string{"order.asl.json": strings.NewReplacer("Chek", "Check", "Chrage", "Charge").Replace(misspelt)})
	e.open("order.test.yaml", "version: 1\ndefinition: order.asl.json\ncases:\n  pays:\n    inject: {Chrage: Boom}\n    expect: {status: SUCCEEDED}\n")
	if got := shown(e.problems("order.test.yaml")); !strings.HasPrefix(got, "4:13-4:19 1 suite: ") || !strings.Contains(got, "Charge") {
		t.Errorf("suite: %s", got)
	}
	e.open("order.fixtures.yaml", "version: 1\ntaks: {}\n")
	if got := shown(e.problems("order.fixtures.yaml")); !strings.HasPrefix(got, "1:0-1:4 1 fixtures: ") {
		t.Errorf("fixtures: %s", got)
	}
	e.open("none.test.yaml", "version: 1\ncases: {a: {expect: {status: SUCCEEDED}}}\n")
	if got := shown(e.problems("none.test.yaml")); !strings.Contains(got, "no definition is named") {
		t.Errorf("suite without definition: %s", got)
	}
	e.open("settings.json", `{"a": 1}`)
	if got := shown(e.problems("settings.json")); got != "" {
		t.Errorf("another file: %s", got)
	}
}

// A template names a file for its definition: the problems are that file's.
func TestProblemsOfNamedFile(t *testing.T) {
	files := map[string]string{"order.asl.json": misspelt}
	e := begin(t, files)
	e.open("template.json", `{"Resources": {"Orders": {"Type": "AWS::Serverless::StateMachine", "Properties": {"DefinitionUri": "order.asl.json"}}}}`)
	p := e.problems("order.asl.json")
	if got := shown(p); !strings.HasPrefix(got, "1:30-1:36 ") || p.Version != nil {
		t.Errorf("%s", got)
	}
	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri("template.json")}})
	if p = e.problems("order.asl.json"); len(p.Diagnostics) != 0 {
		t.Errorf("after the close: %s", shown(p))
	}
	e.notify("workspace/didChangeWatchedFiles", map[string]any{})
	e.must("shutdown", nil, nil)
}

func TestText(t *testing.T) {
	l := linesOf([]byte("a😀b\r\nü\n"))
	for _, test := range []struct {
		at     position
		offset int
	}{
		{position{0, 0}, 0}, {position{0, 1}, 1}, {position{0, 3}, 5}, {position{0, 4}, 6}, {position{1, 1}, 10}, {position{2, 0}, 11},
	} {
		if got := l.offset(test.at); got != test.offset {
			t.Errorf("offset of %v: %d, want %d", test.at, got, test.offset)
		}
		if got := l.position(test.offset); got != test.at {
			t.Errorf("position of %d: %v, want %v", test.offset, got, test.at)
		}
	}
	for at, want := range map[position]int{{0, 2}: 1, {0, 99}: 6, {9, 9}: 11, {-1, 0}: 0} {
		if got := l.offset(at); got != want {
			t.Errorf("offset of %v: %d, want %d", at, got, want)
		}
	}
	if got := l.at(1, 3); got != 5 {
		t.Errorf("line 1, column 3: %d", got)
	}
	for uri, name := range map[string]string{"file:///a%20b/c.json": "/a b/c.json", "file:///c%3A/x": "c:/x", "untitled:1": "untitled:1", "%": "%"} {
		if got := nameOf(uri); got != name {
			t.Errorf("name of %s: %s", uri, got)
		}
	}
	if got := nameOf("file://server/share/a.json"); got != filepath.FromSlash("//server/share/a.json") {
		t.Errorf("the name on another computer is %s", got)
	}
	if got := uriOf("untitled:1"); got != "untitled:1" {
		t.Error(got)
	}
	var c change
	if err := json.Unmarshal([]byte(`{"range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 1}}, "text": "x"}`), &c); err != nil {
		t.Fatal(err)
	}
	if got := string(l.apply(&c)); got != "a😀bx\r\nü\n" {
		t.Errorf("a range from behind: %q", got)
	}
}
