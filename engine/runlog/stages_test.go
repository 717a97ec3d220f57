package runlog_test

import (
	"reflect"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/internal/testkit/runs"
)

// retried has a task that fails, is tried again, fails again and is caught, and a Map.
const retried = `{"StartAt":"Work","States":{
	"Work":{"Type":"Task","Resource":"r","InputPath":"$.in","ResultPath":"$.out",
		"Retry":[{"ErrorEquals":["Busy"],"MaxAttempts":1}],"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.error","Next":"Each"}],"End":true},
	"Each":{"Type":"Map","ItemsPath":"$.list","ItemSelector":{"n.$":"$$.Map.Item.Value"},"End":true,
		"ItemProcessor":{"StartAt":"One","States":{"One":{"Type":"Pass","End":true}}}}}}`

func retriedLog() *runlog.Log {
	busy := engine.Outcome{Error: "Busy", Cause: "try again"}
	return runs.Run(runs.Machine(retried), `{"in":{"a":1},"list":[1,2,3]}`, runs.InTurn(busy))
}

func indexOf(t *testing.T, l *runlog.Log, typ engine.EventType, from int) int {
	t.Helper()
	for i := from; i < l.Len(); i++ {
		if l.At(i).Type == typ {
			return i
		}
	}
	t.Fatalf("the log has no %v from event %d on", typ, from+1)
	return -1
}

// stagesAt returns the names of the stages that are in a state at event i.
func stagesAt(s *runlog.VisitStages, state runlog.StageState) []string {
	var names []string
	for i := range s.Stages {
		if s.Stages[i].State == state {
			names = append(names, s.Stages[i].Info.Field)
		}
	}
	return names
}

func TestStagesAt(t *testing.T) {
	l := retriedLog()
	scheduled := indexOf(t, l, engine.TaskScheduled, 0)
	failed := indexOf(t, l, engine.TaskFailed, 0)
	again := indexOf(t, l, engine.RetryStarted, 0)
	caught := indexOf(t, l, engine.ErrorCaught, 0)
	for _, test := range []struct {
		name    string
		index   int
		state   runlog.StageState
		want    []string
		attempt int
	}{
		{"scheduled", scheduled, runlog.StageBegun, []string{"Task"}, 1},
		{"scheduled", scheduled, runlog.StageCompleted, []string{"input", "InputPath"}, 1},
		{"scheduled", scheduled, runlog.StagePending, []string{"ResultPath", "output"}, 1},
		{"scheduled", scheduled, runlog.StageAbsent, []string{"Parameters", "ResultSelector", "OutputPath"}, 1},
		{"failed", failed, runlog.StageFailed, []string{"Task"}, 1},
		{"tried again", again, runlog.StageFailed, nil, 2},
		{"tried again", again, runlog.StageCompleted, []string{"input", "InputPath"}, 2},
	} {
		s := l.StagesAt(test.index, nil)
		if got := stagesAt(&s, test.state); !reflect.DeepEqual(got, test.want) || s.Attempt != test.attempt {
			t.Errorf("%s: in state %d are %q in attempt %d, want %q in %d", test.name, test.state, got, s.Attempt,
				test.want, test.attempt)
		}
	}
	if s := l.StagesAt(caught, nil); s.Caught == nil || s.Caught != l.At(caught).Visit.State.Catch[0] {
		t.Errorf("after the catch the catcher is %v", s.Caught)
	}
	if s := l.StagesAt(caught-1, nil); s.Caught != nil {
		t.Error("before the catch there is a catcher")
	}
}

// TestStagesOfAMap: the ItemSelector of a Map runs for each item, and the counts are its newest result's.
func TestStagesOfAMap(t *testing.T) {
	l := retriedLog()
	s := l.StagesAt(indexOf(t, l, engine.MapSucceeded, 0), nil)
	selector := s.Stages[s.IndexOf(engine.StageParameters)]
	if selector.State != runlog.StageCompleted || selector.Times != 3 || selector.Last == nil {
		t.Errorf("the ItemSelector is %+v", selector)
	}
	if i := s.IndexOf(engine.StageChoices); i >= 0 {
		t.Errorf("a Map has the stage Choices at %d", i)
	}
	if got := l.NewestOf(s.Visit, engine.StageParameters); got < 0 || l.At(got) != selector.Last {
		t.Errorf("its newest event is %d", got)
	}
	if got := l.NewestOf(s.Visit, engine.StageChoices); got != -1 {
		t.Errorf("the newest event of an absent stage is %d", got)
	}
}

func TestStagesOfTheExecution(t *testing.T) {
	l := retriedLog()
	if s := l.StagesAt(0, nil); s.Visit != nil || len(s.Stages) != 0 || s.Attempt != 1 {
		t.Errorf("the first event has the stages %+v", s)
	}
}

// TestStagesAreTakenOver: from any earlier event the stages are the same as from the visit's entry.
func TestStagesAreTakenOver(t *testing.T) {
	l := retriedLog()
	for from := range l.Len() {
		previous := l.StagesAt(from, nil)
		for to := range l.Len() {
			if got, want := l.StagesAt(to, &previous), l.StagesAt(to, nil); !reflect.DeepEqual(got, want) {
				t.Fatalf("event %d after event %d: %+v, want %+v", to+1, from+1, got, want)
			}
		}
	}
}
