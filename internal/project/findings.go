package project

import (
	"cmp"
	"fmt"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/internal/report"
)

// findings are the problems of machines. A machine without a problem that fails is a case that passed.
func findings(machines []Checked, o Options) []report.Finding {
	var list []report.Finding
	for i := range machines {
		m := &machines[i]
		shown, left := o.shown(m)
		group := &report.Group{Name: m.Label(), File: m.Given.Name, Files: []string{m.Given.Name}, Summary: m.summary()}
		if m.Source != nil {
			group.Files = append(group.Files, m.Source.Name)
		}
		if left > 0 {
			group.Out = fmt.Sprintf("and %d more (--max 0 shows all)", left)
			group.Summary += fmt.Sprintf("; %d are not shown (--max 0 shows all)", left)
		}
		failed := false
		for j := range shown {
			f := findingOf(m, &shown[j], group, o)
			failed = failed || f.Fails
			list = append(list, f)
		}
		if !failed {
			list = append(list, report.Finding{Severity: report.Passed, Subject: m.summary(), Place: report.Place{File: m.Given.Name}, Group: group})
		}
	}
	return list
}

func findingOf(m *Checked, d *source.Diagnostic, group *report.Group, o Options) report.Finding {
	file := cmp.Or(d.File, m.Given)
	f := report.Finding{
		Place: reportPlace(file, d.Span), Rule: d.Rule, About: ruleOf(d.Rule), Severity: severityOf(d.Severity), Type: d.Severity.String(), Text: d.Message, Words: wordsOf(d), Advice: d.Suggestion,
		More: strings.Split(d.Format(), "\n"), Group: group, Digest: Of(o.Folder, m.Given.Name, m.Name, d).Digest(),
	}
	f.Fails = f.Severity == report.Error || f.Severity == report.Warning && o.Strict
	f.Place.Pointer = d.Pointer
	for _, r := range d.Reasons {
		f.Related = append(f.Related, report.Related{Place: reportPlace(cmp.Or(r.File, file), r.Span), Text: r.Text})
	}
	if e, ok := d.Edit(); ok {
		f.Fix = &report.Fix{Certain: d.Fix.Certain, Description: d.Fix.String(), Place: reportPlace(e.File, e.Span), Text: e.Text}
	}
	return f
}

func reportPlace(file *source.File, span source.Span) report.Place {
	return report.Place{File: file.Name, Line: span.Start.Line, Col: span.Start.Col, EndLine: span.End.Line, EndCol: span.End.Col}
}

// ruleOf returns what the catalogue has about a rule; nil where it does not know it.
func ruleOf(name string) *report.Rule {
	r, known := rules.Find(name)
	if !known {
		return nil
	}
	kind := "correctness"
	switch r.Severity {
	case source.Warning:
		kind = "suspicious"
	case source.Hint, source.Note:
		kind = "best-practice"
	case source.Error, source.Danger:
	}
	tags := []string{"step-functions", kind}
	if r.Express {
		tags = append(tags, "express")
	}
	return &report.Rule{Summary: r.Summary, Explanation: r.Explanation, Section: r.Section, URL: r.URL(), Severity: severityOf(r.Severity), Tags: tags}
}

// PageOf returns the address of the page about a rule; empty where it has none.
func PageOf(rule string) string {
	if r, known := rules.Find(rule); known {
		return r.URL()
	}
	return ""
}
