package mutate

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"asldb/internal/report"
	"asldb/internal/wording"
)

// Report is what became of the mutants of definitions.
type Report struct {
	Results []*Result
	// Minimum is the score in percent that was asked for; 0: none was.
	Minimum int
	// Wall is the time that the runs took.
	Wall time.Duration
}

// Summary counts the mutants of all definitions.
func (r *Report) Summary() Summary {
	var s Summary
	for _, result := range r.Results {
		s.Add(result)
	}
	return s
}

// Answer is the report. all lists the mutants that were killed, too.
func Answer(r *Report, all bool) *report.Answer {
	return &report.Answer{
		Name:     "asldb mutants",
		Doc:      func(l report.Look) *report.Doc { return doc(r, all, l) },
		Findings: func() []report.Finding { return findings(r) },
		Data:     func() any { return data(r) },
		Own: map[string]func(io.Writer, report.Look) error{
			"stryker": func(w io.Writer, _ report.Look) error { return Elements(w, r) },
		},
	}
}

// doc has the mutants of each definition that were not killed with their differences, and a summary.
func doc(r *Report, all bool, l report.Look) *report.Doc {
	d := &report.Doc{}
	dot := l.Dot()
	closing := summaryLine(r, dot)
	if l.Page {
		d.Title = report.T("asldb: mutants")
		d.Add(report.Para{Text: closing}, definitionsTable(r))
	}
	for _, result := range r.Results {
		names := result.File
		if result.Resource != "" {
			names += " (" + result.Resource + ")"
		}
		mutants := wording.Count(len(result.Outcomes), "mutant")
		if len(result.Outcomes) < result.All {
			mutants += " of " + strconv.Itoa(result.All)
		}
		about := dot + wording.Count(result.Cases, "case") + " of " + strings.Join(result.Suites, ", ") + dot + mutants
		d.Add(report.Heading{Level: 1, Text: report.T(names, report.In(report.Quiet, about))})
		for i := range result.Outcomes {
			if o := &result.Outcomes[i]; all || o.Status != Killed && o.Status != TimedOut {
				addOutcome(d, o, l)
			}
		}
	}
	if !l.Page {
		d.Add(report.Para{Text: closing})
	}
	if s := r.Summary(); s.Score() < r.Minimum {
		d.Add(report.Para{Text: report.T(fmt.Sprintf("--min %d not reached", r.Minimum))})
	}
	return d
}

// addOutcome adds a mutant.
func addOutcome(d *report.Doc, o *Outcome, l report.Look) {
	sign, tone := statusSign(o.Status, l)
	d.Add(report.Para{Level: 1, Text: report.T(report.In(tone, sign), "  "+o.Name()+": "+o.Description+"  ",
		report.In(report.Quiet, outcomePlace(o)))})
	if len(o.Diff) > 0 {
		if !o.Text {
			d.Add(report.Para{Level: 3, Text: report.T("In the definition as JSON:")})
		}
		d.Add(report.Code{Level: 3, Language: "diff", Text: string(o.Diff)})
	}
	for _, line := range details(o) {
		isCommand := strings.HasPrefix(line, seeIt) || strings.HasPrefix(line, acceptIt)
		d.Add(report.Para{Level: 3, Text: report.T(line), Whole: isCommand})
	}
}

// statusSign is the sign of an outcome and its tone. The signs differ by more than colour.
func statusSign(s Status, l report.Look) (string, report.Tone) {
	switch s {
	case Survived:
		return l.Pick("×", "x") + " survived", report.Bad
	case NotCovered:
		return "- not covered", report.Bad
	case Invalid:
		return "! invalid", report.Quiet
	case Killed, TimedOut:
	}
	return l.Pick("✓", "v") + " " + s.String(), report.Good
}

// definitionsTable has a row for each definition.
func definitionsTable(r *Report) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "definition"}}}
	for _, name := range []string{"cases", "killed", "survived", "not covered", "invalid", "score"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Right: true})
	}
	for _, result := range r.Results {
		var of Summary
		of.Add(result)
		row := report.Cells(result.File)
		for _, n := range []int{result.Cases, of.Killed + of.TimedOut, of.Survived, of.NotCovered, of.Invalid} {
			row = append(row, report.T(strconv.Itoa(n)))
		}
		t.Rows = append(t.Rows, append(row, report.T(strconv.Itoa(of.Score())+" %")))
	}
	return t
}

// findings has the mutants: one that was not killed is a failure.
func findings(r *Report) []report.Finding {
	var list []report.Finding
	for _, result := range r.Results {
		group := &report.Group{Name: result.File, File: result.File}
		for i := range result.Outcomes {
			list = append(list, findingOf(&result.Outcomes[i], group))
		}
	}
	return list
}

func findingOf(o *Outcome, group *report.Group) report.Finding {
	f := report.Finding{
		Severity: report.Passed, Rule: o.Kind.String(), Group: group, Text: o.Status.String(),
		Place:   report.Place{File: o.File.Name, Line: o.At.Line, Col: o.At.Col},
		Subject: strconv.Itoa(o.Number) + " " + o.Name() + ": " + o.Description,
		More:    append(strings.Split(string(o.Diff), "\n"), details(o)...),
	}
	switch o.Status {
	case Survived, NotCovered:
		f.Severity = report.Error
	case Invalid:
		f.Severity = report.Skipped
	case Killed, TimedOut:
	}
	return f
}

func outcomePlace(o *Outcome) string {
	return o.File.Name + ":" + strconv.Itoa(o.At.Line)
}

// seeIt and acceptIt are the beginnings of lines with a command.
const (
	seeIt    = "see it: "
	acceptIt = "accept: "
)

// details are the lines about an outcome besides its diff.
func details(o *Outcome) (lines []string) {
	if o.Missing != "" {
		text := "missing: " + o.Missing
		if o.Case != nil && o.Status == Survived && !strings.HasPrefix(o.Missing, "every run") {
			text += ", in the case " + strconv.Quote(o.Case.Name)
		}
		lines = append(lines, text)
	}
	if o.Reason != "" {
		lines = append(lines, o.Reason)
	}
	if o.Killer != nil {
		lines = append(lines, "by the case "+strconv.Quote(o.Killer.Name)+": "+o.Expectation)
	}
	if command := o.Command(); command != "" {
		lines = append(lines, seeIt+command)
	}
	if command := o.Accept(); command != "" {
		lines = append(lines, acceptIt+command)
	}
	return lines
}

// counts are the numbers of a summary in words: "12 killed, 1 survived".
func counts(s *Summary) string {
	parts := []string{strconv.Itoa(s.Killed) + " killed"}
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+word)
		}
	}
	add(s.TimedOut, "timed out")
	add(s.Survived, "survived")
	add(s.NotCovered, "not covered")
	add(s.Invalid, "invalid")
	return strings.Join(parts, ", ")
}

// summaryLine is the line about all: "12 mutants: 11 killed, 1 survived · score 91 %".
func summaryLine(r *Report, dot string) report.Text {
	s := r.Summary()
	tone := report.Good
	if s.Survived+s.NotCovered > 0 {
		tone = report.Bad
	}
	line := report.T(report.In(tone, wording.Count(s.Total(), "mutant")+": "+counts(&s)),
		dot+"score "+strconv.Itoa(s.Score())+" %")
	if r.Wall > 0 {
		line = append(line, report.In(report.Quiet, dot+r.Wall.Round(time.Millisecond).String()))
	}
	return line
}
