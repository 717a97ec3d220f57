package report_test

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mattn/go-runewidth"

	"asldb/internal/report"
)

func write(t *testing.T, a *report.Answer, form string, l report.Look) string {
	t.Helper()
	var out strings.Builder
	if err := a.Write(&out, form, l); err != nil {
		t.Fatal(form, err)
	}
	return out.String()
}

// everything has each block, with a text in each of its places.
func everything(text string) *report.Answer {
	in := func() report.Text {
		return report.T("x ", text, report.As(report.Name, text), report.As(report.Message, text),
			report.In(report.Strong, text))
	}
	group := &report.Group{Name: text, File: text, Summary: text, Out: text,
		Properties: []report.Property{{Name: "p", Value: text}}}
	place := report.Place{File: text, Line: 3, Col: 5, EndLine: 3, EndCol: 9, Pointer: text}
	rule := &report.Rule{Summary: text, Explanation: text, Section: text, URL: "https://example.org",
		Tags: []string{text}}
	return &report.Answer{
		Name: text,
		Doc: func(l report.Look) *report.Doc {
			table := &report.Table{Level: 1, Columns: []report.Column{{Name: text}, {Name: "n", Right: true}}}
			table.Add(in(), report.T("1"))
			d := &report.Doc{Title: in()}
			d.Add(report.Heading{Level: 1, Text: in()}, report.Para{Text: in()},
				report.Para{Label: report.T(text), Text: in()}, report.Para{Level: 1, Text: in()},
				report.Code{Level: 1, Language: "sh", Text: text}, report.Gap{}, table,
				report.Meter{Level: 1, Classes: []int64{1, 0, 3}}, report.Code{Language: "excerpt", Text: text},
				report.Details{Summary: in(), Blocks: []report.Block{report.Para{Text: in()}}},
				report.Details{Summary: in(), Case: true, Open: true, Blocks: []report.Block{
					report.Code{Language: report.Differences, Text: text}}},
				report.Details{Summary: in(), Case: true},
				report.Listing{File: text, Text: text + "\r\n" + text},
				report.Para{Text: report.T(report.Span{Text: text, At: report.Place{File: text, Line: 1}},
					report.Span{Text: "unlisted", At: report.Place{File: text, Line: 9}})},
				drawn("flowchart TD\n", nil, nil), drawn("", nil, errors.New(text)),
				drawn("flowchart TD\n", func() []report.Text { return []report.Text{in()} }, nil))
			return d
		},
		Findings: func() []report.Finding {
			return []report.Finding{
				{Place: place, Rule: text, About: rule, Text: text, Advice: text, More: []string{text}, Group: group,
					Related: []report.Related{{Place: place, Text: text}, {Text: text}},
					Fix:     &report.Fix{Description: text, Place: place, Text: text}},
				{Place: place, Severity: report.Broken, Subject: text, Text: text, More: []string{text}, Group: group},
				{Severity: report.Passed, Subject: text, Out: text, Group: group},
			}
		},
		Data: func() any { return map[string]string{"a": text} },
	}
}

func drawn(mermaid string, lines func() []report.Text, err error) report.Figure {
	return report.Figure{About: mermaid, Draw: func() (report.Drawing, error) {
		return report.Drawing{Mermaid: mermaid, Lines: lines}, err
	}}
}

// hostile are texts that a reader of some form would act on.
var hostile = map[string]string{
	"Markdown":         "[now](https://evil.example) ![x](https://evil.example/x.png) `a` *b* | c\n# d",
	"HTML":             "</script><script>alert(1)</script><img src=x onerror=alert(1)> & \" ' </summary>",
	"workflow command": "%0A::error file=x::y\r\n::set-output name=a::b",
	"escapes":          "\x1b[31mred\x1b]0;title\x07\u009b2J\x00",
	"bidi":             "a\u202e\u2066b\u200b",
	"fences":           "````\n```\n~~~",
	"formula":          "=HYPERLINK(\"https://evil.example\")",
}

var (
	linked  = regexp.MustCompile(`(^|[^\\])\[[^\]\\]*\]\(https://evil`)
	fenced  = regexp.MustCompile("(?ms)^ *(`{3,})[^`\n]*\n.*?^ *`{3,}$")
	spanned = regexp.MustCompile("`[^`]+`|``+ ?.*?[^`]``+")
	summary = regexp.MustCompile("<summary>[^<]*</summary>") // HTML, in which nothing is Markdown
	element = regexp.MustCompile(`<(?:script|img)`)
	anchor  = regexp.MustCompile(`href="#f[0-9]+-[0-9]+"`)
	script  = regexp.MustCompile(`(?s)<script>.*?</script>`)
)

