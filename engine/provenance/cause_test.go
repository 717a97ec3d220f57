package provenance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const orderCase = `{"StartAt":"Load","States":{
	"Load":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:load","ResultPath":"$.order","Next":"Charge",
		"Retry":[{"ErrorEquals":["Busy"]}]},
	"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","Next":"Done",
		"Retry":[{"ErrorEquals":["Card.Timeout"],"MaxAttempts":1},{"ErrorEquals":["Lambda.ServiceExecption"]}],
		"Catch":[{"ErrorEquals":["Card.Declined","Card.Timeout"],"ResultPath":"$.error","Next":"Tell"},{"ErrorEquals":["States.ALL"],"Next":"Tell"}]},
	"Tell":{"Type":"Pass","Next":"Rejected"},
	"Rejected":{"Type":"Fail","Error":"Order.Rejected","Cause":"not paid"},
	"Done":{"Type":"Succeed"}}}`

func failed(name string) engine.Outcome { return engine.Outcome{Error: name, Cause: "why"} }

// chainOf runs a definition to its end and writes the links and survivors in a few words.
func chainOf(t *testing.T, definition, input string, outcomes runs.Outcomes) (links, survived string) {
	t.Helper()
	log := runs.Run(runs.Machine(definition), input, outcomes)
	chain := provenance.EndOf(log, engine.AWS)
	var l, s []string
	for i, link := range slices.Concat(chain.Links, chain.Handled) {
		name := ""
		if link.Visit != nil {
			name = link.Visit.Path()
		}
		if i == len(chain.Links) {
			name = "handling " + name
		}
		switch link.Kind {
		case provenance.Failed:
			text := fmt.Sprintf("%s %s #%d", name, link.Failure.Name, link.Attempt)
			if link.Caught >= 0 {
				text += " caught"
			}
			if link.Inside > 0 {
				text += fmt.Sprintf(" of %d inside", link.Inside)
			}
			l = append(l, text)
		case provenance.Decided:
			l = append(l, fmt.Sprintf("%s rule %d", name, link.Rule))
		case provenance.OutOfTime:
			l = append(l, "out of time")
		case provenance.Stopped:
			l = append(l, "stopped")
		}
	}
	for _, e := range chain.Survived {
		text := fmt.Sprintf("%s %s x%d fate %d", e.Visit.Path(), e.Failure.Name, e.Count, e.Fate)
		if e.By != nil {
			text += " by " + e.By.Path()
		}
		if e.Places > 1 {
			text += fmt.Sprintf(" in %d", e.Places)
		}
		s = append(s, text)
	}
	return strings.Join(l, " < "), strings.Join(s, ", ")
}

