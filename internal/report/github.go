package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"asldb/internal/wording"
)

// The escapes of workflow commands, as GitHub's toolkit makes them (actions/toolkit, command.ts).
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes problems as annotations of GitHub Actions (workflow commands), and the line of each group for the log.
func GitHub(w io.Writer, list []Finding, look Look) error {
	var out strings.Builder
	for i := range list {
		f := &list[i]
		for _, problem := range problems(list[i : i+1]) {
			out.WriteString(problem.annotation(look))
		}
		if g := f.Group; g != nil && g.Summary != "" && (i+1 == len(list) || list[i+1].Group != g) {
			// The name of a file could begin as a command does.
			fmt.Fprintf(&out, "asldb: %s: %s\n", wording.Line(g.Name), wording.Line(g.Summary))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// annotation returns the workflow command of a problem.
func (f *Finding) annotation(look Look) string {
	var properties []string
	property := func(key, text string) {
		properties = append(properties, key+"="+escapeProperty.Replace(wording.Line(text)))
	}
	number := func(key string, n int) {
		if n > 0 {
			property(key, strconv.Itoa(n))
		}
	}
	if p := f.Place; p.isFile() {
		property("file", look.home(p.File))
		number("line", p.Line)
		if p.Line > 0 && p.EndLine > 0 {
			number("endLine", max(p.Line, p.EndLine))
		}
		if p.EndLine == p.Line && p.EndCol > p.Col { // columns are of one line only, the last one included
			number("col", p.Col)
			number("endColumn", p.EndCol-1)
		}
	}
	title, text := f.Subject, f.lines()
	if title == "" {
		title = "asldb: " + f.kind()
	} else if len(f.More) > 0 {
		text += "\n" + strings.Join(f.More, "\n")
	}
	property("title", title)
	level := "error"
	switch f.Severity {
	case Warning:
		level = "warning"
	case Hint:
		level = "notice"
	case Error, Broken, Passed, Skipped:
	}
	return "::" + level + " " + strings.Join(properties, ",") + "::" + escapeMessage.Replace(wording.Text(text)) + "\n"
}
