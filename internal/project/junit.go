package project

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"asldb/engine/source"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// JUnit writes a report in JUnit's XML: a testsuite for each machine, with a failed testcase for each problem that makes the command
// fail: errors, and warnings with Options.Strict. A machine without such a problem is one testcase that passed. The other
// problems are output of the suite.
func JUnit(w io.Writer, machines []Checked, o Options) error {
	all := report.Report{Name: "asldb validate"}
	for i := range machines {
		all.Suites = append(all.Suites, o.junitSuite(&machines[i]))
	}
	return all.Write(w)
}

func (o Options) junitSuite(m *Checked) *report.Suite {
	s := &report.Suite{Name: m.Label(), File: wording.Line(slashed(m.Given.Name))}
	shown, left := o.shown(m)
	var out []string
	for i := range shown {
		d := &shown[i]
		if !d.Severity.Fails() && (d.Severity != source.Warning || !o.Strict) {
			out = append(out, d.Format())
			continue
		}
		file := cmp.Or(d.File, m.Given)
		name := wording.Line(d.Rule)
		if start := d.Span.Start; start.Line > 0 {
			name += fmt.Sprintf(" at %d:%d", start.Line, start.Col)
		}
		s.Add(report.Case{
			Name: name, Class: m.Label(), File: wording.Line(slashed(file.Name)), Line: d.Span.Start.Line,
			Failure: &report.Problem{Message: wording.Line(d.Message), Type: d.Severity.String(), Text: d.Format()},
		})
	}
	if left > 0 {
		out = append(out, fmt.Sprintf("and %d more (--max 0 shows all)", left))
	}
	if len(s.Cases) == 0 {
		s.Add(report.Case{Name: m.summary(), Class: m.Label(), File: s.File})
	}
	s.Out = strings.Join(out, "\n")
	return s
}

// slashed is the name of a file with the slashes of URLs.
func slashed(name string) string { return filepath.ToSlash(name) }
