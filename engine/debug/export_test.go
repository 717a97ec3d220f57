package debug

import (
	"fmt"
	"slices"

	"asldb/engine"
)

// ProjectionDiffers says how the projection of the log differs from the execution at the position; "" where they agree.
func (s *Session) ProjectionDiffers() string {
	e, m := s.at(), s.moment()
	entered := func(v *engine.Visit) int64 {
		if v == nil {
			return 0
		}
		return v.Entered
	}
	describe := func(status engine.Status, now string, threads []engine.ThreadInfo, timers []engine.Timer,
		requests []*engine.TaskRequest) (lines []string) {
		lines = append(lines, fmt.Sprint("status ", status, " now ", now))
		for _, t := range threads {
			lines = append(lines, fmt.Sprintf("thread %d parent %d index %d visit %d blocked %q", t.ID, t.Parent,
				t.Index, entered(t.Visit), t.Blocked))
		}
		for _, t := range timers {
			lines = append(lines, fmt.Sprint("timer ", t.At, t.Kind, entered(t.Visit)))
		}
		for _, r := range requests {
			lines = append(lines, fmt.Sprint("request ", r.ID, r.Thread))
		}
		return lines
	}
	want := describe(e.Status(), e.Now().String(), e.Threads(), e.Timers(), e.Requests())
	got := describe(m.Status(), m.Now().String(), m.Threads(), m.Timers(), m.Requests())
	next, ok := e.NextTimer()
	if found, is := m.NextTimer(); is != ok || !found.Equal(next) {
		return fmt.Sprintf("the next timer is %v %v, want %v %v", found, is, next, ok)
	}
	if slices.Equal(got, want) {
		return ""
	}
	return fmt.Sprintf("the projection says\n%q\nthe execution\n%q", got, want)
}

// RestartWith restarts with other options.
func (s *Session) RestartWith(options Options) { s.restartWith(options) }

// WidestGap returns the greatest number of events between a snapshot of the run and the one before.
func (s *Session) WidestGap() int {
	gap, last := 0, 0
	for _, k := range s.checkpoints.list {
		gap, last = max(gap, k.events-last), k.events
	}
	return max(gap, s.log.Len()-last)
}

// HoldThousands makes the logs of recordings hold so many thousand events beside the newest ones, and returns a
// function that undoes it.
func HoldThousands(n int) (undo func()) {
	before := heldThousands
	heldThousands = n
	return func() { heldThousands = before }
}
