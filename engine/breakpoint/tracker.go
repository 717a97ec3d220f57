package breakpoint

import (
	"fmt"
	"strconv"
	"time"

	"asldb/internal/wording"
)

// Tracker counts the hits of breakpoints while a run goes forward and back, and says at which of them to stop. Faces use
// its List; the other methods are for the session.
type Tracker struct{ List }

// NewTracker returns a Tracker for a run that has no breakpoints yet.
func NewTracker(run Run) *Tracker { return &Tracker{List{run: run}} }

// Hit returns the first breakpoint that stops at event i, which happens now, or nil. It counts the hits of each, records the
// messages of logpoints, and removes the breakpoints that stop once.
func (t *Tracker) Hit(i int) *Breakpoint {
	var first *Breakpoint
	var spent []int
	for _, b := range t.points {
		stopped := b.ahead == i+1 // the clock has stopped for it already
		b.forget(i)               // the event happens now, whatever was known of it
		if b.Enabled {
			t.countUpTo(b, i) // events of a step in which the session stopped earlier
		}
		triggered := b.Enabled && t.triggers(b, i)
		if t.run.Poll().Err() != nil {
			break // unknown: the event is counted when its condition can be evaluated
		}
		b.counted = i + 1
		if !triggered {
			continue
		}
		b.count(i)
		switch {
		case stopped, !b.HitCount.fits(b.Hits):
			continue
		case b.Message != "":
			t.record(b, i)
		case first == nil:
			first = b
		}
		if b.Once {
			spent = append(spent, b.ID)
		}
	}
	t.removeAll(spent)
	return first
}

func (t *Tracker) removeAll(ids []int) {
	for _, id := range ids {
		t.Remove(id)
	}
}

// count notes a hit at event i.
func (b *Breakpoint) count(i int) {
	b.places = append(b.places, i)
	b.Hits = len(b.places)
}

// countUpTo counts the hits of a breakpoint before event n, and records their messages.
func (t *Tracker) countUpTo(b *Breakpoint, n int) {
	for ; b.counted < n; b.counted++ {
		triggered := t.triggers(b, b.counted)
		if t.run.Poll().Step(1) != nil {
			return
		}
		if !triggered {
			continue
		}
		b.count(b.counted)
		if b.Message != "" && b.Enabled && b.HitCount.fits(b.Hits) {
			t.record(b, b.counted)
		}
	}
}

// CountAll counts the hits of all events that are known, without stopping at any: those that an input brought at once.
func (t *Tracker) CountAll() {
	for _, b := range t.points {
		if b.Enabled {
			t.countUpTo(b, t.run.Log().Len())
		}
	}
}

// forget drops the hits at event n and later ones.
func (b *Breakpoint) forget(n int) {
	b.since, b.counted = min(b.since, n), min(b.counted, n)
	if b.ahead > n {
		b.ahead = 0
	}
	for len(b.places) > 0 && b.places[len(b.places)-1] >= n {
		b.places = b.places[:len(b.places)-1]
	}
	b.Hits = len(b.places)
}

// Recount brings hits and messages to the figures of the first n events, for a change of the position without walking.
// The hits of the first common events stay as they were counted; the later events are looked at again. now is the
// virtual time where the position is the end of a run that can continue, else the zero Time.
func (t *Tracker) Recount(n, common int, now time.Time) {
	t.forgetMessages(min(n, common))
	for _, b := range t.points {
		b.Fault = nil
		b.forget(min(n, common))
		t.countUpTo(b, n)
		if !now.IsZero() {
			t.countClock(b, now)
		}
	}
}

// StopBefore returns the newest of the first n events at which an enabled breakpoint stops, and that breakpoint; -1 and nil
// where there is none. Hits are counted from the log, so that the same events stop as on the way forward.
func (t *Tracker) StopBefore(n int) (i int, at *Breakpoint) {
	i = -1
	for _, b := range t.points {
		if !b.Enabled || b.Message != "" {
			continue
		}
		if found := t.lastStop(b, i+1, n); found > i {
			i, at = found, b
		}
	}
	return i, at
}

// lastStop returns the newest event from from on and before n at which b stops, or -1.
func (t *Tracker) lastStop(b *Breakpoint, from, n int) int {
	poll := t.run.Poll()
	if b.HitCount == (HitCount{}) {
		for i := n - 1; i >= from && poll.Step(1) == nil; i-- {
			if t.triggers(b, i) {
				return i
			}
		}
		return -1
	}
	last, hits := -1, 0
	for i := min(b.since, n); i < n && poll.Step(1) == nil; i++ {
		if !t.triggers(b, i) {
			continue
		}
		if hits++; i >= from && b.HitCount.fits(hits) {
			last = i
		}
	}
	return last
}

// HitCount says at which hits of a breakpoint the session stops: Op is one of == != < <= > >= and %, where % means
// every N-th hit. The zero HitCount is every hit.
type HitCount struct {
	Op string
	N  int
}

// String returns the clause of the spec, "hits % 10", or "".
func (h HitCount) String() string {
	if h.Op == "" {
		return ""
	}
	return hitsWord + " " + h.Op + " " + strconv.Itoa(h.N)
}

// fits reports whether the session stops at the hit of a number, counted from 1.
func (h HitCount) fits(hit int) bool {
	switch h.Op {
	case "==":
		return hit == h.N
	case "!=":
		return hit != h.N
	case "<":
		return hit < h.N
	case "<=":
		return hit <= h.N
	case ">":
		return hit > h.N
	case ">=":
		return hit >= h.N
	case "%":
		return hit%h.N == 0
	}
	return true
}

var hitClause = wording.Pattern(`^(==|!=|<=|>=|<|>|%|=)?\s*(\d+)(\s|$)`)

// readHitCount reads the count behind the word hits and returns its length.
func readHitCount(text string) (h HitCount, length int, err error) {
	found := hitClause().FindStringSubmatch(text)
	if found == nil {
		return h, 0, fmt.Errorf("has a hit count that cannot be read, %q: expected hits == 3, hits > 5, hits %% 10 or with !=, <, <=, >=", text)
	}
	if found[1] == "" || found[1] == "=" {
		found[1] = "=="
	}
	h.Op = found[1]
	if h.N, err = strconv.Atoi(found[2]); err != nil {
		return h, 0, fmt.Errorf("has a hit count above what can be counted, %s", found[2])
	}
	if h.Op == "%" && h.N == 0 {
		return h, 0, fmt.Errorf("asks for every 0th hit: expected a number from 1 after hits %%")
	}
	return h, len(found[0]), nil
}
