package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"asldb/internal/wording"
)

// WriteError says that a file was not written: it is as it was before.
type WriteError struct {
	Name string
	Err  error
}

// Error implements error: the file and the reason.
func (e *WriteError) Error() string {
	if errors.Is(e.Err, fs.ErrExist) {
		return wording.Line(e.Name) + " is there already, and is not written over"
	}
	return fmt.Sprintf("cannot write %s: %v", wording.Line(e.Name), e.Err)
}

// Unwrap returns the reason.
func (e *WriteError) Unwrap() error { return e.Err }

// The reasons of a WriteError that are not the system's.
var (
	ErrDirectory = errors.New("it is a directory")
	ErrReadOnly  = errors.New("it is read-only")
	ErrBusy      = errors.New("another process is writing in its folder and does not end")
)

// Fail is for tests: where it is set it is called before every change of the file system, and an error keeps the change
// from being made.
var Fail func(call string) error

// try makes a change of the file system.
func try(call string, change func() error) error {
	if Fail != nil {
		if err := Fail(call); err != nil {
			return err
		}
	}
	return change()
}

// Pending is a file that is being written. Only Commit gives the text its name; anything but a regular file gets it at
// once.
type Pending struct {
	name, target string
	temp         string // empty where the target itself is written to
	file         *os.File
	fresh        bool
	sealed       bool
	ended        bool
	err          error // of the first write that failed
}

// Begin begins to write a file, which may be there. A new one gets the mode, as far as the umask of the process allows;
// one that is there keeps its own, but for permissions to read and write that mode does not have. Commit or Drop must
// be called. The error is a *[WriteError].
func Begin(name string, mode fs.FileMode) (*Pending, error) { return begin(name, mode, false) }

// BeginNew begins to write a file that must not be there: see [Begin].
func BeginNew(name string, mode fs.FileMode) (*Pending, error) { return begin(name, mode, true) }

func begin(name string, mode fs.FileMode, fresh bool) (p *Pending, err error) {
	p = &Pending{name: name, target: targetOf(name), fresh: fresh}
	info, err := os.Stat(name)
	there := err == nil
	switch {
	case there && info.IsDir():
		err = ErrDirectory
	case there && special(info):
		p.file, err = openSpecial(name, info)
		return p, wrap(p.name, err)
	case there && fresh:
		err = fs.ErrExist
	case there && info.Mode().Perm()&0o200 == 0:
		err = ErrReadOnly
	case there:
		mode = info.Mode().Perm() & (mode | 0o111)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err == nil {
		err = p.create(mode)
	}
	if err == nil && there {
		err = p.file.Chmod(mode) // whatever the umask is
	}
	if err != nil {
		p.Drop()
	}
	return p, wrap(p.name, err)
}

// wrap makes an error of the file system a *WriteError, which has the name of the file once; of nil it makes nil.
func wrap(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	var size *SizeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	case errors.As(err, &size):
		err = &SizeError{"it", size.Size, size.Most}
	}
	return &WriteError{name, err}
}

// targetOf returns the file that a name means, behind its links.
func targetOf(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		return target
	}
	return name
}

// special reports whether a file is written to: a device, a pipe, a socket, or the file that standard output goes to.
func special(info fs.FileInfo) bool {
	return !info.Mode().IsRegular() || standard(info) != nil
}

// standard returns the standard stream that goes to a file; nil: none does.
func standard(info fs.FileInfo) *os.File {
	for _, stream := range []*os.File{os.Stdout, os.Stderr} {
		if own, err := stream.Stat(); err == nil && os.SameFile(own, info) {
			return stream
		}
	}
	return nil
}

// openSpecial opens a file that is written to. A standard stream has its own position, which another opened file
// would not have.
func openSpecial(name string, info fs.FileInfo) (*os.File, error) {
	if stream := standard(info); stream != nil {
		return stream, nil
	}
	return os.OpenFile(name, os.O_WRONLY, 0)
}

// temporary counts the files beside others, so that each has its own name.
var temporary atomic.Int64

// create creates the file beside the target.
func (p *Pending) create(mode fs.FileMode) error {
	for {
		temp := filepath.Join(filepath.Dir(p.target), fmt.Sprintf(".asldb-%d-%d.tmp", os.Getpid(), temporary.Add(1)))
		err := try("create", func() (err error) {
			p.file, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
			return err
		})
		if err == nil {
			p.temp = temp
		}
		if !errors.Is(err, fs.ErrExist) { // one is left of a process of the same number that was killed
			return err
		}
	}
}

// Name returns the name that the file was begun with.
func (p *Pending) Name() string { return p.name }

// Temp returns the name of the file that has the text before Commit; it is empty where the target itself is written to.
func (p *Pending) Temp() string { return p.temp }

// Write implements [io.Writer]. After an error, a *[WriteError], nothing more is written, and Commit returns it.
func (p *Pending) Write(data []byte) (n int, err error) {
	p.do("write", func() error {
		n, err = p.file.Write(data)
		return err
	})
	return n, wrap(p.name, p.err)
}

