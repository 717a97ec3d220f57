package debug_test

import (
	"runtime"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
)

// counting is a loop of a Choice and a Task that ends after a number of rounds.
const counting = `{"StartAt":"Check","States":{
	"Check":{"Type":"Choice","Choices":[{"Variable":"$.c.n","NumericLessThan":14000,"Next":"Inc"}],"Default":"Done"},
	"Inc":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:incr","ResultPath":"$.c","Next":"Check"},
	"Done":{"Type":"Succeed"}}}`

func longRun(t testing.TB, sink debug.Sink) *debug.Session {
	t.Helper()
	parsed, _ := asl.Parse(&source.File{Name: "loop", Data: []byte(counting)})
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(machine, debug.Options{Input: value.Must(`{"c":{"n":0}}`), Source: runs.NewTasks(), Sink: sink})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	return s
}

// A long run is as exact at any of its places as a short one.
func TestLongRunStandsAnywhere(t *testing.T) {
	s := longRun(t, nil)
	end := s.Log().Len()
	if end < 100_000 {
		t.Fatalf("the run has only %d events", end)
	}
	for _, at := range []int{end - 1, 100_000, 99_999, 54_321, 54_322, 1000, 100, 1, 99_000, 0} {
		s.GoTo(at)
		at = s.Position()
		event := (*engine.Event)(nil)
		if at > 0 {
			event = s.Log().At(at - 1)
		}
		threads := s.Threads()
		switch {
		case len(threads) != 1:
			t.Fatalf("at %d there are threads %+v", at, threads)
		case event != nil && event.Visit != nil && threads[0].Visit != event.Visit:
			t.Fatalf("at %d the thread is in %v, the event in %v", at, threads[0].Visit, event.Visit)
		case event != nil && event.Time != s.Now().UnixNano():
			t.Fatalf("at %d it is %v, at the event %v", at, s.Now(), event.At())
		}
	}
}

// BenchmarkStepBack goes back stage by stage from event 100,000 on, and asks each time how the run stood.
func BenchmarkStepBack(b *testing.B) {
	s := longRun(b, nil)
	s.GoTo(100_000)
	look(s)
	for b.Loop() {
		if _, err := s.Back(debug.Command{Kind: debug.StepStage}); err != nil {
			b.Fatal(err)
		}
		look(s)
	}
}

// BenchmarkStepBackWithBreakpoints is the same with five breakpoints that have conditions.
func BenchmarkStepBackWithBreakpoints(b *testing.B) {
	s := longRun(b, nil)
	for _, spec := range []string{"Check if $.c.n == 13999", "Inc if $.c.n % 5000 == 3", "error if $.c.n > 3",
		"Inc:ResultPath if $.c.n == 77", "* if $.c.n == -1"} {
		if _, err := s.Breakpoints().Add(spec); err != nil {
			b.Fatal(err)
		}
	}
	s.GoTo(0)
	s.GoTo(100_000)
	look(s)
	for b.Loop() {
		if _, err := s.Back(debug.Command{Kind: debug.StepStage}); err != nil {
			b.Fatal(err)
		}
		look(s)
	}
}

// BenchmarkJumpBack goes to event 100,000 from the start each time, where nothing near is known.
func BenchmarkJumpBack(b *testing.B) {
	s := longRun(b, nil)
	for b.Loop() {
		s.GoTo(10)
		s.Threads()
		s.GoTo(99_990)
		s.Threads()
	}
}

func look(s *debug.Session) {
	s.Status()
	s.Threads()
	s.Timers()
	s.Requests()
	s.MarksAt(s.Position() - 1)
}

// nowhere is a sink that keeps nothing.
type nowhere struct{ inputs, events int }

func (n *nowhere) Received(runlog.Input)          { n.inputs++ }
func (n *nowhere) Happened(events []engine.Event) { n.events += len(events) }
func (n *nowhere) Rewound(int64)                  {}
func (n *nowhere) Sync()                          {}

// BenchmarkRecordAnswers runs the long run with and without a sink, and reports its memory.
func BenchmarkRecordAnswers(b *testing.B) {
	for name, sink := range map[string]debug.Sink{"sink": &nowhere{}, "none": nil} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				before := testkit.LiveHeap()
				s := longRun(b, sink)
				b.ReportMetric(float64(testkit.LiveHeap()-before)/float64(s.Log().Len()), "held-bytes/event")
				b.ReportMetric(float64(s.Log().Len()), "events")
				b.ReportMetric(float64(s.Inputs().Len()), "answers")
				runtime.KeepAlive(s)
			}
		})
	}
}

// BenchmarkSnapshots runs a Map of 2,000 iterations at once, which wait, and goes back in it.
func BenchmarkSnapshots(b *testing.B) {
	const definition = `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.items","ItemProcessor":{"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:incr","ResultPath":"$.c","Next":"W"},
		"W":{"Type":"Wait","Seconds":5,"Next":"P"},"P":{"Type":"Pass","End":true}}},"End":true}}}`
	parsed, _ := asl.Parse(&source.File{Name: "map", Data: []byte(definition)})
	machine, err := engine.Compile(parsed, engine.Spec) // all iterations at once
	if err != nil {
		b.Fatal(err)
	}
	items := make([]value.Value, 2000)
	for i := range items {
		items[i] = value.Must(`{"c":{"n":1}}`)
	}
	input := value.ObjectOf(value.Member{Key: "items", Value: value.NewArray(items)})
	for b.Loop() {
		before := testkit.LiveHeap()
		s := debug.New(machine, debug.Options{Input: input, Source: runs.NewTasks()})
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(testkit.LiveHeap()-before)/(1<<20), "MiB")
		b.ReportMetric(float64(s.Log().Len()), "events")
		for range 100 {
			if _, err := s.Back(debug.Command{Kind: debug.StepStage}); err != nil {
				b.Fatal(err)
			}
			look(s)
		}
		runtime.KeepAlive(s)
	}
}
