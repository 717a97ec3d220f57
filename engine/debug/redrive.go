package debug

import (
	"asldb/engine"
	"asldb/engine/outcome"
	"asldb/engine/value"
)

// Redriving says how an execution goes on when it is redriven.
type Redriving struct {
	// Machine is that of a changed definition; nil: the machine of the run.
	Machine *engine.Machine
	// Input replaces the input of the state that failed, at the top of the execution; nil leaves it.
	Input value.Value
	// Source gives the outcomes of the tasks; nil: the source of the run.
	Source outcome.Source
	// Earlier is the number of redrives before the first event of the run.
	Earlier int
	// Sink receives all events, those before the redrive first; nil: the sink of the run does.
	Sink Sink
}

// Redrive continues an execution that failed, timed out or was aborted, as RedriveExecution does: the states that were not left begin
// again, with the inputs that they had. It is a fork that has all events of the run, and begins with ExecutionRedriven. The events
// before that are only shown: they do not change any more. The error is an *[engine.RedriveError].
func (s *Session) Redrive(how Redriving) error {
	old := s.run
	plan, err := old.log.Redrive(how.Earlier)
	if err != nil {
		return err
	}
	if old.options.Express {
		return &engine.RedriveError{Reason: "it is an Express execution; only Standard ones can be"}
	}
	machine, options := old.machine, old.options
	if how.Machine != nil {
		machine = how.Machine
	}
	if how.Source != nil {
		options.Source = how.Source
	}
	if how.Input != nil {
		plan.Root.Input, plan.Root.Kept, plan.Root.Below = how.Input, nil, nil
	}
	if how.Sink != nil {
		options.Sink = how.Sink
	}
	options.redrive, options.Abort = plan, nil
	if _, err := machine.Redrive(options.Input, engine.StartOptions{}, plan); err != nil {
		return err
	}
	n := old.log.Len()
	r := &run{
		machine: machine, options: options, execution: start(machine, &options), log: old.log.Prefix(n),
		parent: old, shared: n, cause: "redrive",
	}
	r.moments = old.moments.Prefix(&r.log, n)
	r.position = n
	s.readOnly = false
	s.forks.enter(r)
	s.asker.seek()
	s.recount(s.position, n)
	s.stepper.begin(Command{})
	s.stop = Stop{Reason: StoppedByStep}
	return nil
}

// Redriven returns the number of events before the newest redrive of the run, 0 where it was not redriven here. Events before that
// do not change.
func (s *Session) Redriven() int {
	if s.options.redrive == nil {
		return 0
	}
	return int(s.options.redrive.Seq)
}
