package tty

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cells makes writes to a terminal short: it knows the content of the alternate screen, and lets only the cells of a frame
// through that have changed.
//
// It understands the sequences of Bubble Tea: text, colours, moves to a place or to the next line, and erasing. Other
// input passes unchanged; sequences that do not concern the screen (modes, titles, the clipboard) leave it as it is known,
// all others make it unknown, so that the next frame is written whole. Outside of the alternate screen everything passes.
type cells struct {
	alternate bool
	rows      []line // of the terminal
	drawn     []line // of the frame
	row, col  int    // where the cursor is to be
	moved     bool   // the terminal's cursor is elsewhere
	style     string // the sequences that made the present colours
	out       bytes.Buffer
	parser    *ansi.Parser
	styles    map[string]uint16
	names     []string // the styles by their number
}

// line is a row of the screen.
type line struct {
	cells []cell
	// blank is set where everything behind the cells is blank; else nothing is known of it.
	blank bool
	// drawn is set in a row that was drawn in.
	drawn bool
}

// cell is one place on the screen. After a wide character there is a cell with no text.
type cell struct {
	text  string
	style uint16
	known bool
}

// The sequences that show the alternate screen and the usual one.
const (
	enterAlternate = "\x1b[?1049h"
	leaveAlternate = "\x1b[?1049l"
)

// maxStyles bounds the styles that are remembered; a screen has a few dozen.
const maxStyles = 4096

// maxGap is how many cells that stay may be written again between two that change: moving the cursor costs as many bytes.
const maxGap = 4

func newCells() *cells {
	c := &cells{parser: ansi.NewParser()}
	c.forgetStyles()
	return c
}

func (c *cells) forgetStyles() {
	c.styles, c.names = map[string]uint16{"": 0}, []string{""}
	c.forget()
}

// forget makes the whole screen unknown.
func (c *cells) forget() {
	c.rows, c.drawn = nil, nil
}

// reduce returns the bytes to write in place of p. It is good until the next call.
func (c *cells) reduce(p []byte) []byte {
	c.out.Reset()
	if !c.alternate && !bytes.Contains(p, []byte(enterAlternate)) {
		return p
	}
	if len(c.names) > maxStyles {
		c.forgetStyles()
	}
	var state byte
	for rest := p; len(rest) > 0; {
		sequence, width, n, next := ansi.DecodeSequence(rest, state, c.parser)
		rest, state = rest[n:], next
		switch {
		case !c.alternate:
			c.out.Write(sequence)
			c.enter(sequence)
		case width > 0:
			c.put(string(sequence), width)
		case len(sequence) == 1:
			c.control(sequence[0])
		default:
			c.sequence(sequence)
		}
	}
	if c.alternate {
		c.paint()
	}
	return c.out.Bytes()
}

// enter notes that the alternate screen is shown, which is empty.
func (c *cells) enter(sequence []byte) {
	if string(sequence) == enterAlternate {
		c.alternate, c.row, c.col, c.style = true, 0, 0, ""
		c.forget()
	}
}

func (c *cells) control(b byte) {
	switch b {
	case '\r':
		c.col, c.moved = 0, true
	case '\n':
		c.row, c.moved = c.row+1, true
	default: // a bell, say
		c.out.WriteByte(b)
	}
}

// sequence follows an escape sequence, or lets it pass.
func (c *cells) sequence(sequence []byte) {
	command := ansi.Cmd(c.parser.Command())
	param := func(i, missing int) int {
		n, _ := c.parser.Param(i, missing)
		return n
	}
	isCSI := bytes.HasPrefix(sequence, []byte("\x1b["))
	switch {
	case isCSI && command.Prefix() == 0 && command.Intermediate() == 0:
		switch command.Final() {
		case 'm':
			c.color(sequence)
			return
		case 'H':
			c.row, c.col, c.moved = max(param(0, 1), 1)-1, max(param(1, 1), 1)-1, true
			return
		case 'K':
			if n := param(0, 0); c.style == "" && (n == 0 || n == 2) {
				from := c.col
				if n == 2 {
					from = 0
				}
				c.eraseLine(from)
				return
			}
		case 'J':
			if c.style == "" && c.eraseScreen(param(0, 0)) {
				return
			}
		case 't', 'h', 'l', 'n', 'c': // the title, modes, questions to the terminal
			c.pass(sequence)
			return
		}
	case isCSI && command.Prefix() == '?' && (command.Final() == 'h' || command.Final() == 'l'):
		c.pass(sequence)
		if string(sequence) == leaveAlternate {
			c.alternate = false
			c.forget()
		}
		return
	case bytes.HasPrefix(sequence, []byte("\x1b]")), bytes.HasPrefix(sequence, []byte("\x1bP")),
		bytes.HasPrefix(sequence, []byte("\x1b_")):
		c.pass(sequence) // the title, the clipboard, and the like
		return
	}
	c.pass(sequence)
	c.forget()
}

// pass writes the cells drawn so far, and the sequence after them.
func (c *cells) pass(sequence []byte) {
	c.paint()
	c.out.Write(sequence)
}

// color follows a change of colours.
func (c *cells) color(sequence []byte) {
	text := string(sequence)
	switch {
	case text == "\x1b[0m" || text == "\x1b[m":
		c.style = ""
	case strings.HasPrefix(text, "\x1b[0;"):
		c.style = text
	default:
		c.style += text
	}
}

func (c *cells) styleNumber() uint16 {
	n, ok := c.styles[c.style]
	if !ok {
		n = uint16(len(c.names))
		c.styles[c.style] = n
		c.names = append(c.names, c.style)
	}
	return n
}

