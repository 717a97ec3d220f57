package events

import (
	"sort"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
)

// begun are the visits of the Map and Parallel states of a log, so that the newest one is found without going through
// the log.
type begun struct {
	next int // the event to read next
	// of are the events with which visits of a state began, in their order; for nil they are the outermost ones of any
	// state.
	of map[*asl.State][]int
	// around is the entry of the visit in which a thread began, inside has those in which a state of it has been
	// entered.
	around map[engine.ThreadID]int64
	inside map[int64]bool
	first  int // the event with which the first of them was entered
}

// read reads the new events of the log.
func (b *begun) read(log *runlog.Log) {
	if b.of == nil || b.next > log.Len() {
		*b = begun{next: log.First(), of: make(map[*asl.State][]int), around: make(map[engine.ThreadID]int64), inside: make(map[int64]bool)}
	}
	for ; b.next < log.Len(); b.next++ {
		head := log.Head(b.next)
		if traits := head.Type.Traits(); traits.Scope == engine.OfThread && traits.Opens {
			b.around[head.Thread] = head.Entered
		}
		if head.Type != engine.StateEntered || head.State == nil {
			continue
		}
		around, isInside := b.around[head.Thread]
		if isContainer(head.State) {
			b.of[head.State] = append(b.of[head.State], b.next)
			if !isInside {
				b.of[nil] = append(b.of[nil], b.next)
			}
		}
		if isInside {
			if len(b.inside) == 0 {
				b.first = b.next
			}
			b.inside[around] = true
		}
	}
}

// newest returns the newest visit of a state among the first n events, or nil.
func (b *begun) newest(log *runlog.Log, state *asl.State, n int) *engine.Visit {
	list := b.of[state]
	if i := sort.SearchInts(list, n); i > 0 {
		return log.At(list[i-1]).Visit
	}
	return nil
}
