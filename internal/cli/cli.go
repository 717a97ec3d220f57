// Package cli is asldb's command line: its commands, their flags and their output.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/wording"
	"asldb/internal/work"
	"asldb/tui/view"
)

// Main runs the command line args, without the program's name, and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// This is the only place in the project that reads the wall clock.
	return execute(args, &command.Streams{In: stdin, Out: stdout, Err: stderr, Now: time.Now})
}

// execute runs a command line.
func execute(args []string, s *command.Streams) int {
	return executeWithin(context.Background(), args, s)
}

// executeWithin runs a command line until the context ends.
func executeWithin(ctx context.Context, args []string, s *command.Streams) int {
	// With the collector at its smallest heap a run, a check or the first frame of a large definition takes twice the
	// time.
	defer work.Relax()()
	root := newRoot(s, args...)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completeRest(root)
	}
	root.SetArgs(args)
	outer := s.Screen
	var err error
	if broken := work.Catch(func() { err = root.ExecuteContext(ctx) }); broken != nil {
		err = broken
	}
	if s.Screen != nil && s.Screen != outer {
		s.Screen.Close()
	}
	if outer != nil && errors.Is(err, view.ErrBack) {
		return command.StatusBack
	}
	err = sessions.SaveFault(s, nil, err)
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
	text, ok := command.Painted(s, err)
	if !ok {
		text = wording.Text(inWords(err))
	}
	fmt.Fprintf(s.Err, "asldb: %s\n", text)
	return status
}

// inWords returns the message of an error without the name of the system's call that failed, such as stat or open.
func inWords(err error) string {
	text := err.Error()
	var path *fs.PathError
	if !errors.As(err, &path) {
		return text
	}
	before, after, found := strings.Cut(text, path.Error())
	switch {
	case !found:
		return text
	case strings.Contains(before, "cannot "): // it names the file
		return before + path.Err.Error() + after
	}
	verb := "cannot write "
	switch path.Op {
	case "open":
		verb = "cannot open "
	case "read", "stat", "lstat":
		verb = "cannot read "
	}
	return before + verb + strconv.Quote(path.Path) + ": " + path.Err.Error() + after
}
