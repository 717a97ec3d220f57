package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/outcome"
	"asldb/engine/value"
)

// Redriving says how an execution continues when it is redriven.
type Redriving struct {
	// Machine is a changed definition's; nil: the machine of the run.
	Machine *engine.Machine
	// Input replaces the input of the state that failed, at the top of the execution; nil leaves it.
	Input value.Value
	// Ask leaves the tasks of the state that failed to the user: the source is asked again from the next state on.
	Ask bool
	// Source gives the outcomes of the tasks; nil: the source of the run.
	Source outcome.Source
	// Sink receives all events, those before the redrive first; nil: the sink of the run does.
	Sink Sink
	// Time is the virtual time of the redrive; zero: the time of the run's end.
	Time time.Time
}

// causeRedrive is the cause of a fork that continues at the end of its parent.
const causeRedrive = "redrive"

// RedrivePlan returns the place from which a redrive of the run continues. The error is an *[engine.RedriveError].
func (s *Session) RedrivePlan() (*engine.Redrive, error) {
	switch {
	case s.options.Express:
		return nil, &engine.RedriveError{Reason: "it is an Express execution; only Standard ones can be"}
	case s.logOnly && s.machine.Definition().Origin != nil:
		return nil, &engine.RedriveError{Reason: "its definition is not known"}
	}
	return s.log.Redrive(s.options.Redriven)
}

// Redrivable is the error of RedrivePlan as far as the end of the run tells it, without a look at all events.
func (s *Session) Redrivable() error {
	if err := s.log.Redrivable(); err != nil {
		return err
	}
	if s.options.Express || s.logOnly && s.machine.Definition().Origin != nil {
		_, err := s.RedrivePlan()
		return err
	}
	return nil
}

// Redrive continues an execution that failed, timed out or was aborted, as RedriveExecution does: the states that were not left begin
// again, with the inputs that they had. It is a fork that has all events of the run, and begins with ExecutionRedriven. The events
// before that are only shown: they do not change any more. The error is an *[engine.RedriveError].
func (s *Session) Redrive(how Redriving) error {
	old := s.run
	plan, err := s.RedrivePlan()
	if err != nil {
		return err
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
	if !how.Time.IsZero() {
		if err := plan.At(how.Time, options.Start); err != nil {
			return err
		}
	}
	options.redrive, options.Abort, options.asks = plan, nil, nil
	if how.Ask {
		options.asks = asksFor(plan)
	}
	if _, err := machine.Redrive(options.Input, engine.StartOptions{}, plan); err != nil {
		return err
	}
	n := old.log.Len()
	r := &run{
		machine: machine, options: options, execution: start(machine, &options), log: old.log.Prefix(n),
		parent: old, shared: n, cause: causeRedrive,
	}
	r.moments = old.moments.Prefix(&r.log, n)
	r.position = n
	s.readOnly, old.position = false, n
	s.forks.enter(r)
	s.asker.seek()
	s.recount(s.position, n)
	s.stepper.begin(Command{})
	s.stop = Stop{Reason: StoppedByStep}
	return nil
}

// asksFor reports the requests of the state that a redrive begins again, in that visit of it.
func asksFor(plan *engine.Redrive) func(*engine.TaskRequest) bool {
	name := plan.Root.State
	number := plan.Root.Visits[name] + 1
	return func(request *engine.TaskRequest) bool {
		top := request.Visit
		for top.Parent != nil {
			top = top.Parent
		}
		return top.State.Name == name && top.Number == number
	}
}

// Redriven returns the number of events before the newest redrive of the run, 0 where it was not redriven here. Events before that
// do not change.
func (s *Session) Redriven() int {
	if s.options.redrive == nil {
		return 0
	}
	return int(s.options.redrive.Seq)
}

// beforeRedrive returns the fork from which the newest redrive of a run went on, and the number of its events; nil where the run was
// not redriven, or that fork is gone.
func (f *Forks) beforeRedrive(r *run) *run {
	plan := r.options.redrive
	if plan == nil {
		return nil
	}
	for ; r != nil && r.options.redrive == plan; r = r.parent {
		if parent := r.parent; parent != nil && parent.options.redrive != plan {
			return f.run(parent.id)
		}
	}
	return nil
}
