package engine_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/rules"
)

// Recorded causes are held by the cases of the corpora (internal/checks); these are the other marks, as the references
// have them.
func TestSurenessOfCauses(t *testing.T) {
	origin := &engine.Visit{State: &asl.State{Name: "S"}}
	const preface = "An error occurred while executing the state 'S' (entered at the event id #2). "
	tests := []struct {
		name, cause, want string
	}{
		{"States.Runtime", preface + "Invalid path '$.x': The choice state's condition path references an invalid value.", "reported"},
		{"States.Runtime", preface + "The resource belongs to a different partition from the running execution.",
			"reported"},
		{"States.DataLimitExceeded", "The state/task 'S' returned a result with a size exceeding the maximum number of bytes service limit.", "documented"},
		{"States.Runtime", preface + "All variables have 9 bytes together, more than the limit of 8.", "guessed"},
		{"States.Runtime", preface + "Failed to transition out of the state. The state does not point to a next state.",
			"recorded"},
		{"States.Runtime", "Failed to transition out of the state. The state does not point to a next state. Or so.",
			"guessed"},
		{"States.QueryEvaluationError", preface + "The JSONata expression '1' specified for the field 'Output' threw an error during evaluation: Expression evaluation timeout: Check for infinite loop", "reported"},
		{"Card.Declined", "no", ""},
		{"States.TaskFailed", "no", ""},
	}
	for _, test := range tests {
		mark, ok := engine.RecordedFailure(test.name, test.cause, "", origin).Sureness()
		got := ""
		if ok {
			got = mark.String()
		}
		if got != test.want {
			t.Errorf("%s %q is %q, want %q", test.name, test.cause, got, test.want)
		}
	}
	for mark := rules.Guessed; mark <= rules.Recorded; mark++ {
		if mark.Reason() == "" || mark.Settled() != (mark == rules.Recorded) {
			t.Errorf("%v: %q", mark, mark.Reason())
		}
	}
}
