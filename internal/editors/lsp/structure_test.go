package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// forms are one machine in each form: the states A and B, and a call of a function behind "".
var forms = map[string]string{
	"order.asl.json": `{
  "QueryLanguage": "JSONata",
  "StartAt": "A",
  "States": {
    "A": {
      "Type": "Pass",
      "Output": "{% $substring('x', 1) %}",
      "Next": "B"
    },
    "B": {
      "Type": "Succeed"
    }
  }
}`,
	"order.asl.yaml": `QueryLanguage: JSONata
StartAt: A
States:
  A:
    Type: Pass
    Output: "{% $substring('x', 1) %}"
    Next: B
  B:
    Type: Succeed
`,
	"template.yaml": `Transform: AWS::Serverless-2016-10-31
Resources:
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        QueryLanguage: JSONata
        StartAt: A
        States:
          A:
            Type: Pass
            Output: "{% $substring('x', 1) %}"
            Next: B
          B:
            Type: Succeed
`,
	"serverless.yml": `service: order
stepFunctions:
  stateMachines:
    order:
      definition:
        QueryLanguage: JSONata
        StartAt: A
        States:
          A:
            Type: Pass
            Output: "{% $substring('x', 1) %}"
            Next: B
          B:
            Type: Succeed
`,
	"main.tf": `resource "aws_sfn_state_machine" "order" {
  definition = <<EOF
{
  "QueryLanguage": "JSONata",
  "StartAt": "A",
  "States": {
    "A": {
      "Type": "Pass",
      "Output": "{% $substring('x', 1) %}",
      "Next": "B"
    },
    "B": {
      "Type": "Succeed"
    }
  }
}
EOF
}
`,
}

// lineOf is the number of the line, from 0, on which a text is first.
func lineOf(text, part string) int { return strings.Count(text[:strings.Index(text, part)], "\n") }

// keyA is the key of the state A as it is written.
func keyA(text string) string {
	if strings.Contains(text, `"A": {`) {
		return `"A": {`
	}
	return "A:\n"
}

func TestStructure(t *testing.T) {
	for name, text := range forms {
		t.Run(name, func(t *testing.T) {
			e := begin(t, nil)
			document := map[string]any{"textDocument": e.open(name, at(text, "$substring('x', ")).TextDocument}

			var folds []foldingRange
			e.must("textDocument/foldingRange", document, &folds)
			first := lineOf(text, keyA(text))
			if want := (foldingRange{first, lineOf(text, "Next")}); !slices.Contains(folds, want) {
				t.Errorf("no fold %v of A in %v", want, folds)
			}

			place := e.open(name, at(text, "$substring('x', "))
			var help signatureHelp
			e.must("textDocument/signatureHelp", place, &help)
			if len(help.Signatures) != 1 || !strings.HasPrefix(help.Signatures[0].Label, "$substring(str") ||
				help.ActiveParameter != 1 || len(help.Signatures[0].Parameters) != 3 {
				t.Errorf("the signature is %+v", help)
			}

			var chosen []selectionRange
			around := selectionParams{place.TextDocument, []position{place.Position}}
			e.must("textDocument/selectionRange", around, &chosen)
			depth, lines := 0, 0
			for r := &chosen[0]; r != nil; r = r.Parent {
				depth++
				if n := r.Range.End.Line - r.Range.Start.Line; n < lines {
					t.Errorf("a stretch of %d lines is around one of %d", n, lines)
				} else {
					lines = n
				}
			}
			if depth < 5 || lines < strings.Count(strings.TrimSpace(text), "\n") {
				t.Errorf("%d stretches of up to %d lines: %+v", depth, lines, chosen)
			}

			next := `"Next": "`
			if !strings.Contains(text, next) {
				next = "Next: "
			}
			var marked []highlight
			e.must("textDocument/documentHighlight", e.open(name, at(text, next)), &marked)
			if len(marked) != 2 || marked[0].Kind != highlightWrite || marked[1].Kind != highlightRead ||
				marked[1].Range.Start.Line != lineOf(text, next) {
				t.Errorf("the highlights are %+v", marked)
			}
		})
	}
}

