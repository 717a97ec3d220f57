package canvas

import "strings"

// Area is a part of a canvas. Its coordinates begin at its own corner, and nothing painted through it
// leaves it.
type Area struct {
	canvas     *Canvas
	rect, clip Rect
}

// W returns the width in cells, H the height.
func (a Area) W() int { return a.rect.W }

// H returns the height in cells.
func (a Area) H() int { return a.rect.H }

// Glyphs returns the canvas's set of glyphs.
func (a Area) Glyphs() *Glyphs { return a.canvas.glyphs }

// Area returns the part of the area inside r, in the area's own coordinates.
func (a Area) Area(r Rect) Area {
	r.W, r.H = max(0, r.W), max(0, r.H)
	r.X, r.Y = r.X+a.rect.X, r.Y+a.rect.Y
	return Area{canvas: a.canvas, rect: r, clip: r.intersect(a.clip)}
}

// Place returns where r of the area is on the canvas, as far as it is inside the area.
func (a Area) Place(r Rect) Rect {
	r.X, r.Y = r.X+a.rect.X, r.Y+a.rect.Y
	return r.intersect(a.clip)
}

// Row returns the part that is line y.
func (a Area) Row(y int) Area { return a.Area(Rect{0, y, a.rect.W, 1}) }

// Text paints s from x, y on and returns the x after it, also where s was clipped. x may be negative.
func (a Area) Text(x, y int, style Style, s string) int {
	py := a.rect.Y + y
	visible := py >= a.clip.Y && py < a.clip.Y+a.clip.H
	for s != "" {
		text, width, size := next(s)
		s = s[size:]
		switch {
		case !visible:
		case width == 0:
			a.combine(a.rect.X+x-1, py, text)
		case len(text) > 1 && width == len(text): // the number of a hidden character
			for i := range len(text) {
				a.put(a.rect.X+x+i, py, text[i:i+1], style, 1)
			}
		default:
			a.put(a.rect.X+x, py, text, style, width)
		}
		x += width
	}
	return x
}

// put sets one character, and blanks the other half of a wide character that it overwrites.
func (a Area) put(px, py int, text string, style Style, width int) {
	if px < a.clip.X || px >= a.clip.X+a.clip.W {
		if width == 2 && px == a.clip.X-1 && a.clip.W > 0 {
			a.set(a.clip.X, py, Cell{" ", style}) // the right half of a character cut by the edge
		}
		return
	}
	if width == 2 && px+1 >= a.clip.X+a.clip.W {
		a.set(px, py, Cell{" ", style})
		return
	}
	a.set(px, py, Cell{text, style})
	if width == 2 {
		a.set(px+1, py, Cell{"", style})
		a.canvas.cells[py*a.canvas.w+px].Text = text // set took it for a broken half
	}
}

func (a Area) set(px, py int, cell Cell) {
	row := a.canvas.cells[py*a.canvas.w : (py+1)*a.canvas.w]
	if row[px].Text == "" && px > 0 {
		row[px-1].Text = " "
	}
	if px+1 < len(row) && row[px+1].Text == "" {
		row[px+1].Text = " "
	}
	row[px] = cell
}

// maxCombining bounds the marks on one character, in bytes: more are never needed, and a hostile text
// could otherwise make a line of any length.
const maxCombining = 16

func (a Area) combine(px, py int, mark string) {
	if px < a.clip.X || px >= a.clip.X+a.clip.W {
		return
	}
	if cell := &a.canvas.cells[py*a.canvas.w+px]; cell.Text != "" && len(cell.Text) < maxCombining {
		cell.Text += mark
	}
}

// Fit paints s in at most cells cells, with an ellipsis where it is longer, and returns the x after it.
func (a Area) Fit(x, y, cells int, style Style, s string) int {
	return a.Text(x, y, style, Fit(s, cells, a.canvas.glyphs.Ellipsis))
}

// Right paints s so that it ends before x and returns the x at which it begins.
func (a Area) Right(x, y int, style Style, s string) int {
	from := x - Width(s)
	a.Text(from, y, style, s)
	return from
}

// Fill paints every cell of line y with style and keeps the text; with blank it also clears the text.
func (a Area) Fill(y int, style Style, blank bool) {
	py := a.rect.Y + y
	if py < a.clip.Y || py >= a.clip.Y+a.clip.H {
		return
	}
	for px := a.clip.X; px < a.clip.X+a.clip.W; px++ {
		if blank {
			a.set(px, py, Cell{" ", style})
		} else {
			a.canvas.cells[py*a.canvas.w+px].Style = style
		}
	}
}

