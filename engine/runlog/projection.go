package runlog

import "sort"

// Projection gives the state of a run at any position of its log: [Moment] and [Marks]. It reads no event before it is asked,
// and makes checkpoints, so that a position is found by going over few events. The zero Projection is empty.
type Projection struct {
	marks *markIndex // nil until they are asked for

	last        *Moment // the one asked for last
	checkpoints []checkpoint
	distance    int // between checkpoints
	weight      int // of all checkpoints
}

type checkpoint struct {
	moment *Moment
	weight int
}

// The bounds of the checkpoints. A live thread or a pending timer is a weight of 1, some hundred bytes.
const (
	maxCheckpoints = 1024
	maxWeight      = 1 << 16
	// firstDistance is the number of events between the first checkpoints; it doubles whenever there are too many.
	firstDistance = 256
	// eventsInWeight is how many events are worth a weight of 1 in a checkpoint.
	eventsInWeight = 8
)

// At returns the moment at position n of the log: after n events. It is good until the next call.
func (p *Projection) At(log *Log, n int) *Moment {
	effects := log.effectsAt(n)
	m := p.last
	if m == nil || m.events > n || m.effects > effects || m.ahead && m.events == n && n < log.Len() {
		m = nil
	}
	if near := p.nearest(n, effects); near != nil && (m == nil || near.events > m.events) {
		m = near.clone()
	}
	if m == nil {
		m = newMoment(log)
	}
	for m.events < n {
		for next, ok := log.effect(m.effects); ok && next.after <= m.events; next, ok = log.effect(m.effects) {
			m.apply(&next)
		}
		m.add(log.At(m.events))
		m.ahead = false
		p.offer(m, log)
	}
	for m.effects < effects {
		next := log.effects.effect(m.effects)
		m.apply(&next)
	}
	if n == log.Len() {
		if log.now > m.now {
			m.ahead = true
			m.advance(log.now)
		}
	}
	p.last = m
	return m
}

// nearest returns the last checkpoint that is not later than a position, or nil.
func (p *Projection) nearest(n, effects int) *Moment {
	i := sort.Search(len(p.checkpoints), func(i int) bool {
		m := p.checkpoints[i].moment
		return m.events > n || m.effects > effects
	})
	if i == 0 {
		return nil
	}
	return p.checkpoints[i-1].moment
}

// offer takes a checkpoint if it is time for one.
func (p *Projection) offer(m *Moment, log *Log) {
	newest := 0
	if n := len(p.checkpoints); n > 0 {
		newest = p.checkpoints[n-1].moment.events
	}
	p.distance = max(p.distance, firstDistance)
	since := m.events - newest
	if since < p.distance {
		return
	}
	weight := 1 + len(m.threads) + len(m.timers)
	if since < eventsInWeight*weight {
		return
	}
	p.checkpoints = append(p.checkpoints, checkpoint{m.clone(), weight})
	p.weight += weight
	for len(p.checkpoints) > maxCheckpoints || p.weight > maxWeight && len(p.checkpoints) > 1 {
		p.thin()
	}
}

// thin drops every second checkpoint, and doubles the distance of those to come.
func (p *Projection) thin() {
	var thinned []checkpoint
	p.weight = 0
	for i := 1; i < len(p.checkpoints); i += 2 {
		thinned = append(thinned, p.checkpoints[i])
		p.weight += p.checkpoints[i].weight
	}
	p.checkpoints, p.distance = thinned, min(2*p.distance, 1<<40)
}

// Prefix returns the projection of a log that shares the first n events, and the effects of its first inputs, with this
// one.
func (p *Projection) Prefix(log *Log, n int) Projection {
	fork := Projection{distance: p.distance}
	if p.marks != nil {
		marks := p.marks.prefix(n)
		fork.marks = &marks
	}
	effects := log.effects.Len()
	for _, c := range p.checkpoints {
		if c.moment.events <= n && c.moment.effects <= effects {
			fork.checkpoints = append(fork.checkpoints, c)
			fork.weight += c.weight
		}
	}
	return fork
}

// Marks returns the marks as of event i of the log, counted from 0. They are good until the log grows.
func (p *Projection) Marks(log *Log, i int) Marks {
	if p.marks == nil {
		p.marks = &markIndex{}
	}
	return p.marks.upTo(log, i)
}
