package graph

import "asldb/tui/part/canvas"

// The directions in which a cell's lines go, as bits of a mask.
const (
	north = 1 << iota
	east
	south
	west
)

// pens are the characters of lines.
type pens struct {
	light                     [16]string // by mask
	mixed                     map[[2]uint8]string
	dottedLine, heavyDotted   [2]string // horizontal, vertical
	double                    [16]string
	doubleJoin                [16]string // a side of a double box where a line leaves it, by the line's direction
	arrows                    [4]string
	separator                 string
	block, here, seen, unseen string
	would                     string // before a state that would have made a value
}

func pensOf(g *canvas.Glyphs) *pens {
	if g.To == "->" {
		return asciiLines
	}
	return unicodeLines
}

// The pens of the two sets of glyphs; they are never changed.
var asciiLines, unicodeLines = asciiPens(), unicodePens()

// mixedCorners are the characters with a heavy part: for the mask of all, from U+2500 on, the masks that are heavy.
func unicodePens() *pens {
	p := &pens{
		light:       [16]string{" ", "╵", "╶", "╰", "╷", "│", "╭", "├", "╴", "╯", "─", "┴", "╮", "┤", "┬", "┼"},
		dottedLine:  [2]string{"┄", "┊"},
		heavyDotted: [2]string{"┅", "┋"},
		arrows:      [4]string{"▼", "▲", "◀", "▶"},
		separator:   "┆", block: "▪", here: "■", seen: "▪", unseen: "·", would: "┊",
		mixed: make(map[[2]uint8]string, 65),
	}
	set := func(all uint8, heavy uint8, c string) { p.mixed[[2]uint8{all, heavy}] = c }
	for _, m := range mixedTable() {
		i := 0
		for _, r := range m.chars {
			set(m.all, m.heavy[i], string(r))
			i++
		}
	}
	p.double[east|west], p.double[north|south] = "═", "║"
	p.double[east|south], p.double[south|west], p.double[north|east], p.double[north|west] = "╔", "╗", "╚", "╝"
	p.doubleJoin[south], p.doubleJoin[north], p.doubleJoin[east], p.doubleJoin[west] = "╤", "╧", "╟", "╢"
	return p
}

type mixedRow struct {
	all   uint8
	heavy []uint8
	chars string
}

// mixedTable lists the characters of Unicode that are heavy in part or whole.
func mixedTable() []mixedRow {
	const n, e, s, w = north, east, south, west
	return []mixedRow{
		{n, []uint8{n}, "╹"}, {e, []uint8{e}, "╺"}, {s, []uint8{s}, "╻"}, {w, []uint8{w}, "╸"},
		{e | w, []uint8{e, w, e | w}, "╼╾━"},
		{n | s, []uint8{s, n, n | s}, "╽╿┃"},
		{e | s, []uint8{e, s, e | s}, "┍┎┏"},
		{s | w, []uint8{w, s, s | w}, "┑┒┓"},
		{n | e, []uint8{e, n, n | e}, "┕┖┗"},
		{n | w, []uint8{w, n, n | w}, "┙┚┛"},
		{n | e | s, []uint8{e, n, s, n | s, n | e, s | e, n | e | s}, "┝┞┟┠┡┢┣"},
		{n | s | w, []uint8{w, n, s, n | s, n | w, s | w, n | s | w}, "┥┦┧┨┩┪┫"},
		{e | s | w, []uint8{w, e, e | w, s, s | w, s | e, e | s | w}, "┭┮┯┰┱┲┳"},
		{n | e | w, []uint8{w, e, e | w, n, n | w, n | e, n | e | w}, "┵┶┷┸┹┺┻"},
		{n | e | s | w, []uint8{w, e, e | w, n, s, n | s, n | w, n | e, s | w, s | e, n | e | w, s | e | w, n | s | w, n | s | e, n | e | s | w},
			"┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋"},
	}
}

func asciiPens() *pens {
	p := &pens{
		dottedLine:  [2]string{".", ":"},
		heavyDotted: [2]string{"=", "#"},
		arrows:      [4]string{"V", "^", "<", ">"},
		separator:   ":", block: "o", here: "@", seen: "o", unseen: ".", would: "%",
		mixed: make(map[[2]uint8]string, 65),
	}
	for all := range uint8(16) {
		p.light[all], p.double[all], p.doubleJoin[all] = "+", "#", "#"
		for heavy := uint8(1); heavy <= all; heavy++ {
			if heavy&^all == 0 {
				p.mixed[[2]uint8{all, heavy}] = "#"
			}
		}
	}
	p.light[0], p.light[east|west], p.light[north|south] = " ", "-", "|"
	p.light[east], p.light[west], p.light[north], p.light[south] = "-", "-", "|", "|"
	p.mixed[[2]uint8{east | west, east | west}] = "="
	p.double[east|west] = "="
	return p
}

// glyph returns the character of a cell with lines to all; some are heavy and some are not dotted.
func (p *pens) glyph(all, heavy, solid uint8) string {
	axis := -1
	switch all {
	case east | west:
		axis = 0
	case north | south:
		axis = 1
	}
	switch {
	case axis >= 0 && solid == 0 && heavy == all:
		return p.heavyDotted[axis]
	case axis >= 0 && solid == 0:
		return p.dottedLine[axis]
	case heavy == 0:
		return p.light[all]
	}
	return p.mixed[[2]uint8{all, heavy}]
}
