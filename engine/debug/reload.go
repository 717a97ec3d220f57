package debug

import (
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Reloading is a definition that was read again.
type Reloading struct {
	// Machine is the definition as it is now.
	Machine *engine.Machine
	// Source gives the outcomes of fixtures that were read again; nil: the source of the run does.
	Source outcome.Source
	// Input is another input of the execution; nil: the run's.
	Input value.Value
	// Cause names the change, for the fork.
	Cause string
	// AtStart leaves the session before the first event, in place of the place where it was.
	AtStart bool
}

// Reloaded is a run of a definition that was read again, beside the run before.
type Reloaded struct {
	// Before and Now are the numbers of the forks.
	Before, Now int
	// Compared lays the run before beside this one, as far as this one has come.
	Compared *runlog.Result
	// Typed counts the answers that were given by hand before.
	Typed int
	// Kept are the states whose answers were given again, in the order of the run; ByHand counts the typed ones among
	// them.
	Kept   []string
	ByHand int
	// Unused are the answers of the run before for which nothing asked, and its edits, injected errors, heartbeats and
	// timeouts, which are not repeated.
	Unused []runlog.Input
	// Renamed are the states that have another name now, by the old one: their answers are taken for them.
	Renamed map[string]string
	// SameText is set where the text of the definition has not changed.
	SameText bool
}

// First returns the first event of the run that differs from the run before, and the event of the run before that it
// differs from; nil where one of the runs has no such event. ok is false where the runs agree as far as both have come.
func (r *Reloaded) First(s *Session) (before, now *engine.Event, at int, ok bool) {
	old := s.forks.run(r.Before)
	if old == nil || r.Compared.First < 0 || len(r.Compared.Rows) == 0 {
		return nil, nil, 0, false
	}
	for i := range r.Compared.Rows {
		row := &r.Compared.Rows[i]
		if row.Same() || before != nil && now != nil {
			break
		}
		if row.A >= 0 && before == nil {
			before = old.log.At(row.A)
		}
		if row.B >= 0 && now == nil {
			now, at = s.log.At(row.B), row.B
		}
	}
	if now == nil && (before == nil || r.Compared.First >= s.log.Len() && !s.Status().Done()) {
		return nil, nil, 0, false // this run has not come so far
	}
	return before, now, at, true
}

// reloadedFrom is what a run keeps of the one that it was reloaded from.
type reloadedFrom struct {
	source outcome.Source // behind the answers that are kept
	run    *run
	inputs int // of the new run, when it had come to its place
}

// limits of the events of a reloaded run: as many times as the run before had, and at least this many.
const (
	reloadedTimes = 4
	reloadedLeast = 20_000
)

// Reload runs a definition that was read again, as a fork from the very start. The source answers as it did, and
// answers that were given by hand, or by calls, are kept: a task gets that for the same state path, visit and attempt,
// or else for the same invocation of the state. It runs to the place where the session was, or to the end of the
// execution where the session was at its end, past breakpoints. The run before is kept. The error is [ErrNoDefinition],
// or [ErrGrowing].
func (s *Session) Reload(how Reloading) (*Reloaded, error) {
	switch {
	case s.logOnly:
		return nil, ErrNoDefinition
	case s.growth != nil:
		return nil, ErrGrowing
	}
	old, place := s.run, s.placeOf()
	base := old.baseSource()
	if how.Source != nil {
		base = how.Source
	}
	options, kept := old.again(how.Machine, base)
	options.reloaded = &reloadedFrom{source: base, run: old}
	if how.Input != nil {
		options.Input, options.InputText = how.Input, ""
	}
	r := &Reloaded{Typed: kept.byHand(), Renamed: kept.renamed, SameText: sameText(old.machine, how.Machine)}
	if !r.SameText || how.Input != nil {
		options.Sink = nil // the header of a trace has the definition and the input of the run before
	}
	s.readOnly = false
	s.begin(how.Machine, &options, how.Cause)
	s.recount(0, 0)
	place.start = place.start || how.AtStart
	s.stop = s.repeat(place, max(reloadedTimes*old.log.Len(), reloadedLeast))
	options.reloaded.inputs = s.inputs.Len()
	r.Before, r.Now = old.id, s.run.id
	r.Compared = runlog.Logs(&old.log, &s.log)
	r.Kept, r.ByHand = kept.given(&old.log)
	r.Unused = append(kept.unused(), notRepeated(&old.inputs)...)
	return r, nil
}

// baseSource is the source behind the answers that a reload has kept.
func (r *run) baseSource() outcome.Source {
	if r.options.reloaded != nil {
		return r.options.reloaded.source
	}
	return r.options.Source
}

// again returns the options for a run of another machine with the answers of this one, whose source is at its
// beginning.
func (r *run) again(machine *engine.Machine, base outcome.Source) (options Options, kept *recordedSource) {
	kept = keptAnswers(&r.inputs, base == nil)
	kept.renamed = renamedStates(r.machine.Definition(), machine.Definition())
	kept.index(&r.log)
	options = r.options
	options.Source, options.redrive, options.asks, options.reloaded = kept, nil, nil, nil
	if base != nil {
		base.Seek(nil)
		options.Source = &keptSource{kept, base}
	}
	return options, kept
}

// triedEvents is the number of events between two questions whether a trial is to end.
const triedEvents = 500

// Try runs a definition with the answers of the run, as [Session.Reload] does, to its end in a session that is apart:
// this one stays as it is. Nothing is called, and over ends it. The error is [ErrNoDefinition], or [ErrGrowing] also
// while calls are running.
func (s *Session) Try(how Reloading, over func() bool) (*Session, error) {
	switch {
	case s.logOnly:
		return nil, ErrNoDefinition
	case s.growth != nil || len(s.Calls().Open()) > 0:
		return nil, ErrGrowing
	}
	base := s.run.baseSource()
	if how.Source != nil {
		base = how.Source
	}
	options, _ := s.run.again(how.Machine, base)
	defer s.asker.seek()
	options.Source, options.Sink = &uncalled{options.Source}, nil
	tried := newSession(Clock{})
	tried.begin(how.Machine, &options, "")
	for {
		stop, err := tried.Do(Command{Kind: Continue, Events: triedEvents})
		if err != nil || stop.Reason != StoppedByLimit || over() {
			return tried, err
		}
	}
}

// uncalled gives the outcomes of a source that need no call.
type uncalled struct{ outcome.Source }

// Ask implements outcome.Source.
func (u *uncalled) Ask(ask outcome.Ask) outcome.Reply {
	if reply := u.Source.Ask(ask); reply.Kind() != outcome.KindLater {
		return reply
	}
	return outcome.None(nil)
}

// place is where a session was: at the end of an execution, or behind an event.
type place struct {
	start, end bool
	event      *engine.Event
}

func (s *Session) placeOf() place {
	last := s.lastEvent()
	return place{start: last == nil, end: last != nil && last.Type.EndsExecution(), event: last}
}

// is reports whether an event is the one of the place, or the one that took its part.
func (p *place) is(event *engine.Event) bool {
	e := p.event
	if event.Type != e.Type || event.Stage != e.Stage || (event.Visit == nil) != (e.Visit == nil) {
		return false
	}
	return e.Visit == nil || event.Visit.Number == e.Visit.Number && event.Visit.Path() == e.Visit.Path()
}

// repeat carries a new run to a place, at most by some events. Breakpoints do not stop it, and no timer is waited for.
func (s *Session) repeat(to place, most int) Stop {
	if to.start {
		return Stop{Reason: StoppedAtStart}
	}
	points, clock := s.points.All(), s.clockwork.mode
	enabled := make([]bool, len(points))
	for i, b := range points {
		enabled[i], b.Enabled = b.Enabled, false
	}
	s.clockwork.mode = Clock{}
	command := Command{Kind: StepStage}
	if to.end {
		command = Command{Kind: Continue, Events: most}
	}
	var stop Stop
	for {
		var err error
		if stop, err = s.Do(command); err != nil || stop.Reason != StoppedByStep || s.log.Len() >= most ||
			to.is(s.lastEvent()) {
			break
		}
	}
	s.clockwork.mode = clock
	for i, b := range points {
		b.Enabled = enabled[i]
	}
	s.recount(s.position, 0)
	return stop
}

// keptAnswers returns the source of the answers of a run that were given by hand or by calls, or of all.
func keptAnswers(inputs *runlog.Inputs, all bool) *recordedSource {
	source, calls := &recordedSource{}, outcome.Names()
	for i := range inputs.Len() {
		in := inputs.At(i)
		switch in.Kind {
		case runlog.InputOutcome, runlog.InputObject, runlog.InputMapRun:
			if all || in.Origin == runlog.OriginPerson || slices.Contains(calls, in.Origin) {
				source.inputs = append(source.inputs, *in)
			}
		case runlog.InputTime, runlog.InputFocus, runlog.InputAbort, runlog.InputEdit, runlog.InputInject,
			runlog.InputHeartbeat, runlog.InputTimeout, runlog.InputMapBounds:
		}
	}
	return source
}

// keptSource gives the answers that are kept, and for all other questions the answers of the source behind them. That
// is asked each time, so that its sequences stay in step; a call that it would make for a kept answer is not begun.
type keptSource struct {
	kept *recordedSource
	base outcome.Source
}

// Ask implements outcome.Source.
func (k *keptSource) Ask(ask outcome.Ask) outcome.Reply {
	reply := k.base.Ask(ask)
	if kept := k.kept.Ask(ask); kept.Kind() != outcome.KindNone {
		return kept
	}
	return reply
}

// Seek implements outcome.Source.
func (k *keptSource) Seek(asked []outcome.Ask) (left []outcome.Ask) {
	left = k.kept.Seek(slices.Clone(asked))
	k.base.Seek(asked)
	return left
}

// notRepeated returns the interventions of a run that a reload leaves out.
func notRepeated(inputs *runlog.Inputs) (list []runlog.Input) {
	for i := range inputs.Len() {
		in := inputs.At(i)
		switch in.Kind {
		case runlog.InputEdit, runlog.InputInject, runlog.InputHeartbeat, runlog.InputTimeout, runlog.InputMapBounds:
			list = append(list, *in)
		case runlog.InputOutcome, runlog.InputObject, runlog.InputMapRun, runlog.InputTime, runlog.InputFocus,
			runlog.InputAbort:
		}
	}
	return list
}

// byHand returns the number of answers that were given by hand.
func (r *recordedSource) byHand() (n int) {
	for i := range r.inputs {
		if r.inputs[i].Origin == runlog.OriginPerson {
			n++
		}
	}
	return n
}

// given returns the states whose recorded answers were given, each once, and the number of answers by hand among them.
func (r *recordedSource) given(recorded *runlog.Log) (states []string, byHand int) {
	requests := recorded.Requests()
	for i, used := range r.used {
		if !used {
			continue
		}
		if r.inputs[i].Origin == runlog.OriginPerson {
			byHand++
		}
		if request := requests[r.inputs[i].Request]; request != nil && request.Visit != nil &&
			!slices.Contains(states, request.Visit.State.Name) {
			states = append(states, request.Visit.State.Name)
		}
	}
	return states, byHand
}

// renamedStates returns the states of the old definition that have another name in the new one: in one scope one state
// is gone, and one is new that has its type and its resource.
func renamedStates(old, now *asl.StateMachine) map[string]string {
	if old == nil || now == nil {
		return nil
	}
	byPath := func(m *asl.StateMachine) map[string]*asl.State {
		states := make(map[string]*asl.State)
		for state := range m.All() {
			states[state.Path()] = state
		}
		return states
	}
	before, after := byPath(old), byPath(now)
	alike := func(a, b *asl.State) bool {
		return a.Type == b.Type && a.Resource == b.Resource && parentPath(a) == parentPath(b)
	}
	renamed := make(map[string]string)
	for path, state := range before {
		if after[path] != nil {
			continue
		}
		var found []string
		for other, candidate := range after {
			if before[other] == nil && alike(state, candidate) {
				found = append(found, candidate.Name)
			}
		}
		gone := 0
		for other, candidate := range before {
			if after[other] == nil && alike(state, candidate) {
				gone++
			}
		}
		if len(found) == 1 && gone == 1 {
			renamed[state.Name] = found[0]
		}
	}
	return renamed
}

// parentPath returns the path of the scope that a state is in.
func parentPath(s *asl.State) string {
	path := s.Path()
	return path[:len(path)-len(s.Name)]
}

// sameText reports whether two machines have the same text in the same dialect.
func sameText(a, b *engine.Machine) bool {
	x, y := a.Definition().Source, b.Definition().Source
	return a == b || x != nil && y != nil && string(x.Data) == string(y.Data) &&
		a.Definition().Name == b.Definition().Name
}
