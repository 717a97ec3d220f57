package explore

import (
	"cmp"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/fixtures"
)

// Given is what a run without faults begins with.
type Given struct {
	// Name is the name of the case; empty: there is none.
	Name string
	// File has the results of tasks; nil: placeholders.
	File *fixtures.File
	// Input is the execution's input; nil: the input of File.
	Input value.Value
	// Written is set where File is the whole content of a fixtures file, so that a suite can include it.
	Written bool
}

// setting is what all runs of a base have in common. It does not change once its base has run.
type setting struct {
	machine *engine.Machine
	file    *fixtures.File // nil: placeholder
	// placeholder gives the results that file does not have.
	placeholder *fixtures.File
	drafted     []byte // the text of placeholder
	draft       *fixtures.Draft
	input       value.Value
	options     engine.StartOptions
	written     bool
	given       bool // the input is not the file's

	// requests and outcomes belong to the tasks of the base, by state, in the order of their invocations.
	requests map[*asl.State][]*engine.TaskRequest
	outcomes map[*asl.State][]engine.Outcome
	log      *runlog.Log
	events   []engine.Event // of the log
	trail    *trail
	asks     []taskAsk
	readers  *readers
	// called are the outcomes of tasks that start executions of other definitions.
	called map[*asl.State][]engine.Outcome
}

// start is the virtual time at which runs start where nothing names one.
var start = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func newSetting(machine *engine.Machine, given Given, placeholder *fixtures.File, seed *int64, limits engine.Limits) *setting {
	s := &setting{
		machine: machine, file: given.File, placeholder: placeholder, input: given.Input, written: given.Written, given: given.Input != nil,
		options:  engine.StartOptions{Start: start, Seed: 1, Limits: limits, Express: machine.Definition().Express},
		requests: map[*asl.State][]*engine.TaskRequest{}, outcomes: map[*asl.State][]engine.Outcome{},
	}
	file := cmp.Or(given.File, placeholder)
	s.input = cmp.Or(s.input, file.Input)
	if s.input == nil {
		s.input = value.ObjectOf()
	}
	if file.StartTime != nil {
		s.options.Start = file.StartTime.UTC()
	}
	if file.Seed != nil {
		s.options.Seed = *file.Seed
	}
	if seed != nil {
		s.options.Seed = *seed
	}
	s.options.Context = engine.MergeContext(machine.Deployed(s.options.Express), file.Context)
	return s
}

// sources are the sources of one worker for one setting.
type sources struct {
	file, placeholder *fixtures.Source // file may be nil
}

func (s *setting) bind() (*sources, error) {
	var bound sources
	bind := func(f *fixtures.File) (*fixtures.Source, error) {
		if f == nil {
			return nil, nil
		}
		source, err := f.Source(s.machine.Definition())
		if err != nil {
			return nil, err
		}
		source.Begin(s.options.Start, s.options.Seed)
		return source, nil
	}
	var err error
	if bound.file, err = bind(s.file); err != nil {
		return nil, err
	}
	bound.placeholder, err = bind(s.placeholder)
	return &bound, err
}

// heed sets the check that interrupts the evaluation of results.
func (s *sources) heed(check func() error) {
	for _, source := range []*fixtures.Source{s.file, s.placeholder} {
		if source != nil {
			source.SetInterrupt(check)
		}
	}
}

func (s *sources) rewind() {
	if s.file != nil {
		s.file.Seek(nil)
	}
	if s.placeholder != nil {
		s.placeholder.Seek(nil)
	}
}

// origin says where an outcome came from.
type origin uint8

const (
	fromNowhere origin = iota
	fromFile
	fromPlaceholder
	// fromBase: the base got it from outside, by an execution of another definition.
	fromBase
)

// task returns the outcome of a task without faults. The error is about a result that cannot be computed.
func (s *setting) task(bound *sources, request *engine.TaskRequest) (engine.Outcome, origin, error) {
	ask := outcome.Task{Request: request}
	if bound.file != nil {
		reply := bound.file.Ask(ask)
		switch reply.Kind() {
		case outcome.KindGiven:
			return reply.Outcome(), fromFile, nil
		case outcome.KindFault:
			return engine.Outcome{}, fromNowhere, reply.Err()
		case outcome.KindNone, outcome.KindContent, outcome.KindRefusal, outcome.KindLater:
		}
	}
	if called := s.called[request.Visit.State]; len(called) > 0 {
		return called[min(request.Invocation, len(called))-1], fromBase, nil
	}
	if known := s.outcomes[request.Visit.State]; len(known) > 0 && bound.file != nil && s.log != nil {
		return known[min(request.Invocation, len(known))-1], fromBase, nil
	}
	if bound.placeholder != nil {
		if reply := bound.placeholder.Ask(ask); reply.Kind() == outcome.KindGiven {
			return reply.Outcome(), fromPlaceholder, nil
		}
	}
	return engine.Outcome{}, fromNowhere, nil
}

// object returns the reply for an object that an ItemReader reads.
func (s *setting) object(bound *sources, request *engine.ObjectRequest) outcome.Reply {
	ask := outcome.Object{Request: request}
	if bound.file != nil {
		if reply := bound.file.Ask(ask); reply.Kind() != outcome.KindNone {
			return reply
		}
	}
	if bound.placeholder != nil {
		return bound.placeholder.Ask(ask)
	}
	return outcome.None(nil)
}

// madeUp returns the first made-up outcome of a task, nil where there is none.
func (s *setting) madeUp(state *asl.State) *engine.Outcome {
	lists, err := s.placeholder.Lists()
	if err != nil {
		return nil
	}
	for _, l := range lists {
		if (l.Key == state.Name || l.Key == state.Path()) && len(l.Entries) > 0 && len(l.Entries[0].Results) > 0 {
			return &l.Entries[0].Results[0].Outcome
		}
	}
	return nil
}
