package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// EditError says why a file was not written. None of the files has been changed then.
type EditError struct {
	File string
	Err  error
}

// Error implements error: the file and the reason.
func (e *EditError) Error() string {
	return fmt.Sprintf("%s is not changed: %v", wording.Line(e.File), e.Err)
}

// Unwrap returns the reason.
func (e *EditError) Unwrap() error { return e.Err }

// The reasons of a WriteError that are not the system's.
var (
	ErrOutside   = errors.New("it is outside of the working folder and of the folders that were given")
	ErrLink      = errors.New("it is a link to a file outside of the working folder and of the folders that were given")
	ErrChanged   = errors.New("it was changed meanwhile; run the command again")
	ErrIrregular = errors.New("it is not a regular file")
)

// staged is a file with its new text.
type staged struct {
	*change
	target string
	*Pending
}

// Write writes every changed file as a whole, so that a reader finds the old text or the new one. Only files in one of
// the folders are written, and the targets of links only where they are in one, too. No file is written where one of
// them cannot be, or has another content now than the one that was read. The error is a *[WriteError].
func (c *Changes) Write(folders ...string) (err error) {
	inside := make([]string, 0, len(folders))
	for _, folder := range folders {
		if path, err := resolvedEdit(folder); err == nil {
			inside = append(inside, path)
		}
	}
	list := make([]staged, 0, len(c.files))
	defer func() {
		for _, s := range list {
			s.Drop()
		}
	}()
	for _, f := range c.files {
		s, err := f.stage(inside)
		if err != nil {
			return f.wrap(err)
		}
		list = append(list, s)
	}
	unlock, err := lock(list)
	defer unlock()
	if err != nil {
		return err
	}
	for _, s := range list {
		if err := s.unchanged(); err != nil {
			return s.wrap(err)
		}
	}
	for _, s := range list {
		if err := s.Commit(); err != nil {
			return s.wrap(err)
		}
	}
	return nil
}

// lock locks the folders of all targets, always in the same order, so that two processes do not wait for each other.
func lock(list []staged) (unlock func(), err error) {
	folders := make(map[string]staged)
	for _, s := range list {
		folders[filepath.Dir(s.target)] = s
	}
	unlock = func() {}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		s, before := folders[folder], unlock
		one, err := Lock(s.target)
		if err != nil {
			return unlock, s.wrap(err)
		}
		unlock = func() { one(); before() }
	}
	return unlock, nil
}

// wrap returns the WriteError of an error, without the name of the file in it.
func (f *change) wrap(err error) error {
	var path *fs.PathError
	var write *WriteError
	switch {
	case errors.As(err, &write):
		err = write.Err
	case errors.As(err, &path):
		err = path.Err
	}
	return &EditError{f.name, err}
}

// stage writes the new content beside the file.
func (f *change) stage(inside []string) (s staged, err error) {
	s.change = f
	if s.target, err = f.target(inside); err != nil {
		return s, err
	}
	info, err := os.Stat(s.target)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrIrregular
	}
	if err == nil {
		err = s.unchanged()
	}
	if err != nil {
		return s, err
	}
	if s.Pending, err = Begin(s.target, 0o666); err != nil {
		return s, err
	}
	_, _ = s.Pending.Write(f.after) // Seal returns its error
	if err = s.Seal(); err != nil {
		s.Drop()
	}
	return s, err
}

// unchanged returns an error where the file has another content than the one that was read.
func (s *staged) unchanged() error {
	now, err := Read(s.target, value.DefaultBytes)
	if err == nil && !bytes.Equal(now, s.before) {
		err = ErrChanged
	}
	return err
}

// target returns the file that the name means, behind its links.
func (f *change) target(inside []string) (string, error) {
	target, err := resolvedEdit(f.name)
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

func resolvedEdit(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}
