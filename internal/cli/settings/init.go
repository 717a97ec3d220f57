package settings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/wording"
)

// CIJob is the job for GitHub Actions, as docs/ci.md has it, without a bar: the project file has it.
const CIJob = `# Replace OWNER/REPO with the repository of asldb.
name: State machines
on: [push, pull_request]
jobs:
  state-machines:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@v4
      - uses: OWNER/REPO@main
        with:
          test: .
`

// beginning is one run of init.
type beginning struct {
	s *command.Streams
	// run runs a command line of the program without its output, and returns its exit status.
	run              func(args ...string) int
	definition, root string
	resource         string   // the name of the machine in the file; empty: it is the only one
	named            []string // the flags about the definition, for other commands
}

// NewInit returns the command init, which executes others.
func NewInit(s *command.Streams, execute command.Execute) *cobra.Command {
	given := &launch.Given{}
	cmd := &cobra.Command{
		Use:               "init DEFINITION",
		Short:             "Write first fixtures, a suite, settings and a CI job",
		Args:              command.ExactlyOneDefinition,
		ValidArgsFunction: command.CompleteDefinition,
		RunE: func(cmd *cobra.Command, args []string) error {
			b := &beginning{s: s, definition: args[0], resource: given.Spec.Definition.Resource}
			for _, name := range []string{"resource", "substitutions"} {
				if flag := cmd.Flags().Lookup(name); flag.Changed {
					b.named = append(b.named, "--"+name+"="+flag.Value.String())
				}
			}
			return b.begin(cmd.Context(), execute)
		},
	}
	command.RowsOf(cmd, given).Row("resource").Row("substitutions")
	return cmd
}

// begin writes the files for a definition, and says the next commands.
func (b *beginning) begin(ctx context.Context, execute command.Execute) error {
	s, definition := b.s, b.definition
	if definition == files.Stdin {
		return errors.New("init takes the name of a definition's file, not standard input: its files are beside it")
	}
	quiet := *s
	quiet.Out = io.Discard
	b.run = func(args ...string) int { return execute(ctx, args, &quiet) }
	// A wrong definition is told before anything is written.
	if status := b.run(b.about("fixtures", "init")...); status != command.StatusOK {
		return command.Exit(status, nil)
	}
	folder, err := filepath.Abs(filepath.Dir(definition))
	if err != nil {
		return err
	}
	b.root = folder
	if root, ok := files.Repository(folder); ok {
		b.root = root
	}
	fixtures, suite := b.fileBeside(launch.FixturesEndings...), b.fileBeside(".test.yaml", ".test.yml", ".test.json")
	for _, one := range []struct{ command, file string }{{"fixtures", fixtures}, {"test", suite}} {
		write := func() error { return b.ran(b.about(one.command, "init", "-o", one.file)...) }
		if err := b.make(one.file, write); err != nil {
			return err
		}
	}
	if err := b.project(suite); err != nil {
		return err
	}
	if err := b.under(".vscode/launch.json", b.configuration(folder, fixtures)); err != nil {
		return err
	}
	if err := b.under(".github/workflows/asldb.yml", CIJob); err != nil {
		return err
	}
	next := wording.ShellFile(definition)
	for _, flag := range b.named {
		next += " " + wording.Shell(flag)
	}
	if b.resource != "" { // its fixtures have its name
		next += " -f " + wording.ShellFile(fixtures)
	}
	return s.Print("next: asldb test " + wording.ShellFile(suite) + " --coverage\nnext: asldb " + next + "\n")
}

// about returns a command line about the definition.
func (b *beginning) about(words ...string) []string {
	return append(append(words, b.named...), "--", b.definition)
}

// fileBeside returns the first file with one of the endings that is beside the definition, or the name of a new one.
// The name of a machine among several is before the ending.
func (b *beginning) fileBeside(endings ...string) string {
	endings = slices.Clone(endings)
	for i := range endings {
		if b.resource != "" {
			endings[i] = "." + strings.ReplaceAll(filepath.ToSlash(b.resource), "/", "-") + endings[i]
		}
	}
	for _, ending := range endings {
		if name := launch.Beside(b.definition, ending); there(name) {
			return name
		}
	}
	return launch.Beside(b.definition, endings[0])
}

func there(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// ran runs a command line, whose error it has told.
func (b *beginning) ran(args ...string) error {
	if status := b.run(args...); status != command.StatusOK {
		return command.Exit(status, nil)
	}
	return nil
}

// make lets a file be written where there is none, and says which it is.
func (b *beginning) make(name string, write func() error) error {
	if there(name) {
		return b.s.Print("there already: " + wording.Line(name) + "\n")
	}
	if err := write(); err != nil {
		return err
	}
	return b.s.Print("wrote: " + wording.Line(name) + "\n")
}

// project writes the project file where none is in effect, and lets "asldb test" raise its bar to the suite's coverage.
func (b *beginning) project(suite string) error {
	inEffect, err := (&project.Finder{}).For(b.definition)
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	name := files.Relative(here, filepath.Join(b.root, project.FileName))
	if inEffect != nil {
		name = inEffect.Source.Name
	}
	return b.make(name, func() error {
		text := "# asldb test --coverage --accept raises the bar.\ncoverage:\n  min: 0\n"
		if err := command.WriteNew(b.s, name, []byte(text)); err != nil {
			return err
		}
		return b.ran("test", "--coverage", "--accept", "--no-state", "--", suite)
	})
}

// under writes a file in the root.
func (b *beginning) under(path, text string) error {
	name := filepath.Join(b.root, filepath.FromSlash(path))
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	name = files.Relative(here, name)
	return b.make(name, func() error {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return fmt.Errorf("cannot make the folder of %s: %w", wording.Line(name), err)
		}
		return command.WriteNew(b.s, name, []byte(text))
	})
}

// configuration returns a launch.json for the definition in a folder.
func (b *beginning) configuration(folder, fixtures string) string {
	inWorkspace := func(name string) string {
		path := files.Relative(b.root, filepath.Join(folder, filepath.Base(name)))
		return "${workspaceFolder}/" + filepath.ToSlash(path)
	}
	base := strings.TrimSuffix(filepath.Base(b.definition), filepath.Ext(b.definition))
	type launched struct {
		Type     string `json:"type"`
		Request  string `json:"request"`
		Name     string `json:"name"`
		Program  string `json:"program"`
		Resource string `json:"resource,omitempty"`
		Fixtures string `json:"fixtures"`
	}
	title := strings.TrimSuffix(base, ".asl")
	if b.resource != "" {
		title = b.resource
	}
	text, _ := json.MarshalIndent(struct { // it has texts only, which are never refused
		Version        string     `json:"version"`
		Configurations []launched `json:"configurations"`
	}{"0.2.0", []launched{{
		"asldb", "launch", "Debug " + title, inWorkspace(b.definition), b.resource, inWorkspace(fixtures),
	}}}, "", "  ")
	return string(wording.JSON(text)) + "\n"
}
