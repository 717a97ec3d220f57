package view

import "testing"

func TestHistory(t *testing.T) {
	all := Histories{}
	h := all.Of("[PATH]")
	if _, ok := h.Older("typed"); ok {
		t.Error("an empty history has an older line")
	}
	for _, line := range []string{"$.a", "$.b", "$.a"} {
		h.Add(line)
	}
	for _, want := range []string{"$.a", "$.b"} {
		if got, ok := h.Older("typed"); !ok || got != want {
			t.Errorf("the older line is %q, want %q", got, want)
		}
	}
	if _, ok := h.Older("typed"); ok {
		t.Error("a line that was added twice is there twice")
	}
	for _, want := range []string{"$.a", "typed"} {
		if got, ok := h.Newer(); !ok || got != want {
			t.Errorf("the newer line is %q, want %q", got, want)
		}
	}
	if _, ok := h.Newer(); ok {
		t.Error("after the line that is typed comes another one")
	}
	if h.Older("typed"); all.Of("[PATH]") != h || h.at != 0 {
		t.Error("a prompt that opens shows an older line")
	}
	for i := range 2 * maxLines {
		h.Add(string(rune('a' + i)))
	}
	if len(h.lines) != maxLines {
		t.Errorf("the history has %d lines", len(h.lines))
	}
}
