package widget

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// drawn is a list of numbers on a screen.
type drawn struct {
	List[int]
	spots Spots
}

// frame draws the list on a screen of 12 by h cells and returns its lines.
func (d *drawn) frame(h int) []string {
	c := canvas.New(12, h, canvas.ASCII())
	d.spots.Reset()
	d.Draw(d.spots.Frame(c.Area(canvas.Rect{W: 12, H: h}), true))
	rows := strings.Split(c.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " "+canvas.ASCII().ScrollThumb)
	}
	return rows[:h]
}

// numbers is a list of n rows that paint their numbers.
func numbers(n int) *drawn {
	d := &drawn{}
	d.Rows = Count(n)
	d.Paint = func(line canvas.Area, row int, _ []int) { line.Text(1, 0, canvas.Plain, "row "+strconv.Itoa(row)) }
	d.Text = func(row int) string { return "row " + strconv.Itoa(row) }
	return d
}

func TestListKeys(t *testing.T) {
	d := numbers(9)
	d.Hint = "hint"
	moved := 0
	d.Moved = func() { moved++ }
	d.frame(6) // four rows, an empty line and the hint
	for _, step := range []struct {
		action keys.Action
		cursor int
		moves  bool
	}{{keys.Down, 1, true}, {keys.PageDown, 4, true}, {keys.Up, 3, true}, {keys.Bottom, 8, true}, {keys.PageUp, 5, true}, {keys.Top, 0, true}, {keys.Up, 0, true}, {keys.Fold, 0, false}} {
		if got := d.Press(step.action); got != step.moves || d.Cursor != step.cursor {
			t.Errorf("action %d: cursor %d, want %d; moves %t", step.action, d.Cursor, step.cursor, got)
		}
	}
	if moved != 6 {
		t.Errorf("%d moves were told, want 6", moved)
	}
	d.Press(keys.Bottom)
	if got := d.frame(6); !slices.Equal(got, []string{" row 5", " row 6", " row 7", canvas.ASCII().Pointer + "row 8", "", " hint"}) {
		t.Errorf("%q", got)
	}
	d.Rows, d.Empty = Count(0), "none"
	if got := d.frame(3); got[0] != " none" {
		t.Errorf("an empty list is %q", got)
	}
	if _, ok := d.Selected(); ok {
		t.Error("an empty list has a selected row")
	}
}

// TestListMouse: a click selects a row, a second one opens it, and the wheel goes through the rows.
func TestListMouse(t *testing.T) {
	d := numbers(20)
	opened := -1
	d.Open = func() { opened = d.Cursor }
	d.frame(5)
	d.spots.Click(3, 2)
	if d.Cursor != 2 || opened != -1 {
		t.Errorf("the first click selects row %d and opens %d", d.Cursor, opened)
	}
	if d.spots.Click(3, 2); opened != 2 {
		t.Errorf("the second click opens %d", opened)
	}
	if d.spots.Wheel(3, 0, 3); d.Cursor != 5 {
		t.Errorf("the wheel selects row %d, want 5", d.Cursor)
	}
	d.Rows = Count(2)
	d.frame(5)
	if d.spots.Click(3, 4); d.Cursor != 1 {
		t.Errorf("a click below the rows selects row %d", d.Cursor)
	}
	if d.spots.Click(3, 9) || d.spots.Wheel(3, 9, 1) {
		t.Error("the mouse does something outside of the list")
	}
}

