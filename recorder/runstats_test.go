package recorder

import (
	"bytes"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine"
)

// decodedStats are the figures of the events of a run, each decoded.
func decodedStats(run *Run, unread func(error)) *Stats {
	stats := NewStats()
	for event, err := range run.All() {
		if err != nil {
			unread(err)
			continue
		}
		stats.Add(event)
	}
	return stats
}

func sameStats(t rapid.TB, name string, got, want *Stats) {
	t.Helper()
	if !maps.Equal(got.Types, want.Types) || got.Events != want.Events || !got.First.Equal(want.First) ||
		!got.Last.Equal(want.Last) || got.newest != want.newest {
		t.Fatalf("%s: %+v, want %+v", name, got, want)
	}
	a, b := got.States(), want.States()
	if len(a) != len(b) {
		t.Fatalf("%s: %d states, want %d", name, len(a), len(b))
	}
	for i := range a {
		if *a[i] != *b[i] || a[i].Mean() != b[i].Mean() {
			t.Fatalf("%s: %+v, want %+v", name, *a[i], *b[i])
		}
	}
}

// The figures of the heads are the events' figures, in every form of trace and every run of it.
func TestStatsOfHeads(t *testing.T) {
	traces := traceBytes(t)
	for name, p := range examples(t) {
		traces["example "+name], _ = record(t, p, TraceOptions{})
	}
	for name, data := range traces {
		trace := open(t, data)
		for b := range trace.Forks() {
			fail := func(err error) { t.Errorf("%s: %v", name, err) }
			run := trace.Run(b)
			sameStats(t, name, run.Stats(fail), decodedStats(run, fail))
			if _, ok := run.Stats(fail).Newest(); !ok {
				t.Errorf("%s: there is no newest event", name)
			}
		}
	}
	if _, ok := NewStats().Newest(); ok {
		t.Error("no event is the newest")
	}
}

// Of a damaged trace the events are counted whose heads are whole, and no line that cannot be found is.
func TestStatsOfDamagedTraces(t *testing.T) {
	traces := traceBytes(t)
	rapid.Check(t, func(t *rapid.T) {
		data := damaged(t, traces[rapid.SampledFrom([]string{"forks", "plain", "version 1", "zstd"}).Draw(t, "trace")])
		trace, err := NewTrace("test", bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			return
		}
		run := trace.Last()
		unread, warned := int64(0), int64(0)
		want := decodedStats(run, func(error) { unread++ })
		got := run.Stats(func(error) { warned++ })
		if got.Events < want.Events || got.Events > run.Len() || warned > unread {
			t.Fatalf("%d events and %d warnings, decoded %d and %d, of %d", got.Events, warned, want.Events, unread,
				run.Len())
		}
		for kind := range got.Types {
			if kind < engine.ExecutionStarted {
				t.Fatal(kind)
			}
		}
	})
}
