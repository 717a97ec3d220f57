package suiterun

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// Collected keeps the outcomes of suites for the reports that are made of all of them. It is a [suite.Sink].
type Collected struct {
	suites  []*collectedSuite
	cover   *suite.Covered
	summary suite.Summary

	// Machines are the definitions by the files of the suites, and Graph draws one with its coverage, for pages; nil:
	// pages do without them.
	Machines map[string]*Machine
	Graph    func(*asl.StateMachine, *coverage.Definition) report.Drawing
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
		{Name: "suite"}, {Name: "definition"}, {Name: "passed", Right: true}, {Name: "failed", Right: true},
		{Name: "other", Right: true}, {Name: "time", Right: true}, {Name: "virtual time", Right: true},
	}}
	for _, each := range c.suites {
		of := &each.Summary
		table.Rows = append(
			table.Rows,
			report.Cells(each.File, each.Definition, fmt.Sprint(of.Passed), fmt.Sprint(of.Failed+of.Wrong),
				fmt.Sprint(of.Skipped+of.New+of.Unchecked), wall(of.Wall), virtual(of.Virtual)),
		)
	}
	d.Add(table)
	if c.cover != nil {
		o := coverage.CoverageOptions{Minimum: c.cover.Minimum, Bars: c.cover.Bars, Below: c.cover.Below, Max: 100}
		if c.Graph != nil {
			o.Graph = c.drawn
		}
		covered := coverage.Doc(c.cover.Profile, o, l)
		d.Add(report.Heading{Level: 1, Text: covered.Title})
		d.Add(covered.Blocks...)
	}
	var others []report.Block
	for _, each := range c.suites {
		for _, one := range each.cases {
			shown := details(one, l)
			if one.Kind.Bad() {
				d.Add(shown)
			} else {
				others = append(others, shown)
			}
		}
	}
	d.Add(report.Details{Summary: report.T(cased(len(others)) + " that did not fail"), Blocks: others})
	c.addListings(d)
	return d
}

// drawn draws a definition with its coverage.
func (c *Collected) drawn(d *coverage.Definition) (drawing report.Drawing, err error) {
	for _, m := range c.Machines {
		if machine := m.Definition.Machine; machine.Source.Name == d.File && machine.Source.Digest() == d.Digest &&
			m.Definition.Resource == d.Resource {
			return c.Graph(machine, d), nil
		}
	}
	return drawing, errors.New("it is of no suite")
}

// addListings adds the definitions that the places of findings are in.
func (c *Collected) addListings(d *report.Doc) {
	listed := map[string]bool{}
	for _, each := range c.suites {
		m := c.Machines[each.File]
		if m == nil || listed[m.Definition.Machine.Source.Name] {
			continue
		}
		file := m.Definition.Machine.Source
		listed[file.Name] = true
		d.Add(report.Listing{File: file.Name, Text: string(file.Data)})
	}
}

// details are what a page says about a case.
func details(c *suite.Outcome, l report.Look) report.Details {
	sign, tone := outcomeSign(c.Kind, l.ASCII)
	more := figures(c)
	switch c.Kind {
	case suite.Passed:
	case suite.OutcomeFailed, suite.Wrong:
		more = place(c.Suite.File, c.At.Line)
	case suite.New:
		more = "snapshot new"
	case suite.Skipped, suite.Unchecked:
		more = strings.TrimSuffix(c.Kind.String()+": "+c.Reason, ": ")
	}
	if c.Wall > 0 && c.Kind != suite.Skipped {
		more = strings.TrimPrefix(more+"  "+wall(c.Wall), "  ")
	}
	d := report.Details{Case: true, Open: c.Kind.Bad(), Summary: report.T(report.In(tone, sign), " "+c.Name+"  ",
		report.In(report.Quiet, more))}
	add := func(blocks ...report.Block) { d.Blocks = append(d.Blocks, blocks...) }
	if c.Kind.Bad() {
		if c.Runs > 0 {
			add(report.Para{Text: report.T(repeats(c))})
		}
		if c.Reason != "" {
			add(report.Code{Text: c.Reason})
		}
		for i := range c.Findings {
			f := &c.Findings[i]
			at := report.In(report.Quiet, place(c.Suite.File, f.At.Line)+": ")
			add(report.Para{Text: report.T(at, titled(f))})
			if lines := differences(f); len(lines) > 0 {
				add(report.Code{Language: report.Differences, Lines: lines})
			}
		}
		if len(c.Path) > 0 {
			add(report.Para{Text: report.T("path: " + states(c))})
		}
		if c.Debug != "" {
			add(report.Para{Text: report.T("see it:")}, report.Code{Language: "sh", Text: c.Debug})
		}
	}
	if accept := acceptCommand(c); accept != "" {
		add(report.Para{Text: report.T("accept what it found:")}, report.Code{Language: "sh", Text: accept})
	}
	return d
}

// acceptCommand returns the command that accepts what a case found: a snapshot, or the values of expectations; empty:
// there is none.
func acceptCommand(c *suite.Outcome) string {
	isSnapshot := func(f suite.Finding) bool { return f.Expectation == suite.SnapshotExpectation }
	isFound := func(d suite.OutcomeDifference) bool { return d.Found != nil }
	switch {
	case c.Kind == suite.New, len(c.Findings) == 1 && isSnapshot(c.Findings[0]):
		return "asldb test --accept " + wording.ShellFile(c.Suite.File+":"+c.Name)
	case c.Row == 0 && slices.ContainsFunc(c.Findings, func(f suite.Finding) bool {
		return isSnapshot(f) || slices.ContainsFunc(f.Differences, isFound)
	}):
		return "asldb test " + wording.ShellFile(c.Suite.File) + " " + wording.Shell("--accept="+c.Name)
	}
	return ""
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
			f.Parts = append(f.Parts, partOf(c, &c.Findings[i], group))
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

// partOf is one expectation of a case that was not met.
func partOf(c *suite.Outcome, f *suite.Finding, group *report.Group) report.Finding {
	return report.Finding{
		Place: report.Place{File: c.Suite.File, Line: f.At.Line, Col: f.At.Col}, Rule: "expectation", Subject: c.Name,
		Group: group, Text: title(f), More: differences(f),
	}
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
