package project

import (
	"bytes"
	"encoding/xml"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/value"
)

const misspelt = `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "Finsh"}, "Finish": {"Type": "Succeed"}}}`

// logOf returns the only run of a SARIF log.
func logOf(t *testing.T, machines []Checked, o Options) value.Value {
	t.Helper()
	var out bytes.Buffer
	if err := written(&out, "sarif", machines, o); err != nil {
		t.Fatal(err)
	}
	return at(t, parseReport(t, &out), "runs", "0")
}

// TestSARIFFixes: a suggestion is a replacement with its region (sections 3.55 to 3.57).
func TestSARIFFixes(t *testing.T) {
	run := logOf(t, []Checked{problemsOf("a.json", misspelt, lint.Options{})}, Options{})
	fix := at(t, run, "results", "0", "fixes", "0")
	if got := replyText(at(t, fix, "description", "text")); got != "certain: write Finish for Finsh" {
		t.Errorf("the fix is %q", got)
	}
	change := at(t, fix, "artifactChanges", "0")
	if uri := replyText(at(t, change, "artifactLocation", "uri")); uri != "a.json" {
		t.Errorf("the fix is of %q", uri)
	}
	replacement := at(t, change, "replacements", "0")
	// The word is behind the quote of the value: column 60 to before 65, in the text above.
	if got := value.Compact(at(t, replacement, "deletedRegion")); got != `{"startLine":1,"startColumn":60,"endLine":1,"endColumn":65}` {
		t.Errorf("the region is %s", got)
	}
	if got := replyText(at(t, replacement, "insertedContent", "text")); got != "Finish" {
		t.Errorf("the text is %q", got)
	}
}

// TestSARIFForm: the parts of a log that code hosts ask for.
func TestSARIFForm(t *testing.T) {
	folder := t.TempDir()
	inside := everythingIn(filepath.Join(folder, "x", "a:b.json"))
	run := logOf(t, []Checked{inside, everythingIn("/outside.json")}, Options{Folder: folder})
	if get(at(t, run, "originalUriBaseIds"), "%SRCROOT%") == nil {
		t.Error("the root of relative paths is not declared")
	}
	first := at(t, run, "results", "0")
	place := at(t, first, "locations", "0", "physicalLocation", "artifactLocation")
	if uri, base := replyText(at(t, place, "uri")), replyText(at(t, place, "uriBaseId")); uri != "x/a:b.json" ||
		base != "%SRCROOT%" {
		t.Errorf("the file is %q of %q", uri, base)
	}
	related := at(t, first, "relatedLocations", "0")
	if id, _ := at(t, related, "id").(value.Number).Int64(); id != 1 {
		t.Errorf("the id of the related place is %d, want 1", id)
	}
	if text := replyText(at(t, first, "message", "text")); !strings.Contains(text, "[because](1)") {
		t.Errorf("the message has no link to the related place: %q", text)
	}
	rule := at(t, run, "tool", "driver", "rules", "0")
	if uri := replyText(at(t, rule, "helpUri")); !strings.HasPrefix(uri, "https://") {
		t.Errorf("helpUri is %q", uri)
	}
	if tags, ok := at(t, rule, "properties", "tags").(*value.Array); !ok || tags.Len() < 2 {
		t.Error("the rule has no tags")
	}
	for _, r := range at(t, run, "results").(*value.Array).All() {
		file := at(t, r, "locations", "0", "physicalLocation", "artifactLocation")
		if uri := replyText(at(t, file, "uri")); strings.HasSuffix(uri, "outside.json") &&
			(uri != "file:///outside.json" || get(file, "uriBaseId") != nil) {
			t.Errorf("the file outside of the folder is %s", value.Compact(file))
		}
	}
}

// TestFingerprints: a problem has the same digest after lines have moved, and no two problems of a log have the same.
func TestFingerprints(t *testing.T) {
	digests := func(text string) (list []string) {
		run := logOf(t, []Checked{problemsOf("a.json", text, lint.Options{})}, Options{})
		for _, r := range at(t, run, "results").(*value.Array).All() {
			list = append(list, replyText(at(t, r, "partialFingerprints", "asldb/v2")))
		}
		return list
	}
	first, moved := digests(misspelt), digests("\n\n  "+strings.ReplaceAll(misspelt, ", ", ",\n"))
	if strings.Join(first, " ") != strings.Join(moved, " ") {
		t.Errorf("%v became %v", first, moved)
	}
	twice := everythingIn("a.json")
	twice.Problems = append(twice.Problems, twice.Problems...)
	seen := make(map[string]bool)
	for _, r := range at(t, logOf(t, []Checked{twice}, Options{}), "results").(*value.Array).All() {
		digest := replyText(at(t, r, "partialFingerprints", "asldb/v2"))
		if seen[digest] {
			t.Errorf("%s is there twice", digest)
		}
		seen[digest] = true
	}
}

