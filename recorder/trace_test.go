package recorder

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// The events that are read are the run's, for every example, compressed or not.
func TestRoundTripOfExamples(t *testing.T) {
	for name, p := range examples(t) {
		for _, compress := range []bool{false, true} {
			data, s := record(t, p, TraceOptions{Compress: compress})
			trace := open(t, data)
			if warnings := trace.Warnings(); len(warnings) > 0 {
				t.Errorf("%s: %v", name, warnings[0].Error())
			}
			checkRun(t, trace.Last(), s.Log())
			if answers, err := trace.Last().Inputs(); err != nil {
				t.Errorf("%s: %v", name, err)
			} else {
				checkAnswers(t, answers, s.Inputs())
			}
		}
	}
}

func TestRoundTripOfWorkloads(t *testing.T) {
	for _, name := range runs.Names() {
		w := runs.Load(t, name)
		p := program{machine: w.Machine, options: debug.Options{Input: fewRecords(w.Input), Source: runs.NewTasks(),
			Seed: 1}, steps: 2_000}
		data, s := record(t, p, TraceOptions{})
		trace := open(t, data)
		if warnings := trace.Warnings(); len(warnings) > 0 {
			t.Errorf("%s: %v", name, warnings[0].Error())
		}
		run, log := trace.Last(), s.Log()
		if run.Len() != int64(log.Len()) {
			t.Fatalf("%s: %d events, want %d", name, run.Len(), log.Len())
		}
		for i := 0; i < log.Len(); i += 1 + log.Len()/5000 {
			checkEvent(t, run, log.At(i))
		}
		t.Logf("%s: %d events, %d bytes an event", name, s.Log().Len(), len(data)/s.Log().Len())
	}
}

// fewRecords is the input of a workload with 200 of its records at most: the whole of W9 is compared byte by byte for
// minutes.
func fewRecords(input value.Value) value.Value {
	object, ok := input.(*value.Object)
	if !ok {
		return input
	}
	records, ok := object.Get("records").(*value.Array)
	if !ok || records.Len() <= 200 {
		return input
	}
	few := make([]value.Value, 200)
	for i := range few {
		few[i] = records.At(i)
	}
	return object.With("records", value.NewArray(few))
}

func checkAnswers(t *testing.T, got []runlog.Input, want *runlog.Inputs) {
	t.Helper()
	if len(got) != want.Len() {
		t.Fatalf("%d answers in the trace, %d were given", len(got), want.Len())
	}
	for i := range got {
		checkAnswer(t, got[i], *want.At(i))
	}
}

// checkAnswer compares answers with their values as JSON.
func checkAnswer(t *testing.T, got, want runlog.Input) {
	t.Helper()
	same := func(a, b value.Value) bool { return (a == nil) == (b == nil) && value.Compact(a) == value.Compact(b) }
	values := same(got.Outcome.Output, want.Outcome.Output) && same(got.Outcome.Submitted, want.Outcome.Submitted)
	if got.Edit != nil && want.Edit != nil {
		values = values && same(got.Edit.Value, want.Edit.Value) && got.Edit.Thread == want.Edit.Thread
		got.Edit, want.Edit = nil, nil
	}
	values = values && got.Time.Equal(want.Time)
	got.Outcome.Output, got.Outcome.Submitted, want.Outcome.Output, want.Outcome.Submitted = nil, nil, nil, nil
	got.Time, want.Time = time.Time{}, time.Time{}
	if !values || !reflect.DeepEqual(got, want) {
		t.Errorf("the answer is %+v, want %+v", got, want)
	}
}

// Every kind of answer comes back with all that it has.
func TestAnswersComeBack(t *testing.T) {
	large := value.ObjectOf(value.Member{Key: "text", Value: value.String(strings.Repeat("large ", 100))})
	given := []runlog.Input{
		{Kind: runlog.InputOutcome, Step: 1, After: 2, Request: 3, Origin: "fixtures", Outcome: engine.Outcome{
			Output: large, Submitted: value.Null{}, After: 1500 * time.Millisecond, HeartbeatEvery: time.Nanosecond}},
		{Kind: runlog.InputOutcome, Request: 4, Outcome: engine.Outcome{Error: "E\"x", Cause: "c\n"}},
		{Kind: runlog.InputOutcome, Request: 4, Outcome: engine.Outcome{}},
		{Kind: runlog.InputObject, Request: 1, Body: []byte("a,b\n1,2\n")},
		{Kind: runlog.InputObject, Request: 1, Body: []byte("\xff\x00binary")},
		{Kind: runlog.InputObject, Request: 1, Body: []byte{}},
		{Kind: runlog.InputObject, Request: 2, Refused: &engine.ObjectError{Cause: "no such key"}},
		{Kind: runlog.InputTime, Time: time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC), Origin: "clock"},
		{Kind: runlog.InputFocus, Thread: 7, Origin: "person"},
		{Kind: runlog.InputAbort, Error: "Stopped", Cause: "by hand"},
		{Kind: runlog.InputEdit, Edit: &engine.Edit{Thread: 2, Value: large}},
		{Kind: runlog.InputInject, Thread: 3, Error: "Injected", Cause: "to see"},
		{Kind: runlog.InputHeartbeat, Request: 9},
		{Kind: runlog.InputTimeout, Request: 9},
		{Kind: runlog.InputMapRun, Thread: 4, Outcome: engine.Outcome{Output: value.ArrayOf(large),
			After: time.Minute}},
		{Kind: runlog.InputMapRun, Outcome: engine.Outcome{Error: "States.ItemReaderFailed", Cause: "no bucket"}},
		{Kind: runlog.InputMapBounds, Thread: 5, Origin: "person", Bounds: engine.NewBounds{MaxConcurrency: new(3),
			FailureCount: new(0), FailurePercentage: new(12.5)}},
		{Kind: runlog.InputMapBounds, Thread: 5, Bounds: engine.NewBounds{FailureCount: new(7)}},
	}
	p := programOf(t, twoStates, `{}`, nil)
	out, w := newTrace(t, p)
	for _, answer := range given {
		w.Received(answer)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := open(t, out.Bytes()).Last().Inputs()
	if err != nil || len(got) != len(given) {
		t.Fatalf("%d answers, %v", len(got), err)
	}
	for i := range given {
		checkAnswer(t, got[i], given[i])
	}
}