// reach lets the drawn row of the cursor have cells up to a column; those that were not drawn in stay as they are shown.
func (c *cells) reach(col int) *line {
	for len(c.drawn) <= c.row {
		c.drawn = append(c.drawn, line{})
	}
	l := &c.drawn[c.row]
	if !l.drawn {
		l.drawn, l.blank = true, c.shown(c.row).blank
	}
	if missing := col - len(l.cells); missing > 0 {
		shown := c.shown(c.row)
		l.cells = slices.Grow(l.cells, missing)
		for n := len(l.cells); n < col; n++ {
			l.cells = append(l.cells, shown.at(n))
		}
	}
	return l
}

// empty is a blank without colours.
var empty = cell{text: " ", known: true}

// at returns the cell of a column.
func (l *line) at(col int) cell {
	switch {
	case col < len(l.cells):
		return l.cells[col]
	case l.blank:
		return empty
	}
	return cell{}
}

func (c *cells) shown(row int) *line {
	if row < len(c.rows) {
		return &c.rows[row]
	}
	return &line{}
}

func (c *cells) put(text string, width int) {
	style := c.styleNumber()
	l := c.reach(c.col + width)
	l.cells[c.col] = cell{text: text, style: style, known: true}
	for n := 1; n < width; n++ {
		l.cells[c.col+n] = cell{style: style, known: true}
	}
	c.col, c.moved = c.col+width, true
}

// eraseLine follows erasing from a column to the end of the line.
func (c *cells) eraseLine(from int) {
	shown := len(c.shown(c.row).cells)
	l := c.reach(max(from, shown))
	for n := from; n < len(l.cells); n++ {
		l.cells[n] = empty
	}
	l.blank = true
}

// eraseScreen follows erasing the screen, or the part below the cursor; it reports false for other ways.
func (c *cells) eraseScreen(way int) bool {
	switch way {
	case 0:
		c.eraseLine(c.col)
		c.paint()
		for row := c.row + 1; row < len(c.rows); row++ {
			c.rows[row] = line{blank: true}
		}
	case 2:
		c.drawn = nil
		for row := range c.rows {
			c.rows[row] = line{blank: true}
		}
	default:
		return false
	}
	c.moveTo(c.row, c.col)
	c.out.WriteString("\x1b[" + strconv.Itoa(way) + "J")
	return true
}

func (c *cells) moveTo(row, col int) {
	c.moved = true
	c.out.WriteString("\x1b[")
	c.out.WriteString(strconv.Itoa(row + 1))
	if col > 0 {
		c.out.WriteByte(';')
		c.out.WriteString(strconv.Itoa(col + 1))
	}
	c.out.WriteByte('H')
}

// paint writes the cells that are others than those which are shown. Afterwards the terminal's cursor is where it is to be,
// and its colours are those that it was given last.
func (c *cells) paint() {
	written := uint16(0)
	for row := range c.drawn {
		if l := &c.drawn[row]; l.drawn {
			written = c.paintLine(row, l, c.shown(row), written)
			for len(c.rows) <= row {
				c.rows = append(c.rows, line{})
			}
			c.rows[row] = line{cells: c.painted(l, row), blank: l.blank}
		}
	}
	if written != 0 {
		c.out.WriteString("\x1b[m")
	}
	c.drawn = nil
	if c.moved {
		c.moveTo(c.row, c.col)
		c.moved = false
	}
	c.out.WriteString(c.style)
}

// painted returns the cells of a row after it was painted: those behind the drawn ones stay.
func (c *cells) painted(l *line, row int) []cell {
	if shown := c.shown(row).cells; len(shown) > len(l.cells) {
		return append(l.cells, shown[len(l.cells):]...)
	}
	return l.cells
}

// paintLine paints a row. written is the style that the terminal has; the result is the one that it has then.
func (c *cells) paintLine(row int, l, shown *line, written uint16) uint16 {
	for col := 0; col < len(l.cells); {
		if l.same(shown, col) {
			col++
			continue
		}
		end := l.changedUntil(shown, col)
		if l.blank && !shown.blank && l.emptyFrom(col) {
			break
		}
		c.moveTo(row, col)
		for ; col < end; col++ {
			if l.cells[col].text == "" {
				continue
			}
			if s := l.cells[col].style; s != written {
				if written != 0 {
					c.out.WriteString("\x1b[m")
				}
				c.out.WriteString(c.names[s])
				written = s
			}
			c.out.WriteString(l.cells[col].text)
		}
	}
	if !l.blank || shown.blank {
		return written
	}
	if written != 0 {
		c.out.WriteString("\x1b[m")
	}
	end := len(l.cells)
	for end > 0 && l.cells[end-1] == empty {
		end--
	}
	c.moveTo(row, end)
	c.out.WriteString("\x1b[K")
	return 0
}

// emptyFrom reports whether all cells from a column on are blanks.
func (l *line) emptyFrom(col int) bool {
	return !slices.ContainsFunc(l.cells[col:], func(c cell) bool { return c != empty })
}

// same reports whether a cell stays as it is shown. One that was not drawn does.
func (l *line) same(shown *line, col int) bool {
	return !l.cells[col].known || l.cells[col] == shown.at(col)
}

// changedUntil returns the end of a run of cells to write that begins at col: short gaps of cells that stay are in it, and it
// does not end within a wide character.
func (l *line) changedUntil(shown *line, col int) int {
	end := col + 1
	for n := end; n < len(l.cells) && n-end <= maxGap && l.cells[n].known; n++ {
		if !l.same(shown, n) || l.cells[n].text == "" {
			end = n + 1
		}
	}
	return end
}
