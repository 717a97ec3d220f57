package runlog_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// A log finds the evaluation of each event that drew random numbers; a prefix has its events' evaluations, and a log
// that forgets the newest events'.
func TestEvaluations(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"Draw","States":{
		"Draw":{"Type":"Pass","Output":"{% {'n': $states.input.n - 1, 'r': $random()} %}","Next":"More"},
		"More":{"Type":"Choice","Choices":[{"Condition":"{% $states.input.n > 0 %}","Next":"Draw"}],"Default":"Done"},
		"Done":{"Type":"Succeed"}}}`
	parsed, diagnostics := asl.Parse(&source.File{Name: "draw", Data: []byte(definition)})
	if parsed == nil {
		t.Fatal(diagnostics)
	}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.Start(value.Must(`{"n":800}`), engine.StartOptions{Seed: 1})
	var log runlog.Log
	log.Begin(runlog.Start{Time: e.Now()})
	for !e.Status().Done() {
		log.Append(e.StepInto(log.Tail()))
		log.AddEvaluations(e.Evaluations())
	}
	check := func(name string, l *runlog.Log, from, to, end int) {
		t.Helper()
		drawn := 0
		for i := from; i < end; i++ {
			event := log.At(i)
			want := i < to && event.Type == engine.StageCompleted && event.Stage == engine.StageOutputPath &&
				event.Visit.State.Name == "Draw"
			if got := l.Evaluation(i); (got != nil) != want || want && (got.Event != event.Seq || got.Random() == nil) {
				t.Fatalf("%s: the evaluation of event %d (%v) is %v", name, i, event.Type, got)
			}
			if want {
				drawn++
			}
		}
		if drawn == 0 {
			t.Errorf("%s has no evaluations", name)
		}
	}
	check("the log", &log, 0, log.Len(), log.Len())
	prefix := log.Prefix(1001)
	check("a prefix", &prefix, 0, 1001, log.Len())
	log.Forget()
	oldest := log.Len() - 2*runlog.Size
	oldest += runlog.Size - 1 - (oldest-1)%runlog.Size // the chunks in memory
	check("a log that forgets", &log, oldest, log.Len(), log.Len())
	if log.Whole() || log.Evaluation(3) != nil {
		t.Error("the log forgets nothing")
	}
}

// A list that forgets has its newest inputs, with their steps.
func TestInputsForget(t *testing.T) {
	var list runlog.Inputs
	const n = 3*runlog.Size + 10
	for i := range n {
		list.Add(&runlog.Input{Kind: runlog.InputOutcome, Step: int64(i), Request: int64(i),
			Outcome: engine.Outcome{Output: value.Int(int64(i))}})
	}
	if !list.Whole() {
		t.Error("inputs are missing before they are dropped")
	}
	list.Forget()
	if list.Whole() || list.Len() != n || list.StepOf(n-1) != n-1 || list.At(n-runlog.Size).Request != n-runlog.Size {
		t.Errorf("%d inputs, the last of step %d", list.Len(), list.StepOf(n-1))
	}
}
