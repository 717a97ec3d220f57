package explore

import (
	"context"
	"fmt"
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// maxEvents bounds the events of a run where no quota does: the service's own history has about a third of them.
const maxEvents = 100_000

// driver carries executions to their end, one after the other. Its events are valid until the next run.
type driver struct {
	bound map[*setting]*sources
	// events are the events of the run behind the first ones, from, which its base has as well; begun is its mark
	// there.
	events []engine.Event
	from   int
	begun  *mark
	// met is the mark of the base behind which the run is as the base; nil: it came to its own end.
	met    *mark
	tries  int       // how often it was compared with its base
	most   int       // the greatest number of events
	walker *walker   // nil until one is needed
	trail  *trailing // takes the marks of a base; nil: there are none
	// hits are the requests of the newest run that a change has answered, in order, with the number of the change.
	hits     []hit
	used     []bool              // by change: it was done, and comes once
	noted    map[*asl.State]bool // for the follower of its events
	missing  *asl.State
	spares   []*asl.State // the tasks whose results did not come from the file of the base
	fault    error
	answered int64
	object   int64
	// recording takes the inputs; nil: they are not recorded.
	recording *recording
}

// hit is a change that has come up in a run.
type hit struct {
	change int
	visit  *engine.Visit
	event  int // the number of events before it
}

func newDriver() *driver {
	return &driver{bound: map[*setting]*sources{}, noted: map[*asl.State]bool{}}
}

// observer is told each request with its outcome.
type observer func(*engine.TaskRequest, engine.Outcome, origin)

// run carries an execution with changes to its end, or to the bound of the events. The result is the execution, for its
// end. The error is about a result that cannot be computed, or of the context.
func (d *driver) run(
	ctx context.Context, s *setting, changes []*Change, how extent, see observer,
) (*engine.Execution, error) {
	e, err := d.start(ctx, s, changes, how)
	if err != nil {
		return nil, err
	}
	return e, d.carry(ctx, e, s, changes, how, see)
}

// carry carries an execution to its end, or to the bound of the events.
func (d *driver) carry(
	ctx context.Context, e *engine.Execution, s *setting, changes []*Change, how extent, see observer,
) error {
	for !e.Status().Done() && d.length() < d.most && d.met == nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch e.Status() {
		case engine.AwaitingTime:
			at, ok := e.NextTimer()
			if !ok {
				return fmt.Errorf("the run waits for a time without a timer")
			}
			d.give(runlog.Input{Kind: runlog.InputTime, Time: at, Origin: runlog.OriginClock})
			if err := e.AdvanceTo(at); err != nil {
				return err
			}
			continue
		case engine.AwaitingAnswer:
			return d.fault
		case engine.Runnable, engine.Succeeded, engine.Failed, engine.TimedOut, engine.Aborted:
		}
		first := len(d.events)
		d.add(e.StepInto(d.events[first:first:cap(d.events)]))
		if d.recording != nil {
			d.recording.steps++
		}
		if d.trail != nil && len(d.events) > first {
			d.passes(e, s)
		}
		if err := d.edit(e, changes, first); err != nil {
			return err
		}
		if how == untilMet && len(d.events) > first {
			d.met = d.meets(e, s, changes)
		}
		if err := d.answer(e, s, d.bound[s], changes, see); err != nil {
			d.fault = err
			return err
		}
	}
	return nil
}

// length is the number of events so far.
func (d *driver) length() int { return d.from + len(d.events) }

// binding returns the sources of a setting, at their beginning.
func (d *driver) binding(ctx context.Context, s *setting) (*sources, error) {
	bound := d.bound[s]
	if bound == nil {
		var err error
		if bound, err = s.bind(); err != nil {
			return nil, err
		}
		d.bound[s] = bound
	} else {
		bound.rewind()
	}
	bound.heed(ctx.Err)
	return bound, nil
}

