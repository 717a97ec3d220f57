package rerun_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// The ARN of an execution in its data is taken for its own only where it cannot come from elsewhere.
func TestFindNames(t *testing.T) {
	const (
		own   = "arn:aws:states:eu-west-1:999999999999:execution:Orders:order-77"
		other = "arn:aws:states:eu-west-1:999999999999:execution:Orders:order-78"
	)
	const definition = `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{FIELDS},"ResultPath":"$.r","Next":"P"},"P":{"Type":"Pass","End":true}}}`
	for name, c := range map[string]struct {
		fields, input, result string
		want                  bool
	}{
		"in a payload":      {`"id.$":"$$.Execution.Id"`, `{}`, `{}`, true},
		"twice":             {`"id.$":"$$.Execution.Id","again.$":"$$.Execution.Id"`, `{}`, `{}`, true},
		"beside another":    {`"id.$":"$$.Execution.Id","of.$":"$.of"`, `{"of":"` + other + `"}`, `{}`, false},
		"of a result":       {`"name.$":"$$.Execution.Name"`, `{}`, `{"started":"` + other + `"}`, false},
		"of the input":      {`"name.$":"$$.Execution.Name","of.$":"$.of"`, `{"of":"` + other + `"}`, `{}`, false},
		"of the definition": {`"name.$":"$$.Execution.Name","of":"` + other + `"`, `{}`, `{}`, false},
		"no name is read":   {`"a":"b"`, `{}`, `{}`, false},
		"nowhere":           {`"name.$":"$$.Execution.Name"`, `{}`, `{}`, false},
	} {
		machine := compile(t, "names", []byte(strings.Replace(definition, "FIELDS", c.fields, 1)))
		answers := sourcetest.Func(func(*engine.TaskRequest) outcome.Reply {
			return outcome.Given(engine.Outcome{Output: value.Must(c.result)}, "test")
		})
		s := debug.New(machine, debug.Options{Input: value.Must(c.input),
			Context: value.Must(`{"Execution":{"Id":"` + own + `","Name":"order-77"}}`), Source: answers})
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			t.Fatal(err)
		}
		r := open(t, "run", value.Append(nil, history.Document(history.Of(s.Log().All()))))
		if got := r.FindNames(machine.Definition()); got != c.want {
			t.Errorf("%s: found: %v", name, got)
			continue
		}
		if !c.want {
			continue
		}
		if check := again(t, r, machine); !check.Agrees() {
			t.Errorf("%s: %v", name, check)
		}
	}
}