// hostileReaders read the forms as a program does that gets them, and return on which part of a text it would act, or
// why it cannot read the report; empty: neither. A terminal acts on hidden characters alone, which no form has.
var hostileReaders = map[string]func(got string) string{
	"text": func(string) string { return "" },
	"markdown": func(got string) string {
		words := spanned.ReplaceAllString(fenced.ReplaceAllString(summary.ReplaceAllString(got, ""), ""), "")
		return linked.FindString(words) + element.FindString(words)
	},
	"html": func(got string) string {
		got = strings.Replace(got, ownScript(), "", 1)
		if strings.Contains(anchor.ReplaceAllString(got, ""), `href=`) {
			return "href="
		}
		return element.FindString(got)
	},
	"junit":       func(got string) string { return words(xml.Unmarshal([]byte(got), new(struct{}))) },
	"json":        validJSON,
	"sarif":       validJSON,
	"codequality": validJSON,
	"github": func(got string) string {
		for line := range strings.Lines(got) {
			if !strings.HasPrefix(line, "::error file=") && !strings.HasPrefix(line, "::error title=") &&
				!strings.HasPrefix(line, "asldb: ") {
				return line
			}
		}
		return ""
	},
	"csv": func(got string) string { return spreadsheet(got, ',') },
	"tsv": func(got string) string { return spreadsheet(got, '\t') },
}

// ownScript is the filter of a page.
var ownScript = sync.OnceValue(func() string {
	var page strings.Builder
	if err := everything("harmless").Write(&page, "html", report.Look{}); err != nil {
		panic(err)
	}
	return script.FindString(page.String())
})

// words are what an error says, if there is one.
func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func validJSON(got string) string { return words(json.Unmarshal([]byte(got), new(any))) }

// spreadsheet reads a head and three rows.
func spreadsheet(got string, comma rune) string {
	r := csv.NewReader(strings.NewReader(got))
	r.Comma = comma
	rows, err := r.ReadAll()
	if err != nil || len(rows) != 4 {
		return fmt.Sprintf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		if cell := row[len(row)-1]; strings.HasPrefix(cell, "=") {
			return cell
		}
	}
	return ""
}

