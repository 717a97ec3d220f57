package report_test

import (
	"testing"

	"asldb/internal/report"
)

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
