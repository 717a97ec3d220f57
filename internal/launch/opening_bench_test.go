package launch_test

import (
	"bytes"
	"testing"

	"asldb/engine/debug"
	"asldb/internal/launch"
	"asldb/recorder"
)

// BenchmarkOpening opens a trace of about 8 MB in its steps: the first line and the end, the index, the run again; and
// steps back near its end and in its middle.
func BenchmarkOpening(b *testing.B) {
	data := traceOf(b, 2500)
	begin := func(b *testing.B) *launch.Opening {
		trace, err := recorder.BeginTrace("big.trace", bytes.NewReader(data), int64(len(data)), launch.Formats())
		if err != nil {
			b.Fatal(err)
		}
		o, err := launch.OpenReplay(launch.Spec{Replay: launch.Replay{Trace: trace}}, false)
		if err != nil {
			b.Fatal(err)
		}
		return o
	}
	open := func(b *testing.B, o *launch.Opening) *debug.Session {
		if err := o.Open(); err != nil {
			b.Fatal(err)
		}
		return o.Run().Session
	}
	grow := func(s *debug.Session) {
		for debug.GrowthOf(s).Grow(4096) > 0 {
		}
	}
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			begin(b)
		}
	})
	b.Run("index", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			open(b, begin(b))
		}
	})
	b.Run("again", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			grow(open(b, begin(b)))
		}
	})
	b.Run("back", func(b *testing.B) {
		s := open(b, begin(b))
		grow(s)
		n, at := s.Log().Len(), 0
		b.ReportAllocs()
		for b.Loop() { // far apart, so that none is near the one before
			at = (at + n/3 + 1) % n
			s.GoTo(at)
			s.Threads()
			s.Focused()
		}
	})
}
