package breakpoint

import (
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
)

// triggers reports whether event i of the log, counted from 0, is one that a breakpoint is for. It depends on the
// events up to i and on nothing else: not on hits, nor on whether the breakpoint is enabled.
func (t *Tracker) triggers(b *Breakpoint, i int) bool {
	if head := t.run.Log().Head(i); !b.mayFit(&head) {
		return false
	} else if b.Kind == OnEntry && b.condition == nil && (b.state != nil || b.Pattern == "") {
		return true // the event need not be there
	}
	if event := t.run.Log().At(i); !b.kindFits(event) || !b.placeFits(event) || !b.nameFits(event) {
		return false
	}
	if b.anywhere() && t.fromInside(i, b.Names == "") {
		return false
	}
	switch b.Kind {
	case OnCaught, OnUncaught:
		if t.taken(i) != (b.Kind == OnCaught) {
			return false
		}
	case OnChange:
		if _, _, changed := change(t.run, b.watched, i); !changed {
			return false
		}
	case OnTime:
		if !t.reaches(b, i) {
			return false
		}
	default:
	}
	return t.holds(b, i)
}

// anywhere reports whether the breakpoint is one on errors in all states, with no condition.
func (b *Breakpoint) anywhere() bool {
	return (b.Kind == OnError || b.Kind == OnCaught || b.Kind == OnUncaught) && b.state == nil && b.Pattern == "" && b.condition == nil
}

// fromInside reports whether the error of event i, of a Parallel or Map state, came up in a branch or an iteration,
// with its own event: nothing new comes up in the states around it. renamed says that it may have got another name
// there.
func (t *Tracker) fromInside(i int, renamed bool) bool {
	event, log := t.run.Log().At(i), t.run.Log()
	f := event.Failure()
	if f == nil || f.Origin == nil || f.Origin == event.Visit {
		return false
	}
	for k := i - 1; k >= max(int(f.Origin.Entered), log.First()); k-- {
		if head := log.Head(k); head.Type.Traits().Raises && head.State == f.Origin.State {
			if raised := log.At(k); raised.Visit == f.Origin {
				return renamed || f.Equal(raised.Failure(), nil)
			}
		}
	}
	return false
}

// mayFit reports whether the breakpoint may be for an event with that head. It spares looking at most events.
func (b *Breakpoint) mayFit(head *runlog.Head) bool {
	switch {
	case b.state != nil && head.State != b.state, b.Pattern != "" && head.State == nil,
		b.Pattern != "" && !strings.ContainsAny(b.Pattern, "/*") && head.State.Name != b.Pattern:
		return false
	}
	switch b.Kind {
	case OnEntry:
		return head.Type == engine.StateEntered
	case OnStage:
		return b.Rule == 0 && head.Stage == b.Stage || b.Rule > 0 && head.Type == engine.StateExited
	case OnError, OnCaught, OnUncaught:
		return head.Type.Traits().Raises
	case OnRetry:
		return head.Type == engine.RetryScheduled
	case OnCatch:
		return head.Type == engine.ErrorCaught
	case OnTimeout:
		return head.Type == engine.TaskTimedOut || head.Type == engine.ExecutionTimedOut
	case OnScheduled:
		return head.Type == engine.TaskScheduled
	case OnTransition:
		return head.Type == engine.StateExited
	case OnChange, OnTime:
	}
	return true
}

func (b *Breakpoint) kindFits(event *engine.Event) bool {
	switch b.Kind {
	case OnEntry:
		return event.Type == engine.StateEntered
	case OnStage:
		if b.Rule > 0 {
			detail, _ := event.Detail.(*engine.ExitDetail)
			return detail != nil && event.Type == engine.StateExited && detail.Rule == b.Rule-1
		}
		return event.Stage == b.Stage && completes(event)
	case OnError, OnCaught, OnUncaught:
		return event.RaisesError()
	case OnRetry:
		return event.Type == engine.RetryScheduled
	case OnCatch:
		return event.Type == engine.ErrorCaught
	case OnTimeout:
		return event.Type == engine.TaskTimedOut || event.Type == engine.ExecutionTimedOut
	case OnScheduled:
		return event.Type == engine.TaskScheduled
	case OnTransition:
		return event.Type == engine.StateExited
	case OnChange:
		return runlog.CarriesDocument(event) && event.Type != engine.DataEdited // an edit isn't a surprise
	case OnTime:
	}
	return true
}

