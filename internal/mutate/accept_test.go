package mutate

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
)

// judged follows each hint of the survivors of suites: with the expectation that it names, the case passes, and fails
// with the mutant. It returns how many hints there are, and those with an expectation that was written.
func judged(t *testing.T, s *suite.Suite, m *suiterun.Machine) (hints, right int) {
	t.Helper()
	r := run(t, s, m, Options{})
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.Status != Survived && o.Status != NotCovered {
			continue
		}
		hints++
		name := o.Name() + ": " + o.Description + ": " + o.Missing
		if o.State != nil && !wayOn.MatchString(o.Missing) {
			t.Errorf("no way on: %s", name)
		}
		if o.Expected == nil {
			verdict := "by hand"
			if way := injection.FindString(o.Missing); way != "" {
				verdict = "right"
				if !leads(t, s, m, o, way[1:len(way)-1]) {
					t.Errorf("%s: with that, no run can show the mutant", name)
				}
				right++
			}
			t.Logf("%-11s %s: %s", verdict, o.Status, name)
			continue
		}
		if _, err := Accept(context.Background(), m, o, testkit.Read(t, s.Name), Options{}); err != nil {
			t.Errorf("%s\n\t%v", name, err)
			continue
		}
		t.Logf("%-11s %s: %s", "right", o.Status, name)
		right++
	}
	return hints, right
}

// wayOn is what a hint ends with, or has before the values that differ: an expectation, or data or errors of a case.
var wayOn = regexp.MustCompile(`\((inject: \{|tasks: \{|states: \{|error\)|output\)|path, order, never\)|duration, |\$\S+ = )`)

var injection = regexp.MustCompile(`\(inject: \{.*\}\)`)

