// This part of the package writes what became of mutants: as text, as Markdown, as JSON, and in the schema of the mutation testing elements.

package mutate

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"asldb/internal/report"
	"asldb/internal/wording"
)

// Report is what became of the mutants of definitions.
type Report struct {
	Results []*Result
	// Minimum is the score in percent that was asked for; 0: none was.
	Minimum int
	// Wall is the time that the runs took.
	Wall time.Duration
}

// Summary counts the mutants of all definitions.
func (r *Report) Summary() Summary {
	var s Summary
	for _, result := range r.Results {
		s.Add(result)
	}
	return s
}

// TextOptions say how the text report looks.
type TextOptions struct {
	// ASCII draws signs with ASCII characters.
	ASCII bool
	// Paint returns a text in the colour of a tone; nil: there are no colours.
	Paint report.Painter
	// All lists the mutants that were killed, too.
	All bool
}

// Text writes the report for people.
func Text(w io.Writer, r *Report, o TextOptions) error {
	if o.Paint == nil {
		o.Paint = report.None
	}
	t := &textReport{o: o}
	for _, result := range r.Results {
		t.result(result)
	}
	t.summary(r)
	_, err := w.Write(t.out.Bytes())
	return err
}

type textReport struct {
	out bytes.Buffer
	o   TextOptions
}

func (t *textReport) pick(unicode, ascii string) string {
	if t.o.ASCII {
		return ascii
	}
	return unicode
}

func (t *textReport) line(format string, args ...any) { fmt.Fprintf(&t.out, format+"\n", args...) }

func (t *textReport) result(r *Result) {
	names := wording.Line(r.File)
	if r.Resource != "" {
		names += " (" + wording.Line(r.Resource) + ")"
	}
	mutants := wording.Count(len(r.Outcomes), "mutant")
	if len(r.Outcomes) < r.All {
		mutants += " of " + strconv.Itoa(r.All)
	}
	dot := " " + t.pick("·", "-") + " "
	cases := wording.Count(r.Cases, "case") + " of " + wording.Line(strings.Join(r.Suites, ", "))
	t.line("%s%s", names, t.o.Paint(report.Quiet, dot+cases+dot+mutants))
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; t.o.All || o.Status != Killed && o.Status != TimedOut {
			t.outcome(o)
		}
	}
}

// sign is the sign of an outcome in its tone. The signs differ by more than colour.
func (t *textReport) sign(s Status) string {
	switch s {
	case Survived:
		return t.o.Paint(report.Bad, t.pick("×", "x")+" survived")
	case NotCovered:
		return t.o.Paint(report.Bad, "- not covered")
	case Invalid:
		return t.o.Paint(report.Quiet, "! invalid")
	case Killed, TimedOut:
	}
	return t.o.Paint(report.Good, t.pick("✓", "v")+" "+s.String())
}

func place(o *Outcome) string {
	return wording.Line(o.File.Name) + ":" + strconv.Itoa(o.At.Line)
}

func (t *textReport) outcome(o *Outcome) {
	t.line("  %s  %s: %s  %s", t.sign(o.Status), wording.Line(o.Name()), wording.Line(o.Description), t.o.Paint(report.Quiet, place(o)))
	const indent = "      "
	if len(o.Diff) > 0 {
		if !o.Text {
			t.line("%sIn the definition as JSON:", indent)
		}
		for line := range strings.Lines(wording.Text(string(o.Diff))) {
			line = strings.TrimSuffix(line, "\n")
			tone := report.Tone(0)
			switch {
			case strings.HasPrefix(line, "+"):
				tone = report.Good
			case strings.HasPrefix(line, "-"):
				tone = report.Bad
			}
			if tone != 0 {
				line = t.o.Paint(tone, line)
			}
			t.line("%s%s", indent, line)
		}
	}
	for _, line := range details(o) {
		t.line("%s%s", indent, line)
	}
}

// details are the lines about an outcome besides its diff.
func details(o *Outcome) (lines []string) {
	if o.Missing != "" {
		text := "missing: " + wording.Line(o.Missing)
		if o.Case != nil && o.Status == Survived && !strings.HasPrefix(o.Missing, "every run") {
			text += ", in the case " + strconv.Quote(wording.Line(o.Case.Name))
		}
		lines = append(lines, text)
	}
	if o.Reason != "" {
		lines = append(lines, wording.Line(o.Reason))
	}
	if o.Killer != nil {
		lines = append(lines, "by the case "+strconv.Quote(wording.Line(o.Killer.Name))+": "+wording.Line(o.Expectation))
	}
	if command := o.Command(); command != "" {
		lines = append(lines, "see it: "+wording.Line(command))
	}
	return lines
}

// counts are the numbers of a summary in words: "12 killed, 1 survived".
func counts(s *Summary) string {
	parts := []string{strconv.Itoa(s.Killed) + " killed"}
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+word)
		}
	}
	add(s.TimedOut, "timed out")
	add(s.Survived, "survived")
	add(s.NotCovered, "not covered")
	add(s.Invalid, "invalid")
	return strings.Join(parts, ", ")
}

func (t *textReport) summary(r *Report) {
	s := r.Summary()
	tone := report.Good
	if s.Survived+s.NotCovered > 0 {
		tone = report.Bad
	}
	dot := " " + t.pick("·", "-") + " "
	line := t.o.Paint(tone, wording.Count(s.Total(), "mutant")+": "+counts(&s)) + dot + "score " + strconv.Itoa(s.Score()) + " %"
	if r.Wall > 0 {
		line += t.o.Paint(report.Quiet, dot+r.Wall.Round(time.Millisecond).String())
	}
	t.line("%s", line)
	if s.Score() < r.Minimum {
		t.line("--min %d not reached", r.Minimum)
	}
}
