package breakpoint

import (
	"cmp"
	"slices"
	"time"
)

// time returns the instant of a breakpoint of kind [OnTime]; start is that of the execution.
func (b *Breakpoint) time(start time.Time) time.Time {
	if b.At.IsZero() {
		return start.Add(b.After)
	}
	return b.At
}

// stopsClock reports whether the clock has to stop at the time of a breakpoint, whatever happens then. Its condition is
// about the data at the position.
func (t *Tracker) stopsClock(b *Breakpoint) bool {
	return b.Kind == OnTime && b.Enabled && b.Message == "" && b.HitCount.fits(b.Hits+1) &&
		(t.run.Position() == 0 || t.holds(b, t.run.Position()-1))
}

// StopsClock reports whether there is a breakpoint that can stop the clock.
func (t *Tracker) StopsClock() bool {
	return slices.ContainsFunc(t.points, func(b *Breakpoint) bool { return b.Kind == OnTime })
}

// ClockStop returns the first time after now, and not after to, at which a breakpoint stops the clock. timer is the
// earliest pending timer, zero where there is none: from then on the timer's events stop the session. ok is false where
// nothing stops the clock.
func (t *Tracker) ClockStop(now, to, timer time.Time) (at time.Time, ok bool) {
	for _, b := range t.points {
		if b.Kind != OnTime {
			continue
		}
		instant := b.time(t.run.Start())
		if !instant.After(now) || instant.After(to) || !timer.IsZero() && !instant.Before(timer) {
			continue
		}
		if (!ok || instant.Before(at)) && t.stopsClock(b) {
			at, ok = instant, true
		}
	}
	return at, ok
}

// ClockReached counts the hits of the breakpoints that have stopped the clock at a time, and returns the first of them. A hit
// belongs to the next event, which is the first that is not before the time.
func (t *Tracker) ClockReached(at time.Time) *Breakpoint {
	var first *Breakpoint
	var spent []int
	for _, b := range t.points {
		if b.Kind != OnTime || !b.time(t.run.Start()).Equal(at) || !t.stopsClock(b) {
			continue
		}
		b.countAhead(t.run.Log().Len())
		first = cmp.Or(first, b)
		if b.Once {
			spent = append(spent, b.ID)
		}
	}
	t.removeAll(spent)
	return first
}

// countAhead notes a hit at the event that comes next.
func (b *Breakpoint) countAhead(i int) {
	b.count(i)
	b.counted, b.ahead = i+1, i+1
}

// countClock notes the hit of a breakpoint whose time has come at the end of the run without an event.
func (t *Tracker) countClock(b *Breakpoint, now time.Time) {
	position := t.run.Position()
	if b.Kind != OnTime || b.Message != "" || !b.Enabled || position == 0 {
		return
	}
	at := b.time(t.run.Start())
	if t.run.Log().At(position-1).At().Before(at) && !now.Before(at) && t.holds(b, position-1) {
		b.countAhead(t.run.Log().Len())
	}
}
