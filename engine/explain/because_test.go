package explain_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
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
because  Charge failed at t+0s: Card.Declined: no money  event 4 #5  m.asl.json:2:1
  no retrier 1 [Card.Timeout] does not name Card.Declined
  no retrier 2 [Card.Declyned] does not name Card.Declined: is Card.Declyned misspelt?
  yes catcher 1 [Card.Declined] takes it -> Rejected`},
		{"a retrier that is used up, and an error before", `{"StartAt":"A","States":{
"A":{` + lambda + `,"Retry":[{"ErrorEquals":["Busy"]}],"Next":"B"},
"B":{` + lambda + `,"Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":1}],"End":true}}}`, `{}`,
			[]engine.Outcome{failed("Busy", ""), failed("Busy", ""), ok, failed("E", ""), failed("E", "last")}, `
FAILED in B (m.asl.json:3:1) at t+4s, attempt 2
error  E
cause  last
  attempt 1 failed at t+3s: E, retried after 1s  event 17 #16
  no retrier 1 [States.ALL]: its 1 attempt is used up
survived  A at t+0s: Busy, 2 times, retried  event 4 #5  m.asl.json:2:1`},
		{"a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","Catch":[{"ErrorEquals":["Other"],"Next":"D"}],"End":true,"Branches":[{"StartAt":"B","States":{
"B":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},
"F":{"Type":"Fail","Error":"Gone"}}}]},"D":{"Type":"Succeed"}}}`, `{}`, []engine.Outcome{failed("E", "")}, `
FAILED in P/Branches[0]/F (m.asl.json:3:1), because [0] B failed at t+0s: E, which catcher 1 took
error  Gone
  no catcher 1 of P [Other] does not name Gone
because  [0] B failed at t+0s: E  event 7 #7  m.asl.json:2:1
  yes catcher 1 [States.ALL] takes it -> F`},
		{"States.Runtime", `{"StartAt":"A","States":{
"A":{"Type":"Pass","Next":"P"},
"P":{"Type":"Parallel","Catch":[{"ErrorEquals":["States.ALL"],"Next":"D"}],"End":true,"Branches":[{"StartAt":"B","States":{
"B":{"Type":"Pass","InputPath":"$.secnds","End":true}}}]},"D":{"Type":"Succeed"}}}`, `{"seconds":3}`, nil, `
FAILED in P/Branches[0]/B (m.asl.json:4:32) at t+0s
$.secnds is missing; did you mean $.seconds?
error  States.Runtime
cause  An error occurred while executing the state 'B' (entered at the event id #6). Invalid path '$.secnds' : No results for path: $['secnds']
sureness  recorded: Step Functions was recorded giving this answer
field  InputPath
  no States.Runtime is never caught: no retrier or catcher of P is asked`},
		{"a Choice", `{"StartAt":"C","States":{
"C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":3,"Next":"F"}],"Default":"D"},
"D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"Big"}}}`, `{"n":4}`, nil, `
FAILED in F (m.asl.json:3:24), because rule 1 of C led to F: $.n > 3 (m.asl.json:2:33)
error  Big
with  $.n = 4, from the input`},
		{"a child execution", `{"StartAt":"S","States":{
"S":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2","Parameters":{"StateMachineArn":"m"},"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},
"F":{"Type":"Fail","Error":"Gone"}}}`, `{}`,
			[]engine.Outcome{failed("States.TaskFailed", `{"ExecutionArn":"arn:e","Status":"FAILED","Error":"Inner","Cause":"deep"}`)}, `
FAILED in F (m.asl.json:3:1), because S failed at t+0s: States.TaskFailed, which catcher 1 took
error  Gone
because  S failed at t+0s: States.TaskFailed: {"ExecutionArn":"arn:e","Status":"FAILED","Error":"Inner","Cause":"deep"}  event 5 #5  m.asl.json:2:1
  the execution arn:e ended as FAILED: Inner: deep
  yes catcher 1 [States.ALL] takes it -> F`},
		{"the values of a request", `{"StartAt":"V","States":{
"V":{` + lambda + `,"ResultPath":"$.validation","Next":"C"},
"C":{` + lambda + `,"Parameters":{"name":"charge","amount.$":"$.validation.total","card.$":"$.card","sum.$":"States.MathAdd($.n, 1)","line.$":"$.lines[0]","o.$":"$.card"},"End":true}}}`,
			`{"card":"tok 7","lines":[{"sku":"T"}],"n":1}`,
			[]engine.Outcome{{Output: value.Must(`{"total":129.90}`)}, failed("Card.Declined", "tok 7 is not known")}, `
