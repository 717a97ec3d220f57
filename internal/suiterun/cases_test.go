package suiterun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit/suites"
	"asldb/recorder/history"
)

// A case that cannot be checked, and those that are not run, are neither passed nor failed.
func TestUncheckedCases(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`defaults: {maxEvents: 20}
cases:
  endless: {expect: {status: FAILED, path: [ValidateOrder, ...]}}
  skipped: {skip: "see #12", expect: {}}
`)
	got, run := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
	suites.Same(t, suites.Outcome(got), `endless failed
  6: maxEvents ()
     - "<= 20" + 20 (the run has not come to its end in the state "ChargeCard" at the virtual time 2026-01-01T09:00:06.350Z)`)
	if run == nil || got.States != 3 || len(got.Path) != 3 {
		t.Errorf("the run has %d states, the path %v", got.States, got.Path)
	}
	got, run = suiterun.RunCase(s.Cases[1], m, suiterun.CaseOptions{})
	if got.Kind != suite.Skipped || got.Reason != "see #12" || run != nil {
		t.Error(suites.Outcome(got))
	}

	s, m = suites.Load(t, strings.Replace(suites.Head, "include: [order.fixtures.yaml]",
		"input: {order: {id: 1, lines: []}}", 1)+"cases: {a: {expect: {}}}")
	got, _ = suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
	if got.Kind != suite.Wrong || !strings.Contains(got.Reason, "ValidateOrder") {
		t.Error(suites.Outcome(got))
	}
	if want := "asldb debug --test " + s.Name + ":a"; got.Debug != want {
		t.Errorf("the command is %s, and should be %s", got.Debug, want)
	}
	if got := suiterun.DebugCommand("a b.test.yaml", "it's"); got != `asldb debug --test 'a b.test.yaml:it'\''s'` {
		t.Errorf("the command is %s", got)
	}
}

// What does not fit the definition is known before anything runs.
func TestCheck(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  a:
    tasks: {ChargeCrad: [{output: 1}]}
    expect:
      path: [ValidateOrder, PaymntDue]
      never: [Nowhere]
      states:
        ChargeCard: {rule: 1, path: [ChargeCard], by: 1, next: Fulfill, after: {ItemsPath: 1}}
        PaymentDue: {rule: 2}
        Fulfil/Branches[1]: {visits: 1, path: [NotifyCustomer]}
        PackLines/Iterations[*]: {path: [PickLnie]}
      tasks: {WaivePayment: [{}]}
invariants:
  - {never: Ship}
`)
	err := suiterun.CheckCase(s, m)
	if err == nil {
		t.Fatal("there is no error")
	}
	suites.Same(t, strings.ReplaceAll(err.Error(), s.Name, "t"), `t:6:13: "ChargeCrad" is the name or path of no state of the definition (did you mean "ChargeCard"?)
t:8:29: "PaymntDue" matches no state of the definition; did you mean "PaymentDue"?
t:9:15: "Nowhere" matches no state of the definition
t:11:28: rule is for Choice states, and ChargeCard is a Task state
t:11:37: path is for the branches of Parallel states and the iterations of Map states, and ChargeCard is a Task state
t:11:55: ChargeCard has 1 catcher, counted from 0, not 1
t:11:64: ChargeCard never leads to "Fulfill"
t:11:81: ChargeCard has no stage ItemsPath
t:12:28: PaymentDue has 2 rules, counted from 0, not 2
t:13:9: "Fulfil/Branches[1]" names branches or iterations, which only path can expect; others name a state
t:14:42: "PickLnie" matches no state of the definition; did you mean "PickLine"?
t:15:15: WaivePayment is a Pass state, and tasks belong to Task states
t:17:13: "Ship" matches no state of the definition`)
}

// A brief run has the same findings without their explanations, which cost more than the run.
func TestBriefRuns(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  a: {tasks: {ChargeCard: [{error: Card.Declined}]}, expect: {status: SUCCEEDED}}
`)
	whole, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
	brief, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{Brief: true})
	if suites.Outcome(whole) != suites.Outcome(brief) || len(whole.Findings) != 1 {
		t.Errorf("%s\nand brief\n%s", suites.Outcome(whole), suites.Outcome(brief))
	}
	if len(whole.Findings[0].Because) == 0 || len(brief.Findings[0].Because) != 0 {
		t.Errorf("because %q, brief %q", whole.Findings[0].Because, brief.Findings[0].Because)
	}
}