// TestListLines: the selected row is on the screen with all of its lines, no line stays empty while there are more rows, and each line
// selects its row.
func TestListLines(t *testing.T) {
	d := numbers(6)
	d.Lines = func(row int) int { return 1 + row%2 } // 1 2 1 2 1 2: nine lines
	d.Paint = func(area canvas.Area, row int, _ []int) {
		for y := range area.H() {
			area.Text(1, y, canvas.Plain, strconv.Itoa(row)+string(rune('a'+y)))
		}
	}
	for _, c := range []struct {
		by, height int
		cursor     int
		want       string
	}{
		{0, 4, 0, "0a 1a 1b 2a"},
		{3, 4, 3, "2a 3a 3b 4a"},
		{99, 4, 5, "4a 5a 5b"},
		{-1, 5, 4, "3a 3b 4a 5a 5b"},
		{-99, 3, 0, "0a 1a 1b"},
		{0, 20, 0, "0a 1a 1b 2a 3a 3b 4a 5a 5b"},
	} {
		d.Move(c.by)
		rows := d.frame(c.height)
		for i := range rows {
			rows[i] = strings.Trim(rows[i], " "+canvas.ASCII().Pointer)
		}
		got := strings.TrimSpace(strings.Join(rows, " "))
		if d.Cursor != c.cursor || !strings.HasPrefix(got, c.want) || d.Height() != c.height {
			t.Errorf("moved by %d in %d lines: row %d, %q; want row %d, %q", c.by, c.height, d.Cursor, got, c.cursor, c.want)
		}
	}
	if d.Need() != 9 {
		t.Errorf("all rows have %d lines, want 9", d.Need())
	}
	if d.spots.Click(1, 2); d.Cursor != 1 {
		t.Errorf("the third line selects row %d, want 1", d.Cursor)
	}
}

// TestListSkips: rows that cannot be selected are passed over, and those below the selected row stay in view with it.
func TestListSkips(t *testing.T) {
	d := numbers(9)
	d.Skips = func(row int) bool { return row%3 != 1 } // 1, 4 and 7 can be selected
	d.Select(0)
	if d.Cursor != 1 {
		t.Errorf("row %d is selected first, want 1", d.Cursor)
	}
	if got := d.frame(4); got[0] != " row 0" || got[3] != " row 3" {
		t.Errorf("the heading is not in view: %q", got)
	}
	d.Move(1)
	if got := d.frame(3); d.Cursor != 4 || got[2] != " row 6" {
		t.Errorf("row %d is selected, and on the screen are %q", d.Cursor, got)
	}
	d.spots.Click(1, 2)
	if d.Cursor != 4 {
		t.Errorf("a row that cannot be selected is: %d", d.Cursor)
	}
	if wrapped, ok := d.Find("row", 1); !ok || wrapped || d.Cursor != 7 {
		t.Errorf("found row %d, beyond the end %t", d.Cursor, wrapped)
	}
	if d.Move(9); d.Cursor != 7 {
		t.Errorf("the last is row %d", d.Cursor)
	}
	if words := slices.Collect(d.Words()); strings.Join(words, " ") != "row 1 row 4 row 7" {
		t.Errorf("the words are %q", words)
	}
	d.Skips = func(int) bool { return true }
	if d.Move(-2); d.frame(3)[0] != " row 2" {
		t.Errorf("a list without a row to select does not scroll: %q", d.frame(3))
	}
}

// TestListFilter: what is typed leaves the rows that fit, the best first, and the cursor stays at its row when rows come.
func TestListFilter(t *testing.T) {
	words := []string{"step over", "stop", "restart", "over"}
	var l List[string]
	l.Rows = Slice[string](words)
	l.Text = func(word string) string { return word }
	for _, r := range "over" {
		if !l.Type(keys.Press{Name: string(r), Text: string(r)}) {
			t.Errorf("%c does not change the filter", r)
		}
	}
	if l.Type(keys.Press{Name: "left"}) {
		t.Error("a key that moves the cursor changes the filter")
	}
	if l.Len() != 2 || l.At(0) != "over" || l.Index(0) != 3 || l.Filter() != "over" {
		t.Errorf("%d rows, the first is %q", l.Len(), l.At(0))
	}
	l.Move(1)
	l.Show(Slice[string](append([]string{"overt"}, words...)), func(a, b string) bool { return a == b })
	if row, _ := l.Selected(); row != "step over" || l.Len() != 3 {
		t.Errorf("%q is selected of %d", row, l.Len())
	}
	if l.SetFilter(""); l.Len() != 5 || l.Cursor != 0 {
		t.Errorf("without a filter %d rows, the cursor at %d", l.Len(), l.Cursor)
	}
}

// TestListFewAreRead: of a list of a million rows only those on the screen are read.
func TestListFewAreRead(t *testing.T) {
	read := counted{}
	var l List[int]
	l.Rows, l.Paint = &read, func(canvas.Area, int, []int) {}
	l.Move(600_000)
	l.Draw(new(Spots).Frame(canvas.New(20, 30, canvas.ASCII()).Area(canvas.Rect{W: 20, H: 30}), true))
	if l.Cursor != 600_000 || read.n > 60 {
		t.Errorf("the cursor is at %d, and %d rows were read", l.Cursor, read.n)
	}
}

