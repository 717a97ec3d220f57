package explore

import (
	"context"
	"slices"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// The origins of the inputs of a run that is shown.
const (
	originFault    = "explored"
	originFixtures = "fixtures"
)

// recording collects the inputs of a run, so that a session can execute it again.
type recording struct {
	inputs []runlog.Input
	steps  int64
}

// give notes an input behind the events so far.
func (d *driver) give(in runlog.Input) {
	if d.recording == nil {
		return
	}
	in.Step, in.After = d.recording.steps, int64(len(d.events))
	d.recording.inputs = append(d.recording.inputs, in)
}

// Session returns a run as a recorded run in a session, which is after the event in which the fault came up, or at
// the end where there is none. It can be made live ([debug.Session.GoLive]): its tasks then have the results of the
// run's base. The error is about a result that cannot be computed.
func (r *Result) Session(run *Run) (*debug.Session, error) {
	d := newDriver()
	d.recording = &recording{}
	s := run.Base.setting
	if _, err := d.run(context.Background(), s, run.Changes, wholeRun, nil); err != nil {
		return nil, err
	}
	bound, err := s.bind()
	if err != nil {
		return nil, err
	}
	options := s.shown(d.input(s, run.Changes))
	options.Source = bound.source()
	session, _ := debug.Replay(s.machine, options, debug.Recording{Inputs: d.recording.inputs, Events: slices.Clone(d.events)})
	at := len(d.events)
	if run.Event >= 0 {
		at = run.Event + 1
	}
	session.GoTo(at)
	return session, nil
}

// shown are the options of a session that shows a run with an input.
func (s *setting) shown(input value.Value) debug.Options {
	o := s.options
	return debug.Options{
		Input: input, Start: o.Start, Seed: o.Seed, Context: o.Context, Limits: o.Limits, Express: o.Express,
	}
}

// source returns the results of a base.
func (s *sources) source() outcome.Source {
	var list []outcome.Source
	if s.file != nil {
		list = append(list, s.file)
	}
	if s.placeholder != nil {
		list = append(list, s.placeholder)
	}
	return outcome.First(list...)
}

// replied is the input for the reply to an object's request.
func replied(request *engine.ObjectRequest, reply outcome.Reply) runlog.Input {
	return runlog.Input{Kind: runlog.InputObject, Request: request.ID, Body: reply.Body(), Refused: reply.Refused(), Origin: originFixtures}
}
