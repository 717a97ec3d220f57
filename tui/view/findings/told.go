package findings

import (
	"strconv"
	"strings"

	"asldb/engine/coverage"
	"asldb/internal/explore"
	"asldb/internal/wording"
)

// Told implements [view.Told].
func (v *CoverageView) Told() (lines []string, stays bool) {
	lines = append([]string{v.headline() + ", " + v.subject.Runs + "."}, v.figures...)
	for i := range v.rows.Len() {
		item := v.rows.At(i)
		line := wording.Line(coverage.StateName(item.State)) + ", " + wording.Line(item.Describe()) + ": "
		if item.Covered() {
			line += strconv.FormatInt(item.Count, 10)
		} else {
			line += "never"
		}
		if item.Line > 0 {
			line += ", line " + strconv.Itoa(item.Line)
		}
		lines = append(lines, selected(line, i == v.rows.Cursor))
	}
	return lines, true
}

// selected marks the line of the cursor.
func selected(line string, is bool) string {
	if is {
		return "selected, " + line
	}
	return line
}

// Told implements [view.Told].
func (v *FaultsView) Told() (lines []string, stays bool) {
	switch {
	case v.failed != nil:
		return []string{v.failed.Error()}, true
	case v.result == nil:
		return []string{"Exploring the faults of the definition."}, true
	}
	lines = append(lines, explore.Summary(v.result), explore.Head(v.result))
	for i := range v.rows.Len() {
		e := v.rows.At(i)
		line := ""
		switch {
		case e.heading != noHeading:
			continue
		case e.finding != nil:
			line = e.finding.Class.String() + ": " + explore.Title(e.finding)
		default:
			line = "task " + wording.Line(e.line.State.Name) + ", " + e.line.Errors + ": "
			var parts []string
			for _, part := range [...]struct{ when, what string }{{"once", e.line.Once}, {"always", e.line.Always}, {"ends as", e.line.Ends}} {
				if part.what != "" {
					parts = append(parts, part.when+" "+part.what)
				}
			}
			line += strings.Join(parts, ", ")
		}
		lines = append(lines, selected(line, i == v.rows.Cursor))
	}
	return lines, true
}
