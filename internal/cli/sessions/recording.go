package sessions

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/wording"
)

// DefinitionOrHistory allows to leave the definition out where a history, an execution in AWS or a redrive is given.
func DefinitionOrHistory(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && (cmd.Flags().Changed("history") || cmd.Flags().Changed("execution") || cmd.Flags().Changed("redrive")) {
		return nil
	}
	return command.ExactlyOneDefinition(cmd, args)
}

// DefinitionOrRedrive allows to leave the definition out where a recorded execution continues.
func DefinitionOrRedrive(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && cmd.Flags().Changed("redrive") {
		return nil
	}
	return command.ExactlyOneDefinition(cmd, args)
}

// chooseAttempt asks which attempt of a redriven execution is to be run again, where the flags do not say it and there is a terminal.
// Without a definition all attempts are shown, as what-ifs.
func (f *Flags) chooseAttempt(s *command.Streams) error {
	h := &f.Spec.History
	if h.Recording == nil || h.Attempt != 0 || f.Spec.Definition.Machine == nil {
		return nil
	}
	attempts := h.Recording.Attempts()
	asks := f.questions(s)
	if len(attempts) < 2 || asks == nil {
		return nil // the last one is shown, which a line says
	}
	return asks(func(in, out *os.File) error {
		number, err := askAttempt(out, in, h.Recording.AboutAttempts())
		if err == nil {
			h.Attempt, h.Recording = number, attempts[number-1]
		}
		return err
	})
}

// askAttempt asks for one of the attempts; an empty answer chooses the last.
func askAttempt(out io.Writer, in io.Reader, attempts []string) (int, error) {
	last := len(attempts)
	text := "The execution was redriven:\n"
	for _, line := range attempts {
		text += "  " + wording.Line(line) + "\n"
	}
	for {
		if _, err := fmt.Fprintf(out, "%sWhich attempt is to be opened? [%d] ", text, last); err != nil {
			return 0, err
		}
		answer, err := readLine(in)
		if err != nil {
			return 0, fmt.Errorf("cannot read which attempt is to be opened: %w", err)
		}
		answer = strings.TrimSpace(answer)
		if answer == "" {
			return last, nil
		}
		if number, err := strconv.Atoi(answer); err == nil && number >= 1 && number <= last {
			return number, nil
		}
		text = fmt.Sprintf("It is a number from 1 to %d.\n", last)
	}
}
