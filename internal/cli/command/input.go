package command

import (
	"errors"
	"fmt"
	"os"

	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder"
)

// Files reads the files that arguments name.
func (s *Streams) Files() files.Files { return files.Files{Stdin: s.In, Changed: s.Changed} }

// Existing returns an error where the file called name is not there. Standard input is there, and so is the file of an
// empty name.
func (s *Streams) Existing(name string) error {
	if name == "" || name == files.Stdin {
		return nil
	}
	if _, err := os.Stat(name); err != nil {
		return files.ReadError(name, err)
	}
	return nil
}

// partFlags are the flags of the parts of a Spec.
var partFlags = map[files.Part]string{
	files.PartInput: "--input", files.PartBreakpoint: "--break", files.PartTrace: "--trace", files.PartDefinition: "--definition",
	files.PartResource: "--resource", files.PartSubstitute: "--substitute", files.PartSubstitutions: "--substitutions",
	files.PartFixtures: "--fixtures", files.PartMockConfig: "--mock-config", files.PartCase: "--case",
	files.PartExecution: "--execution", files.PartAttempt: "--attempt", files.PartFork: "--fork",
}

// Flagged names the flag of the part of a Spec that is wrong.
func Flagged(err error) error {
	var wrong *files.PartError
	if !errors.As(err, &wrong) {
		return err
	}
	var size *launch.SizeError
	switch {
	case errors.As(err, &size):
		return fmt.Errorf("%w: --no-limits lifts that", size)
	case errors.Is(err, recorder.ErrTraceExists):
		return fmt.Errorf("--trace: %w: --trace-replace replaces it", wrong.Err)
	}
	return &partError{wrong, partFlags[wrong.Part]}
}

// partError is an error about a part of a Spec, with the name of its flag.
type partError struct {
	*files.PartError
	flag string
}

func (e *partError) Error() string { return e.With(e.flag) }

// Warn writes a warning about a file that a flag or an argument names, or a note.
func (s *Streams) Warn(w files.Warning) {
	if w.Note {
		fmt.Fprintln(s.Err, wording.Line(w.Text))
		return
	}
	where := w.Where
	if where == "" {
		where = partFlags[w.Part]
	}
	fmt.Fprintf(s.Err, "%s: warning: %s\n", where, wording.Line(w.Text))
}

// ReadValue returns the JSON value of a flag: JSON text, the name of a file, or "-". Of members with the same key the
// last holds, as in Step Functions, which is worth a warning.
func ReadValue(s *Streams, flag, argument string) (value.Value, error) {
	v, repeated, err := ReadNoting(s, flag, argument)
	for _, text := range files.Repeated(repeated) {
		s.Warn(files.Warning{Where: "--" + flag, Text: text})
	}
	return v, err
}

// ReadNoting is readValue without the warnings.
func ReadNoting(s *Streams, flag, argument string) (value.Value, []value.RepeatedKey, error) {
	given, err := s.Files().JSON(argument)
	var wrong *files.PartError
	switch {
	case errors.As(err, &wrong):
		return nil, nil, &partError{wrong, "--" + flag}
	case err != nil:
		return nil, nil, err
	}
	return given.Value, given.Repeated, nil
}

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
