package suiterun

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"asldb/engine/coverage"
	"asldb/internal/report"
	"asldb/internal/suite"
)

// Collected keeps the outcomes of suites for the reports that are made of all of them. It is a [suite.Sink].
type Collected struct {
	suites  []*collectedSuite
	cover   *suite.Covered
	summary suite.Summary
}

type collectedSuite struct {
	*suite.SuiteOutcome
	cases []*suite.Outcome
}

// Send implements [suite.Sink].
func (c *Collected) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.SuiteBegan:
		c.suites = append(c.suites, &collectedSuite{SuiteOutcome: e.Suite})
	case suite.CaseEnded:
		s := c.suites[len(c.suites)-1]
		s.cases = append(s.cases, e.Case)
	case suite.Covered:
		c.cover = &e
	case suite.Ended:
		c.summary = e.Summary
	case suite.Began, suite.SuiteEnded:
	}
	return nil
}

// Answer is the report of all cases. Its text, TAP and JSON lines are sinks: see [Text], [TAP] and [JSON].
func (c *Collected) Answer() *report.Answer {
	return &report.Answer{Name: "asldb", Doc: c.doc, Findings: c.findings}
}

// doc has a table of the suites, the coverage, each case that failed, and the others folded up.
func (c *Collected) doc(l report.Look) *report.Doc {
	s := &c.summary
	bad := s.Failed+s.Wrong > 0
	d := &report.Doc{Title: report.T("asldb: ", report.In(report.Good, "passed"))}
	if bad {
		d.Title = report.T("asldb: ", report.Span{Text: "failed", Tone: report.Bad})
	}
	d.Add(report.Para{Text: report.T(Counts(s), report.In(report.Quiet, ", "+virtual(s.Virtual)+" of virtual time"))})
	table := &report.Table{Columns: []report.Column{
		{
			Name: "suite",
		}, {Name: "definition"}, {Name: "passed", Right: true}, {Name: "failed", Right: true}, {Name: "other", Right: true}, {Name: "virtual time", Right: true},
	}}
	for _, each := range c.suites {
		of := &each.Summary
		table.Rows = append(
			table.Rows,
			report.Cells(
				each.File,
				each.Definition,
				fmt.Sprint(of.Passed),
				fmt.Sprint(of.Failed+of.Wrong),
				fmt.Sprint(of.Skipped+of.New+of.Unchecked),
				virtual(of.Virtual),
			),
		)
	}
	d.Add(table)
	if c.cover != nil {
		covered := coverage.Doc(c.cover.Profile, coverage.CoverageOptions{
			Minimum: c.cover.Minimum, Bars: c.cover.Bars, Below: c.cover.Below,
			Yes: l.Pick("✓", "v"), No: l.Pick("×", "x"), Max: 100,
		}, l)
		d.Add(report.Heading{Level: 1, Text: covered.Title})
		d.Add(covered.Blocks...)
	}
	for _, each := range c.suites {
		for _, one := range each.cases {
			if one.Kind.Bad() {
				d.Add(
					report.Heading{Level: 1, Text: report.T(one.Name)},
					report.Para{Text: report.T(place(each.File, one.At.Line))},
					report.Code{Lines: body(one)},
				)
			}
		}
	}
	d.Add(c.others(l))
	return d
}

// others are the cases that did not fail.
func (c *Collected) others(l report.Look) report.Details {
	all := report.Details{}
	n := 0
	for _, each := range c.suites {
		for _, one := range each.cases {
			if one.Kind.Bad() {
				continue
			}
			n++
			sign, tone := outcomeSign(one.Kind, l.ASCII)
			more := figures(one)
			if one.Kind != suite.Passed {
				more = strings.TrimSuffix(one.Kind.String()+": "+one.Reason, ": ")
			}
			all.Blocks = append(
				all.Blocks,
				report.Para{
					Level: 1,
					Text:  report.T(report.In(tone, sign), " "+one.Name+"  ", report.In(report.Quiet, more)),
				},
			)
		}
	}
	all.Summary = report.T(cased(n) + " that did not fail")
	return all
}

// findings has one finding for each case, with its expectations one by one.
func (c *Collected) findings() []report.Finding {
	var list []report.Finding
	for _, each := range c.suites {
		sum := &each.Summary
		group := &report.Group{
			Name:  each.File,
			File:  each.File,
			Class: className(each.File),
			Began: each.Started,
			Took:  sum.Wall,
		}
		if each.Definition != "" {
			group.Properties = append(group.Properties, report.Property{Name: "definition", Value: each.Definition})
		}
		group.Properties = append(
			group.Properties,
			report.Property{Name: "virtual-seconds", Value: secondsText(sum.Virtual)},
		)
		for _, one := range each.cases {
			list = append(list, findingOf(one, group))
		}
	}
	return list
}

func secondsText(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

func findingOf(c *suite.Outcome, group *report.Group) report.Finding {
	f := report.Finding{
		Place: report.Place{File: c.Suite.File, Line: c.At.Line}, Subject: c.Name, Group: group, Took: c.Wall,
		Properties: []report.Property{
			{Name: "virtual-seconds", Value: secondsText(c.Virtual)},
			{Name: "states", Value: fmt.Sprint(c.States)},
		},
	}
	if len(c.Tags) > 0 {
		f.Properties = append(f.Properties, report.Property{Name: "tags", Value: strings.Join(c.Tags, ",")})
	}
	if c.Runs > 0 {
		f.Properties = append(f.Properties, report.Property{Name: "runs", Value: fmt.Sprint(c.Runs)},
			report.Property{Name: "seed", Value: fmt.Sprint(c.Seed)})
	}
	f.Properties = append(f.Properties, c.Properties...)
	if len(c.Path) > 0 {
		f.Out = "path: " + states(c)
	}
	switch c.Kind {
	case suite.Passed:
		f.Severity = report.Passed
	case suite.OutcomeFailed, suite.Wrong:
		f.Severity, f.Text, f.More = report.Broken, headline(c), body(c)
		if c.Kind == suite.OutcomeFailed {
			f.Severity, f.Rule = report.Error, "expectation"
		}
		for i := range c.Findings {
			one := &c.Findings[i]
			f.Parts = append(f.Parts, report.Finding{
				Place: report.Place{
					File: c.Suite.File,
					Line: one.At.Line,
				}, Rule: "expectation", Subject: c.Name, Group: group, Text: title(one), More: differences(one),
			})
		}
		if len(f.Parts) == 0 {
			f.Parts = []report.Finding{
				{Place: f.Place, Severity: f.Severity, Rule: f.Rule, Subject: c.Name, Group: group, Text: f.Text,
					More: f.More[min(1, len(f.More)):]},
			}
		}
	case suite.Skipped:
		f.Severity, f.Text = report.Skipped, c.Reason
	case suite.New:
		f.Severity, f.Text = report.Warning, "the snapshot is new: --update keeps it"
	case suite.Unchecked:
		f.Severity, f.Text = report.Skipped, "no expectation"
	}
	return f
}

// className is a suite's file with dots, as the classes of Java have them: "tests.order".
func className(file string) string {
	name := path.Clean(filepath.ToSlash(file))
	for _, ending := range []string{".yaml", ".yml", ".json"} {
		name = strings.TrimSuffix(name, ending)
	}
	name = strings.Trim(strings.TrimSuffix(name, ".test"), "./")
	return strings.ReplaceAll(strings.ReplaceAll(name, ".", "_"), "/", ".")
}
