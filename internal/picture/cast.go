package picture

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Cast is a recording of a terminal, written in version 2 of the format asciicast. The time of each frame is given, and nothing depends
// on a clock.
type Cast struct {
	W, H    int
	Title   string
	Palette Palette

	events bytes.Buffer
	shown  []string // the lines of the newest frame
}

// Frame records that the terminal shows a text, of which only the lines that have changed are written.
func (c *Cast) Frame(at time.Duration, text string) {
	var out strings.Builder
	if c.shown == nil {
		out.WriteString("\x1b[?25l\x1b[2J")
		c.shown = make([]string, c.H)
	}
	lines := strings.Split(text, "\n")
	for i := range c.H {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		if line != c.shown[i] {
			out.WriteString("\x1b[" + strconv.Itoa(i+1) + ";1H\x1b[0m" + line + "\x1b[0m\x1b[K")
			c.shown[i] = line
		}
	}
	if out.Len() > 0 {
		c.event(at, "o", out.String())
	}
}

// Mark records a marker, to which players can jump.
func (c *Cast) Mark(at time.Duration, label string) { c.event(at, "m", label) }

// Wait records that nothing changes until a time.
func (c *Cast) Wait(at time.Duration) { c.event(at, "o", "") }

func (c *Cast) event(at time.Duration, kind, data string) {
	c.events.WriteString("[" + strconv.FormatFloat(at.Seconds(), 'f', 3, 64) + ", " + encoded(kind) + ", " + encoded(data) + "]\n")
}

// Bytes returns the recording: a line for the header, and a line for each event.
func (c *Cast) Bytes() []byte {
	type look struct {
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
		Theme   look              `json:"theme"`
	}{2, c.W, c.H, c.Title, map[string]string{"TERM": "xterm-256color"}, look{c.Palette.Text, c.Palette.Background, strings.Join(c.Palette.Named[:], ":")}})
	return append([]byte(header+"\n"), c.events.Bytes()...)
}

// encoded is a value as JSON; what is encoded here has no part that cannot be.
func encoded(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return strings.TrimSuffix(b.String(), "\n")
}
