// Package project reads project files. A project file, .asldb.yaml, is in a folder and for all definitions below
// it: levels of rules, ignores with a reason, a baseline, the default fixtures and substitutions. It cannot allow live
// calls.
package project

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"

	"asldb/engine/source"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// FileName is the name of a project file.
const FileName = files.ProjectFile

// Project is a project file.
type Project struct {
	// Source is the file; its name is as the user would write it, for messages.
	Source *source.File
	// Dir is the absolute folder of the file. Paths in the file are relative to it.
	Dir string

	sections []section // the first has no pattern; the last that has a setting decides
	ignores  []*ignore
	baseline string
	// unnoticed: runs and tests do not say what they noticed.
	unnoticed bool
	covers    *source.Node // the value of coverage; nil: there is none
}

// Noticed reports whether runs and tests say what they noticed, as they do without a project file.
func (p *Project) Noticed() bool { return p == nil || !p.unnoticed }

// section has the settings of all files, or of those that a pattern matches.
type section struct {
	pattern       string // "" matches all files
	levels        map[string]Level
	fixtures      string
	substitutions map[string]string
	substitutes   string // the name of a file with substitutions
	machine       string // the type of state machines; "": it is not said
}

// ignore is an entry of "ignore".
type ignore struct {
	rule, pattern, state, reason string
	span                         source.Span // of its rule
	reached, used                atomic.Bool // it was for a checked file; it was for a problem
}

// FileError says that a file isn't a project file, with all its problems.
type FileError struct {
	Source   *source.File
	Problems []source.Diagnostic
}

// Error implements error: all problems, with their lines.
func (e *FileError) Error() string {
	lines := []string{"the project file is wrong:"}
	for _, problem := range e.Problems {
		lines = append(lines, problem.Format())
	}
	return strings.Join(lines, "\n")
}

// readError says that a project file cannot be read.
type readError struct{ err error }

func (e *readError) Error() string { return wording.Line("the project file: " + e.err.Error()) }

func (e *readError) Unwrap() error { return e.err }

// maxBytes bounds a project file.
const maxBytes = 1 << 20

// Find returns the project file of the folder dir: that in dir, or else in the nearest folder above. It returns nil
// where there is none. The error comes from reading, or is an *[FileError].
func Find(dir string) (*Project, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for at := from; ; at = filepath.Dir(at) {
		name := filepath.Join(at, FileName)
		info, err := os.Stat(name)
		switch {
		case err == nil && !info.IsDir():
			name = shortName(name)
			return load(name, files.RootOf(name).Read)
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !isNoFolder(err):
			return nil, &readError{err}
		}
		if at == filepath.Dir(at) {
			return nil, nil
		}
	}
}

// isNoFolder reports whether a folder of a path is a file, as in DEFINITION/.asldb.yaml.
func isNoFolder(err error) bool { return strings.Contains(err.Error(), "not a directory") }

// shortName returns a name relative to the working folder where that is shorter.
func shortName(name string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	short, err := filepath.Rel(here, name)
	if err != nil || len(short) > len(name) {
		return name
	}
	return short
}

// Load reads a project file. The error comes from reading, or is an *[FileError].
func Load(name string) (*Project, error) {
	return load(name, files.Read)
}

func load(name string, read func(string, int64) ([]byte, error)) (*Project, error) {
	file := &source.File{Name: name}
	var err error
	var size *files.SizeError
	switch file.Data, err = read(name, maxBytes); {
	case errors.As(err, &size):
		return nil, &FileError{file, []source.Diagnostic{{Rule: ruleFile, File: file, Message: "a project file has at most 1 MiB"}}}
	case err != nil:
		return nil, &readError{err}
	}
	return Parse(file)
}

// Settings are the defaults for one definition.
type Settings struct {
	// Fixtures is the name of a fixtures file; empty: none.
	Fixtures string
	// Type is the type of the machine, "standard" or "express"; empty: the file does not say it.
	Type string
	// SubstitutionFiles are the names of files with substitutions; values of later ones replace values of earlier ones,
	// and Substitutions replace them all.
	SubstitutionFiles []string
	Substitutions     map[string]string
}

