package debug

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Fork describes one continuation of a session's run; the first one is the run that the session began with. Its events stay
// when another fork begins.
type Fork struct {
	// ID numbers the forks from 1.
	ID int
	// Parent is the fork that it began in, and Shared the number of events that it has in common with it; 0 for
	// the first one.
	Parent, Shared int
	// Cause says in a few words why it began: "ChargeCard fails with Card.Declined", "restart".
	Cause string
	// Events is the number of its events, Inputs of its inputs, Status its status.
	Events, Inputs int
	Status         engine.Status
	// Current marks the fork that the session is in.
	Current bool
}

// Forks are the forks of a session's run. An edit, another outcome, or other options at an earlier position begin a new one,
// and so does a restart.
type Forks struct {
	s       *Session
	runs    []*run
	dropped int
	// first is the run with which every session begins, and list the space for it in runs; most sessions have no other.
	first run
	list  [1]*run
}

// Forks returns the forks of the run.
func (s *Session) Forks() *Forks { return &s.forks }

// All returns the forks in the order in which they began.
func (f *Forks) All() []Fork {
	list := make([]Fork, len(f.runs))
	for i, r := range f.runs {
		list[i] = Fork{
			ID: r.id, Shared: r.shared, Cause: r.cause, Events: r.log.Len(), Inputs: r.inputs.Len(),
			Status: r.status(), Current: r == f.s.run,
		}
		if r.parent != nil {
			list[i].Parent = r.parent.id
		}
	}
	return list
}

// Current returns the number of the fork that the session is in.
func (f *Forks) Current() int { return f.s.run.id }

// ErrBeforeRedrive says that an event of the attempt before cannot be changed in the run that was redriven.
var ErrBeforeRedrive = errors.New("this event was before the redrive and does not change; go to the what-if of that attempt to change it")

// ErrNoFork says that there is no fork of a number.
var ErrNoFork = errors.New("there is no what-if of that number")

// Switch goes over to another fork, to the position where it was left. The error is [ErrNoFork].
func (f *Forks) Switch(id int) error {
	s, r := f.s, f.run(id)
	if r == nil {
		return ErrNoFork
	}
	if r == s.run {
		return nil
	}
	common := shared(s.run, r)
	s.run = r
	s.asker.seek()
	s.previousStop = min(s.previousStop, common-1)
	s.recount(s.position, common)
	s.stepper.begin(Command{})
	s.stopHere()
	return nil
}

// Log returns the events of a fork, nil where there is none of that number.
func (f *Forks) Log(id int) *runlog.Log {
	if r := f.run(id); r != nil {
		return &r.log
	}
	return nil
}

// ForkRun is the run of a fork as far as it has come, whichever fork the session is in.
type ForkRun struct {
	s *Session
	r *run
}

// Run returns the run of a fork; ok is false where there is none of that number.
func (f *Forks) Run(id int) (run ForkRun, ok bool) {
	r := f.run(id)
	return ForkRun{f.s, r}, r != nil
}

// Log returns the events of the fork.
func (f ForkRun) Log() *runlog.Log { return &f.r.log }

// Machine returns the machine that ran.
func (f ForkRun) Machine() *engine.Machine { return f.r.machine }

// Explainer returns the explainer of the fork.
func (f ForkRun) Explainer() *provenance.Explainer {
	return provenance.NewExplainer(forkView{view{f.s}, f.r})
}

// forkView is the run of a fork, as explanations ask it.
type forkView struct {
	view
	r *run
}

// Log returns the events of the fork.
func (v forkView) Log() *runlog.Log { return &v.r.log }

// Machine returns the machine that ran.
func (v forkView) Machine() *engine.Machine { return v.r.machine }

// Start returns the execution's start time.
func (v forkView) Start() time.Time { return v.r.options.Start }

// Limits returns the quotas that the execution was held to.
func (v forkView) Limits() engine.Limits { return v.r.options.Limits }

// RootsAt implements [provenance.Run].
func (v forkView) RootsAt(i int) (value.Value, func(name string) value.Value) { return v.r.rootsAt(i) }

func (f *Forks) run(id int) *run {
	i := slices.IndexFunc(f.runs, func(r *run) bool { return r.id == id })
	if i < 0 {
		return nil
	}
	return f.runs[i]
}

// Compare aligns the logs of two forks: see [compare.Logs]. The error is [ErrNoFork].
func (f *Forks) Compare(a, b int) (*runlog.Result, error) {
	first, second := f.run(a), f.run(b)
	if first == nil || second == nil {
		return nil, ErrNoFork
	}
	return runlog.Logs(&first.log, &second.log), nil
}

// enter makes a run the current one, as the newest fork.
func (f *Forks) enter(r *run) {
	s := f.s
	r.id = 1
	if n := len(f.runs); n > 0 {
		r.id = f.runs[n-1].id + 1
	}
	if f.runs == nil {
		f.runs = f.list[:0]
	}
	f.runs = append(f.runs, r)
	s.run = r
	f.dropOld()
}

// restart begins a fork at the very start.
func (f *Forks) restart(machine *engine.Machine, options *Options, cause string) {
	s := f.s
	old := s.run
	r := &f.first
	if old != nil {
		r = new(run)
	}
	r.machine, r.options, r.execution = machine, *options, start(machine, options)
	r.log.Begin(startOf(r.execution))
	if old != nil && old.log.Len() == 0 && old.inputs.Len() == 0 {
		r.id, r.parent, r.cause = old.id, old.parent, old.cause
		f.runs[slices.Index(f.runs, old)] = r // there is nothing to keep
		s.run = r
		return
	}
	if r.parent = old; old != nil {
		r.cause = cause
	}
	f.enter(r)
}

