package suiterun

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// Failed keeps the names of the cases that failed when they were last run, for --failed. It is a [result.Sink];
// [Failed.Save] writes it.
type Failed struct {
	// Cases has the names of the cases by the absolute path of their suite.
	Cases map[string][]string `json:"cases"`
	// Ran has how many cases of a suite were run last, by its absolute path.
	Ran map[string]int `json:"ran,omitempty"`

	ended []ended        // since it was read
	ran   map[string]int // likewise
}

// ended is a case that has been run.
type ended struct {
	file, name string
	failed     bool
}

// failedFile is the name of the file for the working directory, below the directory of the saved state.
func failedFile(state, folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(state, "tests", hex.EncodeToString(sum[:8])+".json")
}

// LoadFailed reads the cases that failed when they were last run in a folder. Without such a run there are none.
func LoadFailed(state, folder string) (*Failed, error) {
	f := &Failed{}
	data, err := files.Read(failedFile(state, folder), value.DefaultBytes)
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
	return slices.Contains(f.Cases[absolute(c.Suite.Name)], c.Name)
}

// Verdict says how the cases of a suite ended that were run last: "2 failed", "5 passed", "not run yet".
func (f *Failed) Verdict(file string) string {
	name := absolute(file)
	failed, ran := len(f.Cases[name]), f.Ran[name]
	switch {
	case failed > 0:
		return fmt.Sprintf("%d failed", failed)
	case ran > 0:
		return fmt.Sprintf("%d passed", ran)
	}
	return "not run yet"
}

// Send implements [result.Sink]: a case that was run is added or removed, and the others stay.
func (f *Failed) Send(event suite.Event) error {
	if e, ok := event.(suite.SuiteEnded); ok {
		if f.ran == nil {
			f.ran = map[string]int{}
		}
		f.ran[absolute(e.Suite.File)] = e.Suite.Summary.Total() - e.Suite.Summary.Skipped
	}
	if e, ok := event.(suite.CaseEnded); ok && e.Case.Kind != suite.Skipped {
		one := ended{absolute(e.Case.Suite.File), e.Case.Name, e.Case.Kind.Bad()}
		f.ended = append(f.ended, one)
		f.note(one)
	}
	return nil
}

func (f *Failed) note(one ended) {
	names := slices.DeleteFunc(f.Cases[one.file], func(name string) bool { return name == one.name })
	if one.failed {
		names = append(names, one.name)
	}
	if f.Cases == nil {
		f.Cases = map[string][]string{}
	}
	if f.Cases[one.file] = names; len(names) == 0 {
		delete(f.Cases, one.file)
	}
}

// Save writes the cases, for the next run in the folder. Those that other processes have run meanwhile stay as they
// wrote them.
func (f *Failed) Save(state, folder string) error {
	name := failedFile(state, folder)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	err := files.Update(name, 0o600, func(old []byte) ([]byte, error) {
		now := &Failed{}
		if err := json.Unmarshal(old, now); err != nil {
			now = f // there is none yet, or it is of no use
		}
		for _, one := range f.ended {
			now.note(one)
		}
		if now.Ran == nil && len(f.ran) > 0 {
			now.Ran = map[string]int{}
		}
		maps.Copy(now.Ran, f.ran)
		data, err := json.Marshal(now)
		return wording.JSON(data), err
	})
	if err == nil {
		f.ended, f.ran = nil, nil
	}
	return err
}

func absolute(name string) string {
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}
