package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/work"
)

const (
	// maxPending is how many events may wait to be written before the run waits for the writer.
	maxPending = 1 << 12
	// breath is how long the writer waits after few events, so that a run at full speed does not pay
	// for a call to the system with each of them.
	breath = 500 * time.Microsecond
	// blockSize is how many bytes are written at a time, about: always whole lines.
	blockSize = 256 << 10
)

// TraceOptions are how a trace is written.
type TraceOptions struct {
	// Compress writes zstd frames (RFC 8878), each with whole lines.
	Compress bool
	// Replace allows [CreateTrace] to replace a trace that is there already.
	Replace bool
	// Redactions are kept out of the trace.
	Redactions []*Redaction
}

// TraceWriter records a run. It is the [debug.Sink] of the session. Events and inputs are written by a
// separate goroutine, in order and within about a millisecond: when the process is killed, the trace lacks the lines
// that were being written at that moment, and none before them.
//
// When the trace cannot be written any more, the run continues, the lines written before stay, and Fault returns the
// reason.
type TraceWriter struct {
	mutex   sync.Mutex
	change  sync.Cond // of the fields below
	pending batch
	spare   batch         // to be filled next
	writing bool          // a batch is being written
	syncs   int           // how many wait until all is written
	hurry   chan struct{} // has one when the writer's breath is to end
	closed  bool
	fault   *TraceError

	// The rest belongs to the goroutine.
	name    string
	out     io.Writer
	file    *os.File // nil where out is none
	named   bool     // name is where the file is
	end     int64    // of the written lines, in bytes
	events  int64    // that have been written
	pack    func(dst, block []byte) []byte
	packed  []byte
	buffer  []byte
	values  *valueLines
	form    eventForm
	now     time.Time // the virtual time; zero where it is not known
	redact  *redactor
	stopped chan struct{}
}

// batch holds events and the notes between them, in order.
type batch struct {
	events []engine.Event
	notes  []note
}

// note is an input, or the place where a fork begins.
type note struct {
	at      int // the number of events of the batch before it
	input   *runlog.Input
	rewound int64
}

func (b *batch) empty() bool { return len(b.events) == 0 && len(b.notes) == 0 }

// reset empties b and releases its contents.
func (b *batch) reset() {
	clear(b.events)
	clear(b.notes)
	b.events, b.notes = b.events[:0], b.notes[:0]
}

// NewTraceWriter begins a trace in any Writer, which name names in messages. It closes a Writer that can be closed.
// That nothing can be written is a matter of Fault from the beginning; the error, a *[TraceError], is about the options.
func NewTraceWriter(name string, out io.Writer, header *Header, options TraceOptions) (*TraceWriter, error) {
	return newTraceWriter(name, out, false, header, options)
}

// newTraceWriter is NewTraceWriter; named says that out is the regular file of that name.
func newTraceWriter(name string, out io.Writer, named bool, header *Header, options TraceOptions) (*TraceWriter, error) {
	w := &TraceWriter{
		name: name, named: named, out: out, values: newValueLines(), form: eventForm{trace: true},
		redact: newRedactor(options.Redactions), stopped: make(chan struct{}), hurry: make(chan struct{}, 1),
	}
	w.change.L = &w.mutex
	w.pending.events, w.spare.events = make([]engine.Event, 0, maxPending/8), make([]engine.Event, 0, maxPending/8)
	if file, ok := out.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			w.file = file
		}
	}
	if options.Compress {
		pack, err := packer()
		if err != nil {
			return nil, &TraceError{Name: name, Err: err}
		}
		w.pack = pack
	}
	first := *header
	if first.Definition != nil && first.Digest == "" {
		first.Digest = first.Definition.Digest()
	}
	if w.redact != nil {
		first = w.redact.header(first)
	}
	w.values.input(first.Input)
	w.buffer = first.append(w.buffer)
	if err := w.flush(); err != nil {
		w.fault = &TraceError{Name: name, Begun: true, Err: err}
	}
	go w.run()
	return w, nil
}

// Received implements [debug.Sink].
func (w *TraceWriter) Received(in runlog.Input) { w.note(note{input: &in}) }

// Rewound implements [debug.Sink].
func (w *TraceWriter) Rewound(to int64) { w.note(note{rewound: to}) }

func (w *TraceWriter) note(n note) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.fault == nil && !w.closed {
		n.at = len(w.pending.events)
		w.pending.notes = append(w.pending.notes, n)
		w.wake()
	}
}

// Happened implements [debug.Sink].
func (w *TraceWriter) Happened(events []engine.Event) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for len(w.pending.events)+len(w.pending.notes) >= maxPending && w.fault == nil {
		w.change.Wait()
	}
	if w.fault == nil && !w.closed {
		w.pending.events = append(w.pending.events, events...)
		w.wake()
	}
}

// wake tells the goroutine that there is something to write. One that is writing looks itself.
func (w *TraceWriter) wake() {
	if !w.writing {
		w.change.Broadcast()
	}
}

// Fault returns the reason why the trace cannot be written any more; nil: it can.
func (w *TraceWriter) Fault() *TraceError {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.fault
}

// Unfound returns the paths of [TraceOptions] Redactions that have led to nothing; it is for after Close.
func (w *TraceWriter) Unfound() []string {
	if w.redact == nil {
		return nil
	}
	return w.redact.unfound()
}

// Close writes the rest and ends the trace. The error is a *[TraceError], the same as Fault's.
func (w *TraceWriter) Close() error {
	w.mutex.Lock()
	w.closed = true
	w.change.Broadcast()
	w.mutex.Unlock()
	<-w.stopped
	if w.fault != nil {
		return w.fault
	}
	return nil
}

