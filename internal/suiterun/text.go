package suiterun

import (
	"fmt"
	"io"
	"strings"

	"asldb/engine/coverage"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// TextOptions say how the text report looks.
type TextOptions struct {
	// ASCII draws signs with ASCII characters.
	ASCII bool
	// Paint returns a text in the colour of a tone; nil: there are no colours.
	Paint report.Painter
	// Failed leaves out the cases that passed.
	Failed bool
	// Width is that of the terminal for which long lines are broken, in cells; 0: they are not. Commands stay whole.
	Width int
	// Keys is set where the keys of --watch are there.
	Keys bool
	// Progress receives a line that says how far the run is, and is empty at its end; nil: there is none.
	Progress func(line string)
}

// Text returns the report for people.
func Text(w io.Writer, o TextOptions) suite.Sink {
	if o.Paint == nil {
		o.Paint = report.None
	}
	return &textReport{w: w, o: o}
}

type textReport struct {
	w       io.Writer
	o       TextOptions
	began   suite.Began
	done    int
	summary suite.Summary
	covered *suite.Covered
}

// column is where the figures of a case stand.
const column = 42

// Send implements [result.Sink].
func (t *textReport) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.Began:
		t.began = e
		if e.Seed != 0 {
			return t.print("shuffled; --shuffle=%d repeats this order\n", e.Seed)
		}
	case suite.SuiteBegan:
		return t.suite(e.Suite)
	case suite.CaseEnded:
		t.done++
		t.summary.Add(e.Case)
		t.progress()
		return t.caseEnded(e.Case)
	case suite.SuiteEnded:
	case suite.Covered:
		t.covered = &e
	case suite.Ended:
		return t.ended(&e.Summary)
	}
	return nil
}

func (t *textReport) print(format string, args ...any) error {
	t.clear()
	_, err := fmt.Fprintf(t.w, format, args...)
	return err
}

func (t *textReport) clear() {
	if t.o.Progress != nil {
		t.o.Progress("")
	}
}

func (t *textReport) progress() {
	if t.o.Progress == nil || t.done == t.began.Cases {
		return
	}
	line := fmt.Sprintf("%d of %d cases", t.done, t.began.Cases)
	if bad := t.summary.Failed + t.summary.Wrong; bad > 0 {
		line += fmt.Sprintf(", %d failed", bad)
	}
	t.o.Progress(line)
}

func (t *textReport) suite(s *suite.SuiteOutcome) error {
	line := wording.Line(s.File)
	if s.Definition != "" {
		line += t.o.Paint(report.Quiet, " "+t.pick("·", "-")+" "+wording.Line(s.Definition))
	}
	return t.print("%s\n", line)
}

func (t *textReport) pick(unicode, ascii string) string {
	if t.o.ASCII {
		return ascii
	}
	return unicode
}

// sign returns the sign of an outcome in its tone.
func (t *textReport) sign(k suite.Kind) string {
	sign, tone := outcomeSign(k, t.o.ASCII)
	return t.o.Paint(tone, sign)
}

// outcomeSign returns the sign of an outcome and its tone. The signs differ by more than colour.
func outcomeSign(k suite.Kind, ascii bool) (sign string, tone report.Tone) {
	switch k {
	case suite.Passed:
		if ascii {
			return "v", report.Good
		}
		return "✓", report.Good
	case suite.OutcomeFailed:
		if ascii {
			return "x", report.Bad
		}
		return "×", report.Bad
	case suite.Wrong:
		return "!", report.Bad
	case suite.Skipped:
		return "-", report.Quiet
	case suite.New:
		return "~", report.Caution
	case suite.Unchecked:
		return "?", report.Caution
	}
	return " ", report.Quiet
}

func (t *textReport) caseEnded(c *suite.Outcome) error {
	if t.o.Failed && c.Kind == suite.Passed {
		return nil
	}
	name := wording.Line(c.Name)
	var b strings.Builder
	fmt.Fprintf(&b, "  %s %s", t.sign(c.Kind), name)
	right, tone := "", report.Quiet
	switch c.Kind {
	case suite.Passed:
		right = figures(c)
	case suite.OutcomeFailed, suite.Wrong:
		right = fmt.Sprintf("%s:%d", wording.Line(c.Suite.File), c.At.Line)
	case suite.Skipped:
		right = "skipped: " + wording.Line(c.Reason)
	case suite.New:
		right, tone = "snapshot new: --update keeps it", report.Caution
		if t.o.Keys {
			right = "snapshot new: u reviews it"
		}
	case suite.Unchecked:
		right, tone = "no expectation", report.Caution
	}
	at := column
	if t.o.Width > 0 {
		at = min(column, t.o.Width-len("  x ")-len([]rune(right)))
	}
	b.WriteString(strings.Repeat(" ", max(2, at-len([]rune(name)))) + t.o.Paint(tone, right))
	b.WriteByte('\n')
	if c.Kind.Bad() {
		t.findings(&b, c)
	}
	for _, line := range c.Noticed {
		b.WriteString(t.hanging("      "+wording.Text(line)) + "\n")
	}
	return t.print("%s", b.String())
}

// figures are those of a case that passed: "15 states  1h1m2s virtual".
func figures(c *suite.Outcome) string {
	if c.States == 0 {
		return ""
	}
	noun := "states"
	if c.States == 1 {
		noun = "state"
	}
	line := fmt.Sprintf("%d %s", c.States, noun)
	if c.Virtual > 0 {
		line += "  " + virtual(c.Virtual) + " virtual"
	}
	return line
}

func (t *textReport) findings(b *strings.Builder, c *suite.Outcome) {
	const indent = "      "
	if c.Reason != "" {
		for _, line := range strings.Split(wording.Text(c.Reason), "\n") {
			b.WriteString(t.hanging(indent+line) + "\n")
		}
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		b.WriteString(t.hanging(indent+title(f)) + "\n")
		for _, line := range differences(f) {
			tone := report.Tone(0)
			switch trimmed := strings.TrimLeft(line, " "); {
			case strings.HasPrefix(trimmed, "+ "):
				tone = report.Bad
			case strings.Contains(line, "- "):
				tone = report.Good
			}
			const lead = indent + "  "
			line = t.hanging(lead + line)[len(lead):]
			if tone != 0 {
				line = t.o.Paint(tone, line)
			}
			b.WriteString(lead + line + "\n")
		}
	}
	if c.Debug != "" {
		b.WriteString(indent + t.o.Paint(report.Quiet, "see it: "+wording.Line(c.Debug)) + "\n")
	}
}

// hanging breaks a line where it is longer than the terminal is wide.
func (t *textReport) hanging(line string) string { return wording.Hanging(line, t.o.Width, 2) }

func (t *textReport) ended(s *suite.Summary) error {
	line := Counts(s)
	tone := report.Good
	if s.Failed+s.Wrong > 0 {
		tone = report.Bad
	}
	if err := t.print("%s\n", t.o.Paint(tone, line)+t.o.Paint(report.Quiet, " "+t.pick("·", "-")+" "+wall(s.Wall)+" "+t.pick("·", "-")+" "+virtual(s.Virtual)+" of virtual time")); err != nil {
		return err
	}
	if t.covered == nil {
		return nil
	}
	if err := t.print("\n"); err != nil {
		return err
	}
	look := report.Look{ASCII: t.o.ASCII, Width: t.o.Width}
	return coverage.Doc(t.covered.Profile, coverage.CoverageOptions{
		Minimum: t.covered.Minimum, Bars: t.covered.Bars, Yes: t.pick("✓", "v"), No: t.pick("×", "x"), Max: 100,
	}, look).Text(t.w, look)
}
