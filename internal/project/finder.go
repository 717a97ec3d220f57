package project

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

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
// not in a file ("", "-", "<stdin>") is that of the working folder. A nil Finder finds none. The error is that of
// reading, or a *[FileError].
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
