package debug_test

import (
	"bytes"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/recorder"
)

// tape is a sink that records its calls, as a trace does.
type tape struct {
	inputs []runlog.Input
	events []engine.Event
}

func (p *tape) Received(a runlog.Input)        { p.inputs = append(p.inputs, a) }
func (p *tape) Happened(events []engine.Event) { p.events = append(p.events, events...) }
func (p *tape) Sync()                          {}

func (p *tape) Rewound(to int64) {
	p.events = p.events[:to]
	kept := 0
	for _, a := range p.inputs {
		if a.After < to {
			kept++
		}
	}
	p.inputs = p.inputs[:kept]
}

// lines writes events as a trace has them.
func lines(events []engine.Event) [][]byte {
	all := make([][]byte, len(events))
	for i := range events {
		all[i] = recorder.AppendEvent(nil, &events[i])
	}
	return all
}

func logged(s *debug.Session) []engine.Event { return runs.Events(s.Log()) }

func sameLines(t interface {
	Helper()
	Fatalf(string, ...any)
}, what string, got, want [][]byte) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !bytes.Equal(got[i], want[i]) {
			t.Fatalf("%s differs at event %d of %d:\n got %s\nwant %s", what, i+1, len(want),
				bytes.Join(got[min(i, len(got)):min(i+1, len(got))], nil),
				bytes.Join(want[min(i, len(want)):min(i+1, len(want))], nil))
		}
	}
}

// Every input of a run, whatever its origin, is recorded with its place and passed to the sink in order.
func TestAnswersAreRecorded(t *testing.T) {
	sink := &tape{}
	s := session(t, order, debug.Options{Sink: sink, Clock: debug.Clock{Mode: debug.ClockByHand}})
	step := func(kind debug.CommandKind, reason debug.Reason) {
		t.Helper()
		if stop := do(t, s, kind); stop.Reason != reason {
			t.Fatalf("stopped for %v, want %v", stop.Reason, reason)
		}
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	step(debug.StepState, debug.StoppedByStep)
	check(s.Interventions().Edit(0, value.Must(`{"total":200,"lines":[1]}`)))
	step(debug.Continue, debug.StoppedForAnswer)
	check(s.Interventions().Heartbeat(1))
	check(s.Interventions().Answer(1, engine.Outcome{Error: "Card.Timeout"}))
	step(debug.Continue, debug.StoppedForTime)
	check(s.Interventions().AdvanceTime(time.Hour)) // the retry is due after a minute
	step(debug.Continue, debug.StoppedForAnswer)
	check(s.Interventions().Answer(2, engine.Outcome{Output: value.Must(`{}`)}))
	for len(s.Threads()) < 3 {
		step(debug.StepStage, debug.StoppedByStep)
	}
	check(s.Interventions().Focus(2))
	step(debug.Continue, debug.StoppedForTime)
	if err := s.Interventions().Focus(9); err == nil {
		t.Error("a thread that is not there got the focus")
	}
	s.Interventions().Abort("Enough", "")
	want := []struct {
		kind  runlog.InputKind
		about int64
	}{
		{runlog.InputEdit, 0}, {runlog.InputHeartbeat, 1}, {runlog.InputOutcome, 1}, {runlog.InputTime, 0},
		{runlog.InputOutcome, 2}, {runlog.InputFocus, 0}, {runlog.InputAbort, 0},
	}
	if len(sink.inputs) != len(want) || s.Inputs().Len() != len(want) {
		t.Fatalf("%d inputs told, %d recorded, want %d", len(sink.inputs), s.Inputs().Len(), len(want))
	}
	for i, a := range sink.inputs {
		if a.Kind != want[i].kind || a.Request != want[i].about || a.Origin != runlog.OriginPerson {
			t.Errorf("answer %d is %v of %d by %s, want %v of %d", i, a.Kind, a.Request, a.Origin, want[i].kind,
				want[i].about)
		}
		if kind, ok := runlog.ParseInputKind(a.Kind.String()); !ok || kind != a.Kind {
			t.Errorf("%v is read as %v", a.Kind, kind)
		}
	}
	if at := sink.inputs[3].Time; !at.Equal(time.Date(2000, 1, 1, 0, 1, 0, 0, time.UTC)) {
		t.Errorf("the clock was moved to %v, beyond the timer", at)
	}
	sameLines(t, "what the sink was told", lines(sink.events), lines(logged(s)))
	if s.Log().Last().Type != engine.ExecutionAborted {
		t.Errorf("the last event is %v", s.Log().Last().Type)
	}
}
