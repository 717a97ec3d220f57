package runlog

import (
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// Iteration is a line of the table of a Map state's iterations, or of a Parallel state's branches.
type Iteration struct {
	// Index is its number, from 0.
	Index int
	State InsideState
	// Began and Ended are virtual times in nanoseconds since 1970; Ended is 0 while it runs.
	Began, Ended int64
	// Retries counts the retries inside.
	Retries int
	// Failure is the error with which it ended, or the newest one inside of it while it runs; nil where there is none.
	Failure *engine.Failure
	// Visit is the newest visit of a state directly inside.
	Visit *engine.Visit
	// Output is its output, nil while there is none.
	Output value.Value
	// First and Last are the indexes of its first and newest event. Telling is the index of the event that raised Failure; where
	// that is nil, of the newest event of a state inside, and until there is one, First.
	First, Last, Telling int
}

// Took returns how long it ran, or has run until a virtual time.
func (i *Iteration) Took(now time.Time) time.Duration {
	switch {
	case i.State == NotStarted:
		return 0
	case i.State == Running:
		return time.Duration(now.UnixNano() - i.Began)
	}
	return time.Duration(i.Ended - i.Began)
}

// Iterations are the iterations or branches of one visit of a Map or Parallel state, as of an event of a log. They are
// brought up to date with a log that grows.
type Iterations struct {
	visit *engine.Visit
	rows  []Iteration
	of    map[engine.ThreadID]int // the row of a thread
	seen  int                     // the number of events that rows cover
}

// Of returns the iterations or branches of a visit when event i of the log had come up, counted from 0: the ones of its
// newest attempt, by their number. They are good until the next call. A log that is not the one of the call before
// needs another Iterations.
func (t *Iterations) Of(log *Log, visit *engine.Visit, i int) []Iteration {
	if t.visit != visit || t.seen > i+1 {
		*t = Iterations{visit: visit, rows: t.rows[:0], of: make(map[engine.ThreadID]int), seen: max(int(visit.Entered)-1, log.First())}
	}
	for ; t.seen <= i; t.seen++ {
		t.add(t.seen, log.At(t.seen))
	}
	return t.rows
}

func (t *Iterations) add(i int, e *engine.Event) {
	if e.Visit == nil {
		return
	}
	if e.Visit == t.visit {
		t.ofContainer(i, e)
		return
	}
	inside := e.Visit
	for inside != nil && inside.Parent != t.visit {
		inside = inside.Parent
	}
	if inside == nil {
		return
	}
	row := t.row(inside.Index)
	row.Last = i
	if row.Visit == nil || inside.Entered >= row.Visit.Entered {
		row.Visit = inside
	}
	switch {
	case e.Type == engine.RetryScheduled:
		row.Retries++
	case e.RaisesError():
		row.Failure, row.Telling = e.Failure(), i
	case e.Type == engine.ErrorCaught:
		row.Failure = nil
	case e.Type == engine.StateExited, e.Type == engine.StageCompleted && e.Stage == engine.StageResult:
		row.Failure = nil
	}
	if row.Failure == nil {
		row.Telling = i
	}
}

// row returns the row of a number; those before it are there as well.
func (t *Iterations) row(index int) *Iteration {
	for n := len(t.rows); n <= index; n++ {
		t.rows = append(t.rows, Iteration{Index: n})
	}
	return &t.rows[index]
}

// ofContainer adds an event of the Map or Parallel state itself; events of a branch or an iteration as a whole count,
// too.
func (t *Iterations) ofContainer(i int, e *engine.Event) {
	traits := e.Type.Traits()
	switch {
	case e.Type == engine.RetryStarted:
		t.rows = t.rows[:0]
		clear(t.of)
	case e.Type == engine.MapStarted || e.Type == engine.ParallelStarted:
		if d, ok := e.Detail.(*engine.StartDetail); ok && d.Length > 0 {
			t.row(d.Length - 1)
		}
	case traits.Scope != engine.OfThread:
	case traits.Opens:
		if d, ok := e.Detail.(*engine.ThreadDetail); ok {
			t.of[d.Thread] = d.Index
			*t.row(d.Index) = Iteration{Index: d.Index, State: Running, Began: e.Time, First: i, Last: i, Telling: i}
		}
	default:
		t.ended(i, e, stateOf(traits.Ends))
	}
}

func (t *Iterations) ended(i int, e *engine.Event, state InsideState) {
	index, known := t.of[e.Thread]
	if d, ok := e.Detail.(*engine.ThreadDetail); ok { // one that was aborted
		index, known = d.Index, true
	}
	if !known {
		return
	}
	row := t.row(index)
	row.Ended, row.Last, row.State, row.Output = e.Time, i, state, e.After
	switch {
	case e.Failure() != nil:
		row.Failure = e.Failure()
	case state == Succeeded:
		row.Failure = nil
	}
}

// stateOf returns the state of a branch or an iteration that has ended so.
func stateOf(ends engine.Status) InsideState {
	switch ends {
	case engine.Succeeded:
		return Succeeded
	case engine.Failed:
		return Failed
	default:
		return Aborted
	}
}
