package rerun_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// identified runs a recording again after the execution's name was looked for.
func identified(t *testing.T, data []byte, machine *engine.Machine) (*rerun.Recording, *rerun.Check) {
	t.Helper()
	r := open(t, "run", data)
	r.Identify(machine.Definition(), func(context value.Value) (*debug.Session, *rerun.Source) {
		options, source := r.Options()
		options.Context = context
		return debug.New(machine, options), source
	})
	return r, again(t, r, machine)
}

// What an execution was called is found where its payloads have it, and has to be there again.
func TestIdentity(t *testing.T) {
	const definition = `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{FIELDS},"End":true}}}`
	const context = `{"Execution":{"Id":"arn:aws:states:eu-west-1:999999999999:execution:Orders:order-77","Name":"order-77"},
		"StateMachine":{"Id":"arn:aws:states:eu-west-1:999999999999:stateMachine:Orders","Name":"Orders"}}`
	for fields, known := range map[string]string{
		`"name.$":"$$.Execution.Name"`:                               `{"Name":"order-77"}`,
		`"key.$":"States.Format('runs/{}/out', $$.Execution.Name)"`:  `{"Name":"order-77"}`,
		`"id.$":"$$.Execution.Id","name.$":"$$.Execution.Name"`:      `{"Id":"arn:aws:states:eu-west-1:999999999999:execution:Orders:order-77","Name":"order-77"}`,
		`"m.$":"$$.StateMachine.Name","name.$":"$$.Execution.Name"`:  `{"Name":"order-77"}`,
		`"nothing":"of the kind"`:                                    ``,
		`"id.$":"$$.Execution.Id","of":{"m.$":"$$.StateMachine.Id"}`: `{"Id":"arn:aws:states:eu-west-1:999999999999:execution:Orders:order-77","Name":"order-77"}`,
	} {
		machine := compile(t, "names", []byte(strings.Replace(definition, "FIELDS", fields, 1)))
		s := debug.New(machine, debug.Options{Input: value.Must(`{}`), Context: value.Must(context),
			Source: fixtures.OnMissing(nil, fixtures.Echo)})
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			t.Fatal(err)
		}
		data := value.Append(nil, history.Document(history.Of(s.Log().All())))
		if known != "" && again(t, open(t, "run", data), machine).Agrees() && !strings.Contains(fields, "Id") {
			t.Errorf("%s: it agrees without the name", fields)
		}
		r, check := identified(t, data, machine)
		if !check.Agrees() || check.Tolerated > 0 {
			t.Errorf("%s: %v", fields, check)
		}
		options, _ := r.Options()
		execution, _ := options.Context.(*value.Object).Get("Execution").(*value.Object)
		if got := execution.Without("RoleArn"); known != "" && !value.Equal(got, value.Must(known)) {
			t.Errorf("%s: it was called %s, want %s", fields, value.Compact(got), known)
		}
	}
}

// A name that is not everywhere where it was is a difference.
func TestIdentityIsRequired(t *testing.T) {
	const definition = `{"StartAt":"P","States":{"P":{"Type":"Pass","Parameters":{"a.$":"$$.Execution.Id","b":B},"End":true}}}`
	const id = "arn:aws:states:eu-west-1:999999999999:execution:Orders:order-77"
	machine := compile(t, "names", []byte(strings.Replace(definition, "B", `"`+id+`"`, 1)))
	s := debug.New(machine, debug.Options{Input: value.Must(`{}`),
		Context: value.Must(`{"Execution":{"Id":"` + id + `","Name":"order-77"}}`)})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	data := value.Append(nil, history.Document(history.Of(s.Log().All())))
	if _, check := identified(t, data, machine); !check.Agrees() {
		t.Error(check)
	}
	other := compile(t, "names", []byte(strings.Replace(definition, "B", `"`+
		strings.Replace(id, "order-77", "order-78", 1)+`"`, 1)))
	if _, check := identified(t, data, other); check.Agrees() {
		t.Error("another execution's name is taken for the same")
	}
}
