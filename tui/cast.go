package tui

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Cast is a recording of a terminal, written in version 2 of the format asciicast. The time of each frame is given, and
// nothing depends on a clock.
type Cast struct {
	W, H    int
	Title   string
	Palette Palette

	events bytes.Buffer
	shown  [][]cell  // the newest frame
	style  cellStyle // of the cell that was written last
}

// Frame records that the terminal shows a text, only the changed cells are written.
func (c *Cast) Frame(at time.Duration, text string) {
	next := Read(text, c.W).rows
	for len(next) < c.H {
		next = append(next, fill(nil, c.W))
	}
	var out strings.Builder
	if c.shown == nil {
		out.WriteString("\x1b[?25l\x1b[0m\x1b[2J")
		c.shown = make([][]cell, c.H)
		for y := range c.shown {
			c.shown[y] = fill(nil, c.W)
		}
	}
	next = next[:c.H]
	for y, row := range next {
		row = row[:c.W]
		for x := 0; x < c.W; {
			end := changed(c.shown[y], row, x)
			if end == x {
				x++
				continue
			}
			for row[x].text == "" && x > 0 { // a wide character is written as a whole
				x--
			}
			out.WriteString("\x1b[" + strconv.Itoa(y+1) + ";" + strconv.Itoa(x+1) + "H")
			c.cells(&out, row[x:end])
			x = end
		}
	}
	c.shown = next
	if out.Len() > 0 {
		c.event(at, "o", out.String())
	}
}

// changed returns the end of the cells from x on that differ, which is x where the first does not. A few equal cells
// between others count with them: skipping them takes more bytes than writing them.
func changed(before, after []cell, x int) (end int) {
	const few = 4
	end = x
	for i := x; i < len(after) && i-end <= few; i++ {
		if before[i] != after[i] {
			end = i + 1
		} else if end == x {
			return x
		}
	}
	return end
}

// cells writes cells with the sequences of their styles.
func (c *Cast) cells(out *strings.Builder, list []cell) {
	for _, cell := range list {
		if cell.style != c.style {
			out.WriteString(cell.style.sequence())
			c.style = cell.style
		}
		out.WriteString(cell.text)
	}
}

// sequence is the SGR sequence that sets a style, whatever the style before.
func (l cellStyle) sequence() string {
	codes := []string{"0"}
	for code, on := range []bool{1: l.bold, 2: l.faint, 4: l.underline, 7: l.reverse} {
		if on {
			codes = append(codes, strconv.Itoa(code))
		}
	}
	color := func(extended, usual, bright int, value string) {
		switch n, err := strconv.Atoi(value); {
		case value == "":
		case err != nil:
			rgb, _ := strconv.ParseUint(value[1:], 16, 32)
			codes = append(codes, strconv.Itoa(extended), "2", strconv.Itoa(int(rgb>>16)),
				strconv.Itoa(int(rgb>>8&255)), strconv.Itoa(int(rgb&255)))
		case n < 8:
			codes = append(codes, strconv.Itoa(usual+n))
		default:
			codes = append(codes, strconv.Itoa(bright+n-8))
		}
	}
	color(38, 30, 90, l.text)
	color(48, 40, 100, l.background)
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// Mark records a marker, to which players can jump.
func (c *Cast) Mark(at time.Duration, label string) { c.event(at, "m", label) }

// Wait records that nothing changes until a time.
func (c *Cast) Wait(at time.Duration) { c.event(at, "o", "") }

func (c *Cast) event(at time.Duration, kind, data string) {
	c.events.WriteString("[" + strconv.FormatFloat(at.Seconds(), 'f', 3, 64) + ", " + encoded(kind) + ", " +
		encoded(data) + "]\n")
}

// Bytes returns the recording: a line for the header, and a line for each event.
func (c *Cast) Bytes() []byte {
	type cellStyle struct {
		Text       string `json:"fg"`
		Background string `json:"bg"`
		Palette    string `json:"palette"`
	}
	header := encoded(struct {
		Version int               `json:"version"`
		Width   int               `json:"width"`
		Height  int               `json:"height"`
		Title   string            `json:"title,omitempty"`
		Env     map[string]string `json:"env"`
		Theme   cellStyle         `json:"theme"`
	}{2, c.W, c.H, c.Title, map[string]string{"TERM": "xterm-256color"},
		cellStyle{c.Palette.Text, c.Palette.Background, strings.Join(c.Palette.Named[:], ":")}})
	return append([]byte(header+"\n"), c.events.Bytes()...)
}

// encoded is a value as JSON; every value that is passed to it can be encoded.
func encoded(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return strings.TrimSuffix(b.String(), "\n")
}
