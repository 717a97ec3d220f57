package suite

import (
	"path/filepath"

	"asldb/engine/source"
	"asldb/fixtures"
)

// OfFixtures returns a suite of the cases of a fixtures file, or of mocks of another program. They have no expectations: each is
// unchecked, whatever becomes of its run. A file without cases is one case, of the file's name.
func OfFixtures(file *fixtures.File) *Suite {
	s := &Suite{Name: file.Name, Fixtures: file}
	at := source.Position{Line: 1, Col: 1}
	for _, name := range file.Cases() {
		s.Cases = append(s.Cases, &Case{Suite: s, Name: name, At: at})
	}
	if len(s.Cases) == 0 {
		s.Cases = []*Case{{Suite: s, Name: filepath.Base(file.Name), At: at, whole: true}}
	}
	return s
}

// Results returns the fixtures of the case. The error is a *[fixtures.CaseError].
func (c *Case) Results() (*fixtures.File, error) {
	if c.whole {
		return c.Suite.Fixtures, nil
	}
	return c.Suite.Fixtures.Case(c.Name)
}
