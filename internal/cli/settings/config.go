// Package settings has the commands that show settings: config, project and keys. It loads the configuration.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/wording"
)

// LoadConfig reads the configuration: the file given, which must exist, or the one at the usual place, which need
// not. from is the file that was read, or "".
func LoadConfig(file string) (c *Config, from string, err error) {
	if file == "" {
		usual := Path(os.Getenv)
		if usual == "" {
			return Default(), "", nil
		}
		c, err := Load(usual)
		if errors.Is(err, fs.ErrNotExist) {
			return Default(), "", nil
		}
		return c, usual, configError(err)
	}
	c, err = Load(file)
	return c, file, configError(err)
}

// configError says that a configuration file cannot be read. Problems in it name their places themselves.
func configError(err error) error {
	var problems Problems
	if err == nil || errors.As(err, &problems) {
		return err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return command.OneLine(fmt.Errorf("cannot read the configuration %s: %w", path.Path, path.Err))
	}
	return fmt.Errorf("the configuration: %w", command.OneLine(err))
}

// NewConfig returns the command "config".
func NewConfig(s *command.Streams) *cobra.Command {
	given, check := &launch.Given{}, false
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print or check the configuration",
		Args:  command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			c, from, err := LoadConfig(given.Look.Config)
			if err != nil {
				return err
			}
			place := from
			if place == "" {
				place = Path(os.Getenv)
			}
			switch {
			case check && from == "":
				return s.Print(fmt.Sprintf("There is no configuration at %s; every setting has its default.\n", wording.Line(place)))
			case check:
				return s.Print(wording.Line(from) + " is right.\n")
			}
			return s.Print(fmt.Sprintf("# %s\n%s", wording.Line(place), c.Text()))
		},
	}
	command.RowsOf(cmd, given).Row("config")
	cmd.Flags().BoolVar(&check, "check", false, "only check the file")
	return cmd
}
