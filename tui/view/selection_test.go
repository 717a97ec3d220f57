package view

import (
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const caught = `{"StartAt":"Work","States":{
	"Work":{"Type":"Task","Resource":"r","Parameters":{"x.$":"$.a"},"Retry":[{"ErrorEquals":["Busy"],"MaxAttempts":1}],
		"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.error","Next":"Work2"}],"End":true},
	"Work2":{"Type":"Pass","End":true}}}`

func find(t *testing.T, l *runlog.Log, typ engine.EventType) int {
	t.Helper()
	for i := range l.Len() {
		if l.At(i).Type == typ {
			return i
		}
	}
	t.Fatalf("the log has no %v", typ)
	return -1
}

func TestSelect(t *testing.T) {
	log := runs.Run(runs.Machine(caught), `{"a":1}`, runs.InTurn(engine.Outcome{Error: "Busy"}))
	for _, index := range []int{-1, log.Len()} {
		s := Select(log, index, nil)
		title, note := s.Heading()
		if s.Index != -1 || s.Event != nil || s.StageName() != "" || s.Field() != "" || title != "Execution input" || note != "" {
			t.Errorf("event %d of none is selected as %+v", index, s)
		}
		if field, text, purpose := s.Expression(); field+text+purpose != "" {
			t.Errorf("event %d has the expression %s %s %s", index, field, text, purpose)
		}
	}

	parameters := Select(log, log.NewestOf(log.At(1).Visit, engine.StageParameters), nil)
	field, text, purpose := parameters.Expression()
	if field != "Parameters" || text != `{"x.$":"$.a"}` || purpose != "makes the payload" || parameters.StageName() != "Parameters" {
		t.Errorf("the expression is %s %s %s", field, text, purpose)
	}
	if parameters.Source != parameters.Event || value.Compact(parameters.Before) != `{"a":1}` || value.Compact(parameters.After) != `{"x":1}` {
		t.Errorf("the data are %v and %v", parameters.Before, parameters.After)
	}

	again := Select(log, find(t, log, engine.RetryStarted), parameters)
	if title, note := again.Heading(); title != "Work" || note != "Task, attempt 2" {
		t.Errorf("the heading is %s, %s", title, note)
	}
	if again.StageName() != "RetryStarted" || again.Source == again.Event || again.After == nil || again.Before != nil {
		t.Errorf("an event without data shows event %d: %v and %v", again.Source.Seq, again.Before, again.After)
	}
	if c := Select(log, find(t, log, engine.ErrorCaught), again); c.Before != nil || c.Caught == nil {
		t.Errorf("where an error is caught the data before are %v", c.Before)
	}
	if first := Select(log, 0, again); first.Visit != nil || first.Now != -1 {
		t.Errorf("the first event has the visit %v", first.Visit)
	}
}
