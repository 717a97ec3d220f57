package recorder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"asldb/internal/files"
)

// TraceError says that a trace cannot be written.
type TraceError struct {
	Name string
	// Events is how many events the trace has, of one that has been begun.
	Events int64
	Begun  bool
	Err    error
}

// Error implements error.
func (e *TraceError) Error() string {
	if !e.Begun {
		return fmt.Sprintf("cannot record in %q: %v", e.Name, e.Err)
	}
	text := fmt.Sprintf("cannot continue recording in %q: %v; ", e.Name, e.Err)
	switch {
	case errors.Is(e.Err, ErrTraceCut):
		return text + "the run continues, and what the trace has of it is not whole"
	case errors.Is(e.Err, ErrTraceGone), errors.Is(e.Err, ErrTraceOther):
		return text + "the run continues, and nothing more of it is recorded"
	case e.Events == 0:
		return text + "the run continues, and nothing of it is recorded"
	}
	return text + fmt.Sprintf("the run continues, and the trace keeps %d events", e.Events)
}

// Unwrap returns Err.
func (e *TraceError) Unwrap() error { return e.Err }

// The reasons of a [TraceError] that no system gives.
var (
	ErrTraceBusy    = errors.New("another process is recording in it")
	ErrTraceExists  = errors.New("there is a trace of that name already")
	ErrNotATrace    = errors.New("the file is there already, and is not a trace")
	ErrTraceGone    = errors.New("the file was removed or renamed while it was recorded")
	ErrTraceOther   = errors.New("another file took its place while it was recorded")
	ErrTraceCut     = errors.New("another program changed its length while it was recorded")
	errNotWholeText = errors.New("fewer bytes were written than given")
)

// CreateTrace begins a trace in a file. A file that is there and is not empty is left alone: see
// [TraceOptions]. The error is a *[TraceError], also where another process records in the file.
func CreateTrace(name string, header *Header, options TraceOptions) (*TraceWriter, error) {
	fail := func(err error) (*TraceWriter, error) {
		var path *fs.PathError
		if errors.As(err, &path) { // it would name the file a second time
			err = path.Err
		}
		return nil, &TraceError{Name: name, Err: err}
	}
	file, created, err := openTraceFile(name)
	if err != nil {
		return fail(err)
	}
	regular := false
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		regular = true
		if err := claim(file, info, created, options.Replace); err != nil {
			file.Close()
			return fail(err)
		}
	}
	w, err := newTraceWriter(name, file, regular, header, options)
	if err != nil || created && w.Fault() != nil { // there is no room: nothing of it is kept
		file.Close()
		if created {
			_ = os.Remove(name)
		}
	}
	return w, err
}

// Busy reports whether another process records in a file.
func Busy(name string) bool {
	file, _, err := files.Open(name)
	if err != nil {
		return false
	}
	defer file.Close() // which frees it again
	free, err := files.TryLock(file)
	return err == nil && !free
}

// openTraceFile opens the file of a trace, and creates one that only its owner can read where there is none.
func openTraceFile(name string) (file *os.File, created bool, err error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(name, os.O_WRONLY, 0) // a pipe that one reads oneself is never closed
		return file, false, err
	}
	file, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return file, err == nil, err
	}
	file, err = os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	return file, false, err
}

// claim locks a file and empties it, if that loses nothing. Only its owner can read it then, whatever the
// permissions of the old content were.
func claim(file *os.File, info fs.FileInfo, created, replace bool) error {
	size := info.Size()
	free, err := files.TryLock(file)
	switch {
	case err != nil:
		return err
	case !free:
		return ErrTraceBusy
	case created:
		return nil
	case size == 0:
		return file.Chmod(0o600)
	}
	first, err := readFirst(file.Name(), file, size)
	var foreign *FormatError
	switch {
	case errors.As(err, &foreign):
		return ErrNotATrace
	case err != nil:
		return err
	case first.end < size && !replace: // one in which nothing happened isn't a loss
		return ErrTraceExists
	}
	if err := file.Chmod(0o600); err != nil {
		return err
	}
	return file.Truncate(0)
}

// inPlace returns an error where the file isn't the written one any more: the recording would be lost.
func (w *TraceWriter) inPlace() error {
	if w.file == nil || !w.named {
		return nil
	}
	there, err := os.Stat(w.name)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrTraceGone
	}
	mine, mineErr := w.file.Stat()
	switch {
	case err != nil || mineErr != nil:
		return nil // it cannot be told
	case !os.SameFile(there, mine):
		return ErrTraceOther
	case mine.Size() != w.end:
		return ErrTraceCut
	}
	return nil
}
