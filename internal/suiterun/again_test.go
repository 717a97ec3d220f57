package suiterun_test

import (
	"os"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
)

const payText = `{"StartAt": "Pay", "States": {"Pay": {"Type": "Task",
  "Resource": "arn:aws:lambda:eu-central-1:123456789012:function:pay", "End": true}}}`

const paySuite = `version: 1
definition: pay.asl.json
cases:
  pays:
    input: {total: 1}
    tasks: {Pay: [{error: Card.Declined}]}
    expect: {output: {paid: true}}
`

// The suite of a case is one of the files of its run: where it has changed the case runs with its new results and its
// new input, and is judged by what it expects now. A suite without the case is refused.
func TestCaseIsReadAgain(t *testing.T) {
	file := testkit.Named(t, map[string]string{"pay.asl.json": payText, "pay.test.yaml": paySuite})
	c, m, err := suiterun.OpenSuites(file("pay.test.yaml"), "pays", definitions.Definition{},
		suiterun.Settings{Dialect: engine.AWS})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := suiterun.Spec(c, m, suiterun.CaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	spec.Case = suiterun.Again(c, m)
	run, err := launch.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	_, err = run.Session.Do(debug.Command{Kind: debug.Continue})
	if err != nil || run.Session.Status() != engine.Failed {
		t.Fatalf("%v, %v", run.Session.Status(), err)
	}
	write := func(text string) {
		if err := os.WriteFile(file("pay.test.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mended := strings.NewReplacer("error: Card.Declined", "output: {paid: true}", "total: 1", "total: 22").
		Replace(paySuite)
	write(mended)
	if run.Changed() != file("pay.test.yaml") {
		t.Errorf("%q has changed", run.Changed())
	}
	next, err := run.Reread()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := next.Apply(false); err != nil || run.Session.Status() != engine.Succeeded ||
		value.Compact(run.Session.Options().Input) != `{"total":22}` {
		t.Errorf("%v with %v: %v", run.Session.Status(), run.Session.Options().Input, err)
	}
	now, err := suiterun.Reread(c, m)
	if err != nil {
		t.Fatal(err)
	}
	judged := suiterun.Judge(now, run, suiterun.CaseOptions{})
	if len(judged.Findings) > 0 || run.Changed() != "" {
		t.Errorf("%+v, %q has changed", judged, run.Changed())
	}
	write(strings.Replace(mended, "pays:", "pay-late:", 1))
	if _, err := run.Reread(); err == nil || !strings.Contains(err.Error(), "pays") {
		t.Errorf("a suite without the case: %v", err)
	}
}
