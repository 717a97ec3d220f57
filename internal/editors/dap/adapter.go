package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/go-dap"

	"asldb/engine/interrupt"
	"asldb/internal/editors"
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

// backlog is the number of messages that are read ahead of their answers.
const backlog = 256

// Serve answers the requests of one editor until it disconnects or its input ends. The error says that the input is not the
// protocol's, or that the output cannot be written.
func Serve(ctx context.Context, in io.Reader, out io.Writer, options Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := &adapter{options: options, out: &sender{out: out}, ctx: ctx, signals: &signals{}, called: make(chan *level)}
	a.views, a.breaks, a.changes = viewer{a}, breaker{a}, changer{a}
	defer a.end()
	messages, failed := make(chan received, backlog), make(chan error, 1)
	go func() {
		failed <- readAll(ctx, bufio.NewReader(in), messages, a.signals)
		close(messages)
	}()
	for !a.over && a.out.err == nil {
		switch m, ok, err := a.next(messages); {
		case err != nil:
			return err
		case ok:
			a.handle(m)
		case a.ended:
			return <-failed
		}
	}
	return a.out.err
}

// readAll reads messages until the input ends. At the end, and at requests that stop the engine, it interrupts an evaluation.
func readAll(ctx context.Context, r *bufio.Reader, to chan<- received, s *signals) error {
	defer s.flag.Raise()
	for {
		content, err := editors.Read(r)
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
		s.note(&m)
		select {
		case to <- m:
		case <-ctx.Done():
			return nil
		}
	}
}

// signals are the facts that the reader of messages passes on before their turn. Its methods may be used by several goroutines.
type signals struct {
	// flag interrupts the engine and evaluations.
	flag interrupt.Flag
	// running is set while a command is carried on.
	running atomic.Bool

	mu sync.Mutex
	// current is the number of the request that is being answered; cancelled are those that are not to be answered.
	current   int
	cancelled map[int]bool
}

