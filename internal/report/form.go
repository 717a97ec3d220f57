package report

import (
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"asldb/internal/wording"
)

// Answer is all that a command reports. What is nil it does not have, nor the forms that are made of it.
type Answer struct {
	// Name is the one of the report in JUnit's XML, "asldb validate".
	Name string
	// Doc makes the report for people: text, Markdown, HTML.
	Doc func(Look) *Doc
	// Findings are for JUnit, GitHub, SARIF, code quality and CSV.
	Findings func() []Finding
	// Data is the document for JSON, as encoding/json takes it.
	Data func() any
	// Rows are the names of columns, and rows of figures, for CSV and TSV; a command with rows has no CSV of findings.
	Rows func() ([]string, iter.Seq[[]string])
	// Own are the forms of this command alone, by their names.
	Own map[string]func(w io.Writer, look Look) error
}

// Kind is a part of an answer that forms are made of.
type Kind uint8

// The kinds.
const (
	OfDoc Kind = 1 << iota
	OfFindings
	OfData
	OfRows
)

// Form is a form of reports.
type Form struct {
	Name    string
	Aliases []string
	// About describes the form in one line, for help and documentation.
	About string
	// Of are the kinds that satisfy it: one is needed.
	Of    Kind
	write func(io.Writer, *Answer, Look) error
}

// The names of forms that the code knows by name.
const (
	TextForm = "text"
	JSONForm = "json"
)

var forms = []Form{
	{TextForm, nil, "for a terminal", OfDoc, func(w io.Writer, a *Answer, l Look) error { return a.Doc(l).Text(w, l) }},
	{"markdown", []string{"md"}, "Markdown for a page of a code host or a comment", OfDoc, func(w io.Writer, a *Answer, l Look) error {
		l.Page = true
		return a.Doc(l).Markdown(w)
	}},
	{"html", nil, "one page that needs no network", OfDoc, func(w io.Writer, a *Answer, l Look) error {
		l.Page = true
		return a.Doc(l).HTML(w)
	}},
	{JSONForm, nil, "JSON for programs", OfData, func(w io.Writer, a *Answer, _ Look) error { return JSON(w, a.Data()) }},
	{"junit", nil, "JUnit's XML, as Jenkins, GitLab and others read it", OfFindings, func(w io.Writer, a *Answer, _ Look) error { return JUnit(w, a.Name, a.Findings()) }},
	{"github", nil, "annotations of GitHub Actions", OfFindings, func(w io.Writer, a *Answer, l Look) error { return GitHub(w, a.Findings(), l) }},
	{"sarif", nil, "SARIF 2.1.0 for code hosts and editors", OfFindings, func(w io.Writer, a *Answer, l Look) error { return SARIF(w, a.Findings(), l) }},
	{"codequality", []string{"gitlab"}, "GitLab's code quality", OfFindings, func(w io.Writer, a *Answer, l Look) error { return CodeQuality(w, a.Findings(), l) }},
	{"csv", nil, "columns divided by commas", OfFindings | OfRows, func(w io.Writer, a *Answer, _ Look) error { return a.columns(w, ',') }},
	{"tsv", nil, "columns divided by tabs", OfRows, func(w io.Writer, a *Answer, _ Look) error { return a.columns(w, '\t') }},
}

// FormsOf returns the names of the forms of some kinds, and behind them the command's own ones.
func FormsOf(kinds Kind, own ...string) []string {
	var names []string
	for _, f := range forms {
		if f.Of&kinds != 0 {
			names = append(names, f.Name)
		}
	}
	return append(names, own...)
}

// FormNamed returns the name of the form that a word names, which may be an alias, out of the names of forms that a
// command has.
func FormNamed(word string, names []string) (name string, ok bool) {
	for _, f := range forms {
		if slices.Contains(f.Aliases, word) {
			word = f.Name
		}
	}
	return word, slices.Contains(names, word)
}

// Has reports whether an answer has all that a form is made of.
func (a *Answer) Has(form string) bool {
	of := Kind(0)
	for kind, has := range map[Kind]bool{
		OfDoc: a.Doc != nil, OfFindings: a.Findings != nil, OfData: a.Data != nil, OfRows: a.Rows != nil,
	} {
		if has {
			of |= kind
		}
	}
	return a.Own[form] != nil || slices.Contains(FormsOf(of), form)
}

// Write writes an answer in a form.
func (a *Answer) Write(w io.Writer, form string, l Look) error {
	if own := a.Own[form]; own != nil {
		return own(w, l)
	}
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Name == form })
	return forms[i].write(w, a, l)
}

// columns writes the rows of an answer, or its findings as rows.
func (a *Answer) columns(w io.Writer, comma rune) error {
	head, rows := findingHead, (iter.Seq[[]string])(nil)
	if a.Rows != nil {
		head, rows = a.Rows()
	} else {
		rows = findingRows(a.Findings())
	}
	out := csv.NewWriter(w)
	out.Comma = comma
	write := func(row []string) {
		shown := make([]string, len(row))
		for i, cell := range row {
			shown[i] = cellOf(cell)
		}
		_ = out.Write(shown) // the error is kept until Flush
	}
	write(head)
	for row := range rows {
		write(row)
	}
	out.Flush()
	return out.Error()
}

// cellOf returns a cell as one line. A text that a spreadsheet would take for a formula has an apostrophe before it.
func cellOf(cell string) string {
	cell = wording.Line(cell)
	if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
		if _, err := strconv.ParseFloat(cell, 64); err != nil {
			return "'" + cell
		}
	}
	return cell
}

var findingHead = []string{"severity", "rule", "file", "line", "column", "group", "subject", "text"}

func findingRows(list []Finding) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, f := range parts(list) {
			group := ""
			if f.Group != nil {
				group = f.Group.Name
			}
			if !yield([]string{f.Severity.String(), f.kind(), f.Place.File, numberOrNothing(f.Place.Line), numberOrNothing(f.Place.Col), group, f.Subject, f.Text}) {
				return
			}
		}
	}
}

// numberOrNothing returns a number, and nothing for 0.
func numberOrNothing(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// The objects of GitLab's code quality report.
type (
	qualityIssue struct {
		Description string          `json:"description"`
		Check       string          `json:"check_name"`
		Fingerprint string          `json:"fingerprint"`
		Severity    string          `json:"severity"`
		Location    qualityLocation `json:"location"`
	}
	qualityLocation struct {
		Path  string       `json:"path"`
		Lines qualityLines `json:"lines"`
	}
	qualityLines struct {
		Begin int `json:"begin"`
	}
)

// CodeQuality writes problems as GitLab's code quality report.
func CodeQuality(w io.Writer, list []Finding, look Look) error {
	issues, seen := []qualityIssue{}, digests{}
	for _, f := range problems(list) {
		severity := "major"
		switch f.Severity {
		case Warning:
			severity = "minor"
		case Hint:
			severity = "info"
		case Error, Broken, Passed, Skipped:
		}
		text := f.Text
		if f.Subject != "" {
			text = f.Subject + ": " + text
		}
		issues = append(issues, qualityIssue{text, f.kind(), seen.of(f, look), severity, qualityLocation{look.home(f.Place.File), qualityLines{max(f.Place.Line, 1)}}})
	}
	return JSON(w, issues)
}
