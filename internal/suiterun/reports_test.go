package suiterun_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine/coverage"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
)

func at(line int) source.Position { return source.Position{Line: line, Col: 3} }

// stream is a run of two suites with an outcome of each kind.
func stream() []suite.Event {
	order := &suite.SuiteOutcome{File: "tests/order.test.yaml", Definition: "order.asl.json",
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	other := &suite.SuiteOutcome{File: "b.test.yaml"}
	cases := []*suite.Outcome{
		{Suite: order, Name: "pays and ships", At: at(5), Kind: suite.Passed, Path: []string{"A", "B"}, States: 15,
			Virtual: time.Hour + 62*time.Second, Wall: 2 * time.Millisecond},
		{
			Suite: order, Name: "asks, <for> 5% | the: right amount", At: at(31), Kind: suite.OutcomeFailed,
			Path: []string{"A", "B"}, States: 1, Wall: time.Millisecond,
			Debug: "asldb debug --test 'tests/order.test.yaml:asks'",
			Findings: []suite.Finding{
				{Expectation: "ChargeCard, invocation 1, payload", At: at(33), Event: 9,
					Place: suite.StatePlace{
						Place: report.Place{File: "tests/order.asl.json", Line: 44}, Part: "Parameters",
					}, Differences: []suite.OutcomeDifference{
						{Path: "$.amount", Wanted: value.Must("129.90"), Found: value.Must("139.90"),
							From: "set by ValidateOrder"},
						{Path: "$.card", Wanted: value.Must(`"$any(string)"`), Reason: "is not a string"},
					}},
				{Expectation: "status", At: at(32), Event: -1,
					Differences: []suite.OutcomeDifference{{Wanted: value.Must(`"SUCCEEDED"`),
						Found: value.Must(`"FAILED"`)}}},
			},
		},
		{Suite: order, Name: "broken", At: at(40), Kind: suite.Wrong, Reason: "ChargeCard has no result\nsecond line"},
		{Suite: order, Name: "later", At: at(44), Kind: suite.Skipped, Reason: "see #12"},
		{Suite: order, Name: "snap", At: at(46), Kind: suite.New, States: 2},
		{Suite: other, Name: "mock", At: at(2), Kind: suite.Unchecked},
	}
	events := []suite.Event{suite.Began{Suites: 2, Cases: 6, Seed: 7}, suite.SuiteBegan{Suite: order}}
	var all suite.Summary
	for _, c := range cases {
		if c.Suite == other && len(events) == 7 {
			events = append(events, suite.SuiteEnded{Suite: order}, suite.SuiteBegan{Suite: other})
		}
		c.Suite.Summary.Add(c)
		all.Add(c)
		events = append(events, suite.CaseEnded{Case: c})
	}
	profile := &coverage.Profile{Definitions: []coverage.Definition{{File: "order.asl.json", Items: []coverage.Item{
		{ID: coverage.ID{State: "A", Kind: coverage.Entered}, Line: 3, Count: 1},
		{ID: coverage.ID{State: "B", Kind: coverage.Entered}, Line: 4},
	}}}}
	return append(events, suite.SuiteEnded{Suite: other}, suite.Covered{Profile: profile, Minimum: 95},
		suite.Ended{Summary: all})
}

func send(t *testing.T, sink suite.Sink) {
	t.Helper()
	for _, e := range stream() {
		if err := sink.Send(e); err != nil {
			t.Fatal(err)
		}
	}
}

// collected returns the report that is made of all events.
func collected(t *testing.T, form string) string {
	t.Helper()
	c := &suiterun.Collected{}
	send(t, c)
	return testkit.Report(t, c.Answer(), form, report.Look{})
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestText(t *testing.T) {
	var b strings.Builder
	send(t, suiterun.Text(&b, suiterun.TextOptions{}))
	same(t, b.String(), `shuffled; --shuffle=7 repeats this order
tests/order.test.yaml · order.asl.json
  ✓ pays and ships                            15 states  1h01m02s virtual
  × asks, <for> 5% | the: right amount        tests/order.test.yaml:31
      ChargeCard, invocation 1, payload (order.asl.json:44 Parameters)
        $.amount  - 129.90
                  + 139.90  set by ValidateOrder
        $.card  - "$any(string)"
                + nothing  is not a string
      status
        - "SUCCEEDED"
        + "FAILED"
      see it: asldb debug --test 'tests/order.test.yaml:asks'
  ! broken                                    tests/order.test.yaml:40
      ChargeCard has no result
      second line
  - later                                     skipped: see #12
  ~ snap                                      snapshot new: --update keeps it
b.test.yaml
  ? mock                                      no expectation
6 cases: 1 passed, 1 failed, 1 error, 1 skipped, 1 new, 1 no expectation · 3ms · 1h01m02s of virtual time

states 1/2
not covered
  order.asl.json:4  B  state
coverage 50 % (1 of 2)   --min 95 not reached
`)
}

// In a terminal the report has colours, and a line of progress that is gone before each line of the report. Signs tell
// the outcomes apart without either.
func TestTextInATerminal(t *testing.T) {
	var b strings.Builder
	progress := ""
	var lines []string
	send(t, suiterun.Text(&b, suiterun.TextOptions{
		Look: report.Look{ASCII: true, Colour: true}, Failed: true,
		Progress: func(line string) { progress = line; lines = append(lines, line) },
	}))
	text := b.String()
	const red, green, yellow, faint, end = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[2m", "\x1b[0m"
	for _, want := range []string{"  " + red + "x" + end + " asks", red + "!" + end + " broken", faint + "-" + end + " later",
		yellow + "~" + end + " snap", yellow + "?" + end + " mock", green + "$.amount  - 129.90" + end,
		red + "          + 139.90  set", red + "6 cases:"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "pays and ships") || strings.ContainsAny(text, "✓×·") {
		t.Errorf("it has a case that passed, or a sign that is not ASCII:\n%s", text)
	}
	if progress != "" || !strings.Contains(strings.Join(lines, "|"), "3 of 6 cases, 2 failed") {
		t.Errorf("progress %q", lines)
	}
}

// On a narrow terminal long lines continue below, indented; a command stays whole, so that it can be copied.
func TestTextWithinAWidth(t *testing.T) {
	var b strings.Builder
	send(t, suiterun.Text(&b, suiterun.TextOptions{Look: report.Look{Width: 44}}))
	for _, want := range []string{
		"  ✓ pays and ships  15 states  1h01m02s virtual\n",
		"      ChargeCard, invocation 1, payload\n        (order.asl.json:44 Parameters)\n",
		"                  + 139.90  set by\n                    ValidateOrder\n",
		"      see it: asldb debug --test 'tests/order.test.yaml:asks'\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in:\n%s", want, b.String())
		}
	}
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(collected(t, "junit"))
	var read struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Name      string `xml:"name,attr"`
			Timestamp string `xml:"timestamp,attr"`
			Cases     []struct {
				Name    string `xml:"name,attr"`
				Class   string `xml:"classname,attr"`
				Line    int    `xml:"line,attr"`
				Time    string `xml:"time,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
				Error   *struct{} `xml:"error"`
				Skipped *struct{} `xml:"skipped"`
				Out     string    `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &read); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if read.Tests != 6 || read.Failures != 1 || read.Errors != 1 || read.Skipped != 3 || len(read.Suites) != 2 ||
		read.Suites[0].Timestamp != "2026-01-02T03:04:05" {
		t.Errorf("read %+v", read)
	}
	cases := read.Suites[0].Cases
	if c := cases[0]; c.Class != "tests.order" || c.Line != 5 || c.Time != "0.002000" || c.Out != "path: A > B" ||
		c.Failure != nil {
		t.Errorf("the first case is %+v", c)
	}
	failure := cases[1].Failure
	if failure == nil || failure.Message != "ChargeCard, invocation 1, payload (order.asl.json:44 Parameters): wanted 129.90, found 139.90 (and 1 more)" {
		t.Fatalf("the failure is %+v", failure)
	}
	for _, want := range []string{"tests/order.test.yaml:33: ChargeCard", "- 129.90",
		"tests/order.test.yaml:32: status", "path: A > B", "see it: asldb debug"} {
		if !strings.Contains(failure.Text, want) {
			t.Errorf("the text of the failure lacks %q:\n%s", want, failure.Text)
		}
	}
	if cases[2].Error == nil || cases[3].Skipped == nil || cases[4].Skipped == nil {
		t.Error("an error or a skipped case is not one")
	}
}

// junitSchema is the form that Jenkins' junit-4.xsd and its readers share, as far as these reports use it.
const junitSchema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:complexType name="problem"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="message" type="xs:string"/><xs:attribute name="type" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:complexType name="properties"><xs:sequence><xs:element name="property" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:attribute name="name" type="xs:string" use="required"/><xs:attribute name="value" type="xs:string" use="required"/></xs:complexType></xs:element></xs:sequence></xs:complexType>
<xs:element name="testsuites"><xs:complexType><xs:sequence><xs:element name="testsuite" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence>
<xs:element name="properties" type="properties" minOccurs="0"/>
<xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence><xs:element name="properties" type="properties" minOccurs="0"/><xs:choice minOccurs="0"><xs:element name="failure" type="problem"/><xs:element name="error" type="problem"/><xs:element name="skipped" type="problem"/></xs:choice><xs:element name="system-out" type="xs:string" minOccurs="0"/></xs:sequence>
<xs:attribute name="name" type="xs:string" use="required"/><xs:attribute name="classname" type="xs:string" use="required"/><xs:attribute name="time" type="xs:decimal" use="required"/><xs:attribute name="file" type="xs:string"/><xs:attribute name="line" type="xs:integer"/></xs:complexType></xs:element></xs:sequence>
<xs:attribute name="name" type="xs:string" use="required"/><xs:attribute name="tests" type="xs:integer" use="required"/><xs:attribute name="failures" type="xs:integer"/><xs:attribute name="errors" type="xs:integer"/><xs:attribute name="skipped" type="xs:integer"/><xs:attribute name="time" type="xs:decimal"/><xs:attribute name="timestamp" type="xs:dateTime"/><xs:attribute name="file" type="xs:string"/></xs:complexType></xs:element></xs:sequence>
<xs:attribute name="name" type="xs:string"/><xs:attribute name="tests" type="xs:integer"/><xs:attribute name="failures" type="xs:integer"/><xs:attribute name="errors" type="xs:integer"/><xs:attribute name="skipped" type="xs:integer"/><xs:attribute name="time" type="xs:decimal"/></xs:complexType></xs:element></xs:schema>`

func TestXMLLintReadsJUnit(t *testing.T) {
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint (Debian's package libxml2-utils) is not installed")
	}
	dir := t.TempDir()
	schema := filepath.Join(dir, "junit.xsd")
	if err := os.WriteFile(schema, []byte(junitSchema), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString(collected(t, "junit"))
	cmd := exec.Command(xmllint, "--nonet", "--noout", "--schema", schema, "-")
	cmd.Stdin = &b
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// pythonWith returns the first Python that has a module: Debian's packages are in /usr/bin/python3, which need not be
// the first one.
func pythonWith(module string) string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	return ""
}

func TestJUnitParserReadsJUnit(t *testing.T) {
	python := pythonWith("junitparser")
	if python == "" {
		t.Skip("junitparser (Debian's package python3-junitparser) is not installed")
	}
	var b bytes.Buffer
	b.WriteString(collected(t, "junit"))
	name := filepath.Join(t.TempDir(), "junit.xml")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", "import sys, junitparser\nx = junitparser.JUnitXml.fromfile(sys.argv[1])\nprint(x.tests, x.failures, x.errors, [c.name for s in x for c in s][0])", name).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "6 1 1 pays and ships" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestTAP(t *testing.T) {
	var b strings.Builder
	send(t, suiterun.TAP(&b))
	text := b.String()
	for _, want := range []string{
		"TAP version 13\n1..6\nok 1 - tests/order.test.yaml: pays and ships\nnot ok 2 - tests/order.test.yaml: asks, <for> 5% | the: right amount\n  ---\n",
		"  at: {file: \"tests/order.test.yaml\", line: 31}\n  wanted: \"129.90\"\n  found: \"139.90\"\n",
		"\nok 4 - tests/order.test.yaml: later # SKIP see #12\nok 5 - tests/order.test.yaml: snap # SKIP the snapshot is new",
		"\nnot ok 3 - tests/order.test.yaml: broken\n", "\nok 6 - b.test.yaml: mock # SKIP no expectation\n# 6 cases: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

// readTAP prints the plan of a TAP file, whether it is kept, the tests that passed, failed and were skipped, and the
// errors of the file.
const readTAP = `my $p = TAP::Parser->new({source => $ARGV[0]});
while (my $r = $p->next) { }
print join(" ", $p->tests_planned, $p->is_good_plan, scalar($p->passed), scalar($p->failed), scalar($p->skipped)), "\n", map { "$_\n" } $p->parse_errors;`

// Perl's TAP::Parser, which prove uses, reads the report without an error and counts as it does.
func TestPerlReadsTAP(t *testing.T) {
	if exec.Command("perl", "-MTAP::Parser", "-e1").Run() != nil {
		t.Skip("Perl's TAP::Parser is not installed")
	}
	var b bytes.Buffer
	send(t, suiterun.TAP(&b))
	name := filepath.Join(t.TempDir(), "out.tap")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("perl", "-MTAP::Parser", "-e", readTAP, name).CombinedOutput()
	if err != nil || string(out) != "6 1 4 2 3\n" {
		t.Errorf("%v\n%s\n%s", err, out, b.String())
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	send(t, suiterun.JSON(&b))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 11 {
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	same(t, lines[0], `{"event":"begin","suites":2,"cases":6,"seed":7}`)
	same(t, lines[1], `{"event":"suite","file":"tests/order.test.yaml","definition":"order.asl.json"}`)
	same(t, lines[3], `{"event":"case","file":"tests/order.test.yaml","name":"asks, <for> 5% | the: right amount","line":31,`+
		`"column":3,"outcome":"failed","path":["A","B"],"states":1,"virtualSeconds":0,"wallSeconds":0.001,`+
		`"findings":[{"file":"tests/order.test.yaml","line":33,"column":3,"rule":"expectation",`+
		`"severity":"error","subject":"asks, <for> 5% | the: right amount",`+
		`"text":"ChargeCard, invocation 1, payload (order.asl.json:44 Parameters)",`+
		`"expectation":"ChargeCard, invocation 1, payload","place":"order.asl.json:44 Parameters",`+
		`"definition":{"file":"tests/order.asl.json","line":44},"seq":10,"differences":[{"path":"$.amount",`+
		`"wanted":129.90,"found":139.90,"from":"set by ValidateOrder"},{"path":"$.card","wanted":"$any(string)",`+
		`"reason":"is not a string"}]},{"file":"tests/order.test.yaml","line":32,"column":3,"rule":"expectation",`+
		`"severity":"error","subject":"asks, <for> 5% | the: right amount","text":"status",`+
		`"expectation":"status","differences":[{"wanted":"SUCCEEDED","found":"FAILED"}]}],`+
		`"debug":"asldb debug --test 'tests/order.test.yaml:asks'"}`)
	same(t, lines[9], `{"event":"coverage","covered":1,"items":2,"percent":50,"minimum":95}`)
	if !strings.HasPrefix(lines[10],
		`{"event":"end","passed":1,"failed":1,"errors":1,"skipped":1,"new":1,"unchecked":1,`) {
		t.Error(lines[10])
	}
}

// The escapes are GitHub's workflow commands'.
func TestGitHub(t *testing.T) {
	annotations, summary := collected(t, "github"), collected(t, "markdown")
	lines := strings.Split(strings.TrimSpace(annotations), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d annotations:\n%s", len(lines), annotations)
	}
	same(t, lines[0], `::error file=tests/order.test.yaml,line=33,title=asks%2C <for> 5%25 | the%3A right amount::ChargeCard, invocation 1, payload (order.asl.json:44 Parameters)%0A$.amount  - 129.90%0A          + 139.90  set by ValidateOrder%0A$.card  - "$any(string)"%0A        + nothing  is not a string`)
	same(t, lines[2], `::error file=tests/order.test.yaml,line=40,title=broken::ChargeCard has no result%0Asecond line`)
	if !strings.HasPrefix(lines[3], "::warning file=tests/order.test.yaml,line=46,title=snap::the snapshot is new") {
		t.Error(lines[3])
	}
	for _, want := range []string{
		"## asldb: failed\n", `| tests/order.test.yaml | order.asl.json | 1 | 2 | 2 | 3ms | 1h01m02s |`,
		"Coverage: 50 % (1 of 2), below 95 %",
		`### × asks, &lt;for> 5% \| the: right amount`, "tests/order.test.yaml:33: ChargeCard",
		"```diff\n$.amount  - 129.90\n          + 139.90  set by ValidateOrder\n",
		"- ✓ pays and ships  15 states  1h01m02s virtual  2ms\n",
		"```sh\nasldb test tests/order.test.yaml '--accept=asks, <for> 5% | the: right amount'\n```\n",
		"```sh\nasldb test --accept tests/order.test.yaml:snap\n```\n",
	} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary lacks %q:\n%s", want, summary)
		}
	}
}

