package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/value"
	"asldb/internal/config"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/visible"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/screen"
)

// loadConfig reads the configuration: the file given, which must exist, or the one at the usual place, which need
// not. from is the file that was read, or "".
func loadConfig(file string) (c *config.Config, from string, err error) {
	if file == "" {
		usual := config.Path(os.Getenv)
		if usual == "" {
			return config.Default(), "", nil
		}
		c, err := config.Load(usual)
		if errors.Is(err, fs.ErrNotExist) {
			return config.Default(), "", nil
		}
		return c, usual, configError(err)
	}
	c, err = config.Load(file)
	return c, file, configError(err)
}

// configError says that a configuration file cannot be read. Problems in it name their places themselves.
func configError(err error) error {
	var problems config.Problems
	if err == nil || errors.As(err, &problems) {
		return err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return oneLine(fmt.Errorf("cannot read the configuration %s: %w", path.Path, path.Err))
	}
	return fmt.Errorf("the configuration: %w", oneLine(err))
}

const configLong = `Prints the effective configuration: every setting with its description, the roles that can have colours
of their own, and the keys of every action. The output is a configuration file: write it to the
file named in its first line, and edit it.

The file is asldb/config.yaml in $XDG_CONFIG_HOME, or in ~/.config. Flags override it.`

func newConfig(s *streams) *cobra.Command {
	var file string
	var check bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print or check the configuration",
		Long:  configLong,
		Example: `  asldb config                    the effective configuration
  asldb config > config.yaml      a file to change
  asldb config --check            check my file`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, from, err := loadConfig(file)
			if err != nil {
				return err
			}
			place := from
			if place == "" {
				place = config.Path(os.Getenv)
			}
			switch {
			case check && from == "":
				return s.print(fmt.Sprintf("There is no configuration at %s; every setting has its default.\n", visible.Line(place)))
			case check:
				return s.print(visible.Line(from) + " is right.\n")
			}
			return s.print(fmt.Sprintf("# %s\n%s", visible.Line(place), c.Text()))
		},
	}
	addConfigTo(cmd, &file)
	cmd.Flags().BoolVar(&check, "check", false, "only check the file")
	return cmd
}

const projectLong = `Shows which project file is in effect, for this folder or for a DEFINITION, and checks it.

A project file, ` + project.FileName + `, is for all definitions in its folder and below. It is found upwards from
the definition; the nearest one is read. It can have:

  rules           levels by rule: off, hint, warning or error
  paths           the same settings for files that match a path
  ignore          problems that are not reported, each with a reason
  fixtures        the fixtures file of runs without --fixtures
  substitutions   values for ${NAME}s, or a file with them

It cannot allow live calls: use --allow-live, or asldb allow.`

const projectExample = `  asldb project
  asldb project order.asl.json
  asldb project schema > asldb.schema.json`

func newProject(s *streams) *cobra.Command {
	definition := launch.Definition{}
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
			p, err := definition.Projects.For(file)
			if err != nil {
				return err
			}
			if p == nil {
				return s.print("There is no project file (" + project.FileName + ").\n")
			}
			text := visible.Line(p.Source.Name) + " is valid.\n"
			settings := p.For(file)
			if settings.Fixtures != "" {
				text += "fixtures: " + visible.Line(settings.Fixtures) + "\n"
			}
			for _, name := range settings.SubstitutionFiles {
				text += "substitutions: " + visible.Line(name) + "\n"
			}
			if n := len(settings.Substitutions); n > 0 {
				text += fmt.Sprintf("substitutions: %s\n", counted(n, "value"))
			}
			return s.print(text)
		},
		ValidArgsFunction: completeDefinition,
	}
	addProjectTo(cmd, &definition)
	cmd.AddCommand(&cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of project files",
		Long: `Prints the JSON Schema (draft 2020-12) of project files, with which editors complete and check them.

Save it, and name it in the first line of the project file for the YAML language server:

  # yaml-language-server: $schema=asldb.schema.json`,
		Example: "  asldb project schema > asldb.schema.json",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return s.print(value.Pretty(project.Schema()) + "\n") },
	})
	return cmd
}

func newKeys(s *streams) *cobra.Command {
	var format, file string
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List the actions of the screen, with keys and commands",
		Long: `Lists every action of the screen with its keys, its command and its description, as configured.
On the screen, ? shows the keys, : takes a command, and ctrl+p searches the commands.`,
		Example: "  asldb keys\n  asldb keys --format markdown",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, _, err := loadConfig(file)
			if err != nil {
				return err
			}
			table := screen.KeysOf(c.Table)
			switch format {
			case "text":
				return s.print(keysText(table))
			case "markdown":
				return s.print(keysMarkdown(table))
			}
			return fmt.Errorf("--format is text or markdown, and this is %q", format)
		},
	}
	cmd.Flags().Var(newForm(&format, "text", "text|markdown"), "format", "the output's format")
	addConfigTo(cmd, &file)
	completeWords(cmd, "format", "text", "markdown")
	return cmd
}

// keysText is the list in columns.
func keysText(table *keys.Map) string {
	first, second := 0, 0
	for _, row := range table.Bindings() {
		first, second = max(first, canvas.Width(row.AllShown())), max(second, canvas.Width(row.Usage()))
	}
	var b strings.Builder
	for _, group := range keys.Groups() {
		rows := table.In(group)
		if len(rows) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, group)
		for i := range rows {
			shown, usage := rows[i].AllShown(), rows[i].Usage()
			fmt.Fprintf(&b, "  %s%s  %s%s  %s\n", shown, strings.Repeat(" ", first-canvas.Width(shown)),
				usage, strings.Repeat(" ", second-canvas.Width(usage)), rows[i].Help)
		}
	}
	return b.String()
}

// keysMarkdown is the list as tables.
func keysMarkdown(table *keys.Map) string {
	var b strings.Builder
	cell := strings.NewReplacer("|", `\|`)
	for _, group := range keys.Groups() {
		rows := table.In(group)
		if len(rows) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\n| keys | command | does |\n|---|---|---|\n", group)
		for i := range rows {
			var shown []string
			for _, key := range rows[i].Keys {
				shown = append(shown, "`"+cell.Replace(keys.Shown(key))+"`")
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s |\n", strings.Join(shown, " "), cell.Replace(rows[i].Usage()), cell.Replace(rows[i].Help))
		}
	}
	return b.String()
}
