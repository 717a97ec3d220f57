// This part of the package shows the faults of a definition: the findings and the matrix, of which each cell opens its run, and in the graph
// where the failures of the states lead.

package findings

import (
	"context"
	"sync/atomic"
	"time"

	"asldb/engine/asl"
	"asldb/internal/explore"
	"asldb/internal/work"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Find explores a definition. It calls progress now and then, with the number of runs that are done and that are planned.
type Find func(ctx context.Context, progress func(done, planned int)) (*explore.Result, error)

// Subject is the exploration that a [View] shows.
type FaultsSubject struct {
	Definition *asl.StateMachine
	Glyphs     *canvas.Glyphs
	// Open shows a run at an event, from 0; -1: at its end.
	Open func(r *explore.Result, run *explore.Run, event int)
	// Source shows a field of a state in the text of the definition.
	Source func(state *asl.State, field string)
	// Found is called with the result; it may be nil.
	Found func(*explore.Result)
}

// column is a column of the matrix with a run.
type column uint8

const (
	once column = iota
	always
)

// entry is a line that can be selected: a finding, or a line of the matrix.
type entry struct {
	finding *explore.Finding // nil: line is set
	line    *explore.Line
	first   bool // the first line of its task
}

// View is the view of the faults of a definition.
type FaultsView struct {
	narrow  bool // the line of keys is that of a narrow screen
	subject FaultsSubject
	cancel  context.CancelFunc
	ended   chan ended
	done    atomic.Int64
	planned atomic.Int64

	result  *explore.Result // nil: it is not there yet
	failed  error
	entries []entry
	each    bool // each error has a line
	// graphOnly is set where the graph is shown, and there is no space for both.
	graphOnly bool
	column    column
	cursor    int
	top       int // the first line of the list in view
	rows      int

	graph *graph.Graph
}

// ended is the end of an exploration.
type ended struct {
	result *explore.Result
	err    error
	fault  *work.Fault
}

// New returns the view of a result.
func NewFaults(s FaultsSubject, r *explore.Result) *FaultsView {
	v := &FaultsView{subject: s}
	v.show(r)
	return v
}

// Begin returns a view that explores: [View.Advance] waits for the result. Nothing else may run the sources of find meanwhile.
func Begin(s FaultsSubject, find Find) *FaultsView {
	v := &FaultsView{subject: s, ended: make(chan ended, 1)}
	var ctx context.Context
	ctx, v.cancel = context.WithCancel(context.Background())
	go func() {
		var e ended
		e.fault = work.Catch(func() {
			e.result, e.err = find(ctx, func(done, planned int) {
				v.done.Store(int64(done))
				v.planned.Store(int64(planned))
			})
		})
		v.ended <- e
	}()
	return v
}

// slice is how long Advance waits for the result: keys are answered between two slices.
const slice = 40 * time.Millisecond

// Advance waits a short time for the result, and reports whether it is not there yet.
func (v *FaultsView) Advance() bool {
	timer := time.NewTimer(slice)
	defer timer.Stop()
	select {
	case e := <-v.ended:
		if e.fault != nil {
			panic(e.fault)
		}
		if v.failed = e.err; v.failed == nil {
			v.show(e.result)
		}
		return false
	case <-timer.C:
		return true
	}
}

// Stop ends the exploration.
func (v *FaultsView) Stop() { v.cancel() }

// show takes the result over.
func (v *FaultsView) show(r *explore.Result) {
	v.result = r
	marks := MarksOf(explore.FailuresOf(r), v.subject.Glyphs)
	v.graph = graph.NewGraph(v.subject.Definition, marks, &marks.Overlay)
	v.list()
	if v.subject.Found != nil {
		v.subject.Found(r)
	}
}

// list makes the list: the findings first, then the matrix.
func (v *FaultsView) list() {
	v.entries = v.entries[:0]
	for _, f := range v.result.Findings {
		v.entries = append(v.entries, entry{finding: f})
	}
	lines := explore.Matrix(v.result, v.ascii(), v.each)
	for i := range lines {
		v.entries = append(v.entries, entry{line: &lines[i], first: i == 0 || lines[i].State != lines[i-1].State})
	}
	v.cursor, v.top = max(0, min(v.cursor, len(v.entries)-1)), 0
}

func (v *FaultsView) ascii() bool { return v.subject.Glyphs.Failed == canvas.ASCII().Failed }

// Mode implements [pane.Dialog].
func (*FaultsView) Mode() view.Mode { return view.Listing }

// Handle implements [pane.Dialog].
func (v *FaultsView) Handle(c view.Context, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, max(v.rows-1, 1)); ok {
		v.cursor = max(0, min(v.cursor+by, len(v.entries)-1))
		return
	}
	switch k.Action {
	case keys.FindNext:
		v.cursor = max(min(v.cursor+1, len(v.entries)-1), 0)
	case keys.FindPrevious:
		v.cursor = max(v.cursor-1, 0)
	case keys.Left, keys.ScrollLeft:
		v.column = once
	case keys.Right, keys.ScrollRight:
		v.column = always
	case keys.FocusNext, keys.FocusPrevious:
		v.graphOnly = !v.graphOnly
	case keys.Zoom:
		if v.result != nil {
			v.each = !v.each
			v.list()
		}
	case keys.Look:
		v.open(c)
	case keys.Source:
		if state := v.selected(); state != nil {
			c.Open(nil)
			v.subject.Source(state, v.field())
		}
	case keys.SaveFixtures:
		if v.result != nil {
			c.Open(nil)
			c.Do(keys.Explore, "save")
		}
	case keys.Help:
		c.Say(canvas.Plain, graph.HintText(v.hints(c)))
	case keys.Now, keys.Explore, keys.Quit:
		c.Open(nil)
	default:
	}
}

