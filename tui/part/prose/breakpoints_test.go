package prose

import (
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

func TestList(t *testing.T) {
	s := debug.New(runs.Machine(`{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","End":true}}}`), debug.Options{Input: value.Must(`{"n":7}`)})
	l := New(s.Breakpoints)
	g := canvas.ASCII()
	if l.Selected() != nil || l.Need() != 0 {
		t.Error("an empty list has breakpoints")
	}
	for _, spec := range []string{"A log n is {$.n}", "A log m is {$.m.x}", "B"} {
		if _, err := s.Breakpoints().Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	s.Breakpoints().All()[2].Enabled = false
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if len(l.Messages()) == 0 || l.Messages()[0].Text != "n is 7" {
		t.Fatalf("the messages are %v", l.Messages())
	}
	c := canvas.New(60, 6, g)
	l.Draw(new(widget.Spots).Frame(c.Area(canvas.Rect{W: 60, H: 6}), true))
	frame := c.String()
	for _, want := range []string{g.Breakpoint + " 1 A", "n is 7", "1 hit", g.Failed, g.BreakpointOff + " 3 B", "off"} {
		if !strings.Contains(frame, want) {
			t.Errorf("%q is not in the list:\n%s", want, frame)
		}
	}
	if got := l.Need(); got != 5 {
		t.Errorf("the list has %d lines, want 5", got)
	}
	if wrapped, ok := l.Find("b", 1); !ok || wrapped || l.Selected().ID != 3 {
		t.Errorf("found %v, beyond the end %v: %v", ok, wrapped, l.Selected())
	}
	if _, ok := l.Find("nowhere", 1); ok {
		t.Error("a text that is nowhere was found")
	}
	s.Breakpoints().Remove(3)
	if b := l.Selected(); b == nil || b.ID != 2 {
		t.Errorf("%v is selected", b)
	}
}
