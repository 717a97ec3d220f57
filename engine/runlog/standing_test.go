package runlog_test

import (
	"testing"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/internal/testkit/runs"
)

// The state of a group at an earlier place equals its state in an index of the events before it.
func TestStandingAtAnEarlierPlace(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := 0
		log := runs.Run(runs.Machine(runs.Chain(rt, 2, &names)), runs.ChainInput,
			runs.Fail(map[string]int{"S0": 1, "S2": 3}))
		whole := runlog.New()
		whole.Extend(log)
		at := rapid.SliceOfN(rapid.IntRange(0, log.Len()), 3, 3).Draw(rt, "places")
		for _, n := range at {
			early, live := earlier(log, n)
			for i := range n {
				g, ok := early.Get(i)
				if !ok {
					continue
				}
				want := runlog.Standing{Newest: g.Newest(), Attempts: g.Attempts(), Counts: early.Counts(i)}
				if got := whole.Standing(i, n); got != want {
					rt.Fatalf("event %d when %d had happened: %+v, want %+v", i, n, got, want)
				}
			}
			for id := range engine.ThreadID(whole.Threads() + 1) {
				_, want := live[id]
				if header, ok := whole.ThreadAt(id, n); ok != want || ok && header != live[id] {
					rt.Fatalf("thread %d when %d had happened: %d, %v; want %d, %v", id, n, header, ok, live[id], want)
				}
			}
		}
	})
}

// earlier reads the first n events alone, and the headers of the threads that live then.
func earlier(log *runlog.Log, n int) (*runlog.Index, map[engine.ThreadID]int) {
	var events []engine.Event
	for i := range n {
		events = append(events, *log.At(i))
	}
	x := runlog.New()
	x.Extend(runlog.Of(events))
	live := map[engine.ThreadID]int{0: runlog.None}
	for i := range n {
		switch e := log.At(i); e.Type {
		case engine.BranchStarted, engine.IterationStarted:
			live[e.Thread] = i
		case engine.BranchSucceeded, engine.BranchFailed, engine.BranchAborted,
			engine.IterationSucceeded, engine.IterationFailed, engine.IterationAborted:
			delete(live, e.Thread)
		case engine.ExecutionSucceeded, engine.ExecutionFailed:
			delete(live, 0)
		}
	}
	return x, live
}
