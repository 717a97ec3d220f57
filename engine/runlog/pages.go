package runlog

import (
	"maps"
	"slices"
	"weak"

	"asldb/engine"
)

// newestPages is how many of the newest pages are always there, a page being a chunk of the log.
const newestPages = 2

// Again executes a part of the run again: take gets the events of the log from number from on, or from an earlier one on, at
// least up to number to, in their order. The events are take's own.
type Again func(from, to int, take func(i int, events []engine.Event)) error

// pages holds some of the events of a long log, in chunks, and has the others made again when they are asked for. The visits in
// events that were made again are those that are still in use, so that a visit has one pointer at a time.
type pages struct {
	log   *Log // whose chunks they are; its prefixes share them
	again Again
	most  int   // how many chunks are held beside the newest ones
	fault error // the first one of again

	done   int // the number of chunks of the log that were taken over or looked at
	chunks [][]engine.Event
	used   []int64 // when each chunk was asked for last
	clock  int64
	held   int // the number of chunks that are here
	loads  int // how many chunks were made again
	heads  heads

	// visits are those that were entered in chunks that are not here, by the number of that event.
	visits map[int64]weak.Pointer[engine.Visit]
	alive  int // how many there were after the last sweep
}

// Page says that the log need not hold all of its events: again makes them again. The newest stay, and so many thousand
// that were read last. Page is called once, and the log must stay at its place in memory.
func (l *Log) Page(again Again, thousands int) {
	l.pages = &pages{log: l, again: again, most: thousands, heads: newHeads(), visits: make(map[int64]weak.Pointer[engine.Visit])}
	l.pages.turn(l)
}

// Paged reports whether the log holds only some of its events.
func (l *Log) Paged() bool { return l.pages != nil && l.pages.done > 0 }

// PageFault returns the error of the first events that could not be made again, nil where there was none. They are of no type.
func (l *Log) PageFault() error {
	if l.pages == nil {
		return nil
	}
	return l.pages.fault
}

// Loads returns how many thousands of events were made again so far, for tests and measurements.
func (l *Log) Loads() int {
	if l.pages == nil {
		return 0
	}
	return l.pages.loads
}

// turn takes over the chunks that are not among the newest ones any more.
func (p *pages) turn(l *Log) {
	if p.log != l {
		return // a prefix, which holds its own part
	}
	for whole := l.events.Len() / Size; p.done < whole-newestPages; p.done++ {
		p.chunks, p.used = append(p.chunks, nil), append(p.used, 0)
		for i := range l.events.Held(p.done) {
			p.heads.add(p.done*Size+i, &l.events.Held(p.done)[i])
		}
		if !l.tookLong(p.done) {
			p.put(p.done, l.events.Held(p.done))
			l.events.Put(p.done, nil)
		}
	}
}

// tookLong reports whether the expressions of an event in a chunk took long to evaluate.
func (l *Log) tookLong(chunk int) bool {
	from, to := l.evaluationsUpTo(chunk*Size), l.evaluationsUpTo((chunk+1)*Size)
	return slices.ContainsFunc(l.evaluations[from:to], func(e evaluation) bool { return e.Steps > 0 })
}

// paged returns event i of a log that has pages.
func (l *Log) paged(i int) *engine.Event {
	k := i / Size
	if chunk := l.events.Held(k); chunk != nil {
		return &chunk[i%Size]
	}
	return &l.pages.chunk(k)[i%Size]
}

// prefixOfEvents returns the first n events, as [chunked.List.Prefix] does.
func (l *Log) prefixOfEvents(n int) List[engine.Event] {
	k := n / Size
	if l.pages == nil || n%Size == 0 || l.events.Held(k) != nil {
		return l.events.Prefix(n)
	}
	l.events.Put(k, l.pages.chunk(k))
	defer l.events.Put(k, nil)
	return l.events.Prefix(n)
}

