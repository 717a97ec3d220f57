package project

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"asldb/engine/source"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// GitHub writes the problems as annotations of GitHub Actions (workflow commands), and a summary of each machine for the log. Files in
// Options.Folder are named from there.
func GitHub(w io.Writer, machines []Checked, o Options) error {
	for i := range machines {
		m := &machines[i]
		shown, left := o.shown(m)
		for j := range shown {
			if _, err := io.WriteString(w, annotationOf(m.Given, &shown[j], o.Folder).String()); err != nil {
				return err
			}
		}
		summary := m.summary()
		if left > 0 {
			summary += fmt.Sprintf("; %d are not shown (--max 0 shows all)", left)
		}
		// The name of a file could begin as a command does.
		if _, err := fmt.Fprintf(w, "asldb: %s: %s\n", m.Label(), summary); err != nil {
			return err
		}
	}
	return nil
}

// annotationOf returns the annotation of a problem.
func annotationOf(given *source.File, d *source.Diagnostic, folder string) *report.Annotation {
	file := cmp.Or(d.File, given)
	a := &report.Annotation{Title: "asldb: " + d.Rule, Message: fullText(d, file)}
	switch d.Severity {
	case source.Error, source.Danger:
	case source.Warning:
		a.Level = report.Warning
	case source.Hint, source.Note:
		a.Level = report.Notice
	}
	if strings.HasPrefix(file.Name, "<") { // standard input is no file to annotate
		return a
	}
	a.File = slashed(files.Relative(folder, file.Name))
	if start, end := d.Span.Start, d.Span.End; start.Line > 0 {
		a.Line, a.EndLine = start.Line, max(start.Line, end.Line)
		if end.Line == start.Line && end.Col > start.Col { // columns are of one line only
			a.Col, a.EndCol = start.Col, end.Col-1
		}
	}
	return a
}

// fullText is the message of a problem with its reasons and its suggestion, in lines.
func fullText(d *source.Diagnostic, file *source.File) string {
	lines := []string{wording.Line(d.Message)}
	for i := range d.Reasons {
		r := d.Reasons[i]
		text := r.Text
		if r.Span.Start.Line > 0 {
			text += fmt.Sprintf(" (%s:%d)", cmp.Or(r.File, file).Name, r.Span.Start.Line)
		}
		lines = append(lines, wording.Line(text))
	}
	if d.Suggestion != "" {
		lines = append(lines, wording.Line(d.Suggestion))
	}
	return strings.Join(lines, "\n")
}