// note interrupts the engine for a request that asks for it.
func (s *signals) note(m *received) {
	switch r := m.request.(type) {
	case *dap.PauseRequest:
		if s.running.Load() {
			s.flag.Raise()
		}
	case *dap.DisconnectRequest, *dap.TerminateRequest:
		s.flag.Raise()
	case *dap.CancelRequest:
		if r.Arguments == nil || r.Arguments.RequestId == 0 {
			if s.running.Load() {
				s.flag.Raise()
			}
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		switch id := r.Arguments.RequestId; {
		case id == s.current:
			s.flag.Raise()
		case id > s.current && len(s.cancelled) < backlog:
			if s.cancelled == nil {
				s.cancelled = make(map[int]bool)
			}
			s.cancelled[id] = true
		}
	}
}

// begin says that a request is being answered; cancelled: it is not to be.
func (s *signals) begin(seq int) (cancelled bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = seq
	cancelled = s.cancelled[seq]
	delete(s.cancelled, seq)
	return cancelled
}

// viewer answers the requests that look at the session, breaker those about breakpoints, and changer those that change the run.
type (
	viewer  struct{ *adapter }
	breaker struct{ *adapter }
	changer struct{ *adapter }
)

// adapter is one editor with its session. Its methods run in one goroutine.
type adapter struct {
	views   viewer
	breaks  breaker
	changes changer

	options Options
	ctx     context.Context
	out     *sender
	signals *signals
	// over is set after disconnect, ended where the input is.
	over, ended bool

	client dap.InitializeRequestArguments
	how    launchArguments
	// levels are the run, and the executions of tasks that were stepped into; none: nothing was launched.
	levels []*level
	judge  func() []string // says which expectations of a case were not met; nil: there is no case
	// configured is set when the editor has sent its breakpoints.
	configured bool
	motion     motion
	handles    handles
	points     points
	sources    sources
	threadsOf  map[int]bool // the threads that the editor knows
	// lineOffset and columnOffset are to be added to ours.
	lineOffset, columnOffset int
	// terminated is set when the end was said.
	terminated bool
	// called gets a level when its calls have results.
	called chan *level
}

// top is the innermost execution, which commands are about.
func (a *adapter) top() *level { return a.levels[len(a.levels)-1] }

// next waits for the next message. While the session moves it does not wait, and carries the session on where there is none; ok
// is false then.
func (a *adapter) next(messages <-chan received) (m received, ok bool, err error) {
	if a.motion.goes() {
		select {
		case m, ok = <-messages:
			a.ended = !ok
			return m, ok, nil
		case <-a.ctx.Done():
			return received{}, false, a.ctx.Err()
		default:
			a.guard(a.advance)
			return received{}, false, nil
		}
	}
	select {
	case m, ok = <-messages:
		a.ended = !ok
		return m, ok, nil
	case l := <-a.called:
		a.guard(func() { a.takeCalls(l) })
	case <-a.motion.timer():
		a.guard(a.passTime)
	case <-a.ctx.Done():
		return received{}, false, a.ctx.Err()
	}
	return received{}, false, nil
}

// guard does a part of a command. A fault of asldb itself ends the command.
func (a *adapter) guard(do func()) {
	defer func() {
		if fault := recover(); fault != nil {
			a.print("stderr", fmt.Sprintf("a fault of asldb: %v", fault))
			a.motion.stop(a)
			a.out.event("stopped", &dap.StoppedEvent{Body: dap.StoppedEventBody{Reason: "exception", Description: "a fault of asldb", AllThreadsStopped: true}})
		}
	}()
	do()
}

// errCancelled says that a request was cancelled.
var errCancelled = errors.New("cancelled")

// handle answers one message. A fault of asldb itself becomes an error response.
func (a *adapter) handle(m received) {
	cancelled := a.signals.begin(m.seq)
	defer a.signals.begin(0)
	switch {
	case m.err != nil:
		a.out.refuse(m.seq, m.command, m.err)
		return
	case cancelled:
		a.out.refuse(m.seq, m.command, errCancelled)
		return
	}
	defer func() {
		if fault := recover(); fault != nil {
			a.motion.stop(a)
			a.out.refuse(m.seq, m.command, fmt.Errorf("a fault of asldb: %v", fault))
		}
	}()
	err := a.answer(&m)
	if interrupt.Is(err) {
		err = errCancelled
		a.signals.flag.Lower()
	}
	if err != nil {
		a.out.refuse(m.seq, m.command, err)
	}
}

// errNotLaunched says that a request needs a session.
var errNotLaunched = errors.New("nothing is being debugged: send launch first")

// errRunning says that a request needs a session that has stopped.
var errRunning = errors.New("the execution is running: pause it first")

// answer answers a request. The request has no response yet where it returns an error.
func (a *adapter) answer(m *received) error {
	switch r := m.request.(type) {
	case *dap.InitializeRequest:
		return a.initialize(r, m.content)
	case *dap.LaunchRequest:
		return a.launch(r, r.Arguments, false, &dap.LaunchResponse{})
	case *dap.AttachRequest:
		return a.launch(r, r.Arguments, true, &dap.AttachResponse{})
	case *dap.DisconnectRequest:
		a.out.respond(r, &dap.DisconnectResponse{})
		a.over = true
		return nil
	case *dap.CancelRequest:
		return a.cancel(r)
	}
	if len(a.levels) == 0 {
		return errNotLaunched
	}
	if answered, err := a.always(m.request); answered || err != nil {
		return err
	}
	if a.motion.command {
		return errRunning
	}
	if !a.configured {
		if _, is := m.request.(*dap.EvaluateRequest); !is {
			return errors.New("send configurationDone first")
		}
	}
	for _, answer := range []func(dap.RequestMessage) (bool, error){a.move, a.travel, a.views.inspect, a.changes.change} {
		if answered, err := answer(m.request); answered || err != nil {
			return err
		}
	}
	return fmt.Errorf("asldb does not answer the request %q", m.command)
}

// always answers the requests that may come while the session moves.
func (a *adapter) always(request dap.RequestMessage) (answered bool, err error) {
	switch r := request.(type) {
	case *dap.ConfigurationDoneRequest:
		return true, a.configurationDone(r)
	case *dap.TerminateRequest:
		a.out.respond(r, &dap.TerminateResponse{})
		a.motion.stop(a)
		a.terminate()
	case *dap.PauseRequest:
		a.pause(r)
	case *dap.ThreadsRequest:
		a.out.respond(r, &dap.ThreadsResponse{Body: dap.ThreadsResponseBody{Threads: a.views.threads()}})
	case *dap.SetBreakpointsRequest:
		a.breaks.setBreakpoints(r)
	case *dap.SetExceptionBreakpointsRequest:
		a.breaks.setExceptionBreakpoints(r)
	case *dap.SetFunctionBreakpointsRequest:
		a.breaks.setFunctionBreakpoints(r)
	case *dap.SetDataBreakpointsRequest:
		a.breaks.setDataBreakpoints(r)
	case *dap.BreakpointLocationsRequest:
		return true, a.breaks.breakpointLocations(r)
	case *dap.SourceRequest:
		return true, a.views.source(r)
	case *dap.LoadedSourcesRequest:
		a.out.respond(r, &dap.LoadedSourcesResponse{Body: dap.LoadedSourcesResponseBody{Sources: a.views.loadedSources()}})
	case *dap.RestartRequest:
		return true, a.restart(r)
	default:
		return false, nil
	}
	return true, nil
}

// cancel ends an evaluation, or a command with its progress. The reader has raised the flag already.
func (a *adapter) cancel(r *dap.CancelRequest) error {
	a.out.respond(r, &dap.CancelResponse{})
	if a.motion.command && (r.Arguments == nil || r.Arguments.RequestId == 0) {
		a.halt()
		return nil
	}
	a.signals.flag.Lower()
	return nil
}

// end ends the session with its calls.
func (a *adapter) end() {
	if len(a.levels) > 0 {
		a.closeLevels()
	}
}

// Capabilities returns what the adapter can do.
func Capabilities() dap.Capabilities {
	return dap.Capabilities{
		SupportsConfigurationDoneRequest:      true,
		SupportsFunctionBreakpoints:           true,
		SupportsConditionalBreakpoints:        true,
		SupportsHitConditionalBreakpoints:     true,
		SupportsLogPoints:                     true,
		SupportsDataBreakpoints:               true,
		SupportsBreakpointLocationsRequest:    true,
		SupportsEvaluateForHovers:             true,
		SupportsClipboardContext:              true,
		SupportsCompletionsRequest:            true,
		CompletionTriggerCharacters:           []string{".", ":", "$"},
		SupportsSetVariable:                   true,
		SupportsSetExpression:                 true,
		SupportsStepBack:                      true,
		SupportsSteppingGranularity:           true,
		SupportsGotoTargetsRequest:            true,
		SupportsRestartFrame:                  true,
		SupportsRestartRequest:                true,
		SupportsTerminateRequest:              true,
		SupportsCancelRequest:                 true,
		SupportsDelayedStackTraceLoading:      true,
		SupportsLoadedSourcesRequest:          true,
		SupportsExceptionInfoRequest:          true,
		SupportsExceptionFilterOptions:        true,
		SupportsSingleThreadExecutionRequests: true,
		ExceptionBreakpointFilters:            filters(),
	}
}

// initialize returns the capabilities of the adapter. Lines and columns of an editor that says nothing about them begin with 1.
func (a *adapter) initialize(r *dap.InitializeRequest, content []byte) error {
	if len(a.levels) > 0 {
		return errors.New("a session is being debugged already")
	}
	var given struct {
		Arguments struct {
			Lines   *bool `json:"linesStartAt1"`
			Columns *bool `json:"columnsStartAt1"`
		} `json:"arguments"`
	}
	if err := json.Unmarshal(content, &given); err != nil {
		return editors.JSONError(err)
	}
	a.lineOffset, a.columnOffset = 0, 0
	if l := given.Arguments.Lines; l != nil && !*l {
		a.lineOffset = -1
	}
	if c := given.Arguments.Columns; c != nil && !*c {
		a.columnOffset = -1
	}
	if f := r.Arguments.PathFormat; f != "" && f != "path" {
		return errors.New("pathFormat: asldb knows path only")
	}
	a.client = r.Arguments
	a.out.respond(r, &dap.InitializeResponse{Body: Capabilities()})
	return nil
}
