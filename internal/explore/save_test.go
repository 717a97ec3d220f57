package explore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/explore"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// save saves the cases of a result and runs them as a suite: each shows its finding again.
func save(t *testing.T, r *explore.Result) *suite.Suite {
	t.Helper()
	name := filepath.Join(filepath.Dir(r.Definition), "findings.test.yaml")
	saved, err := r.Suite(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if len(saved.Dropped) > 0 || saved.Cases != len(r.Cases()) {
		t.Errorf("%d of %d cases, dropped: %q\n%s", saved.Cases, len(r.Cases()), saved.Dropped, saved.Text)
	}
	if saved.Cases == 0 {
		return nil
	}
	s, err := suite.Load(name, saved.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, saved.Text)
	}
	if s.Definition().File != r.Definition {
		t.Errorf("the suite is about %s", s.Definition().File)
	}
	m, err := suiterun.OpenCase(*s.Definition(), suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	if err := suiterun.CheckCase(s, m); err != nil {
		t.Errorf("%v\n%s", err, saved.Text)
	}
	for i, f := range r.Cases() {
		want := suite.OutcomeFailed
		if f.Case.Holds {
			want = suite.Passed
		}
		if got, _ := suiterun.RunCase(s.Cases[i], m, suiterun.CaseOptions{}); got.Kind != want {
			t.Errorf("%s: %v %s %+v\n%s", f.Case.Name, got.Kind, got.Reason, got.Findings, f.Case.Text)
		}
	}
	return s
}

// The cases of a saved suite do what they say, whatever the base is made of.
func TestSuite(t *testing.T) {
	save(t, run(t, demoOptions(t)))
	save(t, explored(t, handler))
	save(
		t,
		explored(
			t,
			task("arn:aws:states:::sqs:sendMessage.waitForTaskToken",
				`"HeartbeatSeconds":5,"TimeoutSeconds":9,"Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":1}],`),
		),
	)
	save(t,
		run(t, explore.Options{Machine: open(t, tolerant), Given: []explore.Given{{Input: must(`{"items":[1,2,3]}`)}}}))
	cases := fixturesOf(
		t,
		`{version: 1, tasks: {T: [{output: {a: 1}, repeat: forever}]}, cases: {one: {input: {n: 1}}, two: {input: {n: 2}, tasks: {T: [{output: {a: 2}}]}}}}`,
	)
	var given []explore.Given
	for _, name := range cases.Cases() {
		file, err := cases.Case(name)
		if err != nil {
			t.Fatal(err)
		}
		given = append(given, explore.Given{Name: name, File: file})
	}
	r := run(t, explore.Options{
		Machine: open(
			t,
			task("arn:aws:lambda:us-east-1:123456789012:function:f",
				`"Retry":[{"ErrorEquals":["E"]}],"ResultSelector":{"a.$":"$.a"},`),
		),
		Given: given,
	})
	save(t, r)
	if len(r.Bases) != 2 || r.Rows[0].Base.Name != "one" ||
		!slices.ContainsFunc(r.Others, func(o *explore.Run) bool { return o.Base.Name == "two" }) {
		t.Errorf("%d bases", len(r.Bases))
	}
}

// The wanted end of a bug is a good one, or the Fail state to which the definition leads.
func TestWanted(t *testing.T) {
	for end, want := range map[string]string{
		`{"Type":"Succeed"}`:                "      status: SUCCEEDED\n",
		`{"Type":"Fail","Error":"$Lost"}`:   "      status: FAILED\n      error: \"$$Lost\"\n",
		`{"Type":"Fail","ErrorPath":"$.e"}`: "      status: FAILED\n      order: [\"F\"]\n",
	} {
		r := run(t, explore.Options{Machine: open(t, `{"StartAt":"A","States":{
			"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","ResultPath":"$.a","Catch":[{"ErrorEquals":["E"],"ResultPath":null,"Next":"B"}],"Next":"B"},
			"B":{"Type":"Pass","Parameters":{"e.$":"$.a"},"Next":"F"},"F":`+end+`}}`)})
		s := save(t, r)
		if s == nil || r.Findings[0].Class != explore.Bug ||
			!strings.HasSuffix(r.Findings[0].Case.Text, "    expect:\n"+want) {
			t.Errorf("%s: %v", end, r.Findings[0].Case)
		}
	}
}

// Fixtures that are used up are filled with what they gave last, and those without a result by made-up ones; a case
// says so.
func TestSpares(t *testing.T) {
	o := explore.Options{Machine: open(t, `{"StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","Retry":[{"ErrorEquals":["E"]}],"ResultPath":"$.a","Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"U"}],"Next":"B"},
		"U":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:u","ResultPath":"$.u","Next":"B"},
		"B":{"Type":"Pass","Parameters":{"v.$":"$.a"},"End":true}}}`)}
	name := filepath.Join(filepath.Dir(o.Machine.Definition.File), "f.yaml")
	text := "version: 1\ninput: {}\ntasks: {A: [{output: 1}]}\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file := fixturesOf(t, text)
	file.Name = name
	o.Given = []explore.Given{{File: file, Written: true}}
	r := run(t, o)
	save(t, r)
	same(
		t,
		findings(r, explore.Bug),
		[]string{`bug B: B fails with States.Runtime: $.a is missing: $ has only e and u`},
	)
	if text := r.Findings[0].Case.Text; !strings.Contains(text, "U:\n") {
		t.Errorf("the case has no result for U:\n%s", text)
	}
}

// A run opens in the debugger, and goes there as it went before.
func TestSpec(t *testing.T) {
	r := run(t, demoOptions(t))
	for _, row := range r.Rows {
		for _, want := range []*explore.Run{row.Once, row.Always} {
			if row.Kind == explore.Fails && !strings.HasSuffix(row.Error, "Unknown") && row.Error != "Card.Declined" {
				continue // many errors go the same way
			}
			if made, err := r.Reproduce(want); err != nil || len(made.Text) > 4000 {
				t.Fatalf("%s: a case of %d bytes, %v", want.Describe(), len(made.Text), err)
			}
			spec, err := r.Spec(want)
			if err != nil {
				t.Fatalf("%s: %v", want.Describe(), err)
			}
			opened, err := launch.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := opened.Session.Do(debug.Command{Kind: debug.Continue}); err != nil {
				t.Fatal(err)
			}
			log := opened.Session.Log()
			if got := opened.Session.Status(); got != want.Status || log.Len() != want.Events ||
				!log.At(want.Event).Type.Traits().Raises {
				t.Errorf("%s: %v with %d events, and should be %v with %d", want.Describe(), got, log.Len(),
					want.Status, want.Events)
			}
			if err := opened.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// An exploration ends at its bounds, and says so.
func TestBounds(t *testing.T) {
	o := demoOptions(t)
	o.Runs, o.Data, o.Check = 100, true, func(*explore.Ended) []explore.Violation { return nil }
	var plans []explore.Plan
	progress := 0
	o.Announce = func(p explore.Plan) { plans = append(plans, p) }
	o.Progress = func(done, planned int) { progress = max(progress, done) }
	r := run(t, o)
	if r.Stopped != explore.StoppedByRuns || r.Done != 101 || r.Planned <= r.Done || len(plans) != 1 ||
		plans[0].Runs != r.Planned-1 ||
		plans[0].Tasks != 5 ||
		progress != 64 {
		t.Errorf("%v after %d of %d runs, plans %v, progress %d", r.Stopped, r.Done, r.Planned, plans, progress)
	}
	if want := "101 of 453 runs were done: the bound of the runs was reached"; !slices.Contains(r.Notes, want) {
		t.Errorf("the notes are %q", r.Notes)
	}
	o.Runs, o.Time = 0, time.Nanosecond
	if r = run(t, o); r.Stopped != explore.StoppedByTime || len(r.Rows) != 0 {
		t.Errorf("%v with %d rows", r.Stopped, len(r.Rows))
	}
	o.Time = 0
	ctx, cancel := context.WithCancel(context.Background())
	o.Announce = func(explore.Plan) { cancel() }
	if r, err := explore.Explore(ctx, o); err != nil || r.Stopped != explore.StoppedByContext {
		t.Error(err)
	}
	if _, err := explore.Explore(ctx, o); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	o = explore.Options{Machine: open(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`)}
	if _, err := explore.Explore(context.Background(), o); !errors.Is(err, explore.ErrNoTask) {
		t.Error(err)
	}
	wrong := demoOptions(t)
	wrong.Given[0].File = fixturesOf(t, `{version: 1, tasks: {Nowhere: [{output: 1}]}}`)
	if _, err := explore.Explore(context.Background(), wrong); err == nil || !strings.Contains(err.Error(), "Nowhere") {
		t.Error(err)
	}
}

// Invariants are asked of one run of each way, or of every run.
func TestCheck(t *testing.T) {
	o := demoOptions(t)
	o.Check = func(e *explore.Ended) []explore.Violation {
		if e.Execution.Status() != engine.Failed || e.Run.Error != "Order.Rejected" {
			return nil
		}
		return []explore.Violation{{Invariant: "never rejected", Text: "it was rejected", Event: e.Log.Len() - 1}}
	}
	for _, o.Every = range []bool{false, true} {
		r := run(t, o)
		same(t, findings(r, explore.Broken), []string{"invariant ValidateOrder: it was rejected"})
		f := r.Findings[0]
		if !f.Class.Bad() || f.Invariant != "never rejected" || f.Case == nil || f.Case.Holds ||
			f.Run.Error != "Order.Rejected" {
			t.Errorf("%+v", f)
		}
	}
}

// The session of a run that has ended is one for the invariants of a suite.
func TestEndedSession(t *testing.T) {
	o := demoOptions(t)
	o.Data = true
	s, err := suite.Load(filepath.Join(filepath.Dir(o.Machine.Definition.File), "a.test.yaml"), []byte(`version: 1
definition: order.asl.json
include: [order.fixtures.yaml]
cases: {a: {expect: {}}}
invariants:
  - {never: Fulfil, without: ChargeCard}
  - {when: SUCCEEDED, assert: "$.paid == \"captured\""}
  - {after: ChargeCard, not: FAILED}
`))
	if err != nil {
		t.Fatal(err)
	}
	o.Check = func(e *explore.Ended) []explore.Violation {
		var list []explore.Violation
		for _, f := range suiterun.Invariants(s, &suiterun.Finished{Session: e.Session()}) {
			list = append(list, explore.Violation{Invariant: f.Expectation, Text: "it is broken", Event: f.Event})
		}
		return list
	}
	var broken []string
	for _, f := range run(t, o).Findings {
		if f.Class == explore.Broken {
			broken = append(broken, f.Invariant+" | "+f.Run.Describe())
		}
	}
	same(t, broken, []string{
		"invariant: after ChargeCard not FAILED | ReserveStock fails with Lambda.ServiceException",
		"invariant: never Fulfil without ChargeCard | ValidateOrder gives a result without total", // the payment is waived
		`invariant: when SUCCEEDED, $.paid == "captured" | ValidateOrder gives a result without total`,
	})
	o.Invariants = must(
		`[{"never":"Fulfil","without":"ChargeCard"},{"when":"SUCCEEDED","assert":"$.paid == \"captured\""},{"after":"ChargeCard","not":"FAILED"}]`,
	)
	save(t, run(t, o)) // the cases fail by the invariants
}

// A task that no base reaches is named, and so are parts that no run reaches.
func TestUnreached(t *testing.T) {
	r := explored(
		t,
		`{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$$.Execution.Name","StringEquals":"never","Next":"A"}],"Default":"B"},
		"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","End":true},
		"B":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:b","Catch":[{"ErrorEquals":["E"],"Next":"S"},{"ErrorEquals":["E"],"Next":"S"}],"End":true},"S":{"Type":"Succeed"}}}`,
	)
	same(t, findings(r, explore.Unreached), []string{
		`unreached C: no run reaches rule 1 ($$.Execution.Name = "never")`, "unreached B: no run reaches catcher 2 (E)", // A is behind C
	})
	if !slices.Contains(r.Notes, "A was not reached, so its faults were not tried") {
		t.Errorf("%q", r.Notes)
	}
}

// Kinds have words.
func TestWords(t *testing.T) {
	if explore.Kind(99).String() != "Kind(?)" || explore.Class(99).String() != "Class(?)" ||
		explore.StepKind(99).String() != "StepKind(?)" ||
		explore.Stop(99).String() != "Stop(?)" ||
		explore.First.String() != "first" {
		t.Error("a kind that is none has a word")
	}
}

// endingContext ends when it has been asked so many times whether it has.
type endingContext struct {
	context.Context
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever the context ends, an exploration ends at once, with what is known by then; its suite is written, too.
func TestInterruptedAnywhere(t *testing.T) {
	whole, ctx := demoOptions(t), &endingContext{Context: t.Context()}
	whole.Given, whole.Parallel = nil, 1
	ctx.left.Store(1 << 40)
	if _, err := explore.Explore(ctx, whole); err != nil {
		t.Fatal(err)
	}
	asked := 1<<40 - ctx.left.Load()
	reported := 0
	for n := range int64(12) {
		ctx := &endingContext{Context: t.Context()}
		ctx.left.Store(asked * n / 12)
		r, err := explore.Explore(ctx, whole)
		if after := -ctx.left.Load(); after > 200 {
			t.Errorf("after the end it went on for %d steps of %d", after, asked)
		}
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%d/12: %v", n, err)
			}
			continue
		}
		reported++
		if r.Stopped != explore.StoppedByContext ||
			!strings.HasSuffix(r.Notes[len(r.Notes)-1], ": it was interrupted") {
			t.Errorf("%d/12: %v, %q", n, r.Stopped, r.Notes)
		}
		saved, err := r.Suite(ctx, filepath.Join(filepath.Dir(r.Definition), "findings.test.yaml"))
		if err != nil || saved.Cases == 0 {
			t.Errorf("%d/12: %+v, %v", n, saved, err)
		}
	}
	if reported < 6 {
		t.Errorf("%d of 12 had a result", reported)
	}
}

// The case of a loop without an end fails, and passes where a bound of the attempts ends it with an error or without.
func TestCaseOfALoop(t *testing.T) {
	const loop = `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a",` +
		`"Catch":[{"ErrorEquals":["Again"],"ResultPath":null,"Next":"A"}],"End":true}}}`
	r := explored(t, loop)
	saved, err := r.Suite(t.Context(), filepath.Join(filepath.Dir(r.Definition), "a.test.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(saved.Text)
	if !strings.Contains(text, "-> no end") ||
		!strings.Contains(text, "      status: [SUCCEEDED, FAILED]\n      events: \"< ") ||
		len(saved.Dropped) > 0 {
		t.Fatalf("%q dropped, the suite:\n%s", saved.Dropped, text)
	}
	s, err := suite.Load(filepath.Join(filepath.Dir(r.Definition), "a.test.yaml"), saved.Text)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(s.Cases, func(c *suite.Case) bool { return strings.HasSuffix(c.Name, "-> no end") })
	bounded := strings.Replace(loop, `"Catch"`, `"Retry":[{"ErrorEquals":["Again"],"MaxAttempts":3}],"Catch"`, 1)
	bounded = strings.Replace(bounded, `"Next":"A"}]`, `"Next":"F"}]`, 1)
	bounded = strings.Replace(bounded, `"End":true}}}`, `"End":true},"F":{"Type":"Fail","Error":"GaveUp"}}}`, 1)
	for definition, want := range map[string]suite.Kind{loop: suite.OutcomeFailed, bounded: suite.Passed} {
		if got, _ := suiterun.RunCase(s.Cases[at], open(t, definition), suiterun.CaseOptions{}); got.Kind != want {
			t.Errorf("%s: %v, %+v", definition, got.Kind, got.Findings)
		}
	}
}
