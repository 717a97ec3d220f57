package attach

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/internal/launch"
	"asldb/recorder"
)

// Execution is an execution of a server with a session that shows it: its trace is followed. A command or an input at
// the newest event is carried out by the server; at an earlier one it makes a what-if, which only the session has.
type Execution struct {
	*launch.Opening
	server *Server
	ctx    context.Context
	arn    string
	folder string

	mu     sync.Mutex // of the trace: the screen extends it beside everything else
	file   *os.File
	length int64
}

// Open follows an execution. It is to be closed.
func (s *Server) Open(ctx context.Context, arn string, spec launch.Spec) (x *Execution, err error) {
	x = &Execution{server: s, ctx: ctx, arn: arn}
	if x.folder, err = os.MkdirTemp("", "asldb"); err != nil {
		return x, err
	}
	name := filepath.Join(x.folder, "execution.trace")
	if x.file, err = os.Create(name); err == nil {
		err = x.fetch()
	}
	if err != nil {
		return x, err
	}
	spec.Replay.File = name
	if x.Opening, err = launch.OpenReplay(spec, true); err != nil {
		return x, err
	}
	if err = x.Opening.Open(); err == nil {
		x.Drive(x.Run().Session)
	}
	return x, err
}

// Title is the machine and the name of the execution.
func (x *Execution) Title() string {
	parts := strings.SplitN(x.arn, ":", 7)
	return parts[len(parts)-1]
}

// Drive lets the server carry out the commands and the inputs of a session of the execution.
func (x *Execution) Drive(s *debug.Session) {
	growth := debug.GrowthOf(s)
	for growth.Grow(1<<16) > 0 && debug.GrowthOf(s) != nil && growth.Divergence() == nil {
	}
	if growth = debug.GrowthOf(s); growth.Divergence() == nil && growth != nil {
		growth.Drive(x)
		s.GoTo(s.Log().Len())
	}
}

// fetch appends the lines of the trace that are new.
func (x *Execution) fetch() error {
	text, err := x.server.ask(x.ctx, http.MethodGet, path(x.arn, traceQuery(x.length)), nil)
	if err == nil && len(text) > 0 {
		_, err = x.file.Write(text)
		x.length += int64(len(text))
	}
	return err
}

// Extend reads what was added to the run: see [launch.Opening.Extend].
func (x *Execution) Extend() (events, inputs int, again bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.fetch(); err != nil {
		return 0, 0, false, err
	}
	return x.Opening.Extend()
}

// progress asks for something, and reads what has come of it.
func (x *Execution) progress(verb string, in any) (p debug.Progress, err error) {
	text, err := x.server.ask(x.ctx, http.MethodPost, path(x.arn, verb), in)
	if err != nil {
		return p, err
	}
	var now summary
	if err := json.Unmarshal(text, &now); err != nil {
		return p, err
	}
	p.Running = now.Running
	var again bool
	if p.Events, p.Inputs, again, err = x.Extend(); again && err == nil {
		err = errors.New("the execution was redriven: attach to it again")
	}
	return p, err
}

// Forward implements [debug.Remote].
func (x *Execution) Forward(s *debug.Session, command *debug.Command) (debug.Progress, error) {
	in := map[string]any{"kind": "wait"}
	if command != nil {
		in = map[string]any{"kind": command.Kind.String(), "target": command.Target, "thread": command.Thread,
			"breakpoints": breakpointsOf(s)}
		if !command.Until.IsZero() {
			in["until"] = command.Until
		}
		if command.From != nil {
			in["from"] = command.From.Entered
		}
	}
	return x.progress("step", in)
}

// breakpointsOf are the breakpoints of a session as the server takes them, with the permanent one.
func breakpointsOf(s *debug.Session) breakpoint.Setup {
	setup := breakpoint.SetupOf(s.Breakpoints(), s.Watches())
	for _, b := range s.Breakpoints().All() {
		if b.Standing && b.Enabled {
			setup.Breakpoints = append(setup.Breakpoints, breakpoint.Saved{Spec: b.String()})
		}
	}
	return setup
}

// Give implements [debug.Remote].
func (x *Execution) Give(in *runlog.Input) (debug.Progress, error) {
	return x.progress("input", map[string]any{"input": json.RawMessage(recorder.FormatInput(in))})
}

// Close lets the execution run, and removes what was read of it.
func (x *Execution) Close() error {
	if x.Opening == nil {
		return x.remove(nil)
	}
	_, err := x.server.ask(context.WithoutCancel(x.ctx), http.MethodPost, path(x.arn, "continue"),
		map[string]bool{"release": true})
	return errors.Join(err, x.remove(x.Opening.Close()))
}

func (x *Execution) remove(err error) error {
	if x.file != nil {
		_ = x.file.Close() // it is read only from here on
	}
	return errors.Join(err, os.RemoveAll(x.folder))
}