// open shows the run of the selected finding, or that of the selected cell.
func (v *FaultsView) open(c view.Context) {
	run, event := v.run()
	switch {
	case v.result == nil || len(v.entries) == 0:
		c.Say(canvas.Plain, "There is no run yet.")
	case run == nil && v.entries[v.cursor].finding != nil:
		c.Say(canvas.Plain, "No run shows this: none comes here.")
	case run == nil:
		c.Say(canvas.Plain, "There is no run in this cell.")
	default:
		v.subject.Open(v.result, run, event)
	}
}

// run returns the run of the selection, and the event at which it is opened: that of the fault, or the one in which a definition fails by
// itself. The run is nil where there is none.
func (v *FaultsView) run() (*explore.Run, int) {
	if v.cursor >= len(v.entries) {
		return nil, -1
	}
	e := &v.entries[v.cursor]
	run := e.run(v.column)
	if run == nil {
		return nil, -1
	}
	if f := e.finding; f != nil && f.Event >= 0 {
		switch f.Class {
		case explore.Bug, explore.Broken, explore.Endless, explore.Data:
			return run, f.Event
		case explore.Uncaught, explore.Swallowed, explore.Unreached:
		}
	}
	return run, run.Event
}

// run returns the run of a column; nil where there is none.
func (e *entry) run(of column) *explore.Run {
	switch {
	case e.finding != nil:
		return e.finding.Run
	case of == once:
		return e.line.OnceRun
	}
	return e.line.AlwaysRun
}

// selected returns the state of the selection; nil where there is none.
func (v *FaultsView) selected() *asl.State {
	switch {
	case v.cursor >= len(v.entries):
		return nil
	case v.entries[v.cursor].finding != nil:
		return v.entries[v.cursor].finding.State
	}
	return v.entries[v.cursor].line.State
}

// field is the field of the selected finding; else empty.
func (v *FaultsView) field() string {
	if f := v.entries[v.cursor].finding; f != nil {
		return f.Field
	}
	return ""
}
