package debug_test

import (
	"runtime"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
)

// BenchmarkWorkloads runs each workload in a session that keeps every event, the debugger's normal mode.
func BenchmarkWorkloads(b *testing.B) {
	for _, name := range runs.Names() {
		b.Run(name, func(b *testing.B) {
			w := runs.Load(b, name)
			b.ReportAllocs()
			for b.Loop() {
				s := debug.New(w.Machine, debug.Options{Input: w.Input, Source: runs.NewTasks(), Seed: 1})
				if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
					b.Fatal(err)
				}
				if s.Status() != engine.Succeeded { // the output is TestWorkloads' matter
					b.Fatal(s.Failure())
				}
			}
			reportTransitions(b, w.Steps)
		})
	}
}

// BenchmarkQuiet runs the same on the engine alone, without events.
func BenchmarkQuiet(b *testing.B) {
	for _, name := range runs.Names() {
		b.Run(name, func(b *testing.B) {
			w := runs.Load(b, name)
			b.ReportAllocs()
			for b.Loop() {
				runQuiet(b, w)
			}
			reportTransitions(b, w.Steps)
		})
	}
}

func runQuiet(b *testing.B, w runs.Workload) {
	tasks := runs.NewTasks()
	e := w.Machine.Start(w.Input, engine.StartOptions{Seed: 1, Quiet: true})
	for {
		switch status := e.Status(); {
		case status.Done():
			if status != engine.Succeeded {
				b.Fatal(e.Failure())
			}
			return
		case status == engine.AwaitingTime:
			next, _ := e.NextTimer()
			if err := e.AdvanceTo(next); err != nil {
				b.Fatal(err)
			}
		}
		e.Step()
		for r := e.Unanswered(); r != nil; r = e.Unanswered() {
			outcome := tasks.Outcome(r)
			if err := e.Answer(r.ID, outcome); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func reportTransitions(b *testing.B, steps int64) {
	b.ReportMetric(float64(steps)*float64(b.N)/b.Elapsed().Seconds(), "transitions/s")
}

func checkWorkload(t testing.TB, s *debug.Session, w runs.Workload) {
	t.Helper()
	if s.Status() != engine.Succeeded {
		t.Fatal(s.Failure())
	}
	if !value.Equal(s.Output(), w.Expected) {
		t.Fatalf("output %s\n  want %s", value.Preview(s.Output(), 300), value.Preview(w.Expected, 300))
	}
}

// The workloads' outputs are right, whatever the figures say.
func TestWorkloads(t *testing.T) {
	for _, name := range runs.Names() {
		t.Run(name, func(t *testing.T) {
			w := runs.Load(t, name)
			s := debug.New(w.Machine, debug.Options{Input: w.Input, Source: runs.NewTasks(), Seed: 1})
			if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
				t.Fatal(err)
			}
			checkWorkload(t, s, w)
		})
	}
}

// BenchmarkMemory runs 100,000 transitions and reports the memory of an event and of a transition.
func BenchmarkMemory(b *testing.B) {
	const definition = `{"StartAt":"Check","States":{
		"Check":{"Type":"Choice","Choices":[{"Variable":"$.c.n","NumericLessThan":50000,"Next":"Inc"}],"Default":"Done"},
		"Inc":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:incr","ResultPath":"$.c","Next":"Check"},
		"Done":{"Type":"Succeed"}}}`
	parsed, _ := asl.Parse(&source.File{Name: "loop", Data: []byte(definition)})
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		before := testkit.LiveHeap()
		s := debug.New(machine, debug.Options{Input: value.Must(`{"c":{"n":0}}`), Source: runs.NewTasks()})
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			b.Fatal(err)
		}
		held := testkit.LiveHeap() - before
		b.ReportMetric(float64(held)/(1<<20), "MiB")
		b.ReportMetric(float64(held)/float64(s.Log().Len()), "bytes/event")
		b.ReportMetric(float64(s.Log().Len()), "events")
		runtime.KeepAlive(s)
	}
}
