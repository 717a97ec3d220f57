package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"asldb/engine/source"
	"asldb/internal/edits"
	"asldb/internal/visible"
)

// GitHub writes the problems as annotations of GitHub Actions (workflow commands), and a summary of each machine for the log. Files in
// Options.Folder are named from there.
func GitHub(w io.Writer, machines []Machine, o Options) error {
	for i := range machines {
		m := &machines[i]
		shown, left := o.shown(m)
		for j := range shown {
			if _, err := io.WriteString(w, annotation(m.Given, &shown[j], o.Folder)); err != nil {
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

// The escapes of workflow commands, as GitHub's toolkit makes them (actions/toolkit, command.ts).
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotation(given *source.File, d *source.Diagnostic, folder string) string {
	level := "error"
	switch d.Severity {
	case source.Warning:
		level = "warning"
	case source.Hint:
		level = "notice"
	case source.Error:
	}
	file := cmp.Or(d.File, given)
	var properties strings.Builder
	property := func(key, text string) {
		if properties.Len() > 0 {
			properties.WriteByte(',')
		}
		properties.WriteString(key + "=" + escapeProperty.Replace(visible.Line(text)))
	}
	if !strings.HasPrefix(file.Name, "<") { // standard input is no file to annotate
		property("file", slashed(edits.Relative(folder, file.Name)))
		if start, end := d.Span.Start, d.Span.End; start.Line > 0 {
			property("line", fmt.Sprint(start.Line))
			property("endLine", fmt.Sprint(max(start.Line, end.Line)))
			if end.Line == start.Line && end.Col > start.Col { // columns are of one line only
				property("col", fmt.Sprint(start.Col))
				property("endColumn", fmt.Sprint(end.Col-1))
			}
		}
	}
	property("title", "asldb: "+d.Rule)
	return "::" + level + " " + properties.String() + "::" + escapeMessage.Replace(fullText(d, file)) + "\n"
}

// fullText is the message of a problem with its reasons and its suggestion, in lines.
func fullText(d *source.Diagnostic, file *source.File) string {
	lines := []string{visible.Line(d.Message)}
	for i := range d.Reasons {
		r := d.Reasons[i]
		text := r.Text
		if r.Span.Start.Line > 0 {
			text += fmt.Sprintf(" (%s:%d)", cmp.Or(r.File, file).Name, r.Span.Start.Line)
		}
		lines = append(lines, visible.Line(text))
	}
	if d.Suggestion != "" {
		lines = append(lines, visible.Line(d.Suggestion))
	}
	return strings.Join(lines, "\n")
}
