package reports

import (
	"fmt"
	"io"
	"strings"

	"asldb/internal/paint"
	"asldb/internal/report"
	"asldb/internal/suite/result"
	"asldb/internal/visible"
)

// TextOptions say how the text report looks.
type TextOptions struct {
	// ASCII draws signs with ASCII characters.
	ASCII bool
	// Paint returns a text in the colour of a tone; nil: there are no colours.
	Paint paint.Painter
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
func Text(w io.Writer, o TextOptions) result.Sink {
	if o.Paint == nil {
		o.Paint = paint.None
	}
	return &text{w: w, o: o}
}

type text struct {
	w       io.Writer
	o       TextOptions
	began   result.Began
	done    int
	summary result.Summary
	covered *result.Covered
}

// column is where the figures of a case stand.
const column = 42

// Send implements [result.Sink].
func (t *text) Send(event result.Event) error {
	switch e := event.(type) {
	case result.Began:
		t.began = e
		if e.Seed != 0 {
			return t.print("shuffled; --shuffle=%d repeats this order\n", e.Seed)
		}
	case result.SuiteBegan:
		return t.suite(e.Suite)
	case result.CaseEnded:
		t.done++
		t.summary.Add(e.Case)
		t.progress()
		return t.caseEnded(e.Case)
	case result.SuiteEnded:
	case result.Covered:
		t.covered = &e
	case result.Ended:
		return t.ended(&e.Summary)
	}
	return nil
}

func (t *text) print(format string, args ...any) error {
	t.clear()
	_, err := fmt.Fprintf(t.w, format, args...)
	return err
}

func (t *text) clear() {
	if t.o.Progress != nil {
		t.o.Progress("")
	}
}

func (t *text) progress() {
	if t.o.Progress == nil || t.done == t.began.Cases {
		return
	}
	line := fmt.Sprintf("%d of %d cases", t.done, t.began.Cases)
	if bad := t.summary.Failed + t.summary.Wrong; bad > 0 {
		line += fmt.Sprintf(", %d failed", bad)
	}
	t.o.Progress(line)
}

func (t *text) suite(s *result.Suite) error {
	line := visible.Line(s.File)
	if s.Definition != "" {
		line += t.o.Paint(paint.Quiet, " "+t.pick("·", "-")+" "+visible.Line(s.Definition))
	}
	return t.print("%s\n", line)
}

func (t *text) pick(unicode, ascii string) string {
	if t.o.ASCII {
		return ascii
	}
	return unicode
}

// sign returns the sign of an outcome in its tone.
func (t *text) sign(k result.Kind) string {
	sign, tone := signOf(k, t.o.ASCII)
	return t.o.Paint(tone, sign)
}

// signOf returns the sign of an outcome and its tone. The signs differ by more than colour.
func signOf(k result.Kind, ascii bool) (sign string, tone paint.Tone) {
	switch k {
	case result.Passed:
		if ascii {
			return "v", paint.Good
		}
		return "✓", paint.Good
	case result.Failed:
		if ascii {
			return "x", paint.Bad
		}
		return "×", paint.Bad
	case result.Wrong:
		return "!", paint.Bad
	case result.Skipped:
		return "-", paint.Quiet
	case result.New:
		return "~", paint.Caution
	case result.Unchecked:
		return "?", paint.Caution
	}
	return " ", paint.Quiet
}

func (t *text) caseEnded(c *result.Case) error {
	if t.o.Failed && c.Kind == result.Passed {
		return nil
	}
	name := visible.Line(c.Name)
	var b strings.Builder
	fmt.Fprintf(&b, "  %s %s", t.sign(c.Kind), name)
	right, tone := "", paint.Quiet
	switch c.Kind {
	case result.Passed:
		right = figures(c)
	case result.Failed, result.Wrong:
		right = fmt.Sprintf("%s:%d", visible.Line(c.Suite.File), c.At.Line)
	case result.Skipped:
		right = "skipped: " + visible.Line(c.Reason)
	case result.New:
		right, tone = "snapshot new: --update keeps it", paint.Caution
		if t.o.Keys {
			right = "snapshot new: u reviews it"
		}
	case result.Unchecked:
		right, tone = "no expectation", paint.Caution
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
	return t.print("%s", b.String())
}

// figures are those of a case that passed: "15 states  1h1m2s virtual".
func figures(c *result.Case) string {
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

func (t *text) findings(b *strings.Builder, c *result.Case) {
	const indent = "      "
	if c.Reason != "" {
		for _, line := range strings.Split(visible.Text(c.Reason), "\n") {
			b.WriteString(t.hanging(indent+line) + "\n")
		}
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		b.WriteString(t.hanging(indent+title(f)) + "\n")
		for _, line := range differences(f) {
			tone := paint.Tone(0)
			switch trimmed := strings.TrimLeft(line, " "); {
			case strings.HasPrefix(trimmed, "+ "):
				tone = paint.Bad
			case strings.Contains(line, "- "):
				tone = paint.Good
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
		b.WriteString(indent + t.o.Paint(paint.Quiet, "see it: "+visible.Line(c.Debug)) + "\n")
	}
}

// hanging breaks a line where it is longer than the terminal is wide.
func (t *text) hanging(line string) string { return visible.Hanging(line, t.o.Width, 2) }

func (t *text) ended(s *result.Summary) error {
	line := Counts(s)
	tone := paint.Good
	if s.Failed+s.Wrong > 0 {
		tone = paint.Bad
	}
	if err := t.print("%s\n", t.o.Paint(tone, line)+t.o.Paint(paint.Quiet, " "+t.pick("·", "-")+" "+wall(s.Wall)+" "+t.pick("·", "-")+" "+virtual(s.Virtual)+" of virtual time")); err != nil {
		return err
	}
	if t.covered == nil {
		return nil
	}
	if err := t.print("\n"); err != nil {
		return err
	}
	return report.Coverage(t.w, t.covered.Profile, report.CoverageOptions{
		Minimum: t.covered.Minimum, Yes: t.pick("✓", "v"), No: t.pick("×", "x"), Max: 100,
	})
}
