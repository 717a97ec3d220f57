package dap

import (
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/source"
)

// threads returns the live threads of all levels, the outermost first; the root alone before the first event.
func (a viewer) threads() []dap.Thread {
	list := []dap.Thread{}
	for _, l := range a.levels {
		visits := make(map[engine.ThreadID]*engine.Visit)
		for _, t := range l.session.Threads() {
			visits[t.ID] = t.Visit
			name := "execution of " + l.title
			switch around := visits[t.Parent]; {
			case t.Visit != nil:
				name = t.Visit.Path()
			case around != nil:
				name = around.ThreadPath(t.Index) + " (not begun)"
			}
			if l.base > 0 {
				name = l.title + ": " + name
			}
			if t.Blocked != engine.NotBlocked {
				name += " (waits for " + t.Blocked.String() + ")"
			}
			list = append(list, dap.Thread{Id: l.threadNumber(t.ID), Name: name})
		}
		if l.over && len(l.session.Threads()) == 0 { // it is at its end
			list = append(list, dap.Thread{Id: l.threadNumber(0), Name: l.title + ": execution of " + l.title})
		}
	}
	if len(list) == 0 {
		list = append(list, dap.Thread{Id: a.levels[0].threadNumber(0), Name: "execution of " + a.levels[0].title})
	}
	return list
}

// announceThreads says which threads have come and gone since the last stop.
func (a viewer) announceThreads() {
	live := make(map[int]bool)
	for _, t := range a.threads() {
		if live[t.Id] = true; !a.threadsOf[t.Id] {
			a.out.event("thread", &dap.ThreadEvent{Body: dap.ThreadEventBody{Reason: "started", ThreadId: t.Id}})
		}
	}
	for _, id := range sortedKeys(a.threadsOf) {
		if !live[id] {
			a.out.event("thread", &dap.ThreadEvent{Body: dap.ThreadEventBody{Reason: "exited", ThreadId: id}})
		}
	}
	a.threadsOf = live
}

// frame is a stack frame: a visit at an event of the log; of the execution itself visit is nil.
type frame struct {
	level *level
	event int // index in the log; -1 before the first
	visit *engine.Visit
	// top is set of the innermost frame of a thread.
	top bool
}

// eventOf returns the newest event of a thread up to the position, -1 where there is none.
func (l *level) eventOf(thread engine.ThreadID) int {
	log := l.session.Log()
	for i := l.session.Position() - 1; i >= log.First(); i-- {
		if log.At(i).Thread == thread {
			return i
		}
	}
	return -1
}

// stackTrace answers with the state in which a thread is, the states around it, the execution, and the states of the execution whose
// task has started it.
func (a viewer) stackTrace(r *dap.StackTraceRequest) error {
	l, thread := a.threadOf(r.Arguments.ThreadId)
	if id := r.Arguments.ThreadId; id < 1 || l.threadNumber(thread) != id {
		return fmt.Errorf("there is no thread %d", id)
	}
	frames := a.framesOf(l, thread)
	total := len(frames)
	from := min(max(r.Arguments.StartFrame, 0), total)
	to := total
	if n := r.Arguments.Levels; n > 0 {
		to = min(from+n, total)
	}
	shown := make([]dap.StackFrame, 0, to-from)
	for _, f := range frames[from:to] {
		shown = append(shown, a.shownFrame(f))
	}
	a.out.respond(r, &dap.StackTraceResponse{Body: dap.StackTraceResponseBody{StackFrames: shown, TotalFrames: total}})
	return nil
}

// framesOf returns the frames of a thread, the innermost first.
func (a viewer) framesOf(l *level, thread engine.ThreadID) []frame {
	event := l.eventOf(thread)
	var visit *engine.Visit
	if event >= 0 {
		visit = l.session.Log().At(event).Visit
	}
	return a.framesAt(l, event, visit)
}

// framesAt returns the frames of a visit at an event of a level, the innermost first.
func (a viewer) framesAt(l *level, event int, visit *engine.Visit) []frame {
	var frames []frame
	for top := true; visit != nil; visit, top = visit.Parent, false {
		f := frame{l, event, visit, top}
		if !top {
			f.event = int(visit.Entered) - 1
		}
		frames = append(frames, f)
	}
	frames = append(frames, frame{level: l, event: event, top: len(frames) == 0})
	for i := len(a.levels) - 1; i > 0; i-- {
		if a.levels[i] == l {
			outer := a.levels[i-1]
			around := a.framesOf(outer, l.child.Request.Thread)
			if l.over { // its task may be over, too
				around = a.framesAt(outer, int(l.child.Request.Visit.Entered)-1, l.child.Request.Visit)
			}
			around[0].top = false
			return append(frames, around...)
		}
	}
	return frames
}

// shownFrame returns a frame for the editor.
func (a viewer) shownFrame(f frame) dap.StackFrame {
	shown := a.placed(f)
	shown.Id = a.handles.frame(f)
	return shown
}

// placed returns a frame with its place, and without a number. The innermost is at the field of the stage, the others
// at the names of their states, and the execution at its definition.
func (a viewer) placed(f frame) dap.StackFrame {
	if f.visit == nil {
		shown := dap.StackFrame{Name: "execution of " + f.level.title, PresentationHint: "subtle"}
		definition := f.level.session.Machine().Definition()
		at := definition.Top.Span
		at.End = at.Start
		a.place(&shown, definition.Source, at)
		return shown
	}
	shown := dap.StackFrame{Name: explain.PlaceName(f.visit)}
	state := f.visit.State
	place := state.Place("")
	if at := f.level.session.Log().At(f.event); f.top && at.Visit == f.visit && at.Stage != engine.NoStage {
		shown.Name += " › " + at.StageName()
		if field := explain.FieldOf(state, at.Stage); field != "" {
			place = state.Place(field)
		}
	}
	if f.visit.Number > 1 {
		shown.Name += fmt.Sprintf(" (visit %d)", f.visit.Number)
	}
	span, file := place.Key, place.Source
	if span == (source.Span{}) {
		span = place.Span
	}
	a.place(&shown, file, span)
	return shown
}

// place gives a frame its place, in the file of a definition or in an included part of it.
func (a viewer) place(shown *dap.StackFrame, file *source.File, span source.Span) {
	if span.File != nil {
		file = span.File
	}
	if file != nil && span.Start.Line > 0 {
		shown.Source = a.sources.of(file)
		shown.Line, shown.Column, shown.EndLine, shown.EndColumn = a.span(file, span)
	}
}

// errNoFrame says that a frame is not of this stop.
var errNoFrame = errors.New("there is no such frame at this stop")

// frameOf returns the frame of a number; the newest event's for 0.
func (a viewer) frameOf(id int) (frame, error) {
	if id == 0 {
		l := a.top()
		f := frame{level: l, event: l.session.Position() - 1, top: true}
		if f.event >= l.session.Log().First() {
			f.visit = l.session.Log().At(f.event).Visit
		}
		return f, nil
	}
	if id < 1 || id > len(a.handles.frames) {
		return frame{}, errNoFrame
	}
	return a.handles.frames[id-1], nil
}

// isNewest reports whether a frame is where its execution is, so that its data can be changed. Edits since then do not
// count.
func (f *frame) isNewest() bool {
	if !f.top || f.visit == nil {
		return false
	}
	log := f.level.session.Log()
	i := f.level.eventOf(log.At(f.event).Thread)
	for i > f.event && log.At(i).Type == engine.DataEdited {
		i = log.PreviousInThread(i)
	}
	return i == f.event
}
