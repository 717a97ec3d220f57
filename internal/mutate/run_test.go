package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine/coverage"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit/suites"
	"asldb/recorder"
)

// load writes a definition and a suite about it, and reads them.
func load(t *testing.T, definition, text string) (*suite.Suite, *suiterun.Machine) {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{"a.asl.yaml": definition, "a.test.yaml": text} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return examined(t, filepath.Join(folder, "a.test.yaml"), []byte(text))
}

// examined reads a suite, and the definition that it is about.
func examined(t *testing.T, name string, text []byte) (*suite.Suite, *suiterun.Machine) {
	t.Helper()
	s, err := suite.Load(name, text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := suiterun.OpenCase(*s.Definition(), suiterun.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return s, m
}

// outcomes writes what became of the mutants in lines.
func outcomes(r *Result) string {
	var b strings.Builder
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		fmt.Fprintf(&b, "%s: %s: %s", o.Name(), o.Description, o.Status)
		if o.Killer != nil {
			fmt.Fprintf(&b, " by %s (%s)", o.Killer.Name, o.Expectation)
		}
		if o.Missing != "" {
			fmt.Fprintf(&b, ": %s", o.Missing)
		}
		if o.Case != nil {
			fmt.Fprintf(&b, " in %s", o.Case.Name)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func run(t *testing.T, s *suite.Suite, m *suiterun.Machine, o Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), m, s.Cases, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const charge = `StartAt: Due
States:
  Due:
    Type: Choice
    Choices:
      - Variable: $.total
        NumericGreaterThan: 0
        Next: Charge
    Default: Done
  Charge:
    Type: Task
    Resource: arn:aws:states:::lambda:invoke
    TimeoutSeconds: 60
    Parameters: {FunctionName: charge, Payload: {amount.$: $.total}}
    ResultPath: $.charge
    Retry: [{ErrorEquals: [Busy], MaxAttempts: 1}]
    Catch:
      - {ErrorEquals: [Declined], ResultPath: $.error, Next: Note}
    Next: Note
  Note: {Type: Pass, OutputPath: $.total, Next: Done}
  Done: {Type: Succeed}
`

const chargeSuite = `version: 1
definition: a.asl.yaml
input: {total: 5}
tasks:
  Charge: [{output: {id: 7}}]
cases:
  pays:
    expect: {path: [Due, Charge, Note, Done]}
  nothing to pay:
    input: {total: -1}
    expect: {never: Charge}
  declined:
    inject: {Charge: Declined}
    expect: {output: 5}
  skipped:
    skip: later
    expect: {output: 6}
`

// Each mutant is killed by the case that is about it, or survives with the expectation that is missing.
func TestRun(t *testing.T) {
	s, m := load(t, charge, chargeSuite)
	want := `Due: rule 1: NumericGreaterThan is NumericGreaterThanEquals: survived: every run is as before: no case has data for which the two conditions of Due differ ($.total = 0) in nothing to pay
Due: Default leads to Charge, as rule 1 does: killed by nothing to pay (never)
Charge: TimeoutSeconds dropped: not covered: no case makes Charge time out (tasks: {Charge: [{output: ..., after: ...}]})
Charge: Parameters.Payload without amount: survived: no case expects the payload of Charge (tasks: {Charge: [{payload: ...}]}): $.Payload.amount is absent in place of 5 in pays
Charge: ResultPath $.charge is null: survived: no case expects the output of Charge (states: {Charge: {output: ...}}): $.charge is absent in place of {"id":7} in pays
Charge: ResultPath dropped: killed by pays (status)
Charge: retrier 1 (Busy) dropped: not covered: no case has an error of Charge that retrier 1 takes (inject: {Charge: Busy})
Charge: retrier 1: MaxAttempts 1 is 2: not covered: no case uses up retrier 1 of Charge (inject: {Charge: {error: Busy, times: 2}})
Charge: retrier 1: IntervalSeconds 1 is 2: not covered: no case has an error of Charge that retrier 1 takes (inject: {Charge: Busy})
Charge: catcher 1 (Declined) dropped: killed by declined (status)
Charge: catcher 1: ResultPath $.error is null: survived: no case expects the output of Charge (states: {Charge: {output: ...}}): $.error is absent in place of {"Error":"Declined","Cause":""} in declined
Charge: catcher 1: ResultPath dropped: killed by declined (status)
Note: OutputPath dropped: killed by declined (output)`
	for _, parallel := range []int{1, 2, 7} {
		r := run(t, s, m, Options{Parallel: parallel})
		suites.Same(t, outcomes(r), want)
		if r.Cases != 3 || r.All != 13 {
			t.Errorf("%d cases, %d mutants", r.Cases, r.All)
		}
		if sum := (&Summary{}); true {
			sum.Add(r)
			if sum.Total() != 13 || sum.Score() != 38 || sum.Killed != 5 || sum.Survived != 4 || sum.NotCovered != 4 {
				t.Errorf("%+v, %d", sum, sum.Score())
			}
		}
	}
	r := run(t, s, m, Options{Redact: redactions(t)})
	if text := outcomes(r); strings.Contains(text, "in place of") ||
		!strings.Contains(text, "$.Payload.amount is another") {
		t.Errorf("values are shown:\n%s", text)
	}
	if o := &r.Outcomes[3]; !strings.HasSuffix(o.Command(), "a.test.yaml:pays --break Charge") ||
		!strings.Contains(string(o.Diff), "-    Parameters: {FunctionName: charge, Payload: {amount.$: $.total}}\n+    Parameters: {FunctionName: charge, Payload: {}}\n") {
		t.Errorf("%s\n%s", o.Command(), o.Diff)
	}
	if o := &r.Outcomes[1]; o.Diff != nil || o.Command() != "" {
		t.Error("a mutant that was killed has a diff")
	}
}

func redactions(t *testing.T) *suiterun.Redactions {
	t.Helper()
	path, err := recorder.ParseRedaction("$..amount")
	if err != nil {
		t.Fatal(err)
	}
	return suiterun.NewRedactions([]*recorder.Redaction{path})
}

// A run that lacks a result says which payload the task got, without what is redacted.
func TestRedactedReason(t *testing.T) {
	s, m := load(t, charge, `version: 1
definition: a.asl.yaml
cases:
  nothing to pay: {input: {total: -77}, expect: {}}
`)
	for _, o := range []Options{{}, {Redact: redactions(t)}} {
		reason := run(t, s, m, o).Outcomes[1].Expectation
		if strings.Contains(reason, "no result for invocation 1 of the task") != (o.Redact == nil) ||
			strings.Contains(reason, "-77") != (o.Redact == nil) {
			t.Errorf("the reason is %s", reason)
		}
	}
}

// Expectations that are missing are found in each part of a run.
func TestMissing(t *testing.T) {
	for name, test := range map[string]struct{ definition, suite, want string }{
		"error": {
			"StartAt: A\nStates:\n  A: {Type: Fail, Error: Broken}\n", "cases: {a: {expect: {status: FAILED}}}",
			"A: Error dropped: survived: no case expects the error (error): none in place of Broken in a",
		},
		"path": {
			"StartAt: A\nStates:\n  A: {Type: Choice, Choices: [{Variable: $.a, IsPresent: true, Next: B}], Default: C}\n  B: {Type: Succeed}\n  C: {Type: Succeed}\n",
			"cases: {a: {expect: {}}}",
			"A: rule 1: IsPresent true is false: survived: no case expects the states that the run goes through (path, order, never): B in place of C behind A in a",
		},
		"output": {
			"StartAt: A\nStates:\n  A: {Type: Pass, Result: 1, ResultPath: $.a, End: true}\n",
			"cases: {a: {expect: {}}}",
			"A: ResultPath dropped: survived: no case expects this of the output (output): $ is 1 in place of {\"a\":1} in a",
		},
		"time": {
			"StartAt: A\nStates:\n  A: {Type: Wait, Seconds: 5, End: true}\n", "cases: {a: {expect: {}}}",
			"A: Seconds 5 is 6: survived: no case expects the time that the run takes (duration, retryDelay): 6s in place of 5s in a",
		},
		"calls": {
			"StartAt: A\nStates:\n  A: {Type: Task, Resource: 'arn:aws:states:::lambda:invoke', Retry: [{ErrorEquals: [X], MaxAttempts: 1}], Catch: [{ErrorEquals: [X], Next: B}], End: true}\n  B: {Type: Succeed}\n",
			"tasks: {A: [{error: X, repeat: forever}]}\ncases: {a: {expect: {}}}",
			"A: retrier 1: MaxAttempts 1 is 2: survived: no case expects the calls of A (tasks: {A: {count: ...}}): 3 in place of 2 in a\n" +
				"A: retrier 1 (X) dropped: survived: no case expects the calls of A (tasks: {A: {count: ...}}): 1 in place of 2 in a",
		},
		"timeout": {
			"StartAt: A\nTimeoutSeconds: 5\nStates:\n  A: {Type: Wait, Seconds: 9, End: true}\n",
			"cases: {a: {expect: {status: TIMED_OUT}}}",
			"the state machine: TimeoutSeconds dropped: killed by a (status)",
		},
		"no timeout": {
			"StartAt: A\nTimeoutSeconds: 5\nStates:\n  A: {Type: Wait, Seconds: 1, End: true}\n",
			"cases: {a: {expect: {duration: 1s}}}",
			"the state machine: TimeoutSeconds dropped: not covered: no case makes the execution time out",
		},
		"a state that is not entered": {
			"StartAt: A\nStates:\n  A: {Type: Choice, Choices: [{Variable: $.a, IsPresent: true, Next: B}], Default: C}\n  B: {Type: Wait, Seconds: 5, End: true}\n  C: {Type: Succeed}\n",
			"cases: {a: {expect: {never: B}}}",
			"B: Seconds 5 is 6: not covered: no case enters B",
		},
		"endless": {
			"StartAt: A\nStates:\n  A: {Type: Pass, Parameters: {'n.$': 'States.MathAdd($.n, 1)'}, Next: B}\n  B: {Type: Choice, Choices: [{Variable: $.n, NumericEquals: 3, Next: C}], Default: A}\n  C: {Type: Succeed}\n",
			"input: {n: 0}\ncases: {a: {expect: {output: {n: 3}}}}",
			"A: Parameters without n: killed by a (status)\nB: Default leads to C, as rule 1 does: killed by a (output)\nA: ResultPath null added: timed out by a (maxEvents)",
		},
		"JSONata": {
			"QueryLanguage: JSONata\nStartAt: A\nStates:\n  A: {Type: Choice, Choices: [{Condition: \"{% $states.input.n > 3 and $not($states.input.free) %}\", Next: B, Output: 1, Assign: {x: 1}}], Default: C}\n" +
				"  B: {Type: Succeed}\n  C: {Type: Pass, Output: \"{% $states.input.n = 3 ? 'three' : 'no' %}\", End: true}\n",
			"cases: {a: {input: {n: 5, free: false}, expect: {path: [A, B]}}, b: {input: {n: 1, free: false}, expect: {path: [A, C]}}}",
			`A: > is >= in "$states.input.n > 3 and $not($states.input.free)": survived: every run is as before: no case has data for which the two conditions of A differ in a
A: and is or in "$states.input.n > 3 and $not($states.input.free)": killed by b (path)
A: $not dropped in "$states.input.n > 3 and $not($states.input.free)": killed by a (path)
A: rule 1: Output dropped: survived: no case expects this of the output (output): $ is {"n":5,"free":false} in place of 1 in a
A: Default leads to B, as rule 1 does: killed by b (path)
C: Output dropped: survived: no case expects this of the output (output): $ is {"n":1,"free":false} in place of "no" in b
C: = is != in "$states.input.n = 3 ? 'three' : 'no'": survived: no case expects this of the output (output): $ is "three" in place of "no" in b`,
		},
	} {
		s, m := load(t, test.definition, "version: 1\ndefinition: a.asl.yaml\n"+test.suite+"\n")
		got := outcomes(run(t, s, m, Options{}))
		for line := range strings.SplitSeq(test.want, "\n") {
			if !strings.Contains(got, line+"\n") {
				t.Errorf("%s: %q is not in\n%s", name, line, got)
			}
		}
	}
}

// Rules that are never both true are not swapped, nor are those that lead to the same end.
func TestExclusive(t *testing.T) {
	for rules, want := range map[string]bool{
		`[{Variable: $.a, StringEquals: x, Next: B}, {Variable: $.a, StringEquals: y, Next: C}]`:       false,
		`[{Variable: $.a, StringEquals: x, Next: B}, {Variable: $.b, StringEquals: y, Next: C}]`:       true,
		`[{Variable: $.a, NumericLessThan: 1, Next: B}, {Variable: $.a, NumericLessThan: 2, Next: C}]`: true,
		`[{Variable: $.a, NumericLessThan: 1, Next: B}, {Variable: $.a, NumericLessThan: 2, Next: B}]`: false,
		`[{Variable: $.a, IsNull: true, Next: B}, {Variable: $.a, IsNull: false, Next: C}]`:            false,
		`[{Variable: $.a, IsNull: true, Next: B}, {Variable: $.a, IsString: true, Next: C}]`:           true,
	} {
		_, m := load(t, "StartAt: A\nStates:\n  A: {Type: Choice, Default: C, Choices: "+rules+
			"}\n  B: {Type: Succeed}\n  C: {Type: Succeed}\n",
			"version: 1\ndefinition: a.asl.yaml\ncases: {a: {expect: {}}}\n")
		names, _ := changes(m)
		if strings.Contains(names, "swapped") != want {
			t.Errorf("%s: the mutants are\n%s", rules, names)
		}
	}
	_, m := load(t, "QueryLanguage: JSONata\nStartAt: A\nStates:\n  A: {Type: Choice, Choices: [{Condition: '{% $states.input.a = 1 %}', Next: B}, {Condition: '{% $states.input.a = 2 %}', Next: C}]}\n  B: {Type: Succeed}\n  C: {Type: Succeed}\n",
		"version: 1\ndefinition: a.asl.yaml\ncases: {a: {expect: {}}}\n")
	if names, _ := changes(m); strings.Contains(names, "swapped") {
		t.Errorf("conditions on one value are swapped:\n%s", names)
	}
}

// A sample is chosen by its seed, and stays in the order of the text.
func TestSample(t *testing.T) {
	s, m := load(t, charge, chargeSuite)
	chosen := func(seed int64) string {
		r := run(t, s, m, Options{Sample: 4, Seed: seed})
		numbers := ""
		for i := range r.Outcomes {
			numbers += fmt.Sprint(r.Outcomes[i].Number, " ")
			if i > 0 && r.Outcomes[i].Number <= r.Outcomes[i-1].Number {
				t.Errorf("the order is %s", numbers)
			}
		}
		if len(r.Outcomes) != 4 || r.All != 13 {
			t.Errorf("%d of %d mutants", len(r.Outcomes), r.All)
		}
		return numbers
	}
	first, again, other := chosen(1), chosen(1), chosen(2)
	if first != again || first == other {
		t.Errorf("the seeds choose %s, %s and %s", first, again, other)
	}
}

// Suites that fail are an error, and so are those without an expectation; an end from outside ends the run.
func TestErrors(t *testing.T) {
	s, m := load(t, charge, strings.Replace(chargeSuite, "output: 5", "output: 7", 1))
	var failing *FailingError
	if _, err := Run(context.Background(), m, s.Cases, Options{}); !errors.As(err, &failing) ||
		!strings.Contains(err.Error(), "a.test.yaml:12: declined (failed)") {
		t.Errorf("the error is %v", err)
	}
	if _, err := Run(context.Background(), m, s.Cases[3:], Options{}); err == nil ||
		!strings.Contains(err.Error(), "no case has an expectation") {
		t.Errorf("the error is %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Run(ctx, m, s.Cases[:1], Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// A suite about the built-in example notices each of its changes; with a case left out it does not.
func TestDemo(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "order.test.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s, m := suites.Load(t, string(text))
	var sum Summary
	r := run(t, s, m, Options{})
	if sum.Add(r); sum.Total() != 63 || sum.Killed != 63 {
		t.Errorf("%+v\n%s", sum, outcomes(r))
	}
	slow := slices.IndexFunc(s.Cases, func(c *suite.Case) bool { return c.Name == "the card service stays slow" })
	r, err = Run(context.Background(), m, slices.Delete(slices.Clone(s.Cases), slow, slow+2), Options{})
	if err != nil {
		t.Fatal(err)
	}
	left := ""
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; o.Status != Killed {
			left += o.Description + ": " + o.Missing + "\n"
		}
	}
	suites.Same(t, left, `TimeoutSeconds dropped: no case makes ChargeCard time out (tasks: {ChargeCard: [{output: ..., after: ...}]})
retrier 1: MaxAttempts 3 is 4: no case uses up retrier 1 of ChargeCard (inject: {ChargeCard: {error: Card.Timeout, times: 4}})`)
}

// A case with a new snapshot does not pass.
func TestNewSnapshot(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  pays and ships: {snapshot: true}
`)
	if _, err := Run(context.Background(), m, s.Cases, Options{}); err == nil ||
		!strings.Contains(err.Error(), "(new)") {
		t.Errorf("the error is %v", err)
	}
}

// Kinds and statuses have names.
func TestNames(t *testing.T) {
	for k := CatcherDropped; k <= WaitChanged; k++ {
		if strings.HasPrefix(k.String(), "Kind(") {
			t.Error(k)
		}
	}
	if Kind(99).String() != "Kind(99)" || Status(99).String() != "Status(?)" || Killed.String() != "killed" {
		t.Error("a name is wrong")
	}
	if s := (&Summary{Invalid: 3}); s.Score() != 100 {
		t.Error(s.Score())
	}
}

// The suites of the examples notice every change.
func TestExamples(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "testdata", "examples", "*", "*.test.yaml"))
	if err != nil || len(names) < 6 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, m := examined(t, name, text)
		var sum Summary
		r := run(t, s, m, Options{})
		if sum.Add(r); sum.Score() < 100 || sum.Invalid > 0 {
			t.Errorf("%s: %d %%\n%s", name, sum.Score(), outcomes(r))
		}
	}
}

// A mutant that shares the states without a change runs as one that is made anew as a whole.
func TestSharedStates(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("..", "..", "testdata", "examples", "*", "*.test.yaml"))
	if err != nil || len(names) < 6 {
		t.Fatal(names, err)
	}
	compared := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, m := examined(t, name, text)
		r := &runner{machine: m, snapshots: map[*suite.Suite]*suiterun.File{}}
		for _, mutant := range Of(m.Definition.Machine) {
			shared, err := r.changed(mutant)
			whole, refused := r.whole(mutant)
			if (err == nil) != (refused == nil) {
				t.Fatalf("%s: %s: %v, made as a whole %v", name, mutant.Description, err, refused)
			}
			if err != nil {
				continue
			}
			for _, c := range s.Cases {
				one, a := r.run(t.Context(), c, shared, moreEvents)
				other, b := r.run(t.Context(), c, whole, moreEvents)
				if got, want := ran(one, a), ran(other, b); got != want {
					t.Fatalf("%s: %s: %s: ran\n%s\nmade as a whole\n%s", name, c.Name, mutant.Description, got, want)
				}
				compared++
			}
		}
	}
	if compared < 400 {
		t.Errorf("compared %d runs", compared)
	}
}

// ran writes the outcome and the events of a run.
func ran(o *suite.Outcome, run coverage.Run) string {
	var b strings.Builder
	b.WriteString(suites.Outcome(o))
	if run == nil {
		return b.String()
	}
	for e := range run.Log().All() {
		path := ""
		if e.Visit != nil {
			path = e.Visit.Path()
		}
		fmt.Fprintln(&b, e.Seq, e.Time, e.Type, e.Stage, path, e.Thread)
		for _, v := range []value.Value{e.Before, e.After} {
			if v != nil {
				fmt.Fprintln(&b, value.Compact(v))
			}
		}
	}
	return b.String()
}
