package recorder

import (
	"runtime"
	"testing"

	"asldb/engine/debug"
	"asldb/internal/testkit"
)

// BenchmarkRecording reads a trace of 100,000 events whole, and executes it again and compares.
func BenchmarkRecording(b *testing.B) {
	p := loopProgram(b, 11_111)
	name, _ := recordedFile(b, p)
	trace, err := Open(name, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer trace.Close()
	recording, warning := trace.Last().Recording()
	if warning != nil {
		b.Fatal(warning)
	}
	each := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(recording.Events)), "ns/event")
	}
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := trace.Last().Recording(); err != nil {
				b.Fatal(err)
			}
		}
		each(b)
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			if v := debug.Verify(p.machine, trace.Header().Options(), recording, 0); v.Divergence != nil {
				b.Fatal(v.Divergence)
			}
		}
		each(b)
	})
}

// BenchmarkReplay opens a trace of a million events, executes it again for the debugger, and jumps about in it.
func BenchmarkReplay(b *testing.B) {
	p := loopProgram(b, 111_111)
	name, events := recordedFile(b, p)
	p = program{machine: p.machine}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			before := testkit.LiveHeap()
			trace, err := Open(name, nil)
			if err != nil {
				b.Fatal(err)
			}
			recording, err := trace.Last().LazyRecording()
			if err != nil {
				b.Fatal(err)
			}
			s, divergence := debug.Replay(p.machine, trace.Header().Options(), recording)
			if divergence != nil || int64(s.Log().Len()) != events {
				b.Fatal(divergence, s.Log().Len())
			}
			recording = debug.Recording{}
			b.StopTimer()
			b.ReportMetric(float64(testkit.LiveHeap()-before)/(1<<20), "MiB-held")
			b.StartTimer()
			runtime.KeepAlive(s)
			trace.Close()
		}
		b.ReportMetric(float64(events), "events")
	})
}

// recordedFile records a run in a file and returns its name.
func recordedFile(b *testing.B, p program) (name string, events int64) {
	b.Helper()
	name = b.TempDir() + "/run.trace"
	w, err := CreateTrace(name, p.header(), TraceOptions{})
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
