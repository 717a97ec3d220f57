// This part of the package gives the tests of mock files a small definition and the results of its states.

package suites

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
)

// definition has a Task A, a Choice C, and a distributed Map M with the Task B of an activity.
const definition = `{"StartAt":"C","States":{
  "A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Next":"M"},
  "C":{"Type":"Choice","Choices":[{"Variable":"$.x","IsPresent":true,"Next":"A"}],"Default":"M"},
  "M":{"Type":"Map","End":true,"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSON"},"Parameters":{"Bucket":"b","Key":"k"}},
    "ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"B","States":{
      "B":{"Type":"Task","Resource":"arn:aws:states:us-east-1:1:activity:b","End":true}}}}}}`

// T is the common part of the tests of testing and of rapid.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Machine returns the definition.
func Machine(t T) *asl.StateMachine {
	t.Helper()
	m, diagnostics := asl.Parse(&source.File{Name: "d.json", Data: []byte(definition)})
	if m == nil {
		t.Fatal(diagnostics)
	}
	return m
}

// Answers returns the outcomes of the first n invocations of a state with a payload, apart by spaces: an output as JSON
// with "@" and its delay, "!" and an Error Name, or "-" where there is none.
func Answers(t testing.TB, f *fixtures.File, state, payload string, n int) string {
	t.Helper()
	t.Helper()
	m := Machine(t)
	s, err := f.Source(m)
	if err != nil {
		t.Fatal(err)
	}
	visit := &engine.Visit{State: m.Lookup(state), Number: 1}
	if container := visit.State.Scope.Container; container != nil {
		visit.Parent = &engine.Visit{State: container, Number: 1}
	}
	var all []string
	for i := range n {
		visit.Index = i // a Map's iterations share one sequence
		outcome, ok, err := sourcetest.Task(s, &engine.TaskRequest{ID: int64(i + 1), Visit: visit, Parameters: value.Must(payload), Attempt: 1, Invocation: i + 1})
		switch {
		case err != nil:
			t.Fatal(err)
		case !ok:
			all = append(all, "-")
		case outcome.Output == nil:
			all = append(all, "!"+outcome.Error)
		default:
			all = append(all, value.Compact(outcome.Output)+after(outcome))
		}
	}
	return strings.Join(all, " ")
}

func after(o engine.Outcome) string {
	if o.After == 0 {
		return ""
	}
	return "@" + o.After.String()
}
