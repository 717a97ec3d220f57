package mutate

import (
	"fmt"
	"time"

	"asldb/engine"
	"asldb/engine/coverage"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// explain sets the missing expectation of a survivor: the first part of a run that its change makes another.
func (r *runner) explain(relevant []*base, after []coverage.Run, o *Outcome) {
	for i, b := range relevant {
		if after[i] == nil || b.log == nil {
			continue
		}
		if missing := r.unexpected(b.summary(), summaryOf(after[i].Log())); missing != "" {
			o.Case, o.Missing = b.Case, missing
			return
		}
	}
	o.Case = relevant[0].Case
	o.Missing = "every run is as before"
	switch o.Kind {
	case ComparisonTurned, ConnectiveTurned, NotDropped:
		o.Missing += ": no case has data for which the two conditions differ"
	case RulesSwapped:
		o.Missing += ": no case has data for which both rules are true"
	case CatcherNarrowed:
		o.Missing += ": no case has an error that it no longer takes"
	case CatcherDropped, RetrierDropped:
		o.Missing += ": no case has an error that it alone takes"
	case AttemptsChanged:
		o.Missing += ": no case has as many errors"
	case DefaultTurned, ResultPathChanged, SelectorDropped, AssignDropped, PayloadDropped, OutputDropped, TimeoutDropped,
		HeartbeatDropped, ToleranceChanged, DelayChanged, ErrorDropped, WaitChanged:
	}
}

// unexpected describes the first part of a run that is another with the mutant; empty: they are the same in each part that a case can
// expect.
func (r *runner) unexpected(a, b *summary) string {
	switch {
	case a.failure != b.failure:
		return fmt.Sprintf("no case expects the error (error): %s", r.texts(a.failure, b.failure))
	case a.path != b.path:
		return "no case expects the states that the run goes through (path, order, never)"
	}
	if text := r.values(a.output, b.output); text != "" {
		return "no case expects this of the output (output): " + text
	}
	for i, call := range a.calls {
		if i >= len(b.calls) || b.calls[i].state != call.state {
			return "no case expects the calls of " + call.state + " (tasks: {" + call.state + ": {count: ...}})"
		}
		if text := r.values(call.data, b.calls[i].data); text != "" {
			return "no case expects the payload of " + call.state + " (tasks: {" + call.state + ": [{payload: ...}]}): " + text
		}
	}
	if len(b.calls) > len(a.calls) {
		state := b.calls[len(a.calls)].state
		return "no case expects the calls of " + state + " (tasks: {" + state + ": {count: ...}})"
	}
	for i, exit := range a.exits {
		if i >= len(b.exits) || b.exits[i].state != exit.state {
			return "no case expects the order in which " + exit.state + " ends"
		}
		if text := r.values(exit.data, b.exits[i].data); text != "" {
			return "no case expects the output of " + exit.state + " (states: {" + exit.state + ": {output: ...}}): " + text
		}
	}
	for i, wait := range a.waits {
		if i >= len(b.waits) || b.waits[i] != wait {
			return "no case expects the delays of " + wait.state + " (states: {" + wait.state + ": {retryDelays: ...}})"
		}
	}
	if a.took != b.took {
		return "no case expects the time that the run takes (duration, retryDelay): " + r.texts(a.took, b.took)
	}
	return ""
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

// values describes the first difference of two values; empty: there is none.
func (r *runner) values(before, after value.Value) string {
	if before == nil || after == nil {
		if before == after {
			return ""
		}
		return "there is none"
	}
	differences := suite.Exactly(source.Of(before, source.Span{})).Compare(after, nil)
	if len(differences) == 0 {
		return ""
	}
	d := &differences[0]
	if r.options.Redact != nil {
		return d.Path + " is another"
	}
	wanted, found := value.Pair(d.Wanted, d.Found, maxValue)
	if d.Wanted == nil {
		wanted = "absent"
	}
	if d.Found == nil {
		found = "absent"
	}
	return d.Path + " is " + found + " in place of " + wanted
}

// summary is a run in the parts that a case can expect.
type summary struct {
	failure, path, took string
	output              value.Value
	calls, exits        []stateData
	waits               []wait
}

// wait is the delay of a retry of a state.
type wait struct {
	state string
	delay time.Duration
}

// stateData is data of a state, which is named by its path.
type stateData struct {
	state string
	data  value.Value
}

func summaryOf(log *runlog.Log) *summary {
	s := &summary{}
	for i := range log.Len() {
		e := log.At(i)
		switch e.Type {
		case engine.StateEntered:
			s.path += e.Visit.Path() + "\n"
		case engine.TaskScheduled:
			s.calls = append(s.calls, stateData{e.Visit.Path(), e.After})
		case engine.StateExited:
			s.exits = append(s.exits, stateData{e.Visit.Path(), e.After})
		case engine.RetryScheduled:
			if d, ok := e.Detail.(*engine.RetryDetail); ok {
				s.waits = append(s.waits, wait{e.Visit.Path(), d.Delay})
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
		s.took = wording.Duration(log.Now().Sub(log.At(0).At()))
	}
	return s
}
