package debug

import (
	"fmt"
	"strings"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/expr"
	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/internal/spelling"
)

// Breakpoint is a place, or a kind of event, at which a session stops.
type Breakpoint struct {
	// ID numbers the breakpoints of a session from 1. A number is not used twice.
	ID int
	// Pattern names states by name, path or wildcard; empty means every state.
	Pattern string
	// Stage is the stage after which to stop; NoStage means at the state's entry.
	Stage engine.Stage
	// OnError stops at every error that comes up, whether it will be caught or not.
	OnError bool
	// Condition must hold over the data, as an expression of package expr; empty always holds.
	Condition string
	Enabled   bool
	// Hits counts how often the session has stopped at it since the start.
	Hits int

	condition *expr.Expression
}

// The words of a breakpoint's spec.
const (
	errorWord     = "error"
	conditionWord = " if "
)

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
		spec += ":" + b.Stage.String()
	}
	if b.Condition != "" {
		spec += conditionWord + b.Condition
	}
	return spec
}

// SpecError says what is wrong with the spec of a breakpoint or the target of a command.
type SpecError struct {
	Spec, Msg string
	Err       error // of a condition that cannot be compiled
}

// Error implements error.
func (e *SpecError) Error() string { return fmt.Sprintf("%q %s", e.Spec, e.Msg) }

// Unwrap returns the fault of the condition.
func (e *SpecError) Unwrap() error { return e.Err }

// Break adds a breakpoint. Its spec is a state's name, path or pattern, optionally with a stage
// ("Charge:ResultPath") or with "error" ("Charge:error"); "error" alone stands for errors anywhere.
// " if " and an expression over the data may follow. The error is a *[SpecError].
func (s *Session) Break(spec string) (*Breakpoint, error) {
	b := &Breakpoint{Enabled: true}
	place, condition, conditional := strings.Cut(strings.TrimSpace(spec), conditionWord)
	place = strings.TrimSpace(place)
	if conditional {
		compiled, err := expr.Compile(strings.TrimSpace(condition))
		if err != nil {
			return nil, &SpecError{Spec: spec, Msg: "has a condition that cannot be read: " + err.Error(), Err: err}
		}
		b.Condition, b.condition = strings.TrimSpace(condition), compiled
	}
	if err := b.setPlace(spec, place, s.machine.Definition()); err != nil {
		return nil, err
	}
	s.lastBreakpoint++
	b.ID = s.lastBreakpoint
	s.breakpoints = append(s.breakpoints, b)
	return b, nil
}

func (b *Breakpoint) setPlace(spec, place string, definition *asl.StateMachine) error {
	switch {
	case place == "":
		return &SpecError{Spec: spec, Msg: "names no state"}
	case anyStateMatches(definition, place): // a name may have a colon in it, or be "error"
		b.Pattern = place
		return nil
	case place == errorWord:
		b.OnError = true
		return nil
	}
	at := strings.LastIndexByte(place, ':')
	if at < 0 {
		return &SpecError{Spec: spec, Msg: "matches no state of the definition" + suggestion(definition, place)}
	}
	pattern, word := place[:at], place[at+1:]
	if !anyStateMatches(definition, pattern) {
		return &SpecError{Spec: spec, Msg: "matches no state of the definition" + suggestion(definition, pattern)}
	}
	b.Pattern = pattern
	if strings.EqualFold(word, errorWord) {
		b.OnError = true
		return nil
	}
	stage, ok := stageNamed(definition, pattern, word)
	if !ok {
		return &SpecError{Spec: spec, Msg: fmt.Sprintf("names a stage %q that no state matching %q has", word, pattern)}
	}
	b.Stage = stage
	return nil
}

// stageNamed finds a stage by the name of its field, of the stage itself, or of TestState's inspection.
func stageNamed(definition *asl.StateMachine, pattern, word string) (engine.Stage, bool) {
	for state := range definition.All() {
		if !matchesState(pattern, state) {
			continue
		}
		for _, info := range engine.StagesOf(state) {
			for _, name := range []string{info.Field, info.Stage.String(), info.Stage.Inspection()} {
				if name != "" && strings.EqualFold(word, name) {
					return info.Stage, true
				}
			}
		}
	}
	return engine.NoStage, false
}

func anyStateMatches(definition *asl.StateMachine, pattern string) bool {
	for state := range definition.All() {
		if matchesState(pattern, state) {
			return true
		}
	}
	return false
}

// suggestion names the state that was probably meant: one whose name is like what was asked for, or
// contains it.
func suggestion(definition *asl.StateMachine, asked string) string {
	names := func(yield func(string) bool) {
		for state := range definition.All() {
			if !yield(state.Name) {
				return
			}
		}
	}
	found := spelling.Nearest(asked, names)
	folded := strings.ToLower(asked)
	for name := range names {
		if found == "" && asked != "" && strings.Contains(strings.ToLower(name), folded) {
			found = name
		}
	}
	if found == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", found)
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
		if !b.OnError && b.Stage == engine.NoStage && matchesState(b.Pattern, state) {
			return b
		}
	}
	return nil
}

// hit returns the first breakpoint that the event triggers, and counts the hit.
func (s *Session) hit(event *engine.Event) *Breakpoint {
	for _, b := range s.breakpoints {
		if b.Enabled && b.triggeredBy(event) && s.holds(b, event) {
			b.Hits++
			return b
		}
	}
	return nil
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
	return b.Pattern == "" || (event.Visit != nil && matchesVisit(b.Pattern, event.Visit))
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
	holds, err := b.condition.Truth(&expr.Env{
		Data: data, Context: s.execution.ContextOf(event.Thread), Variables: s.execution.VariablesOf(event.Thread), Fields: Fields(event),
	})
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
