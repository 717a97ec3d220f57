package debug

import (
	"errors"

	"asldb/engine"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
)

// ErrReadOnly says that a recorded run does not change: [Session.GoLive] makes a live fork of it.
var ErrReadOnly = errors.New("this is the replay of a recorded run, which does not change unless it is made live")

// ErrNoDefinition says that there are only recorded events, so that nothing can be executed.
var ErrNoDefinition = errors.New("only the events of this run are known, not the definition that it ran")

// Recording holds the inputs and events of a run that is over or was left.
type Recording struct {
	// Inputs are its inputs, in order. List has them in their place where they are read when they are needed.
	Inputs []runlog.Input
	List   runlog.Inputs
	// Events are its events. They may be left out where the inputs are there.
	Events []engine.Event
	// Event reads one of the recorded events, counted from 0, where Events is left out; nil where it cannot be
	// read. It may be left out, too.
	Event func(i int) *engine.Event
	// Length is the number of events that were recorded; 0 means the number of Events, and where there are none as many
	// as the inputs lead to.
	Length int
}

// length is the number of recorded events, 0 where it is not known.
func (r *Recording) length() int {
	if r.Length == 0 {
		return len(r.Events)
	}
	return r.Length
}

// inputs returns the inputs in the form in which they are given.
func (r *Recording) inputs() runlog.Inputs {
	if r.Inputs != nil {
		return runlog.InputsOf(r.Inputs)
	}
	return r.List
}

// Replay returns a session over a recorded run: every view, step and breakpoint is there, forwards and backwards, and
// nothing outside is asked. The run is executed again with the inputs, so the options must be those
// that it had. It is at the start. Where the events are given and the execution does not agree with
// them, the divergence is the first difference; the session then shows the events only, as ReplayLog does.
//
// With recording.Event in their place only some of the events are compared, spread over the recording, and the last ones: that
// is enough to know whether the recording is one of this machine, and a long recording need not be read for it. The difference is
// then one that was come upon, perhaps not the first; [Verify] finds that.
func Replay(machine *engine.Machine, options Options, recording Recording) (*Session, *runlog.Divergence) {
	options.Interrupt = nil // the recording ran to its end, so nothing of it is left out
	r := newRun(machine, options)
	if len(recording.Events) == 0 {
		r.page()
	}
	inputs := recording.inputs()
	x := &reexecution{execution: r.execution}
	divergence := x.replay(r, &inputs, recording.length(), eventsOf(recording.Events))
	if divergence == nil && inputs.Fault() != nil {
		divergence = &runlog.Divergence{Index: r.log.Len(), Err: inputs.Fault()}
	}
	if divergence != nil && len(recording.Events) > 0 {
		return ReplayLog(machine, options, recording), divergence
	}
	r.inputs, r.steps, r.position = inputs.Prefix(x.next), x.steps, 0
	if divergence == nil && recording.Event != nil {
		divergence = sample(&r.log, &recording)
	}
	return readOnly(r), divergence
}

// sampled is how many events of a recording are compared where not all are, and as many of its last ones.
const sampled = 64

// sampler compares some events of a recording, spread over it, and its last ones.
type sampler struct {
	next     int // the event to compare
	comparer runlog.Comparer
}

// upTo compares the events that are in the log.
func (s *sampler) upTo(log *runlog.Log, recording *Recording) *runlog.Divergence {
	distance := max(recording.Length/sampled, 1)
	for s.next < min(log.Len(), recording.Length) {
		i := s.next
		s.next = min(i+distance, max(recording.Length-sampled, i+1))
		expected := recording.Event(i)
		if expected == nil {
			continue // a line of the recording is damaged
		}
		if differs := s.comparer.Events(expected, log.At(i)); len(differs) > 0 {
			return &runlog.Divergence{Index: i, Expected: expected, Found: log.At(i), Differs: differs}
		}
	}
	return nil
}

// sample compares some events of a whole run.
func sample(log *runlog.Log, recording *Recording) *runlog.Divergence {
	if log.Len() < recording.Length {
		return &runlog.Divergence{Index: log.Len(), Expected: recording.Event(log.Len())}
	}
	return new(sampler).upTo(log, recording)
}

