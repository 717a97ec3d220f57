// Package reports writes what became of mutants: as text, as Markdown, as JSON, and in the schema of the mutation testing elements.
package reports

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"asldb/engine/explain"
	"asldb/internal/mutate"
	"asldb/internal/paint"
	"asldb/internal/visible"
)

// Report is what became of the mutants of definitions.
type Report struct {
	Results []*mutate.Result
	// Minimum is the score in percent that was asked for; 0: none was.
	Minimum int
	// Wall is the time that the runs took.
	Wall time.Duration
}

// Summary counts the mutants of all definitions.
func (r *Report) Summary() mutate.Summary {
	var s mutate.Summary
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
	Paint paint.Painter
	// All lists the mutants that were killed, too.
	All bool
}

// Text writes the report for people.
func Text(w io.Writer, r *Report, o TextOptions) error {
	if o.Paint == nil {
		o.Paint = paint.None
	}
	t := &text{o: o}
	for _, result := range r.Results {
		t.result(result)
	}
	t.summary(r)
	_, err := w.Write(t.out.Bytes())
	return err
}

type text struct {
	out bytes.Buffer
	o   TextOptions
}

func (t *text) pick(unicode, ascii string) string {
	if t.o.ASCII {
		return ascii
	}
	return unicode
}

func (t *text) line(format string, args ...any) { fmt.Fprintf(&t.out, format+"\n", args...) }

func plural(n int, noun string) string { return explain.Plural(n, noun, noun+"s") }

func (t *text) result(r *mutate.Result) {
	names := visible.Line(r.File)
	if r.Resource != "" {
		names += " (" + visible.Line(r.Resource) + ")"
	}
	mutants := plural(len(r.Outcomes), "mutant")
	if len(r.Outcomes) < r.All {
		mutants += " of " + strconv.Itoa(r.All)
	}
	dot := " " + t.pick("·", "-") + " "
	t.line("%s%s", names, t.o.Paint(paint.Quiet, dot+plural(r.Cases, "case")+" of "+visible.Line(strings.Join(r.Suites, ", "))+dot+mutants))
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; t.o.All || o.Status != mutate.Killed && o.Status != mutate.TimedOut {
			t.outcome(o)
		}
	}
}

// sign is the sign of an outcome in its tone. The signs differ by more than colour.
func (t *text) sign(s mutate.Status) string {
	switch s {
	case mutate.Survived:
		return t.o.Paint(paint.Bad, t.pick("×", "x")+" survived")
	case mutate.NotCovered:
		return t.o.Paint(paint.Bad, "- not covered")
	case mutate.Invalid:
		return t.o.Paint(paint.Quiet, "! invalid")
	case mutate.Killed, mutate.TimedOut:
	}
	return t.o.Paint(paint.Good, t.pick("✓", "v")+" "+s.String())
}

func place(o *mutate.Outcome) string {
	return visible.Line(o.File.Name) + ":" + strconv.Itoa(o.At.Line)
}

func (t *text) outcome(o *mutate.Outcome) {
	t.line("  %s  %s: %s  %s", t.sign(o.Status), visible.Line(o.Name()), visible.Line(o.Description), t.o.Paint(paint.Quiet, place(o)))
	const indent = "      "
	if len(o.Diff) > 0 {
		if !o.Text {
			t.line("%sIn the definition as JSON:", indent)
		}
		for line := range strings.Lines(visible.Text(string(o.Diff))) {
			line = strings.TrimSuffix(line, "\n")
			tone := paint.Tone(0)
			switch {
			case strings.HasPrefix(line, "+"):
				tone = paint.Good
			case strings.HasPrefix(line, "-"):
				tone = paint.Bad
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
func details(o *mutate.Outcome) (lines []string) {
	if o.Missing != "" {
		text := "missing: " + visible.Line(o.Missing)
		if o.Case != nil && o.Status == mutate.Survived && !strings.HasPrefix(o.Missing, "every run") {
			text += ", in the case " + strconv.Quote(visible.Line(o.Case.Name))
		}
		lines = append(lines, text)
	}
	if o.Reason != "" {
		lines = append(lines, visible.Line(o.Reason))
	}
	if o.Killer != nil {
		lines = append(lines, "by the case "+strconv.Quote(visible.Line(o.Killer.Name))+": "+visible.Line(o.Expectation))
	}
	if command := o.Command(); command != "" {
		lines = append(lines, "see it: "+visible.Line(command))
	}
	return lines
}

// counts are the numbers of a summary in words: "12 killed, 1 survived".
func counts(s *mutate.Summary) string {
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

func (t *text) summary(r *Report) {
	s := r.Summary()
	tone := paint.Good
	if s.Survived+s.NotCovered > 0 {
		tone = paint.Bad
	}
	dot := " " + t.pick("·", "-") + " "
	line := t.o.Paint(tone, plural(s.Total(), "mutant")+": "+counts(&s)) + dot + "score " + strconv.Itoa(s.Score()) + " %"
	if r.Wall > 0 {
		line += t.o.Paint(paint.Quiet, dot+r.Wall.Round(time.Millisecond).String())
	}
	t.line("%s", line)
	if s.Score() < r.Minimum {
		t.line("--min %d not reached", r.Minimum)
	}
}
