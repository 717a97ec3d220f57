package mutate

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/coverage"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// Expectation is an expectation that no case has, with the value of the definition as it is: a way of keys in expect.
// A key of a list is its index in brackets.
type Expectation struct {
	Keys  []string    `json:"keys"`
	Value value.Value `json:"value"`
}

// explain sets the missing expectation of a survivor: the first part of a run that its change makes another.
func (r *runner) explain(relevant []*base, after []coverage.Run, o *Outcome) {
	for i, b := range relevant {
		if after[i] == nil || b.log == nil {
			continue
		}
		if missing, e := r.unexpected(b.summary(), summaryOf(after[i].Log())); missing != "" {
			o.Case, o.Missing, o.Expected = b.Case, missing, e
			return
		}
	}
	o.Case = relevant[0].Case
	o.Missing = "every run is as before"
	state := ""
	if o.State != nil {
		state = " of " + o.Name()
	}
	switch o.Kind {
	case ComparisonTurned, ConnectiveTurned, NotDropped:
		o.Missing += ": no case has data for which the two conditions" + state + " differ"
	case RulesSwapped:
		o.Missing += ": no case has data for which both rules" + state + " are true"
	case CatcherNarrowed:
		o.Missing += ": no case has an error" + state + " that it no longer takes"
	case CatcherDropped, RetrierDropped:
		o.Missing += ": no case has an error" + state + " that it alone takes"
	case AttemptsChanged:
		o.Missing += ": no case has as many errors" + state
	case DefaultTurned, ResultPathChanged, SelectorDropped, AssignDropped, PayloadDropped, OutputDropped,
		TimeoutDropped, HeartbeatDropped, ToleranceChanged, DelayChanged, ErrorDropped, WaitChanged:
	}
	if o.needs.way != "" {
		o.Missing += " (" + o.needs.way + ")"
	}
}

// unexpected describes the first part of a run that is another with the mutant, with the expectation that tells them
// apart, where one value does; empty: they are the same in each part that a case can expect.
func (r *runner) unexpected(a, b *summary) (string, *Expectation) {
	if a.failure != b.failure {
		var e *Expectation
		if a.failure != "" {
			e = &Expectation{[]string{"error"}, value.String(a.failure)}
		}
		return "no case expects the error (error): " + r.texts(a.failure, b.failure), e
	}
	if text := otherWay(a.path, b.path); text != "" {
		return "no case expects the states that the run goes through (path, order, never): " + text, visits(a, b)
	}
	if text, e := r.values(a.output, b.output, "output"); text != "" {
		return "no case expects this of the output (output): " + text, e
	}
	if text, e := r.calls(a, b); text != "" {
		return text, e
	}
	for _, state := range a.exits.states {
		before, after := a.exits.of[state], b.exits.of[state]
		for i := range min(len(before), len(after)) {
			if text, e := r.values(before[i], after[i], "states", state, "output"); text != "" {
				return "no case expects the output of " + state + " (states: {" + state + ": {output: ...}}): " + text, e
			}
		}
	}
	for _, state := range a.waits.states {
		if before := a.waits.of[state]; !slices.EqualFunc(before, b.waits.of[state], value.Equal) {
			return "no case expects the delays of " + state + " (states: {" + state + ": {retryDelays: ...}})",
				&Expectation{[]string{"states", state, "retryDelays"}, value.NewArray(before)}
		}
	}
	if a.took != b.took {
		times := r.texts(wording.Duration(a.took), wording.Duration(b.took))
		return "no case expects the time that the run takes (duration, retryDelay): " + times,
			&Expectation{[]string{"duration"}, value.String(a.took.String())}
	}
	return "", nil
}

// visits is the expectation of the path, or where the paths differ in a container only, of the first state with another
// number of visits; nil: there is none.
func visits(a, b *summary) *Expectation {
	if !slices.Equal(a.top, b.top) {
		names := value.Each(a.top, func(name string) value.Value { return value.String(name) })
		return &Expectation{[]string{"path"}, value.NewArray(names)}
	}
	count := func(list []string, state string) (n int64) {
		for _, other := range list {
			if other == state {
				n++
			}
		}
		return n
	}
	for _, state := range slices.Concat(a.path, b.path) {
		switch n := count(a.path, state); {
		case n == count(b.path, state):
		case n == 0:
			return &Expectation{[]string{"never"}, value.String(state)}
		default:
			return &Expectation{[]string{"states", state, "visits"}, value.Int(n)}
		}
	}
	return nil
}

