package execute_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/demo"
	"asldb/internal/suite"
	"asldb/internal/suite/execute"
	"asldb/internal/suite/result"
	"asldb/internal/testkit/suitecase"
)

// Executions of other definitions run, and nothing outside is called.
func TestCalls(t *testing.T) {
	s, _ := suitecase.Load(t, suitecase.Head+"cases: {a: {expect: {}}}")
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
		demo.DefinitionName: string(demo.Definition),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := suite.Load(filepath.Join(dir, "parent.test.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := execute.Open(execute.DefinitionOf(s), execute.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := execute.Run(s.Cases[0], m, execute.Options{}); got.Kind != result.Passed {
		t.Error(suitecase.Outcome(got))
	}
	if got, _ := execute.Run(s.Cases[1], m, execute.Options{}); got.Kind != result.Wrong || !strings.Contains(got.Reason, "ValidateOrder") {
		t.Error(suitecase.Outcome(got))
	}
	if got, _ := execute.Run(s.Cases[2], m, execute.Options{}); got.Kind != result.Wrong || !strings.Contains(got.Reason, "exec true") {
		t.Error(suitecase.Outcome(got))
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if got, _ := execute.Run(s.Cases[0], m, execute.Options{Context: ended}); got.Kind != result.Wrong || got.Reason != context.Canceled.Error() {
		t.Error(suitecase.Outcome(got))
	}
	if _, err := execute.Open(execute.DefinitionOf(&suite.Suite{Definition: filepath.Join(dir, "none.json")}), execute.Settings{}); err == nil {
		t.Error("a definition that is not there is no error")
	}
}