// A fence is longer than any backquotes inside.
func TestMarkdownFence(t *testing.T) {
	sink := &suiterun.Collected{}
	c := &suite.Outcome{Suite: &suite.SuiteOutcome{File: "a"}, Name: "a", Kind: suite.Wrong,
		Reason: "````\n# not a title"}
	for _, e := range []suite.Event{suite.SuiteBegan{Suite: c.Suite}, suite.CaseEnded{Case: c}, suite.Ended{}} {
		if err := sink.Send(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := testkit.Report(t, sink.Answer(), "markdown", report.Look{}); !strings.Contains(got,
		"\n`````\n````\n# not a title\n") {
		t.Error(got)
	}
}

func TestHTML(t *testing.T) {
	page := collected(t, "html")
	for _, want := range []string{
		`<h1>asldb: <span class="bad">failed</span></h1>`,
		`<details class="case failed" open><summary><span class="bad">×</span> asks, &lt;for&gt; 5% | the: right amount`,
		`<span class="good">$.amount  - 129.90</span>` + "\n" + `<span class="bad">          &#43; 139.90  set by`,
		`<p class="case"><span class="good">✓</span> pays and ships`, "Coverage: 50 %", "1h01m02s of virtual time",
		`<pre class="l0 sh">asldb test tests/order.test.yaml &#39;--accept=asks, &lt;for&gt; 5% | the: right amount&#39;`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "://") {
		t.Error("the page asks the network for something")
	}
	if t.Failed() {
		t.Log(page)
	}
}

type broken struct{}

func (broken) Send(suite.Event) error { return errors.New("full") }

// An error of one report does not keep the events from the others.
func TestAll(t *testing.T) {
	var b strings.Builder
	sink := suiterun.All(broken{}, suiterun.JSON(&b), broken{})
	if err := sink.Send(suite.Began{Cases: 1}); err == nil || err.Error() != "full\nfull" || b.Len() == 0 {
		t.Errorf("%v, %q", err, b.String())
	}
}
