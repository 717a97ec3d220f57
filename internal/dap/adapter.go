package dap

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/go-dap"

	"asldb/internal/launch"
)

// Options are the parts of the program around an adapter.
type Options struct {
	// Now returns the start time of executions that have no other.
	Now func() time.Time
	// State is the directory with the user's consents to live calls; empty: there are none.
	State string
	// Version is the version of asldb.
	Version string
}

// Serve answers the requests of one editor until it disconnects or its input ends. The error says that the input is not the
// protocol's, or that the output cannot be written.
func Serve(ctx context.Context, in io.Reader, out io.Writer, options Options) error {
	a := &adapter{options: options, out: &sender{out: out}, ctx: ctx}
	defer a.end()
	messages, failed := make(chan received), make(chan error, 1)
	done := make(chan struct{})
	defer close(done)
	go func() {
		failed <- readAll(bufio.NewReader(in), messages, done)
		close(messages)
	}()
	for !a.over && a.out.err == nil {
		m, ok, err := a.next(messages)
		switch {
		case err != nil:
			return err
		case !ok && a.moving(): // no message yet
			a.advance()
		case !ok:
			return <-failed
		default:
			a.handle(m)
		}
	}
	return a.out.err
}

// readAll reads messages until the input ends.
func readAll(r *bufio.Reader, to chan<- received, done <-chan struct{}) error {
	for {
		content, err := readContent(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		m, ok := decode(content)
		if !ok {
			continue
		}
		select {
		case to <- m:
		case <-done:
			return nil
		}
	}
}

// adapter is one editor with its session. Its methods run in one goroutine.
type adapter struct {
	options Options
	ctx     context.Context
	out     *sender
	over    bool

	run *launch.Run // nil: nothing was launched
	how arguments
	// configured is set when the editor has sent its breakpoints.
	configured bool
	// command is set while a command is carried on in slices.
	command bool
	handles handles
	points  points
	// lines is whether lines and columns of the editor begin with 1; offset is what to add to ours.
	lineOffset, columnOffset int
	printed                  int // messages of logpoints that were written
	atEnd                    bool
}

// moving reports whether the session is carried on between requests.
func (a *adapter) moving() bool { return a.command }

// next waits for the next message. While the session moves it does not wait: ok is false then where there is none.
func (a *adapter) next(messages <-chan received) (m received, ok bool, err error) {
	if a.moving() {
		select {
		case m, ok = <-messages:
			if !ok {
				a.command = false
			}
			return m, ok, nil
		default:
			return received{}, false, nil
		}
	}
	select {
	case m, ok = <-messages:
		return m, ok, nil
	case <-a.ctx.Done():
		return received{}, false, a.ctx.Err()
	}
}

// handle answers one message. A fault of asldb itself becomes an error response.
func (a *adapter) handle(m received) {
	if m.err != nil {
		a.out.refuse(m.seq, m.command, m.err)
		return
	}
	defer func() {
		if fault := recover(); fault != nil {
			a.command = false
			a.out.refuse(m.seq, m.command, fmt.Errorf("a fault of asldb: %v", fault))
		}
	}()
	if err := a.answer(m.request); err != nil {
		a.out.refuse(m.seq, m.command, err)
	}
}

// errNotLaunched says that a request needs a session.
var errNotLaunched = errors.New("nothing is being debugged: send launch first")

// errRunning says that a request needs a session that stands.
var errRunning = errors.New("the execution is running: pause it first")

// answer answers a request. The request has no response yet where it returns an error.
func (a *adapter) answer(request dap.RequestMessage) error {
	switch r := request.(type) {
	case *dap.InitializeRequest:
		return a.initialize(r)
	case *dap.LaunchRequest:
		return a.launch(r)
	case *dap.DisconnectRequest:
		a.out.respond(r, &dap.DisconnectResponse{})
		a.over = true
		return nil
	}
	if a.run == nil {
		return errNotLaunched
	}
	switch r := request.(type) {
	case *dap.ConfigurationDoneRequest:
		return a.configurationDone(r)
	case *dap.TerminateRequest:
		a.out.respond(r, &dap.TerminateResponse{})
		a.command = false
		a.out.event("terminated", &dap.TerminatedEvent{})
		return nil
	case *dap.PauseRequest:
		a.run.Session.Interrupt()
		a.out.respond(r, &dap.PauseResponse{})
		return nil
	case *dap.ThreadsRequest:
		a.out.respond(r, &dap.ThreadsResponse{Body: dap.ThreadsResponseBody{Threads: a.threads()}})
		return nil
	case *dap.SetBreakpointsRequest:
		return a.setBreakpoints(r)
	case *dap.SetExceptionBreakpointsRequest:
		return a.setExceptionBreakpoints(r)
	case *dap.SetFunctionBreakpointsRequest:
		return a.setFunctionBreakpoints(r)
	}
	if a.command {
		return errRunning
	}
	if answered, err := a.move(request); answered || err != nil {
		return err
	}
	return a.look(request)
}

// initialize says what the adapter can do.
func (a *adapter) initialize(r *dap.InitializeRequest) error {
	if !r.Arguments.LinesStartAt1 {
		a.lineOffset = -1
	}
	if !r.Arguments.ColumnsStartAt1 {
		a.columnOffset = -1
	}
	a.out.respond(r, &dap.InitializeResponse{Body: dap.Capabilities{
		SupportsConfigurationDoneRequest:      true,
		SupportsFunctionBreakpoints:           true,
		SupportsConditionalBreakpoints:        true,
		SupportsHitConditionalBreakpoints:     true,
		SupportsLogPoints:                     true,
		SupportsEvaluateForHovers:             true,
		SupportsStepBack:                      true,
		SupportsTerminateRequest:              true,
		SupportsDelayedStackTraceLoading:      true,
		SupportsSingleThreadExecutionRequests: true,
		ExceptionBreakpointFilters:            filters(),
	}})
	return nil
}

// end ends the session with its calls.
func (a *adapter) end() {
	if a.run != nil {
		_ = a.run.Close()
	}
}
