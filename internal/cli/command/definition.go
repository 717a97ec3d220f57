package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"

	"asldb/engine/asl"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// OpenText reads the text of the definition in a file and writes its problems.
func OpenText(s *Streams, d definitions.Definition, name string) (*definitions.Text, error) {
	d.File = name
	text, err := d.Open(s.Files())
	return text, DefinitionError(s, err)
}

// OpenMachine reads the definition in a file and writes its problems.
func OpenMachine(s *Streams, d definitions.Definition, name string) (*asl.StateMachine, error) {
	text, err := OpenText(s, d, name)
	if err != nil {
		return nil, err
	}
	machine, err := text.Parse()
	return machine, DefinitionError(s, err)
}

// DefinitionError writes the problems of a definition that err is about, and returns the error with the names of flags.
func DefinitionError(s *Streams, err error) error {
	var wrong *definitions.InvalidError
	if errors.As(err, &wrong) {
		WriteProblems(s, wrong.Problems)
		return err
	}
	return Flagged(err)
}

// WriteProblems writes problems on standard error, each with its place and the lines of the text there.
func WriteProblems[P interface{ FormatWithin(width int) string }](s *Streams, problems []P) {
	for _, d := range problems {
		fmt.Fprintln(s.Err, wording.Text(strings.TrimRight(d.FormatWithin(WidthOf(s.Err)), "\n")))
	}
}

// Choose reads a definition. Where the file or folder has several, the user chooses one on the terminal; without a terminal
// the error names them.
func Choose(ctx context.Context, s *Streams, d *definitions.Definition, read func() error) error {
	err := read()
	var several *definitions.ChoiceError
	if !errors.As(err, &several) || d.File == files.Stdin {
		return err
	}
	in, isFile := s.In.(*os.File)
	out, isFileToo := s.Out.(*os.File)
	if !isFile || !isFileToo || !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return err
	}
	lines := make([]string, len(several.Definitions))
	for i := range several.Definitions {
		lines[i] = shortLabel(several, &several.Definitions[i])
	}
	ended := Listen(ctx)
	defer ended.Stop()
	chosen, err := ChooseLine(ended, s, wording.Line(several.File)+" has "+wording.Count(len(lines), "definition")+": choose one", lines)
	if err != nil {
		return err
	}
	d.File, d.Resource = several.Definitions[chosen].File, several.Definitions[chosen].Resource
	return read()
}

// ChooseLine lets the user choose a line of a list on the terminal, and returns its number. Commands have no screen:
// the root command sets it.
var ChooseLine = func(*Ending, *Streams, string, []string) (int, error) {
	return 0, errors.New("no list can be shown here")
}

// shortLabel returns a definition as the list shows it: its file, without the folder that the user has named, and its name.
func shortLabel(several *definitions.ChoiceError, d *definitions.Definition) string {
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
	if d.Stack != "" {
		return name + " (" + d.Resource + ", stack " + d.Stack + ")"
	}
	return name + " (" + d.Resource + ")"
}

// ChosenMachine reads the definition that a command is about, after a choice where there are several.
func ChosenMachine(ctx context.Context, s *Streams, d *definitions.Definition, name string) (machine *asl.StateMachine, err error) {
	d.File = name
	err = Choose(ctx, s, d, func() error {
		machine, err = OpenMachine(s, *d, d.File)
		return err
	})
	return machine, err
}
