package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/launch"
	"asldb/internal/tty"
	"asldb/internal/visible"
	"asldb/tui/choose"
)

// addDefinitionFlags adds the flags for a definition inside of a template, and for the names in it.
func addDefinitionFlags(cmd *cobra.Command, d *launch.Definition) {
	flags := cmd.Flags()
	flags.StringVar(&d.Resource, "resource", "", "the `NAME` of the state machine in a template, a serverless.yml or a .tf file")
	flags.StringArrayVar(&d.Substitute, "substitute", nil, "replace ${NAME} in the definition, or set a template's parameter: `NAME=VALUE`; repeatable")
	flags.StringVar(&d.Substitutions, "substitutions", "", "a `FILE` (YAML or JSON) with an object of substitutions")
	addProjectTo(cmd, d)
}

// openText reads the text of the definition in a file and writes its problems.
func openText(s *streams, d launch.Definition, name string) (*launch.Text, error) {
	d.File = name
	text, err := d.Open(s.files())
	return text, s.definitionError(err)
}

// openMachine reads the definition in a file and writes its problems.
func openMachine(s *streams, d launch.Definition, name string) (*asl.StateMachine, error) {
	text, err := openText(s, d, name)
	if err != nil {
		return nil, err
	}
	machine, err := text.Parse()
	return machine, s.definitionError(err)
}

// definitionError writes the problems of a definition that err is about, and returns the error with the names of flags.
func (s *streams) definitionError(err error) error {
	var wrong *launch.DefinitionError
	if errors.As(err, &wrong) {
		writeProblems(s, wrong.Problems)
		return err
	}
	return flagged(err)
}

func writeProblems(s *streams, problems []source.Diagnostic) {
	for _, d := range problems {
		fmt.Fprintln(s.err, visible.Text(strings.TrimRight(d.Format(), "\n")))
	}
}

// choosing reads a definition. Where the file or folder has several, the user chooses one on the terminal; without a terminal
// the error names them.
func choosing(ctx context.Context, s *streams, d *launch.Definition, read func() error) error {
	err := read()
	var several *launch.ChoiceError
	if !errors.As(err, &several) || d.File == launch.Stdin {
		return err
	}
	in, isFile := s.in.(*os.File)
	out, isFileToo := s.out.(*os.File)
	if !isFile || !isFileToo || !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return err
	}
	lines := make([]string, len(several.Definitions))
	for i := range several.Definitions {
		lines[i] = shortLabel(several, &several.Definitions[i])
	}
	ended := endBySignal(ctx)
	defer ended.stop()
	terminal := tty.Open(in, out)
	ended.setScreen(terminal)
	defer ended.setScreen(nil)
	chosen, err := choose.One(ended, terminal, visible.Line(several.File)+" has "+counted(len(lines), "definition")+": choose one", lines)
	switch {
	case errors.Is(err, choose.ErrInterrupted):
		return interruptedError("")
	case err != nil:
		return err
	}
	d.File, d.Resource = several.Definitions[chosen].File, several.Definitions[chosen].Resource
	return read()
}

// shortLabel returns a definition as the list shows it: its file, without the folder that the user has named, and its name.
func shortLabel(several *launch.ChoiceError, d *launch.Definition) string {
	if !several.Folder {
		return d.Resource
	}
	name := d.File
	if relative, err := filepath.Rel(several.File, d.File); err == nil {
		name = relative
	}
	if d.Resource == "" {
		return name
	}
	return name + " (" + d.Resource + ")"
}

// chosenMachine reads the definition that a command is about, after a choice where there are several.
func chosenMachine(ctx context.Context, s *streams, d *launch.Definition, name string) (machine *asl.StateMachine, err error) {
	d.File = name
	err = choosing(ctx, s, d, func() error {
		machine, err = openMachine(s, *d, d.File)
		return err
	})
	return machine, err
}
