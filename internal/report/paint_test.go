package report_test

import (
	"testing"

	internalreport "asldb/internal/report"
)

func TestPainters(t *testing.T) {
	for tone, want := range map[internalreport.Tone]string{
		0: "a", internalreport.Good: "\x1b[32ma\x1b[0m", internalreport.Bad: "\x1b[31ma\x1b[0m", internalreport.Caution: "\x1b[33ma\x1b[0m", internalreport.Quiet: "\x1b[2ma\x1b[0m",
	} {
		if got := internalreport.Terminal(tone, "a"); got != want {
			t.Errorf("tone %d: %q, want %q", tone, got, want)
		}
		if got := internalreport.None(tone, "a"); got != "a" {
			t.Errorf("tone %d: %q without colours", tone, got)
		}
	}
}
