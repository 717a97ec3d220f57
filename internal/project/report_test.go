package project

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/report"
)

// twoFaults has an unknown field and a state that nothing reaches.
const twoFaults = "{\"StartAt\": \"状态\", \"X\": 1,\n \"States\": {\n\t\"状态\": {\"Type\": \"Pass\", \"Result\": {\"a\": 1}, \"Next\": \"B\"},\n\t\"B\": {\"Type\": \"Pass\", \"InputPath\": \"$.b\", \"End\": true},\n  \"C\": {\"Type\": \"Succeed\"}}}"

// written writes a report in a form, with the files named from the folder of the options.
func written(w io.Writer, form string, machines []Checked, o Options) error {
	return Answer("asldb validate", machines, o).Write(w, form,
		report.Look{Version: "1", Home: func(name string) string { return files.Relative(o.Folder, name) }})
}

func parseReport(t *testing.T, out *bytes.Buffer) value.Value {
	t.Helper()
	v, err := value.Parse(out.Bytes(), value.Limits{})
	if err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return v
}

// at follows keys and, for arrays, takes the first item where a key is "0".
func at(t *testing.T, v value.Value, keys ...string) value.Value {
	t.Helper()
	for _, key := range keys {
		if list, ok := v.(*value.Array); ok {
			if list.Len() == 0 {
				t.Fatalf("%s: an empty array", key)
			}
			v = list.At(0)
			continue
		}
		if v = get(v, key); v == nil {
			t.Fatalf("no %q on the way %v", key, keys)
		}
	}
	return v
}

// TestSARIF checks the requirements of the format (SARIF 2.1.0, sections 3.13 to 3.30).
func TestSARIF(t *testing.T) {
	var out bytes.Buffer
	file := problemsOf("dir/a b.json", twoFaults, lint.Options{Hints: true})
	if err := written(&out, "sarif", []Checked{file}, Options{}); err != nil {
		t.Fatal(err)
	}
	log := parseReport(t, &out)
	if replyText(at(t, log, "version")) != "2.1.0" {
		t.Error("not the version 2.1.0")
	}
	at(t, log, "runs", "0", "tool", "driver", "name")
	run := at(t, log, "runs", "0")
	list := at(t, run, "tool", "driver", "rules").(*value.Array)
	results := at(t, run, "results").(*value.Array)
	if results.Len() != len(file.Problems) || results.Len() < 2 {
		t.Fatalf("%d results of %d problems", results.Len(), len(file.Problems))
	}
	for i, r := range results.All() {
		index, _ := at(t, r, "ruleIndex").(value.Number).Int64()
		if id := replyText(at(t, list.At(int(index)), "id")); id != replyText(at(t, r, "ruleId")) ||
			id != file.Problems[i].Rule {
			t.Errorf("result %d: rule %s", i, id)
		}
		if level := replyText(at(t, r, "level")); level != "error" && level != "warning" && level != "note" {
			t.Errorf("level %q", level)
		}
		if words := replyText(at(t, r, "properties", "wording")); words != []string{"asldb", "asldb", "aws"}[i] {
			t.Errorf("result %d is in the words of %q", i, words)
		}
		if replyText(at(t, r, "message", "text")) == "" {
			t.Error("no message")
		}
		physical := at(t, r, "locations", "0", "physicalLocation")
		if uri := replyText(at(t, physical, "artifactLocation", "uri")); uri != "dir/a%20b.json" {
			t.Errorf("uri %q", uri)
		}
		start := file.Problems[i].Span.Start
		line, _ := at(t, physical, "region", "startLine").(value.Number).Int64()
		column, _ := at(t, physical, "region", "startColumn").(value.Number).Int64()
		if int(line) != start.Line || int(column) != start.Col || line < 1 || column < 1 {
			t.Errorf("region %d:%d of %+v", line, column, start)
		}
	}
	for _, r := range list.All() {
		at(t, r, "shortDescription", "text")
		at(t, r, "defaultConfiguration", "level")
	}
}