// TestGitHub: the escapes of workflow commands are actions/toolkit's: %, CR and LF everywhere, : and , in
// properties.
func TestGitHub(t *testing.T) {
	folder := t.TempDir()
	file := &source.File{Name: filepath.Join(folder, "a,b:c%d.json"), Data: []byte("{\n1}")}
	span := source.Span{Start: source.Position{Offset: 2, Line: 2, Col: 1},
		End: source.Position{Offset: 3, Line: 2, Col: 2}}
	m := Checked{Given: file, Problems: []source.Diagnostic{
		{Rule: "r", Message: "100%: a,b", Span: span, Suggestion: "did you mean c?",
			Reasons: []source.Reason{{Text: "because", Span: span}, {Text: "so"}}},
		{Rule: "r", Severity: source.Warning, Message: "lines",
			Span: source.Span{Start: source.Position{Line: 1, Col: 1}, End: source.Position{Line: 2, Col: 3}}},
		{Rule: "r", Severity: source.Hint, Message: "nowhere"},
	}}
	stdin := Checked{Given: &source.File{Name: "<stdin>"},
		Problems: []source.Diagnostic{{Rule: "r", Message: "m", Span: span}}}
	var out bytes.Buffer
	if err := written(&out, "github", []Checked{m, stdin}, Options{Folder: folder}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{
		"::error file=a%2Cb%3Ac%25d.json,line=2,endLine=2,col=1,endColumn=1,title=asldb%3A r::100%25: a,b%0Abecause (" +
			strings.ReplaceAll(file.Name, "%", "%25") + ":2)%0Aso%0Adid you mean c?",
		"::warning file=a%2Cb%3Ac%25d.json,line=1,endLine=2,title=asldb%3A r::lines",
		"::notice file=a%2Cb%3Ac%25d.json,title=asldb%3A r::nowhere",
		"asldb: " + file.Name + ": 1 error, 1 warning, 1 hint",
		"::error title=asldb%3A r::m",
		"asldb: <stdin>: 1 error",
		"",
	} {
		if lines[i] != want {
			t.Errorf("line %d is\n%s\nwant\n%s", i+1, lines[i], want)
		}
	}
	out.Reset()
	if err := written(&out, "github", []Checked{m}, Options{Folder: folder, Max: 1}); err != nil ||
		!strings.Contains(out.String(), "; 2 are not shown (--max 0 shows all)") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// TestJUnit: errors are failures, warnings with Strict; a machine without any is a test that passed.
func TestJUnit(t *testing.T) {
	good := problemsOf("good.json", `{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`, lint.Options{})
	for _, tt := range []struct {
		o               Options
		tests, failures int
	}{{Options{}, 3, 1}, {Options{Strict: true}, 3, 2}} {
		machine := everythingIn("a<b.json") // a warning and a hint
		wrong := everythingIn("wrong.json")
		wrong.Problems = wrong.Problems[:1]
		wrong.Problems[0].Severity = source.Error
		var out bytes.Buffer
		if err := written(&out, "junit", []Checked{good, machine, wrong}, tt.o); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Suites   []struct {
				Name     string `xml:"name,attr"`
				Tests    int    `xml:"tests,attr"`
				Failures int    `xml:"failures,attr"`
				Cases    []struct {
					Failure *struct{} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		cases, failures := 0, 0
		for _, s := range got.Suites {
			cases += len(s.Cases)
			n := 0
			for _, c := range s.Cases {
				if c.Failure != nil {
					n++
				}
			}
			if s.Tests != len(s.Cases) || s.Failures != n {
				t.Errorf("%s has %d tests and %d failures, and says %d and %d", s.Name, len(s.Cases), n, s.Tests,
					s.Failures)
			}
			failures += n
		}
		if got.Tests != tt.tests || got.Failures != tt.failures || cases != tt.tests || failures != tt.failures {
			t.Errorf("%d tests with %d failures, want %d and %d\n%s", got.Tests, got.Failures, tt.tests, tt.failures,
				&out)
		}
		if !regexp.MustCompile(`<testcase name="valid" classname="good.json" file="good.json">`).MatchString(
			out.String()) {
			t.Errorf("no test of the valid definition:\n%s", &out)
		}
	}
	var out bytes.Buffer
	if err := written(&out, "junit", []Checked{everythingIn("a.json")}, Options{Max: 1}); err != nil ||
		!strings.Contains(out.String(), "and 1 more") {
		t.Errorf("%v\n%s", err, &out)
	}
}
