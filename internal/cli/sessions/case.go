package sessions

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/tui"
	"asldb/tui/screen"
)

// suiteCase is the case of a run with a screen, with its machine; zero: there is none.
type suiteCase struct {
	of      *suite.Case
	machine *suiterun.Machine
	name    string // FILE:CASE
}

// DefinitionOrCase allows to leave the definition out where a case of a suite names it.
func DefinitionOrCase(otherwise cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && cmd.Flags().Changed("test") {
			return nil
		}
		return otherwise(cmd, args)
	}
}

// fillCase completes the Spec by the case of --test.
func (f *Flags) fillCase(s *command.Streams) error {
	if f.Test == "" {
		return nil
	}
	c, m, err := openCase(s, f.Test, f.Spec.Definition, suiterun.Settings{Dialect: f.Spec.Dialect, Limits: f.Spec.Limits, Files: s.Files(), Projects: f.Spec.Definition.Projects})
	if err != nil {
		return err
	}
	spec, err := suiterun.Spec(c, m, suiterun.CaseOptions{})
	if err != nil {
		return err
	}
	f.Spec.Definition, f.Spec.Fixtures, f.Spec.History, f.Spec.Replay, f.Spec.Now = spec.Definition, spec.Fixtures, spec.History, spec.Replay, spec.Now
	f.Spec.Case = suiterun.Again(c, m)
	if f.hasScreen {
		f.ofSuite = suiteCase{c, m, f.Test}
	}
	return nil
}

// openCase reads a case of a suite and its definition, which definition replaces where it is given.
func openCase(s *command.Streams, name string, definition definitions.Definition, settings suiterun.Settings) (*suite.Case, *suiterun.Machine, error) {
	file, caseName, err := suite.SplitCase(name)
	if err != nil {
		return nil, nil, fmt.Errorf("--test: %w", err)
	}
	c, m, err := suiterun.OpenSuites(file, caseName, definition, settings)
	return c, m, command.DefinitionError(s, err)
}

// show brings the run of a case to its end, unless it is to stop at breakpoints of the command line, and lets the screen compare it
// with the case.
func (f *suiteCase) show(ctx context.Context, b *Run, look *tui.Options) {
	if f.of == nil {
		return
	}
	file, name := suite.Split(f.name)
	look.Title = filepath.Base(file) + ":" + wording.Line(name)
	look.Case = &screen.Case{Name: wording.Line(name), File: filepath.Base(file), Judge: func() (*suite.Outcome, error) {
		c, err := suiterun.Reread(f.of, f.machine)
		if err != nil {
			return nil, command.OneLine(err)
		}
		return suiterun.Judge(c, b.Run, suiterun.CaseOptions{}), nil
	}}
	if len(b.Spec.Breakpoints) > 0 || b.Replay != nil {
		return
	}
	if _, err := suiterun.Carry(ctx, f.of, b.Run); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		look.Notes = append(look.Notes, wording.Line("The case does not come to its end: "+first))
	}
}
