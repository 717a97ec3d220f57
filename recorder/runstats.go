package recorder

import (
	"bytes"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
)

// Stats returns the figures of the run. It reads the heads of lines; the data behind them is not looked at. Events
// without a line, and those whose head is damaged and that cannot be read, are left out, and each calls warn.
func (r *Run) Stats(warn func(error)) *Stats {
	c := &tally{r: r, stats: NewStats(), warn: warn, states: make(map[string]*StateStats)}
	next := int64(1)
	var buffer chunkBuffer
	for _, own := range r.stretches() {
		for _, i := range r.t.forks[own.fork].chunks {
			if r.t.chunks[i].seq > own.last {
				break
			}
			for seq, line := range buffer.events(r.t, i, own.after, own.last, nil) {
				c.whole(next, seq-1)
				c.line(seq, line)
				next = seq + 1
			}
		}
	}
	c.whole(next, r.Len())
	return c.stats
}

// tally gathers the figures of a run.
type tally struct {
	r      *Run
	stats  *Stats
	warn   func(error)
	head   Head
	clock  []byte // the newest time, as it is written
	now    int64
	states map[string]*StateStats // by their paths
	path   []byte                 // the newest path, and its state
	of     *StateStats
}

// maxStates is how many paths are remembered.
const maxStates = 1 << 12

// whole takes in the events from one number to another as they are decoded.
func (c *tally) whole(first, last int64) {
	c.r.each(first, last, func(event *engine.Event, err error) bool {
		if err != nil {
			c.warn(err)
		} else {
			c.stats.Add(event)
		}
		return true
	})
}

// line takes in the line of an event.
func (c *tally) line(seq int64, line []byte) {
	h := &c.head
	if !h.Read(line) || h.Kind == engine.BranchAborted || h.Kind == engine.IterationAborted || !c.time(h.Time) || !c.place(h.State) ||
		h.State == nil && h.Kind.Traits().Scope != engine.OfExecution {
		c.whole(seq, seq)
		return
	}
	m := moment{kind: h.Kind, time: c.now, entered: h.Entered}
	if h.State != nil {
		m.of = c.of
	}
	c.stats.add(&m)
}

// time reads a time. It reports false where that isn't a time of a trace.
func (c *tally) time(text []byte) bool {
	if bytes.Equal(text, c.clock) {
		return true
	}
	at, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil || at.Year() < earliestYear || at.Year() > latestYear {
		return false
	}
	c.clock, c.now = append(c.clock[:0], text...), at.UnixNano()
	return true
}

// place finds the state at a path. It reports false where the definition does not have it.
func (c *tally) place(path []byte) bool {
	if path == nil || c.of != nil && bytes.Equal(path, c.path) {
		return true
	}
	of, known := c.states[string(path)]
	if !known {
		state := c.r.t.state(string(path))
		if state == nil {
			return false
		}
		if len(c.states) >= maxStates {
			clear(c.states)
		}
		of = c.stats.of(state, func() string { return string(path) })
		c.states[string(path)] = of
	}
	c.path, c.of = append(c.path[:0], path...), of
	return true
}

// state returns the state at a path; nil where the definition has none.
func (t *Trace) state(path string) *asl.State {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	at, known := t.locate(path)
	if !known {
		return nil
	}
	return at.state
}
