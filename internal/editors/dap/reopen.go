package dap

import (
	"errors"
	"fmt"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
)

// errOver says that an execution cannot be changed any more.
var errOver = errors.New("this execution is over, and its task has the result: it can only be looked at")

// reopen shows an execution that is over, which a task of the innermost level has started, at a position. It reports whether it is kept.
func (a *adapter) reopen(request *engine.TaskRequest, atEnd bool) bool {
	l := a.top()
	if l.calls == nil || request == nil {
		return false
	}
	child := l.calls.Ran(request)
	if child == nil {
		return false
	}
	child.Session.SetInterrupt(a.signals.flag.Check)
	position := min(1, child.Session.Log().Len())
	if atEnd {
		position = child.Session.Log().Len()
	}
	child.Session.GoTo(position)
	a.levels = append(a.levels, &level{
		session: child.Session, calls: child.Calls, title: child.Title, child: child, base: len(a.levels) * threadSpan,
		over: true, printed: len(child.Session.Breakpoints().Messages()),
	})
	a.breaks.syncPoints()
	a.motion.last = debug.StepStage
	a.arrived("step")
	return true
}

// leave goes back from an execution that is over to the one around it, which is then after the outcome of the task.
func (a *adapter) leave() {
	request := a.top().child.Request
	a.points.forget(a.top().session)
	a.levels = a.levels[:len(a.levels)-1]
	s := a.top().session
	log := s.Log()
	for i := s.Position(); i < log.Len(); i++ {
		e := log.At(i)
		if e.Visit != request.Visit {
			continue
		}
		if e.Type == engine.TaskSucceeded || e.Type == engine.TaskFailed || e.Type == engine.TaskTimedOut {
			s.GoTo(i + 1)
		}
		if e.Type != engine.TaskSubmitted && e.Type != engine.TaskHeartbeat {
			break
		}
	}
	a.motion.stop(a)
	a.arrived("step")
}

// pastNested returns the request of the task at which the innermost level is in its past, before the outcome; nil:
// there is none.
func (a *adapter) pastNested() *engine.TaskRequest {
	s := a.top().session
	i := s.Position() - 1
	if s.AtEnd() || i < s.Log().First() {
		return nil
	}
	switch e := s.Log().At(i); e.Type {
	case engine.TaskScheduled, engine.TaskSubmitted, engine.TaskHeartbeat:
		return a.top().requestAt(i, e.Visit)
	default:
		return nil
	}
}

func openCommand(a *adapter, f *frame, _ string) (string, bool, error) {
	if f.level != a.top() {
		return "", false, errors.New("this state belongs to the execution outside: finish the inner one first, or leave it by :leave")
	}
	request := f.level.requestAt(f.event, f.visit)
	if request == nil {
		return "", false, errors.New("the state of this frame has started no execution: select a task's frame, after its result")
	}
	if !a.reopen(request, true) {
		return "", false, fmt.Errorf("there is no execution of %s that is over: its result came from elsewhere, it runs still, or it is kept no longer", explain.PlaceName(request.Visit))
	}
	return a.top().title + " as it ended; step back in it, and :leave goes back", false, nil
}

func leaveCommand(a *adapter, _ *frame, _ string) (string, bool, error) {
	if !a.top().over {
		return "", false, errors.New("no execution that is over was opened")
	}
	title := a.top().title
	a.leave()
	return "left " + title, false, nil
}
