package trials

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/teststate"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/wording"
)

// recordCaseFlags are the flags of the command "record-case".
type recordCaseFlags struct {
	stateFlags
	service command.Service
	output  string
	name    string
}

// NewRecordCase returns the command "record-case".
func NewRecordCase(s *command.Streams) *cobra.Command {
	f := &recordCaseFlags{}
	cmd := &cobra.Command{
		Use:   "record-case DEFINITION",
		Short: "Record Step Functions' own answer to one state beside asldb's",
		Args:  command.ExactlyOneDefinition,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), s, args[0], cmd.Flags().Changed("state"))
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	command.AddOutputTo(cmd, &f.output, ": the case; it must not exist (default: standard output)")
	flags.Var(command.NewFilled(&f.name, "case"), "name", "the `NAME` of the case")
	f.service.AddTo(flags)
	f.stateFlags.addTo(cmd)
	return cmd
}

func (f *recordCaseFlags) run(ctx context.Context, s *command.Streams, definition string, named bool) error {
	request, err := f.requestOf(s, definition, named)
	if err != nil {
		return err
	}
	own, err := answerOf(request)
	if err != nil {
		return err
	}
	var service *value.Object
	allowed, err := f.service.Allowed(s, f.sends(definition))
	if err == nil && allowed {
		service, err = f.ask(ctx, request)
	}
	if err != nil {
		return err
	}
	if err := command.WriteNew(s, f.output, wording.JSON([]byte(value.Pretty(f.document(request, service, own))+"\n"))); err != nil {
		return err
	}
	switch {
	case service == nil:
		fmt.Fprintln(s.Err, "note: nothing was called; --yes sends the request to Step Functions")
	case !value.Equal(service, own):
		fmt.Fprintf(s.Err, "Step Functions answers otherwise:\n  %s\nasldb:\n  %s\n", wording.Line(value.Compact(service)), wording.Line(value.Compact(own)))
		return command.Exit(command.StatusFailed, nil)
	default:
		fmt.Fprintln(s.Err, "Step Functions answers as asldb does")
	}
	return nil
}

// sends says what is sent where, for the question.
func (f *recordCaseFlags) sends(definition string) string {
	text := wording.Line(definition) + " and its input are sent to TestState of Step Functions, with your AWS credentials."
	if f.mock == "" {
		text += " A Task is really run there, with the role of --role-arn."
	}
	return text
}

// ask calls the service.
func (f *recordCaseFlags) ask(ctx context.Context, request *teststate.Request) (*value.Object, error) {
	client, err := f.service.Connect(ctx)
	if err != nil {
		return nil, err
	}
	body, refusal, err := client.TestState(ctx, request)
	switch {
	case err != nil:
		return nil, err
	case refusal != nil:
		return refused(refusal.Name, refusal.Message), nil
	}
	v, err := value.Parse(body, value.Limits{})
	answer, ok := v.(*value.Object)
	if err != nil || !ok {
		return nil, fmt.Errorf("the answer of TestState cannot be read: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	return expectation(answer), nil
}

// answerOf returns asldb's answer to a request, as a case has it.
func answerOf(request *teststate.Request) (*value.Object, error) {
	response, err := teststate.Run(request)
	var refusal *teststate.Refusal
	var call *teststate.NoCallError
	switch {
	case errors.As(err, &refusal):
		return refused(refusal.Name, refusal.Message), nil
	case errors.As(err, &call):
		return value.ObjectOf(value.M("note", value.String("asldb does not run a Task without a mocked result"))), nil
	case err != nil:
		return nil, err
	}
	return expectation(response.Object(false)), nil
}

func refused(name, message string) *value.Object {
	return value.ObjectOf(value.M("status", value.String("EXCEPTION")), value.M("error", value.String(name)), value.M("cause", value.String(message)))
}

// expectation is an answer of TestState in the form of a case: payloads are JSON in place of text that holds it.
func expectation(answer *value.Object) *value.Object {
	var out value.ObjectBuilder
	for _, key := range []string{"status", "output", "error", "cause", "nextState", "inspectionData"} {
		v := answer.Get(key)
		switch stages, isObject := v.(*value.Object); {
		case v == nil:
		case key == "output":
			out.Set(key, parsed(v))
		case key == "inspectionData" && isObject:
			var inspection value.ObjectBuilder
			for stage, data := range stages.All() {
				inspection.Set(stage, parsed(data))
			}
			out.Set(key, inspection.Object())
		default:
			out.Set(key, v)
		}
	}
	return out.Object()
}

// parsed reads a text that holds JSON; what holds none stays.
func parsed(v value.Value) value.Value {
	text, isText := v.(value.String)
	if !isText {
		return v
	}
	if inner, err := value.ParseString(string(text)); err == nil {
		return inner
	}
	return v
}

// document is the case.
func (f *recordCaseFlags) document(r *teststate.Request, service, own *value.Object) value.Value {
	var out, given value.ObjectBuilder
	set := func(b *value.ObjectBuilder, key string, v value.Value) {
		if v != nil {
			b.Set(key, v)
		}
	}
	out.Set("name", value.String(f.name))
	out.Set("kind", value.String("test-state"))
	out.Set("recordedAt", value.String(engine.FormatInstant(r.Start)))
	if service != nil {
		out.Set("sureness", value.String("recorded"))
	}
	definition := parsed(value.String(r.Definition.Data))
	if r.Root != nil {
		definition = r.Root.Value
	}
	out.Set("definition", definition)
	set(&out, "input", r.Input)
	set(&out, "variables", r.Variables)
	set(&out, "context", r.Context)
	if r.StateName != nil {
		given.Set("stateName", value.String(*r.StateName))
	}
	given.Set("inspectionLevel", value.String(r.Level.String()))
	for _, part := range []struct{ key, text string }{{"mock", f.mockText}, {"stateConfiguration", f.configurationText}} {
		if part.text != "" {
			given.Set(part.key, parsed(value.String(part.text)))
		}
	}
	if r.RoleARN != "" {
		given.Set("roleArnGiven", value.Bool(true))
	}
	if r.RevealSecrets {
		given.Set("revealSecrets", value.Bool(true))
	}
	out.Set("testState", given.Object())
	if service != nil {
		out.Set("expect", service)
	}
	out.Set("asldb", own)
	return out.Object()
}
