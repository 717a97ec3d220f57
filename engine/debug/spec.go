package debug

import (
	"fmt"
	"strings"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/expr"
	"asldb.dev/asldb/internal/spelling"
)

// The words of a breakpoint's spec.
const (
	errorWord     = "error"
	conditionWord = " if "
)

// SpecError says what is wrong with the spec of a breakpoint or the target of a command.
type SpecError struct {
	Spec, Msg string
	Err       error // of a condition that cannot be compiled
}

// Error implements error.
func (e *SpecError) Error() string { return fmt.Sprintf("%q %s", e.Spec, e.Msg) }

// Unwrap returns the fault of the condition.
func (e *SpecError) Unwrap() error { return e.Err }

// readBreakpoint reads a spec. A state's name may hold anything, " if " and colons as well, so every way to take
// the spec apart is tried, the one that leaves most to the name first.
func readBreakpoint(spec string, definition *asl.StateMachine) (*Breakpoint, error) {
	b, fault := readPlace(spec, spec, definition)
	if fault == nil {
		return b, nil
	}
	placed := false                // a place was right and only its condition wrong
	rest := spec + " "             // so that the condition of "Charge if" is found missing
	for at := len(rest); at > 0; { // from the last " if " to the first
		if at = strings.LastIndex(rest[:min(at+1, len(rest))], conditionWord); at < 0 {
			break
		}
		b, err := readPlace(spec, rest[:at], definition)
		if err == nil {
			if err = b.setCondition(spec, strings.TrimSpace(rest[at+len(conditionWord):])); err == nil {
				return b, nil
			}
			fault, placed = err, true
		} else if !placed {
			fault = err
		}
	}
	return nil, fault
}

func (b *Breakpoint) setCondition(spec, condition string) error {
	if condition == "" {
		return &SpecError{Spec: spec, Msg: "lacks the condition after if, such as $.total > 100"}
	}
	compiled, err := expr.Compile(condition)
	if err != nil {
		return &SpecError{Spec: spec, Msg: "has a condition that cannot be read: " + err.Error(), Err: err}
	}
	b.Condition, b.condition = condition, compiled
	return nil
}

// readPlace reads what stands before the condition: as it is, since a name may begin and end with blanks, and
// without them.
func readPlace(spec, place string, definition *asl.StateMachine) (*Breakpoint, error) {
	if place != "" && anyStateMatches(definition, place) { // a name may have a colon in it, or be "error"
		return &Breakpoint{Pattern: place}, nil
	}
	trimmed := strings.TrimSpace(place)
	switch {
	case trimmed == "":
		return nil, &SpecError{Spec: spec, Msg: "names no state"}
	case anyStateMatches(definition, trimmed):
		return &Breakpoint{Pattern: trimmed}, nil
	case trimmed == errorWord:
		return &Breakpoint{OnError: true}, nil
	}
	at := strings.LastIndexByte(place, ':')
	if at < 0 {
		return nil, noState(spec, trimmed, definition)
	}
	pattern, word := place[:at], strings.TrimSpace(place[at+1:])
	if !anyStateMatches(definition, pattern) {
		if pattern = strings.TrimSpace(pattern); !anyStateMatches(definition, pattern) {
			return nil, noState(spec, pattern, definition)
		}
	}
	if strings.EqualFold(word, errorWord) {
		return &Breakpoint{Pattern: pattern, OnError: true}, nil
	}
	stage, ok := stageNamed(definition, pattern, word)
	if !ok {
		return nil, &SpecError{Spec: spec, Msg: fmt.Sprintf("names a stage %q that no state matching %q has", word, pattern)}
	}
	return &Breakpoint{Pattern: pattern, Stage: stage.Stage, Field: stage.Field}, nil
}

func noState(spec, asked string, definition *asl.StateMachine) error {
	return &SpecError{Spec: spec, Msg: "matches no state of the definition" + suggestion(definition, asked)}
}

// stageNamed finds a stage by the name of its field, of the stage itself, or of TestState's inspection.
func stageNamed(definition *asl.StateMachine, pattern, word string) (engine.StageInfo, bool) {
	for state := range definition.All() {
		if !matchesState(pattern, state) {
			continue
		}
		for _, info := range engine.StagesOf(state) {
			for _, name := range []string{info.Field, info.Stage.String(), info.Stage.Inspection()} {
				if name != "" && strings.EqualFold(word, name) {
					return info, true
				}
			}
		}
	}
	return engine.StageInfo{}, false
}

func anyStateMatches(definition *asl.StateMachine, pattern string) bool {
	for state := range definition.All() {
		if matchesState(pattern, state) {
			return true
		}
	}
	return false
}

// minContained is the least length, in bytes, of a word that reminds of the names which contain it.
const minContained = 3

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
		if found == "" && len(asked) >= minContained && strings.Contains(strings.ToLower(name), folded) {
			found = name
		}
	}
	if found == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", found)
}
