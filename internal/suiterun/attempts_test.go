package suiterun_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine/coverage"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
	"asldb/internal/testkit/suites"
)

// Each attempt of a task is an invocation, with its error or result, its duration and the delay of the retry after it.
func TestAttempts(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  met:
    expect:
      states: {ChargeCard: {attempts: ">= 2, <= 3"}}
      tasks:
        ChargeCard:
          - {error: Card.Timeout, duration: 2s, retryDelay: 2s}
          - {error: $any, retryDelay: "> 2s, <= 4s"}
          - {result: {Payload: {status: captured}}, duration: 800ms}
  not met:
    expect:
      states: {ChargeCard: {attempts: ">= 1, < 3"}}
      tasks:
        ChargeCard:
          - {error: Card.Declined, duration: 1s, retryDelay: 1s}
          - {result: {Payload: 1}}
          - {result: {Payload: {status: lost}}, error: Card.Timeout, retryDelay: 1s}
  forever:
    inject: {ChargeCard: {error: Card.Timeout, times: forever}}
    expect: {status: FAILED, error: Card.Timeout, states: {ChargeCard: {attempts: 4}}}
`)
	got := ""
	for _, c := range s.Cases {
		outcome, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{})
		got += suites.Outcome(outcome)
	}
	suites.Same(t, got, `met passed
not met failed
  15: ChargeCard, attempts (order.asl.json:40 ChargeCard)
     - ">= 1, < 3" + 3
  18: ChargeCard, invocation 1, error (order.asl.json:40 ChargeCard)
    $ - "Card.Declined" + "Card.Timeout"
  18: ChargeCard, invocation 1, duration (order.asl.json:40 ChargeCard)
     - "1s" + "2s"
  18: ChargeCard, invocation 1, retryDelay (order.asl.json:40 ChargeCard)
     - "1s" + "2s"
  19: ChargeCard, invocation 2, result (order.asl.json:40 ChargeCard)
     - {"Payload":1} + nothing (Card.Timeout: no answer from the card service in 2 s)
  20: ChargeCard, invocation 3, result (order.asl.json:40 ChargeCard)
    $.Payload.status - "lost" + "captured" from $.Payload.status of the result of ChargeCard (order.fixtures.yaml:24)
  20: ChargeCard, invocation 3, error (order.asl.json:40 ChargeCard)
     - "Card.Timeout" + nothing (it did not fail)
  20: ChargeCard, invocation 3, retryDelay (order.asl.json:40 ChargeCard)
     - "1s" + nothing (no retry follows it)
forever passed
`)
}

// Tags choose the cases that have one of them and none that follows a !.
func TestTags(t *testing.T) {
	s := &suite.Suite{Name: "a.test.yaml"}
	for _, tags := range []string{"smoke", "smoke slow", "slow", ""} {
		s.Cases = append(s.Cases, &suite.Case{Suite: s, Name: "(" + tags + ")", Tags: strings.Fields(tags)})
	}
	for tags, want := range map[string]string{
		"": "(smoke) (smoke slow) (slow) ()", "smoke": "(smoke) (smoke slow)", "!slow": "(smoke) ()",
		"smoke !slow": "(smoke)", "smoke slow": "(smoke) (smoke slow) (slow)", "other": "",
	} {
		var got []string
		for _, cases := range suiterun.Choose([]*suite.Suite{s}, suiterun.Options{Tags: strings.Fields(tags)}) {
			for _, c := range cases {
				got = append(got, c.Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q chooses %q, not %q", tags, strings.Join(got, " "), want)
		}
	}
}

// A repeated case runs with one seed after the other; the first run that fails is shown.
func TestRepeated(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`seed: 5
cases:
  by chance:
    tasks: {ChargeCard: [{probability: 0.5, error: Card.Declined}, {output: {Payload: {chargeId: c, amount: 1, status: captured}}, repeat: forever}]}
    expect: {}
  always: {expect: {}}
`)
	failing := map[int64]bool{}
	first := int64(0)
	for seed := int64(5); seed < 25; seed++ {
		outcome, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{Seed: &seed})
		if failing[seed] = outcome.Kind.Bad(); failing[seed] && first == 0 {
			first = seed
		}
	}
	wanted := 0
	for _, is := range failing {
		if is {
			wanted++
		}
	}
	ran := 0
	got := suiterun.Repeated(s.Cases[0], m, suiterun.CaseOptions{}, 20, func(coverage.Run) { ran++ })
	if wanted == 0 || wanted == 20 || ran != 20 || got.Runs != 20 || got.FailedRuns != wanted || got.Seed != first ||
		got.Kind != suite.OutcomeFailed || !strings.HasSuffix(got.Debug, fmt.Sprintf(":by chance' --seed %d", first)) {
		t.Errorf("%d runs, %d of %d failed, first with %d: %+v", ran, got.FailedRuns, wanted, first, got)
	}
	got = suiterun.Repeated(s.Cases[1], m, suiterun.CaseOptions{}, 3, func(coverage.Run) {})
	if got.Kind != suite.Passed || got.Runs != 3 || got.FailedRuns != 0 || got.Seed != 5 {
		t.Errorf("the other is %+v", got)
	}
}

// The reports have the tags and properties of a case, the runs of a repeated one, and the slowest cases.
func TestReportsOfTags(t *testing.T) {
	of := &suite.SuiteOutcome{File: "a.test.yaml"}
	tell := func(sink suite.Sink) {
		all := suite.Summary{}
		events := []suite.Event{suite.Began{Suites: 1, Cases: 3}, suite.SuiteBegan{Suite: of}}
		for i, name := range []string{"quick", "slow", "slower"} {
			c := &suite.Outcome{Suite: of, Name: name, At: at(i + 1), Kind: suite.Passed, States: 2,
				Wall: time.Duration(i+1) * time.Millisecond}
			if i == 1 {
				c.Kind, c.Reason, c.Tags, c.Runs, c.FailedRuns, c.Seed = suite.Wrong, "no result", []string{
					"smoke",
					"db",
				}, 4, 2, 9
				c.Properties = []report.Property{{Name: "ticket", Value: "A-1"}}
			}
			all.Add(c)
			events = append(events, suite.CaseEnded{Case: c})
		}
		for _, e := range append(events, suite.SuiteEnded{Suite: of}, suite.Ended{Summary: all}) {
			if err := sink.Send(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	var text, lines strings.Builder
	tell(suiterun.Text(&text, suiterun.TextOptions{Slowest: 2}))
	same(t, text.String(), `a.test.yaml
  ✓ quick                                     2 states
  ! slow                                      a.test.yaml:2
      2 of 4 runs failed; with the seed 9:
      no result
  ✓ slower                                    2 states
slowest:
  3ms  slower                                 a.test.yaml:3
  2ms  slow                                   a.test.yaml:2
3 cases: 2 passed, 1 error · 6ms · 0s of virtual time
`)
	tell(suiterun.JSON(&lines))
	var one struct {
		Tags             []string
		Properties       map[string]string
		Runs, FailedRuns int
		Seed             int64
	}
	if err := json.Unmarshal([]byte(strings.Split(lines.String(), "\n")[3]), &one); err != nil ||
		fmt.Sprint(one) != "{[smoke db] map[ticket:A-1] 4 2 9}" {
		t.Errorf("JSON has %+v, %v", one, err)
	}
	c := &suiterun.Collected{}
	tell(c)
	junit := testkit.Report(t, c.Answer(), "junit", report.Look{})
	for _, want := range []string{`<property name="tags" value="smoke,db">`, `<property name="ticket" value="A-1">`,
		`<property name="seed" value="9">`, "2 of 4 runs failed; with the seed 9:"} {
		if !strings.Contains(junit, want) {
			t.Errorf("JUnit has no %s:\n%s", want, junit)
		}
	}
}

// The verdict of a suite is kept for the next process: how many of its cases failed, else how many ran.
func TestVerdicts(t *testing.T) {
	state, folder := t.TempDir(), t.TempDir()
	tell := func(kinds ...suite.Kind) {
		f, err := suiterun.LoadFailed(state, folder)
		if err != nil {
			t.Fatal(err)
		}
		of := &suite.SuiteOutcome{File: "a.test.yaml"}
		for i, kind := range kinds {
			c := &suite.Outcome{Suite: of, Name: fmt.Sprint(i), Kind: kind}
			of.Summary.Add(c)
			if err := f.Send(suite.CaseEnded{Case: c}); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Send(suite.SuiteEnded{Suite: of}); err != nil {
			t.Fatal(err)
		}
		if err := f.Save(state, folder); err != nil {
			t.Fatal(err)
		}
	}
	said := func() string {
		f, err := suiterun.LoadFailed(state, folder)
		if err != nil {
			t.Fatal(err)
		}
		return f.Verdict("a.test.yaml")
	}
	if got := said(); got != "not run yet" {
		t.Errorf("before a run: %s", got)
	}
	tell(suite.Passed, suite.OutcomeFailed, suite.Wrong, suite.Skipped)
	if got := said(); got != "2 failed" {
		t.Errorf("after failures: %s", got)
	}
	tell(suite.Passed, suite.Passed, suite.Passed, suite.Skipped)
	if got := said(); got != "3 passed" {
		t.Errorf("after success: %s", got)
	}
}