func TestHighlightOfAVariable(t *testing.T) {
	e := begin(t, nil)
	var marked []highlight
	e.must("textDocument/documentHighlight", e.open("order.asl.json", at(order, `{"tot`)), &marked)
	if len(marked) != 2 || marked[0].Kind != highlightWrite || marked[1].Kind != highlightRead {
		t.Errorf("the highlights are %+v", marked)
	}
	e.must("textDocument/documentHighlight", e.open("order.asl.json", at(order, `"Type`)), &marked)
	if len(marked) != 0 {
		t.Errorf("the highlights of a field are %+v", marked)
	}
}

func TestLinks(t *testing.T) {
	const template = `Resources:
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      DefinitionUri: order.asl.json
  None:
    Type: AWS::Serverless::StateMachine
    Properties: {DefinitionUri: none.asl.json}
`
	const suite = "version: 1\ndefinition: order.asl.json\ninclude: [order.fixtures.yaml]\ncases: {a: {expect: {}}}\n"
	e := begin(t, map[string]string{"order.asl.json": forms["order.asl.json"], "order.fixtures.yaml": "version: 1\n"})
	for _, test := range []struct{ name, text, want string }{
		{"template.yaml", template, "4:21-35 order.asl.json"},
		{"order.test.yaml", suite, "1:12-26 order.asl.json 2:10-29 order.fixtures.yaml"},
	} {
		var list []documentLink
		document := e.open(test.name, "¦"+test.text).TextDocument
		e.must("textDocument/documentLink", map[string]any{"textDocument": document}, &list)
		var got []string
		for _, l := range list {
			from, to := l.Range.Start, l.Range.End
			got = append(got, fmt.Sprintf("%d:%d-%d %s", from.Line, from.Character, to.Character,
				l.Target[strings.LastIndexByte(l.Target, '/')+1:]))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.name, got, test.want)
		}
	}
}

func TestSymbolsOfTheFolders(t *testing.T) {
	e := newEditor(t, map[string]string{
		"a/order.asl.json": forms["order.asl.json"], "b/template.yaml": forms["template.yaml"],
	})
	e.must("initialize", map[string]any{"rootUri": uriOf(e.dir)}, nil)
	e.notify("initialized", map[string]any{})
	var list []workspaceSymbol
	e.must("workspace/symbol", symbolParams{"a"}, &list)
	var got []string
	for _, s := range list {
		got = append(got, fmt.Sprintf("%s in %s at %d", s.Name, s.ContainerName, s.Location.Range.Start.Line))
	}
	if want := "A in order.asl.json at 4, A in template.yaml --resource Order at 9"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestAllFixes: the action makes all certain corrections and no other.
func TestAllFixes(t *testing.T) {
	wrong := strings.NewReplacer(
		`"StartAt": "A"`, `"StratAt": "A"`, `"Type": "Succeed"`, `"Type": "Suceed"`,
	).Replace(forms["order.asl.json"])
	e := begin(t, nil)
	ask := func(text string, only ...string) (list []codeAction) {
		p := codeActionParams{TextDocument: e.open("order.asl.json", "¦"+text).TextDocument}
		p.Context.Only = only
		e.must("textDocument/codeAction", p, &list)
		return list
	}
	list := ask(wrong, "source.fixAll")
	if len(list) != 1 || list[0].Kind != "source.fixAll" {
		text, _ := json.Marshal(list)
		t.Fatalf("the actions are %s", text)
	}
	for _, edits := range list[0].Edit.Changes {
		if got := applied(t, wrong, edits); got != forms["order.asl.json"] {
			t.Errorf("the text is\n%s", got)
		}
	}
	if list := ask(forms["order.asl.json"], "source"); len(list) != 0 {
		t.Errorf("a text without problems has the actions %+v", list)
	}
	if list := ask(wrong, "refactor"); len(list) != 0 {
		t.Errorf("the refactorings are %+v", list)
	}
}
