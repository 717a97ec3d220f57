package tuitest

import (
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/testkit/runs"
)

// Demo is a session of the demo, with the outcomes of its fixtures.
func Demo(t testing.TB) *debug.Session {
	t.Helper()
	m := Machine(t, definitions.DefinitionName, definitions.DemoDefinition)
	file, err := fixtures.Load(definitions.FixturesName, definitions.Fixtures)
	if err != nil {
		t.Fatal(err)
	}
	source, err := file.Source(m.Definition())
	if err != nil {
		t.Fatal(err)
	}
	return debug.New(m, debug.Options{
		Input: file.Input, Start: Start, Seed: 7, Source: source, Limits: engine.Limits{Payload: 256 << 10},
	})
}

// invoice is a definition whose catcher replaces the data that a later state reads, since its retrier is misspelt.
const invoice = `{"StartAt": "LoadOrder", "States": {
  "LoadOrder": {"Type": "Pass", "Next": "Enrich"},
  "Enrich": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:enrich",
    "ResultPath": "$.customer", "Next": "Invoice",
    "Retry": [{"ErrorEquals": ["Lambda.ServiceExecption"], "MaxAttempts": 2}],
    "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Invoice"}]},
  "Invoice": {"Type": "Pass", "Parameters": {"to.$": "$.customer.email", "fee.$": "$.fee"}, "End": true}}}`

// Invoice is a session that fails since a catcher has lost the data.
func Invoice(t testing.TB) *debug.Session {
	t.Helper()
	return Session(t, invoice, `{"order":"o-7","fee":4,"goods":[1,2]}`, runs.ByState{
		"Enrich": {{Error: "Lambda.ServiceException", Cause: "503", After: 2 * time.Second}},
	})
}

// Jobs is a session of a waiter, which may wait a minute.
func Jobs(t testing.TB, answers ...engine.Outcome) *debug.Session {
	t.Helper()
	machine, input := runs.Waiter(t)
	return debug.New(machine, debug.Options{
		Input: input, Start: Start, Seed: 7, Source: runs.ByState{"GetJob": answers}.Source(),
	})
}

// Output is an outcome that is a result.
func Output(text string) engine.Outcome { return engine.Outcome{Output: value.Must(text)} }
