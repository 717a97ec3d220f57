package rerun

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// SkeletonError says why no definition can be made of a recording.
type SkeletonError struct{ Msg string }

// Error implements error.
func (e *SkeletonError) Error() string { return e.Msg }

// skeletonComment is in a definition that was made up.
const skeletonComment = "Made up from a recorded history: the states that were seen and the ways between them, without what they do to the data."

// Skeleton makes a definition of the visits of a recording: the states with their types, branches, iterations
// and the transitions that were taken. It is for looking at the recording, not for running: how states treat
// data, no history says. The error is a *[SkeletonError].
func (r *Recording) Skeleton() (*asl.StateMachine, error) {
	top := newScope()
	attempts := r.Attempts()
	for i := len(attempts) - 1; i >= 0; i-- { // the last one knows the states best
		top.addThread(attempts[i], attempts[i].Threads.Root, attempts[i] == r)
	}
	if len(top.states) == 0 {
		return nil, &SkeletonError{"no event of the history names a state"}
	}
	text := value.Pretty(top.object().With("Comment", value.String(skeletonComment)))
	definition, diagnostics := asl.Parse(&source.File{Name: "the recorded history", Data: []byte(text)})
	if definition == nil {
		return nil, &SkeletonError{fmt.Sprintf("the states of the history make no definition: %s", diagnostics[0].Message)}
	}
	markSkeleton(definition, &asl.Origin{Format: SkeletonFormat, Arguments: value.ObjectOf()})
	return definition, nil
}

// SkeletonFormat is the format that the origin of a [Recording.Skeleton] names: nothing of it can be executed.
const SkeletonFormat = asl.FromHistory

// SkeletonAgain makes a skeleton of its text; nil where it is none.
func SkeletonAgain(text *source.File, origin *asl.Origin) *asl.StateMachine {
	definition, _ := asl.Parse(text)
	if definition != nil {
		markSkeleton(definition, origin)
	}
	return definition
}

// markSkeleton puts the recorded visits of the rules in the place of their made up conditions.
func markSkeleton(definition *asl.StateMachine, origin *asl.Origin) {
	definition.Origin = origin
	var mark func(scope *asl.Scope)
	mark = func(scope *asl.Scope) {
		if scope == nil {
			return
		}
		for _, state := range scope.States {
			for _, rule := range state.Choices {
				rule.Test, rule.Condition, rule.Query, rule.Predicate = nil, nil, nil, seenRule{rule.Comment}
			}
			for _, branch := range state.Branches {
				mark(branch)
			}
			mark(state.Processor)
		}
	}
	mark(definition.Top)
}

// seenRule is the condition of a rule that no history tells: a "?" with how often the rule was taken.
type seenRule struct{ text string }

// Holds implements asl.Predicate: it is not known, and no definition with such rules is executed.
func (seenRule) Holds(*asl.Moment) bool { return false }

// String implements asl.Predicate.
func (r seenRule) String() string { return r.text }

// Explain implements asl.Predicate.
func (seenRule) Explain(*asl.Moment) []asl.Finding {
	return []asl.Finding{{What: "condition", Found: "a history does not tell it"}}
}

// scope gathers the states of the threads that run the same scope of the definition.
type scope struct {
	start  string
	states []*seen
	byName map[string]*seen
}

func newScope() *scope { return &scope{byName: make(map[string]*seen)} }

// seen has the facts about a state that its visits show.
type seen struct {
	name, kind string
	next       []string // the states that came next, but after an error
	taken      []int    // how often each of them did
	caught     []string // those that came after an error
	resource   string
	attempts   int
	pause      int64 // of a Wait, in seconds
	failure    *history.Event
	parallel   []*scope // branches, by their first states
	processor  *scope
	mapRun     bool
	escape     string // a state that is made up after it, because none of its scope was seen to be the last
}

