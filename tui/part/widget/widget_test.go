package widget

import (
	"strings"
	"testing"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

func screen(w, h int) (*canvas.Canvas, canvas.Area) {
	c := canvas.New(w, h, canvas.ASCII())
	return c, c.Area(canvas.Rect{W: w, H: h})
}

func TestWindowAndScrollbar(t *testing.T) {
	c, area := screen(20, 9)
	inner := Window(area, 12, 6, "T", "f")
	if inner.W() != 10 || inner.H() != 4 {
		t.Errorf("the inside is %dx%d", inner.W(), inner.H())
	}
	Scrollbar(inner, 0, 3)
	if strings.Contains(c.String(), canvas.ASCII().ScrollThumb+canvas.ASCII().Box.Vertical) {
		t.Errorf("a thumb where all rows are on the screen:\n%s", c)
	}
	for _, top := range []int{0, 8} {
		c, area := screen(3, 4)
		Scrollbar(area, top, 12)
		rows := strings.Split(c.String(), "\n")
		at := 0
		if top > 0 {
			at = 3
		}
		for y, row := range rows {
			if has := strings.Contains(row, canvas.ASCII().ScrollThumb); has != (y == at) {
				t.Errorf("top %d, row %d: %q", top, y, row)
			}
		}
	}
	if Border(true) == Border(false) {
		t.Error("the focus does not show in the border")
	}
}

func TestFindFrom(t *testing.T) {
	names := []string{"Ab", "cd", "AB"}
	fits := func(i int) bool { return ContainsFold(names[i], "ab") }
	for _, c := range []struct {
		selected, by, at int
		wrapped          bool
	}{{0, 1, 2, false}, {2, 1, 0, true}, {0, -1, 2, true}, {-1, 1, 0, false}} {
		if at, wrapped, ok := FindFrom(c.selected, len(names), c.by, fits); at != c.at || wrapped != c.wrapped || !ok {
			t.Errorf("from %d by %d: %d, %t, %t", c.selected, c.by, at, wrapped, ok)
		}
	}
	if _, _, ok := FindFrom(0, 3, 1, func(int) bool { return false }); ok {
		t.Error("something is found that is not there")
	}
}

func TestLine(t *testing.T) {
	key := func(r rune) keys.Press {
		return keys.Press{Text: string(r)}
	}
	l := NewLine()
	l.Suggest("old")
	c, area := screen(70, 1)
	if l.Draw(area, true); !strings.Contains(c.String(), "old   "+AboutSuggestion) {
		t.Errorf("a suggestion is drawn as %q", c)
	}
	if l.Press(key('n')); l.Value() != "n" {
		t.Errorf("typing gives %q", l.Value())
	}
	l.Suggest("old")
	l.Press(keys.Press{Name: "backspace"})
	if l.Value() != "ol" || l.Suggested {
		t.Errorf("backspace leaves %q", l.Value())
	}
	l.Set("a long text that does not fit")
	c, area = screen(8, 1)
	if l.Draw(area, true); !strings.Contains(c.String(), "not fit") {
		t.Errorf("the cursor is not in view: %q", c)
	}
}
