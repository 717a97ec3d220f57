package recorder

import (
	"bufio"
	"io"

	"asldb/engine"
	"asldb/engine/value"
)

// Execution says which execution an event is of, where that was started by a task of another.
type Execution struct {
	// Title is the name of the definition's file.
	Title string
	// State and Request are the state path and the number of the request of the task that started it.
	State   string
	Request int64
	// In is the execution of that task, nil where it is the run itself.
	In *Execution
}

// WriteOf writes one event of an execution; nil is the run itself, and then it is Write.
func (w *Writer) WriteOf(e *engine.Event, of *Execution) error {
	if of == nil {
		return w.Write(e)
	}
	line := AppendEvent(w.line[:0], e)
	line = appendKey(line[:len(line)-1], "execution")
	w.line = append(of.append(line), "}\n"...)
	_, err := w.out.Write(w.line)
	return err
}

// WriteWith writes one event of the run with a further member, which comes last.
func (w *Writer) WriteWith(e *engine.Event, member string, v value.Value) error {
	line := AppendEvent(w.line[:0], e)
	line = value.Append(appendKey(line[:len(line)-1], member), v)
	w.line = append(line, "}\n"...)
	_, err := w.out.Write(w.line)
	return err
}

func (x *Execution) append(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	dst = appendText(dst, "definition", x.Title)
	dst = append(dst[:start], dst[start+1:]...) // the first member has no comma
	dst = appendText(dst, "state", x.State)
	dst = appendInt(dst, "request", x.Request)
	if x.In != nil {
		dst = x.In.append(appendKey(dst, "in"))
	}
	return append(dst, '}')
}

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
