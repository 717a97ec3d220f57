package recorder

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/value"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
)

// loop is a definition that runs for ever, with a task whose result is written into data of 1 KB.
const loop = `{"StartAt":"Check","States":{
	"Check":{"Type":"Choice","Choices":[{"Variable":"$.counter.n","NumericGreaterThanEquals":%d,"Next":"Done"}],"Default":"Work"},
	"Work":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:work","Parameters":{"c.$":"$.counter"},"ResultPath":"$.counter","Next":"Check"},
	"Done":{"Type":"Succeed"}}}`

// counting answers the loop's task.
func counting(r *engine.TaskRequest) outcome.Reply {
	counter := r.Parameters.(*value.Object).Get("c").(*value.Object)
	n, _ := counter.Get("n").(value.Number).Int64()
	given := engine.Outcome{Output: value.ObjectOf(value.Member{Key: "n", Value: value.Int(n + 1)})}
	return outcome.Given(given, "test")
}

func loopProgram(t testing.TB, rounds int) program {
	members := []string{`"counter":{"n":0}`}
	for i := range 20 {
		members = append(members, fmt.Sprintf(`"field%d":"%s"`, i, strings.Repeat("x", 36)))
	}
	p := programOf(t, fmt.Sprintf(loop, rounds), "{"+strings.Join(members, ",")+"}", sourcetest.Func(counting))
	p.options.Limits = engine.Limits{}
	return p
}

// BenchmarkRun runs the loop without and with a trace: the difference is the cost of recording.
func BenchmarkRun(b *testing.B) {
	const rounds = 10_000
	for _, how := range []string{"no trace", "trace", "zstd"} {
		b.Run(how, func(b *testing.B) {
			p := loopProgram(b, rounds)
			name := filepath.Join(b.TempDir(), "run.trace")
			events, size := 0, int64(0)
			for b.Loop() {
				var w *TraceWriter
				if how != "no trace" {
					var err error
					if w, err = CreateTrace(name, p.header(),
						TraceOptions{Replace: true, Compress: how == "zstd"}); err != nil {
						b.Fatal(err)
					}
					p.options.Sink = w
				}
				s := debug.New(p.machine, p.options)
				if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
					b.Fatal(err)
				}
				if w != nil {
					if err := w.Close(); err != nil {
						b.Fatal(err)
					}
				}
				events = s.Log().Len()
			}
			if info, err := os.Stat(name); err == nil {
				size = info.Size()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
			b.ReportMetric(float64(size)/float64(events), "bytes/event")
		})
	}
}

// BenchmarkWorkloads records the workloads, as engine/debug's benchmark of that name runs them without a trace.
func BenchmarkWorkloads(b *testing.B) {
	for _, name := range runs.Names() {
		b.Run(name, func(b *testing.B) {
			w := runs.Load(b, name)
			file := filepath.Join(b.TempDir(), "run.trace")
			p := program{machine: w.Machine, options: debug.Options{Input: w.Input, Seed: 1}}
			for b.Loop() {
				p.options.Source = runs.NewTasks()
				sink, err := CreateTrace(file, p.header(), TraceOptions{Replace: true})
				if err != nil {
					b.Fatal(err)
				}
				p.options.Sink = sink
				s := debug.New(p.machine, p.options)
				if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
					b.Fatal(err)
				}
				if err := sink.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.Steps)*float64(b.N)/b.Elapsed().Seconds(), "transitions/s")
		})
	}
}

// million records a run of about a million events and returns the file's name.
func million(b *testing.B, compress bool) (name string, events int64) {
	b.Helper()
	p := loopProgram(b, 111_111)
	name = filepath.Join(b.TempDir(), "million.trace")
	w, err := CreateTrace(name, p.header(), TraceOptions{Compress: compress})
	if err != nil {
		b.Fatal(err)
	}
	p.options.Sink = w
	s := debug.New(p.machine, p.options)
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return name, int64(s.Log().Len())
}

// BenchmarkOpen opens a trace of a million events, and then jumps about in it.
func BenchmarkOpen(b *testing.B) {
	for _, compress := range []bool{false, true} {
		form := "plain"
		if compress {
			form = "zstd"
		}
		name, events := million(b, compress)
		info, err := os.Stat(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(form, func(b *testing.B) {
			runtime.GC()
			before := testkit.LiveHeap()
			var trace *Trace
			for b.Loop() {
				if trace, err = Open(name, nil); err != nil {
					b.Fatal(err)
				}
				if trace.Last().Len() != events {
					b.Fatal(trace.Last().Len(), trace.Warnings())
				}
				trace.Close()
			}
			b.ReportMetric(float64(events), "events")
			b.ReportMetric(float64(info.Size())/(1<<20), "MiB")
			b.ReportMetric(float64(testkit.LiveHeap()-before)/(1<<20), "MiB-held")
			runtime.KeepAlive(trace)
		})
		b.Run(form+"-seek", func(b *testing.B) {
			trace, err := Open(name, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer trace.Close()
			run := trace.Last()
			seq := int64(1)
			for b.Loop() {
				seq = (seq*7919 + 104729) % events
				if _, err := run.Event(seq + 1); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(form+"-next", func(b *testing.B) {
			trace, err := Open(name, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer trace.Close()
			run := trace.Last()
			seq := int64(0)
			for b.Loop() {
				if _, err := run.Event(seq + 1); err != nil {
					b.Fatal(err)
				}
				seq = (seq + 1) % events
			}
		})
	}
}

// BenchmarkEncode writes the events of a run that is over, without a file, as the writer's goroutine does.
func BenchmarkEncode(b *testing.B) {
	p := loopProgram(b, 10_000)
	s := p.run(b, nil)
	events := make([]engine.Event, 0, s.Log().Len())
	for event := range s.Log().All() {
		events = append(events, *event)
	}
	size := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		w := &TraceWriter{out: io.Discard, values: newValueLines(), form: eventForm{trace: true}}
		if err := w.writeBatch(&batch{events: events}); err != nil {
			b.Fatal(err)
		}
		size = w.end
	}
	b.SetBytes(size)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
}
