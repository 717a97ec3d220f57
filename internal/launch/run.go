package launch

import (
	"fmt"
	"time"

	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/recorder"
	"asldb/recorder/rerun"
)

// Run is a session with what belongs to it.
type Run struct {
	Session *debug.Session
	// Source is that of the fixtures; nil: there are none.
	Source *fixtures.Source
	// Calls are what the fixtures call, executions of other definitions among them; nil: see [Spec.Permit].
	Calls *live.Calls
	// Trace records the run; nil: nothing does. Its faults are those of [recorder.TraceWriter.Fault].
	Trace *recorder.TraceWriter
	// About are lines about the history, whether the run agrees with it among them.
	About []string
	// Diverged is set where the run does not do what was recorded.
	Diverged bool
	// Recorded compares the run with the history; nil: there is none, or no definition.
	Recorded *Recorded
	// History provides the outcomes of the history; nil: there is none, or no definition.
	History *rerun.Source
}

// Recorded is a recorded run beside one that runs.
type Recorded struct {
	// Log has the recorded events, Ahead those of the run where the user does not intervene.
	Log, Ahead *runlog.Log
	// Agrees is set where the two are the same.
	Agrees bool
	// Compare lays a run beside the recorded one.
	Compare func(run *runlog.Log) *compare.Result
}

// Close cancels the calls of the run, waits for their end, and completes the trace. The error is one of the trace.
func (r *Run) Close() error {
	r.Calls.Close()
	if r.Trace == nil {
		return nil
	}
	return r.Trace.Close()
}

// New composes a session, which stands before its first event. With an error the Run has what is known until then and must
// be closed, too. An error about input, breakpoints or trace is a *[PartError].
func New(spec Spec) (*Run, error) {
	c := &composition{Spec: spec, run: &Run{}}
	if spec.Definition == nil {
		return c.run, c.asRecorded()
	}
	return c.run, c.compose()
}

// composition is a run that is being composed.
type composition struct {
	Spec
	run     *Run
	machine *engine.Machine
	options debug.Options
	source  outcome.Source // of the fixtures; nil: there are none
}

func (c *composition) compose() error {
	var err error
	if c.machine, err = engine.Compile(c.Definition, c.Dialect); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	c.options = debug.Options{
		Start: c.start(), Seed: c.seed(), Clock: c.Clock, Limits: c.Limits, Interrupt: c.Interrupt,
	}
	if c.Fixtures != nil {
		c.options.Context = c.Fixtures.Context
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
	permit() // what begin runs to compare calls nothing
	return c.setBreakpoints()
}

// bind makes the source of the fixtures.
func (c *composition) bind() error {
	if c.Fixtures == nil {
		return nil
	}
	bound, err := c.Fixtures.Source(c.Definition)
	if err != nil {
		return fmt.Errorf("the fixtures do not fit the definition:\n%w", err)
	}
	bound.Begin(c.options.Start, c.options.Seed)
	bound.SetInterrupt(c.Interrupt)
	bound.Share(fixtures.Program{Read: c.ReadDefinition, Missing: c.Missing, Dialect: c.Dialect, Limits: c.Limits})
	c.run.Source, c.source = bound, bound
	return nil
}

func (c *composition) setInput() error {
	input := c.Input
	if input == nil && c.History != nil {
		var err error
		if input, err = c.History.Input(); err != nil && (c.Fixtures == nil || c.Fixtures.Input == nil) {
			return &PartError{PartInput, err}
		}
	}
	if input == nil && c.Fixtures != nil {
		input = c.Fixtures.Input
	}
	if input == nil {
		input = value.ObjectOf()
	}
	if c.Wrap != nil {
		input = c.Wrap(input)
	}
	if size, limit := value.Size(input), c.Limits.Payload; limit > 0 && size > limit {
		return &PartError{PartInput, &SizeError{size, limit}}
	}
	c.options.Input = input
	return nil
}

func (c *composition) start() time.Time {
	switch {
	case !c.Start.IsZero():
		return c.Start.UTC()
	case c.History != nil:
		return c.History.Start()
	case c.Fixtures != nil && c.Fixtures.StartTime != nil:
		return c.Fixtures.StartTime.UTC()
	}
	now := c.Now
	if now == nil {
		now = time.Now
	}
	return now().UTC().Truncate(time.Millisecond) // as much as the context object shows
}

func (c *composition) seed() int64 {
	switch {
	case c.Seed != nil:
		return *c.Seed
	case c.Fixtures != nil && c.Fixtures.Seed != nil:
		return *c.Fixtures.Seed
	}
	return 1
}

// permission asks what the fixtures may call, and returns what lets them.
func (c *composition) permission() (permit func(), err error) {
	if c.run.Source == nil || c.Permit == nil {
		return func() {}, nil
	}
	permitted, err := c.Permit(c.run.Source)
	if err != nil {
		return nil, err
	}
	return func() {
		c.run.Calls = live.NewCalls()
		c.run.Source.AllowLive(c.run.Calls, permitted)
	}, nil
}

// begin makes the session.
func (c *composition) begin() error {
	last := fixtures.OnMissing(c.source, c.Missing)
	if c.History != nil {
		c.identify()
		if !c.Unchecked {
			c.check()
		}
		c.run.History = c.again(&c.options, last)
	} else {
		c.options.Source, c.options.Forget = last, c.Forget
	}
	if err := c.record(); err != nil {
		return &PartError{PartTrace, err}
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

func (c *composition) setBreakpoints() error {
	for _, spec := range c.Breakpoints {
		if _, err := c.run.Session.Breakpoints().Add(spec); err != nil {
			return &PartError{PartBreakpoint, err}
		}
	}
	return nil
}
