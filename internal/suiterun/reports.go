package suiterun

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// All returns a sink that sends each event to all sinks. The error has the errors of all.
func All(sinks ...suite.Sink) suite.Sink { return all(sinks) }

type all []suite.Sink

// Send implements [result.Sink].
func (a all) Send(e suite.Event) error {
	var err error
	for _, sink := range a {
		err = errors.Join(err, sink.Send(e))
	}
	return err
}

// maxShown is the greatest number of bytes of a value in a report; maxDifferences is the greatest number of differences
// of one finding that are listed.
const (
	maxShown       = 400
	maxDifferences = 20
)

// form is the form of differences.
var form = value.Form{Limit: maxShown}

// title is the line of a finding: "output (order.asl.json:44)".
func title(f *suite.Finding) string {
	return titled(f).String()
}

// titled is the line with the place in it.
func titled(f *suite.Finding) report.Text {
	text := report.T(f.Expectation)
	if place := f.Place.String(); place != "" {
		text = report.T(text, " (", report.Span{Text: place, At: f.Place.Place}, ")")
	}
	return text
}

// Differences returns the lines of all differences of a finding: a wanted value after "- ", and a found one after "+ ".
func Differences(f *suite.Finding) []string { return differencesUpTo(f, len(f.Differences)) }

// differences returns the lines of a finding below its title, as far as they are listed.
func differences(f *suite.Finding) []string { return differencesUpTo(f, maxDifferences) }

func differencesUpTo(f *suite.Finding, limit int) []string {
	var lines []string
	for i := range f.Differences {
		if i == limit {
			return append(lines, fmt.Sprintf("and %d more", len(f.Differences)-i))
		}
		d := &f.Differences[i]
		lines = append(lines, form.Lines(d)...)
	}
	for _, line := range f.Because {
		lines = append(lines, strings.Split(line, "\n")...)
	}
	return lines
}

// body returns the whole explanation of a case that failed, or was not run, as lines, complete in itself.
func body(c *suite.Outcome) []string {
	var lines []string
	if c.Runs > 0 && c.Kind.Bad() {
		lines = append(lines, repeats(c))
	}
	if c.Reason != "" {
		lines = append(lines, strings.Split(c.Reason, "\n")...)
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		lines = append(lines, fmt.Sprintf("%s:%d: %s", c.Suite.File, f.At.Line, title(f)))
		for _, line := range differences(f) {
			lines = append(lines, "  "+line)
		}
	}
	if len(c.Path) > 0 && c.Kind.Bad() {
		lines = append(lines, "path: "+states(c))
	}
	if c.Debug != "" && c.Kind.Bad() {
		lines = append(lines, "see it: "+c.Debug)
	}
	return lines
}

// states is the states that a case went through, on one line.
func states(c *suite.Outcome) string { return strings.Join(c.Path, " > ") }

// headline says in one line why a case is bad: its first finding, or its reason.
func headline(c *suite.Outcome) string {
	if len(c.Findings) > 0 {
		text := title(&c.Findings[0])
		if d := c.Findings[0].Differences; len(d) > 0 {
			text += ": " + form.Values(&d[0])
		}
		if more := len(c.Findings) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		return text
	}
	first, _, _ := strings.Cut(c.Reason, "\n")
	return first
}

// Counts is the line of a summary: "6 cases: 4 passed, 1 failed, 1 new".
func Counts(s *suite.Summary) string {
	var parts []string
	for _, part := range []struct {
		n    int
		kind suite.Kind
	}{
		{s.Passed, suite.Passed}, {s.Failed, suite.OutcomeFailed}, {s.Wrong, suite.Wrong}, {s.Skipped, suite.Skipped}, {s.New, suite.New}, {s.Unchecked, suite.Unchecked},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.kind))
		}
	}
	text := cased(s.Total())
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// cased is a number of cases.
func cased(n int) string { return wording.Count(n, "case") }

// wall writes a time that the wall clock measured.
func wall(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// virtual writes a virtual time.
func virtual(d time.Duration) string { return wording.Duration(d) }
