package debug

import (
	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
)

// run is one fork of a session: the inputs of its execution, and the events.
type run struct {
	machine     *engine.Machine
	options     Options
	execution   *engine.Execution // as it is after the newest event
	log         runlog.Log
	inputs      runlog.Inputs
	origins     *provenance.Inputs // nil until they are asked for
	steps       int64              // that the engine has done
	came        int64              // and had done when the newest event came
	moments     runlog.Projection
	checkpoints checkpoints
	refused     int64 // the newest request that the source had nothing for
	// refusedObject is the newest request for an object that the source had nothing for.
	refusedObject int64
	called        []int64         // requests for which the source has begun a call
	reasons       map[int64]error // why the source has nothing for requests, by their numbers

	position int          // see [Session.Position]
	rewound  *reexecution // at or before the position, where that is not the end; nil until it is needed
	nearby   *checkpoints // of the last re-execution; nil before the first

	id     int
	parent *run
	shared int // the number of events that it shares with its parent
	cause  string
	// inherited is the number of inputs that it took over when it began; opened reports whether it began with one of its own.
	inherited int
	opened    bool
	// logOnly: only the events of the run are known, so that nothing can be executed.
	logOnly bool
	growth  *Growth // of a recording that is being executed again; else nil
}

// newRun returns a run to which nothing has happened.
func newRun(machine *engine.Machine, options Options) *run {
	r := &run{machine: machine, options: options, execution: start(machine, &options)}
	r.log.Begin(startOf(r.execution))
	return r
}

const (
	// eventsOfState is about how many events a state brings in a run that comes through all of them.
	eventsOfState = 8
	// mostReserved is for how many events a log has space from the beginning.
	mostReserved = 128
)

// startOf returns how a run begins whose execution has done nothing.
func startOf(e *engine.Execution) runlog.Start {
	start := runlog.Start{Time: e.Now(), Events: min(eventsOfState*e.Machine().States(), mostReserved)}
	start.Deadline, _ = e.NextTimer() // no other timer is set yet
	return start
}

func start(machine *engine.Machine, options *Options) *engine.Execution {
	to := engine.StartOptions{
		Start: options.Start, Seed: options.Seed, Context: options.Context, Limits: options.Limits,
		Tokens:  options.Tokens,
		Express: options.Express, Interrupt: options.Interrupt,
	}
	if options.redrive != nil {
		if e, err := machine.Redrive(options.Input, to, options.redrive); err == nil { // it was tried before
			return e
		}
	}
	return machine.Start(options.Input, to)
}

// take adds the events of a step or of an answer. steps is how many steps the engine has done by then.
func (r *run) take(events []engine.Event, steps int64) {
	if r.came = steps; r.options.Forget {
		r.log.Forget()
		r.inputs.Forget()
	}
	r.log.Append(events)
	if !r.logOnly {
		if evaluations := r.execution.Evaluations(); len(evaluations) > 0 {
			r.log.AddEvaluations(evaluations)
		}
	}
	r.position = r.log.Len()
}

// atEnd reports whether the position is behind the last event.
func (r *run) atEnd() bool { return r.position == r.log.Len() }

// reexecution is an execution that is given recorded inputs again. No source is asked.
type reexecution struct {
	execution *engine.Execution
	steps     int64
	next      int // the answer to give
	// log takes the effects of the inputs, where it is made anew; came is the number of steps after its newest event.
	log  *runlog.Log
	came int64
}

// begin returns a re-execution that stands at or before the moment, as near as a snapshot lies.
func (r *run) begin(to moment) *reexecution {
	if nearest := r.checkpoints.nearest(to); nearest != nil {
		return r.restore(nearest)
	}
	return &reexecution{execution: start(r.machine, &r.options)}
}

// restore returns a re-execution that stands at a snapshot.
func (r *run) restore(k *checkpoint) *reexecution {
	x := &reexecution{execution: k.snapshot.Restore(), steps: k.steps, next: k.inputs}
	x.execution.SetInterrupt(r.options.Interrupt)
	return x
}

// moment is a place in a run: so many events have happened, so many answers have been given, and
// so many steps done.
type moment struct {
	events int
	inputs int
	steps  int64
}

// latest is the moment after everything.
func (r *run) latest() moment {
	return moment{events: r.log.Len(), inputs: r.inputs.Len(), steps: r.steps}
}

// give applies the next answer where it is its turn. taken reports whether it was.
func (x *reexecution) give(inputs *runlog.Inputs) (taken bool, events []engine.Event, err error) {
	if x.next >= inputs.Len() || inputs.StepOf(x.next) != x.steps {
		return false, nil, nil
	}
	given := inputs.At(x.next)
	x.next++
	effect := given.Effect(x.execution)
	if events, err = given.Apply(x.execution); err == nil && x.log != nil {
		effect.Immediate = given.Automatic() && x.steps == x.came
		effect.Now = x.execution.Now()
		x.log.Effect(effect)
	}
	return true, events, err
}

// toEvent goes on until n events have happened, and the inputs that came in the same breath with the last one are given: that
// is how a session stands there. each is called between two steps. Where an evaluation is interrupted it stops there: see
// [interrupt.Is].
func (x *reexecution) toEvent(inputs *runlog.Inputs, n int, each func()) error {
	for x.execution.Seq() < int64(n) {
		taken, _, err := x.give(inputs)
		if err != nil {
			return err
		}
		if !taken {
			if status := x.execution.Status(); status != engine.Runnable {
				return &StuckError{Status: status, Event: x.execution.Seq(), Want: int64(n)}
			}
			x.execution.Step()
			if err := x.execution.Interrupted(); err != nil {
				return err
			}
			x.steps++
			each()
		}
	}
	for x.next < inputs.Len() && inputs.Automatic(x.next) {
		if taken, _, err := x.give(inputs); err != nil || !taken {
			return err
		}
	}
	return nil
}

// toMoment goes on to a moment and hands over the events of each step.
func (x *reexecution) toMoment(inputs *runlog.Inputs, to moment, take func([]engine.Event)) error {
	for {
		if x.next < to.inputs {
			taken, events, err := x.give(inputs)
			if err != nil {
				return err
			}
			if taken {
				take(events)
				continue
			}
		}
		if x.steps >= to.steps {
			return nil
		}
		events := x.execution.Step()
		if err := x.execution.Interrupted(); err != nil {
			return err
		}
		x.steps++
		take(events)
	}
}

// StuckError is the error of recorded inputs that do not lead as far as they should: the machine is not the one that
// was recorded.
type StuckError struct {
	Status      engine.Status
	Event, Want int64
}

// Error implements error.
func (e *StuckError) Error() string {
	return "the recorded inputs lead only to event " + decimal(e.Event) + " of " + decimal(e.Want) + ", where the execution is " + e.Status.String()
}

// status is that of the run after its newest event.
func (r *run) status() engine.Status {
	if r.logOnly {
		return r.moments.At(&r.log, r.log.Len()).Status()
	}
	return r.execution.Status()
}
