package debug

import (
	"slices"
	"time"
)

// time returns the instant of BreakTime; start is that of the execution.
func (b *Breakpoint) time(start time.Time) time.Time {
	if b.At.IsZero() {
		return start.Add(b.After)
	}
	return b.At
}

// stopsClock reports whether the clock has to stop at the time of a breakpoint, whatever happens then. Its condition is
// about the data as they are.
func (s *Session) stopsClock(b *Breakpoint) bool {
	return b.Kind == BreakTime && b.Enabled && b.Message == "" && b.HitCount.fits(b.Hits+1) &&
		(s.position == 0 || s.holds(b, s.position-1))
}

// clockStop returns the first time at which a breakpoint stops the clock on its way to an instant. Times at which a
// timer fires are left to the events that it brings; ok is false where there is none before.
func (s *Session) clockStop(to time.Time) (at time.Time, ok bool) {
	if !slices.ContainsFunc(s.breakpoints, func(b *Breakpoint) bool { return b.Kind == BreakTime }) {
		return at, false
	}
	now := s.Now()
	next, fires := s.NextTimer()
	for _, b := range s.breakpoints {
		t := b.time(s.options.Start)
		if b.Kind != BreakTime || !t.After(now) || t.After(to) || fires && !t.Before(next) {
			continue
		}
		if (!ok || t.Before(at)) && s.stopsClock(b) {
			at, ok = t, true
		}
	}
	return at, ok
}

// clockReached counts the hits of the breakpoints that have stopped the clock, and says that they did. A hit belongs to
// the next event, which is the first that is not before the time.
func (s *Session) clockReached(at time.Time) Stop {
	stop := Stop{Reason: StoppedByBreakpoint}
	var spent []int
	for _, b := range s.breakpoints {
		if b.Kind != BreakTime || !b.time(s.options.Start).Equal(at) || !s.stopsClock(b) {
			continue
		}
		b.countAhead(s.log.Len())
		if stop.Breakpoint == nil {
			stop.Breakpoint = b
		}
		if b.Once {
			spent = append(spent, b.ID)
		}
	}
	for _, id := range spent {
		s.Remove(id)
	}
	return stop
}

// countAhead notes a hit of the event that comes next.
func (b *Breakpoint) countAhead(place int) {
	b.count(place)
	b.counted, b.ahead = place+1, place+1
}

// countClock notes the hit of a breakpoint whose time has come at the end of the run without an event.
func (s *Session) countClock(b *Breakpoint) {
	if b.Kind != BreakTime || !s.atEnd() || s.logOnly || b.Message != "" || !b.Enabled {
		return
	}
	at := b.time(s.options.Start)
	if last := s.lastEvent(); last != nil && last.At().Before(at) && !s.execution.Now().Before(at) && s.holds(b, s.position-1) {
		b.countAhead(s.log.Len())
	}
}
