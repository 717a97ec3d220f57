package screen

import (
	"testing"

	"asldb/engine"
	"asldb/internal/testkit/runs"
	"asldb/tui/tuitest"
)

// TestPlantedMistakes: the screen has the sentence of the other faces on each planted mistake.
func TestPlantedMistakes(t *testing.T) {
	for _, p := range runs.Plants {
		s := tuitest.Session(t, p.Definition, p.Input, runs.ByState{"A": p.Answers})
		d := drive(t, s, 200, 60, Options{}).press("c")
		if s.Status() != engine.Failed {
			d.press("c")
		}
		d.sees(p.Said)
	}
}
