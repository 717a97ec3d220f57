package canvas_test

import (
	"testing"

	"asldb/tui/part/canvas"
)

func TestFrame(t *testing.T) {
	c := newCanvas(16, 5)
	inner := whole(c).Frame(canvas.Frame{Title: "Data", Note: "3/4", Foot: "end", Focused: true})
	inner.Fit(0, 0, 6, 0, "long text")
	inner.Right(inner.W(), 0, 0, "42")
	want := "┏━ Data ━ 3/4 ━┓\n┃long …      42┃\n┃              ┃\n┃              ┃\n┗━━━━━━━━ end ━┛"
	if got := c.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if inner.W() != 14 || inner.H() != 3 {
		t.Errorf("the part inside is %dx%d, want 14x3", inner.W(), inner.H())
	}
	small := newCanvas(1, 1)
	if in := whole(small).Frame(canvas.Frame{Title: "x"}); in.W() != 1 {
		t.Error("an area without room for a border is left as it is")
	}
}

func TestSplit(t *testing.T) {
	c := newCanvas(9, 3)
	left, right := whole(c).Split(3)
	left.Titled(canvas.Frame{})
	right.Titled(canvas.Frame{Focused: true}).Text(0, 0, 0, "right side")
	if got, want := c.String(), "───┬━━━━━\n   │right\n   │     "; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarksAndFills(t *testing.T) {
	const a, b = canvas.Style(1), canvas.Style(2)
	c := newCanvas(4, 3)
	area := whole(c)
	area.Text(0, 0, a, "abcd")
	area.MarkSpan(1, 0, 2)
	area.Text(0, 1, a, "efgh")
	area.Fill(1, b, false)
	area.Row(2).Mark(0)
	if got, want := c.Styles(), "aAAa\nbbbb\n@@@@"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := c.String(), "abcd\nefgh\n    "; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	area.Fill(9, b, true) // outside: nothing
	area.MarkSpan(0, -1, 4)
	area.Area(canvas.Rect{X: 1, Y: 0, W: 2, H: 2}).Blank(0)
	if got, want := c.String(), "a  d\ne  h\n    "; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if cell := c.At(3, 1); cell.Text != "h" || cell.Style != b {
		t.Errorf("got %+v", cell)
	}
}

func TestRect(t *testing.T) {
	r := canvas.Rect{X: 2, Y: 3, W: 4, H: 2}
	if r.Empty() || !(canvas.Rect{W: 3}).Empty() {
		t.Error("only a rectangle without cells is empty")
	}
	if !r.Contains(2, 3) || !r.Contains(5, 4) || r.Contains(6, 4) || r.Contains(2, 5) {
		t.Error("the edges are wrong")
	}
	if got, want := r.Inner(), (canvas.Rect{X: 3, Y: 4, W: 2, H: 0}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	area := newCanvas(5, 5).Area(r)
	if got, want := area.Place(canvas.Rect{X: 1, W: 9, H: 9}), (canvas.Rect{X: 3, Y: 3, W: 2, H: 2}); got != want {
		t.Errorf("a part that leaves the canvas is at %+v, want %+v", got, want)
	}
}

// Marks that combine with a character stay with it, and only so many of them.
func TestCombiningMarks(t *testing.T) {
	c := newCanvas(3, 1)
	text := "e\u0301x"
	for range 100 {
		text += "\u0301"
	}
	whole(c).Text(0, 0, 0, text)
	if got := c.At(0, 0).Text; got != "e\u0301" {
		t.Errorf("got %q", got)
	}
	if n := len(c.At(1, 0).Text); n > 20 {
		t.Errorf("a character has %d bytes of marks", n)
	}
}

// Every sign is one cell wide, but for those that only stand in running text.
func TestGlyphsAreOneCellWide(t *testing.T) {
	for name, g := range map[string]*canvas.Glyphs{"unicode": canvas.Unicode(), "ascii": canvas.ASCII()} {
		left, right := g.More()
		bars := g.Bars()
		for _, sign := range []string{left, right, bars.Work, bars.Wait, bars.Delay, bars.Inside, bars.Instant, bars.Many, bars.Future, bars.Now, bars.Break, bars.Tick,
			g.Current, g.Active, g.Visited, g.Failed, g.Retried, g.Caught, g.Breakpoint, g.BreakpointOff, g.Pointer, g.Warning} {
			if canvas.Width(sign) != 1 {
				t.Errorf("%s: %q is %d cells wide", name, sign, canvas.Width(sign))
			}
		}
	}
}
