package graph

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// difficult has names that have a meaning in the languages of Graphviz and Mermaid, and a container that a transition leads back to.
const difficult = `{"StartAt":"a \"q\" & <b>#x; ` + "`y`" + ` \\n {z}|[w](v)","States":{
	"a \"q\" & <b>#x; ` + "`y`" + ` \\n {z}|[w](v)":{"Type":"Choice","Choices":[{"Variable":"$.a","StringEquals":"end; |x| --> \"y\" %% no","Next":"end"}],"Default":"P"},
	"end":{"Type":"Pass","Next":"subgraph"},
	"subgraph":{"Type":"Map","ItemProcessor":{"StartAt":"class","States":{
		"class":{"Type":"Task","Resource":"r","Next":"default","Catch":[{"ErrorEquals":["States.ALL"],"Next":"default"}]},"default":{"Type":"Succeed"}}},
		"Catch":[{"ErrorEquals":["A.B","C"],"Next":"subgraph"}],"Next":"P"},
	"P":{"Type":"Parallel","Branches":[{"StartAt":"x-->y","States":{"x-->y":{"Type":"Pass","End":true}}},
		{"StartAt":"**b** _i_ 1. x","States":{"**b** _i_ 1. x":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"é 长","States":{"é 长":{"Type":"Pass","End":true}}}}}}],"End":true}}}`

// Layout lays a model out. The shape's density must not be Rail: a rail has no layout.
func Layout(model *Model, shape Shape, folds Folds) *Drawing {
	return (&layouter{model: model, shape: shape, folds: folds}).layout()
}

// TestGraphvizReadsTheGraph gives the graphs to Graphviz: it reads them without a warning, and draws every name.
func TestGraphvizReadsTheGraph(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed: there is no dot")
	}
	for _, text := range []string{difficult, manyErrors} {
		model, over := examine(t, text)
		command := exec.Command(dot, "-Tsvg")
		command.Stdin = strings.NewReader(model.Dot(over))
		var warnings strings.Builder
		command.Stderr = &warnings
		drawing, err := command.Output()
		if err != nil || warnings.Len() > 0 {
			t.Errorf("dot: %v, %s\n%s", err, warnings.String(), model.Dot(over))
		}
		drawn := svgTexts(t, drawing)
		for _, state := range model.States() {
			name := state.Name
			if model.inside[state] > 0 {
				name = title(state)
			}
			if !slices.Contains(drawn, name) {
				t.Errorf("the drawing has no %q: %q", name, drawn)
			}
		}
	}
}

// svgTexts returns the texts of a drawing.
func svgTexts(t *testing.T, drawing []byte) []string {
	t.Helper()
	var texts []string
	decoder := xml.NewDecoder(strings.NewReader(string(drawing)))
	inText := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if inText = token.Name.Local == "text"; inText {
				texts = append(texts, "")
			}
		case xml.CharData:
			if inText {
				texts[len(texts)-1] += string(token)
			}
		case xml.EndElement:
			inText = false
		}
	}
}

// The lines of a flowchart that are written, by Mermaid's grammar: texts are in quotation marks and have none themselves.
var mermaidLines = regexp.MustCompile(`^(flowchart TD| *(s\d+(\["[^"]*"\]|\{"[^"]*"\}|\(\["[^"]*"\]\))` +
	`|subgraph s\d+(b\d+)? \["[^"]*"\]|end` +
	`|s\d+ (-->|-\.->)(\|"[^"]*"\|)? s\d+` +
	`|classDef [a-z]+ [a-z-]+:[#a-z0-9 ]+(,[a-z-]+:[#a-z0-9 ]+)*|class s\d+(,s\d+)* [a-z]+` +
	`|linkStyle \d+(,\d+)* [a-z-]+:[#a-z0-9]+(,[a-z-]+:[#a-z0-9]+)*))$`)

// TestMermaidLines: every line is one of the forms of a flowchart, and each subgraph has its end.
func TestMermaidLines(t *testing.T) {
	for _, text := range []string{difficult, manyErrors} {
		model, over := examine(t, text)
		depth := 0
		for line := range strings.Lines(model.Mermaid(over)) {
			line = strings.TrimSuffix(line, "\n")
			if !mermaidLines.MatchString(line) {
				t.Errorf("no line of a flowchart: %s", line)
			}
			switch word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word {
			case "subgraph":
				depth++
			case "end":
				depth--
			}
		}
		if depth != 0 {
			t.Errorf("%d subgraphs have no end", depth)
		}
	}
}

// readMermaid prints the nodes and groups of a flowchart as Mermaid reads them: [identifier, text] each.
const readMermaid = `
import { createRequire } from "module";
const require = createRequire(process.cwd() + "/");
const { JSDOM } = require("jsdom");
globalThis.window = new JSDOM("").window;
globalThis.document = globalThis.window.document;
const { default: mermaid } = await import(process.cwd() + "/node_modules/mermaid/dist/mermaid.core.mjs");
let text = "";
for await (const part of process.stdin) text += part;
await mermaid.parse(text);
const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
const nodes = [...db.getVertices().values()].map(n => [n.id, n.text]).concat(db.getSubGraphs().map(g => [g.id, g.title]));
console.log(JSON.stringify(nodes));
`

// TestMermaidReadsTheGraph gives the graphs to Mermaid, which ASLDB_MERMAID has: a folder in which "npm install mermaid jsdom" ran.
func TestMermaidReadsTheGraph(t *testing.T) {
	folder := os.Getenv("ASLDB_MERMAID")
	if folder == "" {
		t.Skip("ASLDB_MERMAID is not set to a folder with Mermaid")
	}
	script := filepath.Join(t.TempDir(), "read.mjs")
	if err := os.WriteFile(script, []byte(readMermaid), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{difficult, manyErrors} {
		model, over := examine(t, text)
		command := exec.Command("node", script)
		command.Dir, command.Stdin = folder, strings.NewReader(model.Mermaid(over))
		command.Stderr = os.Stderr
		read, err := command.Output()
		if err != nil {
			t.Fatalf("Mermaid: %v\n%s", err, model.Mermaid(over))
		}
		var nodes [][2]string
		if err := json.Unmarshal(read, &nodes); err != nil {
			t.Fatal(err)
		}
		names := make(map[string]string)
		for _, n := range nodes {
			names[n[0]] = mermaidShown(n[1])
		}
		for i, state := range model.States() {
			want := state.Name
			if model.inside[state] > 0 {
				want = title(state)
			}
			if got := names["s"+strconv.Itoa(i)]; strings.Split(got, "\n")[0] != want {
				t.Errorf("Mermaid shows %q for %q", got, want)
			}
		}
	}
}

var mermaidCode = regexp.MustCompile(`ﬂ°°(\d+)¶ß`)

// mermaidShown returns the text that Mermaid shows of one that it has read: it keeps codes of characters in its own
// form.
func mermaidShown(text string) string {
	return html.UnescapeString(strings.ReplaceAll(mermaidCode.ReplaceAllString(text, "&#$1;"), "<br>", "\n"))
}
