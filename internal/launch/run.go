package launch

import (
	"fmt"
	"sync/atomic"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	_ "asldb/engine/items/parquetfile" // Maps read Parquet files
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/files"
	"asldb/recorder"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// Run is a session with its sources, calls, trace and saved setup.
type Run struct {
	Session *debug.Session
	// Spec is the Spec of the run, as it was read.
	Spec *Spec
	// Source provides the outcomes of the fixtures; nil: there are none.
	Source *fixtures.Source
	// Calls are the calls of the fixtures, executions of other definitions among them; nil: see [Spec.Permit].
	Calls *live.Calls
	// Trace records the run; nil: nothing does. Its faults come from [recorder.TraceWriter.Fault].
	Trace *recorder.TraceWriter
	// Setup is the saved setup of the definition; nil: there is none (see [Spec.State]).
	Setup *Setup
	// Notes are lines about the saved setup, for the beginning of the run.
	Notes []string
	// About are lines about the history, whether the run agrees with it among them.
	About []string
	// Diverged is set where the run differs from the recorded one.
	Diverged bool
	// Recorded compares the run with the history; nil: there is none, or no definition.
	Recorded *Recorded
	// History provides the outcomes of the history; nil: there is none, or no definition.
	History *rerun.Source
	// Replay is the recorded run of a trace; nil: there is none.
	Replay *Replayed

	permitted fixtures.Permission              // of the calls
	stamps    atomic.Pointer[map[string]stamp] // of the files of the run, as they were read
}

// Recorded is a recorded run beside one that runs.
type Recorded struct {
	// Log has the recorded events, Ahead the events of the run where the user does not intervene.
	Log, Ahead *runlog.Log
	// Agrees is set where the two are the same. First is the first difference of their histories; nil where they agree as far
	// as both go. Waits names the task for which Ahead waits, see [rerun.Check].
	Agrees bool
	First  *history.Difference
	Waits  string
	// Compare lays a run beside the recorded one.
	Compare func(run *runlog.Log) *runlog.Result
}

// Close cancels the calls of the run, waits for their end, completes the trace and closes the one that is replayed. The error
// is one of the trace.
func (r *Run) Close() error {
	r.Calls.Close()
	if r.Spec.Replay.Trace != nil {
		_ = r.Spec.Replay.Trace.Close() // it was only read
	}
	if r.Trace == nil {
		return nil
	}
	return r.Trace.Close()
}

// New composes a session, which is before its first event, unless it is a replay that differs. With an error the Run is
// incomplete and must be closed, too. An error about a part of the Spec is a *[files.PartError], one about the text
// of the definition a *[definitions.InvalidError].
func New(spec Spec) (*Run, error) {
	c := &composition{Spec: spec, run: &Run{}}
	c.run.Spec = &c.Spec
	if err := c.Spec.Read(); err != nil {
		return c.run, err
	}
	c.run.stamps.Store(c.run.stamped())
	switch {
	case c.Replay.isGiven():
		return c.run, c.replay()
	case c.Definition.Given():
		return c.run, c.compose()
	}
	return c.run, c.asRecorded()
}

// composition is a run that is being composed.
type composition struct {
	Spec
	run     *Run
	machine *engine.Machine
	options debug.Options
	source  outcome.Source // of the fixtures; nil: there are none
	// nested is the execution of the session, where a task has started it; nil: it is the run itself.
	nested *fixtures.Execution
}

func (c *composition) compose() error {
	var err error
	if c.machine, err = c.Definition.Ready(c.Dialect); err != nil {
		return err
	}
	c.options = debug.Options{
		Start: c.start(), Seed: c.seed(), Clock: c.Clock, Limits: c.Limits, Interrupt: c.Interrupt,
		Express: c.Definition.Machine.Express, Tokens: c.Tokens,
	}
	if !c.History.isGiven() && !c.Redrive.isGiven() { // they have their own
		c.options.Context = c.machine.Deployed(c.options.Express)
	}
	switch {
	case c.nested != nil:
		c.options.Context = engine.MergeContext(c.options.Context, c.nested.Context)
	case c.Fixtures.File != nil:
		c.options.Context = engine.MergeContext(c.options.Context, c.Fixtures.File.Context)
	}
	if c.Context != nil {
		over, _ := c.options.Context.(*value.Object)
		if over == nil {
			over = value.ObjectOf()
		}
		for key, member := range c.Context.All() {
			over = over.With(key, member)
		}
		c.options.Context = over
	}
	if stop := c.stop(); stop != nil {
		c.options.Abort = &debug.Abort{At: c.options.Start.Add(stop.After), Error: stop.Error, Cause: stop.Cause}
	}
	if err := c.bind(); err != nil {
		return err
	}
	if err := c.setInput(); err != nil {
		return err
	}
	permit, err := c.permission()
	if err != nil {
		return err
	}
	if err := c.begin(); err != nil {
		return err
	}
	permit() // the run that begin compares calls nothing
	return c.setBreakpoints()
}

// bind makes the source of the fixtures.
func (c *composition) bind() error {
	if c.Fixtures.File == nil {
		return nil
	}
	bound, err := c.Fixtures.File.Source(c.Definition.Machine)
	if err != nil {
		if c.nested != nil {
			return err
		}
		return fmt.Errorf("the fixtures do not fit the definition:\n%w", err)
	}
	bound.Begin(c.options.Start, c.options.Seed)
	bound.SetInterrupt(c.Interrupt)
	bound.Share(c.Spec.Program())
	c.run.Source, c.source = bound, bound
	return nil
}

func (c *composition) setInput() error {
	input, text, file := c.Input.Value, c.Input.Written, c.Fixtures.File
	if input == nil && c.History.isGiven() {
		var err error
		if input, text, err = c.History.Recording.Input(); err != nil && (file == nil || file.Input == nil) {
			return files.InputError(err, "%[2]v: give it with %[1]s")
		}
	}
	if input == nil && file != nil {
		input = file.Input
	}
	if input == nil {
		input = value.ObjectOf()
	}
	if c.Wrap != nil {
		input, text = c.Wrap(input), ""
	}
	if size, limit := value.Size(input), c.Limits.Payload; limit > 0 && size > limit {
		return &files.PartError{Part: files.PartInput, Err: &SizeError{size, limit}}
	}
	c.options.Input, c.options.InputText = input, text
	return nil
}

func (c *composition) start() time.Time {
	switch {
	case !c.Start.IsZero():
		return c.Start.UTC()
	case c.History.isGiven():
		return c.History.Recording.Start()
	case c.Fixtures.File != nil && c.Fixtures.File.StartTime != nil:
		return c.Fixtures.File.StartTime.UTC()
	}
	now := c.Now
	if now == nil {
		now = time.Now
	}
	return now().UTC().Truncate(time.Millisecond) // as much as the context object shows
}

// stop returns how the execution is stopped from outside, nil where it is not.
func (c *composition) stop() *fixtures.Stop {
	if c.Stop == nil && c.Fixtures.File != nil {
		return c.Fixtures.File.Stop
	}
	return c.Stop
}

func (c *composition) seed() int64 {
	switch {
	case c.Seed != nil:
		return *c.Seed
	case c.Fixtures.File != nil && c.Fixtures.File.Seed != nil:
		return *c.Fixtures.File.Seed
	}
	return 1
}

// permission asks for the permission of calls, and returns a function that gives it to the fixtures.
func (c *composition) permission() (permit func(), err error) {
	if c.nested != nil {
		return c.join, nil
	}
	if c.run.Source == nil || c.Permit == nil {
		return func() {}, nil
	}
	permitted, err := c.Permit(c.Fixtures.File, c.run.Source)
	if err != nil {
		return nil, err
	}
	return func() {
		c.run.Calls, c.run.permitted = live.NewCalls(), permitted
		c.run.Source.AllowLive(c.run.Calls, permitted)
	}, nil
}

// begin makes the session.
func (c *composition) begin() error {
	last := fixtures.OnMissing(c.fixturesOf(), c.Missing)
	if c.Redrive.isGiven() {
		return c.redrive(last)
	}
	if c.History.isGiven() {
		c.identify()
		if !c.Unchecked {
			c.check()
		}
		c.run.History = c.rerunHistory(&c.options, last)
	} else {
		c.options.Source, c.options.Forget = last, c.Forget
	}
	if err := c.record(); err != nil {
		return &files.PartError{Part: files.PartTrace, Err: err}
	}
	c.run.Session = debug.New(c.machine, c.options)
	if c.run.History != nil {
		c.run.History.Follow(c.run.Session.Now)
	}
	return nil
}

// record begins the trace.
func (c *composition) record() (err error) {
	if c.Trace == nil {
		return nil
	}
	header := recorder.HeaderOf(c.machine, &c.options)
	header.Program = c.Trace.Program
	if c.run.Trace, err = recorder.CreateTrace(c.Trace.File, header, c.Trace.Options); err != nil {
		return err
	}
	c.options.Sink = c.run.Trace
	return nil
}

// setBreakpoints sets the breakpoints of the Spec and of the saved setup.
func (c *composition) setBreakpoints() error {
	session := c.run.Session
	if c.BreakUncaught {
		session.Breakpoints().AddUncaught()
	}
	for _, spec := range c.Breakpoints {
		if _, err := session.Breakpoints().Add(spec); err != nil {
			return &files.PartError{Part: files.PartBreakpoint, Err: err}
		}
	}
	c.setUp()
	return nil
}

// HasResults reports whether the fixtures of the run have results for a task.
func (r *Run) HasResults(state *asl.State) bool {
	return r.Source != nil && len(r.Source.For(state, r.Source.Lists())) > 0
}

// ResultFor returns a result that the fixtures of the run have for a task, nil where they have none.
func (r *Run) ResultFor(state *asl.State) *engine.Outcome {
	if r.Source == nil {
		return nil
	}
	return r.Source.ResultFor(state)
}
