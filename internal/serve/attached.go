package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/recorder"
)

// order is a command of a debugger in a request to /_asldb, or an input of its user.
type order struct {
	// Kind is a word of [debug.ParseCommand], or "wait" for the end of the command before; empty: "stage". Target,
	// Thread, Until and From are the command's own; From is the number of the event at which the state was entered that
	// it is about.
	Kind, Target string
	Thread       engine.ThreadID
	Until        time.Time
	From         int64
	// Breakpoints are the debugger's, in place of the execution's.
	Breakpoints *breakpoint.Setup
	// Release takes all breakpoints away.
	Release bool
	// Input is an input as traces have it; Specs are breakpoints for all executions.
	Input json.RawMessage
	Specs []string
}

// command returns the command.
func (o *order) command(x *execution) (debug.Command, error) {
	c := debug.Command{Kind: debug.StepStage, Target: o.Target, Thread: o.Thread, Until: o.Until}
	if o.Kind != "" {
		var err error
		if c.Kind, err = debug.ParseCommand(o.Kind); err != nil {
			return c, err
		}
	}
	if log := x.session().Log(); o.From > 0 && o.From <= int64(log.Len()) {
		c.From = log.At(int(o.From) - 1).Visit
	}
	return c, nil
}

// forward lets a held execution carry out a command, and waits a little for its end. Without a debugger, whose
// breakpoints come with it, it has to be held.
func (x *execution) forward(in *request) error {
	x.mu.Lock()
	v := *x.view.Load()
	list, setup := x.session().Breakpoints(), in.Breakpoints
	switch {
	case v.ended(), in.Kind == "wait":
		x.mu.Unlock()
		x.settles()
		return nil
	case v.held == nil && setup == nil && !in.Release:
		x.mu.Unlock()
		return errNotHeld
	case setup != nil || in.Release:
		for _, b := range slices.Clone(list.All()) {
			list.Remove(b.ID)
		}
	}
	if setup != nil {
		setup.Restore(list, x.session().Watches()) // they were read in the debugger
	}
	c, err := in.command(x)
	if err == nil {
		err = x.session().Begin(c)
	}
	if err == nil {
		v.held, x.stop, x.commanded = nil, debug.Stop{}, setup != nil
		x.view.Store(&v)
		x.wake()
	}
	x.mu.Unlock()
	if err == nil {
		x.settles()
	}
	return err
}

// settles waits a little for an execution to come to its end, to a stop, or to what it waits for.
func (x *execution) settles() {
	x.mu.Lock()
	rest, driving := x.rest, x.driving
	x.mu.Unlock()
	if !driving {
		return
	}
	late := time.NewTimer(soon)
	defer late.Stop()
	select {
	case <-rest:
	case <-late.C:
	}
}

// take gives an execution an input of a debugger's user.
func (x *execution) take(line []byte) error {
	in, err := recorder.ParseInput(line)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.driving || x.view.Load().ended() {
		return errNotHeld
	}
	x.catchUp()
	if err := x.session().Interventions().Take(in); err != nil {
		return err
	}
	switch {
	case x.session().Status().Done():
		x.stop = debug.Stop{Reason: debug.StoppedAtEnd}
	case !x.commanded && x.view.Load().held == nil: // its user steps on
		x.stop = debug.Stop{Reason: debug.StoppedByInterrupt}
	}
	x.publish()
	x.wake()
	return nil
}

const maxTrace = 1 << 30 // bytes

// traced is a trace of the events and inputs that an execution had.
type traced struct {
	events, inputs int
	data           []byte
}

// traceText is the trace of an execution so far, from an offset on.
func (x *execution) traceText(from int) ([]byte, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	events, inputs := x.session().Log().Len(), x.session().Inputs().Len()
	known := x.traced
	if known == nil || known.events != events || known.inputs != inputs {
		folder, err := os.MkdirTemp("", "asldb")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		name := filepath.Join(folder, "execution.trace")
		err = recorder.SaveSession(name, x.server.options.Version, x.session(), recorder.TraceOptions{})
		if err != nil {
			return nil, err
		}
		known = &traced{events: events, inputs: inputs}
		if known.data, err = files.Given(name, maxTrace); err != nil {
			return nil, err
		}
		if x.traced = nil; from > 0 { // a debugger follows it
			x.traced = known
		}
	}
	return known.data[min(max(from, 0), len(known.data)):], nil
}

// breakpoints replaces the breakpoints that hold executions from now on, and returns those that there are.
func (s *Server) breakpoints(posts bool, in *request) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if posts {
		s.options.Breakpoints = in.Specs
	}
	return value.Append(nil, value.ObjectOf(value.M("specs", value.Texts(s.options.Breakpoints)))), nil
}