// do makes a change, unless one before it has failed.
func (p *Pending) do(call string, change func() error) {
	if p.err == nil {
		p.err = try(call, change)
	}
}

// Seal brings the text to the disk: little can fail in Commit then. The error is a *[WriteError].
func (p *Pending) Seal() error {
	switch {
	case p.sealed:
	case p.temp != "":
		p.do("sync", p.file.Sync)
		p.do("close", p.file.Close)
	case p.file != os.Stdout && p.file != os.Stderr:
		p.err = errors.Join(p.err, p.file.Close())
	}
	p.sealed = true
	return wrap(p.name, p.err)
}

// Commit gives the text the name of the file. After an error the file is as it was. The error is a *[WriteError].
func (p *Pending) Commit() error {
	defer p.Drop()
	if err := p.Seal(); p.temp == "" {
		return err
	}
	p.do("rename", p.rename)
	p.ended = p.err == nil
	return wrap(p.name, p.err)
}

// rename gives the file beside the target its name.
func (p *Pending) rename() error {
	if p.fresh {
		return move(p.temp, p.target)
	}
	return rename(p.temp, p.target)
}

// Move gives a file another name, which no file must have. The error is a *[WriteError].
func Move(name, to string) error {
	return wrap(to, try("rename", func() error { return move(name, to) }))
}

// move claims the name first, since another process may make a file of it.
func move(name, to string) error {
	claim, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = claim.Close()
	if err == nil {
		err = try("replace", func() error { return rename(name, to) })
	}
	if err != nil {
		_ = os.Remove(to) // it is empty
	}
	return err
}

// Drop leaves the file as it was. After Commit it does nothing.
func (p *Pending) Drop() {
	if p.ended {
		return
	}
	p.ended = true
	if p.file != nil && p.file != os.Stdout && p.file != os.Stderr {
		_ = p.file.Close() // what it has is of no use
	}
	if p.temp != "" {
		_ = os.Remove(p.temp)
	}
}

// Replace writes a file as a whole, also where one is there: see [Begin]. The error is a *[WriteError].
func Replace(name string, mode fs.FileMode, text []byte) error { return put(name, mode, false, text) }

// Create writes a file that must not be there. The error is a *[WriteError], which is [fs.ErrExist] where it is.
func Create(name string, mode fs.FileMode, text []byte) error { return put(name, mode, true, text) }

func put(name string, mode fs.FileMode, fresh bool, text []byte) error {
	p, err := begin(name, mode, fresh)
	if err != nil {
		return err
	}
	_, _ = p.Write(text) // Commit returns its error
	return p.Commit()
}

// Append opens a file to write at its end; a new one gets the mode. It may be a device or a pipe. The error is a
// *[WriteError].
func Append(name string, mode fs.FileMode) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, &WriteError{Name: name, Err: err}
	}
	return file, nil
}

// Update changes a file: change gets its text, nil where there is none, and returns the new one, or nil for none. No
// other process updates a file in the folder meanwhile, so that no update is lost; change must not update one. The
// error is a *[WriteError], or comes from change.
func Update(name string, mode fs.FileMode, change func(old []byte) ([]byte, error)) error {
	if info, err := os.Stat(name); err == nil && special(info) {
		text, err := change(nil)
		if err != nil {
			return err
		}
		return Replace(name, mode, text)
	}
	unlock, err := Lock(name)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := Read(name, maxOld)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return wrap(name, err)
	}
	text, err := change(old)
	switch {
	case err != nil:
		return err
	case text != nil && (old == nil || !bytes.Equal(old, text)):
		return Replace(name, mode, text)
	case text == nil && old != nil:
		return wrap(name, try("remove", func() error { return os.Remove(name) }))
	}
	return nil
}

// maxOld bounds the files that are updated, in bytes.
const maxOld = 256 << 20

// The times of a lock: how often it is tried, and how long at most. An update takes milliseconds, and a process that
// dies gives its lock back.
const (
	lockEvery = 5 * time.Millisecond
	lockWait  = 30 * time.Second
)

// Lock waits while another process updates a file in the folder of the named one, and keeps others from it until unlock
// is called. The error is a *[WriteError].
func Lock(name string) (unlock func(), err error) {
	var file *os.File
	err = try("lock", func() (err error) {
		file, err = openLock(filepath.Dir(targetOf(name)))
		return err
	})
	for begin := time.Now(); err == nil; time.Sleep(lockEvery) {
		var free bool
		free, err = TryLock(file)
		switch {
		case err == nil && free:
			return func() { _ = file.Close() }, nil // which ends the lock
		case err == nil && time.Since(begin) > lockWait:
			err = ErrBusy
		}
		if err != nil {
			_ = file.Close() // nothing was written
		}
	}
	return nil, wrap(name, err)
}