// Events that a fork leaves behind stay in the trace, and each fork is read with the events that it shares.
func TestForks(t *testing.T) {
	p := examples(t)["demo"]
	s := p.run(t, nil)
	log := s.Log()
	out, w := newTrace(t, p)
	happened := func(from, to int) {
		for i := from; i <= to; i++ {
			w.Happened([]engine.Event{*log.At(i - 1)})
		}
	}
	for _, answer := range []int64{0, 3, 5, 7} {
		w.Received(runlog.Input{Kind: runlog.InputTime, After: answer, Origin: "clock"})
	}
	happened(1, 60)
	w.Rewound(5)
	w.Received(runlog.Input{Kind: runlog.InputHeartbeat, After: 5, Request: 1})
	happened(6, 30)
	w.Rewound(20)
	happened(21, 40)
	w.Rewound(0)
	happened(1, 3)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	trace := open(t, out.Bytes())
	if w := trace.Warnings(); len(w) > 0 {
		t.Fatal(w[0].Error())
	}
	want := []Fork{{-1, 0, 60, 60}, {0, 5, 30, 25}, {1, 20, 40, 20}, {2, 0, 3, 3}}
	if got := trace.Forks(); !reflect.DeepEqual(got, want) {
		t.Fatalf("the forks are %+v, want %+v", got, want)
	}
	for b, fork := range want {
		run := trace.Run(b)
		if run.Len() != fork.Last {
			t.Errorf("fork %d has %d events", b, run.Len())
		}
		for seq := int64(1); seq <= run.Len(); seq++ {
			checkEvent(t, run, log.At(int(seq-1)))
		}
	}
	for b, want := range [][]int64{{0, 3, 5, 7}, {0, 3, 5}, {0, 3, 5}, nil} {
		answers, err := trace.Run(b).Inputs()
		if err != nil {
			t.Fatal(err)
		}
		got := value.Each(answers, func(answer runlog.Input) int64 { return answer.After })
		if !slices.Equal(got, want) {
			t.Errorf("fork %d has answers after %v, want %v", b, got, want)
		}
		if b > 0 && len(answers) == 3 && answers[2].Kind != runlog.InputHeartbeat {
			t.Errorf("fork %d has the other's answer", b)
		}
	}
}

// The header keeps the end that was planned, so that the run ends then when it is executed again.
func TestPlannedAbort(t *testing.T) {
	p := programOf(t, `{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":100,"Next":"D"},"D":{"Type":"Succeed"}}}`,
		`{}`, nil)
	p.options.Start = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	p.options.Abort = &debug.Abort{At: p.options.Start.Add(40 * time.Second), Error: "Stopped", Cause: "by hand"}
	header := p.header()
	header.Abort = p.options.Abort
	var out bytes.Buffer
	w, err := NewTraceWriter("test", &out, header, TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := p.run(t, w)
	if err := w.Close(); err != nil || s.Status() != engine.Aborted {
		t.Fatal(err, s.Status())
	}
	trace := open(t, out.Bytes())
	recording, warning := trace.Last().Recording()
	if warning != nil {
		t.Fatal(warning)
	}
	if v := debug.Verify(p.machine, trace.Header().Options(), recording, 0); v.Divergence != nil {
		t.Errorf("%+v", v.Divergence)
	}
	longer := compiled(t, "longer", []byte(`{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":200,"Next":"D"},"D":{"Type":"Succeed"}}}`))
	v := debug.Verify(longer, trace.Header().Options(), recording, 0)
	if v.Divergence == nil || v.Found.Last().Type != engine.ExecutionAborted {
		t.Errorf("a longer wait: %+v, and the end is %v", v.Divergence, v.Found.Last().Type)
	}
}
