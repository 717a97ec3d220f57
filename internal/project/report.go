package project

import (
	"fmt"
	"io"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// Checked is one state machine with its problems. Each problem has its file: a machine of a template has some in the
// template and some in the file that the template names.
type Checked struct {
	// Given is the file that was named: the definition, or the template with it.
	Given *source.File
	// Name is the name of the machine in a template, which may have several; empty where the file is the definition.
	Name     string
	Problems []source.Diagnostic
	// Source is the file of the definition and Root its tree; nil where the text could not be read.
	Source *source.File
	Root   *source.Node
	// Express: the machine is of the type EXPRESS.
	Express bool
}

// Label names the machine in messages: "order.asl.json", "template.yaml (Orders)".
func (m *Checked) Label() string {
	if m.Name == "" {
		return wording.Line(m.Given.Name)
	}
	return wording.Line(m.Given.Name) + " (" + wording.Line(m.Name) + ")"
}

// Count returns how many problems there are of each severity.
func (m *Checked) Count() (errors, warnings, hints int) {
	for i := range m.Problems {
		switch m.Problems[i].Severity {
		case source.Error, source.Danger:
			errors++
		case source.Warning:
			warnings++
		default:
			hints++
		}
	}
	return errors, warnings, hints
}

// Options say how much is written.
type Options struct {
	// Max is the greatest number of problems of one machine, errors before all others; 0 means no bound. How many are
	// left out is reported.
	Max int
	// Own adds asldb's own warnings to the reply of the service.
	Own bool
	// Brief leaves machines without a problem out of the text, and adds a summary; Bare has nothing in it but the
	// problems.
	Brief, Bare bool
	// Folder is the root of the repository, or the working folder, from which the identities of problems name files.
	Folder string
	// Strict: warnings are failures, too, for JUnit.
	Strict bool
	// Skipped are the machines that were not checked, with the reasons.
	Skipped []string
}

// shown returns the problems to write, in the order of their places, and how many are left out: warnings and hints
// before errors.
func (o Options) shown(m *Checked) (shown []source.Diagnostic, left int) {
	if o.Max <= 0 || len(m.Problems) <= o.Max {
		return m.Problems, 0
	}
	errors, _, _ := m.Count()
	room, others := min(o.Max, errors), max(0, o.Max-errors)
	for _, d := range m.Problems {
		switch {
		case d.Severity.Fails() && room > 0:
			room--
		case !d.Severity.Fails() && others > 0:
			others--
		default:
			continue
		}
		shown = append(shown, d)
	}
	return shown, len(m.Problems) - len(shown)
}

// Answer is the report about machines.
func Answer(name string, machines []Checked, o Options) *report.Answer {
	return &report.Answer{
		Name:     name,
		Doc:      func(l report.Look) *report.Doc { return doc(machines, o, l) },
		Findings: func() []report.Finding { return findings(machines, o) },
		Data:     func() any { return data(machines, o) },
		Own:      map[string]func(io.Writer, report.Look) error{"aws": func(w io.Writer, _ report.Look) error { return AWS(w, machines, o) }},
	}
}

// doc has every problem with its line of the text, and their number below them.
func doc(machines []Checked, o Options, l report.Look) *report.Doc {
	d := &report.Doc{}
	line := func(text string) { d.Add(report.Para{Text: report.T(text)}) }
	if l.Page {
		d.Title = report.T(total(machines))
	}
	for i := range machines {
		m := &machines[i]
		if o.Brief && len(m.Problems) == 0 {
			continue
		}
		shown, left := o.shown(m)
		for j := range shown {
			addProblem(d, &shown[j], l.Width)
		}
		if o.Bare {
			continue
		}
		if left > 0 {
			line(fmt.Sprintf("%s: and %d more (--max 0 shows all)", m.Label(), left))
		}
		line(m.Label() + ": " + m.summary())
	}
	if o.Brief {
		line(total(machines))
	}
	for _, s := range o.Skipped {
		line("not checked: " + s)
	}
	return d
}

// addProblem adds a problem as compilers write it: the place, the severity and the message, and the excerpt below.
// A mark says that the words are the service's.
func addProblem(d *report.Doc, p *source.Diagnostic, width int) {
	mark := ""
	if wordsOf(p) == wordsOfService {
		mark = ", " + wordsOfService
	}
	d.Add(report.Para{Hang: source.Hang, Text: report.T(
		p.Where()+": ", report.In(severityOf(p.Severity).Tone(), p.Severity.String()), ": ",
		report.In(report.Strong, source.OneLine(p.Message)), " [",
		report.Span{Text: source.OneLine(p.Rule), Link: PageOf(p.Rule)}, mark+"]",
	)})
	if excerpt := p.Excerpt(width); excerpt != "" {
		d.Add(report.Code{Language: "excerpt", Text: excerpt})
	}
}

// severityOf returns the severity of a problem in reports.
func severityOf(s source.Severity) report.Severity {
	switch s {
	case source.Warning:
		return report.Warning
	case source.Hint, source.Note:
		return report.Hint
	case source.Error, source.Danger:
	}
	return report.Error
}

// total is the summary of several machines: "12 state machines in 9 files: 2 with errors (3 errors, 1 warning)".
func total(machines []Checked) string {
	files := make(map[string]bool)
	var errors, warnings, hints, wrong int
	for i := range machines {
		e, w, h := machines[i].Count()
		errors, warnings, hints = errors+e, warnings+w, hints+h
		if e > 0 {
			wrong++
		}
		files[machines[i].Given.Name] = true
	}
	text := wording.Count(len(machines), "state machine") + " in " + wording.Count(len(files), "file")
	switch problems := list(errors, warnings, hints); {
	case problems == "":
		return text + ": valid"
	case wrong == 0:
		return text + ": valid, with " + problems
	default:
		return fmt.Sprintf("%s: %d not valid: %s", text, wrong, problems)
	}
}

// summary says how many problems a machine has: "valid", "2 errors, 1 warning".
func (m *Checked) summary() string {
	errors, warnings, hints := m.Count()
	switch text := list(errors, warnings, hints); {
	case text == "":
		return "valid"
	case errors == 0:
		return "valid, with " + text
	default:
		return text
	}
}

// list says how many problems there are: "2 errors, 1 warning"; it is empty where there are none.
func list(errors, warnings, hints int) string {
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{errors, "error"}, {warnings, "warning"}, {hints, "hint"}} {
		if p.n > 0 {
			parts = append(parts, wording.Count(p.n, p.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// The JSON document: lines and columns count from 1, in characters, and offsets in bytes from 0.
type (
	jsonReport struct {
		Valid      bool          `json:"valid"`
		Files      []jsonMachine `json:"files"`
		NotChecked []string      `json:"notChecked,omitempty"`
	}
	jsonMachine struct {
		File     string        `json:"file"`
		Machine  string        `json:"machine,omitempty"`
		Valid    bool          `json:"valid"`
		Errors   int           `json:"errors"`
		Warnings int           `json:"warnings"`
		Hints    int           `json:"hints"`
		Omitted  int           `json:"omitted"`
		Problems []jsonProblem `json:"problems"`
	}
	jsonProblem struct {
		report.JSONFinding
		Severity string `json:"severity"` // as validate has it in text: also danger and note
		Code     string `json:"code"`
		Message  string `json:"message"`
		Pointer  string `json:"pointer"`
		// Wording tells whose words the message has, Service the service's own ones where they are others, and Sureness
		// how it is known that the service refuses the definition, or does what the message says.
		Wording    string           `json:"wording"`
		Service    string           `json:"serviceMessage,omitempty"`
		Sureness   string           `json:"sureness,omitempty"`
		Start      *source.Position `json:"start,omitempty"`
		End        *source.Position `json:"end,omitempty"`
		Expected   string           `json:"expected,omitempty"`
		Found      string           `json:"found,omitempty"`
		Suggestion string           `json:"suggestion,omitempty"`
		Fix        *jsonFix         `json:"fix,omitempty"`
		Reasons    []jsonReason     `json:"reasons,omitempty"`
	}
	jsonFix struct {
		*report.Fix
		Start *source.Position `json:"start"`
		End   *source.Position `json:"end"`
	}
	jsonReason struct {
		Text  string           `json:"text"`
		File  string           `json:"file,omitempty"`
		Start *source.Position `json:"start,omitempty"`
		End   *source.Position `json:"end,omitempty"`
	}
)

// span are the ends of a stretch; nil where its line is not known.
func span(s source.Span) (start, end *source.Position) {
	if s.Start.Line == 0 {
		return nil, nil
	}
	return &s.Start, &s.End
}

// data is one document with every machine and every problem, with places and codes.
func data(machines []Checked, o Options) jsonReport {
	codes := rules.Codes()
	all := jsonReport{Valid: true, Files: []jsonMachine{}, NotChecked: o.Skipped}
	for i := range machines {
		m := &machines[i]
		shown, left := o.shown(m)
		one := jsonMachine{File: m.Given.Name, Machine: m.Name, Omitted: left, Problems: []jsonProblem{}}
		one.Errors, one.Warnings, one.Hints = m.Count()
		one.Valid = one.Errors == 0
		all.Valid = all.Valid && one.Valid
		for j := range shown {
			one.Problems = append(one.Problems, problemJSON(m, &shown[j], codes, o))
		}
		all.Files = append(all.Files, one)
	}
	return all
}

// Whose words a message has: asldb's or the service's.
const (
	wordsOfOwn     = "asldb"
	wordsOfService = "aws"
)

func wordsOf(d *source.Diagnostic) string {
	plain := func(text string) string { return strings.TrimRight(text, ". ") } // some of the service's end in a blank
	if d.Service.Message != "" && plain(d.Service.Message) == plain(d.Message) {
		return wordsOfService
	}
	return wordsOfOwn
}

func problemJSON(m *Checked, d *source.Diagnostic, codes map[string]string, o Options) jsonProblem {
	found := findingOf(m, d, nil, o)
	p := jsonProblem{
		JSONFinding: found.JSON(), Severity: d.Severity.String(), Code: codeOf(d, codes), Message: d.Message, Pointer: d.Pointer,
		Expected: d.Expected, Found: d.Found, Suggestion: d.Suggestion,
	}
	if r, known := rules.Find(d.Rule); known {
		p.Sureness = r.Evidence()
	}
	if p.Wording = wordsOf(d); p.Wording == wordsOfOwn {
		p.Service = d.Service.Message
	}
	p.Start, p.End = span(d.Span)
	if e, ok := d.Edit(); ok {
		p.Fix = &jsonFix{Fix: found.Fix}
		p.Fix.Start, p.Fix.End = span(e.Span)
	}
	for _, r := range d.Reasons {
		reason := jsonReason{Text: r.Text}
		if reason.Start, reason.End = span(r.Span); reason.Start != nil && r.File != nil && r.File != d.File {
			reason.File = r.File.Name
		}
		p.Reasons = append(p.Reasons, reason)
	}
	return p
}
