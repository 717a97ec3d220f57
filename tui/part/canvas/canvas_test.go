package canvas_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"
	"pgregory.net/rapid"

	"asldb/tui/part/canvas"
)

func newCanvas(w, h int) *canvas.Canvas { return canvas.New(w, h, canvas.Unicode()) }

func whole(c *canvas.Canvas) canvas.Area {
	w, h := c.Size()
	return c.Area(canvas.Rect{W: w, H: h})
}

func TestTextIsClippedToItsArea(t *testing.T) {
	c := newCanvas(8, 3)
	area := c.Area(canvas.Rect{X: 2, Y: 1, W: 4, H: 1})
	if end := area.Text(-1, 0, 0, "abcdefgh"); end != 7 {
		t.Errorf("the text ends at %d, want 7", end)
	}
	area.Text(0, -1, 0, "above")
	area.Text(0, 1, 0, "below")
	if got, want := c.String(), "        \n  bcde  \n        "; got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

func TestControlCharactersNeverReachTheFrame(t *testing.T) {
	c := newCanvas(50, 1)
	whole(c).Text(0, 0, 0, "a\x1b[31mb\tc\x00\u009b\u202e\xff")
	got := c.String()
	if want := `a<U+001B>[31mb\tc<U+0000><U+009B><U+202E>` + "\uFFFD        "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWideCharacters(t *testing.T) {
	c := newCanvas(6, 1)
	area := whole(c)
	area.Text(0, 0, 0, "日本語")
	if got := c.String(); got != "日本語" {
		t.Errorf("got %q", got)
	}
	area.Text(1, 0, 0, "x") // breaks the first character: its other half becomes a blank
	if got := c.String(); got != " x本語" {
		t.Errorf("overwritten: got %q", got)
	}
	c.Clear()
	area.Text(5, 0, 0, "語") // no space for both halves
	if got := c.String(); got != "      " {
		t.Errorf("at the edge: got %q", got)
	}
}

func TestEmojiTakeTwoCells(t *testing.T) {
	for text, want := range map[string]int{
		"👩\u200d👧": 2, "❤\ufe0f": 2, "👍🏽": 2, "1\ufe0f\u20e3": 2, "a1\ufe0f\u20e3b": 4, "e\u0301": 1, "日\u200d": 10, "12": 2,
	} {
		if got := canvas.Width(text); got != want {
			t.Errorf("%+q is %d cells wide, want %d", text, got, want)
		}
	}
	c := newCanvas(8, 1)
	whole(c).Text(0, 0, 0, "a👩\u200d👧b1\ufe0f\u20e3cd")
	if got, want := c.String(), "a👩\u200d👧b1\ufe0f\u20e3cd"; got != want {
		t.Errorf("got %+q, want %+q", got, want)
	}
}

// TestEmojiKeepTheirPlace renders emoji for terminals of both kinds: those that show an emoji in two cells, and those that
// show its parts next to each other. The text behind it must be in its own column in both.
func TestEmojiKeepTheirPlace(t *testing.T) {
	for _, emoji := range []string{"👩\u200d👧", "❤\ufe0f", "1\ufe0f\u20e3", "👍🏽", "🧑🏻\u200d❤\ufe0f\u200d💋\u200d🧑🏼"} {
		c := newCanvas(9, 1)
		area := whole(c)
		area.Text(0, 0, 0, "ab"+emoji+"cd")
		area.Text(7, 0, 0, emoji)
		rendered := c.Render(func(canvas.Style) (string, string) { return "", "" })
		if got := ansi.StringWidth(rendered); got != 9 {
			t.Errorf("%+q: the row is measured as %d cells, want 9: %q", emoji, got, rendered)
		}
		emulator := vt10x.New(vt10x.WithSize(40, 1)) // it shows every part in its own cell
		if _, err := emulator.Write([]byte(strings.Repeat("?", 12) + "\r" + rendered)); err != nil {
			t.Fatal(err)
		}
		for x, want := range map[int]rune{0: 'a', 1: 'b', 4: 'c', 5: 'd', 6: ' '} {
			if got := emulator.Cell(x, 0).Char; got != want {
				t.Errorf("%+q: column %d has %q, want %q", emoji, x, got, want)
			}
		}
		if cursor := emulator.Cursor(); cursor.X != 9 {
			t.Errorf("%+q: the cursor is in column %d, want 9", emoji, cursor.X)
		}
	}
}

func TestFit(t *testing.T) {
	for _, test := range []struct {
		got, want string
	}{
		{canvas.Fit("abcdef", 6, "…"), "abcdef"},
		{canvas.Fit("abcdef", 4, "…"), "abc…"},
		{canvas.Fit("日本語", 4, "…"), "日…"},
		{canvas.Fit("abc", 0, "…"), ""},
		{canvas.FitMiddle("Order/Branches[1]/Charge", 11, "…"), "Order…harge"},
		{strings.Join(canvas.Wrap("the quick brown fox", 9), "|"), "the quick|brown fox"},
		{strings.Join(canvas.Wrap("abcdefgh", 3), "|"), "abc|def|gh"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestStylesAndRender(t *testing.T) {
	c := newCanvas(4, 1)
	area := whole(c)
	area.Text(0, 0, 1, "ab")
	area.MarkSpan(1, 0, 2)
	if got := c.Styles(); got != "aA@ " {
		t.Errorf("styles: got %q", got)
	}
	got := c.Render(func(s canvas.Style) (string, string) {
		if s == 1 {
			return "<", ">"
		}
		return "", ""
	})
	if got != "<a>b  " {
		t.Errorf("render: got %q", got)
	}
}

// TestAnyTextGivesExactRows paints arbitrary text anywhere and checks that every row has exactly the
// canvas's width by the one measure.
func TestAnyTextGivesExactRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 30).Draw(t, "w"), rapid.IntRange(1, 5).Draw(t, "h")
		c := newCanvas(w, h)
		for range rapid.IntRange(1, 6).Draw(t, "texts") {
			area := c.Area(canvas.Rect{
				X: rapid.IntRange(-3, w).Draw(t, "x"), Y: rapid.IntRange(-1, h).Draw(t, "y"),
				W: rapid.IntRange(0, w).Draw(t, "aw"), H: rapid.IntRange(0, h).Draw(t, "ah"),
			})
			text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a1日語é👩❤\x{200d}\x{fe0f}\x{20e3}\x{1f3fd}\x{202e}]{0,12}`)).Draw(t, "text")
			area.Text(rapid.IntRange(-4, w).Draw(t, "tx"), rapid.IntRange(0, h).Draw(t, "ty"), 1, text)
			area.Frame(canvas.Frame{Title: text, Note: "note", Foot: text})
		}
		rows := strings.Split(c.String(), "\n")
		if len(rows) != h {
			t.Fatalf("%d rows, want %d", len(rows), h)
		}
		for y, row := range rows {
			if got := canvas.Width(row); got != w {
				t.Fatalf("row %d is %d cells wide, want %d: %q", y, got, w, row)
			}
		}
	})
}

// A skin tone beside a person is another text; a terminal would show both in two cells.
func TestNeighboursThatWouldJoin(t *testing.T) {
	c := newCanvas(4, 1)
	whole(c).Text(0, 0, 1, "\U0001f469")
	whole(c).Text(2, 0, 1, "\U0001f3fd")
	if got := c.String(); canvas.Width(got) != 4 || !strings.HasPrefix(got, "\U0001f469") {
		t.Errorf("%q is %d cells wide", got, canvas.Width(got))
	}
}

func TestGlyphsAreOneCellAndStatesDiffer(t *testing.T) {
	for name, g := range map[string]*canvas.Glyphs{"unicode": canvas.Unicode(), "ascii": canvas.ASCII()} {
		seen := map[string]bool{}
		for _, glyph := range []string{g.Current, g.Active, g.Visited, g.Failed, g.Retried, g.Caught, g.Breakpoint, g.BreakpointOff, g.Waiting} {
			if canvas.Width(glyph) != 1 {
				t.Errorf("%s: %q is not one cell wide", name, glyph)
			}
			if seen[glyph] {
				t.Errorf("%s: %q means two things", name, glyph)
			}
			seen[glyph] = true
		}
	}
}

func TestPlacesInsideOfEmoji(t *testing.T) {
	text := "a👩\u200d👧b"
	inside := len("a👩\u200d")
	if got := canvas.Column(text, inside); got != 1 {
		t.Errorf("inside of the emoji is column %d, want 1", got)
	}
	if got := canvas.Column(text, len(text)); got != 4 {
		t.Errorf("the end is column %d, want 4", got)
	}
	if from, to := canvas.Whole(text, inside, inside+1); text[from:to] != "👩\u200d👧" {
		t.Errorf("a part of the emoji is %+q", text[from:to])
	}
	if from, to := canvas.Whole(text, 0, 1); text[from:to] != "a" {
		t.Errorf("the letter is %+q", text[from:to])
	}
	if got := canvas.FitMiddle("👩\u200d👧abcdef👩\u200d👧", 8, "…"); got != "👩\u200d👧ab…f👩\u200d👧" {
		t.Errorf("cut in the middle %+q", got)
	}
}
