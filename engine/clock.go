package engine

import (
	"errors"
	"math"
	"slices"
	"time"
)

// timer is a pending timer. It is dead when its thread has gone on meanwhile: then the thread's turn
// differs from the timer's.
type timer struct {
	at     int64 // nanoseconds since the epoch
	order  int64 // of two timers for the same instant, which was set first
	thread *thread
	turn   int32
	kind   TimerKind
}

// Before orders timers. At the same instant an outcome comes before the timeout that it just meets.
func (a *timer) Before(b *timer) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.order < b.order
}

func (t *timer) alive() bool {
	if t.kind == TimerChildTimeout {
		return !t.thread.dead && t.thread.deadline == t.at
	}
	return t.thread == nil || (!t.thread.dead && t.thread.turn == t.turn)
}

// timers are the pending ones, the earliest first.
type timers = Heap[timer, *timer]

// maxSeconds is the greatest number of seconds that is turned into a Duration, which ends at 292 years.
const maxSeconds = 9e9

// durationOf returns a duration of s seconds, bounded to 285 years.
func durationOf(s float64) time.Duration {
	if s >= maxSeconds || math.IsNaN(s) {
		return maxSeconds * time.Second
	}
	return time.Duration(math.Round(s * float64(time.Second)))
}

// clock is the virtual time of an execution, with its pending timers.
type clock struct {
	now    int64 // nanoseconds since the epoch
	timers timers
	order  int64 // of the newest timer
	// sweepAt is the number of timers at which the dead ones are dropped.
	sweepAt int
}

// Now returns the virtual time, in UTC.
func (c *clock) Now() time.Time { return time.Unix(0, c.now).UTC() }

func (c *clock) set(t *thread, at int64, kind TimerKind) {
	if len(c.timers) >= c.sweepAt {
		c.sweep()
	}
	c.order++
	c.timers.Push(timer{at: at, order: c.order, thread: t, turn: t.turn, kind: kind})
}

// fewTimers is how many timers are not worth a sweep.
const fewTimers = 64

// sweep drops the timers that will never fire: a loop of tasks leaves one for each attempt.
func (c *clock) sweep() {
	live := make(timers, 0, len(c.timers))
	for i := range c.timers {
		if due := c.timers[i]; due.alive() && !due.superseded() {
			live.Push(due)
		}
	}
	c.timers, c.sweepAt = live, max(fewTimers, 2*len(live))
}

// ErrRunnable says that time cannot move while a thread can continue: call Step first.
var ErrRunnable = errors.New("the clock cannot move while a thread can continue")

// ErrDone says that the execution is over.
var ErrDone = errors.New("the execution is over")

// ErrBackwards says that the clock would go back.
var ErrBackwards = errors.New("the virtual clock cannot go back")

// NextTimer returns the time of the earliest pending timer; ok is false when there is none.
func (c *clock) NextTimer() (at time.Time, ok bool) {
	next, ok := c.nextTimer()
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(0, next).UTC(), true
}

// nextTimer is NextTimer in nanoseconds since the epoch.
func (c *clock) nextTimer() (at int64, ok bool) {
	for len(c.timers) > 0 && (!c.timers[0].alive() || c.timers[0].superseded()) {
		c.timers.Pop()
	}
	if len(c.timers) == 0 {
		return 0, false
	}
	return c.timers[0].at, true
}

// Timers returns the pending timers, the earliest first.
func (c *clock) Timers() []Timer {
	sorted := slices.Clone(c.timers)
	sorted = slices.DeleteFunc(sorted, func(t timer) bool { return !t.alive() || t.superseded() })
	slices.SortFunc(sorted, func(a, b timer) int {
		if a.Before(&b) {
			return -1
		}
		return 1
	})
	list := make([]Timer, len(sorted))
	for i, t := range sorted {
		list[i] = Timer{At: time.Unix(0, t.at).UTC(), Kind: t.kind}
		if t.thread != nil {
			list[i].Visit = t.thread.visit
		}
	}
	return list
}

// superseded reports whether a heartbeat has come since this heartbeat timeout was set.
func (t *timer) superseded() bool {
	return t.kind == TimerHeartbeatTimeout && t.at < Later(t.thread.beats, durationOf(t.thread.limits.heartbeat))
}

// AdvanceTo moves the virtual clock to at, but not beyond the next timer: when that is earlier the
// clock stops there and the threads that waited for it can continue. It returns [ErrRunnable], [ErrDone]
// or [ErrBackwards].
func (e *Execution) AdvanceTo(at time.Time) error {
	to := nanosecondsOf(at)
	switch {
	case e.status.Done():
		return ErrDone
	case e.Runnable():
		return ErrRunnable
	case to < e.now:
		return ErrBackwards
	}
	if next, ok := e.nextTimer(); ok && next < to {
		to = next
	}
	e.now = to
	for len(e.timers) > 0 && e.timers[0].at <= e.now {
		if due := e.timers.Pop(); due.alive() && !due.superseded() {
			e.fire(due)
		}
	}
	return nil
}

func (e *Execution) fire(due timer) {
	t := due.thread
	switch due.kind {
	case TimerExecutionTimeout:
		e.expired = true
	case TimerChildTimeout:
		t.overdue = true
		e.forgetTask(t)
		e.forgetObject(t)
		e.resume(t, t.phase)
	case TimerWait:
		e.resume(t, phaseWaitOver)
	case TimerRetry:
		e.resume(t, phaseRetry)
	case TimerTask:
		e.resume(t, phaseTaskAnswered)
	case TimerMapRun:
		e.resume(t, phaseMapRunOver)
	case TimerTaskTimeout:
		e.forgetTask(t) // an answer comes too late now
		t.expired = true
		e.resume(t, phaseTaskTimeout)
	case TimerHeartbeatTimeout:
		e.forgetTask(t)
		e.resume(t, phaseHeartbeatTimeout)
	case TimerTaskHeartbeat:
		// The task continues after a heartbeat: its other timers stay alive. A heartbeat timeout for this
		// very instant must find the heartbeat noted.
		t.beats = e.now
		e.proceed(t, phaseTaskHeartbeat)
	}
}

// Later returns a time in nanoseconds that is d later, or the latest one that there is.
func Later(at int64, d time.Duration) int64 {
	if d > 0 && at > math.MaxInt64-int64(d) {
		return math.MaxInt64
	}
	return at + int64(d)
}
