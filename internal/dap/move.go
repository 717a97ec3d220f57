package dap

import (
	"errors"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/value"
)

// slice is the number of steps of the engine between two looks for a message; limit the most events that one command brings.
const (
	slice = 2048
	limit = 1_000_000
)

// configurationDone begins the run.
func (a *adapter) configurationDone(r *dap.ConfigurationDoneRequest) error {
	if a.configured {
		return errors.New("the configuration is done already")
	}
	a.configured = true
	a.out.respond(r, &dap.ConfigurationDoneResponse{})
	if a.how.StopOnEntry {
		return a.begin(debug.Command{Kind: debug.StepState})
	}
	return a.begin(debug.Command{Kind: debug.Continue})
}

// begin begins a command, which advance carries on.
func (a *adapter) begin(command debug.Command) error {
	command.Events = limit
	if err := a.run.Session.Begin(command); err != nil {
		return err
	}
	a.command = true
	a.handles.reset()
	return nil
}

// advance carries the command on by a slice.
func (a *adapter) advance() {
	stop := a.run.Session.Advance(slice)
	a.printMessages()
	if stop.Reason != debug.StillRunning {
		a.command = false
		a.stopped(stop)
	}
}

// move answers the requests that move the session.
func (a *adapter) move(request dap.RequestMessage) (answered bool, err error) {
	switch r := request.(type) {
	case *dap.ContinueRequest:
		if a.atEnd {
			a.out.respond(r, &dap.ContinueResponse{})
			a.terminate()
			return true, nil
		}
		return true, a.forward(r, &dap.ContinueResponse{Body: dap.ContinueResponseBody{AllThreadsContinued: true}}, debug.Command{Kind: debug.Continue})
	case *dap.NextRequest:
		return true, a.forward(r, &dap.NextResponse{}, a.stepOf(r.Arguments.Granularity, debug.StepOver, r.Arguments.ThreadId))
	case *dap.StepInRequest:
		return true, a.forward(r, &dap.StepInResponse{}, a.stepOf("instruction", debug.StepStage, r.Arguments.ThreadId))
	case *dap.StepOutRequest:
		return true, a.forward(r, &dap.StepOutResponse{}, debug.Command{Kind: debug.StepOut})
	case *dap.StepBackRequest:
		return true, a.back(r, &dap.StepBackResponse{}, debug.Command{Kind: debug.StepStage})
	case *dap.ReverseContinueRequest:
		return true, a.back(r, &dap.ReverseContinueResponse{}, debug.Command{Kind: debug.Continue})
	}
	return false, nil
}

// stepOf returns the command of a step; the granularity of an instruction is a stage.
func (a *adapter) stepOf(granularity dap.SteppingGranularity, kind debug.CommandKind, _ int) debug.Command {
	if granularity == "instruction" {
		kind = debug.StepStage
	}
	return debug.Command{Kind: kind}
}

// forward begins a command and responds at once: the stop comes as an event.
func (a *adapter) forward(r dap.RequestMessage, response dap.ResponseMessage, command debug.Command) error {
	if err := a.begin(command); err != nil {
		return err
	}
	a.out.respond(r, response)
	return nil
}

// back goes back, which is done at once.
func (a *adapter) back(r dap.RequestMessage, response dap.ResponseMessage, command debug.Command) error {
	stop, err := a.run.Session.Back(command)
	if err != nil {
		return err
	}
	a.out.respond(r, response)
	a.handles.reset()
	a.stopped(stop)
	return nil
}

// stopped says that the session stands, and why.
func (a *adapter) stopped(stop debug.Stop) {
	s := a.run.Session
	a.atEnd = stop.Reason == debug.StoppedAtEnd
	if a.atEnd && (a.how.NoDebug || a.how.StopAtEnd != nil && !*a.how.StopAtEnd) {
		a.terminate()
		return
	}
	standing := explain.Standing(s, limit)
	body := dap.StoppedEventBody{
		Reason: "pause", Description: explain.Plain(200).Paragraph(&standing), ThreadId: a.focused(), AllThreadsStopped: true,
	}
	switch stop.Reason {
	case debug.StoppedAtStart:
		body.Reason = "entry"
	case debug.StoppedByStep, debug.StoppedAtTarget, debug.StoppedAtTime:
		body.Reason = "step"
	case debug.StoppedByBreakpoint:
		body.Reason = "breakpoint"
		if id, ok := a.points.numberOf(stop.Breakpoint); ok {
			body.HitBreakpointIds = []int{id}
		}
		if isException(stop.Breakpoint) {
			body.Reason = "exception"
		}
	case debug.StoppedAtEnd, debug.StoppedAtRecordingEnd:
		body.Reason = "end"
	case debug.StoppedForAnswer, debug.StoppedForTime, debug.StoppedByInterrupt, debug.StoppedBySource, debug.StoppedByLimit, debug.StoppedForCall, debug.StillRunning:
	}
	if stop.Err != nil {
		body.Text = stop.Err.Error()
	}
	a.out.event("stopped", &dap.StoppedEvent{Body: body})
}

// focused returns the number of the thread of the event at which the session stands.
func (a *adapter) focused() int {
	s := a.run.Session
	if i := s.Position() - 1; i >= 0 {
		if at := s.Log().At(i); at.Visit != nil {
			return threadNumber(at.Thread)
		}
	}
	return threadNumber(0)
}

// threadNumber returns the number of a thread for the editor, which counts from 1.
func threadNumber(id engine.ThreadID) int { return int(id) + 1 }

// terminate ends the debugging with the output of the execution.
func (a *adapter) terminate() {
	s := a.run.Session
	code := 1
	if s.Status() == engine.Succeeded {
		code = 0
		a.print("stdout", value.Compact(s.Output()))
	} else if f := s.Failure(); f != nil {
		a.print("stderr", f.Error())
	}
	a.out.event("exited", &dap.ExitedEvent{Body: dap.ExitedEventBody{ExitCode: code}})
	a.out.event("terminated", &dap.TerminatedEvent{})
}
