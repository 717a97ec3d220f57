package explore

import (
	"cmp"
	"fmt"
	"strings"

	"asldb/engine/asl"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// Answer is the report of an exploration. file is the suite to which a number of cases of the findings were written;
// empty: they were not.
func Answer(r *Result, file string, cases int) *report.Answer {
	return &report.Answer{
		Name:     "asldb explore",
		Doc:      func(l report.Look) *report.Doc { return doc(r, file, cases, l) },
		Findings: func() []report.Finding { return problems(r) },
		Data:     func() any { return (&jsonWriter{r: r, number: numbers(r)}).document() },
	}
}

// doc has the matrix, the findings by their classes, and the notes.
func doc(r *Result, file string, cases int, l report.Look) *report.Doc {
	d := &report.Doc{Title: report.T(Head(r))}
	if l.Page {
		d.Title = report.T("asldb explore: " + r.Definition)
		d.Add(report.Para{Text: report.T(Head(r))}, report.Para{Text: report.T(summary(r))})
	}
	s := signsOf(l.ASCII)
	if lines := table(r, s, false); len(lines) > 0 {
		d.Add(matrix(lines, s), report.Para{Text: report.T(report.In(report.Quiet, s.legend()))})
	}
	d.Add(report.Gap{})
	addFindings(d, r, l)
	closing := report.T(summary(r))
	if len(r.Findings) == 0 {
		closing = report.T(report.In(report.Good, "no findings"))
	}
	switch {
	case file != "":
		closing = report.T(closing, "; "+wording.Count(cases, "case")+" written to "+file)
	case len(r.Cases()) > 0:
		closing = report.T(closing, "; --save FILE writes their cases as a suite")
	}
	d.Add(report.Para{Text: closing})
	for _, note := range r.Notes {
		d.Add(report.Para{Hang: len("note: "), Text: report.T("note: ", report.In(report.Quiet, note))})
	}
	return d
}

// matrix is the table of the faults and their outcomes.
func matrix(lines []line, s signs) *report.Table {
	t := &report.Table{}
	for _, name := range []string{"task", "error", "once", "always", "ends as"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Wrap: true})
	}
	for i := range lines {
		l := &lines[i]
		ends := report.T(l.ends)
		if l.bad {
			ends = report.T(report.In(report.Bad, l.ends), " ("+s.attention+")")
		}
		t.Add(report.T(l.task), report.T(l.errors), report.T(l.once), report.T(l.always), ends)
	}
	return t
}

// maxFindings is the greatest number of findings of a class that the text lists.
const maxFindings = 12

// addFindings adds the findings.
func addFindings(d *report.Doc, r *Result, l report.Look) {
	entries, left := map[Class]int{}, 0
	for _, f := range r.Findings {
		sign, tone := cmp.Or(signsOf(l.ASCII).of(f.Class), " "), report.Quiet
		switch f.Class {
		case Bug, Broken:
			tone = report.Bad
		case Endless, Uncaught:
			tone = report.Caution
		case Data, Swallowed, Unreached:
		}
		if entries[f.Class]++; entries[f.Class] > maxFindings && !l.Page {
			left++
			continue
		}
		text := report.T(title(f))
		if len(f.States()) == 1 {
			text = report.T(title(f)+"  ", report.In(report.Quiet, shown(f.At)))
		}
		d.Add(report.Para{Label: report.T(report.In(tone, sign+" "+f.Class.String())), Text: text})
		for _, line := range details(f) {
			d.Add(report.Para{Level: 1, Text: report.T(report.In(report.Quiet, line))})
		}
		if f.Case != nil && f.Class.Bad() {
			d.Add(report.Code{Level: 1, Language: "yaml", Text: dedented(f.Case.Text)})
		}
	}
	if left > 0 {
		d.Add(report.Para{Level: 1, Text: report.T(fmt.Sprintf("%d more: --format json lists all", left))})
	}
}

// dedented takes the first two blanks off each line of a case, which belong to its suite.
func dedented(text string) string {
	return strings.TrimPrefix(strings.ReplaceAll("\n"+text, "\n  ", "\n"), "\n")
}

// placeIn is the place of a field of a state.
func placeIn(state *asl.State, field string) report.Place {
	at := state.Place(field)
	if at.Source == nil {
		return report.Place{}
	}
	start := at.Span.Start
	if at.Key.Start.Line > 0 {
		start = at.Key.Start
	}
	return placeAt(&at, start)
}

func placeAt(p *asl.Place, start asl.Position) report.Place {
	return report.Place{File: p.Source.Name, Line: start.Line, Col: start.Col, Pointer: p.Pointer}
}

func findingOf(f *Finding) report.Finding {
	one := report.Finding{Severity: report.Warning, Rule: f.Class.String(), Text: f.Text, Place: f.At}
	if f.Class.Bad() {
		one.Severity = report.Error
	}
	return one
}

// problems are the findings; bugs and broken invariants are failures. A task without any is a case that
// passed.
func problems(r *Result) []report.Finding {
	group := &report.Group{Name: r.Definition, File: r.Definition, Summary: summary(r)}
	var list []report.Finding
	for _, f := range r.Findings {
		one := findingOf(f)
		one.Text, one.More, one.Group = title(f), details(f), group
		list = append(list, one)
	}
	if len(list) == 0 {
		list = append(list, report.Finding{Severity: report.Passed, Subject: Head(r), Group: group})
	}
	return list
}
