package runlog

import "asldb/engine"

// InsideMarks are the marks that one branch or iteration, with those inside it, has made. They are brought up to date
// with a log that grows.
type InsideMarks struct {
	thread engine.ThreadID
	next   int // the first event that is not in the marks
	last   Head
	marks  Marks
	below  map[engine.ThreadID]bool // the thread, and those that began in it
}

// At returns the marks that a thread and those below it had made as of event i of the log, counted from 0. Earlier
// results are built on where the log has only grown.
func (m *InsideMarks) At(log *Log, thread engine.ThreadID, i int) Marks {
	if m.marks == nil || m.thread != thread || m.next > i+1 || m.next > log.Len() || m.next > 0 && log.Head(m.next-1) != m.last {
		*m = InsideMarks{thread: thread, marks: make(Marks), below: map[engine.ThreadID]bool{thread: true}}
	}
	for ; m.next <= i && m.next < log.Len(); m.next++ {
		m.last = log.Head(m.next)
		in := m.last.Thread
		if m.last.Type.Traits().Scope == engine.OfThread && m.last.State != nil { // it is told of the state around the thread
			in = log.Head(int(m.last.Entered) - 1).Thread
			m.below[m.last.Thread] = m.below[m.last.Thread] || m.below[in]
		}
		if m.last.State != nil && m.below[in] {
			m.marks.add(log, m.next)
		}
	}
	return m.marks
}