// calls describes the first state whose task is called otherwise.
func (r *runner) calls(a, b *summary) (string, *Expectation) {
	states := slices.Clone(a.calls.states)
	for _, state := range b.calls.states {
		if a.calls.of[state] == nil {
			states = append(states, state)
		}
	}
	for _, state := range states {
		before, after := a.calls.of[state], b.calls.of[state]
		if len(before) != len(after) {
			return fmt.Sprintf("no case expects the calls of %s (tasks: {%[1]s: {count: ...}}): %d in place of %d",
					state, len(after), len(before)),
				&Expectation{[]string{"tasks", state, "count"}, value.Int(int64(len(before)))}
		}
		for i := range before {
			if text, e := r.values(before[i], after[i], "tasks", state, "["+strconv.Itoa(i)+"]", "payload"); text != "" {
				return "no case expects the payload of " + state + " (tasks: {" + state + ": [{payload: ...}]}): " + text, e
			}
		}
	}
	return "", nil
}

// otherWay describes the first state that is another; empty: the ways are the same.
func otherWay(before, after []string) string {
	at, last := 0, "the start"
	for at < len(before) && at < len(after) && before[at] == after[at] {
		last = before[at]
		at++
	}
	name := func(list []string) string {
		if at < len(list) {
			return list[at]
		}
		return "the end"
	}
	if at == len(before) && at == len(after) {
		return ""
	}
	return name(after) + " in place of " + name(before) + " behind " + last
}

// texts describes the two forms of a text.
func (r *runner) texts(before, after string) string {
	if r.options.Redact != nil {
		return "it is another"
	}
	none := func(text string) string {
		if text == "" {
			return "none"
		}
		return text
	}
	return none(after) + " in place of " + none(before)
}

// maxValue bounds a value in a description, in characters.
const maxValue = 60

// values describes the first difference of two values at the keys of an expectation; empty: there is none.
func (r *runner) values(before, after value.Value, keys ...string) (string, *Expectation) {
	if before == nil || after == nil {
		if before == after {
			return "", nil
		}
		return "there is none", nil
	}
	differences := suite.Exactly(source.Of(before, source.Span{})).Compare(after, nil)
	if len(differences) == 0 {
		return "", nil
	}
	d := &differences[0]
	e := around(before, d, keys)
	if r.options.Redact != nil {
		return d.Path + " is another", nil
	}
	wanted, found := value.Pair(d.Wanted, d.Found, maxValue)
	if d.Wanted == nil {
		wanted = "absent"
	}
	if d.Found == nil {
		found = "absent"
	}
	return d.Path + " is " + found + " in place of " + wanted, e
}

// around is the expectation of the member that differs, or of the list around it. That there is no member can only be
// expected of a whole value.
func around(before value.Value, d *suite.Difference, keys []string) *Expectation {
	e := &Expectation{Keys: slices.Clone(keys), Value: before}
	switch {
	case d.Wanted == nil && keys[0] == "states":
		return nil
	case d.Wanted == nil:
		e.Keys[len(keys)-1] += "!"
		return e
	}
	for _, name := range suiterun.MemberNames(d.Path) {
		object, ok := e.Value.(*value.Object)
		if !ok || object.Get(name) == nil {
			break
		}
		e.Keys, e.Value = append(e.Keys, name), object.Get(name)
	}
	return e
}

// summary is a run in the parts that a case can expect.
type summary struct {
	failure   string
	took      time.Duration
	path, top []string // all states, and those at the top
	output    value.Value
	// calls are the payloads of tasks, exits the outputs of states, waits the delays of retries.
	calls, exits, waits ofStates
}

// ofStates has values of states, which are named by their paths, in the order in which they came.
type ofStates struct {
	states []string
	of     map[string][]value.Value
}

func (s *ofStates) add(state string, v value.Value) {
	if s.of == nil {
		s.of = map[string][]value.Value{}
	}
	if s.of[state] == nil {
		s.states = append(s.states, state)
	}
	s.of[state] = append(s.of[state], v)
}

func summaryOf(log *runlog.Log) *summary {
	s := &summary{top: suiterun.TopPath(log)}
	for i := range log.Len() {
		e := log.At(i)
		switch e.Type {
		case engine.StateEntered:
			s.path = append(s.path, e.Visit.Path())
		case engine.TaskScheduled:
			s.calls.add(e.Visit.Path(), e.After)
		case engine.StateExited:
			s.exits.add(e.Visit.Path(), e.After)
		case engine.RetryScheduled:
			if d, ok := e.Detail.(*engine.RetryDetail); ok {
				s.waits.add(e.Visit.Path(), value.String(d.Delay.String()))
			}
		case engine.ExecutionFailed, engine.ExecutionTimedOut, engine.ExecutionAborted:
			if f := e.Failure(); f != nil {
				s.failure = f.Name
			}
		case engine.ExecutionSucceeded:
			s.output = e.After
		default:
		}
	}
	if log.Len() > 0 {
		s.took = log.Now().Sub(log.At(0).At())
	}
	return s
}
