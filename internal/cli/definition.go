package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/launch"
	"asldb/internal/visible"
)

// addDefinitionFlags adds the flags for a definition inside of a template, and for the names in it.
func addDefinitionFlags(cmd *cobra.Command, d *launch.Definition) {
	flags := cmd.Flags()
	flags.StringVar(&d.Resource, "resource", "", "the `NAME` of the state machine in a template, a serverless.yml or a .tf file")
	flags.StringArrayVar(&d.Substitute, "substitute", nil, "replace ${NAME} in the definition, or set a template's parameter: `NAME=VALUE`; repeatable")
	flags.StringVar(&d.Substitutions, "substitutions", "", "a `FILE` (YAML or JSON) with an object of substitutions")
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
