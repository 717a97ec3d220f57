package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"asldb/internal/files"
)

// The reasons why a trace that is written by another program cannot be followed further.
var (
	ErrShorter  = errors.New("the trace has become shorter since it was opened")
	ErrReplaced = errors.New("another file took its place, or it was written anew")
	ErrRemoved  = errors.New("the file was removed or renamed")
)

// followedBefore is the number of bytes by which a trace is known again.
const followedBefore = 64

// BeginFollowing opens a trace that may still be written, as [Begin] does. Its last line may have no end yet:
// [Trace.Index] leaves it to [Trace.Extend].
func BeginFollowing(name string, formats Formats) (*Trace, error) {
	t, err := Begin(name, formats)
	if err == nil {
		t.followed = true
	}
	return t, err
}

// Extend indexes the lines that were added to the file since the last call, or since [Trace.Index], and reports whether there
// were bytes. The error is [ErrShorter], [ErrReplaced], [ErrRemoved] or comes from reading the file: the lines that
// were indexed before stay.
func (t *Trace) Extend() (more bool, err error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	file, _ := t.file.(*os.File)
	if file == nil {
		return false, nil
	}
	mine, err := file.Stat()
	if err != nil {
		return false, plainError(err)
	}
	switch there, err := os.Stat(t.name); {
	case errors.Is(err, fs.ErrNotExist):
		return false, ErrRemoved
	case err == nil && !os.SameFile(there, mine):
		return false, ErrReplaced
	case mine.Size() < t.size:
		return false, ErrShorter
	}
	if err := t.known(); err != nil {
		return false, err
	}
	if mine.Size() == t.size {
		return false, nil
	}
	t.size = mine.Size()
	if err := t.indexed(t.scanner.scan()); err != nil {
		return true, err
	}
	return true, t.note()
}

// note notes the bytes before the offset of the scan, by which [Trace.known] knows the file again.
func (t *Trace) note() error {
	s := t.scanner
	s.noted = make([]byte, min(s.offset, followedBefore))
	if n, err := t.file.ReadAt(s.noted, s.offset-int64(len(s.noted))); n < len(s.noted) {
		if errors.Is(err, io.EOF) {
			return ErrShorter
		}
		return plainError(err)
	}
	return nil
}

// known returns an error where the bytes before the offset of the scan are not those that were read: the file was cut
// and rewritten between two calls.
func (t *Trace) known() error {
	before := t.scanner.noted
	if before == nil {
		return nil
	}
	if err := t.note(); err != nil {
		return err
	}
	if !bytes.Equal(before, t.scanner.noted) {
		return ErrReplaced
	}
	return nil
}

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

// BeginTrace opens the trace in the first size bytes of file, as [Begin] does; name is for messages.
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

// Index reads a trace that [Begin] has opened. Now and then it calls looked with the number of bytes that have been
// read, and continues where that reports true; looked may be nil. The error is [ErrStopped], or comes from reading the
// file; a trace that is cut or damaged has [Trace.Warnings].
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
