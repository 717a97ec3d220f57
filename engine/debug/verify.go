package debug

import (
	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/interrupt"
	"asldb/engine/runlog"
)

// Verification is what came of executing a recording again.
type Verification struct {
	// Recorded are the events of the recording, Found those of the execution.
	Recorded, Found *Log
	// Divergence is the first difference, nil where none was found.
	Divergence *compare.Divergence
	// Bound is the number of events after which the caller's limit ended the execution, where it had not come as far as
	// the recording: what was recorded beyond is not compared. It is 0 where all of the recording is.
	Bound int
	// Session is the execution, standing before the event that differs, or at its end where none does.
	Session *Session
	// Stop says why the execution came to its end: StoppedForAnswer means that a task was asked for of which nothing
	// was recorded; see [Session.Requests].
	Stop Stop
	// Unused are the recorded answers that were not given: nobody asked for them, or what they are about did not
	// come. Those of the clock are left out.
	Unused []Answer
}

// Verify executes a recording again on a machine, which may be another one than was recorded, with other options: another
// input, say. While all is as recorded the answers are given where they were. From the first difference on, a
// task gets the outcome that was recorded for the same state path, visit and attempt, or else for the same
// invocation of the state; for what was not recorded options.Source is asked. limit bounds the number of
// events, 0 is no bound. A recording that has events needs no other knowledge of the machine that it was made with.
func Verify(machine *engine.Machine, options Options, recording Recording, limit int) *Verification {
	extra := options.Source
	options.Source, options.Sink, options.Clock, options.Interrupt = nil, nil, Clock{}, nil
	r := newRun(machine, options)
	answers := Answers{}
	answers.addAll(recording.Answers)
	v := &Verification{Recorded: runlog.Of(recording.Events)}
	x := &reexecution{execution: r.execution}
	early := x.replay(r, &answers, recording.length(), recording.Events)
	r.answers, r.steps = answers.upTo(x.next), x.steps
	s := &Session{stop: Stop{Reason: StoppedAtStart}}
	s.enter(r)
	v.Session, v.Found = s, &r.log
	source := &recordedSource{extra: extra, answers: recording.Answers[x.next:]}
	if early != nil {
		if early.Err != nil && !interrupt.Is(early.Err) { // that answer was not given
			x.next--
			r.answers, source.answers = answers.upTo(x.next), recording.Answers[x.next:]
		}
		source.index(v.Recorded)
		r.options.Source = source
		v.Stop = s.goOn(limit)
		r.options.Source = extra
	} else {
		v.Stop = s.GoTo(r.log.Len())
	}
	v.Unused = source.unused()
	from := v.Recorded.Len() // up to where both are the same
	if early != nil {
		from = early.Index
	}
	v.Divergence = compare.WithRecording(v.Recorded, v.Found, from)
	if d := v.Divergence; d != nil && d.Found == nil && (v.Stop.Reason == StoppedByLimit || v.Stop.Reason == StoppedByInterrupt) {
		v.Divergence, v.Bound = nil, d.Index
	}
	if v.Divergence == nil && v.Recorded.Len() == 0 {
		v.Divergence = early // there is nothing to compare with, but that an answer did not fit
	}
	if v.Divergence != nil {
		s.GoTo(r.log.PositionBefore(v.Divergence.Index + 1))
	}
	return v
}

// goOn runs to the end, at most to limit events.
func (s *Session) goOn(limit int) Stop {
	fault := s.askSource()
	if fault == nil {
		fault = s.askObjects()
	}
	if fault != nil {
		return Stop{Reason: StoppedBySource, Err: fault}
	}
	command := Command{Kind: Continue}
	if limit > 0 {
		command.Events = max(limit-s.log.Len(), 1)
	}
	stop, _ := s.Do(command) // only the target of RunTo can be wrong
	return stop
}

// recordedSource gives the recorded outcomes to the tasks that they seem to be for.
type recordedSource struct {
	extra   Source
	answers []Answer // those that were not given where they were recorded
	used    []bool
	mapRuns map[mapRunKey]int
	byKey   map[requestKey][]int // of each key, the answers that were given for it
	origin  string               // where the newest answer came from; empty for extra
}

// requestKey is what a request is known again by. It has a visit and an attempt, or else an invocation.
type requestKey struct {
	state                      string // its path, or its name where the state may have moved
	visit, attempt, invocation int
}

// keysOf returns the keys of a request, the most exact first.
func keysOf(r *engine.TaskRequest) [3]requestKey {
	path := r.Visit.Path()
	return [...]requestKey{
		{state: path, visit: r.Visit.Number, attempt: r.Attempt}, {state: path, invocation: r.Invocation},
		{state: "*/" + r.Visit.State.Name, invocation: r.Invocation},
	}
}

// index finds the request of each answer among the recorded events.
func (r *recordedSource) index(recorded *Log) {
	byID := make(map[int64]*engine.TaskRequest)
	for event := range recorded.All() {
		if request, ok := event.Detail.(*engine.TaskRequest); ok && request.Visit != nil {
			byID[request.ID] = request
		}
	}
	r.used, r.byKey, r.mapRuns = make([]bool, len(r.answers)), make(map[requestKey][]int), make(map[mapRunKey]int)
	for i := range r.answers {
		if a := &r.answers[i]; a.Kind == AnswerMapRun && a.After > 0 && a.After <= int64(recorded.Len()) {
			if begun := recorded.At(int(a.After) - 1); begun.Visit != nil {
				r.mapRuns[mapRunKey{begun.Visit.Path(), begun.Visit.Number, mapRunsUpTo(recorded, int(a.After)-1)}] = i
			}
			continue
		}
		request := byID[r.answers[i].Request]
		if r.answers[i].Kind != AnswerOutcome || request == nil {
			continue
		}
		for _, key := range keysOf(request) {
			r.byKey[key] = append(r.byKey[key], i)
		}
	}
}

// Outcome implements Source.
func (r *recordedSource) Outcome(request *engine.TaskRequest) (engine.Outcome, bool, error) {
	for _, key := range keysOf(request) {
		for _, i := range r.byKey[key] {
			if !r.used[i] {
				r.used[i], r.origin = true, r.answers[i].Origin
				return r.answers[i].Outcome, true, nil
			}
		}
	}
	r.origin = ""
	if r.extra == nil {
		return engine.Outcome{}, false, nil
	}
	return r.extra.Outcome(request)
}

// Object implements Objects: an object is known by the number of its request.
func (r *recordedSource) Object(request *engine.ObjectRequest) (body []byte, ok bool, err error) {
	for i := range r.answers {
		if a := &r.answers[i]; a.Kind == AnswerObject && !r.used[i] && a.Request == request.ID {
			r.used[i], r.origin = true, a.Origin
			if a.Refused != nil {
				return nil, true, a.Refused
			}
			return a.Body, true, nil
		}
	}
	r.origin = ""
	if source, has := r.extra.(Objects); has {
		return source.Object(request)
	}
	return nil, false, nil
}

// Origin implements Originator.
func (r *recordedSource) Origin() string {
	if r.origin != "" {
		return r.origin
	}
	if source, ok := r.extra.(Originator); ok {
		return source.Origin()
	}
	return OriginSource
}

// Reset implements Source.
func (r *recordedSource) Reset() {
	clear(r.used)
	if r.extra != nil {
		r.extra.Reset()
	}
}

// unused returns the answers that nobody got.
func (r *recordedSource) unused() []Answer {
	var left []Answer
	for i, a := range r.answers {
		if a.Kind != AnswerTime && (r.used == nil || !r.used[i]) {
			left = append(left, a)
		}
	}
	return left
}
