// Package cli is asldb's command line: its commands, their flags and their output.
package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"asldb/internal/cli/command"
	"asldb/internal/visible"
)

// Main runs the command line args, without the program's name, and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// This is the only place in the project that reads the wall clock.
	return execute(args, &command.Streams{In: stdin, Out: stdout, Err: stderr, Now: time.Now})
}

// execute runs a command line.
func execute(args []string, s *command.Streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	err := root.Execute()
	if err == nil {
		return command.StatusOK
	}
	status := command.StatusUsage
	var exit *command.ExitError
	if errors.As(err, &exit) {
		status = exit.Status
		if exit.Err == nil {
			return status
		}
	}
	fmt.Fprintf(s.Err, "asldb: %s\n", visible.Text(err.Error()))
	return status
}
