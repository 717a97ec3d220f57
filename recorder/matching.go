package recorder

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"runtime"
	"strings"

	"asldb/engine"
	"asldb/internal/wording"
)

// Matching iterates over the events that meet a query's condition, in their order: the events of [Run.All] for which
// [Query.Matches] reports true. It decodes only the events that the bytes of their lines do not rule out. Of the
// others, an event that cannot be read gives its error, and an evaluation that fails a *[MatchError].
func (r *Run) Matching(q *Query) iter.Seq2[*engine.Event, error] { return r.MatchingFrom(q, 1) }

// MatchingFrom is [Run.Matching] for the events from number first on.
func (r *Run) MatchingFrom(q *Query, first int64) iter.Seq2[*engine.Event, error] {
	return func(yield func(*engine.Event, error) bool) {
		each := func(event *engine.Event, err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			matches, err := q.Matches(event)
			switch {
			case err != nil:
				return yield(nil, &MatchError{Event: event.Seq, Err: err})
			case !matches:
				return true
			}
			return yield(event, nil)
		}
		data := newDataFilter(q.condition)
		if q.condition == nil || data == nil && NewFilter(q.condition, r.t.place) == nil {
			r.each(first, r.Len(), each)
			return
		}
		next, values := first, newValueTable(data, r)
		for part := range r.filtered(q, first) {
			more := true
			values.add(part.values)
			for _, s := range part.segments {
				if s.first > next { // lines are missing
					if next, more = r.each(next, s.first-1, each); !more {
						return
					}
				}
				for _, e := range s.open {
					seq := e.seq
					if e.value >= 0 && values.verdict(e.value) == No {
						continue
					}
					if _, more = r.each(seq, seq, each); !more {
						return
					}
				}
				next = max(next, s.last+1)
			}
		}
		r.each(next, r.Len(), each)
	}
}

// segment is a row of events that have lines, with those that heads do not rule out.
type segment struct {
	first, last int64
	open        []openEvent
}

// openEvent is an event that its line does not rule out.
type openEvent struct {
	seq int64
	// value is the number of the value that is its data; -1: the line alone says as much as is known.
	value int64
}

// filteredBatch is what the lines of a batch say.
type filteredBatch struct {
	segments []segment
	values   []valueEffect
}

// chunkBatch is a row of chunks of a fork that are read together. Of their events, those with the numbers above after
// and up to last belong to the run.
type chunkBatch struct {
	chunks      []int
	after, last int64
}

// batchSize is how many chunks are read at a time.
const batchSize = 16

// batches returns the chunks of the run with the events from number first on.
func (r *Run) batches(first int64) []chunkBatch {
	var list []chunkBatch
	for _, own := range r.stretches() {
		chunks := r.t.forks[own.fork].chunks
		for len(chunks) > 1 && r.t.chunks[chunks[1]].seq <= first {
			chunks = chunks[1:]
		}
		for len(chunks) > 0 && r.t.chunks[chunks[0]].seq <= own.last {
			some := min(batchSize, len(chunks))
			list = append(list, chunkBatch{chunks[:some], max(own.after, first-1), own.last})
			chunks = chunks[some:]
		}
	}
	return list
}

// filtered iterates over the segments of the run from event first on, batch by batch. The batches are filtered on all
// cores.
func (r *Run) filtered(q *Query, first int64) iter.Seq[filteredBatch] {
	return func(yield func(filteredBatch) bool) {
		type job struct {
			chunkBatch
			done chan filteredBatch
		}
		workers := runtime.GOMAXPROCS(0)
		batches := r.batches(first)
		jobs, order := make(chan job), make(chan chan filteredBatch, 2*workers)
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			defer close(jobs)
			defer close(order)
			for _, b := range batches {
				done := make(chan filteredBatch, 1)
				select {
				case order <- done:
				case <-stop:
					return
				}
				select {
				case jobs <- job{b, done}:
				case <-stop:
					return
				}
			}
		}()
		for range min(workers, len(batches)) {
			go func() {
				w := &filtering{t: r.t, filter: NewFilter(q.condition, r.t.place), data: newDataFilter(q.condition)}
				for j := range jobs {
					j.done <- w.batch(j.chunkBatch)
				}
			}()
		}
		for done := range order {
			if !yield(<-done) {
				return
			}
		}
	}
}

