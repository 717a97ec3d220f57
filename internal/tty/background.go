package tty

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// Wait is how long a terminal is given to answer: one that does answers within a few milliseconds, over a slow line
// in a hundred.
const Wait = 150 * time.Millisecond

// query asks for the background's colour, whether the terminal has synchronized updates, and then for its kind, which
// every terminal answers. A terminal that does not know the questions before answers the last one at once, so that
// nothing is waited for.
const query = "\x1b]11;?\x07\x1b[?2026$p\x1b[c"

// Light reports whether the terminal's background is light. known is false where nothing says so. colors is the
// variable COLORFGBG, which some terminals set; the terminal is asked only where that says nothing, and waited for until
// wait is over or ctx ends. Its mode is meanwhile another one.
func (t *Terminal) Light(ctx context.Context, colors string, wait time.Duration) (light, known bool) {
	if light, known := fromVariable(colors); known {
		return light, true
	}
	state, err := term.MakeRaw(t.in.Fd())
	if err != nil {
		return false, false
	}
	defer func() { _ = term.Restore(t.in.Fd(), state) }()
	reader, err := cancelreader.NewReader(t.in)
	if err != nil {
		return false, false
	}
	defer reader.Close()
	if _, err := io.WriteString(t.output, query); err != nil {
		return false, false
	}
	ctx, stop := context.WithTimeout(ctx, wait)
	defer stop()
	defer context.AfterFunc(ctx, func() { reader.Cancel() })()
	reply := readReply(reader)
	if synchronizes(reply) {
		t.output.synchronize()
	}
	return fromReply(reply)
}

// synchronizes reads ESC [ ? 2026 ; STATE $ y: 1 and 2 are on and off, the others are a mode that cannot be set.
func synchronizes(reply []byte) bool {
	return bytes.Contains(reply, []byte("\x1b[?2026;1$y")) || bytes.Contains(reply, []byte("\x1b[?2026;2$y"))
}

// fromVariable reads COLORFGBG: "15;0" or "0;default;15", the last number being the background's.
func fromVariable(colors string) (light, known bool) {
	_, last, ok := cutLast(colors, ";")
	if !ok {
		return false, false
	}
	n, err := strconv.Atoi(last)
	if err != nil || n < 0 || n > 15 {
		return false, false
	}
	return n == 7 || n > 8, true
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// maxReply bounds the length of an answer.
const maxReply = 1024

// readReply reads until the answer to the second question, until nothing comes any more, or until it is too much.
func readReply(r io.Reader) []byte {
	var reply []byte
	buffer := make([]byte, 128)
	for len(reply) < maxReply {
		n, err := r.Read(buffer)
		reply = append(reply, buffer[:n]...)
		if i := bytes.Index(reply, []byte("\x1b[?")); i >= 0 && bytes.IndexByte(reply[i:], 'c') > 0 {
			return reply
		}
		if err != nil {
			return reply
		}
	}
	return reply
}

// fromReply reads ESC ] 11 ; rgb:RRRR/GGGG/BBBB.
func fromReply(reply []byte) (light, known bool) {
	_, rest, ok := bytes.Cut(reply, []byte("]11;rgb"))
	if !ok {
		return false, false
	}
	_, text, ok := bytes.Cut(rest, []byte(":"))
	if end := bytes.IndexAny(text, "\x07\x1b"); end >= 0 {
		text = text[:end]
	}
	parts := strings.Split(string(text), "/")
	if !ok || len(parts) < 3 {
		return false, false
	}
	weights, brightness := []float64{0.299, 0.587, 0.114}, 0.0
	for i, weight := range weights {
		n, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return false, false
		}
		most := uint64(1)<<(4*len(parts[i])) - 1
		brightness += weight * float64(n) / float64(most)
	}
	return brightness > 0.5, true
}
