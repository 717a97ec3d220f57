package recorder

import (
	"bufio"
	"io"

	"asldb/engine"
)

// bufferSize is the size of the buffer of a Writer, in bytes.
const bufferSize = 64 << 10

// Writer writes events as JSON Lines: one object a line. It buffers; call Flush at the end. After the
// first error it writes nothing more and returns that error again.
type Writer struct {
	out  *bufio.Writer
	line []byte // reused from event to event
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, bufferSize)}
}

// Write writes one event.
func (w *Writer) Write(e *engine.Event) error {
	w.line = append(AppendEvent(w.line[:0], e), '\n')
	_, err := w.out.Write(w.line)
	return err
}

// Flush writes the buffered events.
func (w *Writer) Flush() error { return w.out.Flush() }