FAILED in C (m.asl.json:3:1) at t+0s
error  Card.Declined
cause  tok 7 is not known
with  $.card = "tok 7", from the input
with  $.o = "tok 7", from $.card of the input
with  $.amount = 129.90, from $.validation.total of V`},
		{"a timeout", `{"StartAt":"W","States":{
"W":{` + lambda + `,"TimeoutSeconds":30,"HeartbeatSeconds":10,"End":true}}}`, `{}`,
			[]engine.Outcome{{Output: value.Must(`{}`), After: time.Minute, HeartbeatEvery: 8 * time.Second}}, `
FAILED in W (m.asl.json:2:99) at t+30s
error  States.Timeout
field  TimeoutSeconds
  waited 30s; TimeoutSeconds 30; last heartbeat at t+24s`},
		{"a value that a catcher lost", `{"StartAt":"L","States":{
"L":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"S"}],"Next":"S"},
"S":{"Type":"Pass","Parameters":{"mail.$":"$.customer.email"},"End":true}}}`, `{"customer":{"email":"a@b.c"},"id":1}`,
			[]engine.Outcome{failed("E", "")}, `
FAILED in S (m.asl.json:3:43) at t+0s, while handling E of L: catcher 1 of L lost $.customer.email
$.customer.email is missing: $ has only Error and Cause.
error  States.Runtime
cause  An error occurred while executing the state 'S' (entered at the event id #7). The JSONPath '$.customer.email' specified for the field 'mail.$' could not be found in the input '{"Error":"E","Cause":""}'
sureness  recorded: Step Functions was recorded giving this answer
field  Parameters/mail.$
  - L lost it: ResultPath $ (its default) of catcher 1: the Error Output replaced the whole input  event 6  m.asl.json:2:91
    lost: customer, id
    keep it with "ResultPath": "$.error"  m.asl.json:2:91
  It was last at the input of L: $.customer.email = "a@b.c"  event 2 #2
handling  L failed at t+0s: E  event 4 #5  m.asl.json:2:1
  yes catcher 1 [States.ALL] takes it -> S`},
		{"an error of an iteration that its Map state catches", `{"StartAt":"M","States":{
"M":{"Type":"Map","Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true,"ItemProcessor":{"StartAt":"A","States":{
"A":{` + lambda + `,"Retry":[{"ErrorEquals":["Busy"]}],"End":true}}}},
"F":{"Type":"Fail","Error":"Gone"}}}`, `[1]`, []engine.Outcome{failed("Busy", ""), failed("E", "why")}, `
FAILED in F (m.asl.json:4:1), because [0] A failed at t+1s, attempt 2: E
error  Gone
because  [0] A failed at t+1s, attempt 2: E: why  event 12 #11  m.asl.json:3:1
  attempt 1 failed at t+0s: Busy, retried after 1s  event 8 #8
  no retrier 1 [Busy] does not name E
  yes catcher 1 of M [States.ALL] takes it -> F`},
		{"a handler that fails", `{"StartAt":"A","States":{
"A":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Tell"}],"End":true},
"Tell":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},
"F":{"Type":"Fail","Error":"Gone"}}}`, `{}`, []engine.Outcome{failed("E", "why"), failed("T", "")}, `
FAILED in F (m.asl.json:4:1), because Tell failed at t+0s, while handling E of A: T, which catcher 1 took
error  Gone
because  Tell failed at t+0s, while handling E of A: T  event 10 #10  m.asl.json:3:1
  yes catcher 1 [States.ALL] takes it -> F
handling  A failed at t+0s: E: why  event 4 #5  m.asl.json:2:1
  yes catcher 1 [States.ALL] takes it -> Tell`},
		{"the machine's time", `{"TimeoutSeconds":5,"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":2,"Next":"W"},"W":{"Type":"Wait","Seconds":9,"End":true}}}`, `{}`, nil, `
