package debug_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// reread is the recording of a session as it comes out of a file: no value in it is one of the session's, but equal
// ones in a row are one.
func reread(b *testing.B, s *debug.Session) debug.Recording {
	b.Helper()
	known := make(map[value.Value]value.Value)
	again := func(v value.Value) value.Value {
		if v == nil {
			return nil
		}
		if known[v] == nil {
			known[v] = value.Must(value.Compact(v))
		}
		return known[v]
	}
	var r debug.Recording
	visits := make(map[*engine.Visit]*engine.Visit)
	for event := range s.Log().All() {
		e := *event
		e.Before, e.After = again(e.Before), again(e.After)
		if e.Visit != nil {
			if visits[e.Visit] == nil {
				visit := *e.Visit
				visits[e.Visit] = &visit
			}
			e.Visit = visits[e.Visit]
		}
		r.Events = append(r.Events, e)
	}
	for i := range s.Inputs().Len() {
		r.Inputs = append(r.Inputs, *s.Inputs().At(i))
	}
	return r
}

// BenchmarkVerify executes a run of 100,000 events again and compares.
func BenchmarkVerify(b *testing.B) {
	s := longRun(b, nil)
	r := reread(b, s)
	for b.Loop() {
		if v := debug.Verify(s.Machine(), debug.Options{Input: s.Options().Input}, r, 0); v.Divergence != nil {
			b.Fatal(v.Divergence)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(r.Events)), "ns/event")
}

// BenchmarkCompareLogs lays two runs of 100,000 events side by side that differ from the beginning on.
func BenchmarkCompareLogs(b *testing.B) {
	s := longRun(b, nil)
	other := runlog.Of(reread(b, s).Events)
	other.At(1).Time++
	for b.Loop() {
		if c := runlog.Logs(s.Log(), other); c.First != 1 || len(c.Rows) != s.Log().Len()-1 {
			b.Fatal(c.First, len(c.Rows))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(other.Len()), "ns/event")
}