// A snapshot is new, is written, and then compared; values that are ignored may change.
func TestSnapshot(t *testing.T) {
	text := suites.Head + `cases:
  a: {snapshot: {ignore: ["$..chargeId", "$.tasks.ReserveStock[0].name"]}}
  b: {snapshot: true}
`
	s, m := suites.Load(t, text)
	got, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
	if got.Kind != suite.New || got.Snapshot == nil {
		t.Fatal(suites.Outcome(got))
	}
	err := suiterun.Update(s.Name, func(file *suiterun.File) bool {
		file.Set("a", got.Snapshot)
		file.Set("gone", got.Snapshot)
		if !file.Retain([]string{"a", "b"}) || file.Retain([]string{"a", "b"}) {
			t.Error("Retain does not say when it drops a snapshot")
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ = suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{}); got.Kind != suite.Passed ||
		got.Snapshot != nil {
		t.Error(suites.Outcome(got))
	}
	if got, _ = suiterun.RunCase(s.Cases[1], m, suiterun.CaseOptions{}); got.Kind != suite.New {
		t.Error(suites.Outcome(got))
	}
	if got, _ = suiterun.RunCase(s.Cases[1], m, suiterun.CaseOptions{Update: true}); got.Kind != suite.Passed ||
		got.Snapshot == nil {
		t.Error(suites.Outcome(got))
	}

	fixtures := filepath.Join(filepath.Dir(s.Name), "order.fixtures.yaml")
	data, err := os.ReadFile(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("ch_3PqL", "ch_other", "sku: CUP-4, shelf: C1",
		"sku: CUP-5, shelf: C1").Replace(string(data))
	if err := os.WriteFile(fixtures, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = suite.Load(s.Name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, _ = suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
	suites.Same(t, suites.Outcome(got), `a failed
  5: snapshot ()
    $.output.parcels[2].sku - "CUP-4" + "CUP-5" from $.parcels[2].sku; $.sku of the result of PickLine (order.fixtures.yaml:39)`)
	if got.Snapshot == nil {
		t.Error("there is no new snapshot")
	}
	if err := os.WriteFile(suiterun.NameOf(s.Name), []byte("version: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ = suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{}); got.Kind != suite.Wrong ||
		!strings.Contains(got.Reason, "order.test.snap.yaml:1:1: a file of snapshots begins with version: 1") {
		t.Error(suites.Outcome(got))
	}
}

// A recorded run is fixtures and expectation at once: it passes, and fails where the definition does something else.
func TestRecordings(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  recorded: {expect: {}}
`)
	dir := filepath.Dir(s.Name)
	spec, err := suiterun.Spec(s.Cases[0], m, suiterun.CaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	spec.Trace = &launch.Trace{File: filepath.Join(dir, "order.trace")}
	run, err := launch.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	if stop, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil ||
		stop.Reason != debug.StoppedAtEnd {
		t.Fatal(stop, err)
	}
	document := history.Document(history.Of(run.Session.Log().All()))
	if err := os.WriteFile(filepath.Join(dir, "history.json"), []byte(value.Compact(document)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}

	const cases = `version: 1
definition: order.asl.json
cases:
  history: {history: history.json}
  trace: {trace: order.trace}
  both: {history: history.json, expect: {output: {paid: other}}}
  missing: {history: nowhere.json}
`
	outcomes := func() string {
		s, err := suite.Load(s.Name, []byte(cases))
		if err != nil {
			t.Fatal(err)
		}
		if m, err = suiterun.OpenCase(*s.Definition(), suiterun.Settings{Limits: engine.ServiceLimits()}); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range s.Cases {
			got, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{})
			b.WriteString(strings.ReplaceAll(suites.Outcome(got), dir+"/", ""))
		}
		return b.String()
	}
	suites.Same(t, outcomes(), `history passed
trace passed
both failed
  6: output ()
    $.paid - "other" + "captured" from $.payment.status; $.Payload.status of the result of ChargeCard
missing error: the history: cannot read "nowhere.json": no such file or directory`)

	changed := strings.Replace(string(definitions.DemoDefinition), `"amount.$": "$.validation.total"`,
		`"amount.$": "$.validation.valid"`, 1)
	if err := os.WriteFile(filepath.Join(dir, definitions.DefinitionName), []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	suites.Same(t, outcomes(), `history failed
  4: the history, in ChargeCard (order.asl.json:40 ChargeCard)
    parameters.Payload.amount - 129.90 + true
trace failed
  5: the trace, in ChargeCard, Parameters (order.asl.json:44 Parameters)
    $.Payload.amount - 129.90 + true from $.validation.valid; $.valid of the result of ValidateOrder
both failed
  6: the history, in ChargeCard (order.asl.json:40 ChargeCard)
    parameters.Payload.amount - 129.90 + true
  6: output ()
    $.paid - "other" + "captured" from $.payment.status; $.Payload.status of the result of ChargeCard
missing error: the history: cannot read "nowhere.json": no such file or directory`)
}
