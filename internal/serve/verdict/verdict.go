// Package verdict has what the service says of definitions and of single states: whether it takes a definition, in
// which words it refuses one, and the answers of ValidateStateMachineDefinition and TestState.
package verdict

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"

	"asldb/engine"
	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/teststate"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/wording"
)

// Refusal is an error of the API.
type Refusal struct{ Name, Message string }

// Error implements error.
func (r *Refusal) Error() string { return r.Name + ": " + r.Message }

const (
	validation = "ValidationException"
	errorWord  = "ERROR"
)

// check reads a definition and looks for its problems. Where it cannot be read as one, these are the reason.
func check(file *source.File, express bool, dialect engine.Dialect) (*definitions.Text, *project.Checked, error) {
	checked := &project.Checked{Given: file}
	found, err := definitions.TextOf(file)
	if err != nil {
		if checked.Problems, _ = launch.ProblemsOf(err); checked.Problems != nil {
			err = nil
		}
		return nil, checked, err
	}
	found.Express = express
	checked.Problems, checked.Source, checked.Root = found.Problems(
		lint.Options{Dialect: dialect},
	), found.Source, found.Root
	return found, checked, nil
}

// Take reads a definition that a client sends. The error is a *[Refusal] where the service does not take it.
func Take(name, text string, express bool, dialect engine.Dialect) (*definitions.Text, error) {
	found, checked, err := check(&source.File{Name: name + ".asl.json", Data: []byte(text)}, express, dialect)
	if err != nil {
		return nil, err
	}
	var said []string
	for _, d := range diagnostics(checked, project.Options{}) {
		if d.Text("severity") != errorWord {
			continue
		}
		words := d.Text("code") + ": " + d.Text("message")
		if at := d.Text("location"); at != "" && !strings.Contains(words, at) || at == "/" {
			words += " at " + at
		}
		said = append(said, words)
	}
	if said != nil {
		return nil, &Refusal{
			"InvalidDefinition",
			"Invalid State Machine Definition: '" + strings.Join(said, ", ") + "'",
		}
	}
	return found, nil
}

// diagnostics are the problems of a definition as the service lists them.
func diagnostics(checked *project.Checked, o project.Options) (list []*value.Object) {
	reply, _ := project.Reply(checked, o).(*value.Object)
	return project.Diagnostics(reply)
}

// Validate is the answer of ValidateStateMachineDefinition.
func Validate(in *sfn.ValidateStateMachineDefinitionInput, dialect engine.Dialect) (*value.Object, error) {
	if in.MaxResults > 100 {
		return nil, &Refusal{
			validation,
			fmt.Sprintf("1 validation error detected: Value '%d' at 'maxResults' failed to "+
				"satisfy constraint: Member must have value less than or equal to 100", in.MaxResults),
		}
	}
	_, checked, _ := check(
		&source.File{Name: "definition.asl.json", Data: []byte(*in.Definition)},
		in.Type == "EXPRESS",
		dialect,
	)
	o := project.Options{Max: int(in.MaxResults), Own: in.Severity == "WARNING"}
	reply, _ := project.Reply(checked, o).(*value.Object)
	var kept []value.Value
	for _, d := range diagnostics(checked, o) {
		if o.Own || d.Text("severity") == errorWord {
			kept = append(kept, d.Without("wording"))
		}
	}
	return reply.With("diagnostics", value.NewArray(kept)), nil
}

// State is the answer of TestState; raw is the request as it came.
func State(in *sfn.TestStateInput, raw *value.Object, now time.Time, seed int64) (*value.Object, error) {
	r := &teststate.Request{
		Definition: &source.File{Name: "definition.asl.json", Data: []byte(*in.Definition)}, StateName: in.StateName,
		RevealSecrets: in.RevealSecrets, Start: now, Seed: seed,
	}
	if in.RoleArn != nil {
		r.RoleARN = *in.RoleArn
	}
	for _, one := range []struct {
		text    *string
		subject string
		to      *value.Value
	}{
		{in.Input, "State Machine Execution Input", &r.Input}, {in.Variables, "Variables", &r.Variables},
		{in.Context, "Context", &r.Context},
	} {
		if one.text == nil {
			continue
		}
		var err error
		if *one.to, err = value.ParseString(*one.text); err != nil {
			return nil, &Refusal{"InvalidExecutionInput", "Invalid " + one.subject + ": '" + Fault(*one.text) + "'"}
		}
	}
	var err error
	r.Level, err = teststate.ParseLevel(string(in.InspectionLevel))
	if err == nil && in.Mock != nil {
		r.Mock, err = teststate.ParseMock(raw.Get("mock"))
	}
	if err == nil && in.StateConfiguration != nil {
		r.Configuration, err = teststate.ParseConfiguration(raw.Get("stateConfiguration"))
	}
	var reply *teststate.Response
	if err == nil {
		reply, err = teststate.Run(r)
	}
	if err != nil {
		return nil, refused(err)
	}
	return reply.Object(false), nil
}

// refused is an error of TestState as one of the API.
func refused(err error) error {
	var refusal *teststate.Refusal
	switch {
	case !errors.As(err, &refusal):
		return &Refusal{validation, err.Error()}
	case strings.HasSuffix(refusal.Name, "Error"): // the SDK's own, before it sends anything
		return &Refusal{validation, refusal.Message}
	}
	return &Refusal{refusal.Name, refusal.Message}
}

// Variables are the variables that the states of a machine read.
func Variables(d *definitions.Definition) value.Value {
	var b value.ObjectBuilder
	reads := lint.Variables(d.Machine)
	for state := range d.Machine.All() {
		if names := reads[state.Name]; names != nil {
			b.Set(state.Name, value.Texts(names))
		}
	}
	return b.Object()
}

// Fault is the fault of a text that cannot be read as JSON, in the words of the service.
func Fault(text string) string {
	const wanted = "was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return "Invalid execution input."
	}
	var fault *value.SyntaxError
	if _, err := value.ParseString(text); !errors.As(err, &fault) {
		return "Invalid execution input."
	}
	rest := text[min(int(fault.Offset), len(text)):]
	if word := firstWord().FindString(trimmed); word != "" && strings.HasPrefix(trimmed, word) &&
		int(fault.Offset) <= len(text)-len(trimmed)+len(word) {
		return "Unrecognized token '" + word + "': " + wanted
	}
	for _, r := range rest {
		return "Unexpected character ('" + string(r) + "' (code " + value.Compact(value.Int(int64(r))) +
			")): was expecting double-quote to start field name"
	}
	return "Unexpected end-of-input: " + wanted
}

var firstWord = wording.Pattern(`^[A-Za-z_$][A-Za-z0-9_$]*`)
