package dap

import (
	"fmt"
	"path/filepath"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
)

// threads returns the live threads, the root alone before the first event.
func (a *adapter) threads() []dap.Thread {
	var list []dap.Thread
	for _, t := range a.run.Session.Threads() {
		name := "execution"
		if t.Visit != nil {
			name = t.Visit.Path()
		}
		if words := blockWords(t.Blocked); words != "" {
			name += " (" + words + ")"
		}
		list = append(list, dap.Thread{Id: threadNumber(t.ID), Name: name})
	}
	if len(list) == 0 {
		list = append(list, dap.Thread{Id: threadNumber(0), Name: "execution"})
	}
	return list
}

// blockWords says why a thread waits, empty where it does not.
func blockWords(b engine.Block) string {
	if b == engine.NotBlocked {
		return ""
	}
	return "waits for " + b.String()
}

// frame is a stack frame: a visit at an event of the log; of the execution itself visit is nil.
type frame struct {
	event int // index in the log; -1 before the first
	visit *engine.Visit
	// top is set of the innermost frame of a thread.
	top bool
}

// eventOf returns the newest event of a thread up to the position, -1 where there is none.
func (a *adapter) eventOf(thread engine.ThreadID) int {
	log := a.run.Session.Log()
	for i := a.run.Session.Position() - 1; i >= log.First(); i-- {
		if log.At(i).Thread == thread {
			return i
		}
	}
	return -1
}

// stackTrace answers with the state in which a thread is, the states around it, and the execution.
func (a *adapter) stackTrace(r *dap.StackTraceRequest) error {
	event := a.eventOf(engine.ThreadID(r.Arguments.ThreadId - 1))
	var frames []dap.StackFrame
	var visit *engine.Visit
	if event >= 0 {
		visit = a.run.Session.Log().At(event).Visit
	}
	for top := true; visit != nil; visit, top = visit.Parent, false {
		frames = append(frames, a.stateFrame(frame{event, visit, top}))
	}
	frames = append(frames, dap.StackFrame{
		Id: a.handles.frame(frame{event: event, top: len(frames) == 0}), Name: "execution of " + filepath.Base(a.run.Spec.Title()), PresentationHint: "subtle",
	})
	total := len(frames)
	from := min(max(r.Arguments.StartFrame, 0), total)
	to := total
	if n := r.Arguments.Levels; n > 0 {
		to = min(from+n, total)
	}
	a.out.respond(r, &dap.StackTraceResponse{Body: dap.StackTraceResponseBody{StackFrames: frames[from:to], TotalFrames: total}})
	return nil
}

// stateFrame returns the stack frame of a visit. The innermost stands at the field of the stage, the others at their names.
func (a *adapter) stateFrame(f frame) dap.StackFrame {
	shown := dap.StackFrame{Id: a.handles.frame(f), Name: explain.PlaceName(f.visit)}
	state := f.visit.State
	place := state.Place("")
	if at := a.run.Session.Log().At(f.event); f.top && at.Stage != engine.NoStage {
		shown.Name += " › " + at.StageName()
		if field := explain.FieldOf(state, at.Stage); field != "" {
			place = state.Place(field)
		}
	}
	if f.visit.Number > 1 {
		shown.Name += fmt.Sprintf(" (visit %d)", f.visit.Number)
	}
	a.setPlace(&shown, place)
	return shown
}

// setPlace gives a frame its place in a file.
func (a *adapter) setPlace(f *dap.StackFrame, place asl.Place) {
	span := place.Key
	if span.Start.Line == 0 {
		span = place.Span
	}
	file := place.Source
	if span.File != nil {
		file = span.File
	}
	if file == nil || span.Start.Line == 0 {
		return
	}
	f.Source = sourceOf(file.Name)
	f.Line, f.Column = span.Start.Line+a.lineOffset, span.Start.Col+a.columnOffset
	f.EndLine, f.EndColumn = span.End.Line+a.lineOffset, span.End.Col+a.columnOffset
}

// sourceOf returns a file as the editor knows it.
func sourceOf(name string) *dap.Source {
	path, err := filepath.Abs(name)
	if err != nil {
		path = name
	}
	return &dap.Source{Name: filepath.Base(name), Path: path}
}
