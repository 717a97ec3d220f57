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

// before orders timers as the engine fires them.
func (a *timer) before(b *timer) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.order < b.order
}

// timers is a binary heap, the earliest first.
type timers []timer

func (h *timers) push(t timer) {
	s := append(*h, t)
	*h = s
	for i := len(s) - 1; i > 0; {
		parent := (i - 1) / 2
		if !s[i].before(&s[parent]) {
			return
		}
		s[i], s[parent] = s[parent], s[i]
		i = parent
	}
}

func (h *timers) pop() timer {
	s := *h
	top, last := s[0], len(s)-1
	s[0] = s[last]
	s = s[:last]
	*h = s
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(s) {
			return top
		}
		if child+1 < len(s) && s[child+1].before(&s[child]) {
			child++
		}
		if !s[child].before(&s[i]) {
			return top
		}
		s[i], s[child] = s[child], s[i]
		i = child
	}
}
