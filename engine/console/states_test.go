package console_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/console"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// TestStates has $states before each kind of event of a visit that fails, is retried and goes over to a catcher, and of
// one that succeeds.
func TestStates(t *testing.T) {
	log := runs.Run(runs.Machine(`{"QueryLanguage":"JSONata","StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{},"Retry":[{"ErrorEquals":["Busy"]}],
			"Catch":[{"ErrorEquals":["States.ALL"],"Output":"{% $states.errorOutput %}","Next":"U"}],"Next":"U"},
		"U":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{},"Output":"{% $states.result %}","End":true}}}`), `{"n":1}`,
		runs.InTurn(engine.Outcome{Error: "Busy"}, engine.Outcome{Error: "E"},
			engine.Outcome{Output: value.Must(`{"ok":true}`)}))
	want := map[string]string{
		"T RetryStarted": `{"input":{"n":1}}`, "T StageCompleted": `{"input":{"n":1},"errorOutput":{"Error":"E","Cause":""}}`,
		"U TaskScheduled": `{"input":{"Error":"E","Cause":""}}`,
		"U StateExited":   `{"input":{"Error":"E","Cause":""},"result":{"ok":true}}`,
	}
	got := map[string]string{}
	for i := range log.Len() {
		if e := log.At(i); e.Visit != nil {
			got[e.Visit.State.Name+" "+e.Type.String()] = value.Compact(console.States(log, e.Visit, i, nil))
		}
	}
	for event, states := range want {
		if got[event] != states {
			t.Errorf("before %s: %s, want %s", event, got[event], states)
		}
	}
}

// TestStatesOfEditedData has a visit whose input and result were edited.
func TestStatesOfEditedData(t *testing.T) {
	whole := runs.Run(runs.Machine(`{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`), `1`, runs.Echo)
	visit := whole.At(1).Visit
	log := runlog.Of([]engine.Event{*whole.At(0), *whole.At(1),
		{Seq: 3, Type: engine.DataEdited, Stage: engine.StageInput, Visit: visit, Before: value.Must(`1`),
			After: value.Must(`2`)},
		{Seq: 4, Type: engine.DataEdited, Stage: engine.StageResult, Visit: visit, Before: value.Must(`2`),
			After: value.Must(`3`)},
	})
	for i, want := range map[int]string{2: `{"input":1}`, 3: `{"input":2,"context":{}}`, 4: `{"input":2,"result":3}`} {
		var context value.Value
		if i == 3 {
			context = value.Must(`{}`)
		}
		if got := value.Compact(console.States(log, visit, i, context)); got != want {
			t.Errorf("before event %d: %s, want %s", i, got, want)
		}
	}
}
