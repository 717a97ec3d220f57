package edits

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"asldb/internal/replace"
	"asldb/internal/visible"
)

// WriteError says why a file was not written. None of the files has been changed then.
type WriteError struct {
	File string
	Err  error
}

// Error implements error: the file and the reason.
func (e *WriteError) Error() string {
	return fmt.Sprintf("%s is not changed: %v", visible.Line(e.File), e.Err)
}

// Unwrap returns the reason.
func (e *WriteError) Unwrap() error { return e.Err }

// The reasons of a WriteError that are not the system's.
var (
	ErrOutside   = errors.New("it is outside of the working folder and of the folders that were given")
	ErrLink      = errors.New("it is a link to a file outside of the working folder and of the folders that were given")
	ErrChanged   = errors.New("it was changed meanwhile; run the command again")
	ErrReadOnly  = errors.New("it is read-only")
	ErrIrregular = errors.New("it is not a regular file")
)

// staged is a file whose new content is in a file beside it.
type staged struct {
	*change
	target, temp string
}

// Write writes every changed file: the new content into a file beside it, which then takes its place, so that a reader finds the old
// text or the new one. Only files in one of the folders are written, and the targets of links only where they are in one, too. No
// file is written where one of them cannot be, or has another content now than the one that was read. The error is a *[WriteError].
func (c *Changes) Write(folders ...string) (err error) {
	inside := make([]string, 0, len(folders))
	for _, folder := range folders {
		if path, err := resolved(folder); err == nil {
			inside = append(inside, path)
		}
	}
	var list []staged
	defer func() {
		for _, s := range list {
			_ = os.Remove(s.temp) // where it has not become the file
		}
	}()
	for _, f := range c.files {
		s, err := f.stage(inside)
		if s.temp != "" {
			list = append(list, s)
		}
		if err != nil {
			return &WriteError{f.name, reason(err)}
		}
	}
	for _, s := range list {
		if err := s.unchanged(); err != nil {
			return &WriteError{s.name, reason(err)}
		}
	}
	for _, s := range list {
		if err := replace.File(s.temp, s.target); err != nil {
			return &WriteError{s.name, reason(err)}
		}
	}
	return nil
}

// reason returns an error without the name of the file, which its WriteError has.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// stage writes the new content beside the file.
func (f *change) stage(inside []string) (s staged, err error) {
	s.change = f
	if s.target, err = f.target(inside); err != nil {
		return s, err
	}
	info, err := os.Stat(s.target)
	switch {
	case err != nil:
		return s, err
	case !info.Mode().IsRegular():
		return s, ErrIrregular
	case info.Mode().Perm()&0o200 == 0:
		return s, ErrReadOnly
	}
	if err := s.unchanged(); err != nil {
		return s, err
	}
	temp, err := os.CreateTemp(filepath.Dir(s.target), "."+filepath.Base(s.target)+".*.tmp")
	if err != nil {
		return s, err
	}
	s.temp = temp.Name()
	_, err = temp.Write(f.after)
	return s, errors.Join(err, temp.Chmod(info.Mode().Perm()), temp.Sync(), temp.Close())
}

// unchanged returns an error where the file has another content than the one that was read.
func (s *staged) unchanged() error {
	now, err := os.ReadFile(s.target)
	if err == nil && !bytes.Equal(now, s.before) {
		err = ErrChanged
	}
	return err
}

// target returns the file that the name stands for, behind its links.
func (f *change) target(inside []string) (string, error) {
	target, err := resolved(f.name)
	if err != nil {
		return "", err
	}
	for _, folder := range inside {
		if path, err := filepath.Rel(folder, target); err == nil && filepath.IsLocal(path) {
			return target, nil
		}
	}
	if info, err := os.Lstat(f.name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", ErrLink
	}
	return "", ErrOutside
}

func resolved(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}