TIMED_OUT: it took longer than the state machine's TimeoutSeconds, 5 s
error  States.Timeout
during  W, entered at t+2s, 3s before the end  m.asl.json:1:88`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, test.definition, test.input)
			play(t, s, test.answers...)
			got := "\n" + strings.Join(explain.Plain(60).Lines(explain.Failed(s, nil)), "\n")
			if got != test.want {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestBrief has the sentences for a line, the longest first.
func TestBrief(t *testing.T) {
	for _, test := range []struct {
		name, definition, input string
		answers                 []engine.Outcome
		want                    []string
	}{
		{"a catcher", `{"StartAt":"Charge","States":{
			"Charge":{` + lambda + `,"Catch":[{"ErrorEquals":["Card.Declined"],"Next":"Rejected"}],"End":true},
			"Rejected":{"Type":"Fail","Error":"Order.Rejected"}}}`, `{}`, []engine.Outcome{failed("Card.Declined", "no money")},
			[]string{"FAILED in Rejected, because Charge failed: Card.Declined", "FAILED because Charge failed: Card.Declined", "FAILED: Card.Declined"}},
		{"the state itself", `{"StartAt":"Charge","States":{"Charge":{` + lambda + `,"End":true}}}`, `{}`, []engine.Outcome{failed("Card.Declined", "")},
			[]string{"FAILED in Charge: Card.Declined", "FAILED in Charge: Card.Declined", "FAILED: Card.Declined"}},
		{"a Choice", `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":3,"Next":"F"}],"Default":"D"},
			"D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"Big"}}}`, `{"n":4}`, nil,
			[]string{"FAILED in F, because rule 1 of C held: $.n > 3", "FAILED, because C chose it", "FAILED Big"}},
		{"the machine's time", `{"TimeoutSeconds":5,"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":9,"End":true}}}`, `{}`, nil,
			[]string{"TIMED_OUT in W", "TIMED_OUT States.Timeout"}},
		{"a success", `{"StartAt":"S","States":{"S":{"Type":"Succeed"}}}`, `{}`, nil, []string{"SUCCEEDED"}},
	} {
		s := open(t, test.definition, test.input)
		play(t, s, test.answers...)
		var got []string
		for _, p := range explain.EndingOf(s, nil).Brief() {
			got = append(got, explain.Plain(60).Paragraph(&p))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestNestedCause has a task that started an execution: the failure in it is the cause.
func TestNestedCause(t *testing.T) {
	inner := open(t, `{"StartAt":"Pay","States":{
"Pay":{`+lambda+`,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},"F":{"Type":"Fail","Error":"Unpaid"}}}`, `{}`)
	play(t, inner, failed("Card.Declined", "no money"))
	outer := open(t, `{"StartAt":"S","States":{
"S":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2","Parameters":{"StateMachineArn":"m"},"End":true}}}`, `{}`)
	play(t, outer, failed("States.TaskFailed", `{"ExecutionArn":"arn:e","Status":"FAILED","Error":"Unpaid"}`))
	nested := func(r *engine.TaskRequest) *debug.Session {
		if r.Visit.State.Name != "S" {
			t.Errorf("asked for %s", r.Visit.State.Name)
		}
		return inner
	}
	ending := explain.EndingOf(outer, nested)
	want := []string{
		"FAILED in S (m.asl.json:2:1) at t+0s, because in the execution that it started Pay failed at t+0s: Card.Declined",
		"error  States.TaskFailed",
		`cause  {"ExecutionArn":"arn:e","Status":"FAILED","Error":"Unpaid"}`,
		"  the execution that it started failed, because Pay failed at t+0s: Card.Declined, which catcher 1 took",
		"    because  Pay failed at t+0s: Card.Declined: no money  event 4 #5  m.asl.json:2:1",
		"      yes catcher 1 [States.ALL] takes it -> F",
	}
	if got := explain.Plain(60).Lines(ending.Text()); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := explain.Plain(60).Spans(ending.Brief()[0].Spans), "FAILED in S, because Pay inside it failed: Card.Declined"; got != want {
		t.Errorf("in a line: %q, want %q", got, want)
	}
	if got := explain.Plain(60).Lines(explain.Happened(outer, 4, nested)); !slices.Contains(got, want[3]) || !slices.Contains(got, want[4]) {
		t.Errorf("at the error: %q", got)
	}
	if got := ending.Root(); got != 5 {
		t.Errorf("it began in event %d", got)
	}
}

// TestStopAtAnUncaughtError is the sentence of the breakpoint that every session on the screen has.
func TestStopAtAnUncaughtError(t *testing.T) {
	s := open(t, `{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"E"}}}`, `{}`)
	s.Breakpoints().AddUncaught()
	play(t, s)
	p := explain.Standing(s, 10)
	if got := explain.Plain(60).Paragraph(&p); got != "UNCAUGHT ERROR" || s.Status().Done() {
		t.Errorf("stopped: %s, %v", got, s.Status())
	}
}

// TestWayFromAnError has the sentences of an error that is not caught, before the end of the run, and the way to its
// cause.
func TestWayFromAnError(t *testing.T) {
	for _, test := range []struct {
		name, definition, input string
		answers                 []engine.Outcome
		brief, happened         []string
	}{
		{"a catcher", `{"StartAt":"Charge","States":{
"Charge":{` + lambda + `,"Retry":[{"ErrorEquals":["Card.Timeout"]}],"Catch":[{"ErrorEquals":["Card.Declined"],"Next":"Rejected"}],"End":true},
"Rejected":{"Type":"Fail","Error":"Order.Rejected"}}}`, `{}`, []engine.Outcome{failed("Card.Timeout", ""), failed("Card.Declined", "no money")},
			[]string{"UNCAUGHT ERROR in Rejected, because Charge failed: Card.Declined", "UNCAUGHT ERROR because Charge failed: Card.Declined", "UNCAUGHT ERROR: Card.Declined"},
			[]string{"Order.Rejected", "because  Charge failed at t+1s, attempt 2: Card.Declined: no money  event 8 #8  m.asl.json:2:1",
				"  attempt 1 failed at t+0s: Card.Timeout, retried after 1s  event 4 #5", "  no retrier 1 [Card.Timeout] does not name Card.Declined", "  yes catcher 1 [Card.Declined] takes it -> Rejected"}},
		{"a Choice", `{"StartAt":"C","States":{
"C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":3,"Next":"F"}],"Default":"D"},
"D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"Big"}}}`, `{"n":4}`, nil,
			[]string{"UNCAUGHT ERROR in F, because rule 1 of C held: $.n > 3", "UNCAUGHT ERROR, because C chose it", "UNCAUGHT ERROR"},
			[]string{"Big", "because  rule 1 of C led to F: $.n > 3  event 4 #3  m.asl.json:2:33", "with  $.n = 4, from the input"}},
		{"the state itself", `{"StartAt":"C","States":{"C":{` + lambda + `,"Parameters":{"n.$":"$.n"},"End":true}}}`, `{"n":4}`, []engine.Outcome{failed("E", "")},
			[]string{"UNCAUGHT ERROR in C: E", "UNCAUGHT ERROR in C: E", "UNCAUGHT ERROR: E"},
			[]string{"This was answered manually.", "E", "No retrier and no catcher: the error ends the execution.", "with  $.n = 4, from the input"}},
	} {
		s := open(t, test.definition, test.input)
		s.Breakpoints().AddUncaught()
		play(t, s, test.answers...)
		at := s.Position() - 1
		var brief []string
		for _, p := range explain.ErrorOf(s, at, nil).Brief() {
			brief = append(brief, explain.Plain(60).Paragraph(&p))
		}
		if !slices.Equal(brief, test.brief) {
			t.Errorf("%s: got %q, want %q", test.name, brief, test.brief)
		}
		if got := explain.Plain(60).Lines(explain.Happened(s, at, nil)); !slices.Equal(got, test.happened) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.happened)
		}
	}
	s := open(t, `{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}`, `{}`)
	play(t, s)
	if e := explain.ErrorOf(s, 0, nil); e.Chain.Root() != nil || e.Root() != 0 {
		t.Errorf("an event without an error has the cause %+v", e.Chain.Root())
	}
}
