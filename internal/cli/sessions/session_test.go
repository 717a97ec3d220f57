package sessions

import (
	"testing"

	"asldb/engine/debug"
)

func TestParseClock(t *testing.T) {
	for text, want := range map[string]debug.Clock{
		"skip": {Mode: debug.ClockSkip}, "real": {Mode: debug.ClockPaced, Factor: 1},
		"hand": {Mode: debug.ClockByHand}, "x60": {Mode: debug.ClockPaced, Factor: 60}, "x0.5": {Mode: debug.ClockPaced, Factor: 0.5},
	} {
		if got, err := parseClock(text); err != nil || got != want {
			t.Errorf("parseClock(%q) = %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "60", "x-1", "x0", "xInf", "xNaN", "x1e10", "X60", "fast"} {
		if _, err := parseClock(text); err == nil {
			t.Errorf("parseClock(%q): no error", text)
		}
	}
}
