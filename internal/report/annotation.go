// This part of the package writes annotations of GitHub Actions, as workflow commands in the log of a job.

package report

import (
	"path/filepath"
	"strconv"
	"strings"

	"asldb/internal/wording"
)

// Level is the importance of an annotation.
type Level int

// The levels.
const (
	Error Level = iota
	Warning
	Notice
)

// String returns the name of the command.
func (l Level) String() string {
	switch l {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Notice:
		return "notice"
	}
	panic("annotation: unknown level")
}

// Annotation is a message at a place in a file.
type Annotation struct {
	Level Level
	// File is relative to the root of the repository; empty: there is no place.
	File string
	// Line, EndLine, Col and EndCol are counted from 1; 0: unknown. Columns are of one line only, the last one included.
	Line, EndLine, Col, EndCol int
	Title                      string
	// Message may have several lines.
	Message string
}

// The escapes of workflow commands, as GitHub's toolkit makes them (actions/toolkit, command.ts).
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// String returns the workflow command, with a line feed.
func (a *Annotation) String() string {
	var properties []string
	property := func(key, text string) {
		properties = append(properties, key+"="+escapeProperty.Replace(wording.Line(text)))
	}
	number := func(key string, n int) {
		if n > 0 {
			property(key, strconv.Itoa(n))
		}
	}
	if a.File != "" {
		property("file", filepath.ToSlash(a.File))
		number("line", a.Line)
		number("endLine", a.EndLine)
		number("col", a.Col)
		number("endColumn", a.EndCol)
	}
	property("title", a.Title)
	return "::" + a.Level.String() + " " + strings.Join(properties, ",") + "::" + escapeMessage.Replace(wording.Text(a.Message)) + "\n"
}
