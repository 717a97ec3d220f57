package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"asldb/internal/suite"
	"asldb/internal/suite/result"
	"asldb/internal/visible"
)

// Failed keeps the names of the cases that failed when they were last run, for --failed. It is a [result.Sink]; [Failed.Save] writes it.
type Failed struct {
	// Cases has the names of the cases by the absolute path of their suite.
	Cases map[string][]string `json:"cases"`
}

// failedFile is the name of the file for the working directory, below the directory of the saved state.
func failedFile(state, folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(state, "tests", hex.EncodeToString(sum[:8])+".json")
}

// LoadFailed reads the cases that failed when they were last run in a folder. Without such a run there are none.
func LoadFailed(state, folder string) (*Failed, error) {
	f := &Failed{}
	data, err := os.ReadFile(failedFile(state, folder))
	if errors.Is(err, os.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = json.Unmarshal(data, f)
	}
	return f, err
}

// Has reports whether a case failed.
func (f *Failed) Has(c *suite.Case) bool {
	for _, name := range f.Cases[absolute(c.Suite.Name)] {
		if name == c.Name {
			return true
		}
	}
	return false
}

// Send implements [result.Sink]: a case that was run is added or removed, and the others stay.
func (f *Failed) Send(event result.Event) error {
	e, ok := event.(result.CaseEnded)
	if !ok || e.Case.Kind == result.Skipped {
		return nil
	}
	file := absolute(e.Case.Suite.File)
	names := slices.DeleteFunc(f.Cases[file], func(name string) bool { return name == e.Case.Name })
	if e.Case.Kind.Bad() {
		names = append(names, e.Case.Name)
	}
	if f.Cases == nil {
		f.Cases = map[string][]string{}
	}
	if f.Cases[file] = names; len(names) == 0 {
		delete(f.Cases, file)
	}
	return nil
}

// Save writes the cases, for the next run in the folder.
func (f *Failed) Save(state, folder string) error {
	name := failedFile(state, folder)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return os.WriteFile(name, visible.JSON(data), 0o600)
}

func absolute(name string) string {
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}
