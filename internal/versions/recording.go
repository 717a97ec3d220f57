package versions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/executions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/recorder"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// mayHoldRecordings reports whether a file in a folder may hold recordings.
func mayHoldRecordings(name string) bool {
	return suite.IsSuite(name) || executions.IsHistory(name) || executions.IsTrace(name)
}

// variant says how a recording is run.
type variant struct {
	// fresh: it is the new version that runs.
	fresh bool
	// other: with other random numbers and at another time.
	other bool
}

// ran is a run of a recorded execution.
type ran struct {
	log     *runlog.Log
	session *debug.Session
	waits   *wait // nil: it has ended
	// differs is set where the run is not as it was recorded.
	differs bool
}

// wait says why a run has not come to its end.
type wait struct {
	task, reason, place string
	event               int // the event of the missing result; 0: the run ends there
}

// at returns the index of the first event that was not as it would have been.
func (w *wait) at(log *runlog.Log) int { return cmp.Or(w.event, log.Len()) }

// recording is a recorded execution that can run again with any definition.
type recording interface {
	// name tells it apart from others in its file; empty where it is alone.
	name() string
	run(machine *engine.Machine, v variant) (*ran, error)
	close()
}

// open reads the recordings in a file; page is set instead where it has a page of a history whose others may be in other files.
func open(name string, o *Options) (list []recording, page *history.Execution, err error) {
	if suite.IsSuite(name) {
		list, err = openSuite(name, o)
		return list, nil, err
	}
	_, data, err := o.Files.Read(name)
	if err != nil {
		return nil, nil, err
	}
	if executions.HasTrace(data) {
		list, err = openTrace(name, o)
		return list, nil, err
	}
	executions, err := history.Read(history.File{Name: name, Data: data})
	if err != nil {
		return nil, nil, err
	}
	if len(executions) == 1 && executions[0].Page() {
		return nil, executions[0], nil
	}
	list = make([]recording, len(executions))
	for i, x := range executions {
		h := newHistory(x, o)
		if len(executions) > 1 {
			h.title = x.ARN
		}
		list[i] = h
	}
	return list, nil, nil
}

func newHistory(x *history.Execution, o *Options) *recordedHistory {
	return &recordedHistory{recording: rerun.Of(x), fixtures: o.Fixtures, ctx: o.context()}
}

const (
	// shift is how much later the second run of the old version starts.
	shift = 26*time.Hour + 7*time.Minute + 11*time.Second + 13*time.Millisecond
	// eventsAllowed bounds the events of a run as a multiple of the recorded ones: another version may never end.
	eventsAllowed = 100
)

// recordedHistory is a history of Step Functions.
type recordedHistory struct {
	recording *rerun.Recording
	fixtures  *fixtures.File
	title     string
	known     bool
	ctx       context.Context
}

func (h *recordedHistory) name() string { return h.title }

func (h *recordedHistory) close() {}

func (h *recordedHistory) run(machine *engine.Machine, v variant) (*ran, error) {
	if _, _, err := h.recording.Input(); err != nil {
		return nil, err
	}
	found := false // the names, without a run
	if !h.known {
		h.known = true
		if found = h.fixtures == nil && h.recording.FindNames(machine.Definition()); !found {
			h.identify(machine)
		}
	}
	result, err := h.runOnce(machine, v)
	if found && err == nil && result.differs { // it may have other names
		h.identify(machine)
		return h.runOnce(machine, v)
	}
	return result, err
}

// identify finds the names of the execution by a run.
func (h *recordedHistory) identify(machine *engine.Machine) {
	definition := machine.Definition()
	if h.fixtures != nil {
		definition = nil
	}
	h.recording.Identify(definition, func(context value.Value) (*debug.Session, *rerun.Source) {
		options, source := h.options(machine, variant{})
		options.Context = context
		return debug.New(machine, options), source
	})
}

func (h *recordedHistory) runOnce(machine *engine.Machine, v variant) (*ran, error) {
	options, source := h.options(machine, v)
	session := debug.New(machine, options)
	if !v.other { // tasks end at the recorded instants, else after as long a time
		source.Follow(session.Now)
	}
	result, err := carry(h.ctx, session, eventsAllowed*(len(h.recording.Execution.Events)+1000), source.Missing)
	if err == nil && result.waits == nil {
		result.waits = unknownResult(result.log)
	}
	if err == nil && !v.fresh && !v.other {
		result.differs = h.recording.Compare(session).First != nil
	}
	return result, err
}

// unknownResult returns the task whose result the run has waited for, and the recorded execution has not; nil where there is none.
func unknownResult(log *runlog.Log) *wait {
	for i := range log.Len() {
		e := log.At(i)
		if f := e.Failure(); e.Type == engine.TaskFailed && f != nil && f.Name == rerun.ErrorNotRecorded {
			state := e.Visit.State
			return &wait{task: state.Path(), reason: "the recorded execution was stopped before the result came", place: fieldPlace(state, ""), event: i}
		}
	}
	return nil
}

