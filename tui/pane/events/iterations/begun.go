package iterations

import (
	"sort"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
)

// begun are the visits of the Map and Parallel states of a log, so that the newest one is found without going through the log.
type begun struct {
	next int // the event to read next
	// of are the visits of a state in the order of their entries; those of nil are the outermost ones of any state.
	of map[*asl.State][]entry
	// inside has the visits in which a state of a branch or an iteration has been entered.
	inside map[*engine.Visit]bool
	first  int // the event with which the first of them was entered
}

// entry is the entry of a visit: the index of its event.
type entry struct {
	event int
	visit *engine.Visit
}

// read reads the new events of the log.
func (b *begun) read(log *runlog.Log) {
	if b.of == nil || b.next > log.Len() {
		*b = begun{next: log.First(), of: make(map[*asl.State][]entry), inside: make(map[*engine.Visit]bool)}
	}
	for ; b.next < log.Len(); b.next++ {
		e := log.At(b.next)
		if e.Type != engine.StateEntered || e.Visit == nil {
			continue
		}
		v := e.Visit
		if isContainer(v.State) {
			b.of[v.State] = append(b.of[v.State], entry{b.next, v})
			if v.Parent == nil {
				b.of[nil] = append(b.of[nil], entry{b.next, v})
			}
		}
		if v.Parent != nil {
			if len(b.inside) == 0 {
				b.first = b.next
			}
			b.inside[v.Parent] = true
		}
	}
}

// newest returns the newest visit of a state among the first n events, or nil.
func (b *begun) newest(state *asl.State, n int) *engine.Visit {
	list := b.of[state]
	if i := sort.Search(len(list), func(i int) bool { return list[i].event >= n }); i > 0 {
		return list[i-1].visit
	}
	return nil
}
