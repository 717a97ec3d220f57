// Package execute runs a case of a suite to its end, and compares the run with the case's expectations.
package execute

import (
	"asldb/engine"
	"asldb/internal/launch"
	"asldb/internal/suite"
)

// Machine is a definition made ready for the cases of suites. Several goroutines may run cases of one.
type Machine struct {
	// Definition is read and made ready.
	Definition launch.Definition
	// Dialect is that of the runs, Limits the quotas that they keep to.
	Dialect engine.Dialect
	Limits  engine.Limits
}

// Settings are those of all cases.
type Settings struct {
	Dialect engine.Dialect
	// Limits are the quotas that runs keep to; the zero Limits are none.
	Limits engine.Limits
	Files  launch.Files
}

// Open reads a definition and makes it ready. An error about its text is a *[launch.DefinitionError].
func Open(d launch.Definition, settings Settings) (*Machine, error) {
	spec := launch.Spec{Definition: d, Dialect: settings.Dialect, Stdin: settings.Files.Stdin}
	if err := spec.Read(); err != nil {
		return nil, err
	}
	m := &Machine{Definition: spec.Definition, Dialect: settings.Dialect, Limits: settings.Limits}
	if err := m.Definition.Compile(m.Dialect); err != nil {
		return nil, err
	}
	return m, nil
}

// DefinitionOf returns the names of the definition that a suite is about; the zero Definition where it names none.
func DefinitionOf(s *suite.Suite) launch.Definition {
	return launch.Definition{File: s.Definition, Resource: s.Resource, Substitute: s.Substitute, Substitutions: s.Substitutions}
}
