package tui

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Picture is the text of a terminal as cells.
type Picture struct {
	w    int
	rows [][]cell
}

// cell is one place of a terminal. Its text is a character with the marks that combine with it, empty in the right half
// of a wide character.
type cell struct {
	text  string
	style cellStyle
}

// cellStyle is how a cell is drawn. A colour is "#rrggbb", a number of the 16 colours of a palette, or empty: the
// default.
type cellStyle struct {
	text, background                string
	bold, faint, underline, reverse bool
}

// Read returns the picture of a text in at least w columns, with the sequences of a terminal for colours (SGR), for
// columns (CHA) and to erase (ECH, EL). Other sequences are skipped. A carriage return goes to the beginning of the
// line.
func Read(text string, w int) *Picture { return read(text, w, false) }

// Wrapped returns the picture of a text as [Read] does, with lines that are longer than w columns on several rows.
func Wrapped(text string, w int) *Picture { return read(text, w, true) }

func read(text string, w int, wrap bool) *Picture {
	p := &Picture{w: w}
	r := reader{picture: p, wrap: wrap}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		p.rows = append(p.rows, nil)
		r.x = 0
		r.line(line)
	}
	for i, row := range p.rows {
		p.rows[i] = fill(row, p.w)
	}
	return p
}

// Size returns the number of columns and rows.
func (p *Picture) Size() (w, h int) { return p.w, len(p.rows) }

// Text returns the picture as plain text, without the blanks at the ends of its lines.
func (p *Picture) Text() string {
	var b strings.Builder
	for _, row := range p.rows {
		var line strings.Builder
		for _, c := range row {
			line.WriteString(c.text)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// fill returns the row with at least w cells.
func fill(row []cell, w int) []cell {
	for len(row) < w {
		row = append(row, cell{text: " "})
	}
	return row
}

// reader reads the text of a terminal. The style continues from line to line, as on a terminal.
type reader struct {
	picture *Picture
	x       int
	style   cellStyle
	wrap    bool
}

func (r *reader) line(line string) {
	state, parser := byte(0), ansi.NewParser()
	for len(line) > 0 {
		sequence, width, n, next := ansi.DecodeSequence(line, state, parser)
		line, state = line[n:], next
		switch {
		case width > 0:
			r.put(sequence, width)
		case sequence == "\r":
			r.x = 0
		case ansi.HasCsiPrefix(sequence):
			r.control(parser.Command(), parser.Params())
		case sequence[0] >= utf8.RuneSelf:
			r.combine(sequence)
		}
	}
}

// put writes a character over the cells at the cursor.
func (r *reader) put(text string, width int) {
	p := r.picture
	if r.wrap && r.x+width > p.w {
		p.rows, r.x = append(p.rows, nil), 0
	}
	p.w = max(p.w, r.x+width)
	row := &p.rows[len(p.rows)-1]
	*row = fill(*row, r.x+width)
	for i := range width {
		(*row)[r.x+i] = cell{style: r.style}
	}
	(*row)[r.x].text = text
	r.x += width
}

// combine adds a mark to the character before the cursor.
func (r *reader) combine(mark string) {
	row := r.picture.rows[len(r.picture.rows)-1]
	for x := min(r.x, len(row)) - 1; x >= 0; x-- {
		if row[x].text != "" {
			row[x].text += mark
			return
		}
	}
}

// control carries out a control sequence.
func (r *reader) control(command int, params ansi.Params) {
	first, _, _ := params.Param(0, 1)
	row := &r.picture.rows[len(r.picture.rows)-1]
	switch command {
	case 'm':
		r.setStyle(params)
	case 'G':
		r.x = max(0, first-1)
	case 'X':
		*row = fill(*row, r.x+first)
		for i := range first {
			(*row)[r.x+i] = cell{text: " ", style: r.style}
		}
	case 'K':
		if len(*row) > r.x {
			*row = (*row)[:r.x]
		}
	}
}

// setStyle applies the attributes of an SGR sequence.
func (r *reader) setStyle(params ansi.Params) {
	if len(params) == 0 {
		r.style = cellStyle{}
	}
	for i := 0; i < len(params); i++ {
		switch n := params[i].Param(0); {
		case n == 0:
			r.style = cellStyle{}
		case n == 1:
			r.style.bold = true
		case n == 2:
			r.style.faint = true
		case n == 4:
			r.style.underline = true
		case n == 7:
			r.style.reverse = true
		case n == 22:
			r.style.bold, r.style.faint = false, false
		case n == 24:
			r.style.underline = false
		case n == 27:
			r.style.reverse = false
		case n >= 30 && n <= 37:
			r.style.text = strconv.Itoa(n - 30)
		case n >= 90 && n <= 97:
			r.style.text = strconv.Itoa(n - 90 + 8)
		case n >= 40 && n <= 47:
			r.style.background = strconv.Itoa(n - 40)
		case n >= 100 && n <= 107:
			r.style.background = strconv.Itoa(n - 100 + 8)
		case n == 39:
			r.style.text = ""
		case n == 49:
			r.style.background = ""
		case n == 38 || n == 48:
			color, used := extended(params[i+1:])
			i += used
			if n == 38 {
				r.style.text = color
			} else {
				r.style.background = color
			}
		}
	}
}

// extended reads a colour of 24 or 8 bits, and returns the number of parameters that it takes.
func extended(params ansi.Params) (color string, used int) {
	value := func(i int) int {
		n, _, _ := params.Param(i, 0)
		return min(max(n, 0), 255)
	}
	switch kind := value(0); {
	case kind == 2 && len(params) >= 4:
		return "#" + hex(value(1)) + hex(value(2)) + hex(value(3)), 4
	case kind == 5 && len(params) >= 2:
		return indexed(value(1)), 2
	}
	return "", len(params)
}

// indexed is one of the 256 colours: 16 of the palette, a cube of 6x6x6, and 24 greys.
func indexed(n int) string {
	if n < 16 {
		return strconv.Itoa(n)
	}
	if n >= 232 {
		grey := hex(8 + (n-232)*10)
		return "#" + grey + grey + grey
	}
	levels := [...]int{0, 95, 135, 175, 215, 255}
	n -= 16
	return "#" + hex(levels[n/36]) + hex(levels[n/6%6]) + hex(levels[n%6])
}

func hex(n int) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[n>>4&15], digits[n&15]})
}

// Trim removes blank rows from the end.
func (p *Picture) Trim() {
	blank := func(c cell) bool { return c.text == " " && c.style.background == "" && !c.style.reverse }
	for len(p.rows) > 1 && !slices.ContainsFunc(p.rows[len(p.rows)-1], func(c cell) bool { return !blank(c) }) {
		p.rows = p.rows[:len(p.rows)-1]
	}
}