// For returns the settings for the definition in a file, empty for a text that is not in a file. A nil Project has
// none.
func (p *Project) For(file string) Settings {
	s := Settings{Substitutions: map[string]string{}}
	if p == nil {
		return s
	}
	for i := range p.sections {
		part := &p.sections[i]
		if !p.matches(part.pattern, file) {
			continue
		}
		if part.fixtures != "" {
			s.Fixtures = p.path(part.fixtures)
		}
		if part.machine != "" {
			s.Type = part.machine
		}
		if part.substitutes != "" {
			s.SubstitutionFiles = append(s.SubstitutionFiles, p.path(part.substitutes))
		}
		for name, text := range part.substitutions {
			s.Substitutions[name] = text
		}
	}
	return s
}

// Level returns the level of a rule in a file; known is false where the project file has none for it.
func (p *Project) Level(rule, file string) (level Level, known bool) {
	return p.level(&source.Diagnostic{Rule: rule}, &source.File{Name: file})
}

// Baseline returns the name of the baseline, empty where there is none. A nil Project has none.
func (p *Project) Baseline() string {
	if p == nil || p.baseline == "" {
		return ""
	}
	return p.path(p.baseline)
}

// path returns the name of a file that the project file names, as the user would write it.
func (p *Project) path(name string) string { return files.Beside(p.Source.Name, name) }

// matches reports whether a pattern is for a file: it matches the file or a folder that the file is in. The empty
// pattern is for all, and no other for a text that is not in a file.
func (p *Project) matches(pattern, file string) bool {
	if pattern == "" {
		return true
	}
	path, ok := p.relative(file)
	if !ok {
		return false
	}
	for at := path; at != "." && at != "/"; at = filepath.ToSlash(filepath.Dir(filepath.FromSlash(at))) {
		if found, err := doublestar.Match(strings.TrimSuffix(pattern, "/"), at); err == nil && found {
			return true
		}
	}
	return false
}

// relative returns the path of a file from the project's folder, with slashes.
func (p *Project) relative(file string) (path string, ok bool) {
	if file == "" || strings.HasPrefix(file, "<") {
		return "", false
	}
	whole, err := filepath.Abs(file)
	if err != nil {
		return "", false
	}
	path, err = filepath.Rel(p.Dir, whole)
	if err != nil || path == ".." || strings.HasPrefix(path, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(path), true
}

// Finder finds the project files of definitions, and reads each once. The zero Finder looks in the folder of the
// definition and above. It may be used concurrently.
type Finder struct {
	// Name is the project file of all definitions, in place of those that are found; Off: there is none.
	Name string
	Off  bool

	mutex sync.Mutex
	found map[string]*Project // by folder, or by Name
	files map[string]*Project // by the name of the file
}

// For returns the project file of the definition in a file, nil where it has none. The project of a definition that is
// not in a file ("", "-", "<stdin>") is the working folder's. A nil Finder finds none. The error comes from reading, or
// is a *[FileError].
func (f *Finder) For(file string) (*Project, error) {
	if f == nil || f.Off {
		return nil, nil
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	dir := "."
	if file != "" && file != "-" && !strings.HasPrefix(file, "<") {
		dir = filepath.Dir(file)
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			dir = file
		}
	}
	if p, known := f.found[dir]; known {
		return p, nil
	}
	read := func() (*Project, error) { return Find(dir) }
	if f.Name != "" {
		read = func() (*Project, error) { return Load(f.Name) }
	}
	p, err := read()
	if err != nil {
		return nil, err
	}
	if f.found == nil {
		f.found, f.files = make(map[string]*Project), make(map[string]*Project)
	}
	if p != nil {
		if same := f.files[p.Source.Name]; same != nil {
			p = same
		}
		f.files[p.Source.Name] = p
	}
	f.found[dir] = p
	return p, nil
}

// All returns the project files that were found, sorted by their names.
func (f *Finder) All() []*Project {
	if f == nil {
		return nil
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var list []*Project
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		list = append(list, f.files[name])
	}
	return list
}
