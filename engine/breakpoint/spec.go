package breakpoint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/internal/wording"
)

// SpecError is an error in the spec of a breakpoint or the target of a command.
type SpecError struct {
	Spec, Msg string
	Err       error // of an expression that cannot be compiled
}

// Error implements error.
func (e *SpecError) Error() string { return fmt.Sprintf("%q %s", e.Spec, e.Msg) }

// Unwrap returns the fault of the expression.
func (e *SpecError) Unwrap() error { return e.Err }

// The words of a breakpoint's spec.
const (
	errorWord  = "error"
	changeWord = "change"
	atWord     = "at"
	arrow      = " -> "

	hitsWord = "hits"
	onceWord = "once"
	ifWord   = "if"
	logWord  = "log"
)

// eventWords are the words for kinds of events, each with whether an Error Name may follow. Of one kind the first is
// the one that it is listed by.
var eventWords = [...]struct {
	word  string
	kind  Kind
	named bool
}{
	{errorWord, OnError, true},
	{"caught error", OnCaught, true},
	{"uncaught error", OnUncaught, true},
	{"retry", OnRetry, true},
	{"catch", OnCatch, true},
	{"timeout", OnTimeout, false},
	{"scheduled", OnScheduled, false},
	{"task scheduled", OnScheduled, false},
}

// Form is one form of a breakpoint's spec, or one clause that may follow it.
type Form struct{ Syntax, Meaning, Example string }

// Help returns the grammar of specs: the forms of a place first (a spec has one), then
// the clauses, which may follow it in any order, but for log, which takes all that is behind it. The examples fit states of a
// query language.
func Help(language asl.QueryLanguage) (places, clauses []Form) {
	stage, total, condition, data := "ResultPath", "$.order.total", "$.total > 100", "$ is the data after the stage"
	if language == asl.JSONata {
		stage, total, condition, data = "Output", "$states.input.total", "$states.input.total > 100", "in JSONata, also $.total > 100 on the data after the stage"
	}
	return []Form{
			{"STATE", "at a state's entry: name, path or pattern (* any, ** also /)", "Fulfil/Branches[1]/*"},
			{"STATE:STAGE", "after a stage of it", "Charge:" + stage},
			{"STATE:Choices[N]", "when a Choice state takes rule N, from 0", "Check:Choices[0]"},
			{"STATE -> STATE", "when one leads to the other; * for any", "* -> Refund"},
			{"error [NAME]", "at an error; NAME may have *", "error Card.*"},
			{"caught error, uncaught error", "at an error that is taken, or that ends the run", "uncaught error States.*"},
			{"retry [NAME], catch [NAME]", "when a retrier or a catcher takes an error", "retry Card.Timeout"},
			{"timeout, scheduled", "when a task times out; when one is asked for", "scheduled"},
			{"STATE:EVENT", "any of these, in one state only", "Charge:error Card.*"},
			{"change EXPRESSION", "when its value changes", "change " + total},
			{"at TIME", "at a time after the start, or on the clock", "at +5m"},
		}, []Form{
			{"if EXPRESSION", "only where it holds; " + data, "if " + condition},
			{"hits == N", "only at that hit; also != < <= > >=, and % for every N-th", "hits % 10"},
			{"once", "remove it after it has stopped the run", "once"},
			{"log TEXT", "do not stop, keep a message; expressions in braces", "log total is {" + total + "}"},
		}
}

// String returns the spec that the breakpoint can be made from again.
func (b *Breakpoint) String() string {
	spec := b.placeText()
	if b.HitCount != (HitCount{}) {
		spec += " " + b.HitCount.String()
	}
	if b.Once {
		spec += " " + onceWord
	}
	if b.Condition != "" {
		spec += " " + ifWord + " " + b.Condition
	}
	if b.Message != "" {
		spec += " " + logWord + " " + quotedMessage(b.Message)
	}
	return spec
}

func (b *Breakpoint) placeText() string {
	var event string
	switch b.Kind {
	case OnEntry:
		return b.Pattern
	case OnTransition:
		return b.Pattern + arrow + b.To
	case OnTime:
		if b.At.IsZero() {
			return atWord + " +" + b.After.String()
		}
		return atWord + " " + b.At.Format(timeForm)
	case OnStage:
		event = b.Field
	case OnChange:
		event = changeWord + " " + b.Watched
	default:
		event = b.Kind.word()
		if b.Names != "" {
			event += " " + quotedName(b.Names)
		}
	}
	if b.Pattern == "" {
		return event
	}
	return b.Pattern + ":" + event
}