// Mark adds Reverse to every cell of line y: the selection.
func (a Area) Mark(y int) { a.MarkSpan(0, y, a.rect.W) }

// MarkSpan adds Reverse to cells cells of line y from x on.
func (a Area) MarkSpan(x, y, cells int) {
	py := a.rect.Y + y
	if py < a.clip.Y || py >= a.clip.Y+a.clip.H {
		return
	}
	for px := max(a.rect.X+x, a.clip.X); px < min(a.rect.X+x+cells, a.clip.X+a.clip.W); px++ {
		a.canvas.cells[py*a.canvas.w+px].Style |= Reverse
	}
}

// Restyle gives cells cells of line y from x on one style and keeps their text.
func (a Area) Restyle(x, y, cells int, style Style) {
	py := a.rect.Y + y
	if py < a.clip.Y || py >= a.clip.Y+a.clip.H {
		return
	}
	for px := max(a.rect.X+x, a.clip.X); px < min(a.rect.X+x+cells, a.clip.X+a.clip.W); px++ {
		a.canvas.cells[py*a.canvas.w+px].Style = style
	}
}

// Blank clears the area.
func (a Area) Blank(style Style) {
	for y := range a.rect.H {
		a.Fill(y, style, true)
	}
}

// Line draws a horizontal line over cells cells.
func (a Area) Line(x, y, cells int, style Style) {
	if cells > 0 {
		a.Text(x, y, style, strings.Repeat(a.canvas.glyphs.Box.Horizontal, cells))
	}
}

// Frame draws a border around the area and returns the part inside. The title is in the upper
// border, the note at its right end; focused draws a heavier border, so that it does not depend on colour.
func (a Area) Frame(f Frame) Area {
	w, h := a.rect.W, a.rect.H
	if w < 2 || h < 2 {
		return a
	}
	box := &a.canvas.glyphs.Box
	if f.Focused {
		box = &a.canvas.glyphs.HeavyBox
	}
	side := strings.Repeat(box.Horizontal, w-2)
	a.Text(0, 0, f.Border, box.TopLeft+side+box.TopRight)
	for y := 1; y < h-1; y++ {
		a.Text(0, y, f.Border, box.Vertical)
		a.Text(w-1, y, f.Border, box.Vertical)
	}
	a.Text(0, h-1, f.Border, box.BottomLeft+side+box.BottomRight)
	a.caption(0, f.Title, f.TitleStyle, f.Note, f.Border)
	a.caption(h-1, "", 0, f.Foot, f.Border)
	return a.Area(Rect{1, 1, w - 2, h - 2})
}

// Titled draws a line with a title and a note over the width of the area, and returns the part below it; focused draws
// a heavier line.
func (a Area) Titled(f Frame) Area {
	box := &a.canvas.glyphs.Box
	if f.Focused {
		box = &a.canvas.glyphs.HeavyBox
	}
	a.Text(0, 0, f.Border, strings.Repeat(box.Horizontal, max(a.rect.W, 0)))
	a.caption(0, f.Title, f.TitleStyle, f.Note, f.Border)
	return a.Area(Rect{Y: 1, W: a.rect.W, H: max(a.rect.H-1, 0)})
}

// Split parts the area by a line at the column at, whose top belongs to the titles, and returns what is left and right
// of it.
func (a Area) Split(at int) (left, right Area) {
	left, right = a.Area(Rect{W: at, H: a.rect.H}), a.Area(Rect{X: at + 1, W: a.rect.W - at - 1, H: a.rect.H})
	a.Text(at, 0, Border, a.Glyphs().Box.Top)
	for y := 1; y < a.rect.H; y++ {
		a.Text(at, y, Border, a.Glyphs().Box.Vertical)
	}
	return left, right
}

// Frame is the style of a border.
type Frame struct {
	Title, Note, Foot  string // in the upper border left and right, in the lower border right
	Border, TitleStyle Style
	Focused            bool
}

// caption writes into a border: left and right, the right one only where both fit.
func (a Area) caption(y int, left string, leftStyle Style, right string, style Style) {
	room := a.rect.W - 4
	if left != "" && room > 0 {
		left = " " + Fit(left, room-2, a.canvas.glyphs.Ellipsis) + " "
		room -= a.Text(2, y, leftStyle, left) - 2
	}
	if right != "" && Width(right)+3 <= room {
		a.Right(a.rect.W-2, y, style, " "+right+" ")
	}
}
