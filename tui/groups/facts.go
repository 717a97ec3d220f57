package groups

import (
	"sort"
	"time"

	"asldb.dev/asldb/engine"
)

// Outcome says how a group ended. What was still going on when the execution ended was aborted with it.
func (x *Index) Outcome(g *Group) Outcome {
	if g.outcome == Running && x.groups.at(0).outcome != Running {
		return Aborted
	}
	return g.outcome
}

// Span returns the virtual time at which a group began and that at which it ended; until is the end of
// those that go on.
func (x *Index) Span(g *Group, until time.Time) (from, to time.Time) {
	from, to = x.log.At(max(int(g.header), 0)).At(), until
	switch {
	case g.end != None:
		to = x.log.At(int(g.end)).At()
	case x.groups.at(0).end != None:
		to = x.log.At(int(x.groups.at(0).end)).At()
	}
	return from, to
}

// Counts returns what has become of the branches or iterations that the group with header i began.
func (x *Index) Counts(i int) Counts {
	if i >= 0 && i < x.rows.n && x.rows.at(i).group != None {
		if c := x.counts[x.rows.at(i).group]; c != nil {
			return *c
		}
	}
	return Counts{}
}

// Retries returns the delays between the attempts of the visit with header i.
func (x *Index) Retries(i int) []Retry {
	if i < 0 || i >= x.rows.n || x.rows.at(i).group == None {
		return nil
	}
	return x.retries[x.rows.at(i).group]
}

// VisitOf returns the header of the visit that event i belongs to, or None: of a branch's own events it is
// the visit of the Parallel or Map around it.
func (x *Index) VisitOf(i int) int {
	for at := i; at != None; at = x.Parent(at) {
		if g, ok := x.Get(at); ok && g.kind == Visit {
			return at
		}
	}
	return None
}

// Threads returns how many threads have begun, the root included.
func (x *Index) Threads() int { return x.threads.n }

// Thread returns the header of thread n, in the order in which they began; that of the root, 0, is None.
func (x *Index) Thread(n int) int { return int(x.groups.at(int(*x.threads.at(n))).header) }

// ThreadOf returns the header of the branch or iteration that event i lies in, or None in the root.
func (x *Index) ThreadOf(i int) int {
	for at := i; at != None; at = x.Parent(at) {
		if g, ok := x.Get(at); ok && g.kind == Thread {
			return at
		}
	}
	return None
}

// Children calls yield with the headers of the groups directly inside the one with that header (None for the
// execution), from the one after on (None for all), until yield returns false.
func (x *Index) Children(header, after int, yield func(header int) bool) {
	g := x.groups.at(0)
	if header != None {
		var ok bool
		if g, ok = x.Get(header); !ok {
			return
		}
	}
	at := g.first
	if after != None {
		at = x.rows.at(after).next
	}
	for ; at != None; at = x.rows.at(int(at)).next {
		if x.rows.at(int(at)).group != None && !yield(int(at)) {
			return
		}
	}
}

// ID returns the number of the thread of event i.
func (x *Index) ID(i int) engine.ThreadID { return x.log.At(i).Thread }

// Live returns the header of the branch or iteration that a thread is, None for the root; ok is false where the
// thread has ended or never began.
func (x *Index) Live(id engine.ThreadID) (header int, ok bool) {
	at, ok := x.places[id]
	return int(x.groups.at(int(at.thread)).header), ok
}

// Number returns the place of a thread among all that have begun, by its header; the root's is None.
func (x *Index) Number(header int) int {
	return sort.Search(x.threads.n-1, func(n int) bool { return x.Thread(n+1) > header })
}

// Visit returns the header of the visit that a live thread is in, or was in last; ok is false where it has not
// entered a state.
func (x *Index) Visit(id engine.ThreadID) (header int, ok bool) {
	at, ok := x.places[id]
	if !ok || at.visit == None {
		return None, false
	}
	return int(x.groups.at(int(at.visit)).header), true
}

// Newest returns the newest event of a live thread's own.
func (x *Index) Newest(id engine.ThreadID) (i int, ok bool) {
	at, ok := x.places[id]
	if !ok {
		return None, false
	}
	i = int(x.groups.at(int(x.holder(at))).newest)
	return i, i != None
}
