package rerun

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// Recording is a recorded execution with its threads found.
type Recording struct {
	Execution *history.Execution
	Threads   *history.Run
	// Same says which members of events count as the same besides those that [history.Reproducible] takes for
	// it; nil: no others.
	Same history.Same

	known identity // see Identify
}

// Of makes a recording of an execution's history.
func Of(x *history.Execution) *Recording {
	return &Recording{Execution: x, Threads: history.Follow(x.Events)}
}

// ErrNoInput says that the recording does not tell the execution's input.
var ErrNoInput = errors.New("the recording does not have the execution's input")

// Input returns the execution's input, and its text as the caller wrote it. The error is [ErrNoInput].
func (r *Recording) Input() (input value.Value, text string, err error) {
	started := r.Execution.Started()
	if started == nil {
		return nil, "", ErrNoInput
	}
	input, is := started.Payload("input")
	if is != history.Present {
		return nil, "", ErrNoInput
	}
	return input, started.Text("input"), nil
}

// Options returns the options of a session that runs the execution again: start time, context, source, and
// the instant at which it was stopped. The input is nil where the recording does not have it. The source
// is the one to [Source.Follow] the session.
func (r *Recording) Options() (debug.Options, *Source) {
	source := NewSource(r.Threads)
	options := debug.Options{Start: r.Start(), Source: source, Context: r.context(), Seed: 1, Limits: engine.ServiceLimits(), Express: r.Express(), Redriven: r.Threads.Redriven}
	options.Input, options.InputText, _ = r.Input()
	if end := r.Execution.End(); end != nil && end.Type == "ExecutionAborted" {
		options.Abort = &debug.Abort{At: at(end), Error: end.Text("error"), Cause: end.Text("cause")}
	}
	return options, source
}

func at(e *history.Event) time.Time { return time.Unix(0, e.Time).UTC() }

// Start returns the time of the execution's start, or of the first event there is.
func (r *Recording) Start() time.Time {
	if started := r.Execution.Started(); started != nil {
		return at(started)
	}
	return at(&r.Execution.Events[0])
}

// Express is [history.Execution.Express].
func (r *Recording) Express() bool { return r.Execution.Express() }

// context is the recorded part of the context object, nil where there is none.
func (r *Recording) context() value.Value {
	is := r.known
	if id, name, of, ok := names(r.Execution.ARN); ok {
		is = identity{r.Execution.ARN, name, id, of}
	}
	return r.contextOf(is)
}

// contextOf is the context object of an execution of that identity.
func (r *Recording) contextOf(is identity) value.Value {
	var execution, machine, context value.ObjectBuilder
	set := func(b *value.ObjectBuilder, key, text string) {
		if text != "" {
			b.Set(key, value.String(text))
		}
	}
	set(&execution, "Id", is.execution)
	set(&execution, "Name", is.name)
	set(&machine, "Id", is.machine)
	set(&machine, "Name", is.machineName)
	if started := r.Execution.Started(); started != nil {
		set(&execution, "RoleArn", started.Text("roleArn"))
	}
	if n := r.Threads.Redriven; n > 0 {
		execution.Set("RedriveCount", value.Int(int64(n))) // as the states see it that ran after the redrive
	}
	if o := execution.Object(); o.Len() > 0 {
		context.Set("Execution", o)
	}
	if o := machine.Object(); o.Len() > 0 {
		context.Set("StateMachine", o)
	}
	if o := context.Object(); o.Len() > 0 {
		return o
	}
	return nil
}

// names reads the ARN of an execution: "arn:aws:states:REGION:ACCOUNT:execution:MACHINE:NAME", of an Express
// one "…:express:MACHINE:NAME:ID".
func names(arn string) (machineARN, name, machine string, ok bool) {
	parts := strings.Split(arn, ":")
	if len(parts) < 8 || parts[2] != "states" || (parts[5] != "execution" && parts[5] != "express") {
		return "", "", "", false
	}
	return strings.Join(parts[:5], ":") + ":stateMachine:" + parts[6], parts[7], parts[6], true
}

// Attempts returns the attempts of an execution: the first, and one for each redrive. Each goes from the beginning to its own end, and has
// of the attempts before it those parts that the redrive did not undo. The last is the recording itself.
func (r *Recording) Attempts() []*Recording {
	var attempts []*Recording
	for i := range r.Execution.Events {
		if kind := r.Execution.Events[i].Kind(); kind.Family != history.OfExecution || kind.Phase != history.Redriven || i == 0 {
			continue
		}
		x := &history.Execution{ARN: r.Execution.ARN, Events: r.Execution.Events[:i:i], FromLog: r.Execution.FromLog}
		for _, note := range r.Execution.Notes {
			if note.Event <= x.Events[i-1].ID {
				x.Notes = append(x.Notes, note)
			}
		}
		attempt := Of(x)
		attempt.Same = r.Same
		attempts = append(attempts, attempt)
	}
	return append(attempts, r)
}

// AboutAttempts says in a line for each attempt how it ended; nothing where there is one.
func (r *Recording) AboutAttempts() []string {
	attempts := r.Attempts()
	if len(attempts) < 2 {
		return nil
	}
	lines := make([]string, 0, len(attempts))
	from := r.Execution.Events[0].ID
	for n, attempt := range attempts {
		events := attempt.Execution.Events
		status, _, failure, _ := attempt.Result()
		last := events[len(events)-1]
		lines = append(lines, fmt.Sprintf("attempt %d: events %d to %d, %s after %s", n+1, from, last.ID,
			strings.TrimSuffix(status+": "+failure, ": "), at(&last).Sub(r.Start())))
		from = last.ID + 1
	}
	return lines
}

// EventsOfAttempts returns the events of each attempt, as Events does.
func (r *Recording) EventsOfAttempts(definition *asl.StateMachine) [][]engine.Event {
	return value.Each(r.Attempts(), func(attempt *Recording) []engine.Event { return attempt.Events(definition) })
}

// Record writes the events of all attempts to a sink, each attempt as a fork.
func (r *Recording) Record(definition *asl.StateMachine, sink debug.Sink) {
	var before []engine.Event
	for n, events := range r.EventsOfAttempts(definition) {
		shared := runlog.Shared(before, events)
		if n > 0 {
			sink.Rewound(int64(shared))
		}
		sink.Happened(events[shared:])
		before = events
	}
}