// completes reports whether the event ends a stage, for better or worse.
func completes(event *engine.Event) bool {
	switch event.Type {
	case engine.StateEntered, engine.StageCompleted, engine.StageFailed, engine.TaskSucceeded, engine.TaskFailed,
		engine.TaskTimedOut, engine.WaitEnded, engine.ParallelSucceeded, engine.ParallelFailed,
		engine.MapSucceeded, engine.MapFailed, engine.MapRunFailed, engine.StateExited:
		return true
	default:
		return false
	}
}

func (b *Breakpoint) placeFits(event *engine.Event) bool {
	if b.Kind == OnTransition {
		return b.leads(event)
	}
	switch {
	case b.state != nil:
		return event.Visit != nil && event.Visit.State == b.state
	case b.Pattern == "":
		return true
	}
	return event.Visit != nil && Matches(b.Pattern, event.Visit)
}

// leads reports whether the exit of a state is the transition that the breakpoint is for.
func (b *Breakpoint) leads(event *engine.Event) bool {
	detail, _ := event.Detail.(*engine.ExitDetail)
	if detail == nil || detail.Next == "" || event.Visit == nil || !Matches(b.Pattern, event.Visit) {
		return false
	}
	next := event.Visit.State.Scope.State(detail.Next)
	if next == nil {
		return false
	}
	target := *event.Visit
	target.State = next
	return Matches(b.To, &target)
}

// nameFits reports whether the event's error has a name that the breakpoint is for.
func (b *Breakpoint) nameFits(event *engine.Event) bool {
	if b.Names == "" {
		return true
	}
	failure := failureOf(event)
	return failure != nil && matchesErrorName(b.Names, failure.Name)
}

// matchesErrorName matches a whole Error Name. A star means any characters. States.ALL means every name,
// as in ErrorEquals.
func matchesErrorName(pattern, name string) bool {
	return pattern == engine.ErrorAll || wildcard(strings.ReplaceAll(pattern, "*", "**"), name)
}

// taken reports whether the run takes the error that comes up with event i: by a retrier or a catcher of the state,
// or of one that holds it, or a Map state that tolerates failures.
func (t *Tracker) taken(i int) bool {
	event := t.run.Log().At(i)
	failure := event.Failure()
	if failure == nil || event.Visit == nil {
		return false
	}
	dialect := t.run.Machine().Dialect()
	for visit := event.Visit; visit != nil; visit = visit.Parent {
		def := visit.State
		if visit != event.Visit && toleratesFailures(def) {
			return true // an evaluation over the bound has its own error
		}
		used, caught := t.recoveries(visit, i)
		if caught {
			continue // an error after a catcher has taken over is not caught here any more
		}
		if retrier := engine.MatchingRetrier(def, failure, dialect); retrier >= 0 && used[retrier] < def.Retry[retrier].MaxAttempts {
			return true
		}
		if engine.MatchingCatcher(def, failure, dialect) >= 0 {
			return true
		}
	}
	return false
}

func toleratesFailures(def *asl.State) bool {
	return def.Type == asl.Map && (def.ToleratedFailureCount != nil || def.ToleratedFailurePercentage != nil)
}

// recoveries returns how often each retrier of a visit had been used when event i came up, and whether a catcher had
// taken over.
func (t *Tracker) recoveries(visit *engine.Visit, i int) (used map[int]int64, caught bool) {
	if len(visit.State.Retry)+len(visit.State.Catch) == 0 {
		return nil, false
	}
	used = make(map[int]int64)
	for at := i - 1; at >= int(visit.Entered); at-- {
		event := t.run.Log().At(at)
		if event.Visit != visit {
			continue
		}
		switch detail := event.Detail.(type) {
		case *engine.CatchDetail:
			caught = true
		case *engine.RetryDetail:
			used[detail.Retrier] = max(used[detail.Retrier], detail.Attempt)
		}
	}
	return used, caught
}

// reaches reports whether event i is the first at or after the breakpoint's time.
func (t *Tracker) reaches(b *Breakpoint, i int) bool {
	at := b.time(t.run.Start())
	return !t.run.Log().At(i).At().Before(at) && (i == 0 || t.run.Log().At(i-1).At().Before(at))
}

// holds evaluates a breakpoint's condition over the data of event i. A condition that cannot be
// evaluated stops the session: the error has to be seen.
func (t *Tracker) holds(b *Breakpoint, i int) bool {
	if b.condition == nil {
		return true
	}
	holds, err := b.condition.Truth(envAt(t.run, i))
	b.Fault = err
	return holds || err != nil
}
