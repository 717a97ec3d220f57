package dap

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/explain"
)

// move answers the requests that go forward.
func (a *adapter) move(request dap.RequestMessage) (answered bool, err error) {
	switch r := request.(type) {
	case *dap.ContinueRequest:
		if s := a.top().session; len(a.levels) == 1 && s.AtEnd() && a.atEnd() {
			a.out.respond(r, &dap.ContinueResponse{Body: dap.ContinueResponseBody{AllThreadsContinued: true}})
			a.terminate()
			return true, nil
		}
		return true, a.forward(r, &dap.ContinueResponse{Body: dap.ContinueResponseBody{AllThreadsContinued: true}}, debug.Command{Kind: debug.Continue})
	case *dap.NextRequest:
		return true, a.forward(r, &dap.NextResponse{}, a.stepOf(debug.StepOver, r.Arguments.Granularity, r.Arguments.ThreadId))
	case *dap.StepInRequest:
		if nested := a.top().nestedAhead(); nested != nil {
			if !a.openNested(nested) {
				return true, a.forward(r, &dap.StepInResponse{}, debug.Command{Kind: debug.StepStage})
			}
			a.out.respond(r, &dap.StepInResponse{})
			a.stopped(a.top().session.Stop())
			return true, nil
		}
		if past := a.pastNested(); past != nil && r.Arguments.Granularity != "instruction" && a.top().calls != nil && a.top().calls.Ran(past) != nil {
			a.out.respond(r, &dap.StepInResponse{})
			a.reopen(past, false)
			return true, nil
		}
		return true, a.forward(r, &dap.StepInResponse{}, a.stepOf(debug.StepThread, r.Arguments.Granularity, r.Arguments.ThreadId))
	case *dap.StepOutRequest:
		return true, a.forward(r, &dap.StepOutResponse{}, a.stepOf(debug.StepOut, r.Arguments.Granularity, r.Arguments.ThreadId))
	}
	return false, nil
}

// atEnd reports whether there is nothing more to come.
func (a *adapter) atEnd() bool {
	s := a.top().session
	return s.Status().Done() || s.Stop().Reason == debug.StoppedAtRecordingEnd
}

// stepOf returns the command of a step of a thread; the granularity instruction is a stage.
func (a *adapter) stepOf(kind debug.CommandKind, granularity dap.SteppingGranularity, number int) debug.Command {
	if granularity == "instruction" {
		kind = debug.StepThread
	}
	command := debug.Command{Kind: kind}
	l, id := a.threadOf(number)
	var thread *engine.ThreadInfo
	for _, t := range l.session.Threads() {
		if t.ID == id {
			thread = &t
			break
		}
	}
	switch {
	case l != a.top() || thread == nil:
		if kind == debug.StepThread {
			command.Kind = debug.StepStage
		}
	case kind == debug.StepThread:
		command.Thread = id
	case l.threadNumber(id) != a.focused():
		command.From = thread.Visit
	}
	return command
}

// forward begins a command and responds at once: the stop comes as an event.
func (a *adapter) forward(r dap.RequestMessage, response dap.ResponseMessage, command debug.Command) error {
	if l := a.top(); l.over && l.session.AtEnd() {
		a.out.respond(r, response)
		a.leave()
		return nil
	}
	if err := a.begin(command); err != nil {
		return err
	}
	a.motion.last = command.Kind
	a.out.respond(r, response)
	return nil
}

// travel answers the requests that go to known events. It is done at once.
func (a *adapter) travel(request dap.RequestMessage) (answered bool, err error) {
	switch r := request.(type) {
	case *dap.StepBackRequest:
		kind := a.motion.last
		if kind == 0 || kind == debug.Continue {
			kind = debug.StepStage
		}
		return true, a.back(r, &dap.StepBackResponse{}, a.stepOf(kind, r.Arguments.Granularity, r.Arguments.ThreadId))
	case *dap.ReverseContinueRequest:
		return true, a.back(r, &dap.ReverseContinueResponse{}, debug.Command{Kind: debug.Continue})
	case *dap.RestartFrameRequest:
		return true, a.restartFrame(r)
	case *dap.GotoTargetsRequest:
		return true, a.gotoTargets(r)
	case *dap.GotoRequest:
		return true, a.goTo(r)
	}
	return false, nil
}

// back goes back as a command went forward.
func (a *adapter) back(r dap.RequestMessage, response dap.ResponseMessage, command debug.Command) error {
	stop, err := a.top().session.Back(command)
	if err != nil {
		return err
	}
	a.out.respond(r, response)
	a.handles.reset()
	a.signals.flag.Lower()
	a.stopped(stop)
	return nil
}

// arrived says that the session was brought to an event.
func (a *adapter) arrived(reason string) {
	l := a.top()
	a.handles.reset()
	a.views.announceThreads()
	text := explain.Viewing(l.session, l.session.Position())
	a.say(dap.StoppedEventBody{Reason: reason, Description: explain.Plain(200).Paragraph(&text), ThreadId: a.focused(), AllThreadsStopped: true}, "")
}

// restartFrame goes back to the entry of the state of a frame.
func (a *adapter) restartFrame(r *dap.RestartFrameRequest) error {
	f, err := a.views.frameOf(r.Arguments.FrameId)
	switch {
	case err != nil:
		return err
	case f.level != a.top():
		return errors.New("this state belongs to the execution outside: finish the inner one first")
	}
	to := 0
	if f.visit != nil {
		to = int(f.visit.Entered)
	}
	f.level.session.GoTo(to)
	a.out.respond(r, &dap.RestartFrameResponse{})
	a.arrived("restart")
	return nil
}

// maxTargets bounds the visits that can be gone to.
const maxTargets = 50

// gotoTargets answers with the visits of the state on a line, the newest first.
func (a *adapter) gotoTargets(r *dap.GotoTargetsRequest) error {
	s := a.top().session
	place := a.views.placeOf(&r.Arguments.Source, r.Arguments.Line, r.Arguments.Column)
	found, ok := breakpoint.LocationAt(s.Machine().Definition(), place.in, place.line, place.column)
	if !ok {
		return errors.New("there is no state on this line")
	}
	targets := []dap.GotoTarget{}
	for i := s.Log().Len() - 1; i >= s.Log().First() && len(targets) < maxTargets; i-- {
		e := s.Log().At(i)
		if e.Type != engine.StateEntered || e.Visit.State != found.State {
			continue
		}
		target := dap.GotoTarget{Id: i + 1, Label: fmt.Sprintf("%s, visit %d, %s, event %d", e.Visit.Path(), e.Visit.Number, explain.SinceStart(s.Options().Start, e.At()), i+1)}
		target.Line, target.Column, target.EndLine, target.EndColumn = a.views.span(found.File, found.Key)
		targets = append(targets, target)
	}
	if len(targets) == 0 {
		return fmt.Errorf("%s has not been entered: asldb goes to states that the run has come to", found.State.Path())
	}
	a.out.respond(r, &dap.GotoTargetsResponse{Body: dap.GotoTargetsResponseBody{Targets: targets}})
	return nil
}

// goTo goes to an event.
func (a *adapter) goTo(r *dap.GotoRequest) error {
	s := a.top().session
	if id := r.Arguments.TargetId; id < 1 || id > s.Log().Len() {
		return errors.New("there is no event " + strconv.Itoa(id))
	}
	s.GoTo(r.Arguments.TargetId)
	a.out.respond(r, &dap.GotoResponse{})
	a.arrived("goto")
	return nil
}
