package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"asldb/engine/source"
	"asldb/internal/visible"
)

type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
	Out      string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitFailure `xml:"failure,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a report in JUnit's XML: a testsuite for each machine, with a failed testcase for each problem that makes the command
// fail: errors, and warnings with Options.Strict. A machine without such a problem is one testcase that passed. The other
// problems are output of the suite.
func JUnit(w io.Writer, machines []Machine, o Options) error {
	all := junitReport{Name: "asldb validate"}
	for i := range machines {
		s := o.junitSuite(&machines[i])
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Suites = append(all.Suites, s)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

func (o Options) junitSuite(m *Machine) junitSuite {
	s := junitSuite{Name: m.Label(), File: visible.Line(slashed(m.Given.Name))}
	shown, left := o.shown(m)
	var out []string
	for i := range shown {
		d := &shown[i]
		if d.Severity == source.Hint || d.Severity == source.Warning && !o.Strict {
			out = append(out, d.Format())
			continue
		}
		file := cmp.Or(d.File, m.Given)
		name := d.Rule
		if start := d.Span.Start; start.Line > 0 {
			name += fmt.Sprintf(" at %d:%d", start.Line, start.Col)
		}
		s.Failures++
		s.Cases = append(s.Cases, junitCase{
			Name: name, Class: m.Label(), File: visible.Line(slashed(file.Name)), Line: d.Span.Start.Line,
			Failure: &junitFailure{Message: visible.Line(d.Message), Type: d.Severity.String(), Text: d.Format()},
		})
	}
	if left > 0 {
		out = append(out, fmt.Sprintf("and %d more (--max 0 shows all)", left))
	}
	if len(s.Cases) == 0 {
		s.Cases = []junitCase{{Name: m.summary(), Class: m.Label(), File: s.File}}
	}
	s.Tests, s.Out = len(s.Cases), strings.Join(out, "\n")
	return s
}

// slashed is the name of a file with the slashes of URLs.
func slashed(name string) string { return filepath.ToSlash(name) }
