package runlog

import "asldb/engine"

// InsideMarks are the marks that one branch or iteration, with those inside it, has made. They are brought up to date
// with a log that grows.
type InsideMarks struct {
	thread engine.ThreadID
	next   int // the first event that is not in the marks
	last   engine.Event
	marks  Marks
}

// At returns the marks that a thread and those below it had made as of event i of the log, counted from 0. Earlier
// results are built on where the log has only grown.
func (m *InsideMarks) At(log *Log, thread engine.ThreadID, i int) Marks {
	if m.marks == nil || m.thread != thread || m.next > i+1 || !m.stands(log) {
		*m = InsideMarks{thread: thread, marks: make(Marks)}
	}
	for ; m.next <= i && m.next < log.Len(); m.next++ {
		event := log.At(m.next)
		for visit := event.Visit; visit != nil; visit = visit.Parent {
			if visit.Thread == thread {
				m.marks.add(event)
				break
			}
		}
		m.last = *event
	}
	return m.marks
}

// stands reports whether the event read last is still in the log.
func (m *InsideMarks) stands(log *Log) bool {
	if m.next == 0 {
		return true
	}
	if m.next > log.Len() {
		return false
	}
	event := log.At(m.next - 1)
	return event.Visit == m.last.Visit && event.Time == m.last.Time && event.Type == m.last.Type
}