func TestChain(t *testing.T) {
	const lambda = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`
	ok := engine.Outcome{Output: value.Must(`{}`)}
	for _, test := range []struct {
		name, definition, input string
		outcomes                []engine.Outcome
		links, survived         string
	}{
		{"a catcher and a Fail state", orderCase, `{}`, []engine.Outcome{ok, failed("Card.Declined")},
			"Rejected Order.Rejected #1 < Charge Card.Declined #1 caught", ""},
		{"a retrier that is used up", orderCase, `{}`, []engine.Outcome{ok, failed("Card.Timeout"), failed("Card.Timeout")},
			"Rejected Order.Rejected #1 < Charge Card.Timeout #2 caught", ""},
		{"an error that was survived", orderCase, `{}`, []engine.Outcome{failed("Busy"), failed("Busy"), ok, failed("X")},
			"Rejected Order.Rejected #1 < Charge X #1 caught", "Load Busy x2 fate 1"},
		{"no catcher", orderCase, `{}`, []engine.Outcome{failed("Other")}, "Load Other #1", ""},
		{"the same error in iterations of a Map that is retried", `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"Retry":[{"ErrorEquals":["Last"]}],"Next":"F",
			"ItemProcessor":{"StartAt":"A","States":{"A":{` + lambda + `,"Catch":[{"ErrorEquals":["E"],"Next":"D"}],"End":true},"D":{"Type":"Succeed"}}}},
			"F":{"Type":"Fail"}}}`, `[1,2]`,
			[]engine.Outcome{failed("E"), failed("Last"), failed("E"), failed("E")},
			"F  #1", "M/Iterations[0]/A E x3 fate 2 in 2, M/Iterations[1]/A Last x1 fate 1 by M"},
		{"a branch whose error its Parallel state catches after an attempt", `{"StartAt":"P","States":{"P":{"Type":"Parallel","Retry":[{"ErrorEquals":["X"],"MaxAttempts":1}],
			"Catch":[{"ErrorEquals":["X"],"Next":"C"}],"Next":"C","Branches":[{"StartAt":"A","States":{"A":{` + lambda + `,"End":true}}}]},"C":{` + lambda + `,"End":true}}}`,
			`{}`, []engine.Outcome{failed("X"), failed("X"), failed("Z")},
			"C Z #1 < handling P X #2 caught of 1 inside < P/Branches[0]/A X #1", "P/Branches[0]/A X x1 fate 1 by P"},
		{"an error that is caught two states further out", `{"StartAt":"P","States":{"P":{"Type":"Parallel","Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"Next":"C",
			"Branches":[{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"A","States":{"A":{` + lambda + `,"End":true}}}}}}]},"C":{` + lambda + `,"End":true}}}`,
			`[1]`, []engine.Outcome{failed("X"), failed("Z")}, "C Z #1 < handling P X #1 caught of 1 inside < P/Branches[0]/M X #1 of 1 inside < P/Branches[0]/M/Iterations[0]/A X #1", ""},
		{"more failures than are tolerated, caught", `{"StartAt":"M","States":{"M":{"Type":"Map","ToleratedFailureCount":1,"MaxConcurrency":1,
			"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"Next":"C","ItemProcessor":{"StartAt":"A","States":{"A":{` + lambda + `,"End":true}}}},"C":{` + lambda + `,"End":true}}}`,
			`[1,2,3]`, []engine.Outcome{failed("X"), failed("Y"), failed("Z")},
			"C Z #1 < handling M States.ExceedToleratedFailureThreshold #1 caught of 2 inside < M/Iterations[0]/A X #1", "M/Iterations[1]/A Y x1 fate 4"},
		{"a handler that fails, and is caught", `{"StartAt":"P","States":{"P":{"Type":"Parallel","Catch":[{"ErrorEquals":["E"],"Next":"Note"}],"Next":"Bad",
			"Branches":[{"StartAt":"A","States":{"A":{` + lambda + `,"End":true}}}]},"Note":{"Type":"Pass","Next":"Tell"},
			"Tell":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Bad"}],"Next":"Bad"},"Bad":{"Type":"Fail","Error":"B"}}}`,
			`{}`, []engine.Outcome{failed("E"), failed("T")}, "Bad B #1 < Tell T #1 caught < handling P E #1 caught of 1 inside < P/Branches[0]/A E #1", ""},
		{"a handler inside of a Parallel state", `{"StartAt":"A","States":{"A":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"P"}],"End":true},
			"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"T","States":{"T":{` + lambda + `,"End":true}}}]}}}`,
			`{}`, []engine.Outcome{failed("E"), failed("T")}, "P T #1 of 1 inside < P/Branches[0]/T T #1 < handling A E #1 caught", ""},
		{"a failure behind work of the handler", `{"StartAt":"A","States":{"A":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"B"}],"Next":"B"},
			"B":{` + lambda + `,"Next":"C"},"C":{` + lambda + `,"End":true}}}`, `{}`, []engine.Outcome{failed("E"), ok, failed("Z")}, "C Z #1", "A E x1 fate 2"},
		{"a field of a Fail state", `{"StartAt":"A","States":{"A":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},
			"F":{"Type":"Fail","Error":"F","CausePath":"$.none"}}}`, `{}`, []engine.Outcome{failed("E")}, "F States.Runtime #1 < handling A E #1 caught", ""},
		{"a field of the catcher", `{"StartAt":"A","States":{"A":{` + lambda + `,"Retry":[{"ErrorEquals":["Busy"]}],
			"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.n.error","Next":"B"}],"End":true},"B":{"Type":"Pass","End":true}}}`,
			`{"n":1}`, []engine.Outcome{failed("Busy"), failed("X")},
			"A States.ResultPathMatchFailure #2", "A X x1 fate 2"},
		{"nothing", orderCase, `{}`, []engine.Outcome{ok, ok}, "", ""},
		{"a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
			{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":9,"End":true}}},
			{"StartAt":"B","States":{"B":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},"F":{"Type":"Fail","Error":"F"}}}]}}}`,
			`{}`, []engine.Outcome{failed("E")}, "P F #1 of 1 inside < P/Branches[1]/F F #1 < P/Branches[1]/B E #1 caught", ""},
		{"iterations that are tolerated", `{"StartAt":"M","States":{"M":{"Type":"Map","ToleratedFailureCount":1,"Next":"X","ItemProcessor":
			{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"A","States":{"A":{` + lambda + `,"End":true}}}},"X":{` + lambda + `,"End":true}}}`,
			`[1,2]`, []engine.Outcome{failed("E"), ok, failed("Last")}, "X Last #1", "M/Iterations[0]/A E x1 fate 3"},
		{"too many iterations", `{"StartAt":"M","States":{"M":{"Type":"Map","ToleratedFailureCount":1,"End":true,"ItemProcessor":
			{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"A","States":{"A":{` + lambda + `,"End":true}}}}}}`,
			`[1,2,3]`, []engine.Outcome{failed("E"), failed("G"), failed("E")},
			"M States.ExceedToleratedFailureThreshold #1 of 2 inside < M/Iterations[0]/A E #1", "M/Iterations[1]/A G x1 fate 4"},
		{"States.Runtime in a branch", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"D"}],"Branches":[
			{"StartAt":"A","States":{"A":{"Type":"Pass","InputPath":"$.none","End":true}}}]},"D":{"Type":"Succeed"}}}`,
			`{}`, nil, "P States.Runtime #1 of 1 inside < P/Branches[0]/A States.Runtime #1", ""},
		{"a Choice over the Error Output", `{"StartAt":"T","States":{"T":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"C"}],"Next":"C"},
			"C":{"Type":"Choice","Choices":[{"Variable":"$.e.Error","StringEquals":"Bad","Next":"F"}],"Default":"D"},"D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"F"}}}`,
			`{}`, []engine.Outcome{failed("Bad")}, "F F #1 < C rule 0 < T Bad #1 caught", ""},
		{"a Choice over the input", `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.n","IsPresent":true,"Next":"D"}],"Default":"F"},
			"D":{"Type":"Succeed"},"F":{"Type":"Fail","Error":"F"}}}`, `{}`, nil, "F F #1 < C rule -1", ""},
		{"a Fail state behind both ways", `{"StartAt":"T","States":{"T":{` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"Next":"P"},
			"P":{"Type":"Pass","Next":"F"},"F":{"Type":"Fail","Error":"F"}}}`, `{}`, []engine.Outcome{failed("E")}, "F F #1 < T E #1 caught", ""},
		{"the machine's time", `{"StartAt":"W","TimeoutSeconds":5,"States":{"W":{"Type":"Wait","Seconds":60,"End":true}}}`, `{}`, nil, "out of time", ""},
		{"an error that was caught", orderCase, `{}`, []engine.Outcome{ok, failed("Card.Declined")}, "Rejected Order.Rejected #1 < Charge Card.Declined #1 caught", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			outcomes := runs.Echo
			if len(test.outcomes) > 0 {
				outcomes = runs.InTurn(test.outcomes...)
			}
			links, survived := chainOf(t, test.definition, test.input, outcomes)
			if links != test.links || survived != test.survived {
				t.Errorf("got  %q, survived %q\nwant %q, survived %q", links, survived, test.links, test.survived)
			}
		})
	}
}

func TestHandlers(t *testing.T) {
	outcomes := runs.InTurn(engine.Outcome{Output: value.Must(`{}`)}, failed("Card.Timeout"), failed("Lambda.ServiceException"))
	chain := provenance.EndOf(runs.Run(runs.Machine(orderCase), `{}`, outcomes), engine.AWS)
	got := chain.Root().Handlers
	want := []provenance.Handler{
		{Index: 0, Verdict: provenance.NotNamed, Attempts: 1, MaxAttempts: 1},
		{Index: 1, Verdict: provenance.NotNamed, Near: "Lambda.ServiceExecption", MaxAttempts: 3},
		{Catcher: true, Index: 0, Verdict: provenance.NotNamed},
		{Catcher: true, Index: 1, Verdict: provenance.Took, Next: "Tell"},
	}
	if len(got) != len(want) {
		t.Fatalf("%d handlers, want %d", len(got), len(want))
	}
	for i, h := range got {
		h.Names = nil
		if fmt.Sprint(h) != fmt.Sprint(want[i]) {
			t.Errorf("handler %d: %+v, want %+v", i, h, want[i])
		}
	}
}

func TestHandlersOfARetrierThatIsSpent(t *testing.T) {
	outcomes := runs.InTurn(engine.Outcome{Output: value.Must(`{}`)}, failed("Card.Timeout"))
	chain := provenance.EndOf(runs.Run(runs.Machine(orderCase), `{}`, outcomes), engine.AWS)
	got := chain.Root().Handlers
	if got[0].Verdict != provenance.Spent || got[1].Verdict != provenance.NotAsked || got[2].Verdict != provenance.Took || got[3].Verdict != provenance.NotAsked {
		t.Errorf("%+v", got)
	}
}

// TestForgottenEvents has a log that has dropped its first events.
func TestForgottenEvents(t *testing.T) {
	log := runs.Run(runs.Machine(`{"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Catch":[{"ErrorEquals":["States.ALL"],"Next":"M","ResultPath":null}],"Next":"S"},
		"S":{"Type":"Succeed"},
		"M":{"Type":"Map","ItemProcessor":{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},"Next":"F"},
		"F":{"Type":"Fail","Error":"F"}}}`), `[`+strings.Repeat("0,", 2000)+`0]`, runs.InTurn(failed("E")))
	for _, forget := range []bool{false, true} {
		want := "F, E"
		if forget {
			log.Forget()
			want = "F"
		}
		chain := provenance.EndOf(log, engine.AWS)
		names := value.Each(chain.Links, func(l provenance.Link) string { return l.Failure.Name })
		if got := strings.Join(names, ", "); got != want || chain.Partial != forget {
			t.Errorf("links %s, partial %v; want %s, %v", got, chain.Partial, want, forget)
		}
	}
}

// TestVerdictsAtAnEvent has the verdicts on each error of a run, not only on the one that ended it.
func TestVerdictsAtAnEvent(t *testing.T) {
	ok := engine.Outcome{Output: value.Must(`{}`)}
	log := runs.Run(runs.Machine(orderCase), `{}`, runs.InTurn(failed("Busy"), ok, failed("Card.Timeout"), failed("Card.Declined")))
	want := map[string][]provenance.Verdict{
		"Busy":           {provenance.Retries},
		"Card.Timeout":   {provenance.Retries, provenance.NotAsked, provenance.NotAsked, provenance.NotAsked},
		"Card.Declined":  {provenance.NotNamed, provenance.NotNamed, provenance.Took, provenance.NotAsked},
		"Order.Rejected": nil,
	}
	for i := range log.Len() {
		e := log.At(i)
		verdicts := []provenance.Verdict(nil)
		for _, h := range provenance.Handlers(log, i, engine.AWS) {
			verdicts = append(verdicts, h.Verdict)
		}
		if !e.RaisesError() {
			if e.Failure() == nil && verdicts != nil {
				t.Errorf("event %d has no error and verdicts %v", i, verdicts)
			}
			continue
		}
		if name := e.Failure().Name; fmt.Sprint(verdicts) != fmt.Sprint(want[name]) {
			t.Errorf("%s: %v, want %v", name, verdicts, want[name])
		}
	}
}

// TestAbortedExecution has an execution that was stopped from outside.
func TestAbortedExecution(t *testing.T) {
	log := runlog.Of([]engine.Event{{Seq: 1, Type: engine.ExecutionStarted}, {Seq: 2, Type: engine.ExecutionAborted, Detail: &engine.Failure{Name: "Stop"}}})
	if chain := provenance.EndOf(log, engine.AWS); chain.Root() == nil || chain.Root().Kind != provenance.Stopped {
		t.Errorf("%+v", chain)
	}
	if chain := provenance.EndOf(&runlog.Log{}, engine.AWS); chain.Root() != nil {
		t.Errorf("an empty log: %+v", chain)
	}
}
