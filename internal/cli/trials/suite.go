package trials

import (
	"fmt"

	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/wording"
)

// checkSuite writes the problems of a suite, those that show only with its definition included. definition replaces the
// suite's own where it is given.
func checkSuite(s *command.Streams, d definitions.Definition, definition, name string) error {
	d.File = definition
	wrong, err := command.SuiteProblems(s, d, name)
	if err != nil || wrong == nil {
		return err
	}
	if _, err := fmt.Fprintln(s.Out, wording.Text(wrong.Error())); err != nil {
		return command.WrapWrite(err)
	}
	return command.Exit(command.StatusFailed, nil)
}
