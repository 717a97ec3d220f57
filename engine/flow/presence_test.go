package flow_test

import (
	"testing"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/source"
)

// TestPresenceOfReads: a member that a service may leave out is told to be so, and one that is always there is not.
func TestPresenceOfReads(t *testing.T) {
	m, problems := asl.Parse(&source.File{Name: "t.json", Data: []byte(`{"StartAt": "A", "States": {
		"A": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution",
			"Parameters": {"StateMachineArn": "a"}, "ResultPath": "$.run", "Next": "B"},
		"B": {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:s3:headObject",
			"Parameters": {"Bucket": "b", "Key.$": "$.run.ExecutionArn"}, "Next": "C"},
		"C": {"Type": "Pass", "InputPath": "$.ContentType", "End": true}}}`)})
	if m == nil {
		t.Fatal(problems)
	}
	a := flow.Analyse(m, flow.Options{LiteralFirst: true})
	words := func(state string, names ...string) string {
		s := m.Lookup(state)
		n := s.Node
		for _, name := range names {
			n = n.Get(name)
		}
		for _, one := range a.Reads(s, n.Span) {
			return one.Words
		}
		return ""
	}
	for got, want := range map[string]string{
		words("B", "Parameters", "Key.$"): "string; always; made by A (line 2)",
		words("C", "InputPath"):           "string; made by B (line 4); may be missing",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
