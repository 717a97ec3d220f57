package provenance_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/internal/testkit/testrun"
)

const order = `{"StartAt":"Check","States":{
	"Check":{"Type":"Choice","Choices":[{"Variable":"$.total","NumericGreaterThan":100,"Next":"Charge"}],"Default":"Free"},
	"Free":{"Type":"Succeed"},
	"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","ResultPath":"$.payment",
		"Retry":[{"ErrorEquals":["Card.Timeout"],"IntervalSeconds":60}],
		"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Refund"}],"Next":"Fulfil"},
	"Fulfil":{"Type":"Parallel","ResultPath":"$.done","Next":"Each","Branches":[
		{"StartAt":"Reserve","States":{"Reserve":{"Type":"Pass","Next":"Pack"},"Pack":{"Type":"Pass","End":true}}},
		{"StartAt":"Notify","States":{"Notify":{"Type":"Wait","Seconds":3600,"End":true}}}]},
	"Each":{"Type":"Map","ItemsPath":"$.lines","ResultPath":"$.lines","ItemProcessor":{"StartAt":"Ship","States":{"Ship":{"Type":"Pass","End":true}}},"Next":"Done"},
	"Done":{"Type":"Succeed"},
	"Refund":{"Type":"Fail","Error":"Refunded"}}}`

const orderInput = `{"total":120,"lines":[{"sku":1},{"sku":2}]}`

func machineOf(t testing.TB, definition string) *engine.Machine {
	t.Helper()
	return testrun.Machine(definition)
}

func session(t testing.TB, definition string, options debug.Options) *debug.Session {
	t.Helper()
	if options.Input == nil {
		options.Input = value.Must(orderInput)
	}
	return debug.New(machineOf(t, definition), options)
}

func paid() *scripted {
	return &scripted{outcomes: []engine.Outcome{{Error: "Card.Timeout", Cause: "slow"}, {Output: value.Must(`{"id":"ch_1"}`)}}}
}

func paidAtOnce() *scripted {
	return &scripted{outcomes: []engine.Outcome{{Output: value.Must(`{"id":"ch_1"}`)}}}
}

// scripted gives its outcomes to tasks one after the other, and then has no more.
type scripted struct {
	outcomes []engine.Outcome
	next     int
}

func (s *scripted) Ask(ask outcome.Ask) outcome.Reply {
	if _, task := ask.(outcome.Task); !task || s.next >= len(s.outcomes) {
		return outcome.None(nil)
	}
	s.next++
	return outcome.Given(s.outcomes[s.next-1], "source")
}

func (s *scripted) Seek(asked []outcome.Ask) []outcome.Ask {
	s.next = 0
	return outcome.Again(s, asked)
}

func do(t testing.TB, s *debug.Session, kind debug.CommandKind) debug.Stop {
	t.Helper()
	stop, err := s.Do(debug.Command{Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	return stop
}

func reach(t testing.TB, s *debug.Session, reason debug.Reason) {
	t.Helper()
	if stop := do(t, s, debug.Continue); stop.Reason != reason {
		t.Fatalf("stopped for %v (%v), want %v", stop.Reason, stop.Err, reason)
	}
}

// logged returns the events of a session.
func logged(s *debug.Session) []engine.Event {
	var events []engine.Event
	for event := range s.Log().All() {
		events = append(events, *event)
	}
	return events
}