// filtering filters chunks.
type filtering struct {
	t      *Trace
	filter *Filter // nil: heads decide nothing
	data   *dataFilter
	buffer chunkBuffer
}

// batch returns the segments of a batch. A chunk that cannot be read has none.
func (w *filtering) batch(b chunkBatch) filteredBatch {
	var list []segment
	var values []valueEffect
	var head Head
	var each func(line []byte)
	if w.data != nil {
		each = func(line []byte) {
			if e, ok := w.data.effect(line); ok {
				values = append(values, e)
			}
		}
	}
	for _, i := range b.chunks {
		for seq, line := range w.buffer.events(w.t, i, b.after, b.last, each) {
			if n := len(list); n == 0 || list[n-1].last != seq-1 {
				list = append(list, segment{first: seq})
			}
			s := &list[len(list)-1]
			s.last = seq
			value := int64(-1)
			if head.Read(line) {
				if !w.open(&head) {
					continue
				}
				if w.data != nil {
					var verdict Verdict
					if value, verdict = w.data.event(head.Rest); verdict == No {
						continue
					}
				}
			}
			s.open = append(s.open, openEvent{seq, value})
		}
	}
	return filteredBatch{list, values}
}

// open reports whether a head does not rule the event out.
func (w *filtering) open(head *Head) bool {
	if w.filter == nil {
		return true
	}
	if w.filter.Asks() {
		w.filter.Enter(head)
	}
	return w.filter.Decide(head) != No
}

// chunkBuffer reads chunks, one at a time, into the same memory.
type chunkBuffer struct{ data, packed []byte }

// read returns the lines of a chunk, which are valid until the next one is read.
func (b *chunkBuffer) read(t *Trace, c *chunk) ([]byte, error) {
	into := &b.data
	if t.unpack != nil {
		into = &b.packed
	}
	if int64(cap(*into)) < c.length {
		*into = make([]byte, c.length)
	}
	*into = (*into)[:c.length]
	if n, err := t.file.ReadAt(*into, c.offset); int64(n) < c.length {
		if err == nil || errors.Is(err, io.EOF) {
			err = ErrShorter
		}
		return nil, err
	}
	if t.unpack == nil {
		return b.data, nil
	}
	var err error
	if b.data, err = t.unpack(b.data[:0], b.packed); err != nil {
		return nil, err
	}
	if c.skip+c.size > int64(len(b.data)) {
		return nil, ErrShorter
	}
	return b.data[c.skip : c.skip+c.size], nil
}

// events iterates over the lines of the events of chunk i behind number after, up to number last. A chunk that cannot
// be read has none. values is called with the lines of values; it may be nil.
func (b *chunkBuffer) events(t *Trace, i int, after, last int64, values func(line []byte)) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		data, err := b.read(t, &t.chunks[i])
		if err != nil {
			return
		}
		number := t.chunks[i].line
		for line := range bytes.Lines(data) {
			number++
			line = withoutReturn(bytes.TrimSuffix(line, []byte{'\n'}))
			if values != nil && bytes.HasPrefix(line, []byte(valueStart)) && !t.isPassedOver(number) {
				values(line)
			}
			if !bytes.HasPrefix(line, []byte(seqStart)) || len(t.passedOver) > 0 && t.isPassedOver(number) {
				continue
			}
			seq, ok := leadingInt(line[len(seqStart):])
			if ok && seq > after && seq <= last && !yield(seq, line) {
				return
			}
		}
	}
}

// oddIndex is the index of a branch or iteration as no run of asldb writes it.
var oddIndex = wording.Pattern(`\[(\+|0[0-9])`)

// place returns the place of a state path, for heads.
func (t *Trace) place(path string) Place {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	at, known := t.locate(path)
	if !known || t.definition == nil && strings.Contains(path, "/") || oddIndex().MatchString(path) {
		return Place{}
	}
	return Place{State: at.state.Name, Parent: at.parent, Known: true}
}
