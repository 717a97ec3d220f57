package tty

import (
	"bytes"
	"os"
)

// maxLate bounds the length of a late answer in bytes: a shorter beginning of one is held until the rest comes.
const maxLate = 128

// Input is a terminal's input without answers to the query that came too late: they would be taken for keys.
type Input struct {
	*os.File
	held []byte // the beginning of a possible answer
}

// NewInput returns the input without late answers.
func NewInput(file *os.File) *Input { return &Input{File: file} }

// Read implements io.Reader. It returns 0 bytes where all were of answers: only between two calls can the reader of keys
// be told to end.
func (in *Input) Read(p []byte) (int, error) {
	n, err := in.File.Read(p[:max(1, len(p)-len(in.held))])
	return copy(p, in.strip(p[:n])), err
}

// strip removes answers from the bytes read. An answer that is not whole is held until the rest comes; whatever else
// begins as one does is passed on.
func (in *Input) strip(read []byte) []byte {
	data := read
	if len(in.held) > 0 {
		data = append(in.held, read...)
		in.held = nil
	}
	var kept []byte
	for len(data) > 0 {
		i := bytes.IndexByte(data, 0x1b)
		if i < 0 {
			return append(kept, data...)
		}
		kept, data = append(kept, data[:i]...), data[i:]
		length, whole := answer(data)
		switch {
		case length == 0:
			kept, data = append(kept, data[0]), data[1:]
		case whole:
			data = data[length:]
		case len(data) < maxLate:
			in.held = bytes.Clone(data)
			return kept
		default:
			return append(kept, data...)
		}
	}
	return kept
}

// answer returns the length of the answer that data, which begins with ESC, begins with; 0 where it is none. whole is
// false where only its beginning is there.
func answer(data []byte) (length int, whole bool) {
	var end int
	switch {
	case bytes.HasPrefix(data, []byte("\x1b]11;")):
		bell, st := bytes.IndexByte(data, '\a'), bytes.Index(data, []byte("\x1b\\"))
		if end = bell + 1; bell < 0 || st >= 0 && st < bell {
			end = st + 2
		}
		if bell < 0 && st < 0 {
			return len(data), false
		}
	case bytes.HasPrefix(data, []byte("\x1b[?")):
		if end = bytes.IndexByte(data, 'c') + 1; end == 0 {
			return len(data), false
		}
	}
	return end, end > 0
}
