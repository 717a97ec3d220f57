package reading

import (
	"errors"
	"fmt"
	"os"

	"asldb/fixtures"
	"asldb/fixtures/check"
	"asldb/fixtures/mocks"
	"asldb/internal/arguments"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/visible"
)

// ReadFixtures reads a fixtures file in any format. What is wrong in it is in findings.
func ReadFixtures(s *command.Streams, name string) (read *mocks.Read, findings []check.Finding, err error) {
	if name == arguments.Stdin {
		return nil, nil, errors.New("the fixtures are a file: other files are found beside it")
	}
	name, data, err := s.Files().Read(name)
	if err != nil {
		return nil, nil, err
	}
	read, err = mocks.Load(name, data)
	var own *fixtures.Error
	var foreign *mocks.Error
	found := read.Warnings
	switch {
	case errors.As(err, &own):
		findings = check.Wrong(own)
	case errors.As(err, &foreign):
		found = foreign.Found
	case err != nil:
		return nil, nil, err
	}
	return read, append(findings, check.Diagnosed(read.Source.Name, found)...), nil
}

// DefaultFixtures takes the fixtures of the project file of a definition where none are named, and says so.
func DefaultFixtures(s *command.Streams, d *definitions.Definition, f *launch.Fixtures) error {
	if d.File == "" || f.Name != "" {
		return nil
	}
	found, err := d.Projects.For(d.File)
	if err != nil {
		return err
	}
	if name := found.For(d.File).Fixtures; name != "" {
		f.Name = name
		fmt.Fprintln(s.Err, visible.Line("fixtures: "+name+" (from "+found.Source.Name+")"))
	}
	return nil
}

// IsFixtures reports whether a file is in asldb's own format, so that a suite can include it.
func IsFixtures(name string) bool {
	data, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	_, err = fixtures.Load(name, data)
	return err == nil
}
