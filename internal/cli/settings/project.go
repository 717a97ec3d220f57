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

const projectLong = `Shows which project file is in effect, for this folder or for a DEFINITION, and checks it.

A project file, ` + project.FileName + `, applies to the definitions in its folder and below. asldb looks for it in
the definition's folder, then in the folders above, and uses the first one. It can have:

  rules           levels by rule: off, hint, warning or error
  paths           the same settings for files that match a path
  ignore          problems that are not reported, each with a reason
  baseline        a file of known problems, written by asldb validate --write-baseline
  fixtures        the fixtures file of runs without --fixtures
  substitutions   values for ${NAME}s, or a file with them

It cannot allow live calls: use --allow-live, or asldb allow.`

const projectExample = `  asldb project
  asldb project order.asl.json
  asldb project schema > asldb.schema.json`

// NewProject returns the command "project" with its subcommand.
func NewProject(s *command.Streams) *cobra.Command {
	given := &launch.Given{}
	cmd := &cobra.Command{
		Use:     "project [DEFINITION]",
		Short:   "Show and check the project file",
		Long:    projectLong,
		Example: projectExample,
		Args:    cobra.MaximumNArgs(1),
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
		Long: `Prints the JSON Schema (draft 2020-12) of project files, for completion and checks in editors.

Save it, and name it in the first line of the project file for the YAML language server:

  # yaml-language-server: $schema=asldb.schema.json`,
		Example: "  asldb project schema > asldb.schema.json",
		Args:    command.NoArguments,
		RunE:    func(*cobra.Command, []string) error { return s.Print(value.Pretty(project.Schema()) + "\n") },
	})
	return cmd
}