func (k Kind) word() string {
	for _, w := range eventWords {
		if w.kind == k {
			return w.word
		}
	}
	return ""
}

// read reads a spec. A state's name may hold anything, " if " and colons as well, so every way to take
// the spec apart is tried, the one that leaves most to the name first.
func read(spec string, definition *asl.StateMachine) (*Breakpoint, error) {
	b, fault := readPlace(spec, spec, definition)
	if fault == nil {
		return b, nil
	}
	placed := false // a place was right and only the rest wrong
	for at := len(spec); at > 0; {
		if at = lastClause(spec, at); at < 0 {
			break
		}
		if b, err := readPlace(spec, spec[:at], definition); err == nil {
			if err = b.readClauses(spec, spec[at:]); err == nil {
				return b, nil
			}
			fault, placed = err, true
		} else if !placed {
			fault = err
		}
	}
	return nil, fault
}

// readPlace reads the place before the clauses: as it is, since a name may begin and end with blanks, and
// without them.
func readPlace(spec, place string, definition *asl.StateMachine) (*Breakpoint, error) {
	if place != "" && anyStateMatches(definition, place) { // a name may have a colon in it, or be "error"
		return &Breakpoint{Pattern: place}, nil
	}
	trimmed := strings.TrimSpace(place)
	switch {
	case trimmed == "":
		return nil, &SpecError{Spec: spec, Msg: "names no state, and no event such as error or change $.total"}
	case anyStateMatches(definition, trimmed):
		return &Breakpoint{Pattern: trimmed}, nil
	}
	if b, err := readEvent(spec, trimmed); b != nil || err != nil {
		return b, err
	}
	if b, err := readTime(spec, trimmed); b != nil || err != nil {
		return b, err
	}
	b, fault := readInState(spec, place, definition)
	if b != nil {
		return b, nil
	}
	b, err := readTransition(spec, place, definition)
	switch {
	case b != nil:
		return b, nil
	case err != nil:
		return nil, err
	case fault != nil:
		return nil, fault
	}
	return nil, noState(spec, trimmed, definition)
}

// readInState reads STATE:STAGE and STATE:EVENT. A name may have colons, as may the rest: the last one that
// leaves a state counts. Both results are nil where there is no colon.
func readInState(spec, place string, definition *asl.StateMachine) (*Breakpoint, error) {
	var fault error
	for at := strings.LastIndexByte(place, ':'); at >= 0; at = strings.LastIndexByte(place[:at], ':') {
		pattern, word := place[:at], strings.TrimSpace(place[at+1:])
		if !anyStateMatches(definition, pattern) {
			if pattern = strings.TrimSpace(pattern); !anyStateMatches(definition, pattern) {
				if fault == nil {
					fault = noState(spec, pattern, definition)
				}
				continue
			}
		}
		b, err := readEvent(spec, word)
		if b != nil {
			b.Pattern = pattern
			return b, nil
		}
		if stage, ok := stageNamed(definition, pattern, word); ok && err == nil {
			return &Breakpoint{Kind: OnStage, Pattern: pattern, Stage: stage.Stage, Field: stage.Field}, nil
		}
		if rule, ok := ruleNamed(definition, pattern, word); ok && err == nil {
			return &Breakpoint{Kind: OnStage, Pattern: pattern, Stage: rule.Stage, Rule: rule.Rule, Field: rule.Word}, nil
		}
		if err == nil {
			err = noStage(spec, pattern, word, definition)
		}
		fault = err
	}
	return nil, fault
}

// readTransition reads STATE -> STATE. Both results are nil where there is no arrow between states.
func readTransition(spec, place string, definition *asl.StateMachine) (*Breakpoint, error) {
	var fault error
	mark := strings.TrimSpace(arrow)
	for at := strings.LastIndex(place, mark); at >= 0; at = strings.LastIndex(place[:at], mark) {
		from, ok := statePattern(definition, place[:at])
		to, okTo := statePattern(definition, place[at+len(mark):])
		switch {
		case !ok:
			fault = noState(spec, from, definition)
		case !okTo:
			fault = noState(spec, to, definition)
		case !anyTransition(definition, from, to):
			fault = &SpecError{Spec: spec, Msg: fmt.Sprintf("is a transition that the definition does not have: %s", successors(definition, from))}
		default:
			return &Breakpoint{Kind: OnTransition, Pattern: from, To: to}, nil
		}
	}
	return nil, fault
}

