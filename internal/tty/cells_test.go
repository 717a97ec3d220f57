package tty

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"
	"pgregory.net/rapid"
)

// lineRenderer writes frames as Bubble Tea does: whole lines, those that have not changed left out.
type lineRenderer struct{ last []string }

func (r *lineRenderer) frame(lines []string, width int) string {
	var b strings.Builder
	b.WriteString(ansi.CursorHomePosition)
	for i, line := range lines {
		if i < len(r.last) && r.last[i] == line {
			if i < len(lines)-1 {
				b.WriteByte('\n')
			}
			continue
		}
		if i == 0 && r.last == nil {
			b.WriteByte('\r')
		}
		b.WriteString(line)
		if ansi.StringWidth(line) < width {
			b.WriteString(ansi.EraseLineRight)
		}
		if i < len(lines)-1 {
			b.WriteString("\r\n")
		}
	}
	if len(r.last) > len(lines) {
		b.WriteString(ansi.EraseScreenBelow)
	}
	b.WriteString(ansi.CursorPosition(0, len(lines)))
	r.last = lines
	return b.String()
}

// screenOf returns the characters and colours of a terminal, and its cursor.
func screenOf(t vt10x.Terminal) string {
	var b strings.Builder
	w, h := t.Size()
	for y := range h {
		for x := range w {
			g := t.Cell(x, y)
			char := cmp.Or(g.Char, ' ')
			fmt.Fprintf(&b, "%c/%d/%d/%d ", char, g.FG, g.BG, g.Mode)
		}
		b.WriteByte('\n')
	}
	return b.String() + fmt.Sprint(t.Cursor().X, t.Cursor().Y)
}

// TestCellsShowTheSame draws frames on two terminals; one gets the reduced ones: both show the same after
// each.
func TestCellsShowTheSame(t *testing.T) {
	const width, height = 24, 6
	styles := []string{"", "\x1b[31m", "\x1b[1;32m", "\x1b[44m", "\x1b[0;7m"}
	rapid.Check(t, func(t *rapid.T) {
		plain, short := vt10x.New(vt10x.WithSize(width, height)), vt10x.New(vt10x.WithSize(width, height))
		c := newCells()
		write := func(text string) {
			_, _ = plain.Write([]byte(text))
			_, _ = short.Write(bytes.Clone(c.reduce([]byte(text))))
			if want, got := screenOf(plain), screenOf(short); want != got {
				t.Fatalf("after %q, as %q:\n%s\nwant\n%s", text, c.out.String(), got, want)
			}
		}
		write("before\r\n")
		write(enterAlternate + ansi.EraseEntireScreen + ansi.CursorHomePosition)
		renderer := &lineRenderer{}
		lines := make([]string, height)
		for range rapid.IntRange(1, 12).Draw(t, "frames") {
			next := append([]string(nil), lines...)
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				at := rapid.IntRange(0, height-1).Draw(t, "line")
				var line strings.Builder
				for used := 0; used < width-1; {
					word := rapid.StringMatching(`[a-c─ ]{1,8}`).Draw(t, "word")
					word = string([]rune(word)[:min(len([]rune(word)), width-1-used)])
					used += len([]rune(word))
					style := rapid.SampledFrom(styles).Draw(t, "style")
					line.WriteString(style + word)
					if style != "" {
						line.WriteString("\x1b[0m")
					}
					if rapid.IntRange(0, 9).Draw(t, "ends") == 0 {
						break
					}
				}
				next[at] = line.String()
			}
			lines = next
			switch rapid.IntRange(0, 9).Draw(t, "between") {
			case 0:
				write("\x1b]2;title\x07")
			case 1:
				write(ansi.EraseEntireScreen + ansi.CursorHomePosition)
				renderer.last = nil
			case 2:
				write(leaveAlternate + "outside\r\n" + enterAlternate + ansi.EraseEntireScreen +
					ansi.CursorHomePosition)
				renderer.last = nil
			case 3:
				c.forget()
				renderer.last = nil
			case 4:
				write("\x1b[2@") // which is not followed
				renderer.last = nil
			case 5:
				write(ansi.EraseEntireLine + "\r")
				renderer.last = nil
			}
			write(renderer.frame(lines, width))
		}
	})
}

// TestCellsWriteLittle moves one mark on a full screen.
func TestCellsWriteLittle(t *testing.T) {
	c := newCells()
	_ = c.reduce([]byte(enterAlternate))
	renderer := &lineRenderer{}
	frame := func(at int) []byte {
		lines := make([]string, 40)
		for i := range lines {
			mark := " "
			if i == at {
				mark = "▸"
			}
			lines[i] = "\x1b[38;2;1;2;3m" + mark + strings.Repeat("x", 100) + "\x1b[0m 漢字"
		}
		return c.reduce([]byte(renderer.frame(lines, 120)))
	}
	if first := frame(3); len(first) < 4000 {
		t.Errorf("the first frame has %d bytes", len(first))
	}
	if got, want := string(frame(4)), "\x1b[4H\x1b[38;2;1;2;3m \x1b[5H▸\x1b[m\x1b[40H"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := frame(4); len(got) > 10 {
		t.Errorf("the same frame again: %q", got)
	}
}

// TestCellsOfWideCharacters replaces a wide character by narrow ones and back.
func TestCellsOfWideCharacters(t *testing.T) {
	c := newCells()
	draw := func(text string) string {
		return string(c.reduce([]byte(ansi.CursorHomePosition + text + ansi.CursorPosition(0, 1))))
	}
	_ = c.reduce([]byte(enterAlternate))
	_ = draw("a漢b")
	for _, step := range [][2]string{{"a漢c", "\x1b[1;4Hc\x1b[1H"}, {"axyc", "\x1b[1;2Hxy\x1b[1H"},
		{"a漢c", "\x1b[1;2H漢\x1b[1H"}, {"a字c", "\x1b[1;2H字\x1b[1H"}} {
		if got := draw(step[0]); got != step[1] {
			t.Errorf("%s: got %q, want %q", step[0], got, step[1])
		}
	}
}
