package runs

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"asldb/engine/coverage"
	"asldb/engine/debug"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
)

// coverageFlags add a run to a coverage profile.
type coverageFlags struct {
	File       string // of the profile; empty: none is written
	conditions bool
}

// addTo adds the flags.
func (c *coverageFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().Var(command.NewFilled(&c.File, ""), "coverage-out", "write the coverage to the profile `FILE`, added to what it has (see asldb coverage)")
	cmd.Flags().BoolVar(&c.conditions, "coverage-conditions", false, "also count each condition, true and false (with --coverage-out)")
}

// check refuses an option that has no effect, and a profile that cannot be read: it says so before the run.
func (c *coverageFlags) check() error {
	if c.File == "" {
		if c.conditions {
			return errors.New("--coverage-conditions needs --coverage-out FILE")
		}
		return nil
	}
	if info, err := os.Stat(c.File); err != nil || !info.Mode().IsRegular() {
		return nil // one that is not there, or a device, has no runs to be added to
	}
	if _, err := command.Profiles([]string{c.File}); err != nil {
		return command.OneLine(fmt.Errorf("--coverage-out: %w", err))
	}
	return nil
}

// write adds a run that has ended to the profile. A definition that has changed since starts over.
func (c *coverageFlags) write(s *command.Streams, session *debug.Session, definition *definitions.Definition) error {
	if c.File == "" || session == nil {
		return nil
	}
	machine := session.Machine().Definition()
	collector := coverage.NewCollector(machine, coverage.Options{Conditions: c.conditions})
	collector.Add(session)
	if collector.Unknown > 0 {
		fmt.Fprintf(s.Err, "warning: the conditions of %d evaluations are not counted: they could not be repeated\n", collector.Unknown)
	}
	d := collector.Definition(machine.Source.Name, definition.Resource, machine.Source.Digest())
	return command.UpdateProfile(s, c.File, d)
}
