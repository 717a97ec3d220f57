package debug

import (
	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/expr"
	"asldb.dev/asldb/engine/value"
)

// Breakpoint is a place, or a kind of event, at which a session stops.
type Breakpoint struct {
	// ID numbers the breakpoints of a session from 1. A number is not used twice.
	ID int
	// Pattern names states by name, path or wildcard; empty means every state.
	Pattern string
	// Stage is the stage after which to stop; NoStage means at the state's entry. Field is what the states
	// call it, "Task" for a Task state's work.
	Stage engine.Stage
	Field string
	// OnError stops at every error that comes up, whether it will be caught or not.
	OnError bool
	// Condition must hold over the data, as an expression of package expr; empty always holds.
	Condition string
	Enabled   bool
	// Hits counts the events since the start at which the session stopped and that it fits.
	Hits int

	condition *expr.Expression
	state     *asl.State // of BreakAt: this one, in place of what Pattern matches
}

// String returns the spec that the breakpoint can be made from again.
func (b *Breakpoint) String() string {
	spec := b.Pattern
	switch {
	case b.OnError && spec == "":
		spec = errorWord
	case b.OnError:
		spec += ":" + errorWord
	case b.Stage != engine.NoStage:
		if spec == "" {
			spec = "*"
		}
		spec += ":" + b.Field
	}
	if b.Condition != "" {
		spec += conditionWord + b.Condition
	}
	return spec
}

// Break adds a breakpoint. Its spec is a state's name, path or pattern, optionally with a stage
// ("Charge:ResultPath") or with "error" ("Charge:error"); "error" alone stands for errors anywhere.
// " if " and an expression may follow, in which $ is the data after the stage (at an entry the raw input),
// or of an error that has none the data before it. What is a state's name as a whole is taken for that.
// The error is a *[SpecError].
func (s *Session) Break(spec string) (*Breakpoint, error) {
	b, err := readBreakpoint(spec, s.machine.Definition())
	if err != nil {
		return nil, err
	}
	return s.add(b), nil
}

// BreakAt adds a breakpoint at the entry of a state of the definition, whatever its name looks like.
func (s *Session) BreakAt(state *asl.State) *Breakpoint {
	return s.add(&Breakpoint{Pattern: state.Path(), state: state})
}

func (s *Session) add(b *Breakpoint) *Breakpoint {
	s.lastBreakpoint++
	b.ID, b.Enabled = s.lastBreakpoint, true
	s.breakpoints = append(s.breakpoints, b)
	return b
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
		if b.OnError || b.Stage != engine.NoStage {
			continue
		}
		if b.state == state || (b.state == nil && matchesState(b.Pattern, state)) {
			return b
		}
	}
	return nil
}

// hit returns the first breakpoint that the event triggers, and counts the hit of each.
func (s *Session) hit(event *engine.Event) *Breakpoint {
	var first *Breakpoint
	for _, b := range s.breakpoints {
		if b.Enabled && b.triggeredBy(event) && s.holds(b, event) {
			b.Hits++
			if first == nil {
				first = b
			}
		}
	}
	return first
}

func (b *Breakpoint) triggeredBy(event *engine.Event) bool {
	switch {
	case b.OnError:
		if !event.RaisesError() {
			return false
		}
	case b.Stage == engine.NoStage:
		if event.Type != engine.StateEntered {
			return false
		}
	case event.Stage != b.Stage || !completes(event):
		return false
	}
	switch {
	case b.state != nil:
		return event.Visit != nil && event.Visit.State == b.state
	case b.Pattern == "":
		return true
	}
	return event.Visit != nil && matchesVisit(b.Pattern, event.Visit)
}

// completes reports whether the event ends a stage, for better or worse.
func completes(event *engine.Event) bool {
	switch event.Type {
	case engine.StateEntered, engine.StageCompleted, engine.StageFailed, engine.TaskSucceeded, engine.TaskFailed,
		engine.TaskTimedOut, engine.WaitEnded, engine.ParallelSucceeded, engine.ParallelFailed,
		engine.MapSucceeded, engine.MapFailed, engine.MapRunFailed, engine.StateExited:
		return true
	}
	return false
}

// holds evaluates a breakpoint's condition over the data of the event. A condition that cannot be
// evaluated stops the session: the person should see that, not wonder.
func (s *Session) holds(b *Breakpoint, event *engine.Event) bool {
	if b.condition == nil {
		return true
	}
	data := event.After
	if data == nil {
		data = event.Before
	}
	// What the thread sees now may be the next state's already.
	context, variables := s.RootsAt(int(event.Seq) - 1)
	holds, err := b.condition.Truth(&expr.Env{Data: data, Context: context, Variables: variables, Fields: Fields(event)})
	return holds || err != nil
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
	if failure := event.Failure(); failure != nil {
		fields["error"] = value.String(failure.Name)
		fields["cause"] = value.String(failure.Cause)
	}
	return fields
}
