package coverage_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/coverage"
	"asldb/internal/report"
	"asldb/internal/testkit"
)

// profile is a profile of two definitions, one of them inside of a template.
func profile() *coverage.Profile {
	item := func(state string, kind coverage.Kind, line int, count int64) coverage.Item {
		return coverage.Item{ID: coverage.ID{State: state, Kind: kind}, Line: line, Column: 3, Count: count}
	}
	return &coverage.Profile{Definitions: []coverage.Definition{
		{File: "a.json", Runs: 2, Items: []coverage.Item{
			item("C", coverage.Entered, 3, 2), item("C", coverage.Default, 4, 0), item("C", coverage.Rule, 5, 2),
			item("M", coverage.Entered, 7, 2), item("M", coverage.MapSome, 7, 2), item("M", coverage.MapNone, 7, 0),
			item("M/Iterations[*]/P/Branches[1]/T", coverage.Entered, 8, 4),
			item("M/Iterations[*]/P/Branches[1]/T", coverage.Uncaught, 8, 0),
			item("Gone", coverage.Entered, 0, 0),
		}},
		{File: "t\x1b.yaml", Resource: "Orders", Items: []coverage.Item{
			item("A", coverage.Entered, 1, 1), item("M", coverage.MapTolerated, 2, 1),
			item("N", coverage.MapTolerated, 2, 0),
			item("A", coverage.TimedOut, 3, 0), item("A", coverage.HeartbeatMissed, 3, 1),
			item("A", coverage.ConditionTrue, 3, 1),
		}},
	}}
}

