package runlog

import (
	"time"

	"asldb/engine"
	"asldb/engine/asl"
)

// Head is the part of an event that a log has at hand for all of its events, also for those that it does not hold. What goes through
// a whole run looks at the heads first.
type Head struct {
	// Time is the virtual time, in nanoseconds since the Unix epoch.
	Time   int64
	Thread engine.ThreadID
	Type   engine.EventType
	Stage  engine.Stage
	// State is the state of the event's visit, nil where it has none. Entered is the number of the event with which the visit began.
	State   *asl.State
	Entered int64
	// Detail is a number of the event's Detail: of a thread that begins its index, of one that was aborted the number of the event with
	// which it entered the state that it was in (0: none), of StateExited and ErrorCaught 1 + the place of the transition in
	// [asl.State.Edges] (0: none), and of RetryScheduled the virtual time at which the retry is due.
	Detail int64
}

// Head returns the head of event i, counted from 0.
func (l *Log) Head(i int) Head {
	if l.pages != nil {
		if k := i / Size; l.events.Held(k) == nil && l.pages.chunks[k] == nil {
			return l.pages.heads.head(i)
		}
	}
	return headOf(l.At(i))
}

// At returns the event's virtual time, in UTC.
func (h *Head) At() time.Time { return time.Unix(0, h.Time).UTC() }

func headOf(event *engine.Event) Head {
	head := Head{Time: event.Time, Thread: event.Thread, Type: event.Type, Stage: event.Stage}
	if event.Visit != nil {
		head.State, head.Entered = event.Visit.State, event.Visit.Entered
	}
	switch detail := event.Detail.(type) {
	case *engine.ThreadDetail:
		switch {
		case event.Type.Traits().Opens:
			head.Detail = int64(detail.Index)
		case detail.Visit != nil:
			head.Detail = detail.Visit.Entered
		}
	case *engine.RetryDetail:
		head.Detail = detail.Due.UnixNano()
	case *engine.CatchDetail:
		head.take(asl.EdgeCatch, detail.Catcher)
	case *engine.ExitDetail:
		switch {
		case detail.Next == "":
		case detail.Rule >= 0:
			head.take(asl.EdgeChoice, detail.Rule)
		case head.State.Type == asl.Choice:
			head.take(asl.EdgeDefault, 0)
		default:
			head.take(asl.EdgeNext, 0)
		}
	}
	return head
}

func (h *Head) take(kind asl.EdgeKind, index int) {
	if at, ok := h.State.EdgeTo(kind, index); ok {
		h.Detail = int64(at) + 1
	}
}

// heads are the heads of the events of a log, in few bytes.
type heads struct {
	table  Table
	states []*asl.State
	places map[*asl.State]int64 // in states, from 1
}

// The columns of heads.
const (
	headTime = iota
	headThread
	headType // and the stage
	headState
	headEntered // how many events before the visit was entered, from 1; 0: the event has none
	headDetail
)

func newHeads() heads {
	return heads{table: Pack(0, 0, 0, 0, 1, 0), places: make(map[*asl.State]int64)}
}

func (h *heads) add(i int, event *engine.Event) {
	var state, entered int64
	head := headOf(event)
	if event.Visit != nil {
		if state = h.places[event.Visit.State]; state == 0 {
			h.states = append(h.states, event.Visit.State)
			state = int64(len(h.states))
			h.places[event.Visit.State] = state
		}
		entered = int64(i) + 2 - event.Visit.Entered
	}
	h.table.Push(event.Time, int64(event.Thread), int64(event.Type)|int64(event.Stage)<<8, state, entered, head.Detail)
}

func (h *heads) head(i int) Head {
	row := h.table.Row(i)
	head := Head{
		Time: row[headTime], Thread: engine.ThreadID(row[headThread]), Type: engine.EventType(row[headType] & 0xff), Stage: engine.Stage(row[headType] >> 8),
		Detail: row[headDetail],
	}
	if row[headState] > 0 {
		head.State, head.Entered = h.states[row[headState]-1], int64(i)+2-row[headEntered]
	}
	return head
}

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
