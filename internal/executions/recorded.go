package executions

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Suffix is the end of the names of the histories that "asldb fetch" writes.
const Suffix = ".history.json"

// The folders in a folder of "asldb fetch": definitions, the executions that tasks started, and the ones of Map Runs.
const (
	DefinitionsFolder = "definitions"
	NestedFolder      = "nested"
	MapRunsFolder     = "map-runs"
)

// File is a file that may hold recordings.
type File struct {
	Name string
	// Given is set of a file that was named itself; else its folder was, or a pattern.
	Given bool
}

// Found are the files that names mean.
type Found struct {
	// Files are in the order of the names, each once.
	Files []File
	// LeftOut are folders of other executions, those that tasks and Map Runs started, in folders of "asldb fetch".
	LeftOut []string
}

// IsTrace reports whether a file is a trace by its name.
func IsTrace(name string) bool {
	return strings.HasSuffix(name, ".trace") || strings.HasSuffix(name, ".trace.zst")
}

// IsHistory reports whether a file may be a history or a log by its name.
func IsHistory(name string) bool {
	return slices.ContainsFunc([]string{".json", ".jsonl", ".ndjson", ".log", ".txt"}, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// HasTrace reports whether a text is a trace.
func HasTrace(data []byte) bool {
	return bytes.HasPrefix(data, []byte(`{"format":"asldb-trace"`)) || bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd"))
}

// Find returns the files that names mean: files, folders with all below them that fit, and patterns. Hidden files and
// folders are left out, and of a folder of "asldb fetch" the folders inside of it, unless they are named themselves.
func Find(names []string, fits func(name string) bool) (*Found, error) {
	f := &finder{fits: fits, seen: make(map[string]bool)}
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case err == nil && info.IsDir():
			err = f.below(name)
		case err == nil:
			f.add(name, true)
		default:
			err = f.matches(name, err)
		}
		if err != nil {
			return nil, err
		}
	}
	return &f.found, nil
}

type finder struct {
	fits  func(string) bool
	found Found
	seen  map[string]bool
}

func (f *finder) add(name string, given bool) {
	if clean := filepath.Clean(name); !f.seen[clean] {
		f.seen[clean] = true
		f.found.Files = append(f.found.Files, File{name, given})
	}
}

// matches adds the files of a pattern, which is not there as a file.
func (f *finder) matches(pattern string, missing error) error {
	matches, bad := filepath.Glob(pattern)
	if bad != nil || len(matches) == 0 {
		return notThere(pattern, missing)
	}
	for _, match := range matches {
		switch info, err := os.Stat(match); {
		case err == nil && info.IsDir():
			if err := f.below(match); err != nil {
				return err
			}
		case err != nil || info.Mode().IsRegular():
			f.add(match, false)
		}
	}
	return nil
}

func notThere(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("cannot read %q: %w", name, err)
}

// below adds the files in a folder and the folders in it.
func (f *finder) below(folder string) error {
	return filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return notThere(name, err)
		case name == folder:
		case strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return filepath.SkipDir
			}
		case entry.IsDir() && ofFetch(name):
			if entry.Name() != DefinitionsFolder {
				f.found.LeftOut = append(f.found.LeftOut, name)
			}
			return filepath.SkipDir
		case entry.Type().IsRegular() && f.fits(name):
			f.add(name, false)
		}
		return nil
	})
}

// ofFetch reports whether a folder is one of those that "asldb fetch" makes beside histories.
func ofFetch(folder string) bool {
	switch filepath.Base(folder) {
	case DefinitionsFolder, NestedFolder, MapRunsFolder:
	default:
		return false
	}
	beside, err := os.ReadDir(filepath.Dir(folder))
	return err == nil && slices.ContainsFunc(beside, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), Suffix) })
}