// run writes batches until the writer is closed.
func (w *TraceWriter) run() {
	defer close(w.stopped)
	pause := time.NewTimer(breath)
	defer pause.Stop()
	w.mutex.Lock()
	for {
		for w.pending.empty() && !w.closed {
			w.change.Wait()
		}
		if w.pending.empty() {
			break
		}
		batch := w.pending
		w.pending, w.writing = w.spare, true
		w.change.Broadcast()
		w.mutex.Unlock()
		var err error
		if broken := work.Catch(func() { err = w.writeBatch(&batch) }); broken != nil {
			err = fmt.Errorf("a fault in asldb itself: %w", broken) // the run does not end by it
		}
		if few := len(batch.events) < maxPending/4; few && err == nil {
			w.coalesce(pause)
		}
		batch.reset()
		w.mutex.Lock()
		w.spare, w.writing = batch, false
		w.change.Broadcast()
		if err != nil && w.fault == nil {
			w.fault = &TraceError{Name: w.name, Events: w.events, Begun: true, Err: err}
			w.pending = batch // nothing more is taken in
			w.change.Broadcast()
		}
	}
	w.mutex.Unlock()
	w.shut()
}

// coalesce waits for a moment, so that more events come together, unless a caller waits for them.
func (w *TraceWriter) coalesce(pause *time.Timer) {
	w.mutex.Lock()
	waited := w.syncs > 0
	w.mutex.Unlock()
	if waited {
		return
	}
	pause.Reset(breath)
	select {
	case <-pause.C:
	case <-w.hurry:
	}
}

// Sync implements [debug.Sink]: it returns when everything received is in the file, or cannot be written. Nothing of a run
// that has stopped is only in memory.
func (w *TraceWriter) Sync() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.synced() {
		return
	}
	w.syncs++
	select {
	case w.hurry <- struct{}{}:
	default:
	}
	w.change.Broadcast()
	for !w.synced() {
		w.change.Wait()
	}
	w.syncs--
}

func (w *TraceWriter) synced() bool {
	return w.fault != nil || w.closed || !w.writing && w.pending.empty()
}

// shut closes the file. That it is full may come out only now.
func (w *TraceWriter) shut() {
	closer, ok := w.out.(io.Closer)
	if !ok {
		return
	}
	err := w.inPlace()
	if err = errors.Join(err, closer.Close()); err != nil && w.fault == nil {
		w.mutex.Lock()
		w.fault = &TraceError{Name: w.name, Events: w.events, Begun: true, Err: err}
		w.mutex.Unlock()
	}
}

func (w *TraceWriter) writeBatch(b *batch) error {
	written := int64(0)
	next := 0
	for i := 0; i <= len(b.events); i++ {
		for ; next < len(b.notes) && b.notes[next].at == i; next++ {
			w.appendNote(&b.notes[next])
		}
		if i < len(b.events) {
			w.appendEvent(&b.events[i])
			written++
		}
		if len(w.buffer) >= blockSize || i == len(b.events) {
			if err := w.flush(); err != nil {
				return err
			}
			w.events += written
			written = 0
		}
	}
	return nil
}

func (w *TraceWriter) appendNote(n *note) {
	if n.input == nil {
		w.buffer = strconv.AppendInt(append(w.buffer, `{"rewound":`...), n.rewound, 10)
		w.buffer = append(w.buffer, '}', '\n')
		w.now = time.Time{}
		return
	}
	in := *n.input
	if in.Kind == runlog.InputTime {
		w.now = in.Time
	}
	if w.redact != nil {
		in = w.redact.input(in)
	}
	w.buffer = appendInput(w.buffer, w.values, &in, w.now)
}

func (w *TraceWriter) appendEvent(e *engine.Event) {
	w.now = e.At()
	if w.redact != nil {
		cleaned := w.redact.event(e)
		e = &cleaned
	}
	w.buffer, w.form.before = w.values.line(w.buffer, e.Before, nil)
	w.buffer, w.form.after = w.values.line(w.buffer, e.After, e.Before)
	w.form.detail = inline
	switch d := e.Detail.(type) {
	case *engine.TaskRequest:
		w.buffer, w.form.detail = w.values.line(w.buffer, d.Credentials, nil)
	case *engine.AssignDetail:
		if d.Assigned != nil {
			w.buffer, w.form.detail = w.values.line(w.buffer, d.Assigned, nil)
		}
	}
	w.buffer = append(w.form.append(w.buffer, e), '\n')
}

// flush writes the buffer, which holds whole lines, with one call. When that fails in the middle, the file
// is cut back to the lines before.
func (w *TraceWriter) flush() error {
	block := w.buffer
	w.buffer = w.buffer[:0]
	if len(block) == 0 {
		return nil
	}
	if w.pack != nil {
		w.packed = w.pack(w.packed[:0], block)
		block = w.packed
	}
	if err := w.inPlace(); err != nil {
		return err
	}
	n, err := w.out.Write(block)
	if err == nil && n < len(block) {
		err = errNotWholeText
	}
	if err != nil {
		if w.pack == nil {
			kept := block[:bytes.LastIndexByte(block[:n], '\n')+1]
			w.end += int64(len(kept))
			w.events += int64(bytes.Count(kept, []byte("\n"+seqStart)))
			if bytes.HasPrefix(kept, []byte(seqStart)) {
				w.events++
			}
		}
		if w.file != nil {
			_ = w.file.Truncate(w.end) // a reader drops half a line as well
		}
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return err
	}
	w.end += int64(n)
	return nil
}

// input notes that the header has a value: it is number 0's.
func (l *valueLines) input(v value.Value) {
	l.text = l.text[:0]
	line := &valueLine{chain: 1}
	l.path = l.path[:0]
	if v != nil && atLeast(v, largeValue) {
		l.text = l.append(l.text, v, line, true)
		l.remember(v, known{line: line})
	}
}
