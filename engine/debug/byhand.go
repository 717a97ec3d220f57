package debug

import (
	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// HandAnswer is something that a person made the run do otherwise than it would by itself, in words that fixtures
// have: which state, which of its invocations, and what came of it.
type HandAnswer struct {
	// Kind is runlog.InputOutcome, runlog.InputEdit, runlog.InputInject, runlog.InputHeartbeat or runlog.InputTimeout.
	Kind runlog.InputKind
	// Visit is where; nil for what was done before the first state.
	Visit *engine.Visit
	// Invocation counts the requests of the state over the whole execution, from 1, as [engine.TaskRequest] does; 0
	// where no task is concerned.
	Invocation int
	// Outcome is that of the task: what was answered, or the error that was injected into it.
	Outcome engine.Outcome
	// Stage and Data are those of an edit.
	Stage engine.Stage
	Data  value.Value
	// Event is the place in the log, from 0, of the first event after it; it may not have happened yet.
	Event int
}

// ByHand lists what the person has answered, injected and edited in this run, in order. Movements of the clock and
// the choice of threads are not among it.
func (s *Session) ByHand() []HandAnswer {
	var list []HandAnswer
	var requests map[int64]*engine.TaskRequest
	for i := range s.inputs.Len() {
		a := s.inputs.At(i)
		if a.Origin != runlog.OriginPerson {
			continue
		}
		hand := HandAnswer{Kind: a.Kind, Event: int(a.After)}
		switch a.Kind {
		case runlog.InputOutcome, runlog.InputHeartbeat, runlog.InputTimeout:
			if requests == nil {
				requests = s.requestsByID()
			}
			if request := requests[a.Request]; request != nil {
				hand.Visit, hand.Invocation = request.Visit, request.Invocation
			}
			hand.Outcome = a.Outcome
		case runlog.InputEdit, runlog.InputInject:
			hand.Outcome = engine.Outcome{Error: a.Error, Cause: a.Cause}
			if hand.Event < s.log.Len() { // the event of it came up at once
				event := s.log.At(hand.Event)
				hand.Visit, hand.Stage = event.Visit, event.Stage
			}
			if a.Edit != nil {
				hand.Data = a.Edit.Value
			}
			if a.Kind == runlog.InputInject {
				hand.Invocation = s.invocationAt(hand)
			}
		default:
			continue
		}
		list = append(list, hand)
	}
	return list
}

// invocationAt returns the number of the request that an injected error ended; 0 where it ended no task.
func (s *Session) invocationAt(hand HandAnswer) int {
	if hand.Visit == nil || s.log.At(hand.Event).Type != engine.TaskFailed {
		return 0
	}
	for i := hand.Event - 1; i >= int(hand.Visit.Entered); i-- {
		event := s.log.At(i)
		if request, ok := event.Detail.(*engine.TaskRequest); ok && event.Visit == hand.Visit {
			return request.Invocation
		}
	}
	return 0
}

func (s *Session) requestsByID() map[int64]*engine.TaskRequest {
	requests := make(map[int64]*engine.TaskRequest)
	for event := range s.log.All() {
		if request, ok := event.Detail.(*engine.TaskRequest); ok {
			requests[request.ID] = request
		}
	}
	return requests
}

// hands knows which events came of what the person did. It is brought up to date when it is asked.
type hands struct {
	seen     int // inputs that it knows of
	events   map[int]runlog.InputKind
	requests map[int64]runlog.InputKind
	origins  map[int64]string // of the outcomes that nobody gave by hand
}

// knownHands returns what is known of the inputs so far.
func (s *Session) knownHands() *hands {
	h := &s.hands
	if h.seen > s.inputs.Len() || h.events == nil {
		*h = hands{events: make(map[int]runlog.InputKind), requests: make(map[int64]runlog.InputKind), origins: make(map[int64]string)}
	}
	for ; h.seen < s.inputs.Len(); h.seen++ {
		a := s.inputs.At(h.seen)
		switch {
		case a.Origin != runlog.OriginPerson:
			if a.Kind == runlog.InputOutcome {
				h.origins[a.Request] = a.Origin
			}
		case a.Kind == runlog.InputEdit, a.Kind == runlog.InputInject, a.Kind == runlog.InputHeartbeat:
			h.events[int(a.After)] = a.Kind
		case a.Kind == runlog.InputOutcome, a.Kind == runlog.InputTimeout:
			h.requests[a.Request] = a.Kind
		}
	}
	return h
}

// endedAt returns the request of the task that ended with event i of the log; nil where the event is another one.
func (s *Session) endedAt(i int) *engine.TaskRequest {
	event := s.log.At(i)
	switch event.Type {
	case engine.TaskSucceeded, engine.TaskFailed, engine.TaskTimedOut:
	default:
		return nil
	}
	for at := i - 1; at >= int(event.Visit.Entered); at-- {
		earlier := s.log.At(at)
		if request, ok := earlier.Detail.(*engine.TaskRequest); ok && earlier.Visit == event.Visit {
			return request
		}
	}
	return nil
}

// HandAt reports whether event i of the log, counted from 0, came of something that the person did, and of what: the
// edit, the error or the heartbeat itself, and the end of a task that was answered or timed out by hand.
func (s *Session) HandAt(i int) (kind runlog.InputKind, by bool) {
	h := s.knownHands()
	if kind, by = h.events[i]; by || len(h.requests) == 0 {
		return kind, by
	}
	if request := s.endedAt(i); request != nil {
		kind, by = h.requests[request.ID]
	}
	return kind, by
}

// OriginAt returns where the outcome came from that event i of the log, counted from 0, tells of: it is the end of a
// task. For any other event, and for what was answered by hand, it returns "".
func (s *Session) OriginAt(i int) string {
	if i < 0 || i >= s.log.Len() {
		return ""
	}
	h := s.knownHands()
	if request := s.endedAt(i); request != nil {
		return h.origins[request.ID]
	}
	return ""
}