func TestEmptyReports(t *testing.T) {
	file := problemsOf("a.json", `{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`, lint.Options{Hints: true})
	var out bytes.Buffer
	if err := written(&out, "sarif", []Checked{file}, Options{}); err != nil {
		t.Fatal(err)
	}
	if results, ok := at(t, parseReport(t, &out), "runs", "0", "results").(*value.Array); !ok || results.Len() != 0 {
		t.Errorf("no empty list of results: %s", &out)
	}
	if reply := Reply(&file, Options{}); value.Compact(reply) != `{"result":"OK","diagnostics":[],"truncated":false}` {
		t.Errorf("reply %s", value.Compact(reply))
	}
}

// TestMax: errors come first when not all problems are shown, in the order of their places, and the rest is counted.
// For a terminal texts are broken between words and the excerpt is shorter, with its carets below the place; for a pipe
// a problem is one line and its excerpt.
func TestWidth(t *testing.T) {
	text := `{"StartAt": "Order", "States": {"Order": {"Type": "Pass", "Nxt": "Somewhere", "Comment": "a comment of some sixty characters"}}}`
	d := source.Diagnostic{
		File: &source.File{Name: "orders/order.asl.json", Data: []byte(text)}, Severity: source.Error,
		Rule:       "unknown-field",
		Message:    `a Pass state has no field "Nxt": it would never be read by the service`,
		Suggestion: `did you mean "Next"? It names the state that comes next`,
	}
	at := strings.Index(text, `"Nxt"`)
	d.Span = source.Span{Start: source.Position{Offset: at, Line: 1, Col: at + 1},
		End: source.Position{Offset: at + 5, Line: 1, Col: at + 6}}
	machines := []Checked{{Given: d.File, Problems: []source.Diagnostic{d}}}
	var wide, narrow strings.Builder
	if err := errors.Join(written(&wide, "text", machines, Options{}),
		Answer("", machines, Options{}).Write(&narrow, "text", report.Look{Width: 50})); err != nil {
		t.Fatal(err)
	}
	if first, _, _ := strings.Cut(wide.String(), "\n"); !strings.HasSuffix(first, "the service [unknown-field]") {
		t.Errorf("the first line is %q", first)
	}
	want := `orders/order.asl.json:1:59: error: a Pass state
    has no field "Nxt": it would never be read by
    the service [unknown-field]
`
	if !strings.HasPrefix(narrow.String(), want) {
		t.Errorf("got\n%s", narrow.String())
	}
	lines := strings.Split(narrow.String(), "\n")
	for _, line := range lines {
		if runewidth.StringWidth(line) > 50 {
			t.Errorf("%q is longer than 50", line)
		}
	}
	excerpt, carets := []rune(lines[3]), []rune(lines[4])
	for i, c := range carets {
		if c == '^' && !strings.ContainsRune(`"Nxt`, excerpt[i]) {
			t.Errorf("the carets are not below the place:\n%s\n%s", lines[3], lines[4])
		}
	}
	if !strings.Contains(narrow.String(), "   = did you mean \"Next\"? It names the state that\n     comes next\n") {
		t.Errorf("got\n%s", narrow.String())
	}
}

