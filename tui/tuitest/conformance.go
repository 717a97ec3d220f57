package tuitest

import (
	"testing"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// mostWords bounds the words that [Conforms] looks for.
const mostWords = 40

// Conforms checks a view, with the abilities that it has, against the contract of [view.View]: it is drawn in any size,
// twice in the same way; a key without a meaning changes nothing; each binding can be carried out or says why not; and
// the words of a finder are found.
func Conforms(t *testing.T, v view.View) {
	t.Helper()
	for _, size := range [][2]int{{1, 1}, {20, 3}, {40, 10}, {80, 24}, {200, 60}} {
		before := drawn(v, size[0], size[1])
		if after := drawn(v, size[0], size[1]); after != before {
			t.Errorf("%v: drawn again it is\n%s\nand was\n%s", size, after, before)
		}
	}
	before := drawn(v, 80, 24)
	v.Handle(keys.Press{Name: "f63"})
	if pane, ok := v.(view.Pane); ok {
		if pane.Handle(keys.Press{Name: "f63"}) {
			t.Error("a key without a meaning is taken")
		}
		pane.Refresh()
	}
	if after := drawn(v, 80, 24); after != before {
		t.Errorf("a key without a meaning makes\n%s\nof\n%s", after, before)
	}
	for _, b := range v.Bindings() {
		if b.Run == nil || b.Action == keys.None {
			t.Errorf("the binding %+v does nothing", b)
		}
		_ = b.Reason()
	}
	if f, ok := v.(view.Finder); ok {
		conformsAsFinder(t, f)
	}
	if w, ok := v.(view.Writer); ok && w.Writes() {
		if v.Handle(keys.Press{Text: "ab"}); drawn(v, 80, 24) == before {
			t.Error("it takes a text and shows nothing of it")
		}
	}
}

// conformsAsFinder checks that the words of a view are found, and others are not.
func conformsAsFinder(t *testing.T, f view.Finder) {
	t.Helper()
	left := mostWords
	for word := range f.Words() {
		if _, ok := f.Find(word, 1); !ok {
			t.Errorf("the word %q is not found", word)
		}
		if left--; left == 0 {
			break
		}
	}
	if _, ok := f.Find("\x00 in no text", -1); ok {
		t.Error("a text that is nowhere is found")
	}
}

// drawn returns a view of w by h cells.
func drawn(v view.View, w, h int) string {
	if s, ok := v.(view.Sized); ok {
		s.SetSize(w, h)
	}
	c := canvas.New(w, h, canvas.Unicode())
	var mouse widget.Spots
	v.Draw(mouse.Frame(c.Area(canvas.Rect{W: w, H: h}), true))
	return c.String()
}
