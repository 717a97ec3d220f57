package breakpoint

import (
	"cmp"
	"slices"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/console"
)

// Kind is the kind of event or place that a breakpoint is for.
type Kind uint8

// The kinds of breakpoints.
const (
	// OnEntry: a state is entered.
	OnEntry Kind = iota
	// OnStage: a stage of a state is over, for better or worse.
	OnStage
	// OnError: an error comes up, whatever is made of it afterwards.
	OnError
	// OnCaught: an error comes up that a retrier or a catcher takes, in the state or in one that holds it, or
	// that a Map state tolerates.
	OnCaught
	// OnUncaught: an error comes up that no retrier and no catcher takes, so that it ends the execution.
	OnUncaught
	// OnRetry: a retrier has taken an error.
	OnRetry
	// OnCatch: a catcher has taken an error.
	OnCatch
	// OnTimeout: a TimeoutSeconds or a HeartbeatSeconds is over.
	OnTimeout
	// OnScheduled: a task is asked for.
	OnScheduled
	// OnTransition: a state is left for another one.
	OnTransition
	// OnChange: an expression over the data gives another value than before: see [Watches.Changes].
	OnChange
	// OnTime: the virtual clock comes to an instant. The session stops at the first event then; where none happens
	// then it stops the clock. Among known events it stops at the first that is not before the instant.
	OnTime
)

// Breakpoint is a place or a kind of event at which a session stops or, for a logpoint, records a message.
type Breakpoint struct {
	// ID numbers the breakpoints of a session from 1; a permanent one has 0. A number is not used twice.
	ID   int
	Kind Kind
	// Pattern names states by name, path or wildcard; empty means every state. To does so for the state that a
	// transition leads to.
	Pattern, To string
	// Stage is the stage of OnStage. Field is the states' name of it, "Task" for a Task state's work.
	Stage engine.Stage
	Field string
	// Rule is the number of the rule of a Choice state, from 1, where the breakpoint is for one; else 0.
	Rule int
	// Names is a pattern of Error Names; empty means every error.
	Names string
	// Watched is the expression of OnChange.
	Watched string
	// After is how long after the start OnTime is; At is the instant where the spec has one.
	After time.Duration
	At    time.Time
	// Condition must hold over the data, an expression of package console; empty always holds.
	Condition string
	// HitCount says at which hits the session stops; the zero HitCount is all of them.
	HitCount HitCount
	// Once: the breakpoint is removed when the session has stopped for it.
	Once bool
	// Message makes it a logpoint: the session does not stop, it records the message. Expressions are in braces.
	Message string
	Enabled bool
	// Standing: it is in the list from the beginning, and cannot be removed but only switched off. See [List.AddUncaught].
	Standing bool
	// Hits counts the events that it fits, since it was made or the run was restarted.
	Hits int
	// Fault says why the condition, the watched expression or the message could not be evaluated the last time.
	Fault error

	condition *console.Expression
	watched   *console.Expression
	message   messageText
	state     *asl.State // of a breakpoint that List.AddAt made: this state alone
	since     int        // the number of events when it was made
	// places are the events, from 0, that were counted in Hits, in order; counted is up to which event they are.
	places  []int
	counted int
	// ahead is one more than the event that was counted before it happened, since the clock stopped first; 0 for none.
	ahead int
}

// AnyError reports whether the breakpoint is for every error in every state.
func (b *Breakpoint) AnyError() bool {
	return b.Kind == OnError && (b.Pattern == "" || b.Pattern == "*") && b.Names == "" && b.Condition == "" &&
		b.Message == "" && b.HitCount == HitCount{}
}

// Place returns the state that the breakpoint was made for by [Session.AddAt], nil otherwise.
func (b *Breakpoint) Place() *asl.State { return b.state }

// time returns the instant of a breakpoint of kind [OnTime]; start is the execution's.
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