// statePattern takes a pattern as it is, or else without the blanks around it.
func statePattern(definition *asl.StateMachine, text string) (pattern string, ok bool) {
	for _, cut := range []string{text, strings.TrimSuffix(strings.TrimPrefix(text, " "), " ")} {
		if cut != "" && anyStateMatches(definition, cut) {
			return cut, true
		}
	}
	text = strings.TrimSpace(text)
	return text, text != "" && anyStateMatches(definition, text)
}

func anyTransition(definition *asl.StateMachine, from, to string) bool {
	for state := range definition.All() {
		if !MatchesState(from, state) {
			continue
		}
		for _, edge := range state.Edges() {
			if MatchesState(to, edge.To) {
				return true
			}
		}
	}
	return false
}

// successors says where the states that a pattern matches lead.
func successors(definition *asl.StateMachine, from string) string {
	var names []string
	for state := range definition.All() {
		if !MatchesState(from, state) {
			continue
		}
		for _, edge := range state.Edges() {
			if len(names) == 0 || names[len(names)-1] != edge.To.Name {
				names = append(names, edge.To.Name)
			}
		}
	}
	if len(names) == 0 {
		return from + " leads to no other state"
	}
	return from + " leads to " + strings.Join(names[:min(len(names), 5)], ", ")
}

func noState(spec, asked string, definition *asl.StateMachine) error {
	return &SpecError{Spec: spec, Msg: "matches no state of the definition" + suggestion(definition, asked)}
}

// noStage says which stages and events the states of a pattern have.
func noStage(spec, pattern, word string, definition *asl.StateMachine) error {
	var known []string
	for state := range definition.All() {
		if MatchesState(pattern, state) {
			for _, info := range engine.StagesOf(state) {
				known = append(known, info.Field)
			}
			break
		}
	}
	expected := "expected " + strings.Join(known, ", ") + " or an event such as error"
	known = append(known, engine.StageResult.String())
	for _, w := range eventWords {
		known = append(known, w.word)
	}
	expected = cmp.Or(wording.Meant(word, slices.Values(append(known, changeWord))), expected)
	return &SpecError{Spec: spec, Msg: fmt.Sprintf("names a stage %q that no state matching %q has; %s", word, pattern, expected)}
}

// stageNamed finds a stage by the name of its field, of the stage itself, or of TestState's inspection.
func stageNamed(definition *asl.StateMachine, pattern, word string) (engine.StageInfo, bool) {
	for state := range definition.All() {
		if !MatchesState(pattern, state) {
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

// CheckTarget returns a *[SpecError] where a pattern matches no state of a definition, or nil.
func CheckTarget(pattern string, definition *asl.StateMachine) error {
	if anyStateMatches(definition, pattern) {
		return nil
	}
	return noState(pattern, pattern, definition)
}

func anyStateMatches(definition *asl.StateMachine, pattern string) bool {
	for state := range definition.All() {
		if MatchesState(pattern, state) {
			return true
		}
	}
	return false
}

// minContained is the least length, in bytes, of a word that reminds of the names which contain it.
const minContained = 3

// suggestion returns the probable meaning: a state whose name is like the text or contains it, or the
// word for an event.
func suggestion(definition *asl.StateMachine, asked string) string {
	names := func(yield func(string) bool) {
		for state := range definition.All() {
			if !yield(state.Name) {
				return
			}
		}
	}
	found := wording.Nearest(asked, names)
	folded := strings.ToLower(asked)
	for name := range names {
		if found == "" && len(asked) >= minContained && strings.Contains(strings.ToLower(name), folded) {
			found = name
		}
	}
	if found == "" {
		found = wording.Nearest(asked, func(yield func(string) bool) {
			for _, w := range eventWords {
				if !yield(w.word) {
					return
				}
			}
		})
	}
	if found == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", found)
}
