package debug

import (
	"testing"

	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Very many forks are not kept: the oldest go, but the first run, the current one and the one that it left stay, and
// those that began in one that went begins where that one did.
func TestOldForksAreDropped(t *testing.T) {
	s := loopingSession(t)
	do := func(command Command) {
		t.Helper()
		if _, err := s.Do(command); err != nil {
			t.Fatal(err)
		}
	}
	do(Command{Kind: Continue})
	first := s.run
	for i := range 3 * maxForks {
		if i%2 == 0 {
			s.Restart()
		} else if err := s.Interventions().Edit(0, value.Must(`{"n": 8}`)); err != nil {
			t.Fatal(err)
		}
		do(Command{Kind: StepState})
		do(Command{Kind: StepState})
		if i%2 == 0 {
			s.GoTo(s.Position() - 1)
		}
	}
	forks := s.Forks().All()
	if len(forks) != maxForks || s.Forks().Dropped() == 0 || s.forks.runs[0] != first {
		t.Fatalf("%d forks, %d dropped, the first is %d", len(forks), s.Forks().Dropped(), forks[0].ID)
	}
	known := make(map[int]bool)
	for i, b := range forks {
		if i > 0 && !known[b.Parent] {
			t.Errorf("fork %d began in %d, which is not there", b.ID, b.Parent)
		}
		known[b.ID] = true
		if err := s.Forks().Switch(b.ID); err != nil {
			t.Fatal(err)
		}
		shared := 0
		if parent := s.Forks().run(b.Parent); parent != nil {
			var comparer runlog.Comparer
			shared = comparer.Prefix(&parent.log, &s.log, 0)
		}
		if shared < b.Shared {
			t.Errorf("fork %d shares %d events with %d, and says %d", b.ID, shared, b.Parent, b.Shared)
		}
		s.GoTo(1)
		if s.Threads(); s.Position() < 1 {
			t.Errorf("fork %d cannot be walked", b.ID)
		}
	}
	if last := forks[len(forks)-1]; !last.Current {
		t.Errorf("the current fork is not the newest: %+v", last)
	}
}

// Very long forks go earlier.
func TestLongForksAreDropped(t *testing.T) {
	s := loopingSession(t)
	for range 4 {
		if _, err := s.Do(Command{Kind: StepState}); err != nil {
			t.Fatal(err)
		}
		s.Restart()
	}
	for _, r := range s.forks.runs {
		r.shared = r.log.Len() - (maxForkEvents/2 - 1) // as if it had gone on so long
	}
	ids := func() (list []int) {
		for _, b := range s.forks.runs {
			list = append(list, b.id)
		}
		return list
	}
	s.forks.dropOld() // the first, the one that was left and the current one cannot go
	if got := ids(); len(got) != 3 || got[0] != 1 || got[1] != 4 || got[2] != 5 || s.Forks().Dropped() != 2 {
		t.Errorf("forks %v are left, %d are gone", got, s.Forks().Dropped())
	}
}
