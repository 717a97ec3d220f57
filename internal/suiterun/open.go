package suiterun

import (
	"fmt"

	"asldb/internal/definitions"
	"asldb/internal/suite"
)

// OpenSuites reads one case of the suite in a file, with its definition, which definition replaces where that names a
// file. An error about the text of the definition is a *definitions.InvalidError.
func OpenSuites(file, name string, definition definitions.Definition, settings Settings) (*suite.Case, *Machine, error) {
	read, err := ReadSuites([]Selection{{File: file, Cases: []string{name}}})
	if err != nil {
		return nil, nil, err
	}
	of := *read[0].Definition()
	if definition.File != "" {
		of = definition
	}
	if of.File == "" {
		return nil, nil, fmt.Errorf("%s names no definition: add definition: FILE, or give it to the command", file)
	}
	m, err := OpenCase(of, settings)
	if err != nil {
		return nil, nil, err
	}
	if err := CheckCase(read[0], m); err != nil {
		return nil, nil, err
	}
	for _, c := range read[0].Cases {
		if c.Name == name {
			return c, m, nil
		}
	}
	return nil, nil, fmt.Errorf("%s has no case %q any more", read[0].Name, name)
}
