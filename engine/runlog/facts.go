package runlog

import (
	"sort"
	"time"

	"asldb/engine"
)

// Outcome is the end of a group. Groups unfinished when the execution ended were aborted with it.
func (x *Index) Outcome(g Group) Outcome {
	if g.outcome == BranchRunning && x.groups.get(0).outcome != BranchRunning {
		return BranchAborted
	}
	return g.outcome
}

// Span returns the virtual time at which a group began and the time at which it ended; until is the end of groups that
// have not ended.
func (x *Index) Span(g Group, until time.Time) (from, to time.Time) {
	at := func(i int32) time.Time {
		head := x.log.Head(int(i))
		return head.At()
	}
	from, to = at(max(g.header, 0)), until
	if g.end != None {
		to = at(g.end)
	} else if end := x.groups.get(0).end; end != None {
		to = at(end)
	}
	return from, to
}

// VisitFailed reports whether a visit failed whose header is one of the events from first to last.
func (x *Index) VisitFailed(first, last int) bool {
	at := sort.Search(len(x.failed), func(i int) bool { return int(x.failed[i]) >= first })
	return at < len(x.failed) && int(x.failed[at]) <= last
}

// Counts returns the tallies of the branches or iterations that the group with header i began.
func (x *Index) Counts(i int) Counts {
	if i >= 0 && i < x.rows.Len() && x.rows.group(i) != None {
		if c := x.counts[x.rows.group(i)]; c != nil {
			return *c
		}
	}
	return Counts{}
}

// Retries returns the delays between the attempts of the visit with header i.
func (x *Index) Retries(i int) []Retry {
	if i < 0 || i >= x.rows.Len() || x.rows.group(i) == None {
		return nil
	}
	return x.retries[x.rows.group(i)]
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
func (x *Index) Threads() int { return x.threads.Len() }

// Thread returns the header of thread n, in the order in which they began; the header of the root, 0, is None.
func (x *Index) Thread(n int) int { return int(x.groups.get(*x.threads.At(n)).header) }

// ThreadOf returns the header of the branch or iteration that event i is in, or None in the root.
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
	g := x.groups.get(0)
	if header != None {
		var ok bool
		if g, ok = x.Get(header); !ok {
			return
		}
	}
	at := int(g.first)
	if after != None {
		at = x.rows.next(after)
	}
	for ; at != None; at = x.rows.next(at) {
		if x.rows.group(at) != None && !yield(at) {
			return
		}
	}
}

// ID returns the number of the thread of event i.
func (x *Index) ID(i int) engine.ThreadID { return x.log.Head(i).Thread }

// ThreadAt returns the header of the branch or iteration that a thread is, None for the root; ok is false where the
// thread had ended, or had not begun, when n events had happened.
func (x *Index) ThreadAt(id engine.ThreadID, n int) (header int, ok bool) {
	at := 0
	if id != 0 { // the threads are numbered as they begin
		at = 1 + sort.Search(x.threads.Len()-1, func(i int) bool { return x.ID(x.Thread(i+1)) >= id })
		if at >= x.threads.Len() || x.ID(x.Thread(at)) != id {
			return None, false
		}
	}
	g := x.groups.get(*x.threads.At(at))
	if int(g.header) >= n || g.end != None && int(g.end) < n {
		return None, false
	}
	return int(g.header), true
}

// Number returns the place of a thread among all that have begun, by its header; the root's is None.
func (x *Index) Number(header int) int {
	return sort.Search(x.threads.Len()-1, func(n int) bool { return x.Thread(n+1) > header })
}

// Standing is the state of a group at an earlier place of the log.
type Standing struct {
	// Newest is the newest event of the group's own.
	Newest int
	// Attempts is how often the state's work had been begun.
	Attempts int
	// Counts tallies the branches or iterations that the group began.
	Counts Counts
}

// Standing returns the state of the group with header i after n events of the log. It walks over the
// rows of the group where that is not the end of the log; the result is cached for as long as n stays the same.
func (x *Index) Standing(i, n int) Standing {
	g, ok := x.Get(i)
	if !ok {
		return Standing{Newest: i, Attempts: 1}
	}
	if n >= x.rows.Len() {
		return Standing{Newest: g.Newest(), Attempts: g.Attempts(), Counts: x.Counts(i)}
	}
	if x.standings == nil || x.standingsOf != n {
		x.standings, x.standingsOf = make(map[int]Standing), n
	}
	s, known := x.standings[i]
	if !known {
		s = x.stand(i, g, n)
		x.standings[i] = s
	}
	return s
}

func (x *Index) stand(header int, g Group, n int) Standing {
	s := Standing{Newest: header, Attempts: 1}
	for at := int(g.first); at != None && at < n; at = x.rows.next(at) {
		inner, isGroup := x.Get(at)
		if !isGroup {
			s.Newest = at
			if x.log.Head(at).Type == engine.RetryStarted {
				s.Attempts++
			}
			continue
		}
		if inner.kind == Thread {
			s.Counts.add(inner, n)
		}
	}
	return s
}

// add counts a branch or an iteration as it was when n events had happened.
func (c *Counts) add(thread Group, n int) {
	c.Begun++
	if thread.end == None || int(thread.end) >= n {
		return
	}
	switch thread.outcome {
	case BranchSucceeded:
		c.Done++
	case BranchFailed:
		c.Failed++
	default:
		c.Aborted++
	}
}
