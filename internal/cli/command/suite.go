package command

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"asldb/engine"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/project"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// OpenMachines reads the definitions of suites, each once, and checks the suites against them. otherwise is the file of
// the definition of suites that name none, or empty.
func OpenMachines(s *Streams, suites []*suite.Suite, otherwise string,
	settings suiterun.Settings) (map[*suite.Suite]*suiterun.Machine, error) {
	machines := make(map[*suite.Suite]*suiterun.Machine)
	opened := make(map[string]*suiterun.Machine)
	failed := make(map[string]bool)
	var wrong error
	for _, one := range suites {
		d := *one.Definition()
		d.File = cmp.Or(d.File, otherwise)
		if d.File == "" {
			wrong = errors.Join(wrong, OneLine(fmt.Errorf(
				"%s:1:1: no definition is named: add definition: FILE, or use --definition FILE", one.Name)))
			continue
		}
		key := fmt.Sprintf("%q", []any{d.File, d.Resource, d.Substitutions, d.Substitute})
		if failed[key] { // its error is there already
			continue
		}
		m := opened[key]
		if m == nil {
			var err error
			if m, err = suiterun.OpenCase(d, settings); err != nil {
				if failed[key] = true; !sameProject(wrong, err) {
					wrong = errors.Join(wrong, atSuite(one, DefinitionError(s, err)))
				}
				continue
			}
			opened[key] = m
		}
		if err := suiterun.CheckCase(one, m); err != nil {
			wrong = errors.Join(wrong, err)
			continue
		}
		machines[one] = m
	}
	return machines, wrong
}

// sameProject reports whether both errors are about one project file.
func sameProject(known, err error) bool {
	var one, other *project.FileError
	return errors.As(known, &one) && errors.As(err, &other) && one.Source.Name == other.Source.Name
}

// atSuite adds the place where a suite names its definition to an error that is about neither the definition's text nor
// the project file: those have their own places.
func atSuite(one *suite.Suite, err error) error {
	var wrong *definitions.InvalidError
	var steering *project.FileError
	if one.At.Line == 0 || errors.As(err, &wrong) || errors.As(err, &steering) {
		return err
	}
	return OneLine(fmt.Errorf("%s:%d:%d: %w", one.Name, one.At.Line, one.At.Col, err))
}

// SuiteProblems returns the problems of a suite, nil where there are none. d replaces the suite's own definition where
// it names a file. The error is about reading a file.
func SuiteProblems(s *Streams, d definitions.Definition, name string) (*suite.Error, error) {
	suites, err := suiterun.ReadSuites([]suiterun.Selection{{File: name}})
	if err == nil {
		if d.File != "" {
			d.Named = true
			*suites[0].Definition() = d
		}
		settings := suiterun.Settings{Limits: engine.ServiceLimits(), Files: files.Files{Stdin: strings.NewReader("")},
			Projects: &project.Finder{}}
		_, err = OpenMachines(s, suites, "", settings)
	}
	var wrong *suite.Error
	if errors.As(err, &wrong) {
		return wrong, nil
	}
	return nil, err
}