type counted struct{ n int }

func (c *counted) Len() int { return 1_000_000 }
func (c *counted) At(i int) int {
	c.n++
	return i
}

// TestListAnyKeys: after any keys and clicks the selected row is on the screen, and the screen is full where there are rows for it.
func TestListAnyKeys(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, h := rapid.IntRange(1, 30).Draw(rt, "rows"), rapid.IntRange(1, 12).Draw(rt, "height")
		d := numbers(n)
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "kind") {
			case 0:
				d.Press(rapid.SampledFrom([]keys.Action{keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.Top, keys.Bottom}).Draw(rt, "key"))
			case 1:
				d.spots.Click(2, rapid.IntRange(0, 14).Draw(rt, "y"))
			case 2:
				d.Reveal()
			default:
				h = rapid.IntRange(1, 12).Draw(rt, "new height")
			}
			lines := d.frame(h)
			if !slices.Contains(lines, fmt.Sprintf("%srow %d", canvas.ASCII().Pointer, d.Cursor)) {
				rt.Fatalf("row %d is not on the screen: %q", d.Cursor, lines)
			}
			if full := slices.Index(lines, ""); full >= 0 && full < min(n, h) {
				rt.Fatalf("line %d of %d is empty: %q", full, h, lines)
			}
		}
	})
}

func TestPager(t *testing.T) {
	var p Pager
	var spots Spots
	draw := func() string {
		c := canvas.New(12, 4, canvas.ASCII())
		spots.Reset()
		p.Draw(spots.Frame(c.Area(canvas.Rect{W: 12, H: 4}), true), 9, func(row canvas.Area, i int) { row.Text(0, 0, canvas.Plain, "line "+strconv.Itoa(i)) })
		return strings.Trim(strings.Split(c.String(), "\n")[0], " "+canvas.ASCII().ScrollThumb)
	}
	draw()
	for _, step := range []struct {
		action keys.Action
		top    int
	}{{keys.Down, 1}, {keys.PageDown, 4}, {keys.Bottom, 5}, {keys.PageUp, 2}, {keys.Up, 1}, {keys.Top, 0}} {
		if !p.Key(step.action) || p.Top() != step.top || draw() != "line "+strconv.Itoa(step.top) {
			t.Errorf("action %d: the first line is %d, want %d", step.action, p.Top(), step.top)
		}
	}
	if p.Key(keys.Fold) {
		t.Error("a key that moves nothing moves")
	}
	if spots.Wheel(1, 1, 3); p.Top() != 3 {
		t.Errorf("the wheel goes to line %d", p.Top())
	}
	if p.GoTo(99); draw() != "line 5" {
		t.Errorf("beyond the end the first line is %q", draw())
	}
}

// TestSpots: a place that is noted later is above, one where nothing is done is there as well, and links let the wheel
// through.
func TestSpots(t *testing.T) {
	var s Spots
	c := canvas.New(20, 5, canvas.ASCII())
	f := s.Frame(c.Area(canvas.Rect{W: 20, H: 5}), false)
	var did string
	f.In(canvas.Rect{X: 2, Y: 1, W: 10, H: 3}).Mouse(func(x, y int) { did = fmt.Sprint("body ", x, y) }, func(rows int) { did = fmt.Sprint("wheel ", rows) })
	f.Click(canvas.Rect{X: 4, Y: 2, W: 3, H: 1}, func() { did = "link" })
	f.In(canvas.Rect{Y: 3, W: 20, H: 1}).Mouse(nil, nil)
	for _, c := range []struct {
		x, y, wheel int
		want        string
	}{{2, 1, 0, "body 0 0"}, {5, 2, 0, "link"}, {5, 2, 2, "wheel 2"}, {5, 3, 0, ""}, {5, 3, 1, ""}, {0, 0, 0, ""}} {
		did = ""
		if c.wheel != 0 {
			s.Wheel(c.x, c.y, c.wheel)
		} else if got := s.Has(c.x, c.y); s.Click(c.x, c.y) != got {
			t.Errorf("%v: Has and Click disagree", c)
		}
		if did != c.want {
			t.Errorf("at %d, %d: %q, want %q", c.x, c.y, did, c.want)
		}
	}
}
