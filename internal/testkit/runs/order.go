package runs

import (
	"asldb/engine"
	"asldb/engine/outcome"
	"asldb/engine/value"
)

// Order is a definition with a Choice, a Task with a retrier and a catcher, a Parallel with a Wait, and a Map. Its input is
// OrderInput.
const Order = `{"StartAt":"Check","States":{
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

// OrderInput is an input of [Order] that leads through all of its containers.
const OrderInput = `{"total":120,"lines":[{"sku":1},{"sku":2}]}`

// Script is a source that gives outcomes to tasks one after the other, and then has no more.
type Script struct {
	Outcomes []engine.Outcome
	// Fault is the reply to every task, where it is set.
	Fault error
	// Asked is the number of outcomes given.
	Asked int
}

// Paid returns the outcomes of [Order] with a timeout of the card and a payment.
func Paid() *Script {
	return &Script{Outcomes: []engine.Outcome{{Error: "Card.Timeout", Cause: "slow"}, {Output: value.Must(`{"id":"ch_1"}`)}}}
}

// PaidAtOnce returns the outcomes of [Order] with a payment at the first attempt.
func PaidAtOnce() *Script {
	return &Script{Outcomes: []engine.Outcome{{Output: value.Must(`{"id":"ch_1"}`)}}}
}

// Ask implements [outcome.Source].
func (s *Script) Ask(ask outcome.Ask) outcome.Reply {
	_, task := ask.(outcome.Task)
	switch {
	case !task:
		return outcome.None(nil)
	case s.Fault != nil:
		return outcome.Fault(s.Fault)
	case s.Asked >= len(s.Outcomes):
		return outcome.None(nil)
	}
	s.Asked++
	return outcome.Given(s.Outcomes[s.Asked-1], "source")
}

// Seek implements [outcome.Source].
func (s *Script) Seek(asked []outcome.Ask) []outcome.Ask {
	s.Asked = 0
	return outcome.Again(s, asked)
}
