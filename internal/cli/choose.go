package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/charmbracelet/x/term"

	"asldb/engine/asl"
	"asldb/internal/launch"
	"asldb/internal/tty"
	"asldb/internal/visible"
	"asldb/tui/choose"
)

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
