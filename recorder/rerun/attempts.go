package rerun

import (
	"fmt"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/recorder/history"
)

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
