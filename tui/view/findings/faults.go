// This part of the package shows the faults of a definition: the findings and the matrix, each of whose cells opens its
// run, and in the graph where the failures of the states lead.

package findings

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/internal/explore"
	"asldb/internal/wording"
	"asldb/internal/work"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Find explores a definition. It calls progress now and then, with the number of runs that are done and that are
// planned.
type Find func(ctx context.Context, progress func(done, planned int)) (*explore.Result, error)

// FaultsSubject is the exploration that a [View] shows.
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

// entry is a line of the list: a finding, a line of the matrix, or the heading of either, which cannot be selected.
type entry struct {
	finding *explore.Finding
	line    *explore.Line
	first   bool // the first line of its task
	heading heading
}

// heading is the line above the findings, or the one above the matrix.
type heading uint8

const (
	noHeading heading = iota
	ofFindings
	ofMatrix
)

// FaultsView is the view of the faults of a definition.
type FaultsView struct {
	view.Modal
	screen  Screen
	narrow  bool // the line of keys is a narrow screen's
	subject FaultsSubject
	cancel  context.CancelFunc
	ended   chan ended
	done    atomic.Int64
	planned atomic.Int64

	result *explore.Result // nil: it is not there yet
	failed error
	rows   widget.List[entry]
	each   bool // each error has a line
	// graphOnly is set where the graph is shown, and there is no space for both.
	graphOnly bool
	column    column

	graph *graph.Graph
}

// ended is the end of an exploration.
type ended struct {
	result *explore.Result
	err    error
	fault  *work.Fault
}

// NewFaults returns the view of a result.
func NewFaults(screen Screen, s FaultsSubject, r *explore.Result) *FaultsView {
	v := &FaultsView{screen: screen, subject: s}
	v.show(r)
	return v
}

// Begin returns a view that explores: [View.Advance] waits for the result. Nothing else may run the sources of find
// meanwhile.
func Begin(screen Screen, s FaultsSubject, find Find) *FaultsView {
	v := &FaultsView{screen: screen, subject: s, ended: make(chan ended, 1)}
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
	var entries widget.Slice[entry]
	if len(v.result.Findings) > 0 {
		entries = append(entries, entry{heading: ofFindings})
	}
	for _, f := range v.result.Findings {
		entries = append(entries, entry{finding: f})
	}
	lines := explore.Matrix(v.result, v.ascii(), v.each)
	if v.subject.Glyphs.InWords() {
		lines = explore.Words(v.result, v.each)
	}
	if len(lines) > 0 {
		entries = append(entries, entry{heading: ofMatrix})
	}
	for i := range lines {
		entries = append(entries, entry{line: &lines[i], first: i == 0 || lines[i].State != lines[i-1].State})
	}
	v.rows.Skips = func(e entry) bool { return e.heading != noHeading }
	v.rows.Rows = entries
	v.rows.Select(v.rows.Cursor)
}

func (v *FaultsView) ascii() bool { return v.subject.Glyphs.Failed == canvas.ASCII().Failed }

// Handle implements [view.View].
func (v *FaultsView) Handle(k keys.Press) bool {
	if v.rows.Press(k.Action) {
		return true
	}
	switch k.Action {
	case keys.FindNext:
		v.rows.Move(1)
	case keys.FindPrevious:
		v.rows.Move(-1)
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
		v.open()
	case keys.Source:
		if state := v.selected(); state != nil {
			v.screen.Open(nil)
			v.subject.Source(state, v.field())
		}
	case keys.SaveFixtures:
		if v.result != nil {
			v.screen.Open(nil)
			v.screen.Do(keys.Explore, "save")
		}
	case keys.Help:
		v.screen.Say(canvas.Plain, graph.HintText(v.hints()))
	case keys.Now, keys.Explore, keys.Quit:
		v.screen.Open(nil)
	default:
	}
	return true
}

// open shows the run of the selected finding, or the selected cell's.
func (v *FaultsView) open() {
	run, event := v.run()
	e, ok := v.rows.Selected()
	switch {
	case !ok:
		v.screen.Say(canvas.Plain, "There is no run yet.")
	case run == nil && e.finding != nil:
		v.screen.Say(canvas.Plain, "No run shows this: none comes here.")
	case run == nil:
		v.screen.Say(canvas.Plain, "There is no run in this cell.")
	default:
		v.subject.Open(v.result, run, event)
	}
}

// run returns the run of the selection, and the event at which it is opened: the fault's, or the one in which a
// definition fails by itself. The run is nil where there is none.
func (v *FaultsView) run() (*explore.Run, int) {
	e, ok := v.rows.Selected()
	if !ok {
		return nil, -1
	}
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
	switch e, ok := v.rows.Selected(); {
	case !ok:
		return nil
	case e.finding != nil:
		return e.finding.State
	default:
		return e.line.State
	}
}

// field is the field of the selected finding; else empty.
func (v *FaultsView) field() string {
	if e, _ := v.rows.Selected(); e.finding != nil {
		return e.finding.Field
	}
	return ""
}

// PlainLines implements [view.PlainDialog].
func (v *CoverageView) PlainLines() (lines []string, stays bool) {
	lines = append([]string{v.headline() + ", " + v.subject.Runs + "."}, v.figures...)
	for i := range v.rows.Len() {
		item := v.rows.At(i)
		line := wording.Line(coverage.StateName(item.State)) + ", " + wording.Line(item.Describe()) + ": "
		if item.Covered() {
			line += strconv.FormatInt(item.Count, 10)
		} else {
			line += "never"
		}
		if item.Line > 0 {
			line += ", line " + strconv.Itoa(item.Line)
		}
		lines = append(lines, selected(line, i == v.rows.Cursor))
	}
	return lines, true
}

// selected marks the line of the cursor.
func selected(line string, is bool) string {
	if is {
		return "selected, " + line
	}
	return line
}

// PlainLines implements [view.PlainDialog].
func (v *FaultsView) PlainLines() (lines []string, stays bool) {
	switch {
	case v.failed != nil:
		return []string{v.failed.Error()}, true
	case v.result == nil:
		return []string{"Exploring the faults of the definition."}, true
	}
	lines = append(lines, explore.Summary(v.result), explore.Head(v.result))
	for i := range v.rows.Len() {
		e := v.rows.At(i)
		line := ""
		switch {
		case e.heading != noHeading:
			continue
		case e.finding != nil:
			line = e.finding.Class.String() + ": " + explore.Title(e.finding)
		default:
			line = "task " + wording.Line(e.line.State.Name) + ", " + e.line.Errors + ": "
			var parts []string
			for _, part := range [...]struct{ when, what string }{{"once", e.line.Once}, {"always", e.line.Always}, {"ends as", e.line.Ends}} {
				if part.what != "" {
					parts = append(parts, part.when+" "+part.what)
				}
			}
			line += strings.Join(parts, ", ")
		}
		lines = append(lines, selected(line, i == v.rows.Cursor))
	}
	return lines, true
}
