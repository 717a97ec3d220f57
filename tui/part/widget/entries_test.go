package widget

import (
	"strconv"
	"strings"
	"testing"

	"asldb/tui/part/canvas"
)

// TestEntries: the selected entry is on the screen with all of its lines, no line stays empty while there are more entries,
// and a line selects its entry.
func TestEntries(t *testing.T) {
	lines := func(i int) int { return 1 + i%2 } // 1 2 1 2 1 2: nine lines
	var l Entries
	draw := func(h int) []string {
		c := canvas.New(8, h, canvas.ASCII())
		l.Draw(c.Area(canvas.Rect{W: 8, H: h}), 6, true, lines, func(area canvas.Area, i int) {
			for y := range area.H() {
				area.Text(1, y, canvas.Plain, strconv.Itoa(i)+string(rune('a'+y)))
			}
		})
		rows := strings.Split(c.String(), "\n")
		for i := range rows {
			rows[i] = strings.TrimSpace(strings.TrimPrefix(rows[i][:4], canvas.ASCII().Pointer))
		}
		return rows[:h]
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
		l.Move(c.by, 6)
		rows := draw(c.height)
		got := strings.TrimSpace(strings.Join(rows, " "))
		if l.Cursor != c.cursor || !strings.HasPrefix(got, c.want) || l.Height() != c.height {
			t.Errorf("moved by %d in %d lines: entry %d, %q; want entry %d, %q", c.by, c.height, l.Cursor, got, c.cursor, c.want)
		}
	}
	l.SelectAt(2)
	if l.Cursor != 1 {
		t.Errorf("the third line selects entry %d, want 1", l.Cursor)
	}
	if l.SelectAt(50); l.Cursor != 1 {
		t.Errorf("a line below the list selects entry %d", l.Cursor)
	}
}
