package suiterun

import (
	"slices"
	"sync"

	"asldb/engine"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/suite"
)

// Machine is a definition made ready for the cases of suites. Several goroutines may run cases of one.
type Machine struct {
	// Definition is read and made ready.
	Definition definitions.Definition
	// Dialect is the runs' dialect, Limits the quotas that they keep to.
	Dialect engine.Dialect
	Limits  engine.Limits
	// Files are the names of the files that the definition was read from: itself, the template's other files,
	// substitutions and the project file.
	Files []string

	unnoticed bool // the project file does not want what runs noticed
}

// Settings are the settings of all cases.
type Settings struct {
	Dialect engine.Dialect
	// Limits are the quotas that runs keep to; the zero Limits are none.
	Limits engine.Limits
	Files  files.Files
	// Projects finds the project file of definitions; nil: there is none.
	Projects *project.Finder
}

// OpenCase reads a definition and makes it ready. An error about its text is a *[definitions.InvalidError]. With an
// error the machine has its Files only.
func OpenCase(d definitions.Definition, settings Settings) (*Machine, error) {
	m := &Machine{Dialect: settings.Dialect, Limits: settings.Limits}
	files := settings.Files
	var mutex sync.Mutex
	files.Opened = func(name string) {
		mutex.Lock()
		defer mutex.Unlock()
		m.Files = append(m.Files, name)
	}
	d.Projects = settings.Projects
	project, err := d.Projects.For(d.File)
	if err != nil {
		return m, err
	}
	m.unnoticed = !project.Noticed()
	if project != nil {
		m.Files = append(m.Files, project.Source.Name)
	}
	if d.File != "" && d.Text == nil {
		if d.Text, err = d.Open(files); err != nil {
			return m, err
		}
	}
	spec := launch.Spec{Definition: d, Dialect: settings.Dialect, Stdin: files.Stdin}
	if err := spec.Read(); err != nil {
		return m, err
	}
	if err := spec.Definition.Compile(m.Dialect); err != nil {
		return m, err
	}
	m.Definition = spec.Definition
	return m, nil
}

// Files returns the names of the files that a suite and the runs of its cases are made of; m may be nil. The snapshots
// are among them, whether they are there or not.
func Files(s *suite.Suite, m *Machine) []string {
	names := []string{s.Name, NameOf(s.Name), s.Definition().File, s.Definition().Substitutions}
	if s.Fixtures != nil {
		names = append(names, s.Fixtures.Reads()...)
	}
	names = append(names, s.Tables...)
	for _, c := range s.Cases {
		if r := c.Recording; r != nil {
			names = append(append(names, r.Given.Spec.History.Files...), r.Given.Spec.Replay.File)
		}
	}
	if m != nil {
		names = append(names, m.Files...)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}
