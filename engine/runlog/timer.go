package runlog

import "asldb/engine"

// timer is a pending timer of a thread. It is dead when its thread has gone on meanwhile: then the thread's turn differs
// from the timer's.
type timer struct {
	at     int64 // in nanoseconds since 1970
	order  int64 // of two timers for the same instant, which was set first
	thread engine.ThreadID
	turn   int32
	kind   engine.TimerKind
}

// Before orders timers as the engine fires them.
func (a *timer) Before(b *timer) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.order < b.order
}

// timers are the pending ones, the earliest first.
type timers = engine.Heap[timer, *timer]
