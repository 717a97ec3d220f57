package prose

import (
	"reflect"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
)

func render(c *canvas.Canvas) string {
	return c.Render(func(canvas.Style) (before, after string) { return "", "" })
}

// TestDraw: long paragraphs are broken and indented, those without a break are cut, and the cursor scrolls.
func TestDraw(t *testing.T) {
	var n Notes
	n.Set([]Paragraph{
		{Style: canvas.Plain, Text: "a sentence that is longer than the line", Indent: 2}, {Text: "a line of source that is not broken", Indent: NoWrap},
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
	path := explain.Span{Kind: explain.KindPath, Text: "$.a"}
	text := explain.Text{
		{Tone: explain.ToneBad, Sign: explain.SignError, Spans: []explain.Span{{Text: "failed at "}, path}},
		{Label: "found", Level: 1, Spans: []explain.Span{path, {Text: " is "}, {Kind: explain.KindValue, Value: value.Must("[1]")}}},
		{Number: 2, Spans: []explain.Span{{Text: "the second"}}},
		{Spans: []explain.Span{{Kind: explain.KindCode, Text: "$.a"}}},
		{Level: 1, Spans: []explain.Span{{Kind: explain.KindSign, Sign: explain.SignGives}, {Kind: explain.KindState, Text: "Next"}}},
	}
	want := []Paragraph{
		{Style: canvas.Bad, Text: "× failed at $.a", Indent: 2},
		{Style: canvas.Plain, Text: "  found  $.a is [1]", Indent: 6, Spans: []Span{{From: 9, To: 12, Style: canvas.Key}}},
		{Style: canvas.Plain, Text: "2 the second", Indent: 4}, {Style: canvas.Plain, Text: "$.a", Indent: 2},
		{Style: canvas.Plain, Text: "  →Next", Indent: 6, Spans: []Span{{From: 5, To: 9, Style: canvas.Strong}}},
	}
	if got := Of(text, Writer(canvas.Unicode(), 20)); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestSpans: a part of a sentence has its style on every line that it is broken into, whatever blanks the lines have.
func TestSpans(t *testing.T) {
	const text = "  it  takes  $.ö['two words'] and ends"
	from := strings.Index(text, "$")
	to := strings.Index(text, " and")
	for _, width := range []int{60, 24, 16, 14} {
		var n Notes
		n.Set([]Paragraph{{Style: canvas.Plain, Text: text, Indent: 2, Spans: []Span{{From: from, To: to, Style: canvas.Key}}}})
		c := canvas.New(width, 8, canvas.Unicode())
		n.Layout(width)
		n.Draw(c.Area(canvas.Rect{W: width, H: 8}), 0, 8, false, false)
		styled, plain := "", ""
		for y := range 8 {
			for x := range width {
				if cell := c.At(x, y); cell.Style == canvas.Key {
					styled += cell.Text
				} else if cell.Style == canvas.Plain {
					plain += cell.Text
				}
			}
		}
		if got := strings.ReplaceAll(styled, " ", ""); got != "$.ö['twowords']" {
			t.Errorf("in %d cells the style is %q's", width, got)
		}
		if got := strings.ReplaceAll(plain, " ", ""); got != "ittakesandends" {
			t.Errorf("in %d cells %q is plain", width, got)
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

// TestLinks: a part that refers to an event or to the definition is a link on every line that has some of it, in any tone.
func TestLinks(t *testing.T) {
	place := &asl.Place{}
	text := explain.Text{
		{Tone: explain.ToneBad, Spans: []explain.Span{{Text: "it began in "}, {Kind: explain.KindState, Text: "a state", Event: 7}}},
		{Tone: explain.ToneQuiet, Spans: []explain.Span{{Text: "x.json:3:5", Place: place}}},
		{Spans: []explain.Span{{Text: "no link"}}},
	}
	var n Notes
	n.Set(Of(text, Writer(canvas.Unicode(), 20)))
	n.Layout(18)
	c := canvas.New(18, 8, canvas.Unicode())
	n.Draw(c.Area(canvas.Rect{W: 18, H: 8}), 1, 8, true, true)
	want := []Link{{13, 1, 1, Target{Event: 7}}, {1, 2, 5, Target{Event: 7}}, {1, 3, 10, Target{Place: place}}}
	if !reflect.DeepEqual(n.Links(), want) {
		t.Errorf("the links are %+v, want %+v", n.Links(), want)
	}
	if !n.Reachable() {
		t.Error("the cursor cannot go to the links")
	}
	n.Enter(true)
	for line, want := range []Target{{Event: 7}, {Event: 7}, {Place: place}, {}} {
		if got := n.Target(); got != want {
			t.Errorf("line %d leads to %+v, want %+v", line, got, want)
		}
		n.Move(1)
	}
}
