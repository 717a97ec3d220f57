package command

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/internal/files"
	"asldb/internal/launch"
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

// AddNoFixturesTo has the default fixtures of a definition found, and adds the flag that leaves them out.
func AddNoFixturesTo(cmd *cobra.Command, f *launch.Fixtures) {
	f.Default = true
	cmd.Flags().BoolFunc("no-fixtures", "take no fixtures file that is not named: neither that of the project file nor\norder.fixtures.yaml beside order.asl.json", func(text string) error {
		off, err := strconv.ParseBool(text)
		f.Default = !off
		return err
	})
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
