package runlog_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// TestTelling has a state of each kind, with the event that tells most of its visit.
func TestTelling(t *testing.T) {
	const lambda = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`
	log := runs.Run(runs.Machine(`{"StartAt":"Pass","States":{
		"Pass":{"Type":"Pass","Parameters":{"n":1},"Next":"Same"},
		"Same":{"Type":"Pass","Next":"Choice"},
		"Choice":{"Type":"Choice","Choices":[{"Variable":"$.n","IsPresent":true,"Next":"Wait"}],"Default":"Done"},
		"Wait":{"Type":"Wait","Seconds":5,"Next":"Retried"},
		"Retried":{`+lambda+`,"Parameters":{"a":1},"ResultPath":"$.r","Retry":[{"ErrorEquals":["Busy"]}],"Next":"Discards"},
		"Discards":{`+lambda+`,"Parameters":{"a":1},"ResultPath":null,"Next":"Caught"},
		"Caught":{`+lambda+`,"ResultPath":"$.r","Catch":[{"ErrorEquals":["E"],"ResultPath":"$.e","Next":"Fails"}],"Next":"Done"},
		"Fails":{`+lambda+`,"Parameters":{"b":1},"End":true},"Done":{"Type":"Succeed"}}}`), `{}`, runs.InTurn(
		engine.Outcome{Error: "Busy"}, engine.Outcome{Output: value.Must(`{"ok":true}`)},
		engine.Outcome{Output: value.Must(`{"ok":true}`)},
		engine.Outcome{Error: "E"}, engine.Outcome{Error: "Other"}))
	newest := map[string]int{}
	for i := range log.Len() {
		if e := log.At(i); e.Visit != nil && !e.Type.EndsExecution() {
			newest[e.Visit.State.Name] = i
		}
	}
	for name, want := range map[string]string{
		"Pass": "StageCompleted Parameters", "Same": "StateExited output", "Choice": "StageCompleted Choices",
		"Wait":    "WaitStarted Wait",
		"Retried": "StageCompleted ResultPath", "Discards": "TaskSucceeded Result", "Caught": "ErrorCaught ",
		"Fails": "TaskFailed Result",
	} {
		e := log.At(log.MainEvent(newest[name]))
		if got := e.Type.String() + " " + e.Stage.String(); got != want || e.Visit.State.Name != name {
			t.Errorf("%s: %s of %s, want %s", name, got, e.Visit.State.Name, want)
		}
	}
	if got := log.MainEvent(0); got != 0 {
		t.Errorf("of the execution it is event %d", got)
	}
}
