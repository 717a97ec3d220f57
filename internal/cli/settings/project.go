package settings

import (
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/wording"
)

// NewProject returns the command "project" with its subcommand.
func NewProject(s *command.Streams) *cobra.Command {
	given := &launch.Given{}
	cmd := &cobra.Command{
		Use:   "project [DEFINITION]",
		Short: "Show and check the project file",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := ""
			if len(args) > 0 {
				file = args[0]
			}
			if err := s.Existing(file); err != nil {
				return err
			}
			p, err := given.Spec.Definition.Projects.For(file)
			if err != nil {
				return err
			}
			if p == nil {
				return s.Print("There is no project file (" + project.FileName + ").\n")
			}
			text := wording.Line(p.Source.Name) + " is valid.\n"
			settings := p.For(file)
			if settings.Fixtures != "" {
				text += "fixtures: " + wording.Line(settings.Fixtures) + "\n"
			}
			for _, name := range settings.SubstitutionFiles {
				text += "substitutions: " + wording.Line(name) + "\n"
			}
			if name := p.Baseline(); name != "" {
				text += "baseline: " + wording.Line(name) + "\n"
			}
			if n := len(settings.Substitutions); n > 0 {
				text += fmt.Sprintf("substitutions: %s\n", wording.Count(n, "value"))
			}
			return s.Print(text)
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	command.RowsOf(cmd, given).Add(launch.Projects)
	cmd.AddCommand(&cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of project files",
		Args:  command.NoArguments,
		RunE:  func(*cobra.Command, []string) error { return s.Print(value.Pretty(project.Schema()) + "\n") },
	})
	return cmd
}
