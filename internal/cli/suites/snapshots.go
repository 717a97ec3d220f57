package suites

import (
	"errors"
	"sync"

	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// allCases is the value of --update for all cases.
const allCases = "*"

// snapshots are the snapshots of the suites that run.
type snapshots struct {
	update string // the case whose snapshot is written, allCases, or empty
	files  map[*suite.Suite]*suiterun.File
	order  []*suite.Suite

	mutex sync.Mutex
	taken map[*suite.Suite][]*suite.Outcome
}

// readSnapshots reads the snapshots of all cases, before one runs.
func readSnapshots(chosen [][]*suite.Case, update string) (*snapshots, error) {
	s := &snapshots{
		update: update,
		files:  map[*suite.Suite]*suiterun.File{},
		taken:  map[*suite.Suite][]*suite.Outcome{},
	}
	var wrong error
	for _, cases := range chosen {
		for _, c := range cases {
			if c.Snapshot == nil || s.files[c.Suite] != nil {
				continue
			}
			file, err := suiterun.ReadSnapshot(c.Suite.Name)
			if err != nil {
				wrong = errors.Join(wrong, err)
				break
			}
			s.files[c.Suite] = file
			s.order = append(s.order, c.Suite)
		}
	}
	return s, wrong
}

// updates reports whether the snapshot of a case is written.
func (s *snapshots) updates(c *suite.Case) bool { return s.update == allCases || s.update == c.Name }

// take notes the outcome of a case whose snapshot is to be written. It may be called by several goroutines.
func (s *snapshots) take(c *suite.Case, r *suite.Outcome) {
	if r.Snapshot == nil || r.Kind != suite.Passed || !s.updates(c) {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.taken[c.Suite] = append(s.taken[c.Suite], r)
}

// write writes the files with the snapshots that were taken; with all cases, snapshots of removed cases are dropped.
func (s *snapshots) write() error {
	if s.update == "" {
		return nil
	}
	var failed error
	for _, of := range s.order {
		var names []string
		for _, c := range of.Cases {
			if c.Snapshot != nil {
				names = append(names, c.Name)
			}
		}
		failed = errors.Join(failed, suiterun.Update(of.Name, func(file *suiterun.File) bool {
			for _, r := range s.taken[of] {
				file.Set(r.Name, r.Snapshot)
			}
			return file.Retain(names) || len(s.taken[of]) > 0
		}))
	}
	return failed
}
