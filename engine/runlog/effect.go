package runlog

import (
	"sort"
	"time"

	"asldb/engine"
)

// Start is how a run begins, before its first event.
type Start struct {
	// Time is the virtual time of the start.
	Time time.Time
	// Deadline is when the machine's TimeoutSeconds are over; zero where it has none.
	Deadline time.Time
	// Events is how many events the run may well have: a log of so many need not grow. 0 is not known.
	Events int
}

// EffectKind is the kind of an [Effect].
type EffectKind uint8

// The kinds of effects. An input that brings an event at once needs none: the event says it.
const (
	// EffectNone: the input changed nothing that a [Moment] has, but for the time.
	EffectNone EffectKind = iota
	// EffectOutcome: a task got its outcome, which is due after Delay. Submits is set where the job or message
	// that the task waits for is submitted first.
	EffectOutcome
	// EffectObject: an ItemReader got its object.
	EffectObject
	// EffectMapRun: a Map Run was answered as a whole; its end is due after Delay.
	EffectMapRun
	// EffectTimeout: a task was timed out by hand.
	EffectTimeout
	// EffectHeartbeat: a task reported by hand that it is alive. A TaskHeartbeat event follows.
	EffectHeartbeat
)

// Effect is the change that an input made without an event: of requests and timers, and of the time.
type Effect struct {
	Kind   EffectKind
	Thread engine.ThreadID
	// Now is the virtual time after the input.
	Now time.Time
	// Delay is how long the outcome takes, Every the time between the task's heartbeats; 0 means that it sends none.
	Delay, Every time.Duration
	Submits      bool
	// Immediate is set where the input came together with the newest event, so that there is no position between them.
	Immediate bool
}

// effect is an Effect with its place.
type effect struct {
	after        int // the number of events before it
	input        int // the number of the input, from 0
	now          int64
	delay, every time.Duration
	thread       engine.ThreadID
	kind         EffectKind
	submits      bool
	immediate    bool // and so are all before it at the same place
}

// effects are the effects of a run, in few bytes.
type effects struct{ Table }

// The columns of effects.
const (
	effectAfter = iota
	effectInput
	effectNow
	effectDelay
	effectEvery
	effectThread
	effectMarks // kind, submits and immediate
)

func newEffects() effects { return effects{Pack(0, 1, 0, 0, 0, 0, 0)} }

func (l *effects) add(e *effect) {
	if l.Len() == 0 {
		*l = newEffects()
	}
	marks := int64(e.kind) << 2
	if e.submits {
		marks |= 2
	}
	if e.immediate {
		marks |= 1
	}
	l.Push(int64(e.after), int64(e.input), e.now, int64(e.delay), int64(e.every), int64(e.thread), marks)
}

func (l *effects) prefix(n int) effects { return effects{l.Prefix(n)} }

func (l *effects) effect(i int) effect {
	row := l.Row(i)
	return effect{
		after: int(row[effectAfter]), input: int(row[effectInput]), now: row[effectNow], delay: time.Duration(row[effectDelay]),
		every: time.Duration(row[effectEvery]), thread: engine.ThreadID(row[effectThread]), kind: EffectKind(row[effectMarks] >> 2),
		submits: row[effectMarks]&2 != 0, immediate: row[effectMarks]&1 != 0,
	}
}

// Begin says how the run begins. It is called before anything is added.
func (l *Log) Begin(start Start) {
	l.events.Reserve(start.Events)
	l.started = start.Time.UnixNano()
	if !start.Deadline.IsZero() {
		l.deadline = start.Deadline.UnixNano()
	}
	l.now = l.started
}

// Now returns the virtual time after the newest event and input, in UTC.
func (l *Log) Now() time.Time { return time.Unix(0, l.now).UTC() }

// Effect notes the change that an input of the run made; it is called for every input, in their order.
func (l *Log) Effect(e Effect) {
	n := l.Len()
	if !e.Immediate {
		l.apart = n + 1
	}
	l.now = e.Now.UnixNano()
	l.inputs++
	if e.Kind == EffectNone {
		return
	}
	l.effects.add(&effect{
		after: n, input: l.inputs - 1, now: l.now, delay: e.Delay, every: e.Every, thread: e.Thread, kind: e.Kind,
		submits: e.Submits, immediate: l.apart != n+1,
	})
}

// effect returns effect i; ok is false behind the last.
func (l *Log) effect(i int) (e effect, ok bool) {
	if i >= l.effects.Len() {
		return effect{}, false
	}
	return l.effects.effect(i), true
}

// effectsAt returns the number of effects that a position has: the effects of the inputs before its newest event, of
// the inputs that came together with it, and at the end of the log all.
func (l *Log) effectsAt(n int) int {
	if n >= l.Len() {
		return l.effects.Len()
	}
	return sort.Search(l.effects.Len(), func(i int) bool {
		e := l.effects.effect(i)
		return e.after > n || e.after == n && !e.immediate
	})
}
