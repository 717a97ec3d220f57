package suiterun

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"asldb/engine/coverage"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// TextOptions say how the text report looks.
type TextOptions struct {
	// Look is how the terminal or the file shows it.
	Look report.Look
	// Failed leaves out the cases that passed.
	Failed bool
	// Slowest is how many of the cases that took longest are listed at the end.
	Slowest int
	// Keys is set where the keys of --watch are there.
	Keys bool
	// Progress receives a line that says how far the run is, and is empty at its end; nil: there is none.
	Progress func(line string)
}

// Text returns the report for people.
func Text(w io.Writer, o TextOptions) suite.Sink { return &textReport{w: w, o: o} }

type textReport struct {
	w       io.Writer
	o       TextOptions
	began   suite.Began
	done    int
	summary suite.Summary
	covered *suite.Covered
	timed   []*suite.Outcome // where the slowest are asked for
}

// column is the cell at which the figures of a case begin.
const column = 46

// The levels of the entries below a suite: its cases, what is said about one, and the differences of an expectation.
const (
	levelCase = iota + 1
	_
	levelFinding
	levelDifference
)

// Send implements [suite.Sink].
func (t *textReport) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.Began:
		t.began = e
		if e.ShardHead != nil {
			if err := t.print(report.Para{Text: report.T("shard " + e.Shard), Whole: true}); err != nil {
				return err
			}
		}
		if e.Seed != 0 {
			return t.print(report.Para{Text: report.T(fmt.Sprintf("shuffled; --shuffle=%d repeats this order", e.Seed)),
				Whole: true})
		}
	case suite.SuiteBegan:
		return t.suite(e.Suite)
	case suite.CaseEnded:
		t.done++
		t.summary.Add(e.Case)
		if t.o.Slowest > 0 && e.Case.Kind != suite.Skipped {
			t.timed = append(t.timed, e.Case)
		}
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

// print writes blocks of the report, which the writer of documents escapes.
func (t *textReport) print(blocks ...report.Block) error {
	if t.o.Progress != nil {
		t.o.Progress("")
	}
	return (&report.Doc{Blocks: blocks}).Text(t.w, t.o.Look)
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
	line := report.T(s.File)
	if s.Definition != "" {
		line = append(line, report.In(report.Quiet, t.o.Look.Dot()+s.Definition))
	}
	return t.print(report.Para{Text: line, Whole: true})
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
	right, tone := "", report.Quiet
	switch c.Kind {
	case suite.Passed:
		right = figures(c)
	case suite.OutcomeFailed, suite.Wrong:
		right = fmt.Sprintf("%s:%d", c.Suite.File, c.At.Line)
	case suite.Skipped:
		right = "skipped: " + c.Reason
	case suite.New:
		right, tone = "snapshot new: --update keeps it", report.Caution
		if t.o.Keys {
			right = "snapshot new: u reviews it"
		}
	case suite.Unchecked:
		right, tone = "no expectation", report.Caution
	}
	sign, of := outcomeSign(c.Kind, t.o.Look.ASCII)
	blocks := []report.Block{report.Para{Level: levelCase, Column: column, Whole: true,
		Label: report.T(report.In(of, sign), " "+c.Name), Text: report.T(report.In(tone, right))}}
	if c.Kind.Bad() {
		if c.Runs > 0 {
			blocks = append(blocks, linesAbout(repeats(c))...)
		}
		blocks = append(blocks, findings(c)...)
	}
	for _, line := range c.Noticed {
		blocks = append(blocks, linesAbout(line)...)
	}
	return t.print(blocks...)
}

// figures are the figures of a case that passed: "15 states  1h1m2s virtual".
func figures(c *suite.Outcome) string {
	if c.States == 0 {
		return ""
	}
	line := wording.Count(c.States, "state")
	if c.Runs > 0 {
		line += "  " + wording.Count(c.Runs, "run")
	}
	if c.Virtual > 0 {
		line += "  " + virtual(c.Virtual) + " virtual"
	}
	return line
}

// repeats says which runs of a repeated case failed.
func repeats(c *suite.Outcome) string {
	return fmt.Sprintf("%d of %s failed; with the seed %d:", c.FailedRuns, wording.Count(c.Runs, "run"), c.Seed)
}

// slowest lists the cases that took longest.
func (t *textReport) slowest() (blocks []report.Block) {
	slices.SortStableFunc(t.timed, func(a, b *suite.Outcome) int { return cmp.Compare(b.Wall, a.Wall) })
	shown := t.timed[:min(t.o.Slowest, len(t.timed))]
	if len(shown) == 0 {
		return nil
	}
	blocks = append(blocks, report.Para{Whole: true, Text: report.T("slowest:")})
	for _, c := range shown {
		blocks = append(
			blocks,
			report.Para{Level: levelCase, Column: column, Whole: true, Label: report.T(wall(c.Wall) + "  " + c.Name),
				Text: report.T(report.In(report.Quiet, place(c.Suite.File, c.At.Line)))},
		)
	}
	return blocks
}

// linesAbout are the lines of a text about a case.
func linesAbout(text string) (blocks []report.Block) {
	for line := range strings.SplitSeq(text, "\n") {
		blocks = append(blocks, lineAbout(line))
	}
	return blocks
}

func lineAbout(line string) report.Block {
	return report.Para{Level: levelFinding, Hang: hang, Text: report.T(line)}
}

// hang is by how many cells the further lines of a broken one are indented.
const hang = 2

func findings(c *suite.Outcome) (blocks []report.Block) {
	if c.Reason != "" {
		blocks = linesAbout(c.Reason)
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		blocks = append(blocks, lineAbout(title(f)))
		for _, line := range differences(f) {
			trimmed, tone := strings.TrimLeft(line, " "), report.Tone(0)
			switch {
			case strings.HasPrefix(trimmed, "+ "):
				tone = report.Bad
			case strings.Contains(line, "- "):
				tone = report.Good
			}
			blocks = append(blocks, report.Para{Level: levelDifference, Hang: len(line) - len(trimmed) + hang,
				Text: report.T(report.In(tone, line))})
		}
	}
	if c.Debug != "" {
		blocks = append(blocks, report.Para{Level: levelFinding, Whole: true,
			Text: report.T(report.In(report.Quiet, "see it: "+c.Debug))})
	}
	return blocks
}

func (t *textReport) ended(s *suite.Summary) error {
	tone := report.Good
	if s.Failed+s.Wrong > 0 {
		tone = report.Bad
	}
	err := t.print(append(t.slowest(), report.Para{Whole: true, Text: report.T(report.In(tone, Counts(s)),
		report.In(report.Quiet, t.o.Look.Dot()+wall(s.Wall)+t.o.Look.Dot()+virtual(s.Virtual)+" of virtual time"))})...)
	if err != nil || t.covered == nil {
		return err
	}
	if _, err := io.WriteString(t.w, "\n"); err != nil {
		return err
	}
	look := t.o.Look
	return coverage.Doc(t.covered.Profile, coverage.CoverageOptions{
		Minimum: t.covered.Minimum, Bars: t.covered.Bars, Below: t.covered.Below,
		Max: 100,
	}, look).Text(t.w, look)
}
