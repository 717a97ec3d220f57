package debug

import (
	"asldb/engine"
	"asldb/engine/interrupt"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
)

// asker asks the source for the requests of the execution.
type asker struct {
	s *Session
	// pending: the source was interrupted before it had replied to all that the newest step brought, whose first event is
	// number first.
	pending bool
	first   int
}

// stopFor returns the stop for an error of the source. After one that says that an evaluation was interrupted, the source
// is asked again before anything else happens.
func (a *asker) stopFor(fault error) Stop {
	if interrupt.Is(fault) {
		a.pending = true
		return Stop{Reason: StoppedByInterrupt, Err: fault}
	}
	return Stop{Reason: StoppedBySource, Err: fault}
}

// all asks the source for the requests of the execution since event first.
func (a *asker) all(first int) error {
	a.pending = false
	if a.s.machine.HasMapRuns() {
		if err := a.mapRuns(first); err != nil {
			return err
		}
	}
	return a.open()
}

// open asks the source for tasks and objects.
func (a *asker) open() error {
	s := a.s
	if s.execution.UnansweredAfter(s.refused) != nil {
		if err := a.tasks(); err != nil {
			return err
		}
	}
	if s.execution.UnansweredObjectAfter(s.refusedObject) != nil {
		return a.objects()
	}
	return nil
}

// tasks asks the source for the outcomes of the tasks for which it was not asked yet.
func (a *asker) tasks() error {
	s := a.s
	if s.options.Source == nil {
		return nil
	}
	for {
		request := s.execution.UnansweredAfter(s.refused)
		if request == nil {
			return nil
		}
		if asks := s.options.asks; asks != nil && asks(request) {
			s.refused = request.ID
			return nil
		}
		ask := outcome.Task{Request: request}
		reply := s.options.Source.Ask(ask)
		switch reply.Kind() {
		case outcome.KindGiven:
			if err := s.give(&runlog.Input{Kind: runlog.InputOutcome, Request: request.ID, Outcome: reply.Outcome(), Origin: reply.Origin()}); err != nil {
				return err
			}
		case outcome.KindLater:
			s.refused = request.ID
			s.called = append(s.called, request.ID)
			reply.Begin(s.execution.Now(), bound(s.execution, request))
		case outcome.KindNone:
			s.refused = request.ID // the next may have an outcome, where a recording did not say which was refused
			s.noteReason(request.ID, reply.Err())
		case outcome.KindFault:
			return reply.Err()
		case outcome.KindContent, outcome.KindRefusal: // of objects
			return &outcome.ReplyError{Ask: ask, Reply: reply}
		}
	}
}

// objects asks the source for the objects that ItemReaders have requested.
func (a *asker) objects() error {
	s := a.s
	for {
		request := s.execution.UnansweredObjectAfter(s.refusedObject)
		if request == nil {
			return nil
		}
		if s.options.Source == nil {
			s.refusedObject = request.ID
			continue
		}
		given := runlog.Input{Kind: runlog.InputObject, Request: request.ID}
		ask := outcome.Object{Request: request}
		reply := s.options.Source.Ask(ask)
		switch reply.Kind() {
		case outcome.KindContent:
			given.Body, given.Origin = reply.Body(), reply.Origin()
		case outcome.KindRefusal:
			given.Refused, given.Origin = reply.Refused(), reply.Origin()
		case outcome.KindNone:
			s.refusedObject = request.ID
			continue
		case outcome.KindFault:
			return reply.Err()
		case outcome.KindGiven, outcome.KindLater: // of tasks
			return &outcome.ReplyError{Ask: ask, Reply: reply}
		}
		if err := s.give(&given); err != nil {
			return err
		}
	}
}

// mapRuns asks the source for the outcomes of the Map Runs that have begun with the events from first on.
func (a *asker) mapRuns(first int) error {
	s := a.s
	if s.options.Source == nil || s.options.Forget {
		return nil
	}
	for i := first; i < s.log.Len(); i++ {
		event := s.log.At(i)
		if event.Type != engine.MapRunStarted {
			continue
		}
		ask := outcome.MapRun{Visit: event.Visit, Attempt: s.log.MapRuns(i)}
		reply := s.options.Source.Ask(ask)
		switch reply.Kind() {
		case outcome.KindGiven:
			if err := s.give(&runlog.Input{Kind: runlog.InputMapRun, Thread: event.Thread, Outcome: reply.Outcome(), Origin: reply.Origin()}); err != nil {
				return err
			}
		case outcome.KindNone: // the executions run
		case outcome.KindFault:
			return reply.Err()
		case outcome.KindContent, outcome.KindRefusal, outcome.KindLater: // a Map Run is not called and not an object
			return &outcome.ReplyError{Ask: ask, Reply: reply}
		}
	}
	return nil
}

// again asks the source for the requests that it was not asked for, after it gave an error or when there was none.
func (a *asker) again() Stop {
	s := a.s
	given := s.inputs.Len()
	if fault := a.open(); fault != nil {
		return a.stopFor(fault)
	}
	if s.inputs.Len() > given {
		return Stop{Reason: StillRunning}
	}
	if len(s.Calls().Open()) > 0 {
		return Stop{Reason: StoppedForCall}
	}
	return a.waits()
}

// waits is the stop of a run that waits for an answer from outside.
func (a *asker) waits() Stop {
	stop := Stop{Reason: StoppedForAnswer}
	if len(a.s.execution.Requests()) == 0 {
		stop.Object = a.s.execution.UnansweredObject()
	}
	return stop
}

// seek puts the source where the run is at its end: it has been asked for every request of the run, whichever source
// answered, but for the requests for which it will be asked again, those with a call among them.
func (a *asker) seek() {
	s := a.s
	source := s.options.Source
	if source == nil || s.logOnly {
		return
	}
	for _, id := range s.Calls().Open() { // Seek cancels the calls
		s.refused = min(s.refused, id-1)
	}
	s.called = nil
	again := make(map[int64]bool)
	for request := s.execution.UnansweredAfter(s.refused); request != nil; request = s.execution.UnansweredAfter(request.ID) {
		again[request.ID] = true
	}
	objects := make(map[int64]bool)
	for _, request := range s.execution.ObjectRequests() {
		objects[request.ID] = request.ID > s.refusedObject
	}
	var asked []outcome.Ask
	for i := range s.log.Len() {
		event := s.log.At(i)
		switch request := event.Detail.(type) {
		case *engine.TaskRequest:
			if event.Type == engine.TaskScheduled && !again[request.ID] {
				asked = append(asked, outcome.Task{Request: request})
			}
		case *engine.ObjectRequest:
			if event.Type == engine.ObjectRequested && !objects[request.ID] {
				asked = append(asked, outcome.Object{Request: request})
			}
		}
		if event.Type == engine.MapRunStarted {
			asked = append(asked, outcome.MapRun{Visit: event.Visit, Attempt: s.log.MapRuns(i)})
		}
	}
	source.Seek(asked)
}

// noteReason remembers why the source has no outcome for a request.
func (r *run) noteReason(request int64, reason error) {
	switch {
	case reason == nil:
		delete(r.reasons, request)
		return
	case r.reasons == nil:
		r.reasons = make(map[int64]error)
	}
	r.reasons[request] = reason
}

// Reason returns why the source has no outcome for a request, of number id, that waits for one; nil where the source does
// not say.
func (s *Session) Reason(id int64) error { return s.reasons[id] }
