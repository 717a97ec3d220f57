package explain_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/value"
)

const lambda = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`

// TestCause has runs that failed, each with the whole text of [explain.Failed].
func TestCause(t *testing.T) {
	ok := engine.Outcome{Output: value.Must(`{}`)}
	for _, test := range []struct {
		name, definition, input string
		answers                 []engine.Outcome
		want                    string
	}{
		{"a catcher", `{"StartAt":"Charge","States":{
"Charge":{` + lambda + `,"Retry":[{"ErrorEquals":["Card.Timeout"]},{"ErrorEquals":["Card.Declyned"]}],
 "Catch":[{"ErrorEquals":["Card.Declined"],"Next":"Rejected"}],"End":true},
"Rejected":{"Type":"Fail","Error":"Order.Rejected"}}}`, `{}`, []engine.Outcome{failed("Card.Declined", "no money")}, `
FAILED in Rejected (m.asl.json:4:1), because Charge failed at t+0s: Card.Declined, which catcher 1 took
error  Order.Rejected
because  Charge failed at t+0s: Card.Declined: no money  m.asl.json:2:1
  no retrier 1 of Charge [Card.Timeout] does not name Card.Declined
  no retrier 2 of Charge [Card.Declyned] does not name Card.Declined: is Card.Declyned misspelt?
  yes catcher 1 of Charge [Card.Declined] takes it -> Rejected`},
		{"a retrier that is used up, and an error before", `{"StartAt":"A","States":{
"A":{` + lambda + `,"Retry":[{"ErrorEquals":["Busy"]}],"Next":"B"},
"B":{` + lambda + `,"Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":1}],"End":true}}}`, `{}`,
			[]engine.Outcome{failed("Busy", ""), failed("Busy", ""), ok, failed("E", ""), failed("E", "last")}, `
FAILED in B (m.asl.json:3:1)
error  E
cause  last
  no retrier 1 [States.ALL] its 1 attempt is used up
survived  A: Busy, 2 times, retried`},
		{"a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","Catch":[{"ErrorEquals":["Other"],"Next":"D"}],"End":true,"Branches":[{"StartAt":"B","States":{
"B":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},
"F":{"Type":"Fail","Error":"Gone"}}}]},"D":{"Type":"Succeed"}}}`, `{}`, []engine.Outcome{failed("E", "")}, `
FAILED in P/Branches[0]/F (m.asl.json:3:1), because [0] B failed at t+0s: E, which catcher 1 took
error  Gone
  no catcher 1 of P [Other] does not name Gone
because  [0] B failed at t+0s: E  m.asl.json:2:1
  yes catcher 1 of B [States.ALL] takes it -> F`},
		{"States.Runtime", `{"StartAt":"A","States":{
"A":{"Type":"Pass","Next":"P"},
"P":{"Type":"Parallel","Catch":[{"ErrorEquals":["States.ALL"],"Next":"D"}],"End":true,"Branches":[{"StartAt":"B","States":{
"B":{"Type":"Pass","InputPath":"$.secnds","End":true}}}]},"D":{"Type":"Succeed"}}}`, `{"seconds":3}`, nil, `
FAILED in P/Branches[0]/B (m.asl.json:4:32)
error  States.Runtime
cause  An error occurred while executing the state 'B' (entered at the event id #6). Invalid path '$.secnds' : No results for path: $['secnds']
field  InputPath
  no catcher 1 of P [States.ALL] States.Runtime is never caught
  found  $ has: seconds
  missing  secnds   did you mean seconds?`},
		{"a Choice", `{"StartAt":"C","States":{
"C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":3,"Next":"F"}],"Default":"D"},
"D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"Big"}}}`, `{"n":4}`, nil, `
FAILED in F (m.asl.json:3:24), because rule 1 of C led to F: $.n > 3
error  Big`},
		{"a child execution", `{"StartAt":"S","States":{
"S":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2","Parameters":{"StateMachineArn":"m"},"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},
"F":{"Type":"Fail","Error":"Gone"}}}`, `{}`,
			[]engine.Outcome{failed("States.TaskFailed", `{"ExecutionArn":"arn:e","Status":"FAILED","Error":"Inner","Cause":"deep"}`)}, `
FAILED in F (m.asl.json:3:1), because S failed at t+0s: States.TaskFailed, which catcher 1 took
error  Gone
because  S failed at t+0s: States.TaskFailed: {"ExecutionArn":"arn:e","Status":"FAILED","Error":"Inner","Cause":"deep"}  m.asl.json:2:1
  the execution arn:e ended as FAILED: Inner: deep
  yes catcher 1 of S [States.ALL] takes it -> F`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, test.definition, test.input)
			play(t, s, test.answers...)
			got := "\n" + strings.Join(explain.Plain(60).Lines(explain.Failed(s)), "\n")
			if got != test.want {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
}