// sharesPage reports whether two logs have the page that begins with event i from the same pages.
func (l *Log) sharesPage(other *Log, i int) bool {
	k := i / Size
	return l.pages != nil && l.pages == other.pages && i%Size == 0 && i+Size <= min(l.Len(), other.Len()) &&
		l.events.Held(k) == nil && other.events.Held(k) == nil
}

// chunk returns the chunk that begins with event k*[chunked.Size].
func (p *pages) chunk(k int) []engine.Event {
	p.clock++
	if p.chunks[k] == nil {
		p.load(k)
	}
	p.used[k] = p.clock
	return p.chunks[k]
}

// load makes the events of a chunk again, with those on the way to it.
func (p *pages) load(k int) {
	p.loads++
	var chunk []engine.Event
	next := -1 // the number of the event that comes next, once a chunk has begun
	m := repeatedVisits{p, make(map[*engine.Visit]*engine.Visit)}
	err := p.again(k*Size, (k+1)*Size, func(i int, events []engine.Event) {
		for j := range events {
			event, at := &events[j], i+j
			event.UseVisits(m.known)
			if at%Size == 0 {
				chunk, next = make([]engine.Event, 0, Size), at
			}
			if at != next {
				continue // the run was executed from the middle of a chunk on
			}
			chunk, next = append(chunk, *event), at+1
			if k := at / Size; len(chunk) == Size && k < p.done && p.chunks[k] == nil && p.log.events.Held(k) == nil {
				p.put(k, chunk)
			}
		}
	})
	if p.chunks[k] != nil {
		return
	}
	if err != nil && p.fault == nil {
		p.fault = err
	}
	lost := make([]engine.Event, Size)
	for i := range lost {
		at := k*Size + i
		lost[i].Seq, lost[i].Time = int64(at+1), p.heads.head(at).Time
	}
	p.put(k, lost)
}

// repeatedVisits are the visits of a part of a run that was executed again, with the ones that replace them.
type repeatedVisits struct {
	*pages
	own map[*engine.Visit]*engine.Visit
}

// known returns the visit in place of one that was made again: the one that is in use, where there is one.
func (m *repeatedVisits) known(v *engine.Visit) *engine.Visit {
	if v == nil {
		return nil
	}
	if known := m.own[v]; known != nil {
		return known
	}
	known := m.visit(v.Entered)
	if known == nil {
		known = v
		m.visits[v.Entered] = weak.Make(v)
		if parent := m.known(v.Parent); parent != v.Parent {
			v.Parent = parent
		}
	}
	m.own[v] = known
	return known
}

// put holds a chunk, and drops the one that was not asked for the longest time where there are too many.
func (p *pages) put(k int, chunk []engine.Event) {
	p.clock++
	p.chunks[k], p.used[k] = chunk, p.clock
	if p.held++; p.held <= p.most {
		return
	}
	oldest := -1
	for i, c := range p.chunks {
		if c != nil && (oldest < 0 || p.used[i] < p.used[oldest]) {
			oldest = i
		}
	}
	p.drop(oldest)
}

// drop lets go of a chunk. Its visits may be in use elsewhere.
func (p *pages) drop(k int) {
	for i := range p.chunks[k] {
		if event := &p.chunks[k][i]; event.Type == engine.StateEntered {
			p.visits[event.Visit.Entered] = weak.Make(event.Visit)
		}
	}
	p.chunks[k] = nil
	p.held--
	if len(p.visits) > 2*p.alive+Size {
		maps.DeleteFunc(p.visits, func(_ int64, v weak.Pointer[engine.Visit]) bool { return v.Value() == nil })
		p.alive = len(p.visits)
	}
}

// visit returns the visit that was entered with the event of that number, nil where nothing holds it.
func (p *pages) visit(entered int64) *engine.Visit {
	i := int(entered) - 1
	k := i / Size
	if chunk := p.log.events.Held(k); chunk != nil {
		return chunk[i%Size].Visit
	}
	if k < p.done && p.chunks[k] != nil && p.chunks[k][i%Size].Visit != nil {
		return p.chunks[k][i%Size].Visit
	}
	return p.visits[entered].Value()
}
