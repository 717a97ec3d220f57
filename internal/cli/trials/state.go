package trials

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine/services"
	"asldb/engine/source"
	"asldb/engine/teststate"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/wording"
)

// stateFlags are the flags of the state command.
type stateFlags struct {
	launch.Given

	state, mock, variables, context, configuration string

	level, role    string
	reveal, values bool

	mockText, configurationText string // as they were read
}

// NewState returns the command "state".
func NewState(s *command.Streams) *cobra.Command {
	f := &stateFlags{}
	cmd := &cobra.Command{
		Use:   "state DEFINITION",
		Short: "Run a single state, as TestState does",
		Args:  command.ExactlyOneDefinition,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(s, args[0], cmd.Flags().Changed("state"))
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	f.addTo(cmd)
	cmd.Flags().BoolVar(&f.values, "values", false, "print payloads as JSON instead of JSON text in strings")
	return cmd
}

// addTo adds the flags that make a request.
func (f *stateFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	rows := command.RowsOf(cmd, &f.Given)
	flags.StringVarP(&f.state, "state", "s", "", "the `NAME` of the state in a whole machine")
	rows.Row("input", "\n(default: {})")
	flags.StringVarP(&f.mock, "mock", "m", "", "the mocked result or error: a `FILE`, JSON text, or -")
	flags.StringVar(&f.variables, "variables", "", "the state's variables: a `FILE`, JSON text, or -")
	flags.StringVarP(&f.context, "context", "c", "", "the context object: a `FILE`, JSON text, or -; needs --mock")
	flags.StringVar(&f.configuration, "state-configuration", "", "the earlier retries and failures: a `FILE`, JSON text, or -")
	flags.VarP(command.NewPattern(&f.level, teststate.Info.String(), strings.Join(teststate.Levels(), "|")), "level", "l", "DEBUG and TRACE add the data of each stage")
	flags.StringVar(&f.role, "role-arn", "", "the role `ARN` in the context object")
	flags.BoolVar(&f.reveal, "reveal-secrets", false, "rejected with --mock, as by TestState; otherwise without effect")
	rows.Row("start-time", " (default: now)").Row("seed", " (default: 1)").Add(launch.Named)
	command.CompleteWords(cmd, "level", teststate.Levels()...)
	_ = cmd.RegisterFlagCompletionFunc("state", command.CompleteState) // it fails only for a flag that does not exist
}

// run asks, and prints the answer.
func (f *stateFlags) run(s *command.Streams, definition string, named bool) error {
	request, err := f.requestOf(s, definition, named)
	if err != nil {
		return err
	}
	response, err := teststate.Run(request)
	if err != nil {
		return f.explain(s, request, err)
	}
	if _, err := s.Out.Write(wording.JSON([]byte(value.Pretty(response.Object(f.values)) + "\n"))); err != nil {
		return fmt.Errorf("cannot write the answer: %w", err)
	}
	if response.Unchecked != "" {
		service, _, _ := strings.Cut(response.Unchecked, ":")
		fmt.Fprintf(s.Err, "note: %s is not in the table (%s): the mocked result is not checked\n", wording.Line(response.Unchecked), services.Dated(service))
	}
	if response.Status == teststate.Failed || response.Status == teststate.Retriable {
		return command.Exit(command.StatusFailed, nil)
	}
	return nil
}

// requestOf makes the request; named says that a state is named.
func (f *stateFlags) requestOf(s *command.Streams, definition string, named bool) (*teststate.Request, error) {
	request, err := f.request(s, definition)
	if err != nil {
		return nil, f.explain(s, request, err)
	}
	if named {
		request.StateName = &f.state
	} else if names := statesOf(request.Root); len(names) > 0 {
		return nil, fmt.Errorf("%s is a whole state machine, and one state is run: add --state NAME (%s)",
			wording.Line(definition), wording.Line(strings.Join(names, ", ")))
	}
	return request, nil
}

// request reads the files and flags.
func (f *stateFlags) request(s *command.Streams, definition string) (*teststate.Request, error) {
	if err := f.checkStdin(definition); err != nil {
		return nil, err
	}
	found, err := command.OpenText(s, f.Spec.Definition, definition)
	if err != nil {
		return nil, err
	}
	request := &teststate.Request{
		Definition: found.Source, Root: found.Root,
		RoleARN: f.role, RevealSecrets: f.reveal, Seed: f.Seed(),
	}
	if request.Level, err = teststate.ParseLevel(f.level); err != nil {
		return request, err
	}
	if request.Start = f.Spec.Start.UTC(); request.Start.IsZero() {
		request.Start = s.Now().UTC().Truncate(time.Millisecond)
	}
	var mock, configuration value.Value
	for _, flag := range []struct {
		name, argument string
		into           *value.Value
	}{
		{"input", cmp.Or(f.Spec.Input.Text, "{}"), &request.Input},
		{"mock", f.mock, &mock},
		{"variables", f.variables, &request.Variables},
		{"context", f.context, &request.Context},
		{"state-configuration", f.configuration, &configuration},
	} {
		if flag.argument == "" {
			continue
		}
		if *flag.into, err = command.ReadValue(s, flag.name, flag.argument); err != nil {
			return request, err
		}
	}
	if mock != nil {
		f.mockText = value.Compact(mock)
		if request.Mock, err = teststate.ParseMock(mock); err != nil {
			return request, err
		}
	}
	if configuration != nil {
		f.configurationText = value.Compact(configuration)
		request.Configuration, err = teststate.ParseConfiguration(configuration)
	}
	return request, err
}

// checkStdin refuses a second argument that would read standard input.
func (f *stateFlags) checkStdin(definition string) error {
	reads := 0
	for _, argument := range []string{definition, f.Spec.Input.Text, f.mock, f.variables, f.context, f.configuration} {
		if argument == files.Stdin {
			reads++
		}
	}
	if reads > 1 {
		return errors.New("only one of the definition and the flags can be standard input")
	}
	return nil
}

// mostNames is how many states a message lists.
const mostNames = 8

// statesOf returns the names of the states of a whole state machine, not more than a few; nil of one state.
func statesOf(root *source.Node) (names []string) {
	states := root.Get("States")
	if states == nil || root.Get("Type") != nil {
		return nil
	}
	for i := range states.Members {
		if i == mostNames {
			return append(names, "...")
		}
		names = append(names, states.Members[i].Key)
	}
	return names
}

// explain writes the problems of a definition, and adds advice to the words of the service.
func (f *stateFlags) explain(s *command.Streams, request *teststate.Request, err error) error {
	var refusal *teststate.Refusal
	var call *teststate.NoCallError
	switch {
	case errors.As(err, &call):
		return fmt.Errorf("%w (see --mock)", err)
	case !errors.As(err, &refusal):
		return err
	}
	for _, d := range refusal.Diagnostics {
		fmt.Fprintln(s.Err, wording.Text(strings.TrimRight(d.FormatWithin(command.WidthOf(s.Err)), "\n")))
	}
	// The client's own errors have several lines; text from outside stays apart from asldb's.
	text := wording.Indented(refusal.Error())
	if hint := f.hint(refusal); hint != "" {
		text += "\n(" + hint + ")"
	}
	return errors.New(text)
}

// hint returns advice about a refusal.
func (f *stateFlags) hint(refusal *teststate.Refusal) string {
	switch {
	case f.mock == "" && strings.HasPrefix(refusal.Message, "RoleArn must be"),
		f.mock == "" && strings.HasPrefix(refusal.Message, "TestState API does not support"):
		return "no service is called here: give the result of the state's work by --mock"
	case len(refusal.Diagnostics) > 0 && f.state == "":
		return "the definition is read as one state; of a whole machine, name the state by --state"
	}
	return ""
}