// start begins a run, where it can at a mark of its base.
func (d *driver) start(ctx context.Context, s *setting, changes []*Change, how extent) (*engine.Execution, error) {
	bound, err := d.binding(ctx, s)
	if err != nil {
		return nil, err
	}
	d.forget()
	d.hits, d.used = d.hits[:0], append(d.used[:0], make([]bool, len(changes))...)
	d.missing, d.spares, d.fault, d.answered, d.object = nil, nil, nil, 0, 0
	d.from, d.begun, d.met, d.tries, d.most = 0, nil, nil, 0, maxEvents
	if at := s.begin(changes, how); at >= 0 {
		e, err := d.at(ctx, s, at, bound)
		if err != nil {
			return nil, err
		}
		if d.resume(s, &s.trail.marks[at], e, changes) {
			e.SetInterrupt(ctx.Err)
			return e, nil
		}
		bound.rewind()
		d.hits = d.hits[:0]
	}
	options := s.options
	options.Interrupt = ctx.Err
	return s.machine.Start(d.input(s, changes), options), nil
}

// forget drops the events, and what they refer to.
func (d *driver) forget() {
	clear(d.events)
	d.events = d.events[:0]
}

// add adds the events of a step, which are in place unless there were too many of them.
func (d *driver) add(events []engine.Event) { d.events = append(d.events, events...) }

// input returns the execution's input with the changes of it.
func (d *driver) input(s *setting, changes []*Change) value.Value {
	input := s.input
	for i, c := range changes {
		if c.Kind == Input {
			if changed, err := replaced(input, c.Path, c.Value); err == nil {
				input = changed
				d.hits = append(d.hits, hit{change: i})
			}
		}
	}
	return input
}

// answer gives the outcomes of the tasks and the objects that were asked for.
func (d *driver) answer(e *engine.Execution, s *setting, bound *sources, changes []*Change, see observer) error {
	for {
		request := e.UnansweredAfter(d.answered)
		if request == nil {
			break
		}
		d.answered = request.ID
		given, from, named := d.changed(request, changes), fromFile, originFault
		if given == nil {
			named = originFixtures
			other, where, err := s.task(bound, request)
			if err != nil {
				return err
			}
			if where == fromNowhere {
				d.missing = request.Visit.State
				continue
			}
			given, from = &other, where
			if where != fromFile && s.log != nil && s.file != nil {
				d.spare(request.Visit.State)
			}
		}
		if see != nil {
			see(request, *given, from)
		}
		d.give(runlog.Input{Kind: runlog.InputOutcome, Request: request.ID, Outcome: *given, Origin: named})
		if err := e.Answer(request.ID, *given); err != nil {
			return err
		}
	}
	for {
		request := e.UnansweredObjectAfter(d.object)
		if request == nil {
			return nil
		}
		d.object = request.ID
		reply := s.object(bound, request)
		switch reply.Kind() {
		case outcome.KindContent, outcome.KindRefusal:
			d.give(replied(request, reply))
			if err := e.AnswerObject(request.ID, reply.Body(), reply.Refused()); err != nil {
				return err
			}
		case outcome.KindFault:
			return reply.Err()
		case outcome.KindNone, outcome.KindGiven, outcome.KindLater:
			d.missing = request.Visit.State
		}
	}
}

// spare notes that the file of the base had no result for a task.
func (d *driver) spare(s *asl.State) {
	if !slices.Contains(d.spares, s) {
		d.spares = append(d.spares, s)
	}
}

// changed returns the outcome that a change of the run gives to a task, nil where none does.
func (d *driver) changed(request *engine.TaskRequest, changes []*Change) *engine.Outcome {
	for i, c := range changes {
		if c.task() != request.Visit.State || c.Where == First && !inFirst(request.Visit) {
			continue
		}
		switch {
		case c.Kind == ResultValue:
			if request.Invocation > 1 {
				continue
			}
		case c.Always:
			if c.times > 0 && d.came(i) >= c.times {
				continue
			}
		case c.eachIteration():
			if request.Attempt > 1 {
				continue
			}
		case d.used[i]:
			continue
		}
		d.used[i] = true
		d.hits = append(d.hits, hit{i, request.Visit, d.length()})
		return &c.outcome
	}
	return nil
}

// came returns how often a change has come up.
func (d *driver) came(change int) (n int) {
	for i := range d.hits {
		if d.hits[i].change == change {
			n++
		}
	}
	return n
}

