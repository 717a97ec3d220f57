package outcomes

import (
	"fmt"

	"asldb/internal/cli/command"
	"asldb/internal/cli/reading"
	"asldb/internal/definitions"
	"asldb/internal/visible"
)

// checkSuite writes the problems of a suite, those that show only with its definition included. definition replaces the suite's
// own where it is given.
func checkSuite(s *command.Streams, d definitions.Definition, definition, name string) error {
	d.File = definition
	wrong, err := reading.SuiteProblems(s, d, name)
	if err != nil || wrong == nil {
		return err
	}
	if _, err := fmt.Fprintln(s.Out, visible.Text(wrong.Error())); err != nil {
		return command.WrapWrite(err)
	}
	return command.Exit(command.StatusFailed, nil)
}
