package dap

import (
	"path/filepath"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/outcome"
	"asldb/fixtures/live"
	"asldb/internal/attach"
	"asldb/internal/launch"
)

// level is an execution that is debugged: the run itself or, inside of it, one that a task has started and that was stepped into.
type level struct {
	session *debug.Session
	calls   *live.Calls // nil: nothing is ever called
	title   string
	run     *launch.Run // of the outermost level
	// attached is the execution of a server, of the outermost level.
	attached *attach.Execution
	child    *live.Child // of the others
	// over is set of an execution that was over when it was opened.
	over bool
	// base is added to the numbers of threads.
	base int
	// printed is the number of messages of logpoints that were written.
	printed int
	// awaits is set while a goroutine waits for results of the calls.
	awaits bool
}

// threadSpan is the distance of the thread numbers of two levels.
const threadSpan = 100_000_000

// threadNumber returns the number of a thread for the editor, which counts from 1.
func (l *level) threadNumber(id engine.ThreadID) int { return l.base + int(id) + 1 }

// standing says why the execution has stopped, as the top line of the screen does: at an error that will end it and at
// a failed end with the cause.
func (l *level) standing(stop debug.Stop) explain.Paragraph {
	s := l.session
	switch b := stop.Breakpoint; {
	case stop.Reason == debug.StoppedByBreakpoint && b != nil && b.Standing && s.AtEnd() && s.Position() > 0:
		return explain.ErrorOf(s, s.Position()-1, l.nested()).Brief()[0]
	case stop.Reason == debug.StoppedAtEnd && s.AtEnd() && s.Status().Done() && s.Status() != engine.Succeeded:
		return explain.EndingOf(s, l.nested()).Brief()[0]
	}
	return explain.Standing(s, limit)
}

// nested returns the look-up of the executions that tasks of the level started; nil where none can.
func (l *level) nested() explain.Nested {
	if l.calls == nil {
		return nil
	}
	return l.calls.SessionOf
}

// threadOf returns the thread of a number of the editor, with its level; the thread of the newest event where there is
// none.
func (a *adapter) threadOf(number int) (*level, engine.ThreadID) {
	l := a.levels[min(max(number-1, 0)/threadSpan, len(a.levels)-1)]
	return l, engine.ThreadID(max(number-1, 0) % threadSpan)
}

// newLevel returns the level of the run.
func newLevel(run *launch.Run) *level {
	return &level{session: run.Session, calls: run.Calls, title: filepath.Base(run.Spec.Title()), run: run}
}

// openNested opens the execution of a task that waits for it, and reports whether there is one. It is as it was left.
func (a *adapter) openNested(request *engine.TaskRequest) bool {
	l := a.top()
	if l.calls == nil || request == nil || l.calls.Held(request.ID) == nil {
		return false
	}
	child, failure, err := l.calls.Open(request.ID)
	switch {
	case err != nil:
		if err := l.session.Calls().Fault(request.ID, err); err != nil {
			a.print("stderr", err.Error())
		}
		return false
	case failure != nil:
		if err := l.session.Calls().Arrived(request.ID, *failure, outcome.Nested.String()); err != nil {
			a.print("stderr", err.Error())
		}
		return false
	case child == nil:
		return false
	}
	child.Session.SetClock(l.session.Clock())
	child.Session.SetInterrupt(a.signals.flag.Check)
	a.levels = append(a.levels, &level{
		session: child.Session, calls: child.Calls, title: child.Title, child: child, base: len(a.levels) * threadSpan,
	})
	a.handles.reset()
	a.breaks.syncPoints()
	return true
}

// openStanding opens the execution of a task that has stopped and waits for the user, and reports whether there is one.
// The command ends with it, unless that execution waits for another one.
func (a *adapter) openStanding() bool {
	for opened := false; ; opened = true {
		l := a.top()
		if l.calls == nil {
			return opened
		}
		if child := l.calls.Standing(); child == nil || !a.openNested(child.Request) {
			if opened && l.session.Stop().Reason == debug.StoppedForCall {
				a.motion.waits = false // it continues
				return true
			}
			if opened {
				a.breaks.printMessages()
				a.finish(l.session.Stop())
			}
			return opened
		}
	}
}

// giveBack lets the execution of a task that is over answer the task, and reports whether it did. After continue the
// outer one continues, after a step it stops.
func (a *adapter) giveBack(stop debug.Stop) bool {
	l := a.top()
	if l.over && stop.Reason == debug.StoppedAtEnd {
		a.leave()
		return true
	}
	if l.child == nil || stop.Reason != debug.StoppedAtEnd || !l.session.Status().Done() || l.session.ReadOnly() {
		return false
	}
	answer := l.child.Answer()
	a.levels = a.levels[:len(a.levels)-1]
	a.points.forget(l.session)
	outer := a.top()
	if err := outer.session.Calls().Arrived(l.child.Request.ID, answer, outcome.Nested.String()); err != nil {
		a.print("stderr", err.Error())
	}
	outer.calls.Ended(l.child)
	outer.session.GoTo(outer.session.Log().Len())
	a.handles.reset()
	if a.motion.kind == debug.Continue {
		if a.begin(debug.Command{Kind: debug.Continue}) == nil {
			return true
		}
	}
	a.motion.stop(a)
	a.stopped(debug.Stop{Reason: debug.StoppedByStep})
	return true
}

// prepare sets the breakpoints of the editor in an execution that has not run yet. It is called from several
// goroutines.
func (a *adapter) prepare(child *live.Child) { a.points.prepare(child.Session) }

// requestAt returns the newest request of a visit up to an event of a level, or nil.
func (l *level) requestAt(event int, visit *engine.Visit) *engine.TaskRequest {
	if visit == nil {
		return nil
	}
	log := l.session.Log()
	for i := event; i >= max(int(visit.Entered)-1, log.First()); i-- {
		if request, ok := log.At(i).Detail.(*engine.TaskRequest); ok && request.Visit == visit {
			return request
		}
	}
	return nil
}

// nestedAhead returns the request of the task at which a level is, where its execution can be stepped into; else nil.
func (l *level) nestedAhead() *engine.TaskRequest {
	s := l.session
	if l.calls == nil || !s.AtEnd() || s.ReadOnly() || s.Position() == 0 {
		return nil
	}
	visit := s.Log().At(s.Position() - 1).Visit
	if visit == nil || visit.State.Type != asl.Task {
		return nil
	}
	if request := l.requestAt(s.Position()-1, visit); request != nil && l.calls.Held(request.ID) != nil {
		return request
	}
	return nil
}

// closeLevels ends all executions, with their calls.
func (a *adapter) closeLevels() {
	for i := len(a.levels) - 1; i > 0; i-- {
		if calls := a.levels[i].calls; calls != nil {
			calls.Reset()
		}
	}
	if x := a.levels[0].attached; x != nil {
		if err := x.Close(); err != nil { // lets it run
			a.print("stderr", err.Error())
		}
	} else {
		_ = a.levels[0].run.Close() // no trace is written
	}
	a.levels = nil
}
