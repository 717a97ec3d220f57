package listing

import (
	"strconv"
)

// Told returns the text in lines with their numbers, for a face that draws nothing: the line under the cursor is named,
// and the problems come last.
func (v *View) Told() (lines []string) {
	if about := v.About(); about != "" {
		lines = append(lines, about)
	}
	for i := range v.Len() {
		number := strconv.Itoa(v.Number(i))
		if i == v.Cursor() {
			number += ", here"
		}
		lines = append(lines, number+": "+v.Line(i))
	}
	for i := range v.marks.Problems {
		d := &v.marks.Problems[i]
		line := d.Message
		if at := v.problems[i]; !at.outside {
			line = "line " + strconv.Itoa(v.Number(at.at.Line-1)) + ": " + line
		}
		lines = append(lines, d.Severity.String()+", "+line)
	}
	return lines
}
