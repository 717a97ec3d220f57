package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/expr"
	"asldb/engine/value"
)

// BreakKind is what a breakpoint waits for.
type BreakKind uint8

// The kinds of breakpoints.
const (
	// BreakEntry: a state is entered.
	BreakEntry BreakKind = iota
	// BreakStage: a stage of a state is over, for better or worse.
	BreakStage
	// BreakError: an error comes up, whatever is made of it afterwards.
	BreakError
	// BreakCaught: an error comes up that a retrier or a catcher takes, in the state or in one that holds it, or
	// that a Map state tolerates.
	BreakCaught
	// BreakUncaught: an error comes up that nothing takes, so that it ends the execution.
	BreakUncaught
	// BreakRetry: a retrier has taken an error.
	BreakRetry
	// BreakCatch: a catcher has taken an error.
	BreakCatch
	// BreakTimeout: a TimeoutSeconds or a HeartbeatSeconds is over.
	BreakTimeout
	// BreakScheduled: a task is asked for.
	BreakScheduled
	// BreakTransition: a state is left for another one.
	BreakTransition
	// BreakChange: an expression over the data gives another value than before: see [Session.Changes].
	BreakChange
	// BreakTime: the virtual clock comes to an instant. The session stops at the first event then; where none happens
	// then it stops the clock. Walking over what is known it stops at the first event that is not before the instant.
	BreakTime
)

// Breakpoint is a place, or a kind of event, at which a session stops, or of which it keeps a message.
type Breakpoint struct {
	// ID numbers the breakpoints of a session from 1. A number is not used twice.
	ID   int
	Kind BreakKind
	// Pattern names states by name, path or wildcard; empty means every state. To is what it is for the state that
	// a transition leads to.
	Pattern, To string
	// Stage is the stage of BreakStage. Field is what the states call it, "Task" for a Task state's work.
	Stage engine.Stage
	Field string
	// Names is a pattern of Error Names; empty means every error.
	Names string
	// Watched is the expression of BreakChange.
	Watched string
	// After is how long after the start BreakTime is; At is the instant where the spec has one.
	After time.Duration
	At    time.Time
	// Condition must hold over the data, as an expression of package expr; empty always holds.
	Condition string
	// HitCount says at which hits the session stops; the zero HitCount is all of them.
	HitCount HitCount
	// Once: the breakpoint is removed when the session has stopped for it.
	Once bool
	// Message makes it a logpoint: the session does not stop, it keeps the message. Expressions stand in braces.
	Message string
	Enabled bool
	// Hits counts the events that it fits, since it was made or the run started anew.
	Hits int
	// Fault says why the condition, the watched expression or the message could not be evaluated the last time.
	Fault error

	condition *expr.Expression
	watched   *expr.Expression
	message   messageText
	state     *asl.State // of BreakAt: this one, in place of what Pattern matches
	since     int        // the number of events when it was made
	// places are the events, from 0, that were counted in Hits, in order; counted is up to which event they are.
	places  []int
	counted int
	// ahead is one more than the event that was counted before it happened, since the clock stopped first; 0 for none.
	ahead int
}

// points are the breakpoints and watches of a session, with what the logpoints wrote.
type points struct {
	breakpoints    []*Breakpoint
	lastBreakpoint int
	messages       []Message

	watches   []*Watch
	lastWatch int
	stood     int // see [Session.PreviousStop]

	hands hands
}

// AnyError reports whether the breakpoint is for every error, wherever it comes up.
func (b *Breakpoint) AnyError() bool {
	return b.Kind == BreakError && (b.Pattern == "" || b.Pattern == "*") && b.Names == "" && b.Condition == "" &&
		b.Message == "" && b.HitCount == HitCount{}
}

// Place returns the state that the breakpoint was made for by [Session.BreakAt], nil otherwise.
func (b *Breakpoint) Place() *asl.State { return b.state }

