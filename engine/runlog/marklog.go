package runlog

import (
	"maps"
	"slices"
)

const (
	// marksEvery is the number of events from one copy of the marks to the next.
	marksEvery = 8192
	// marksNearby is the number of events between earlier marks and the copy that is made on the way to them: steps
	// back lead to events before.
	marksNearby = 256
)

// markIndex holds the marks of a run as of the newest event that was asked for, and copies of earlier ones: the marks of
// any event are found by going over few events. A run whose marks are not asked for pays nothing for them.
type markIndex struct {
	live   Marks
	known  int     // the number of events in live
	copies []Marks // copies[i] is as of the first (i+1)*marksEvery events
	// nearby is as of the first nearbyAt events, on the way to the marks that were asked for last; nil where there is none.
	nearby   Marks
	nearbyAt int
	// asked are the marks that were asked for last, as of event askedAt.
	asked   Marks
	askedAt int
}

// catchUp takes the events into the marks that are not in them yet.
func (m *markIndex) catchUp(log *Log) {
	if m.live == nil {
		m.live = make(Marks)
	}
	for ; m.known < log.Len(); m.known++ {
		m.live.add(log, m.known)
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
	marks, from := Marks(nil), 0
	if whole := min((i+1)/marksEvery, len(m.copies)); whole > 0 {
		marks, from = m.copies[whole-1], whole*marksEvery
	}
	if m.nearby != nil && m.nearbyAt <= i+1 && m.nearbyAt > from {
		marks, from = m.nearby, m.nearbyAt
	}
	marks = marks.clone()
	for at := from; at <= i && at < log.Len(); at++ {
		if at == i-marksNearby {
			m.nearby, m.nearbyAt = marks.clone(), at
		}
		marks.add(log, at)
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
