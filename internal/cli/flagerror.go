package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/internal/cli/command"
	"asldb/internal/wording"
)

// flagError returns the error of a wrong flag, in the words of this program.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	var value *command.ValueError
	if errors.As(err, &invalid) {
		name, given := invalid.GetFlag().Name, command.Clip(invalid.GetValue(), command.MaxQuoted)
		switch {
		case errors.Is(err, command.ErrEmpty):
			err = fmt.Errorf("--%s is given an empty text", name)
		case errors.As(err, &value):
			value.Given = given
			err = errors.New(value.With("--" + name))
		case invalid.GetFlag().Value.Type() == "duration":
			err = fmt.Errorf("--%s takes a duration such as 30s, not %q", name, given)
		case errors.As(err, &number) && strings.HasPrefix(invalid.GetFlag().Value.Type(), "bool"):
			err = fmt.Errorf("--%s is true or false, not %q", name, given)
		case errors.As(err, &number) && errors.Is(number.Err, strconv.ErrRange):
			err = fmt.Errorf("--%s takes a whole number of at most 64 bits, not %q", name, given)
		case errors.As(err, &number):
			err = fmt.Errorf("--%s takes a whole number, not %q", name, given)
		default:
			err = fmt.Errorf("--%s %q: %w", name, given, invalid.Unwrap())
		}
	}
	err = elsewhere(cmd, err)
	return fmt.Errorf("%w\nsee %q", command.OneLine(err), cmd.CommandPath()+" --help")
}

// elsewhere returns the error of a flag that a command does not have, with the commands that have it.
func elsewhere(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name, shown := unknown.GetSpecifiedName(), "--"+unknown.GetSpecifiedName()
	short := unknown.GetSpecifiedShortnames() != ""
	if short {
		shown = "-" + name
	}
	var have []string
	for _, other := range cmd.Root().Commands() {
		flag := other.Flags().Lookup(name)
		if short {
			flag = nil
			if len(name) == 1 { // others are no short flag
				flag = other.Flags().ShorthandLookup(name)
			}
		}
		if flag != nil && other != cmd {
			have = append(have, other.Name())
		}
	}
	var near string
	if !short {
		var own []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
		near = wording.Nearest(name, slices.Values(own))
	}
	program := cmd.Name()
	if !cmd.HasParent() {
		program = "asldb"
	}
	switch shown = wording.Line(command.Clip(shown, command.MaxQuoted)); {
	case near != "":
		return fmt.Errorf("%s has no %s; did you mean --%s?", program, shown, near)
	case len(have) == 1:
		return fmt.Errorf("%s has no %s; %s has", program, shown, have[0])
	case len(have) > 1:
		return fmt.Errorf("%s has no %s; %s and %s have", program, shown, strings.Join(have[:len(have)-1], ", "), have[len(have)-1])
	}
	return fmt.Errorf("%s has no %s", program, shown)
}