// Break adds a breakpoint from its spec; [SpecHelp] is the grammar. The error is a *[SpecError].
func (s *Session) Break(spec string) (*Breakpoint, error) {
	b, err := readBreakpoint(spec, s.machine.Definition())
	if err != nil {
		return nil, err
	}
	return s.add(b), nil
}

// CheckBreak reads a spec without adding a breakpoint. The errors are those of [Session.Break].
func (s *Session) CheckBreak(spec string) (*Breakpoint, error) {
	return readBreakpoint(spec, s.machine.Definition())
}

// BreakAt adds a breakpoint at the entry of a state of the definition, whatever its name looks like.
func (s *Session) BreakAt(state *asl.State) *Breakpoint {
	return s.add(&Breakpoint{Pattern: state.Path(), state: state})
}

func (s *Session) add(b *Breakpoint) *Breakpoint {
	s.lastBreakpoint++
	b.ID, b.Enabled, b.since, b.counted = s.lastBreakpoint, true, s.position, s.position
	s.breakpoints = append(s.breakpoints, b)
	return b
}

// Rebreak gives the breakpoint of a number another spec; the number, and whether it is enabled, stay. The hits are
// counted anew. It returns nil where there is none of that number; the error is a *[SpecError].
func (s *Session) Rebreak(id int, spec string) (*Breakpoint, error) {
	for i, old := range s.breakpoints {
		if old.ID != id {
			continue
		}
		b, err := readBreakpoint(spec, s.machine.Definition())
		if err != nil {
			return nil, err
		}
		b.ID, b.Enabled, b.since, b.counted = old.ID, old.Enabled, s.position, s.position
		s.breakpoints[i] = b
		return b, nil
	}
	return nil, nil
}

// Breakpoints returns the breakpoints in the order in which they were made. Enabled may be changed.
func (s *Session) Breakpoints() []*Breakpoint { return s.breakpoints }

// Remove takes a breakpoint away. It reports false when there is none of that number.
func (s *Session) Remove(id int) bool {
	for i, b := range s.breakpoints {
		if b.ID == id {
			s.breakpoints = append(s.breakpoints[:i:i], s.breakpoints[i+1:]...)
			return true
		}
	}
	return false
}

// BreakpointAt returns the first breakpoint, enabled or not, that stops at the entry of a state, or nil.
func (s *Session) BreakpointAt(state *asl.State) *Breakpoint {
	for _, b := range s.breakpoints {
		if b.Kind != BreakEntry || b.Message != "" {
			continue
		}
		if b.state == state || (b.state == nil && matchesState(b.Pattern, state)) {
			return b
		}
	}
	return nil
}

// hit returns the first breakpoint that the session stops at for the event, counts the hits of each, and keeps the
// messages of logpoints.
func (s *Session) hit(event *engine.Event) *Breakpoint {
	var first *Breakpoint
	var spent []int
	place := int(event.Seq) - 1
	for _, b := range s.breakpoints {
		stood := b.ahead == place+1 // the session has stopped for it already
		b.forget(place)             // the event happens now, whatever was known of it
		if b.Enabled {
			s.countUpTo(b, place) // events of a step in which the session stopped earlier
		}
		triggered := b.Enabled && s.triggers(b, place)
		if s.poll.Err() != nil {
			break // it is not known: the event is counted when its condition can be evaluated
		}
		b.counted = place + 1
		if !triggered {
			continue
		}
		b.count(place)
		switch {
		case stood, !b.HitCount.fits(b.Hits):
			continue
		case b.Message != "":
			s.keepMessage(b, event)
		case first == nil:
			first = b
		}
		if b.Once {
			spent = append(spent, b.ID)
		}
	}
	for _, id := range spent {
		s.Remove(id)
	}
	return first
}

// count notes a hit.
func (b *Breakpoint) count(place int) {
	b.places = append(b.places, place)
	b.Hits = len(b.places)
}

