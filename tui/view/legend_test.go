package view

import (
	"testing"

	"asldb/tui/part/canvas"
)

// A sign has one meaning within a pane and in all of them.
func TestLegend(t *testing.T) {
	for name, g := range map[string]*canvas.Glyphs{"Unicode": canvas.Unicode(), "ASCII": canvas.ASCII()} {
		meanings := make(map[string]string)
		for p := range Count {
			seen := make(map[string]bool)
			for _, m := range Legend(p, g) {
				if seen[m.Sign] || m.Sign == "" || m.Means == "" {
					t.Errorf("%s, pane %d: %q is there twice, or says nothing", name, p, m)
				}
				if seen[m.Sign] = true; meanings[m.Sign] != "" && meanings[m.Sign] != m.Means {
					t.Errorf("%s: %q means %s and %s", name, m.Sign, meanings[m.Sign], m.Means)
				}
				meanings[m.Sign] = m.Means
			}
		}
	}
}