func TestMax(t *testing.T) {
	file := problemsOf("a.json", twoFaults, lint.Options{})
	errors, warnings, _ := file.Count()
	if errors != 2 || warnings != 1 {
		t.Fatalf("%d errors, %d warnings", errors, warnings)
	}
	file.Problems = append([]source.Diagnostic{{Severity: source.Warning, Rule: "w"}}, file.Problems...)
	shown, left := Options{Max: 1}.shown(&file)
	if len(shown) != 1 || left != 3 || shown[0].Severity != source.Error {
		t.Errorf("%v and %d more", shown, left)
	}
	var out bytes.Buffer
	if err := written(&out, "text", []Checked{file}, Options{Max: 1}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "a.json: and 3 more") ||
		!strings.HasSuffix(out.String(), "a.json: 2 errors, 2 warnings\n") {
		t.Errorf("text:\n%s", &out)
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	file := problemsOf("a.json", twoFaults, lint.Options{})
	if err := written(&out, "json", []Checked{file}, Options{}); err != nil {
		t.Fatal(err)
	}
	document := parseReport(t, &out)
	if at(t, document, "valid") != value.Bool(false) {
		t.Error("valid")
	}
	problem := at(t, document, "files", "0", "problems").(*value.Array).At(2)
	want := `{"file":"a.json","line":5,"column":3,"endLine":5,"endColumn":6,"rule":"unreachable-state",` +
		`"text":"State \"C\" is not reachable","severity":"error","code":"MISSING_TRANSITION_TARGET",` +
		`"message":"State \"C\" is not reachable","pointer":"/States/C","wording":"aws","sureness":"recorded",` +
		`"start":{"line":5,"column":3,"offset":177},"end":{"line":5,"column":6,"offset":180},"expected":"a transition to it from a state that can be reached"}`
	offset := strings.Index(twoFaults, `"C"`)
	want = strings.NewReplacer("177", value.Compact(value.Int(int64(offset))), "180",
		value.Compact(value.Int(int64(offset+3)))).Replace(want)
	if value.Compact(problem) != want {
		t.Errorf("got  %s\nwant %s", value.Compact(problem), want)
	}
}

// The usual layout of a SAM application: the definition is in a file that the template names, and the template gives
// its substitutions. Each problem is reported in its own file, in every form.
func TestProblemsInTwoFiles(t *testing.T) {
	template := &source.File{Name: "template.yaml", Data: []byte("Resources: {}\n")}
	definition := problemsOf("machines/order.asl.json", twoFaults, lint.Options{})
	of := definition.Problems[0].Span
	m := Checked{
		Given: template, Name: "Orders", Source: definition.Source, Root: definition.Root,
		Problems: append(definition.Problems, source.Diagnostic{
			File: template, Severity: source.Warning, Rule: "unresolved-reference", Message: "m",
			Span: source.Span{Start: source.Position{Line: 1, Col: 1},
				End: source.Position{Offset: 9, Line: 1, Col: 10}},
			Reasons: []source.Reason{{Text: "read", Span: of, File: definition.Source}},
		}),
	}
	var text, list, sarif bytes.Buffer
	if err := errors.Join(written(&text, "text", []Checked{m}, Options{}),
		written(&list, "json", []Checked{m}, Options{}),
		written(&sarif, "sarif", []Checked{m}, Options{})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"machines/order.asl.json:1:", "template.yaml:1:1: warning: m",
		"= read (machines/order.asl.json:", "template.yaml (Orders): "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	entry := at(t, parseReport(t, &list), "files", "0")
	if got := replyText(at(t, entry, "file")) + " " +
		replyText(at(t, entry, "machine")); got != "template.yaml Orders" {
		t.Errorf("the entry is of %s", got)
	}
	var inJSON, inSARIF []string
	for _, p := range at(t, entry, "problems").(*value.Array).All() {
		inJSON = append(inJSON, replyText(at(t, p, "file")))
	}
	run := at(t, parseReport(t, &sarif), "runs", "0")
	for _, r := range at(t, run, "results").(*value.Array).All() {
		inSARIF = append(inSARIF, replyText(at(t, r, "locations", "0", "physicalLocation", "artifactLocation", "uri")))
	}
	var want []string
	for range definition.Problems {
		want = append(want, "machines/order.asl.json")
	}
	want = append(want, "template.yaml")
	if !slices.Equal(inJSON, want) || !slices.Equal(inSARIF, want) {
		t.Errorf("JSON %v, SARIF %v, want %v", inJSON, inSARIF, want)
	}
	if n := at(t, run, "artifacts").(*value.Array).Len(); n != 2 {
		t.Errorf("%d artifacts, want the two files", n)
	}
}
