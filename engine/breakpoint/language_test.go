package breakpoint_test

import (
	"slices"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// TestTheStatesOwnLanguage has conditions and watches in the query language of the state.
func TestTheStatesOwnLanguage(t *testing.T) {
	run := lookAt(`{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"f"},"Output":"{% $states.result.Payload %}","Next":"B"},
		"B":{"Type":"Pass","End":true}}}`, `{"n":2,"items":[1,2]}`, runs.InTurn(engine.Outcome{Output: value.Must(`{"Payload":{"n":7}}`)}))
	for _, text := range []string{`B if $states.input.n = 7`, `A if {% $sum($states.input.items) = 4 %}`,
		`A:Output if $states.result.Payload.n > 6`} {
		if _, err := run.Breakpoints().Add(text); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := run.names(run.walk()), []string{"StageCompleted A", "StateEntered B"}; !slices.Equal(got, want) {
		t.Errorf("stops at %q, want %q", got, want)
	}
	for text, want := range map[string]string{`$states.input.n`: `7`, `{"m": "{% $states.input.n + 1 %}"}`: `{"m":8}`,
		`$.n`: `7`, `States.Format('{}', $.n)`: `"7"`} {
		v, err := run.Watches().Evaluate(text, run.Log().Len()-1-1)
		if err != nil || value.Compact(v) != want {
			t.Errorf("%s: %v, %v; want %s", text, v, err, want)
		}
	}
}
