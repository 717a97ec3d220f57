package runlog

import "asldb/engine"

// timer is a pending timer of a thread. It is dead when its thread has continued meanwhile: then the turn of the thread
// differs from its own.
type timer struct {
	due    int64 // in nanoseconds since 1970
	order  int64 // of two timers for the same instant, which was set first
	thread engine.ThreadID
	turn   int32
	kind   engine.TimerKind
}

// Before orders timers as the engine fires them.
func (a *timer) Before(b *timer) bool {
	if a.due != b.due {
		return a.due < b.due
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.order < b.order
}

// timers are the pending ones, the earliest first.
type timers = engine.Heap[timer, *timer]
