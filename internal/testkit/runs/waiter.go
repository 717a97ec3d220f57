package runs

import (
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/engine/waiter"
)

// jobs is a model with one waiter.
const jobs = `$version: "2"
namespace a
use smithy.waiters#waitable
@waitable(JobDone: {
    acceptors: [
        {state: "success", matcher: {output: {path: "S", comparator: "stringEquals", expected: "DONE"}}}
        {state: "retry", matcher: {output: {path: "S", comparator: "stringEquals", expected: "RUNS"}}}
        {state: "failure", matcher: {errorType: Gone}}
    ]
})
operation GetJob { output := { S: String } errors: [Gone] }
@error("client") structure Gone {}
`

// Waiter is a machine of a waiter that may wait a minute, and its input. Its operation is GetJob.
func Waiter(t testing.TB) (machine *engine.Machine, input value.Value) {
	t.Helper()
	model, problems := waiter.Read(&source.File{Name: "jobs.smithy", Data: []byte(jobs)})
	if model == nil || len(problems) > 0 {
		t.Fatal(problems)
	}
	definition, err := model.Program(model.Waiters[0], time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if machine, err = engine.Compile(definition, engine.AWS); err != nil {
		t.Fatal(err)
	}
	return machine, waiter.Input(nil)
}
