package checks

import (
	"testing"

	"asldb/engine/runlog"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// The events of a run have the ids that GetExecutionHistory gave the recorded ones, event by event.
func TestEventIDs(t *testing.T) {
	executions, wholly, events, same := 0, 0, 0, 0
	for _, c := range runs.LoadAWS(t) {
		recorded := recordedHistory(c)
		if c.Kind != "execution" || recorded == nil {
			continue
		}
		s, _, err := runCase(c)
		if err != nil || outcomeDifference(c, s) != "" {
			continue // another test lists it
		}
		agreeing := sameIDs(recorded, s.Log())
		executions, events, same = executions+1, events+len(recorded), same+agreeing
		if agreeing == len(recorded) {
			wholly++
		} else {
			t.Logf("%s: %d of %d events", c.Name, agreeing, len(recorded))
		}
	}
	if events == 0 {
		t.Fatal("no recorded event")
	}
	t.Logf("ids: %d of %d events (%.2f %%), %d of %d executions wholly", same, events,
		100*float64(same)/float64(events), wholly, executions)
	if same*100 < events*99 || wholly*100 < executions*99 {
		t.Error("fewer than before")
	}
}

// sameIDs counts the recorded events whose id an event of the run has that is of the same type, or equivalent.
func sameIDs(recorded []history.Event, log *runlog.Log) int {
	found := make(map[int64]*history.Event)
	list := history.Of(log.All())
	for i := range list {
		found[list[i].ID] = &list[i]
	}
	agreeing := 0
	for i := range recorded {
		twin := found[recorded[i].ID]
		if twin == nil || twin.Type != recorded[i].Type || twin.Text("name") != recorded[i].Text("name") {
			continue
		}
		at := log.At(int(twin.Of) - 1)
		if first := int64(at.HistoryID); first > 0 && first <= twin.ID && twin.ID < first+int64(at.HistoryEvents()) {
			agreeing++
		}
	}
	return agreeing
}