func readOnly(r *run) *Session {
	r.options.Sink = nil
	s := newSession(r.options.Clock)
	s.readOnly = true
	s.forks.enter(r)
	return s
}

// maxWithoutInput is how many events a run of unknown length may have after its last input: it may have no end.
const maxWithoutInput = 100_000

// recordedEvents are the events of a recording: how many there are, and each of them; nil where it cannot be read.
type recordedEvents struct {
	length int
	at     func(i int) *engine.Event
}

func eventsOf(events []engine.Event) recordedEvents {
	return recordedEvents{len(events), func(i int) *engine.Event { return &events[i] }}
}

// expected returns the event that should come at a place, nil behind the end.
func (r *recordedEvents) expected(i int) *engine.Event {
	if i < r.length {
		return r.at(i)
	}
	return nil
}

// errUnread says that an event of the recording cannot be read.
var errUnread = errors.New("the recording has an event that cannot be read")

// replay executes the inputs into r, at most to length events where that is not 0, and compares them with the recording.
func (x *reexecution) replay(r *run, inputs *runlog.Inputs, length int, recorded recordedEvents) *runlog.Divergence {
	p := replaying{reexecution: x, run: r, inputs: inputs, recorded: recorded}
	x.log = &r.log
	for r.log.Len() < length || (length == 0 && r.log.Len()-p.newest < maxWithoutInput) {
		if goesOn, divergence := p.step(); divergence != nil {
			return divergence
		} else if !goesOn {
			break
		}
	}
	x.giveLast(inputs, r.log.Len())
	if r.log.Len() < recorded.length && r.log.Len() < length {
		return p.differs(nil)
	}
	return nil
}

// replaying is a recording that is executed again into a run.
type replaying struct {
	*reexecution
	run      *run
	inputs   *runlog.Inputs
	recorded recordedEvents // which the events are compared with, as far as they go
	newest   int            // the number of events after which the newest input was given
	comparer runlog.Comparer
}

// differs is the divergence at the next event.
func (p *replaying) differs(err error) *runlog.Divergence {
	n := p.run.log.Len()
	return &runlog.Divergence{Index: n, Expected: p.recorded.expected(n), Err: err}
}

// step gives the next input where it is its turn, else does one step of the engine. goesOn is false where the execution needs an
// input that is not there, and at its end.
func (p *replaying) step() (goesOn bool, divergence *runlog.Divergence) {
	r, x := p.run, p.reexecution
	taken, events, err := x.give(p.inputs)
	if err != nil {
		return false, p.differs(err)
	}
	if taken {
		p.newest = r.log.Len()
	} else {
		if x.execution.Status() != engine.Runnable {
			return false, nil
		}
		events = x.execution.Step()
		if err := x.execution.Interrupted(); err != nil { // an evaluation gave up by itself
			return false, p.differs(err)
		}
		x.steps++
	}
	if len(events) == 0 {
		return true, nil
	}
	first := r.log.Len()
	r.take(events, x.steps)
	x.came = x.steps
	for i := first; i < r.log.Len() && i < p.recorded.length; i++ {
		expected := p.recorded.at(i)
		if expected == nil {
			return false, &runlog.Divergence{Index: i, Found: r.log.At(i), Err: errUnread}
		}
		if differs := p.comparer.Events(expected, r.log.At(i)); len(differs) > 0 {
			return false, &runlog.Divergence{Index: i, Expected: expected, Found: r.log.At(i), Differs: differs}
		}
	}
	for !taken { // the replies to this step belong to the position behind it
		if x.next >= p.inputs.Len() || !p.inputs.Automatic(x.next) {
			break
		}
		given, _, err := x.give(p.inputs)
		if err != nil {
			return false, p.differs(err)
		}
		if !given {
			break
		}
	}
	if !r.options.Forget {
		r.checkpoints.offer(x.execution, moment{events: r.log.Len(), inputs: x.next, steps: x.steps}, tookLong(x.execution))
	}
	return true, nil
}

// giveLast gives the last inputs, after event n, which had not led to anything yet: there the run was left.
func (x *reexecution) giveLast(inputs *runlog.Inputs, n int) {
	for x.next < inputs.Len() && inputs.At(x.next).After == int64(n) && !inputs.At(x.next).Brings() {
		if given, _, err := x.give(inputs); err != nil || !given {
			return // nothing had come of it, and nothing does
		}
	}
}

