package recorder

import (
	"errors"
	"fmt"
	"io"

	"asldb/internal/files"
)

// ErrStopped says that the caller has stopped the index of a trace.
var ErrStopped = errors.New("the index of the trace was stopped")

// Begin opens the trace in a file as [Open] does, but reads no more than its first line: [Trace.Index] reads the rest, without
// which the trace has no events.
func Begin(name string, formats Formats) (*Trace, error) {
	file, info, err := files.Open(name)
	var kind *files.KindError
	if errors.As(err, &kind) {
		what := "not a file that can be read at any place"
		if kind.Mode.IsDir() {
			what = "a directory, not a trace"
		}
		return nil, &FormatError{Name: name, Msg: what}
	}
	if err != nil {
		return nil, err
	}
	t, err := BeginTrace(name, file, info.Size(), formats)
	if err != nil {
		file.Close()
		return nil, err
	}
	t.closer = file
	return t, nil
}

// BeginTrace opens the trace in the first size bytes of file, as [Begin] does; name stands in messages.
func BeginTrace(name string, file io.ReaderAt, size int64, formats Formats) (*Trace, error) {
	first, err := readFirst(name, file, size)
	if err != nil {
		return nil, err
	}
	t := &Trace{
		name: name, file: file, size: size, unpack: first.unpack, loaded: recent[int, *lines]{limit: keptChunks},
		forks: []fork{{parent: -1}},
	}
	if t.header, err = readHeader(name, first.line); err != nil {
		return nil, err
	}
	t.definition = formats.definition(t.header)
	t.read.init(t)
	t.scanner = &scanner{t: t, value: 1}
	return t, nil
}

// Size returns the length of the file in bytes, as it was when the trace was opened or extended last.
func (t *Trace) Size() int64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.size
}

// Index reads a trace that [Begin] has opened. Now and then it calls looked with the number of bytes that have been read, and goes on
// where that reports true; looked may be nil. The error is [ErrStopped], or that of reading the file; a trace that is cut or damaged has
// [Trace.Warnings].
func (t *Trace) Index(looked func(read int64) bool) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.scanner.looked = looked
	err := t.indexed(t.scanner.scan())
	if err == nil && t.followed {
		err = t.note()
	}
	return err
}

// indexed returns the error of a scan, with the name of the file.
func (t *Trace) indexed(err error) error {
	t.scanner.looked = nil
	if err == nil || errors.Is(err, ErrStopped) {
		return err
	}
	return fmt.Errorf("cannot read %q: %w", t.name, plainError(err))
}
