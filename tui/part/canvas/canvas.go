// Package canvas is a grid of cells to paint a frame on. Everything painted is clipped to its area,
// every text is made safe for a terminal, and the frame has exactly the size asked for. The
// package knows nothing of terminals, colours or the program.
package canvas

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"asldb/internal/report"
	"asldb/internal/wording"
)

// Style is the meaning of a cell's colours; a theme defines the colours. Reverse is added to it.
type Style uint8

// Reverse, added to a style, marks a cell as selected or as the cursor.
const Reverse Style = 0x80

// Cell is one place of the grid.
type Cell struct {
	// Text is the character with the marks that combine with it. It is empty in the right half of a
	// wide character.
	Text  string
	Style Style
}

// Rect is a rectangle of cells.
type Rect struct{ X, Y, W, H int }

// Empty reports whether the rectangle has no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell at x, y is in the rectangle.
func (r Rect) Contains(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

// Inner returns the rectangle without a margin of one cell on each side.
func (r Rect) Inner() Rect { return Rect{r.X + 1, r.Y + 1, max(0, r.W-2), max(0, r.H-2)} }

func (r Rect) intersect(o Rect) Rect {
	x, y := max(r.X, o.X), max(r.Y, o.Y)
	return Rect{x, y, max(0, min(r.X+r.W, o.X+o.W)-x), max(0, min(r.Y+r.H, o.Y+o.H)-y)}
}

// Canvas is the grid.
type Canvas struct {
	w, h   int
	cells  []Cell
	glyphs *Glyphs
}

// New returns a blank canvas of w by h cells, both at least 1.
func New(w, h int, glyphs *Glyphs) *Canvas {
	c := &Canvas{glyphs: glyphs}
	c.Resize(w, h)
	return c
}

// Resize makes the canvas w by h cells, both at least 1, and blanks it.
func (c *Canvas) Resize(w, h int) {
	c.w, c.h = max(w, 1), max(h, 1)
	if cap(c.cells) < c.w*c.h {
		c.cells = make([]Cell, c.w*c.h)
	}
	c.cells = c.cells[:c.w*c.h]
	c.Clear()
}

// Clear blanks the canvas.
func (c *Canvas) Clear() {
	for i := range c.cells {
		c.cells[i] = Cell{Text: " "}
	}
}

// Size returns the width and the height in cells.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// Area returns the part of the canvas inside r.
func (c *Canvas) Area(r Rect) Area {
	r.W, r.H = max(0, r.W), max(0, r.H)
	return Area{canvas: c, rect: r, clip: r.intersect(Rect{0, 0, c.w, c.h})}
}

// At returns the cell at x, y, which must be on the canvas.
func (c *Canvas) At(x, y int) Cell { return c.cells[y*c.w+x] }

// String returns the frame as plain text: h lines, each of w cells.
func (c *Canvas) String() string {
	return c.render(func(Style) (string, string) { return "", "" }, false)
}

// Styles returns the frame's second layer: the style of each cell as a character, blank for the zero
// style, and capital letters for reversed cells.
func (c *Canvas) Styles() string {
	var b strings.Builder
	for y := range c.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		for x := range c.w {
			style := c.cells[y*c.w+x].Style
			switch base := style &^ Reverse; {
			case style == 0:
				b.WriteByte(' ')
			case base == 0:
				b.WriteByte('@')
			case style&Reverse != 0:
				b.WriteByte('A' + byte(base-1)%26)
			default:
				b.WriteByte('a' + byte(base-1)%26)
			}
		}
	}
	return b.String()
}

// Render returns the frame for a terminal that it fills: h lines, each of w cells. codes returns the sequences before and
// after cells of a style.
func (c *Canvas) Render(codes func(Style) (before, after string)) string {
	return c.render(codes, true)
}

func (c *Canvas) render(codes func(Style) (string, string), terminal bool) string {
	var b strings.Builder
	b.Grow(len(c.cells) * 3)
	for y := range c.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		row := c.cells[y*c.w : (y+1)*c.w]
		for x := 0; x < len(row); {
			style := row[x].Style
			before, after := codes(style)
			b.WriteString(before)
			for x < len(row) && row[x].Style == style {
				switch text := row[x].Text; {
				case joins(row, x):
					b.WriteString("  ")
				case terminal && len(text) > utf8.UTFMax && wording.IsEmoji(text):
					b.WriteString(emojiAt(text, x))
				default:
					b.WriteString(text)
				}
				x++
			}
			b.WriteString(after)
		}
	}
	return b.String()
}

// tones are the tones of styles in a report; the others have none.
var tones = map[Style]report.Tone{
	Bad: report.Bad, Warn: report.Caution, Good: report.Good, Dim: report.Quiet, Border: report.Quiet,
	Strong: report.Strong, Title: report.Strong,
}

// Texts returns the frame as lines of a report, without blanks at their ends.
func (c *Canvas) Texts() []report.Text {
	var lines []report.Text
	for row := range slices.Chunk(c.cells, c.w) {
		for len(row) > 0 && row[len(row)-1].Text == " " {
			row = row[:len(row)-1]
		}
		var line report.Text
		for _, cell := range row {
			tone := tones[cell.Style]
			if len(line) == 0 || line[len(line)-1].Tone != tone && cell.Text != " " {
				line = append(line, report.In(tone, ""))
			}
			line[len(line)-1].Text += cell.Text
		}
		lines = append(lines, line)
	}
	return lines
}

// joins reports whether the character of a cell would be a part of the one before, as a skin tone is behind a person:
// a terminal shows both in the two cells of the first.
func joins(row []Cell, x int) bool {
	if x < 2 || row[x-1].Text != "" || len(row[x].Text) < utf8.UTFMax {
		return false
	}
	_, size := wording.Next(row[x-2].Text + row[x].Text)
	return size > len(row[x-2].Text)
}

// emojiAt returns an emoji with the control sequences that make it take two cells, from column x on, in every terminal:
// some show the parts of an emoji next to each other, and some in one cell. The cells are blanked (ECH), and the
// cursor goes to the column behind them (CHA). Code that measures the line without a terminal counts two cells.
func emojiAt(emoji string, x int) string {
	const cells = 2
	column := func(x int) string { return "\x1b[" + strconv.Itoa(x+1) + "G" }
	out := "\x1b[2X"
	if fill := cells - ansi.StringWidth(emoji); fill > 0 {
		out += strings.Repeat(" ", fill) + column(x)
	}
	return out + emoji + column(x+cells)
}
