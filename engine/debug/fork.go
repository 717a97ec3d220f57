package debug

import (
	"errors"
	"math"
	"slices"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/compare"
	"asldb/engine/runlog"
)

// Fork describes one continuation of a session's run; the first one is the run that the session began with. Its events stay
// when another fork begins.
type Fork struct {
	// ID numbers the forks from 1.
	ID int
	// Parent is the fork that it began in, and Shared the number of events that it has in common with it; 0 for
	// the first one.
	Parent, Shared int
	// Cause says in a few words why it began: "edit", "another outcome", …
	Cause string
	// Events is the number of its events, Inputs that of its inputs, Status its status.
	Events, Inputs int
	Status         engine.Status
	// Current marks the fork that the session is in.
	Current bool
}

// Forks are the forks of a session's run. An edit, another outcome, or other options at an earlier position begin a new one,
// and so does a restart.
type Forks struct{ s *Session }

// Forks returns the forks of the run.
func (s *Session) Forks() Forks { return Forks{s} }

// All returns the forks in the order in which they began.
func (f Forks) All() []Fork {
	s := f.s
	list := make([]Fork, len(s.runs))
	for i, r := range s.runs {
		list[i] = Fork{
			ID: r.id, Shared: r.shared, Cause: r.cause, Events: r.log.Len(), Inputs: r.inputs.Len(),
			Status: r.status(), Current: r == s.run,
		}
		if r.parent != nil {
			list[i].Parent = r.parent.id
		}
	}
	return list
}

// ErrNoFork says that there is no fork of a number.
var ErrNoFork = errors.New("there is no what-if of that number")

// Switch goes over to another fork, to the position where it was left. The error is [ErrNoFork].
func (f Forks) Switch(id int) error {
	s, r := f.s, f.run(id)
	if r == nil {
		return ErrNoFork
	}
	if r == s.run {
		return nil
	}
	common := shared(s.run, r)
	s.run = r
	s.seekSource()
	s.previousStop = min(s.previousStop, common-1)
	s.recount(s.position, common)
	s.goal, s.interrupted = s.newGoal(Command{}), false
	s.stop = Stop{Reason: StoppedByStep}
	switch {
	case s.position == 0:
		s.stop.Reason = StoppedAtStart
	case s.atEnd() && s.Status().Done():
		s.stop.Reason = StoppedAtEnd
	}
	return nil
}

// Log returns the events of a fork, nil where there is none of that number.
func (f Forks) Log(id int) *runlog.Log {
	if r := f.run(id); r != nil {
		return &r.log
	}
	return nil
}

func (f Forks) run(id int) *run {
	i := slices.IndexFunc(f.s.runs, func(r *run) bool { return r.id == id })
	if i < 0 {
		return nil
	}
	return f.s.runs[i]
}

// Compare aligns the logs of two forks: see [compare.Logs]. The error is [ErrNoFork].
func (f Forks) Compare(a, b int) (*compare.Result, error) {
	first, second := f.run(a), f.run(b)
	if first == nil || second == nil {
		return nil, ErrNoFork
	}
	return compare.Logs(&first.log, &second.log), nil
}

// enter makes a run the current one, as the newest fork.
func (s *Session) enter(r *run) {
	if s.points == nil {
		s.points, s.watches = breakpoint.NewTracker(s.View()), breakpoint.NewWatches(s.View())
	}
	r.id = 1
	if n := len(s.runs); n > 0 {
		r.id = s.runs[n-1].id + 1
	}
	s.runs = append(s.runs, r)
	s.run = r
	s.dropOld()
}

// restart begins a fork at the very start.
func (s *Session) restart(machine *engine.Machine, options Options, cause string) {
	old := s.run
	r := &s.first
	if old != nil {
		r = new(run)
	}
	*r = run{machine: machine, options: options, execution: start(machine, &options)}
	r.log.Begin(startOf(r.execution))
	if old != nil && old.log.Len() == 0 && old.inputs.Len() == 0 {
		r.id, r.parent, r.cause = old.id, old.parent, old.cause
		s.runs[slices.Index(s.runs, old)] = r // there is nothing to keep
		s.run = r
		return
	}
	if r.parent = old; old != nil {
		r.cause = cause
	}
	s.enter(r)
}

// fork begins a fork that shares everything up to a moment with the current one.
func (s *Session) fork(to moment, cause string) error {
	old := s.run
	if old.logOnly {
		return ErrNoDefinition
	}
	x := old.begin(to)
	shared := int(x.execution.Seq())
	r := &run{
		machine: old.machine, options: old.options, execution: x.execution, log: old.log.Fork(shared, x.next),
		inputs: old.inputs.Prefix(to.inputs), checkpoints: old.checkpoints.upTo(moment{shared, x.next, x.steps}),
		parent: old, shared: to.events, cause: cause, called: slices.Clone(old.called),
	}
	r.moments = old.moments.Prefix(&r.log, shared)
	x.log, x.came = &r.log, x.steps
	// What comes after the snapshot is made anew, so that the places in it are the new execution's own.
	err := x.toMoment(&r.inputs, to, func(events []engine.Event) {
		if len(events) > 0 {
			r.take(events, x.steps)
			x.came = x.steps
		}
	})
	if err == nil && r.log.Len() != to.events {
		err = &StuckError{Status: x.execution.Status(), Event: int64(r.log.Len()), Want: int64(to.events)}
	}
	if err != nil {
		return err
	}
	r.steps, r.position = to.steps, to.events
	for i := range r.log.Len() {
		if request, ok := r.log.At(i).Detail.(*engine.TaskRequest); ok {
			r.refused = max(r.refused, request.ID)
		}
	}
	for id, reason := range old.reasons {
		if id <= r.refused {
			r.noteReason(id, reason)
		}
	}
	r.refused = min(r.refused, old.refused)
	s.enter(r)
	s.previousStop = min(s.previousStop, r.log.Len()-1)
	s.goal = s.newGoal(s.goal.command)
	return nil
}

