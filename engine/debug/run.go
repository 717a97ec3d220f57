package debug

import (
	"slices"

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
	// inherited is the number of inputs that it took over when it began; opened reports whether it began with its own
	// input.
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
	// log takes the effects of the inputs, where it is made again; came is the number of steps after its newest event.
	log  *runlog.Log
	came int64
}

// begin returns a re-execution at or before the moment, as near as there is a snapshot.
func (r *run) begin(to moment) *reexecution {
	if nearest := r.checkpoints.nearest(to); nearest != nil {
		return r.restore(nearest)
	}
	return &reexecution{execution: start(r.machine, &r.options)}
}

// restore returns a re-execution at a snapshot.
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

// toEvent continues until n events have happened, and the inputs that came in the same breath with the last one are
// given: a session at n has them, too. each is called between two steps. Where an evaluation is interrupted it stops
// there: see [interrupt.Is].
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

// toMoment continues to a moment and hands over the events of each step.
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

// status is the status of the run after its newest event.
func (r *run) status() engine.Status {
	if r.logOnly {
		return r.moments.At(&r.log, r.log.Len()).Status()
	}
	return r.execution.Status()
}

// The number of forks that a session holds, and of events that the others besides the current one may have for
// themselves: a million of them take about 250 MB.
const (
	maxForks      = 32
	maxForkEvents = 1_000_000
)

// dropOld drops forks while there are too many: the oldest first, but neither the first run, which may be a recorded
// one, nor the current one, nor the one that it left.
func (f *Forks) dropOld() {
	s := f.s
	for {
		events := 0
		for _, r := range f.runs {
			if r != s.run {
				events += r.log.Len() - r.shared
			}
		}
		if len(f.runs) <= maxForks && events <= maxForkEvents {
			return
		}
		oldest := slices.IndexFunc(f.runs, func(r *run) bool {
			return r != f.runs[0] && r != s.run && r != s.run.parent && r != s.feed.at
		})
		if oldest < 0 {
			return
		}
		f.drop(oldest)
	}
}

// drop drops a fork. Those that began in it then begin in its parent.
func (f *Forks) drop(i int) {
	old := f.runs[i]
	for _, r := range f.runs {
		if r.parent == old {
			r.parent, r.shared = old.parent, min(r.shared, old.shared)
		}
	}
	f.runs = slices.Delete(f.runs, i, i+1)
	f.dropped++
}

// Dropped returns the number of forks that were dropped: of very many, or very long ones, those are the oldest.
func (f *Forks) Dropped() int { return f.dropped }

// give gives the run an input. At an earlier position that begins a new fork. Of a read-only session it returns
// [ErrReadOnly].
func (s *Session) give(a *runlog.Input) error {
	if s.ReadOnly() {
		return ErrReadOnly
	}
	if s.atEnd() {
		if s.growth.Driven() {
			return s.giveThere(a)
		}
		return s.giveHere(a)
	}
	if err := s.run.reach(s.position); err != nil {
		return err
	}
	return s.forks.give(a, moment{events: s.position, inputs: s.rewound.next, steps: s.rewound.steps})
}

// giveHere applies an input at the end of the run, records it, and passes it to the sink.
func (s *Session) giveHere(a *runlog.Input) error {
	a.Step, a.After = s.steps, int64(s.log.Len())
	effect := a.Effect(s.execution)
	events, err := a.Apply(s.execution)
	if err != nil {
		return err
	}
	effect.Immediate, effect.Now = a.Automatic() && s.steps == s.came, s.execution.Now()
	s.log.Effect(effect)
	if a.Kind == runlog.InputTime {
		a.Time = s.execution.Now() // a timer may have stopped the clock earlier
	}
	sink := s.feed.to(s.run)
	s.inputs.Add(a)
	if sink != nil {
		sink.Received(*a)
	}
	if len(events) > 0 {
		s.happened(events)
	}
	s.points.CountAll()
	return nil
}

// happened takes in the events, at least one, that a step or an answer brought.
func (s *Session) happened(events []engine.Event) {
	sink := s.feed.to(s.run)
	s.take(events, s.steps)
	if sink != nil {
		sink.Happened(events)
	}
}

// Inputs returns the inputs of the current fork, in order.
func (s *Session) Inputs() *runlog.Inputs { return &s.inputs }
