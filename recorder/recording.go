package recorder

import (
	"errors"
	"fmt"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
)

// Recording reads the whole run into memory, for [debug.Replay] and [debug.Verify]. Where an event or an input cannot be
// read the recording ends before it, and the warning says so; it is nil where all was read.
func (r *Run) Recording() (recording debug.Recording, warning error) {
	inputs, fault := r.Inputs()
	if fault != nil {
		return debug.Recording{Events: r.readable(&warning)}, fmt.Errorf("%w: what the run was told is not known as a whole, so it can only be shown as it was recorded", fault)
	}
	events := r.readable(&warning)
	if warning != nil {
		keep := 0
		for keep < len(inputs) && inputs[keep].After < int64(len(events)) {
			keep++
		}
		inputs = inputs[:keep]
	}
	return debug.Recording{Inputs: inputs, Events: events}, warning
}

// LazyRecording reads the inputs of the run and its events when they are asked for: [debug.Replay] needs few events to
// execute it again. The error says that lines of events are missing: then [Run.Recording] has the rest.
func (r *Run) LazyRecording() (debug.Recording, error) {
	r.t.mutex.Lock()
	whole := r.whole()
	r.t.mutex.Unlock()
	if !whole {
		return debug.Recording{}, errors.New("lines of events are missing in the trace")
	}
	count, err := r.CountInputs()
	if err != nil {
		return debug.Recording{}, err
	}
	read := func(i int) *engine.Event {
		event, err := r.Event(int64(i) + 1)
		if err != nil {
			return nil
		}
		return event
	}
	return debug.Recording{List: runlog.ReadInputs(count, r.ReadInputs), Event: read, Length: int(r.Len())}, nil
}

// Confirm executes the run again on a machine and compares, event by event, without holding the recording: see [debug.Confirm]. It
// returns nil where the two differ, or where the recording cannot be read as a whole.
func (r *Run) Confirm(machine *engine.Machine, options debug.Options) *debug.Verification {
	if !r.whole() {
		return nil
	}
	inputs, err := r.InputList()
	if err != nil {
		return nil
	}
	return debug.Confirm(machine, options, inputs, int(r.Len()), func(i int) *engine.Event {
		event, err := r.Event(int64(i) + 1)
		if err != nil {
			return nil
		}
		return event
	})
}

// readable returns the events up to the first that cannot be read, which fault then describes.
func (r *Run) readable(fault *error) []engine.Event {
	events := make([]engine.Event, 0, min(r.Len(), r.t.lines())) // a damaged number isn't a measure
	for event, err := range r.All() {
		if err != nil {
			*fault = fmt.Errorf("%w: the events from %d on are left out", err, len(events)+1)
			break
		}
		events = append(events, *event)
		if r.Looked != nil && !r.Looked(event.Seq) {
			*fault = ErrStopped
			break
		}
	}
	return events
}

// Options returns the options of the run, for a session over the trace.
func (h *Header) Options() debug.Options {
	return debug.Options{
		Input: h.Input, InputText: h.InputText, Start: h.Start, Seed: h.Seed, Context: h.Context, Limits: h.Limits,
		Express: h.Express, Tokens: h.Tokens, Abort: h.Abort,
	}
}
