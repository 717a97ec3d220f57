package recorder

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
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
// were bytes. The error is [ErrShorter], [ErrReplaced], [ErrRemoved] or that of reading the file: the lines that were indexed
// before stay.
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

// known returns an error where the bytes before the offset of the scan are not those that were read: the file was cut and written
// anew between two calls.
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
