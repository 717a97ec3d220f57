package runlog

import (
	"maps"
	"slices"
)

// marksEvery is the number of events from one copy of the marks to the next.
const marksEvery = 8192

// markIndex keeps the marks of a run as of the newest event that was asked for, and copies of earlier ones, so that those of any event are found by
// going over few events. A run that is not looked at pays nothing for them.
type markIndex struct {
	live   Marks
	known  int     // the number of events in live
	copies []Marks // copies[i] is as of the first (i+1)*marksEvery events
	// asked is the answer that was given last, as of event askedAt.
	asked   Marks
	askedAt int
}

// catchUp takes the events into the marks that are not in them yet.
func (m *markIndex) catchUp(log *Log) {
	if m.live == nil {
		m.live = make(Marks)
	}
	for ; m.known < log.Len(); m.known++ {
		m.live.add(log.At(m.known))
		if (m.known+1)%marksEvery == 0 {
			m.copies = append(m.copies, m.live.clone())
		}
	}
}

// prefix returns the marks of a run that shares the first n events with this one.
func (m *markIndex) prefix(n int) markIndex {
	whole := min(n/marksEvery, len(m.copies))
	fork := markIndex{copies: slices.Clone(m.copies[:whole]), known: whole * marksEvery}
	if whole > 0 {
		fork.live = fork.copies[whole-1].clone()
	}
	return fork
}

// at returns the marks as of event i of the log, counted from 0.
func (m *markIndex) at(log *Log, i int) Marks {
	m.catchUp(log)
	switch {
	case i >= log.Len()-1:
		return m.live
	case m.asked != nil && m.askedAt == i:
		return m.asked
	}
	marks, from := make(Marks), 0
	if whole := min((i+1)/marksEvery, len(m.copies)); whole > 0 {
		marks, from = m.copies[whole-1].clone(), whole*marksEvery
	}
	for at := from; at <= i && at < log.Len(); at++ {
		marks.add(log.At(at))
	}
	m.asked, m.askedAt = marks, i
	return marks
}

// clone returns marks that change on their own.
func (m Marks) clone() Marks {
	c := make(Marks, len(m))
	for state, mark := range m {
		own := *mark
		own.taken, own.caught = slices.Clone(mark.taken), slices.Clone(mark.caught)
		own.inside, own.index = mark.inside.share(), maps.Clone(mark.index)
		c[state] = &own
	}
	return c
}