// edit edits the data of the states that were entered since event first.
func (d *driver) edit(e *engine.Execution, changes []*Change, first int) error {
	for i, c := range changes {
		if c.Kind != Edited || d.used[i] {
			continue
		}
		for n := first; n < len(d.events); n++ {
			event := &d.events[n]
			if event.Type != engine.StateEntered || event.Visit.State != c.State {
				continue
			}
			data, _, err := e.Editable(event.Thread)
			if err != nil {
				return err
			}
			changed, err := replaced(data, c.Path, c.Value)
			if err != nil {
				return nil // its data are others in this run
			}
			d.used[i] = true
			d.hits = append(d.hits, hit{i, event.Visit, d.from + n})
			edit := engine.Edit{Thread: event.Thread, Value: changed}
			d.give(runlog.Input{Kind: runlog.InputEdit, Edit: &edit, Origin: runlog.OriginPerson})
			more, err := e.Edit(edit)
			if err != nil {
				return err
			}
			d.add(more)
			break
		}
	}
	return nil
}

// task returns the Task state whose outcome the change gives, nil where it gives none.
func (c *Change) task() *asl.State {
	switch {
	case c.isFault():
		return c.State
	case c.Kind == ResultValue:
		return c.Source
	}
	return nil
}

// isFault reports whether the change is a fault of a task.
func (c *Change) isFault() bool {
	switch c.Kind {
	case Fails, Late, Large:
		return true
	case Input, ResultValue, Edited:
	}
	return false
}

// eachIteration reports whether a fault that does not come always comes in the first attempt of each iteration.
func (c *Change) eachIteration() bool { return c.Where == All && insideMap(c.State) }

// insideMap reports whether a state is in a Map state.
func insideMap(s *asl.State) bool {
	for ; s != nil; s = s.Scope.Container {
		if s.Scope.Kind == asl.ProcessorScope {
			return true
		}
	}
	return false
}

// inFirst reports whether a visit is in the first iteration of each Map state around it.
func inFirst(v *engine.Visit) bool {
	for ; v != nil && v.Parent != nil; v = v.Parent {
		if v.Parent.State.Type == asl.Map && v.Index != 0 {
			return false
		}
	}
	return true
}

// replaced returns data with another value at a Reference Path, without the member there where the value is nil.
func replaced(data value.Value, text string, v value.Value) (value.Value, error) {
	p, err := path.ParseReference(text)
	if err != nil {
		return nil, err
	}
	if v != nil {
		if p.Len() == 0 {
			return v, nil
		}
		return p.Set(data, v)
	}
	return without(data, p, 0)
}

// replaceable reports whether data can have another value at a path, or no member there where the value is nil.
func replaceable(data value.Value, p *path.Path, v value.Value) bool {
	if name, ok := memberOf(p); ok && p.Len() == 1 { // a wide object need not be copied for it
		if object, ok := data.(*value.Object); ok {
			return v != nil || object.Get(name) != nil
		}
	}
	_, err := replaced(data, p.String(), v)
	return err == nil
}

// without removes the member that a path leads to.
func without(data value.Value, p *path.Path, from int) (value.Value, error) {
	if from == p.Len() {
		return nil, fmt.Errorf("%s names the whole data", p)
	}
	segment := p.Segment(from)
	switch data := data.(type) {
	case *value.Object:
		member := data.Get(segment.Name)
		switch {
		case segment.Kind != path.NameSegment || member == nil:
			return nil, fmt.Errorf("%s leads to nothing", p)
		case from == p.Len()-1:
			return data.Without(segment.Name), nil
		}
		changed, err := without(member, p, from+1)
		if err != nil {
			return nil, err
		}
		return data.With(segment.Name, changed), nil
	case *value.Array:
		if segment.Kind != path.IndexSegment || segment.Index < 0 || segment.Index >= data.Len() || from == p.Len()-1 {
			return nil, fmt.Errorf("%s leads to no member", p)
		}
		changed, err := without(data.At(segment.Index), p, from+1)
		if err != nil {
			return nil, err
		}
		return data.With(segment.Index, changed), nil
	}
	return nil, fmt.Errorf("%s leads to nothing", p)
}