// No reader of any form acts on a text, wherever in a report it is; each form has a reader here.
func TestHostileTexts(t *testing.T) {
	forms := report.FormsOf(report.OfDoc | report.OfFindings | report.OfData | report.OfRows)
	if len(forms) != len(hostileReaders) {
		t.Errorf("%d forms, %d readers", len(forms), len(hostileReaders))
	}
	for name, text := range hostile {
		for _, form := range forms {
			read := hostileReaders[form]
			if read == nil {
				t.Errorf("the form %s has no reader", form)
				continue
			}
			a := everything(text)
			if form == "tsv" {
				a.Rows = func() ([]string, iter.Seq[[]string]) {
					return []string{"n", text}, slices.Values([][]string{{"1", text}, {text, "2"}, {text, text}})
				}
			}
			got := write(t, a, form, report.Look{Home: func(file string) string { return file }})
			if i := strings.IndexFunc(got, func(c rune) bool {
				return c != '\n' && c != '\t' && (c < ' ' || c >= 0x7f && c < 0xa0) ||
					slices.Contains([]rune{0x202e, 0x2066, 0x200b}, c)
			}); i >= 0 {
				t.Errorf("%s, %s: a hidden character: %q", name, form, got[max(0, i-20):min(len(got), i+20)])
			}
			if found := read(got); found != "" {
				t.Errorf("%s: the reader of %s finds %q in\n%s", name, form, found, got)
			}
		}
	}
	page := write(t, everything(hostile["HTML"]), "html", report.Look{})
	if !strings.Contains(html.UnescapeString(page), "<script>alert(1)") {
		t.Error("the page does not show the text as it is")
	}
	page = write(t, everything("a"), "html", report.Look{})
	for _, want := range []string{`<a href="#f0-1">a</a>unlisted`, `<span id="f0-2">a` + "\n</span></pre>",
		`<details class="case failed" open>`, `default-src &#39;none&#39;`, `<pre class="graph">x a`} {
		if !strings.Contains(page, want) && !strings.Contains(page, html.UnescapeString(want)) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
	if empty := write(t, &report.Answer{Doc: func(report.Look) *report.Doc { return example() }}, "html",
		report.Look{}); strings.Contains(empty, "<script") || strings.Contains(empty, "<form") {
		t.Error("a page without cases has a filter")
	}
}

func example() *report.Doc {
	d := &report.Doc{Title: report.T("FAILED in ", report.As(report.Name, "Charge"))}
	table := &report.Table{Columns: []report.Column{{Name: "task", Wrap: true}, {Name: "runs", Right: true},
		{Name: "place", Spare: 1}}}
	table.Add(report.T("Fulfil/NotifyCustomer"), report.T("3"), report.T("order.asl.json:4"))
	table.Add(report.T("Pay"), report.T("12"))
	d.Add(
		report.Para{Label: report.T("because"), Text: report.T("the card was declined by the bank of the customer")},
		report.Para{Level: 1, Text: report.T("attempt 1")},
		report.Para{Label: report.T("next"), Text: report.T("debug it")},
		report.Code{Level: 2, Language: "sh", Text: "asldb debug order.asl.json --break Charge:error"},
		report.Heading{Level: 1, Text: report.T("Tasks")}, table,
		report.Para{Text: report.T(report.In(report.Good, "all"), " is well")},
	)
	return d
}

func TestForms(t *testing.T) {
	a := &report.Answer{Doc: func(report.Look) *report.Doc { return example() }}
	for form, want := range map[string]string{
		"text": `FAILED in Charge
because   the card was declined by the bank of the customer
          attempt 1
next      debug it
            asldb debug order.asl.json --break Charge:error

Tasks
task                   runs  place
Fulfil/NotifyCustomer     3  order.asl.json:4
Pay                      12
all is well
`,
		"markdown": "## FAILED in `Charge`\n\n- **because** the card was declined by the bank of the customer\n  - attempt 1\n- **next** debug it\n\n  ```sh\n" +
			"  asldb debug order.asl.json --break Charge:error\n  ```\n\n### Tasks\n\n| task | runs | place |\n|---|---:|---|\n" +
			"| Fulfil/NotifyCustomer | 3 | order.asl.json:4 |\n| Pay | 12 | |\n\nall is well\n",
	} {
		if got := write(t, a, form, report.Look{}); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", form, got, want)
		}
	}
	const narrow = `FAILED in Charge
because   the card was declined
          by the bank of the
          customer
          attempt 1
next      debug it
            asldb debug order.asl.json --break Charge:error

Tasks
task                   runs
Fulfil/NotifyCustomer     3
Pay                      12
all is well
`
	if got := write(t, a, "text", report.Look{Width: 32}); got != narrow {
		t.Errorf("got\n%s", got)
	}
	coloured := write(t, a, "text", report.Look{Colour: true})
	for _, want := range []string{"\x1b[1mFAILED in Charge\x1b[0m\n", "\x1b[1mTasks\x1b[0m\n",
		"\x1b[32mall\x1b[0m is well\n", "\x1b[2mruns\x1b[0m"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("there is no %q in %q", want, coloured)
		}
	}
	if bare := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(coloured, ""); bare != write(t, a, "text",
		report.Look{}) {
		t.Errorf("colours change the text:\n%s", bare)
	}
}

// Below the least width of its columns a table has a paragraph for each row; no line is wider than the terminal.
func TestWidths(t *testing.T) {
	for width := 32; width <= 80; width++ {
		got := write(t, &report.Answer{Doc: func(report.Look) *report.Doc { return example() }}, "text",
			report.Look{Width: width})
		for line := range strings.Lines(got) {
			if n := runewidth.StringWidth(strings.TrimRight(line, "\n")); n > width &&
				!strings.Contains(line, "asldb debug") {
				t.Errorf("width %d: %q", width, line)
			}
		}
		for _, word := range []string{"declined", "NotifyCustomer", "12", "well"} {
			if !strings.Contains(strings.ReplaceAll(got, "\n", ""), word) && !strings.Contains(got, word[:5]) {
				t.Errorf("width %d: no %q in\n%s", width, word, got)
			}
		}
	}
}

// md, gitlab are other words for their forms.
func TestNamesOfForms(t *testing.T) {
	for word, want := range map[string]string{"md": "markdown", "markdown": "markdown", "gitlab": "codequality",
		"lcov": "lcov"} {
		if got, ok := report.FormNamed(word, report.FormsOf(report.OfDoc|report.OfFindings, "lcov")); got != want ||
			!ok {
			t.Errorf("%s names %s, %v", word, got, ok)
		}
	}
	if _, ok := report.FormNamed("json", report.FormsOf(report.OfDoc)); ok {
		t.Error("a command without data has JSON")
	}
}