// leads reports whether one of the cases goes through the place of a mutant with errors.
func leads(t *testing.T, s *suite.Suite, m *suiterun.Machine, o *Outcome, way string) bool {
	t.Helper()
	errors, problem := source.Read(&source.File{Name: "way.yaml", Data: []byte(way)}, nil)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	inject := errors.Get("inject").Members[0]
	r := &runner{machine: m}
	for _, c := range s.Cases {
		text, err := suiterun.AddToCase(c, testkit.Read(t, s.Name), []string{"inject", inject.Key}, inject.Node.Value)
		if err != nil {
			continue
		}
		changed, err := suite.Load(s.Name, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range changed.Cases {
			if other.Name != c.Name {
				continue
			}
			outcome, ran := r.run(t.Context(), other, m, 0)
			before := r.base(other, outcome, ran)
			if o.Status == NotCovered && o.needs.met(o.State, before.covered) {
				return true
			}
			machine, err := r.changed(o.Mutant)
			if err != nil || ran == nil {
				t.Fatal(err)
			}
			if _, after := r.run(t.Context(), other, machine, 0); o.Status == Survived && after != nil {
				if text, _ := r.unexpected(before.summary(), summaryOf(after.Log())); text != "" {
					return true
				}
			}
		}
	}
	return false
}

// Each hint about a suite that expects little is right: the expectation that it names kills the mutant. A part that is
// written already, or is the row of a table, is changed by hand.
func TestHints(t *testing.T) {
	s, m := load(t, charge, chargeSuite)
	if hints, right := judged(t, s, m); hints != 8 || right != 6 {
		t.Errorf("%d of %d hints are right, wanted 6 of 8", right, hints)
	}
	for _, test := range []struct{ definition, suite, want string }{
		{ // without a retry the execution has ended before the other branch begins
			"StartAt: P\nStates:\n  P:\n    Type: Parallel\n    End: true\n    Branches:\n" +
				"      - {StartAt: A, States: {A: {Type: Task, Resource: 'arn:aws:states:::lambda:invoke', End: true," +
				" Retry: [{ErrorEquals: [X], MaxAttempts: 1, IntervalSeconds: 1}]}}}\n" +
				"      - {StartAt: W, States: {W: {Type: Wait, Seconds: 3, Next: B}," +
				" B: {Type: Task, Resource: 'arn:aws:states:::lambda:invoke', End: true}}}\n",
			"tasks: {A: [{error: X}, {error: X}], B: [{output: 1}]}\ncases:\n  a:\n    expect:\n      status: FAILED\n",
			`states: {"P/Branches[1]/W": {visits: 1}}` + "\n      status: FAILED",
		}, {
			"StartAt: A\nStates:\n  A: {Type: Pass, Parameters: {'n.$': $.n}, ResultPath: $.a, End: true}\n",
			"input: {n: '$x'}\ncases: {b: {expect: {path: [A]}}}",
			`{expect: {output: {"a": {"n": "$$x"}}, path: [A]}}`,
		},
	} {
		s, m := load(t, test.definition, "version: 1\ndefinition: a.asl.yaml\n"+test.suite)
		r := run(t, s, m, Options{})
		var found []string
		for i := range r.Outcomes {
			if o := &r.Outcomes[i]; o.Expected != nil {
				text, err := Accept(t.Context(), m, o, testkit.Read(t, s.Name), Options{})
				if err != nil {
					t.Errorf("%s: %v", o.Description, err)
				}
				found = append(found, string(text))
			}
		}
		if !slices.ContainsFunc(found, func(text string) bool { return strings.Contains(text, test.want) }) {
			t.Errorf("no suite has %s:\n%s", test.want, strings.Join(found, "\n\n"))
		}
	}
}

// The errors in hints are taken by the retrier or catcher that the hint is about: the first one that matches has it,
// States.TaskFailed does not match States.Timeout, and an error comes once more than its own retrier tries again. Only
// a Task has results in tasks, and only the boundary of an order tells two comparisons apart.
func TestNeeds(t *testing.T) {
	_, m := load(t, `StartAt: C
States:
  C:
    Type: Choice
    Choices:
      - {Variable: $.n, NumericGreaterThan: 3, Next: P}
      - {Variable: $.x, IsPresent: true, Next: P}
      - {Variable: $.s, StringEquals: a, Next: P}
      - {Not: {Variable: $.s, StringLessThan: b}, Next: P}
    Default: A
  P:
    Type: Parallel
    ResultPath: $.p
    Branches: [{StartAt: B, States: {B: {Type: Pass, End: true}}}]
    Next: A
  A:
    Type: Task
    Resource: arn:aws:states:::lambda:invoke
    ResultPath: $.a
    Retry:
      - {ErrorEquals: [Busy], MaxAttempts: 2}
      - {ErrorEquals: [States.TaskFailed], MaxAttempts: 3}
      - {ErrorEquals: [States.ALL], MaxAttempts: 1}
    Catch:
      - {ErrorEquals: [Busy, Other], ResultPath: $.e, Next: D}
      - {ErrorEquals: [Busy, Third, States.TaskFailed], ResultPath: $.e, Next: D}
      - {ErrorEquals: [States.ALL], ResultPath: $.e, Next: D}
    Next: D
  D: {Type: Succeed}
`, "version: 1\ndefinition: a.asl.yaml\ncases: {a: {expect: {}}}")
	const timeout = "inject: {A: {error: States.Timeout, times: 2}}"
	found := map[string]need{}
	for _, mutant := range Of(m.Definition.Machine) {
		found[mutant.Name()+": "+mutant.Description] = mutant.needs
	}
	for name, want := range map[string]need{
		"A: catcher 1 (Busy, Other) dropped":                          {missing: "(inject: {A: {error: Busy, times: 3}})"},
		"A: catcher 2 (Busy, Third, States.TaskFailed) dropped":       {missing: "(inject: {A: {error: Third, times: 4}})"},
		"A: catcher 3 (States.ALL) dropped":                           {missing: "(" + timeout + ")"},
		"A: catcher 3 takes States.TaskFailed in place of States.ALL": {missing: "(" + timeout + ")", way: timeout},
		"A: retrier 2 (States.TaskFailed) dropped":                    {missing: "(inject: {A: Some.Error})"},
		"A: retrier 3 (States.ALL) dropped":                           {missing: "(inject: {A: States.Timeout})"},
		"A: retrier 3: MaxAttempts 1 is 2":                            {missing: "(" + timeout + ")"},
		"A: ResultPath $.a is null":                                   {missing: "(tasks: {A: [{output: ...}]})"},
		"P: ResultPath $.p is null":                                   {missing: "P has a result in no case"},
		"C: rule 1: NumericGreaterThan is NumericGreaterThanEquals":   {missing: "rule 1", way: "$.n = 3"},
		"C: rule 2: IsPresent true is false":                          {missing: "rule 2"},
		"C: rule 3: StringEquals is negated":                          {missing: "rule 3"},
		"C: rule 4: StringLessThan is StringLessThanEquals":           {missing: "rule 4", way: `$.s = "b"`},
	} {
		if got, ok := found[name]; !ok || !strings.HasSuffix(got.missing, want.missing) || got.way != want.way {
			t.Errorf("%s: %q, way %q", name, got.missing, got.way)
		}
	}
	if t.Failed() {
		for name := range found {
			t.Log(name)
		}
	}
}

// An expectation is written into a case with a table where all rows meet it; else the error says what to write where.
func TestAcceptInATable(t *testing.T) {
	const definition = "StartAt: A\nStates:\n  A: {Type: Pass, Parameters: {'n.$': $.n}, ResultPath: $.a, End: true}\n"
	for rows, want := range map[string]string{
		"[{m: 1, n: 1}, {m: 2, n: 1}]": `output: {"a": {"n": 1}}`,
		"[{m: 1, n: 1}, {m: 2, n: 2}]": `the case "n1" is row 1 of a table, and not all rows meet it: ` +
			`give the table a column with 1 in this row, and write "{{COLUMN}}" at expect, output, a, n`,
	} {
		s, m := load(t, definition, "version: 1\ndefinition: a.asl.yaml\ncases:\n  \"n{{m}}\":\n    table: "+rows+
			"\n    input: {n: '{{n}}'}\n    expect:\n      path: [A]\n")
		r := run(t, s, m, Options{})
		i := slices.IndexFunc(r.Outcomes, func(o Outcome) bool { return o.Expected != nil })
		if i < 0 {
			t.Fatal("there is no hint")
		}
		text, err := Accept(t.Context(), m, &r.Outcomes[i], testkit.Read(t, s.Name), Options{})
		if got := string(text); err == nil && !strings.Contains(got, want) || err != nil && err.Error() != want {
			t.Errorf("%s: %v\n%s", rows, err, got)
		}
	}
}

// A call that is left out or comes in addition is its own state's, not the next call's.
func TestOtherCalls(t *testing.T) {
	called := func(states ...string) *summary {
		s := &summary{}
		for _, state := range states {
			s.calls.add(state, value.Null{})
		}
		return s
	}
	for _, test := range [][2]*summary{
		{called("Y"), called("X", "Y")}, {called("X", "Y"), called("Y")}, {called("Y", "X", "Y"), called("Y", "Y")},
	} {
		if text, _ := (&runner{}).unexpected(test[0], test[1]); !strings.HasPrefix(text,
			"no case expects the calls of X ") {
			t.Errorf("%v, %v: %s", test[0].calls.states, test[1].calls.states, text)
		}
	}
}

// Changes that the data flow proves to make no difference are no mutants.
func TestEquivalent(t *testing.T) {
	const task = "Type: Task, Resource: 'arn:aws:states:::lambda:invoke'"
	for next, equal := range map[string]bool{
		"{Type: Fail, Error: E}":                                               true,
		"{Type: Fail, ErrorPath: $.e}":                                         false,
		"{Type: Pass, Result: 1, Next: C}":                                     true,
		"{Type: Pass, Result: 1, ResultPath: $.b, Next: C}":                    false,
		"{Type: Pass, Parameters: {a: [{'b.$': $.b}]}, Next: C}":               false,
		"{Type: Pass, Next: C}":                                                false,
		"{Type: Wait, Seconds: 1, Next: D}":                                    true,
		"{Type: Wait, SecondsPath: $.n, Next: D}":                              false,
		"{" + task + ", Parameters: {FunctionName: f}, Next: C}":               true,
		"{" + task + ", Next: C}":                                              false,
		"{" + task + ", Parameters: {a: 1}, ResultPath: null, Next: C}":        false,
		"{" + task + ", Parameters: {a: 1}, TimeoutSecondsPath: $.n, Next: C}": false,
		"{" + task + ", Parameters: {a: 1}, Catch: [{ErrorEquals: [States.ALL], ResultPath: $.e, Next: C}], Next: C}": false,
		"{Type: Succeed}": false,
	} {
		_, m := load(t, "StartAt: S\nStates:\n"+
			"  S: {Type: Choice, Default: A, Choices: [{Variable: $.c, IsPresent: true, Next: C},"+
			" {Variable: $.d, IsPresent: true, Next: D}]}\n  A: {"+task+", ResultPath: $.a, Next: B}\n  B: "+next+
			"\n  C: {Type: Succeed}\n  D: {Type: Fail}\n", "version: 1\ndefinition: a.asl.yaml\ncases: {a: {expect: {}}}")
		if of := ofState(m, "A"); (len(of) == 0) != equal {
			t.Errorf("before %s: %q", next, of)
		}
	}
	for text, want := range map[string]int{"x": 0, "$x": 1, "{% $x + 1 %}": 1} {
		_, m := load(t, "QueryLanguage: JSONata\nStartAt: A\nStates:\n  A: {Type: Pass, Assign: {x: 1}, Next: B}\n"+
			"  B: {Type: Pass, Output: '"+text+"', End: true}\n", "version: 1\ndefinition: a.asl.yaml\ncases: {a: {expect: {}}}")
		if of := ofState(m, "A"); len(of) != want {
			t.Errorf("read by %s: %q", text, of)
		}
	}
}

// ofState returns what the mutants of a state change.
func ofState(m *suiterun.Machine, state string) (list []string) {
	for _, mutant := range Of(m.Definition.Machine) {
		if mutant.Name() == state {
			list = append(list, mutant.Description)
		}
	}
	return list
}

var definitionOf = regexp.MustCompile(`(?m)^definition: (.*)$`)

// The hints about ten published workflows with suites that expect little.
func TestHintsAboutWorkflows(t *testing.T) {
	workflows := testkit.Dir(t, "workflows")
	suites, err := filepath.Glob("../cli/testdata/workflows/*.test.yaml")
	if err != nil || len(suites) == 0 {
		t.Fatal(err)
	}
	hints, right := 0, 0
	for _, name := range suites {
		text := testkit.Read(t, name)
		definition := definitionOf.FindSubmatch(text)[1]
		folder := t.TempDir()
		name = filepath.Join(folder, filepath.Base(name))
		for file, data := range map[string][]byte{
			name: text, filepath.Join(folder, string(definition)): testkit.Read(t, workflows, "files", string(definition)),
		} {
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, m := examined(t, name, text)
		some, of := judged(t, s, m)
		hints, right = hints+some, right+of
	}
	t.Logf("%d hints, %d followed and right", hints, right)
	if hints != 68 || right != 65 { // the others are a result that is missing, and times that run out
		t.Errorf("%d of %d hints were followed and are right, wanted 65 of 68", right, hints)
	}
}
