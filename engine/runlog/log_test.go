package runlog_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/internal/testkit/runs"
)

// A long run has checkpoints: wherever it is asked, in whatever order, the answer is a projection's without any.
func TestCheckpoints(t *testing.T) {
	for _, c := range runs.Cases() {
		if c.Name != "a loop" {
			continue
		}
		c.Input = `{"n":2000}`
		log := follow(t, &c, func(*engine.Execution, *runlog.Log) {})
		var p runlog.Projection
		for _, at := range []int{log.Len(), 17, log.Len() - 5, log.Len() / 2, log.Len()/2 + 1, 3, log.Len()} {
			prefix := log.Prefix(at)
			var fresh runlog.Projection
			m, want := p.At(log, at), fresh.At(&prefix, at)
			if stands(m) != stands(want) || !m.Now().Equal(want.Now()) || m.HasThread(0) != want.HasThread(0) {
				t.Errorf("at event %d:\n got %v %s\nwant %v %s", at, m.Now(), stands(m), want.Now(), stands(want))
			}
			shorter := p.Prefix(log, at)
			if got := stands(shorter.At(&prefix, at)); got != stands(want) {
				t.Errorf("a prefix of the projection at event %d:\n got %s\nwant %s", at, got, stands(want))
			}
			next, ok := m.NextTimer()
			if timers := m.Timers(); ok != (len(timers) > 0) || ok && !next.Equal(timers[0].At) {
				t.Errorf("at event %d: the next timer is %v, of %v", at, next, timers)
			}
			if at > 0 {
				var alone runlog.Projection
				for event := range prefix.All() {
					if event.Visit == nil {
						continue
					}
					state := event.Visit.State
					if got, want := p.Marks(log, at-1).Of(state), alone.Marks(&prefix, at-1).Of(state); got != want {
						t.Fatalf("at event %d: %s is marked %+v, want %+v", at, state.Name, got, want)
					}
					if event.Seq > 20 {
						break
					}
				}
			}
		}
	}
}

// An event finds the one before it in its thread, and the newest that carries the thread's document.
func TestEventsBefore(t *testing.T) {
	for _, c := range runs.Cases() {
		log := runs.Run(runs.Machine(c.Definition), c.Input, c.Tasks())
		if !log.Whole() {
			t.Errorf("%s: the log is not whole", c.Name)
		}
		last := make(map[engine.ThreadID]int)
		for i := range log.Len() {
			event := log.At(i)
			want, known := last[event.Thread]
			if !known {
				want = -1
			}
			if got := log.PreviousInThread(i); got != want {
				t.Errorf("%s: before event %d comes %d, want %d", c.Name, i, got, want)
			}
			last[event.Thread] = i
			if at := log.DocumentBefore(i); at >= i || at >= 0 &&
				(log.At(at).Thread != event.Thread || !runlog.CarriesDocument(log.At(at))) {
				t.Errorf("%s: the document before event %d is event %d's", c.Name, i, at)
			}
			if at := log.DataAt(i); at > i || at >= 0 && log.At(at).After == nil && log.At(at).Before == nil {
				t.Errorf("%s: the data of event %d are event %d's", c.Name, i, at)
			}
			if event.Type == engine.StateExited && log.DataAt(i) != i {
				t.Errorf("%s: event %d has its own data", c.Name, i)
			}
		}
		if log.PreviousInThread(-1) != -1 {
			t.Errorf("%s: there is an event before the first", c.Name)
		}
	}
}

// The branches and iterations of a state are listed by their numbers, each as it ended.
func TestInside(t *testing.T) {
	for _, c := range runs.Cases() {
		log := runs.Run(runs.Machine(c.Definition), c.Input, c.Tasks())
		var p runlog.Projection
		marks := p.Marks(log, log.Len()-1)
		for event := range log.All() {
			if event.Type != engine.MapSucceeded && event.Type != engine.ParallelSucceeded ||
				strings.Contains(event.Visit.Path(), "/") {
				continue
			}
			list := marks.Inside(event.Visit.State)
			if list.Len() == 0 && c.Input != "[]" || list.Ended() != list.Len() {
				t.Errorf("%s: %d of %d in %s have ended", c.Name, list.Ended(), list.Len(), event.Visit.Path())
			}
			n := 0
			for i, in := range list.All() {
				if i != n || in != list.At(i) {
					t.Errorf("%s: number %d is %+v at %d", c.Name, n, in, i)
				}
				n++
			}
		}
	}
}

// A position is behind a whole step: the events of a step happen together.
func TestPositionsOfCases(t *testing.T) {
	for _, c := range runs.Cases() {
		ends := map[int]bool{0: true} // of steps
		log := follow(t, &c, func(_ *engine.Execution, log *runlog.Log) { ends[log.Len()] = true })
		events := make([]engine.Event, 0, log.Len())
		for event := range log.All() {
			events = append(events, *event)
		}
		if other := runlog.Of(events); other.Len() != log.Len() || other.Last().Seq != log.Last().Seq {
			t.Errorf("%s: a log of the same events has %d", c.Name, other.Len())
		}
		for n := range log.Len() + 1 {
			next, before := n, max(n-1, 0)
			for !ends[next] {
				next++
			}
			for !ends[before] {
				before--
			}
			if got := log.PositionAt(n); got != next {
				t.Errorf("%s: from %d on the next position is %d, want %d", c.Name, n, got, next)
			}
			if got := log.PositionBefore(n); got != before {
				t.Errorf("%s: before %d the position is %d, want %d", c.Name, n, got, before)
			}
		}
		if end := runlog.Of(nil); end.Last() != nil || end.PositionAt(3) != 0 {
			t.Error("an empty log has events")
		}
	}
}