// AnswerOtherwise begins a fork in which a request that was answered already got another outcome: it stands where
// that answer was given. The errors are [engine.ErrNoRequest], where the request was never answered, and those
// of [Session.Answer].
func (s *Session) AnswerOtherwise(id int64, outcome engine.Outcome) error {
	for i := s.inputs.Len() - 1; i >= 0; i-- {
		given := s.inputs.At(i)
		if given.Kind != runlog.InputOutcome || given.Request != id {
			continue
		}
		to := moment{events: int(given.After), inputs: i, steps: given.Step}
		a := runlog.Input{Kind: runlog.InputOutcome, Request: id, Outcome: outcome, Origin: runlog.OriginPerson}
		return s.forkFor(&a, to)
	}
	return engine.ErrNoRequest
}

// forkFor begins a fork at a moment with an answer, once it is sure that the answer can be given there.
func (s *Session) forkFor(a *runlog.Input, to moment) error {
	if s.readOnly {
		return ErrReadOnly
	}
	trial := s.run.begin(to)
	trial.execution.SetQuiet(true)
	if err := trial.toMoment(&s.run.inputs, to, func([]engine.Event) {}); err != nil {
		return err
	}
	if _, err := a.Apply(trial.execution); err != nil {
		return err
	}
	if a.Kind == runlog.InputTime {
		a.Time = trial.execution.Now() // a timer may have stopped the clock earlier
	}
	if to.inputs < s.inputs.Len() && s.inputs.At(to.inputs).Step == to.steps && sameInput(a, s.inputs.At(to.inputs)) {
		// It is what was said then: the run stands behind it, as it does where a fork begins with it.
		s.goTo(s.log.PositionAt(int(trial.execution.Seq())))
		s.stop = Stop{Reason: StoppedByStep}
		return nil
	}
	cause := a.Kind.String()
	if a.Kind == runlog.InputOutcome {
		cause = "another outcome"
	}
	if err := s.fork(to, cause); err != nil {
		return err
	}
	s.recount(s.position, s.position)
	s.stop = Stop{Reason: StoppedByStep}
	err := s.giveHere(a)
	s.seekSource()
	return err
}

// shared returns the number of events that two forks have in common.
func shared(a, b *run) int {
	common := make(map[*run]int)
	for n := math.MaxInt; a != nil; a = a.parent {
		n = min(n, a.log.Len())
		common[a] = n
		n = min(n, a.shared)
	}
	for n := math.MaxInt; b != nil; b = b.parent {
		n = min(n, b.log.Len())
		if m, ok := common[b]; ok {
			return min(n, m)
		}
		n = min(n, b.shared)
	}
	return 0
}

// tellSink brings the sink to the fork that the session is in, before it is told what happens next in it.
func (s *Session) tellSink() Sink {
	sink := s.options.Sink
	if sink == nil || s.told == s.run {
		return sink
	}
	if s.told == nil || (s.told.log.Len() == 0 && s.told.inputs.Len() == 0) {
		s.told = s.run
		s.run.retell(sink, 0)
		return sink
	}
	n := shared(s.told, s.run)
	s.told = s.run
	sink.Rewound(int64(n))
	s.run.retell(sink, n)
	return sink
}

// retell tells the sink all of the run that comes after its first n events.
func (r *run) retell(sink Sink, n int) {
	tell := func(to int) {
		for ; n < to; n = r.log.PositionAt(n + 1) {
			events := make([]engine.Event, 0, 1)
			for i := n; i < r.log.PositionAt(n+1); i++ {
				events = append(events, *r.log.At(i))
			}
			sink.Happened(events)
		}
	}
	for i := range r.inputs.Len() {
		if a := r.inputs.At(i); a.After >= int64(n) {
			tell(int(a.After))
			sink.Received(*a)
		}
	}
	tell(r.log.Len())
}

// sameInput reports whether two inputs are the same but for their origins.
func sameInput(a, b *runlog.Input) bool {
	if a.Kind != b.Kind || a.Request != b.Request || a.Thread != b.Thread || a.Error != b.Error || a.Cause != b.Cause ||
		!a.Time.Equal(b.Time) || a.Refused != b.Refused || string(a.Body) != string(b.Body) {
		return false
	}
	if a.Edit != nil && (b.Edit == nil || a.Edit.Thread != b.Edit.Thread || !compare.Exactly(a.Edit.Value, b.Edit.Value)) {
		return false
	}
	x, y := a.Outcome, b.Outcome
	return compare.Exactly(x.Output, y.Output) && compare.Exactly(x.Submitted, y.Submitted) && x.Error == y.Error && x.Cause == y.Cause &&
		x.After == y.After && x.HeartbeatEvery == y.HeartbeatEvery
}