// begin begins a fork that shares everything up to a moment with the current one.
func (f *Forks) begin(to moment, cause string) error {
	s := f.s
	old := s.run
	if old.logOnly {
		return ErrNoDefinition
	}
	x := old.begin(to)
	shared := int(x.execution.Seq())
	r := &run{
		machine: old.machine, options: old.options, execution: x.execution, log: old.log.Fork(shared, x.next),
		inputs: old.inputs.Prefix(to.inputs), checkpoints: old.checkpoints.upTo(moment{shared, x.next, x.steps}),
		parent: old, shared: to.events, inherited: to.inputs, cause: cause, called: slices.Clone(old.called),
	}
	r.moments = old.moments.Prefix(&r.log, shared)
	x.log, x.came = &r.log, x.steps
	// The events after the snapshot are made again, so that the places in it are the new execution's own.
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
	r.findRefused(old)
	for id, reason := range old.reasons {
		if id <= r.refused {
			r.noteReason(id, reason)
		}
	}
	r.refused, r.refusedObject = min(r.refused, old.refused), min(r.refusedObject, old.refusedObject)
	f.enter(r)
	s.previousStop = min(s.previousStop, r.log.Len()-1)
	s.stepper.begin(s.stepper.goal.command)
	return nil
}

// findRefused notes the newest requests of the run, where the one that it is a fork of had requests for which the source had nothing.
func (r *run) findRefused(old *run) {
	for i := r.log.Len() - 1; i >= 0 && (r.refused == 0 && old.refused > 0 || r.refusedObject == 0 && old.refusedObject > 0); i-- {
		switch request := r.log.At(i).Detail.(type) {
		case *engine.TaskRequest:
			r.refused = max(r.refused, request.ID)
		case *engine.ObjectRequest:
			r.refusedObject = max(r.refusedObject, request.ID)
		}
	}
}

// give begins a fork at a moment with an input, once it is certain that the input can be given there.
func (f *Forks) give(a *runlog.Input, to moment) error {
	s := f.s
	if s.ReadOnly() {
		return ErrReadOnly
	}
	if to.events < s.Redriven() {
		return ErrBeforeRedrive
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
		// The run has this input here already: the position is behind it, as where a fork begins with it.
		s.goTo(s.log.PositionAt(int(trial.execution.Seq())))
		s.stop = Stop{Reason: StoppedByStep}
		return nil
	}
	if err := f.begin(to, f.changeOf(a, to)); err != nil {
		return err
	}
	s.recount(s.position, s.position)
	s.stop = Stop{Reason: StoppedByStep}
	s.run.opened = true
	err := s.giveHere(a)
	s.asker.seek()
	return err
}

// maxChange is the number of characters of the data in the name of a change.
const maxChange = 40

// changeOf names an input at a moment by the state that it is about and the change: "ChargeCard fails with Card.Declined".
func (f *Forks) changeOf(a *runlog.Input, to moment) string {
	log, at := &f.s.log, to.events-1
	if a.Kind == runlog.InputOutcome {
		at = log.Scheduled(a.Request)
	}
	place := ""
	if at >= 0 {
		if state := log.Head(at).State; state != nil {
			place = state.Name + " "
		}
	}
	switch {
	case a.Kind == runlog.InputEdit && a.Edit != nil:
		return place + edited(log, at, a.Edit.Value)
	case a.Kind == runlog.InputInject, a.Kind == runlog.InputOutcome && a.Outcome.Output == nil:
		return place + "fails with " + cmp.Or(a.Error, a.Outcome.Error, "an error without a name")
	case a.Kind == runlog.InputOutcome:
		return place + "returns " + value.Preview(a.Outcome.Output, maxChange)
	}
	return a.Kind.String()
}

// edited names an edit of the data after an event by the first place that it changes.
func edited(log *runlog.Log, at int, found value.Value) string {
	var before value.Value
	if at >= 0 {
		before = log.At(at).After
	}
	list := value.List(before, found)
	if before == nil || len(list) == 0 {
		return "with " + value.Preview(found, maxChange)
	}
	text := "without " + list[0].Path
	if list[0].Found != nil {
		text = "with " + cmp.Or(list[0].Path, "$") + " = " + value.Preview(list[0].Found, maxChange)
	}
	if len(list) > 1 {
		text += ", " + strconv.Itoa(len(list)-1) + " more"
	}
	return text
}

// Shared returns the number of events that two forks have in common, 0 where there is none of a number.
func (f *Forks) Shared(a, b int) int {
	first, second := f.run(a), f.run(b)
	if first == nil || second == nil {
		return 0
	}
	return shared(first, second)
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

// sameInput reports whether two inputs are the same but for their origins.
func sameInput(a, b *runlog.Input) bool {
	if a.Kind != b.Kind || a.Request != b.Request || a.Thread != b.Thread || a.Error != b.Error || a.Cause != b.Cause ||
		!a.Time.Equal(b.Time) || a.Refused != b.Refused || string(a.Body) != string(b.Body) {
		return false
	}
	if a.Edit != nil && (b.Edit == nil || a.Edit.Thread != b.Edit.Thread || !runlog.Exactly(a.Edit.Value, b.Edit.Value)) {
		return false
	}
	x, y := a.Outcome, b.Outcome
	return runlog.Exactly(x.Output, y.Output) && runlog.Exactly(x.Submitted, y.Submitted) && x.Error == y.Error && x.Cause == y.Cause &&
		x.After == y.After && x.HeartbeatEvery == y.HeartbeatEvery
}