func TestRows(t *testing.T) {
	a := &report.Answer{Rows: func() ([]string, iter.Seq[[]string]) {
		return []string{"name", "n"}, slices.Values([][]string{{"a,b", "-1"}, {"-x", "2"}})
	}}
	if got := write(t, a, "csv", report.Look{}); got != "name,n\n\"a,b\",-1\n'-x,2\n" {
		t.Errorf("%q", got)
	}
	if got := write(t, a, "tsv", report.Look{}); got != "name\tn\na,b\t-1\n'-x\t2\n" {
		t.Errorf("%q", got)
	}
}

// GitLab asks for these members: docs.gitlab.com, "Code Quality report format". Fingerprints differ, also of findings
// that are alike.
func TestCodeQuality(t *testing.T) {
	same := report.Finding{Place: report.Place{File: "a.json", Line: 3}, Rule: "r", Severity: report.Warning, Text: "m"}
	a := &report.Answer{Findings: func() []report.Finding {
		return []report.Finding{same, same, {Severity: report.Passed, Subject: "fine"}}
	}}
	var issues []struct {
		Description string `json:"description"`
		Check       string `json:"check_name"`
		Fingerprint string `json:"fingerprint"`
		Severity    string `json:"severity"`
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(write(t, a, "codequality", report.Look{})), &issues); err != nil {
		t.Fatal(err)
	}
	if len(issues) != 2 || issues[0].Fingerprint == issues[1].Fingerprint || issues[0].Severity != "minor" ||
		issues[0].Location.Lines.Begin != 3 || issues[0].Check != "r" {
		t.Errorf("%+v", issues)
	}
}

// The counts of JUnit's XML are its cases' counts; a case has the failures of its parts once, and GitHub has each part
// at its place.
func TestJUnitAndGitHub(t *testing.T) {
	group := &report.Group{Name: "a<b", File: "a.yaml", Summary: "2 cases",
		Properties: []report.Property{{Name: "definition", Value: "o.json"}}}
	part := func(line int) report.Finding {
		return report.Finding{Place: report.Place{File: "a,%.json", Line: line}, Rule: "expectation",
			Subject: "asldb: x", Text: "first\nsecond 100%"}
	}
	a := &report.Answer{Name: "asldb", Findings: func() []report.Finding {
		return []report.Finding{
			{Subject: "passes", Severity: report.Passed, Group: group, Out: "path"},
			{Subject: "fails", Group: group, Rule: "expectation", Text: `"x" & y`, More: []string{"- 1", "+ 2"},
				Parts: []report.Finding{part(3), part(4)}},
			{Subject: "is wrong", Severity: report.Broken, Group: group, Text: "m"},
			{Subject: "waits", Severity: report.Skipped, Group: group, Text: "later"},
			{Subject: "is new", Severity: report.Warning, Group: group, Text: "new"},
			{Rule: "advice", Severity: report.Hint, Group: group, More: []string{"a hint"}},
		}
	}}
	got := write(t, a, "junit", report.Look{})
	for _, line := range []string{
		`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
			`<testsuites name="asldb" tests="5" failures="1" errors="1" skipped="2">` + "\n",
		`  <testsuite name="a&lt;b" tests="5" failures="1" errors="1" skipped="2" file="a.yaml">` +
			"\n    <properties>\n",
		`    <testcase name="passes" classname="a&lt;b">` + "\n      <system-out>path</system-out>\n",
		`<failure message="&#34;x&#34; &amp; y" type="expectation">- 1&#xA;+ 2</failure>`,
		`<error message="m" type="error"></error>`, `<skipped message="later"></skipped>`,
		"<system-out>a hint</system-out>\n  </testsuite>",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("there is no\n%s\nin\n%s", line, got)
		}
	}
	want := "::error file=a%2C%25.json,line=3,title=asldb%3A x::first%0Asecond 100%25\n::error file=a%2C%25.json,line=4,title=asldb%3A x::first%0Asecond 100%25\n" +
		"::error title=is wrong::m\n::warning title=is new::new\n::notice title=asldb%3A advice::\nasldb: a<b: 2 cases\n"
	if got := write(t, a, "github", report.Look{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

var _ io.Writer = broken{}

// Each form reports that it cannot be written.
func TestUnwritable(t *testing.T) {
	a := everything("a")
	for _, form := range report.FormsOf(report.OfDoc | report.OfFindings | report.OfData) {
		if err := a.Write(broken{}, form, report.Look{}); err == nil || err.Error() != "full" {
			t.Error(form, err)
		}
	}
	if err := (&report.Answer{Own: map[string]func(io.Writer,
		report.Look) error{"own": func(w io.Writer, _ report.Look) error {
		_, err := fmt.Fprint(w, "x")
		return err
	}}}).Write(broken{}, "own", report.Look{}); err == nil {
		t.Error("a form of one command loses the error")
	}
}