// countUpTo counts the hits of a breakpoint up to event n, with the messages that they leave.
func (s *Session) countUpTo(b *Breakpoint, n int) {
	for ; b.counted < n; b.counted++ {
		triggered := s.triggers(b, b.counted)
		if s.poll.Step(1) != nil {
			return
		}
		if !triggered {
			continue
		}
		b.count(b.counted)
		if b.Message != "" && b.Enabled && b.HitCount.fits(b.Hits) {
			s.keepMessage(b, s.log.At(b.counted))
		}
	}
}

// countHits counts the hits of events that the session does not stop at because whoever brought them about stands there.
func (s *Session) countHits() {
	for _, b := range s.breakpoints {
		if b.Enabled {
			s.countUpTo(b, s.log.Len())
		}
	}
}

// forget lets go of the hits from event n on.
func (b *Breakpoint) forget(n int) {
	b.since, b.counted = min(b.since, n), min(b.counted, n)
	if b.ahead > n {
		b.ahead = 0
	}
	for len(b.places) > 0 && b.places[len(b.places)-1] >= n {
		b.places = b.places[:len(b.places)-1]
	}
	b.Hits = len(b.places)
}

// recount puts hits and messages to what they are after the first n events, for going back and forth without walking:
// walking on over events that are known already then counts them again. The first common events are those that they were counted over:
// at most those that come after them are looked at.
func (s *Session) recount(n, common int) {
	s.forgetMessages(min(n, common))
	for _, b := range s.breakpoints {
		b.Fault = nil
		b.forget(min(n, common))
		s.countUpTo(b, n)
		s.countClock(b)
	}
	s.forgetHistories(min(n, common))
	s.hands = hands{}
}

// stopBefore returns the newest of the first n events at which an enabled breakpoint stops, and that breakpoint; nil
// where there is none. Hits are counted from the log, so that the same events stop as on the way forward.
func (s *Session) stopBefore(n int) (i int, at *Breakpoint) {
	i = -1
	for _, b := range s.breakpoints {
		if !b.Enabled || b.Message != "" {
			continue
		}
		if found := s.lastStop(b, i+1, n); found > i {
			i, at = found, b
		}
	}
	return i, at
}

// lastStop returns the newest event from from on and before n at which b stops, or -1.
func (s *Session) lastStop(b *Breakpoint, from, n int) int {
	if b.HitCount == (HitCount{}) {
		for i := n - 1; i >= from && s.poll.Step(1) == nil; i-- {
			if s.triggers(b, i) {
				return i
			}
		}
		return -1
	}
	last, hits := -1, 0
	for i := min(b.since, n); i < n && s.poll.Step(1) == nil; i++ {
		if !s.triggers(b, i) {
			continue
		}
		if hits++; i >= from && b.HitCount.fits(hits) {
			last = i
		}
	}
	return last
}

// Fields returns the names that an expression can use besides paths: type, state, path, stage, thread,
// visit, and of an error error and cause.
func Fields(event *engine.Event) map[string]value.Value {
	fields := map[string]value.Value{
		"type":   value.String(event.Type.String()),
		"stage":  value.String(event.Stage.String()),
		"thread": value.Int(int64(event.Thread)),
		"seq":    value.Int(event.Seq),
	}
	if visit := event.Visit; visit != nil {
		fields["state"] = value.String(visit.State.Name)
		fields["path"] = value.String(visit.Path())
		fields["visit"] = value.Int(int64(visit.Number))
	}
	if failure := failureOf(event); failure != nil {
		fields["error"] = value.String(failure.Name)
		fields["cause"] = value.String(failure.Cause)
	}
	return fields
}

// failureOf returns the error that the event is about, or nil.
func failureOf(event *engine.Event) *engine.Failure {
	switch detail := event.Detail.(type) {
	case *engine.Failure:
		return detail
	case *engine.RetryDetail:
		return detail.Failure
	case *engine.CatchDetail:
		return detail.Failure
	}
	return nil
}