func (h *recordedHistory) options(machine *engine.Machine, v variant) (debug.Options, *rerun.Source) {
	options, source := h.recording.Options()
	options.Interrupt = h.ctx.Err
	if v.other {
		options.Seed++
		options.Start = options.Start.Add(shift)
		if options.Abort != nil {
			abort := *options.Abort
			abort.At = abort.At.Add(shift)
			options.Abort = &abort
		}
	}
	if bound := bind(h.fixtures, machine, options.Start, options.Seed); bound != nil {
		options.Source = outcome.First(source, bound)
	}
	return options, source
}

// bind returns the fixtures for a definition; nil where there are none, or they do not fit it: those for the new version may name
// states that the old one does not have.
func bind(file *fixtures.File, machine *engine.Machine, start time.Time, seed int64) *fixtures.Source {
	if file == nil {
		return nil
	}
	bound, err := file.Source(machine.Definition())
	if err != nil {
		return nil
	}
	bound.Begin(start, seed)
	return bound
}

// budget is the number of steps of the engine between two looks at the context.
const budget = 4096

// carry runs a session to its end.
func carry(ctx context.Context, session *debug.Session, bound int, missing func(*engine.TaskRequest) string) (*ran, error) {
	session.SetClock(debug.Clock{Mode: debug.ClockSkip})
	if err := session.Begin(debug.Command{Kind: debug.Continue, Events: bound}); err != nil {
		return nil, err
	}
	stop := session.Advance(budget)
	for stop.Reason == debug.StillRunning && ctx.Err() == nil {
		stop = session.Advance(budget)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return ended(session, stop, missing)
}

// ended returns the run of a session that has stopped.
func ended(session *debug.Session, stop debug.Stop, missing func(*engine.TaskRequest) string) (*ran, error) {
	result := &ran{log: session.Log(), session: session}
	switch {
	case session.Status().Done():
	case stop.Object != nil:
		result.waits = &wait{reason: stop.MissingObject().Error()}
	case stop.Reason == debug.StoppedForAnswer:
		result.waits = &wait{reason: "a result is missing"}
		if requests := session.Requests(); len(requests) > 0 {
			state := requests[0].Visit.State
			result.waits = &wait{task: state.Path(), reason: missing(requests[0]), place: fieldPlace(state, "")}
		}
	case stop.Reason == debug.StoppedByLimit:
		result.waits = &wait{reason: "it does not come to its end: the run was ended at its bound of events"}
	case stop.Err != nil:
		reason, _, _ := strings.Cut(stop.Err.Error(), "\n")
		result.waits = &wait{reason: reason}
		if requests := session.Requests(); len(requests) > 0 {
			state := requests[0].Visit.State
			result.waits.task, result.waits.place = state.Path(), fieldPlace(state, "")
		}
	default:
		result.waits = &wait{reason: "it does not come to its end"}
	}
	return result, nil
}

// recordedTrace is a run in a trace.
type recordedTrace struct {
	trace    *recorder.Trace
	all      debug.Recording
	fixtures *fixtures.File
	ctx      context.Context
}

func openTrace(name string, o *Options) ([]recording, error) {
	trace, err := launch.OpenTrace(name, func(files.Warning) {})
	if err != nil {
		return nil, err
	}
	refuse := func(why string) ([]recording, error) {
		_ = trace.Close() // it was only read
		return nil, fmt.Errorf("%s: %s", name, why)
	}
	if launch.IsSkeleton(trace) {
		return refuse("it was made of a history, which has no results of tasks as answers: give the history itself")
	}
	run := trace.Last()
	if _, err := run.Inputs(); err != nil {
		return refuse(err.Error())
	}
	all, _ := run.Recording()
	if slices.ContainsFunc(all.Events, func(e engine.Event) bool { return e.Type == engine.ExecutionRedriven }) {
		return refuse("the execution was redriven, and its inputs begin at the redrive")
	}
	return []recording{&recordedTrace{trace: trace, all: all, fixtures: o.Fixtures, ctx: o.context()}}, nil
}

func (t *recordedTrace) name() string { return "" }

func (t *recordedTrace) close() { _ = t.trace.Close() } // it was only read

func (t *recordedTrace) run(machine *engine.Machine, v variant) (*ran, error) {
	options := t.trace.Header().Options()
	options.Interrupt = t.ctx.Err
	if v.other {
		options.Seed++
	}
	if bound := bind(t.fixtures, machine, options.Start, options.Seed); bound != nil {
		options.Source = bound
	}
	found := debug.Verify(machine, options, t.all, eventsAllowed*(len(t.all.Events)+1000))
	session := found.Session
	session.GoTo(found.Found.Len())
	result, err := ended(session, found.Stop, func(r *engine.TaskRequest) string {
		return fmt.Sprintf("the trace has no result for its attempt %d", r.Attempt)
	})
	if err == nil {
		result.log, result.differs = found.Found, found.Divergence != nil
	}
	return result, err
}
