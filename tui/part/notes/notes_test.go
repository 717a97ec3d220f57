package notes

import (
	"strings"
	"testing"

	"asldb/engine/explain"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
)

func render(c *canvas.Canvas) string {
	return c.Render(func(canvas.Style) (before, after string) { return "", "" })
}

// TestDraw: long paragraphs are broken and indented, those without a break are cut, and the cursor scrolls.
func TestDraw(t *testing.T) {
	var n Notes
	n.Set([]Paragraph{
		{Style: theme.Plain, Text: "a sentence that is longer than the line", Indent: 2}, {Text: "a line of source that is not broken", Indent: NoWrap},
		{}, {Text: "the third"},
	})
	c := canvas.New(24, 8, canvas.Unicode())
	area := c.Area(canvas.Rect{W: 24, H: 8})
	n.Layout(24)
	if y := n.Draw(area, 1, 8, false, true); y != 5 || n.Below() != 5 {
		t.Errorf("the notes end at row %d", y)
	}
	for _, want := range []string{" a sentence that is", "   longer than the line", " a line of source that…", " the third"} {
		if !strings.Contains(render(c), want) {
			t.Errorf("there is no %q in\n%s", want, render(c))
		}
	}
	if n.Reachable() {
		t.Error("the cursor has no reason to go into the notes")
	}
	c.Clear()
	n.Draw(area, 0, 2, false, true)
	if n.Enter(false); n.Move(1) {
		t.Error("the third line is below the last one")
	}
	if n.Draw(area, 0, 2, true, true); !n.Reachable() || !strings.Contains(render(c), "▸a line of source") {
		t.Errorf("the cursor is not on the screen:\n%s", render(c))
	}
	if ok, same := n.SelectAt(0); !ok || same || n.cursor != 1 {
		t.Errorf("a click selects line %d", n.cursor)
	}
	if ok, same := n.SelectAt(0); !ok || !same {
		t.Error("a second click is not at the cursor")
	}
	if ok, _ := n.SelectAt(5); ok {
		t.Error("a click below the notes selects a line")
	}
	n.Enter(true)
	if !n.Move(9) || n.Fold() || n.Empty() {
		t.Error("moving far leads below the last line, and nothing folds")
	}
}

func TestOf(t *testing.T) {
	text := explain.Text{
		{Tone: explain.ToneBad, Sign: explain.SignError, Spans: []explain.Span{{Text: "failed"}}},
		{Label: "found", Level: 1, Spans: []explain.Span{{Text: "an array"}}},
		{Number: 2, Spans: []explain.Span{{Text: "the second"}}},
		{Spans: []explain.Span{{Kind: explain.KindCode, Text: "$.a"}}},
		{Level: 1, Spans: []explain.Span{{Kind: explain.KindSign, Sign: explain.SignGives}}},
	}
	for i, want := range []Paragraph{
		{theme.Bad, "✗ failed", 2}, {theme.Plain, "  found  an array", 9}, {theme.Plain, "2 the second", 4}, {theme.Plain, "$.a", 2}, {theme.Plain, "  →", 6},
	} {
		if got := Of(text, prose.Writer(canvas.Unicode(), 20))[i]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestFold(t *testing.T) {
	var n Notes
	paragraphs := []Paragraph{{Text: "head"}}
	for range many {
		paragraphs = append(paragraphs, Paragraph{Text: "  part"}, Paragraph{Text: "    detail"})
	}
	n.Set(paragraphs)
	n.layout(40)
	if len(n.lines) != 1+many || n.lines[1].hidden != 1 {
		t.Fatalf("%d lines, the second hides %d", len(n.lines), n.lines[1].hidden)
	}
	n.cursor = 1
	if !n.Fold() || len(n.lines) != 2+many || n.lines[2].text != "detail" {
		t.Errorf("unfolded there are %d lines", len(n.lines))
	}
	n.cursor = 2 // the detail: its part is folded
	if !n.Fold() || n.cursor != 1 {
		t.Errorf("the cursor is at %d", n.cursor)
	}
	n.cursor = 0
	if !n.Fold() || len(n.lines) != 1 || n.lines[0].hidden != 2*many {
		t.Errorf("everything folded: %d lines", len(n.lines))
	}
}
