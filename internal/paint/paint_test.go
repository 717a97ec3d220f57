package paint_test

import (
	"testing"

	"asldb/internal/paint"
)

func TestPainters(t *testing.T) {
	for tone, want := range map[paint.Tone]string{
		0: "a", paint.Good: "\x1b[32ma\x1b[0m", paint.Bad: "\x1b[31ma\x1b[0m", paint.Caution: "\x1b[33ma\x1b[0m", paint.Quiet: "\x1b[2ma\x1b[0m",
	} {
		if got := paint.Terminal(tone, "a"); got != want {
			t.Errorf("tone %d: %q, want %q", tone, got, want)
		}
		if got := paint.None(tone, "a"); got != "a" {
			t.Errorf("tone %d: %q without colours", tone, got)
		}
	}
}
