package suiterun

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// Selection is a suite, or one case of it.
type Selection struct {
	File string
	// Cases are the names of the cases; nil: all.
	Cases []string
}

// ErrNoSuite says that no suite was found.
var ErrNoSuite = errors.New("no suite was found: the names of suites end in .test.yaml, .test.yml or .test.json")

// Find finds the suites that names mean: files, cases (FILE:CASE), and folders, in which every file with the name
// of a suite is read, except in hidden folders and node_modules. The suites of a folder are in the order of
// their names; a suite comes once.
func Find(names []string) ([]Selection, error) {
	if len(names) == 0 {
		names = []string{"."}
	}
	var found []Selection
	for _, name := range names {
		files, err := find(name)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			found = add(found, f)
		}
	}
	if len(found) == 0 {
		return nil, ErrNoSuite
	}
	return found, nil
}

// add adds a selection, or its cases to the one of the same file.
func add(found []Selection, f Selection) []Selection {
	for i := range found {
		if found[i].File != f.File {
			continue
		}
		if f.Cases == nil || found[i].Cases == nil {
			found[i].Cases = nil
			return found
		}
		found[i].Cases = append(found[i].Cases, f.Cases...)
		return found
	}
	return append(found, f)
}

func find(name string) ([]Selection, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return walk(name)
	case err == nil:
		return []Selection{{File: filepath.Clean(name)}}, nil
	}
	if file, c := suite.Split(name); c != "" {
		if _, err := os.Stat(file); err == nil {
			return []Selection{{File: filepath.Clean(file), Cases: []string{c}}}, nil
		}
	}
	return nil, files.ReadError(name, err)
}

func walk(root string) ([]Selection, error) {
	var found []Selection
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case !entry.IsDir() && suite.IsSuite(entry.Name()):
			found = append(found, Selection{File: filepath.Clean(path)})
			return files.RootOf(path).Check(path)
		}
		return nil
	})
	return found, err
}

// ReadSuites reads all suites before any case runs. The error has the problems of all files, and names of cases that a
// suite does not have.
func ReadSuites(found []Selection) ([]*suite.Suite, error) {
	var suites []*suite.Suite
	var wrong error
	for _, f := range found {
		data, err := files.Read(f.File, value.DefaultBytes)
		if err != nil {
			wrong = errors.Join(wrong, err)
			continue
		}
		s, err := suite.Load(f.File, data)
		if err != nil {
			wrong = errors.Join(wrong, err)
			continue
		}
		for _, name := range f.Cases {
			if !slices.ContainsFunc(s.Cases, func(c *suite.Case) bool { return c.Name == name }) {
				wrong = errors.Join(wrong, noCase(s, name))
			}
		}
		suites = append(suites, s)
	}
	return suites, wrong
}

func noCase(s *suite.Suite, name string) error {
	near := wording.Nearest(name, slices.Values(value.Each(s.Cases, func(c *suite.Case) string { return c.Name })))
	if near != "" {
		return fmt.Errorf("%s has no case %q; did you mean %q?", s.Name, name, near)
	}
	return fmt.Errorf("%s has no case %q", s.Name, name)
}

// Chosen returns a function that holds for the cases of selections.
func Chosen(found []Selection) func(*suite.Case) bool {
	byFile := map[string][]string{}
	for _, f := range found {
		byFile[f.File] = f.Cases
	}
	return func(c *suite.Case) bool {
		names, there := byFile[c.Suite.Name]
		return there && (names == nil || slices.Contains(names, c.Name))
	}
}
