package command

import (
	"errors"

	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/internal/files"
)

// ReadFixtures reads a fixtures file in any format. What is wrong in it is in findings.
func ReadFixtures(s *Streams, name string) (read *mocks.Read, findings []fixtures.Finding, err error) {
	if name == files.Stdin {
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
		findings = fixtures.Wrong(own)
	case errors.As(err, &foreign):
		found = foreign.Found
	case err != nil:
		return nil, nil, err
	}
	return read, append(findings, fixtures.Diagnosed(read.Source.Name, found)...), nil
}

// IsFixtures reports whether a file is in asldb's own format, so that a suite can include it.
func IsFixtures(name string) bool {
	data, err := files.Read(name, value.DefaultBytes)
	if err != nil {
		return false
	}
	_, err = fixtures.Load(name, data)
	return err == nil
}