// ReplayLog returns a session over recorded events alone, without an execution behind them: stepping, breakpoints and every
// view of the data are there; threads, timers and requests are read from the events. The recorded inputs, which may be left
// out, give the times at which the outcomes of tasks came that took effect later; none of them is executed. The machine
// is the definition's, or was made up so that its states have names.
func ReplayLog(machine *engine.Machine, options Options, recording Recording) *Session {
	r := newRun(machine, options)
	r.logOnly = true
	r.log.Copied()
	requests := &recordedRequests{threads: map[int64]*engine.TaskRequest{}, objects: map[int64]engine.ThreadID{}}
	inputs, now := recording.Inputs, r.log.Now()
	note := func(n int) {
		for ; len(inputs) > 0 && inputs[0].After <= int64(n); inputs = inputs[1:] {
			a := &inputs[0]
			if a.Kind == runlog.InputTime {
				now = a.Time
			}
			effect := a.Effect(requests)
			effect.Immediate, effect.Now = a.Automatic(), now
			r.log.Effect(effect)
		}
	}
	for i := range recording.Events {
		note(i)
		event := &recording.Events[i]
		r.take(recording.Events[i:i+1], 0)
		requests.add(event)
		if event.At().After(now) {
			now = event.At()
		}
	}
	note(len(recording.Events))
	r.position = 0
	return readOnly(r)
}

// recordedRequests are the requests of recorded events.
type recordedRequests struct {
	threads map[int64]*engine.TaskRequest
	objects map[int64]engine.ThreadID
}

func (r *recordedRequests) add(event *engine.Event) {
	switch detail := event.Detail.(type) {
	case *engine.TaskRequest:
		r.threads[detail.ID] = detail
	case *engine.ObjectRequest:
		r.objects[detail.ID] = event.Thread
	}
}

// Working returns the request of that number, or nil.
func (r *recordedRequests) Working(id int64) *engine.TaskRequest { return r.threads[id] }

// Reader returns the thread whose ItemReader made the request for an object.
func (r *recordedRequests) Reader(id int64) (engine.ThreadID, bool) {
	thread, ok := r.objects[id]
	return thread, ok
}

// ReplayAttempts is ReplayLog for a run that was attempted several times from somewhere on: each attempt, which has all events from
// the beginning, is a fork of the one before. The session is in the last.
func ReplayAttempts(machine *engine.Machine, options Options, attempts [][]engine.Event) *Session {
	var s *Session
	for n, events := range attempts {
		r := newRun(machine, options)
		r.log.Copied()
		for i := range events {
			r.take(events[i:i+1], 0)
		}
		r.logOnly, r.position = true, 0
		if n == 0 {
			s = readOnly(r)
			continue
		}
		r.options.Sink = nil
		r.parent, r.cause, r.shared = s.run, causeRedrive, runlog.Shared(attempts[n-1], events)
		s.forks.enter(r)
	}
	return s
}

// ReadOnly reports whether the session shows a recorded run, which does not change. After the redrive of one, that run is a fork
// which is read-only, and the redriven one is not.
func (s *Session) ReadOnly() bool { return s.readOnly || s.logOnly }

// MakeReadOnly makes a session that has run read-only, as one of Replay is.
func (s *Session) MakeReadOnly() { s.readOnly = true }

// Executable reports whether there is an execution behind the events, so that [Session.GoLive] can work.
func (s *Session) Executable() bool { return !s.logOnly }

// GoLive makes a live session of a replay: from now on edits and other answers at the position begin a fork, and beyond the
// end of the recording the run continues and asks source. The recorded fork stays as it is. The error is
// [ErrNoDefinition] or [ErrGrowing].
func (s *Session) GoLive(source outcome.Source) error {
	switch {
	case s.logOnly:
		return ErrNoDefinition
	case s.growth != nil:
		return ErrGrowing
	}
	for _, r := range s.forks.runs {
		r.options.Source = source
	}
	s.readOnly = false
	s.asker.seek()
	return nil
}
