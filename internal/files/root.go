package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// ProjectFile is the name of project files.
const ProjectFile = ".asldb.yaml"

// outside: the user has allowed every Root to read outside of it.
var outside atomic.Bool

// AllowOutside lets the process read what files name outside of their roots, and in .git. Only the user can say so, on
// the command line, and for the process: all files come with the clone.
func AllowOutside() { outside.Store(true) }

// bound is the only folder that the process reads; nil: it reads everywhere.
var bound atomic.Pointer[Root]

// Confine bounds all that the process reads to a folder, for a face whose user is a program: no flag lifts it. Pipes
// and devices are not read then. release lifts it, for tests.
func Confine(folder string) (release func()) {
	bound.Store(&Root{dir: resolved(folder)})
	return func() { bound.Store(nil) }
}

// Confined returns an *[OutsideError] where a file is outside of the bound.
func Confined(name string) error {
	root := bound.Load()
	if root == nil {
		return nil
	}
	_, err := root.path(name)
	var out *OutsideError
	if errors.As(err, &out) {
		out.Bound = true
	}
	return err
}

// OutsideError says that a file is outside of the root of the file that names it.
type OutsideError struct {
	// Name is the file as it was named, Link the file that it is a link to; empty: it is none.
	Name, Link string
	// Root is the folder that it is outside of. Repository: it is one's root, and .git is not among its files.
	Root       string
	Repository bool
	// Bound: Confine has set the root, which no flag lifts.
	Bound bool
}

// Error implements error: where the file is, and the flag.
func (e *OutsideError) Error() string {
	text := e.Name
	if e.Link != "" {
		text += " (a link to " + e.Link + ")"
	}
	where := " is outside of the folder "
	if e.Repository {
		where = " is outside of the repository "
	}
	if e.Bound {
		return text + " is outside of the folder " + e.Root + ", or in .git: only files inside are read"
	}
	return text + where + e.Root + ": to read it, use --read-outside"
}

// Root is the folder within which a file may name others.
type Root struct {
	dir        string // absolute, without links
	repository bool
}

// RootOf returns the root of a file: the root of its repository, else the folder of its project file. Without either it
// is the working folder, if that has the file and is not above the user's home, else the folder of the file.
func RootOf(file string) *Root {
	dir := resolved(filepath.Dir(file))
	if top, ok := above(dir, ".git"); ok {
		return &Root{top, true}
	}
	if top, ok := above(dir, ProjectFile); ok {
		return &Root{dir: top}
	}
	here, home := resolved("."), filepath.Dir(dir)
	if name, err := os.UserHomeDir(); err == nil {
		home = resolved(name)
	}
	if within(here, dir) && !within(here, home) {
		dir = here
	}
	return &Root{dir: dir}
}

// Repository returns the root of the repository that has a folder.
func Repository(folder string) (root string, ok bool) { return above(folder, ".git") }

// above returns the folder that has a file of a name: dir, or the nearest above.
func above(dir, name string) (folder string, ok bool) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// within reports whether a path is a folder or in it.
func within(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(relative)
}

// resolved returns the absolute path of a file without links, as far as the folders of it are there.
func resolved(name string) string {
	path, err := filepath.Abs(name)
	if err != nil {
		return filepath.Clean(name)
	}
	for folder, rest := path, ""; ; folder, rest = filepath.Dir(folder), filepath.Join(filepath.Base(folder), rest) {
		if found, err := filepath.EvalSymlinks(folder); err == nil {
			return filepath.Join(found, rest)
		}
		if folder == filepath.Dir(folder) {
			return path
		}
	}
}

// Beside returns the name of a file that the file called from names: it is relative to the folder of that.
func Beside(from, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(from), name)
}

// Read reads a regular file within the root, as [Read] does. The error may be an *[OutsideError].
func (r *Root) Read(name string, most int64) ([]byte, error) {
	if err := Confined(name); err != nil {
		return nil, err
	}
	if outside.Load() {
		return Read(name, most)
	}
	path, err := r.path(name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close() // it was only read
	file, info, err := system{root.Stat, root.OpenFile}.open(name, path)
	if err != nil {
		return nil, err
	}
	return read(name, file, info.Size(), most)
}

// Check returns an error where a file or folder is outside of the root, or a pipe or a device. One that is missing is
// not an error.
func (r *Root) Check(name string) error {
	if !outside.Load() {
		if _, err := r.path(name); err != nil {
			return err
		}
	}
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return &KindError{name, info.Mode()}
	}
	return nil
}

// path returns the path of a file from the root, without links.
func (r *Root) path(name string) (string, error) {
	target := resolved(name)
	path, err := filepath.Rel(r.dir, target)
	inGit := slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), func(part string) bool {
		return strings.EqualFold(part, ".git") // it has the credentials of a checkout
	})
	if err == nil && filepath.IsLocal(path) && !inGit {
		return path, nil
	}
	e := &OutsideError{Name: name, Root: r.dir, Repository: r.repository}
	if given, err := filepath.Abs(name); err == nil && given != target && within(r.dir, given) {
		e.Link = target
	}
	return "", e
}

// Refused reports whether an error is one of this package, which names its file.
func Refused(err error) bool {
	var kind *KindError
	var size *SizeError
	var out *OutsideError
	return errors.As(err, &kind) || errors.As(err, &size) || errors.As(err, &out)
}