// addThread takes in the states of a thread; count says that the ways between them are counted, too.
func (s *scope) addThread(r *Recording, t *history.Thread, count bool) {
	for i, v := range t.Visits {
		state := s.byName[v.Name]
		if state == nil {
			state = &seen{name: v.Name, kind: v.Type, attempts: 1}
			s.byName[v.Name] = state
			s.states = append(s.states, state)
		}
		s.start = cmp.Or(s.start, v.Name)
		state.addVisit(r, v, count)
		if i+1 == len(t.Visits) {
			continue
		}
		next := t.Visits[i+1].Name
		if r.failed(v) {
			state.caught = addOnce(state.caught, next)
		} else {
			state.goes(next, count)
		}
	}
}

func addOnce(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// goes notes a state that came next.
func (s *seen) goes(next string, count bool) {
	at := slices.Index(s.next, next)
	if at < 0 {
		at, s.next, s.taken = len(s.next), append(s.next, next), append(s.taken, 0)
	}
	if count {
		s.taken[at]++
	}
}

// failed reports whether a visit that was left had failed, so that a catcher must have taken the error.
func (r *Recording) failed(v *history.Visit) bool {
	if v.Exited < 0 {
		return false
	}
	before := &r.Threads.Events[v.Exited]
	for i := v.Exited - 1; i >= 0; i-- {
		if r.Threads.Events[i].ID == before.Previous {
			kind := r.Threads.Events[i].Kind()
			return kind.Phase == history.Failed || kind.Phase == history.TimedOut
		}
	}
	return false
}

func (s *seen) addVisit(r *Recording, v *history.Visit, count bool) {
	s.attempts = max(s.attempts, len(v.Attempts), len(v.Rounds))
	if len(v.Attempts) > 0 && s.resource == "" {
		s.resource = r.resourceOf(v.Attempts[0])
	}
	if v.Type == "Wait" && v.Entered >= 0 && v.Exited >= 0 {
		took := r.Threads.Events[v.Exited].Time - r.Threads.Events[v.Entered].Time
		s.pause = min(int64(math.Round(float64(took)/1e9)), 99999999)
	}
	if v.Type == "Fail" {
		s.failure = r.Execution.End()
	}
	for _, round := range v.Rounds {
		s.mapRun = s.mapRun || round.MapRun >= 0
		for _, t := range round.Threads {
			s.scopeOf(t).addThread(r, t, count)
		}
	}
}

// scopeOf returns the scope that a thread of the state's runs.
func (s *seen) scopeOf(t *history.Thread) *scope {
	if s.kind == "Map" {
		if s.processor == nil {
			s.processor = newScope()
		}
		return s.processor
	}
	for _, branch := range s.parallel {
		if branch.start == t.First() {
			return branch
		}
	}
	branch := newScope()
	s.parallel = append(s.parallel, branch)
	return branch
}

// resourceOf returns the Resource of a task, as far as its first event tells it.
func (r *Recording) resourceOf(attempt *history.Attempt) string {
	for _, i := range []int{attempt.Scheduled, attempt.Started, attempt.Submitted, attempt.Ended} {
		if i < 0 {
			continue
		}
		event := &r.Threads.Events[i]
		resource, of := event.Text("resource"), event.Text("resourceType")
		switch {
		case of != "" && resource != "":
			return "arn:aws:states:::" + of + ":" + resource
		case resource != "":
			return resource
		}
	}
	return ""
}

// outside is the name of a state that was not seen, by one that was: names are unique in a machine.
func outside(name string) string { return "(not recorded: " + name + ")" }

// escape gives a scope a way out that was left in the middle of a loop: every definition must have an end. It
// reports whether one was needed.
func (s *scope) escape() bool {
	var way *seen
	for _, state := range s.states {
		switch state.kind {
		case "Succeed", "Fail":
			return false
		case "Choice":
			if way == nil || way.kind != "Choice" {
				way = state
			}
		default:
			if len(state.next) == 0 {
				return false
			}
			if way == nil && state.takesErrors() {
				way = state
			}
		}
	}
	if way == nil {
		return false
	}
	way.escape = outside(s.start)
	return true
}

func (s *seen) takesErrors() bool { return s.kind == "Task" || s.kind == "Map" || s.kind == "Parallel" }

func (s *scope) object() *value.Object {
	var states value.ObjectBuilder
	escape := s.escape()
	for _, state := range s.states {
		states.Set(state.name, state.object())
	}
	if escape {
		states.Set(outside(s.start), value.Must(`{"Type":"Succeed"}`))
	}
	return value.ObjectOf(
		value.Member{Key: "StartAt", Value: value.String(s.start)}, value.Member{Key: "States", Value: states.Object()},
	)
}

// notSeen is the scope of a branch or iteration that was not seen.
func (s *seen) notSeen() *value.Object {
	name := outside(s.name)
	return value.ObjectOf(
		value.Member{Key: "StartAt", Value: value.String(name)},
		value.Member{Key: "States", Value: value.ObjectOf(value.Member{Key: name, Value: value.Must(`{"Type":"Pass","End":true}`)})},
	)
}

func (s *seen) object() *value.Object {
	o := value.ObjectOf(value.Member{Key: "Type", Value: value.String(s.kind)})
	text := func(key, text string) { o = o.With(key, value.String(text)) }
	switch s.kind {
	case "Task":
		text("Resource", "arn:aws:states:::unknown:unknown")
		if s.resource != "" {
			text("Resource", s.resource)
		}
	case "Wait":
		o = o.With("Seconds", value.Int(s.pause))
	case "Fail":
		if s.failure != nil && s.failure.Text("error") != "" {
			text("Error", s.failure.Text("error"))
		}
		return o
	case "Succeed":
		return o
	case "Choice":
		o = o.With("Choices", s.choices())
		if s.escape != "" {
			o = o.With("Default", value.String(s.escape))
		}
		return o
	case "Parallel":
		branches := value.Each(s.parallel, func(branch *scope) value.Value { return branch.object() })
		if len(branches) == 0 {
			branches = append(branches, s.notSeen())
		}
		o = o.With("Branches", value.NewArray(branches))
	case "Map":
		processor := s.notSeen()
		if s.processor != nil && len(s.processor.states) > 0 {
			processor = s.processor.object()
		}
		if s.mapRun {
			processor = processor.With("ProcessorConfig", value.Must(`{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"}`))
		}
		o = o.With("ItemProcessor", processor)
	}
	return s.ways(o)
}

// choices are rules that lead where the Choice state led. Their conditions are not known: the comments say how often they held.
func (s *seen) choices() value.Value {
	rule := func(next string, taken int) value.Value {
		return value.Must(`{"Variable":"$","IsPresent":true}`).(*value.Object).
			With("Comment", value.String(fmt.Sprintf("? (%dx)", taken))).With("Next", value.String(next))
	}
	rules := []value.Value{}
	for i, next := range s.next {
		rules = append(rules, rule(next, s.taken[i]))
	}
	if len(rules) == 0 { // it was never left
		rules = append(rules, rule(s.name, 0))
	}
	return value.NewArray(rules)
}

// ways adds where the state leads to.
func (s *seen) ways(o *value.Object) *value.Object {
	takesErrors, caught := s.takesErrors(), s.caught
	if s.escape != "" {
		caught = append(slices.Clone(caught), s.escape)
	}
	if takesErrors && s.attempts > 1 {
		o = o.With("Retry", value.ArrayOf(value.ObjectOf(
			value.Member{Key: "ErrorEquals", Value: value.Must(`["States.ALL"]`)},
			value.Member{Key: "MaxAttempts", Value: value.Int(int64(s.attempts - 1))},
		)))
	}
	if takesErrors && len(caught) > 0 {
		catchers := make([]value.Value, len(caught))
		for i, next := range caught {
			names := `["States.ALL"]`
			if i+1 < len(caught) {
				names = `["(not recorded)"]` // only the last one may take all
			}
			catchers[i] = value.ObjectOf(
				value.Member{Key: "ErrorEquals", Value: value.Must(names)}, value.Member{Key: "Next", Value: value.String(next)},
			)
		}
		o = o.With("Catch", value.NewArray(catchers))
	}
	if len(s.next) > 0 {
		return o.With("Next", value.String(s.next[0]))
	}
	return o.With("End", value.Bool(true))
}
