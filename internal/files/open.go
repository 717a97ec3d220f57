// Package files opens, writes and locks files. A clone brings links to devices, named pipes and files without an end
// behind any name: [Open] and [Read] take regular files only, and [Read] refuses by size before it reads. [Given] reads
// what the user has named, pipes as well. What a file names, or what asldb finds by itself, is read within a [Root].
//
// A file is written as a whole: its text is put into a file beside it, which then takes its name, so that a reader, a
// crash and a full disk leave the old file or the new one. Devices, pipes and standard output are written to.
package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// KindError says that a file is not a regular one.
type KindError struct {
	Name string
	Mode fs.FileMode
}

// Error implements error: the kind of the file.
func (e *KindError) Error() string {
	var kind string
	switch e.Mode.Type() {
	case fs.ModeDir:
		kind = "a directory"
	case fs.ModeNamedPipe:
		kind = "a named pipe"
	case fs.ModeSocket:
		kind = "a socket"
	case fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		kind = "a device"
	default:
		kind = "a special file"
	}
	return e.Name + " is " + kind + ", not a regular file"
}

// SizeError says that a file has more bytes than are read. Size is 0 where it is not known: a pipe has more than Most.
type SizeError struct {
	Name       string
	Size, Most int64
}

// Error implements error: both sizes.
func (e *SizeError) Error() string {
	if e.Size == 0 {
		return fmt.Sprintf("%s has more than %d bytes, the most that are read", e.Name, e.Most)
	}
	return fmt.Sprintf("%s has %d bytes, and at most %d are read", e.Name, e.Size, e.Most)
}

// Open opens a regular file for reading. It never waits for the writer of a pipe, and does nothing to a device: the
// error is a *[KindError], or comes from the file system.
func Open(name string) (*os.File, fs.FileInfo, error) {
	if err := Confined(name); err != nil {
		return nil, nil, err
	}
	return system{os.Stat, os.OpenFile}.open(name, name)
}

// system is the file system, or a part of it.
type system struct {
	stat     func(string) (fs.FileInfo, error)
	openFile func(string, int, fs.FileMode) (*os.File, error)
}

// open opens the file at a path, which messages call by its name. Some devices act when they are opened, so that it
// looks first; it looks again at the file that it has opened, which may be another one by then.
func (s system) open(name, path string) (*os.File, fs.FileInfo, error) {
	info, err := s.stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &KindError{name, info.Mode()}
	}
	if err != nil {
		return nil, nil, opening(name, err)
	}
	file, err := s.openFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, opening(name, err)
	}
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &KindError{name, info.Mode()}
	}
	if err != nil {
		file.Close() // it was not read
		return nil, nil, opening(name, err)
	}
	return file, info, nil
}

// opening turns an error of the file system into one about opening the file of a name.
func opening(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) { // it may come from stat, or be about the path in a root
		return &fs.PathError{Op: "open", Path: name, Err: path.Err}
	}
	return err
}

// Read reads a regular file of at most most bytes. The error is a *[KindError], a *[SizeError] or comes from the file
// system.
func Read(name string, most int64) ([]byte, error) {
	file, info, err := Open(name)
	if err != nil {
		return nil, err
	}
	return read(name, file, info.Size(), most)
}

// Given reads a file that the user has named: a pipe or a terminal is read to its end, or to the bound.
func Given(name string, most int64) ([]byte, error) {
	if bound.Load() != nil { // there are no terminals, and a pipe may have no end
		return Read(name, most)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close() // it was not read
		return nil, err
	}
	return read(name, file, info.Size(), most)
}

// read reads and closes a file. Its size may not be the one that was told, and a pipe's is 0.
func read(name string, file *os.File, size, most int64) ([]byte, error) {
	defer file.Close() // it was only read
	if size > most {
		return nil, &SizeError{name, size, most}
	}
	return Bounded(name, file, most)
}

// Bounded reads a stream of at most most bytes. The error is a *[SizeError] or comes from the stream.
func Bounded(name string, r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, &SizeError{Name: name, Most: most}
	}
	return data, err
}

// Digest returns the SHA-256 of a content in hexadecimal digits.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
