package suiterun_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/definitions"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit/suites"
)

// Executions of other definitions run, and nothing outside is called.
func TestCalls(t *testing.T) {
	s, _ := suites.Load(t, suites.Head+"cases: {a: {expect: {}}}")
	dir := filepath.Dir(s.Name)
	const text = `version: 1
definition: parent.asl.json
allowLive: true
cases:
  nested:
    tasks: {Child: [{asldb: {definition: order.asl.json, fixtures: order.fixtures.yaml}}]}
    input: {}
    expect: {output: {Status: SUCCEEDED}}
  unanswered:
    tasks: {Child: [{asldb: {definition: order.asl.json}}]}
    expect: {}
  outside:
    tasks: {Child: [{exec: ["true"]}]}
    expect: {}
`
	for name, content := range map[string]string{
		"parent.test.yaml": text,
		"parent.asl.json": `{"StartAt": "Child", "States": {"Child": {"Type": "Task", "End": true, "Resource": "arn:aws:states:::states:startExecution.sync:2",
			"Parameters": {"StateMachineArn": "arn:aws:states:eu-west-1:123456789012:stateMachine:order", "Input": {"order": {"id": 1, "lines": []}, "customer": {"name": "A", "card": "c", "mailbox": "m"}}}}}}`,
		definitions.DefinitionName: string(definitions.DemoDefinition),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := suite.Load(filepath.Join(dir, "parent.test.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := suiterun.OpenCase(*s.Definition(), suiterun.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{}); got.Kind != suite.Passed {
		t.Error(suites.Outcome(got))
	}
	if got, _ := suiterun.RunCase(s.Cases[1], m, suiterun.CaseOptions{}); got.Kind != suite.Wrong ||
		!strings.Contains(got.Reason, "ValidateOrder") {
		t.Error(suites.Outcome(got))
	}
	if got, _ := suiterun.RunCase(s.Cases[2], m, suiterun.CaseOptions{}); got.Kind != suite.Wrong ||
		!strings.Contains(got.Reason, "exec true") {
		t.Error(suites.Outcome(got))
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if got, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{Context: ended}); got.Kind != suite.Wrong ||
		got.Reason != context.Canceled.Error() {
		t.Error(suites.Outcome(got))
	}
	if _, err := suiterun.OpenCase(definitions.Definition{File: filepath.Join(dir, "none.json"), Named: true},
		suiterun.Settings{}); err == nil {
		t.Error("a definition that is not there is no error")
	}
}
