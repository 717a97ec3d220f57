package suiterun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit/suites"
)

// A shop charges, and ships each line; what fails is refunded, or not.
const shop = `{
  "StartAt": "Charge",
  "States": {
    "Charge": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "ResultPath": "$.payment",
      "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": null, "Next": "Lines"}], "Next": "Lines"},
    "Lines": {"Type": "Map", "ItemsPath": "$.lines", "ItemProcessor": {"StartAt": "Reserve", "States": {
        "Reserve": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
          "Catch": [{"ErrorEquals": ["Out"], "ResultPath": null, "Next": "Ship"}], "Next": "Ship"},
        "Ship": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true}}},
      "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": null, "Next": "Refund"}], "ResultPath": null, "End": true},
    "Refund": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "ResultPath": null,
      "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": null, "Next": "Broken"}], "Next": "Broken"},
    "Broken": {"Type": "Fail", "Error": "Shop.Broken"}
  }
}`

// Rules mean that states succeeded, one after the other and in one iteration.
func TestInvariantForms(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	definition := write("shop.asl.json", shop)
	const plain = `{Charge: [{output: 1}], Reserve: [{output: {}, repeat: forever}], Ship: [{output: {}, repeat: forever}], Refund: [{output: {}, repeat: forever}]}`
	const lines = `input: {lines: [{}, {}]}, `
	for _, test := range []struct{ name, rule, run, want string }{
		{"a state that is entered", `{never: Ship}`, lines,
			`never Ship|Lines/Iterations[0]/Ship|it was entered at event`},
		{"a state that is not entered", `{never: Refund}`, lines, ``},
		{"a glob", `{never: "Lines/**"}`, lines, `never Lines/**|Lines/Iterations[0]/Reserve|entered`},
		{"after success", `{never: Ship, without: Charge}`, lines, ``},
		{"after failure", `{never: Ship, without: Charge}`, lines + `inject: {Charge: No}, `,
			`never Ship without Charge|Lines/Iterations[0]/Ship|and Charge had not succeeded before`},
		{"each iteration separately", `{never: Ship, without: Reserve}`, lines +
			`tasks: {"Lines/Iterations[1]/Reserve": [{error: Out}]}, `,
			`without Reserve|Lines/Iterations[1]/Ship|Reserve had not succeeded`},
		{"a numbered iteration", `{never: "Lines/Iterations[1]/Ship", without: "Lines/Iterations[0]/Reserve"}`, lines,
			``},
		{"a state around it", `{never: Ship, without: Lines}`, lines, ``},
		{"a condition", `{when: SUCCEEDED, assert: $.payment != null}`, lines, ``},
		{"a condition that does not hold", `{when: SUCCEEDED, assert: $.payment != null}`, lines +
			`inject: {Charge: No}, `, `when SUCCEEDED, $.payment != null|`},
		{"a condition of another end", `{when: [FAILED, TIMED_OUT], assert: $.Error == "x"}`, lines, ``},
		{"a condition on an error", `{when: [FAILED, TIMED_OUT], assert: '{% $states.output.Error = "x" %}'}`, lines +
			`inject: {Ship: No}, `, `when FAILED or TIMED_OUT, {% $states.output.Error = "x" %}|`},
		{"a condition on each run", `{assert: $.Error == "Shop.Broken"}`, lines + `inject: {Ship: No}, `, ``},
		{"compensated", `{after: Charge, not: FAILED, unless: Refund}`, lines + `inject: {Ship: No}, `, ``},
		{"not compensated", `{after: Charge, not: FAILED, unless: Refund}`, lines + `inject: {Ship: No, Refund: No}, `,
			`after Charge not FAILED unless Refund|FAILED|Charge succeeded at event 6, and the run ended at event 36 with Shop.Broken; Refund did not succeed between them`},
		{"nothing to compensate", `{after: Charge, not: FAILED}`, lines + `inject: {Charge: No, Ship: No}, `, ``},
		{"another end", `{after: Charge, not: [FAILED, TIMED_OUT]}`, lines, ``},
		{"an order", `{after: Refund, not: FAILED, unless: Charge}`, lines + `inject: {Ship: No}, `,
			`after Refund not FAILED unless Charge|FAILED|Refund succeeded`},
		{"a Fail state", `{after: Charge, not: FAILED, unless: Broken}`, lines + `inject: {Ship: No}, `, ``},
		{"each iteration is compensated", `{after: Reserve, not: FAILED, unless: Ship}`, lines +
			`tasks: {"Lines/Iterations[1]/Ship": [{error: No}]}, `,
			`unless Ship|FAILED|Lines/Iterations[1]/Reserve succeeded`},
	} {
		file := write("shop.test.yaml", "version: 1\ndefinition: shop.asl.json\ntasks: "+plain+"\ninvariants:\n  - "+
			test.rule+"\ncases:\n  a: {"+test.run+"expect: {status: SUCCEEDED}}\n")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := suite.Load(file, text)
		if err != nil {
			t.Fatal(test.name, err)
		}
		m, err := suiterun.OpenCase(*s.Definition(), suiterun.Settings{})
		if err != nil {
			t.Fatal(definition, err)
		}
		if err := suiterun.CheckCase(s, m); err != nil {
			t.Fatal(test.name, err)
		}
		outcome, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
		got := ""
		for _, f := range outcome.Findings {
			if strings.HasPrefix(f.Expectation, "invariant: ") {
				got += suites.Outcome(outcome)
				if f.At.Line != 5 || f.Event < 0 {
					t.Errorf("%s: the finding is at line %d, event %d", test.name, f.At.Line, f.Event)
				}
			}
		}
		if test.want == "" && got != "" {
			t.Errorf("%s: the rule is broken\n%s", test.name, got)
		}
		for part := range strings.SplitSeq(test.want, "|") {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is not in\n%s(%s)", test.name, part, got, suites.Outcome(outcome))
			}
		}
	}
}

// A run that did not come to its end is checked for states, and not for its end.
func TestInvariantsOfEndlessRuns(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`defaults: {maxEvents: 20}
cases:
  a: {expect: {}}
invariants:
  - {never: ValidateOrder}
  - {assert: $.paid == "never"}
  - {after: ValidateOrder, not: [SUCCEEDED, FAILED]}
`)
	got, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
	if text := suites.Outcome(got); strings.Count(text, "invariant") != 1 ||
		!strings.Contains(text, "never ValidateOrder") {
		t.Error(text)
	}
}
