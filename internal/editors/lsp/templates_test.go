package lsp

import (
	"slices"
	"strings"
	"testing"
)

const (
	templateOfFile = `Transform: AWS::Serverless-2016-10-31
Resources:
  Fn: {Type: AWS::Serverless::Function, Properties: {Handler: a.b, Runtime: nodejs20.x, CodeUri: .}}
  Orders:
    Type: AWS::Serverless::StateMachine
    Properties: {DefinitionUri: sm/orders.asl.json, DefinitionSubstitutions: {FnArn: !GetAtt Fn.Arn}}
  Copies:
    Type: AWS::Serverless::StateMachine
    Properties: {DefinitionUri: sm/orders.asl.json, DefinitionSubstitutions: {FnArn: !GetAtt Fn.Arn}}
`
	ordersFile = `{"StartAt": "Charge", "States": {"Charge": {"Type": "Task", "Resource": "${FnArn}", "End": true}}}`
)

// until waits for problems of a document that suit a test.
func (e *editor) until(name string, suits func(text string) bool) string {
	e.t.Helper()
	for {
		if got := shown(e.problems(name)); suits(got) {
			return got
		}
	}
}

// inWorkspace starts a server for the folder of its files.
func inWorkspace(t *testing.T, files map[string]string) *editor {
	t.Helper()
	e := newEditor(t, files)
	e.must("initialize", map[string]any{"rootUri": e.uri(""), "workspaceFolders": []any{map[string]any{"uri": e.uri(""), "name": "all"}}}, nil)
	return e
}

// A definition in its own file has the substitutions of the templates that name it, as it has for asldb validate.
func TestProblemsByTemplate(t *testing.T) {
	e := inWorkspace(t, map[string]string{"template.yaml": templateOfFile, "sm/orders.asl.json": ordersFile})
	const name = "sm/orders.asl.json"
	e.open(name, strings.Replace(ordersFile, "FnArn", "FnArm", 1))
	missing := func(text string) bool { return strings.Contains(text, "missing-substitution") }
	if got := e.until(name, missing); strings.Count(got, "missing-substitution") != 1 || !strings.Contains(got, `did you mean "FnArn"?`) {
		t.Errorf("a misspelt substitution: %s", got)
	}
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name), "version": 2}, "contentChanges": []any{map[string]any{"text": ordersFile}},
	})
	e.until(name, func(text string) bool { return text == "" })

	// The template changes in the editor: a machine less, another name.
	e.open("template.yaml", strings.NewReplacer("Copies", "Kopies", "FnArn", "Other").Replace(templateOfFile))
	if got := e.until(name, missing); !strings.Contains(got, "${FnArn}") {
		t.Errorf("after a change of the template: %s", got)
	}
	// It no longer names the file, whose own problems are left.
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri("template.yaml"), "version": 2}, "contentChanges": []any{map[string]any{"text": "a: 1\n"}},
	})
	e.until(name, func(text string) bool { return strings.Contains(text, "${FnArn} has no value") })
}

// The places of a definition with a template are places in its own file.
func TestNavigationByTemplate(t *testing.T) {
	e := inWorkspace(t, map[string]string{
		"template.yaml": templateOfFile, "sm/orders.test.yaml": "version: 1\ndefinition: orders.asl.json\ncases:\n  pays: {inject: {Charge: Boom}, expect: {status: FAILED}}\n",
		"all.test.yaml": "version: 1\ndefinition: template.yaml\nresource: Orders\ncases:\n  pays: {inject: {Charge: Boom}, expect: {status: FAILED}}\n",
	})
	e.open("sm/orders.asl.json", strings.Replace(ordersFile, "FnArn", "FnArm", 1))
	e.until("sm/orders.asl.json", func(text string) bool { return strings.Contains(text, "missing-substitution") })
	where := e.open("sm/orders.asl.json", strings.Replace(ordersFile, `": "Charge`, `": "Ch¦arge`, 1))

	var symbols []documentSymbol
	e.must("textDocument/documentSymbol", where, &symbols)
	if len(symbols) != 1 || symbols[0].Name != "Charge" {
		t.Errorf("symbols %+v", symbols)
	}
	var edit workspaceEdit
	e.must("textDocument/rename", map[string]any{"textDocument": where.TextDocument, "position": where.Position, "newName": "Pay"}, &edit)
	for name, want := range map[string]int{"sm/orders.asl.json": 2, "sm/orders.test.yaml": 1, "all.test.yaml": 1} {
		if got := edit.Changes[e.uri(name)]; len(got) != want {
			t.Errorf("%s: %d changes, want %d", name, len(got), want)
		}
	}
	labels, _ := completed(t, e, "sm/orders.asl.json", strings.Replace(ordersFile, `"Task"`, `"¦"`, 1), "")
	if !slices.Contains(labels, "Parallel") {
		t.Errorf("completion %v", labels)
	}
}

// The type of a machine is its template's, also in the file that the template names.
func TestExpressOfTheTemplate(t *testing.T) {
	for pattern, sentence := range map[string]string{
		".sync":             "Express state machine does not support '.sync' service integration",
		".waitForTaskToken": "Express state machine does not support '.waitForTaskToken' service integration",
	} {
		definition := `{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "arn:aws:states:::ecs:runTask` +
			pattern + `", "Parameters": {"TaskDefinition": "$$.Task.Token"}, "End": true}}}`
		e := inWorkspace(t, map[string]string{"template.yaml": `Resources:
  Orders: {Type: AWS::Serverless::StateMachine, Properties: {Type: EXPRESS, DefinitionUri: orders.asl.json}}
`, "orders.asl.json": definition})
		e.open("orders.asl.json", definition)
		e.until("orders.asl.json", func(text string) bool { return strings.Contains(text, sentence) })
	}
}
