package report_test

import (
	"strings"
	"testing"

	"asldb/internal/report"
)

// TestLinks: a link is around each part of its words, also where a line is broken, and only where the look has links.
func TestLinks(t *testing.T) {
	d := &report.Doc{Blocks: []report.Block{report.Para{Text: report.T(
		"the place of it [", report.Span{Text: "a rule", Link: "https://x/"}, "]",
	)}}}
	from, to := "\x1b]8;;https://x/\x1b\\", "\x1b]8;;\x1b\\"
	for want, look := range map[string]report.Look{
		"the place of it [a rule]\n":                                              {Colour: true},
		"the place of it [" + from + "a rule" + to + "]\n":                        {Links: true},
		"the place of it [" + from + "a" + to + "\n" + from + "rule" + to + "]\n": {Links: true, Width: 20},
	} {
		var got strings.Builder
		if err := d.Text(&got, look); err != nil || got.String() != want {
			t.Errorf("%+v: %q, want %q", look, got.String(), want)
		}
	}
}

func TestPainters(t *testing.T) {
	for tone, want := range map[report.Tone]string{
		0: "a", report.Good: "\x1b[32ma\x1b[0m", report.Bad: "\x1b[31ma\x1b[0m", report.Caution: "\x1b[33ma\x1b[0m",
		report.Quiet: "\x1b[2ma\x1b[0m",
	} {
		if got := report.Terminal(tone, "a"); got != want {
			t.Errorf("tone %d: %q, want %q", tone, got, want)
		}
		if got := report.None(tone, "a"); got != "a" {
			t.Errorf("tone %d: %q without colours", tone, got)
		}
	}
}