func TestCoverageText(t *testing.T) {
	o := coverage.CoverageOptions{Minimum: 95, Max: 3}
	want := `a.json
states 3/4   rules 1/1 + Default 0/1   uncaught errors 0/1   Map: some ✓ none ×
not covered
  a.json:4  C  Default
  a.json:7  M  no items
  a.json:8  T  uncaught error
  and 1 more
t<U+001B>.yaml (Orders)
states 1/1   conditions 1/1   timeouts 0/1, heartbeats 1/1   Map: tolerated 1/2
not covered
  t<U+001B>.yaml:2  N  tolerated failure
  t<U+001B>.yaml:3  A  timeout
coverage 60 % (9 of 15)   --min 95 not reached
`
	if got := testkit.Report(t, coverage.Answer(profile(), o, ""), "text", report.Look{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := testkit.Report(t, coverage.Answer(&coverage.Profile{}, coverage.CoverageOptions{Minimum: 100}, ""),
		"text", report.Look{}); got != "coverage 100 % (0 of 0)\n" {
		t.Errorf("of nothing: %q", got)
	}
}

// The records are geninfo(1)'s: BRDA has - where the line was never reached.
func TestLCOV(t *testing.T) {
	var b bytes.Buffer
	p := profile()
	p.Definitions = p.Definitions[:1]
	if err := coverage.LCOV(&b, p); err != nil {
		t.Fatal(err)
	}
	want := `TN:
SF:a.json
BRDA:4,0,0,-
BRDA:5,0,0,2
BRDA:7,0,0,2
BRDA:7,0,1,0
BRDA:8,0,0,0
BRF:5
BRH:2
DA:1,0
DA:3,2
DA:4,0
DA:5,2
DA:7,2
DA:8,4
LF:6
LH:4
end_of_record
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// genhtml reads what LCOV writes.
func TestGenHTMLReadsLCOV(t *testing.T) {
	genhtml, err := exec.LookPath("genhtml")
	if err != nil {
		t.Skip("genhtml (Debian's package lcov) is not installed")
	}
	dir := t.TempDir()
	p := profile()
	p.Definitions = p.Definitions[:1]
	var b bytes.Buffer
	if err := coverage.LCOV(&b, p); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"lcov.info": b.String(), "a.json": strings.Repeat("{}\n", 10)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(genhtml, "--branch-coverage", "--output-directory", "html", "lcov.info")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "66.7%") {
		t.Errorf("%v\n%s", err, out)
	}
}

// coberturaDTD is coverage-04.dtd, the form of Cobertura's reports.
const coberturaDTD = `<!ELEMENT coverage (sources?,packages)>
<!ATTLIST coverage line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED lines-covered CDATA #REQUIRED lines-valid CDATA #REQUIRED
 branches-covered CDATA #REQUIRED branches-valid CDATA #REQUIRED complexity CDATA #REQUIRED version CDATA #REQUIRED timestamp CDATA #REQUIRED>
<!ELEMENT sources (source*)>
<!ELEMENT source (#PCDATA)>
<!ELEMENT packages (package*)>
<!ELEMENT package (classes)>
<!ATTLIST package name CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT classes (class*)>
<!ELEMENT class (methods,lines)>
<!ATTLIST class name CDATA #REQUIRED filename CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT methods (method*)>
<!ELEMENT method (lines)>
<!ATTLIST method name CDATA #REQUIRED signature CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT lines (line*)>
<!ELEMENT line (conditions*)>
<!ATTLIST line number CDATA #REQUIRED hits CDATA #REQUIRED branch CDATA "false" condition-coverage CDATA "100%">
<!ELEMENT conditions (condition*)>
<!ELEMENT condition EMPTY>
<!ATTLIST condition number CDATA #REQUIRED type CDATA #REQUIRED coverage CDATA #REQUIRED>
`

// Cobertura's reports are valid by their DTD.
func TestXMLLintReadsCobertura(t *testing.T) {
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint (Debian's package libxml2-utils) is not installed")
	}
	dtd := filepath.Join(t.TempDir(), "coverage-04.dtd")
	if err := os.WriteFile(dtd, []byte(coberturaDTD), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := coverage.Cobertura(&b, profile(), "asldb test"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(xmllint, "--nonet", "--noout", "--dtdvalid", dtd, "-")
	cmd.Stdin = &b
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The numbers are the text's; the attributes are all that coverage-04.dtd requires.
func TestCobertura(t *testing.T) {
	var b bytes.Buffer
	if err := coverage.Cobertura(&b, profile(), "asldb test"); err != nil {
		t.Fatal(err)
	}
	var read struct {
		LineRate   string `xml:"line-rate,attr"`
		BranchRate string `xml:"branch-rate,attr"`
		Classes    []struct {
			Name  string `xml:"name,attr"`
			File  string `xml:"filename,attr"`
			Lines []struct {
				Number    int    `xml:"number,attr"`
				Hits      int    `xml:"hits,attr"`
				Branch    bool   `xml:"branch,attr"`
				Condition string `xml:"condition-coverage,attr"`
			} `xml:"lines>line"`
		} `xml:"packages>package>classes>class"`
	}
	if err := xml.Unmarshal(b.Bytes(), &read); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if read.LineRate != "0.7778" || read.BranchRate != "0.5" ||
		len(read.Classes) != 2 { // 7 of 9 lines, 5 of 10 branches
		t.Errorf("read %+v", read)
	}
	if line := read.Classes[0].Lines[4]; line.Number != 7 || line.Hits != 2 || !line.Branch ||
		line.Condition != "50% (1/2)" {
		t.Errorf("line 7 is %+v", line)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("a control character is in the report")
	}
}

func TestCoverageMarkdown(t *testing.T) {
	graph := func(d *coverage.Definition) (drawing report.Drawing, err error) {
		if d.Resource != "" {
			return drawing, errors.New("it has *changed*")
		}
		return report.Drawing{Mermaid: "flowchart TD\n  s0 --> s1\n"}, nil
	}
	want := strings.ReplaceAll(`## Coverage: 60 % (9 of 15), below 95 %

| definition | coverage | states | rules | conditions | uncaught errors | timeouts | Maps |
|---|---:|---:|---:|---:|---:|---:|---:|
| a.json | 55 % | 3/4 | 1/2 | | 0/1 | | 1/2 |
| t&lt;U+001B>.yaml (Orders) | 66 % | 1/1 | | 1/1 | | 1/2 | 1/2 |

a.json, not covered:

- a.json:4  C  Default
- a.json:7  M  no items
- a.json:8  T  uncaught error
- and 1 more

<details><summary>Graph of a.json</summary>

~~~mermaid
flowchart TD
  s0 --> s1
~~~

</details>

t&lt;U+001B>.yaml (Orders), not covered:

- t&lt;U+001B>.yaml:2  N  tolerated failure
- t&lt;U+001B>.yaml:3  A  timeout

t&lt;U+001B>.yaml (Orders): no graph, it has \*changed\*
`, "~~~", "```")
	page := func(p *coverage.Profile, o coverage.CoverageOptions) string {
		return testkit.Report(t, coverage.Answer(p, o, ""), "markdown", report.Look{})
	}
	if got := page(profile(), coverage.CoverageOptions{Minimum: 95, Max: 3, Graph: graph}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, large := range []string{strings.Repeat("x", 50_001), strings.Repeat(" -->", 400) +
		strings.Repeat(" -.->", 101)} {
		one := &coverage.Profile{Definitions: profile().Definitions[:1]}
		got := page(one, coverage.CoverageOptions{Graph: func(*coverage.Definition) (report.Drawing, error) {
			return report.Drawing{Mermaid: large}, nil
		}})
		if !strings.Contains(got, "a.json: no graph, it is too large for a page") {
			t.Errorf("a graph of %d bytes: %s", len(large), got[:300])
		}
	}
	if got := page(&coverage.Profile{}, coverage.CoverageOptions{}); got != "## Coverage: 100 % (0 of 0)\n" {
		t.Errorf("of nothing: %q", got)
	}
}
