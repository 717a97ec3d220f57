package events

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/tui/part/canvas"
)

// axisRow is a row of the time axis: the visits of a state of the top, or a branch or an iteration.
type axisRow struct {
	state  *asl.State
	thread int // its number; 0 in the row of a state
	lane   *lane
}

// axisRows are the rows of the time axis in the order in which they began. They read on as the run continues.
type axisRows struct {
	all     []axisRow
	root    lane
	done    int // visits of the root that have rows
	threads []int
	states  map[*asl.State]int
	longest int // the width of the longest label
}

// read adds the rows of new states and threads.
func (r *axisRows) read(x *Rows) {
	if r.states == nil {
		*r = axisRows{root: lane{header: runlog.None}, threads: []int{0}, states: make(map[*asl.State]int)}
	}
	r.root.read(x)
	for {
		visit, thread := runlog.None, runlog.None
		if r.done < len(r.root.visits) {
			visit = int(r.root.visits[r.done])
		}
		if len(r.threads) < x.Threads() {
			thread = x.Thread(len(r.threads))
		}
		switch {
		case visit == runlog.None && thread == runlog.None:
			return
		case visit != runlog.None && (thread == runlog.None || visit < thread):
			r.done++
			r.addVisit(x, visit)
		default:
			r.longest = max(r.longest, canvas.Width(laneName(x.Log().Head(thread)))+2)
			r.all = append(r.all, axisRow{thread: len(r.threads)})
			r.threads = append(r.threads, len(r.all)-1)
		}
	}
}

func (r *axisRows) addVisit(x *Rows, header int) {
	state := x.Log().Head(header).State
	if state == nil {
		return
	}
	at, ok := r.states[state]
	if !ok {
		at = len(r.all)
		r.states[state] = at
		r.all = append(r.all, axisRow{state: state, lane: &lane{header: runlog.None}})
		r.longest = max(r.longest, canvas.Width(state.Name))
	}
	r.all[at].lane.visits = append(r.all[at].lane.visits, int32(header))
}

// of returns the row of an event.
func (r *axisRows) of(x *Rows, event int) int {
	if header := x.ThreadOf(event); header != runlog.None {
		if n := x.Number(header); n < len(r.threads) {
			return r.threads[n]
		}
		return 0
	}
	if state := x.Log().Head(event).State; state != nil {
		return r.states[state]
	}
	if event > 0 { // the end of the run
		return len(r.all) - 1
	}
	return 0
}

// ofTimer returns the row of a timer; one of the whole run is in the first row.
func (r *axisRows) ofTimer(list *list, t *engine.Timer) int {
	if t.Visit == nil {
		return 0
	}
	header, ok := list.index.ThreadAt(t.Visit.Thread, list.happened)
	if !ok {
		return runlog.None
	}
	if header == runlog.None {
		return r.states[t.Visit.State]
	}
	return r.threads[list.index.Number(header)]
}

// labelWidth is the width of the names of the rows, in a pane of w cells.
func (r *axisRows) labelWidth(w int) int { return min(max(r.longest+5, 10), max(w*3/10, 10)) }

// laneName names a branch or an iteration by the event with which it began: its number first, which is never cut off.
func laneName(began runlog.Head) string {
	name := "[" + strconv.FormatInt(began.Detail, 10) + "]"
	if began.State != nil {
		name += " " + began.State.Name
	}
	return name
}
