package explore

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// analysis looks at one run.
type analysis struct {
	*exploration
	run       *Run
	execution *engine.Execution // at its end
	log       *runlog.Log       // nil where the run meets its base again
	from      int               // the number of its events that the base has as well
	hits      []hit
	askCount  map[*asl.State]int // how often each task was asked for, behind the place where the run has left its base
	spares    []*asl.State       // the tasks whose results did not come from the file of the base
}

// signs returns what the run shows.
func (a *analysis) signs() []*sign {
	r := a.run
	switch {
	case r.Endless() && r != r.Base.Run && r.Base.Run.Endless(): // it is not the change
		return nil
	case r.Endless():
		return []*sign{a.endless()}
	case r.Status == engine.Succeeded:
		return a.swallowed()
	case r.Status != engine.Failed && r.Status != engine.TimedOut:
		return nil
	}
	chain := provenance.EndOf(a.log, r.Base.setting.machine.Dialect())
	root := chain.Root()
	if root == nil {
		return nil
	}
	if root.Failure != nil && root.Visit != nil && slices.Contains(own, root.Failure.Name) && !a.injected(root) {
		return a.ownFault(root)
	}
	return a.unhandled()
}

// injected reports whether an error is the fault of a change itself.
func (a *analysis) injected(root *provenance.Link) bool {
	for _, h := range a.hits {
		if c := a.run.Changes[h.change]; c.isFault() && h.visit == root.Visit && root.Failure.Name == c.Error {
			return true
		}
	}
	return false
}

// ownFault is the sign of an error that the definition raised by itself.
func (a *analysis) ownFault(root *provenance.Link) []*sign {
	r := a.run
	state := root.Visit.State
	if base := r.Base.Run; r != base && base.Status == r.Status {
		if known := a.baseRoot(r.Base); known != nil && known.Visit.State == state {
			if was, is := known.Failure, root.Failure; was.Name == is.Name && was.Field == is.Field {
				return nil // it is not the change
			}
		}
	}
	s := &sign{class: Data, state: state, event: root.Event}
	s.field, s.errors = root.Failure.Field, []string{root.Failure.Name}
	if place, ok := root.Failure.Place(); ok && place.Source != nil {
		s.place = placeAt(&place, place.Span.Start)
	}
	why := cmp.Or(root.Failure.Explanation(), explain.Reason(root.Failure))
	s.text = fmt.Sprintf("%s fails with %s", state.Name, root.Failure.Name)
	if name := a.blank(why); name != "" { // it is a placeholder that fails, not the definition
		a.mutex.Lock()
		defer a.mutex.Unlock()
		a.blanks[state] = name
		return nil
	}
	if why != "" {
		s.text += ": " + strings.TrimSuffix(firstLine(why), ".")
	}
	switch handled, alone := r.handled(); {
	case !handled:
	case alone && !a.neverThere(root), !alone && a.lostByCatcher(root):
		s.class = Bug
	}
	return []*sign{s}
}

// baseRoot returns the cause of the end of a base; nil where it has none in a state.
func (a *analysis) baseRoot(b *Base) *provenance.Link {
	root := provenance.EndOf(b.setting.log, b.setting.machine.Dialect()).Root()
	if root == nil || root.Visit == nil || root.Failure == nil {
		return nil
	}
	return root
}

// handled reports whether a fault of the run was handled, and whether all of its changes are faults.
func (r *Run) handled() (handled, alone bool) {
	handled = slices.ContainsFunc(r.Handling, func(s Step) bool { return s.Kind != Unhandled })
	for _, c := range r.Changes {
		if !c.isFault() {
			return handled, false
		}
	}
	return handled, true
}

// neverThere reports whether the value that was missed was never there, in a run whose data were made up: where the
// base does not enter the state, or the run took made-up results of tasks that the base does not ask for, the data may
// be incomplete, and no fault lost it.
func (a *analysis) neverThere(root *provenance.Link) bool {
	base := a.run.Base
	if loss := a.loss(root); !base.Placeholder || loss == nil || loss.Kind != provenance.NeverThere {
		return false
	}
	more := slices.ContainsFunc(a.run.tasks, func(s *asl.State) bool { return len(base.setting.requests[s]) == 0 })
	_, entered := base.setting.trail.firstEntry[root.Visit.State]
	return more || !entered
}

// lostByCatcher reports whether a catcher has put the Error Output in the place of the value that was missed.
func (a *analysis) lostByCatcher(root *provenance.Link) bool {
	loss := a.loss(root)
	return loss != nil && loss.Kind != provenance.NeverThere && strings.HasPrefix(loss.Field, "Catch")
}

// retriesUsed is the text of an error that is retried and not caught.
const retriesUsed = "the retries are used up, and no catcher takes the error"

// unhandled is the sign of an error of a task that ended the execution.
func (a *analysis) unhandled() []*sign {
	r := a.run
	unhandled := func(s Step) bool { return s.Kind == Unhandled }
	if len(r.Changes) == 0 || !r.Changes[0].isFault() || !slices.ContainsFunc(r.Handling, unhandled) {
		return nil
	}
	c := r.Changes[0]
	s := &sign{class: Uncaught, state: c.State, errors: c.errors(), event: r.Event}
	s.text = "no retrier and no catcher takes the error"
	if slices.ContainsFunc(r.Handling, func(s Step) bool { return s.Kind == Retried }) {
		s.text = retriesUsed
	}
	s.lost = a.lost()
	return []*sign{s}
}

// tasksDone returns the names of the tasks that were done, each once. The base knows those before the run has left it.
func (a *analysis) tasksDone() []string {
	t := a.run.Base.setting.trail
	before := func(s *asl.State) bool {
		first, done := t.firstDone[s]
		return done && first < a.from
	}
	done := t.done[:sort.Search(len(t.done), func(i int) bool { return !before(t.done[i]) })]
	names, noted := value.Each(done, func(s *asl.State) string { return s.Name }), map[*asl.State]bool{}
	for i := a.from; i < a.log.Len(); i++ {
		if e := a.log.At(i); e.Type == engine.TaskSucceeded && !before(e.Visit.State) && !noted[e.Visit.State] {
			noted[e.Visit.State] = true
			names = append(names, e.Visit.State.Name)
		}
	}
	return names
}

// lost returns the losses by an error: tasks that were done before, branches and iterations that were ended.
func (a *analysis) lost() []string {
	done := a.tasksDone()
	var lost []string
	if n := len(done); n > 0 {
		shown := done
		if n > 4 {
			shown = append(slices.Clone(done[:3]), fmt.Sprintf("%d others", n-3))
		}
		lost = append(lost, "done before: "+strings.Join(shown, ", "))
	}
	switch {
	case a.run.Aborted == 1:
		lost = append(lost, "1 other branch or iteration was ended")
	case a.run.Aborted > 1:
		lost = append(lost, fmt.Sprintf("%d other branches or iterations were ended", a.run.Aborted))
	}
	return lost
}

// swallowed is the sign of an execution that succeeded though a task failed.
func (a *analysis) swallowed() []*sign {
	r := a.run
	if len(r.Changes) == 0 || !r.Changes[0].isFault() {
		return nil
	}
	for _, step := range r.Handling {
		s := &sign{class: Swallowed, state: r.Changes[0].State, errors: r.Changes[0].errors(), event: r.Event}
		switch step.Kind {
		case Caught:
			s.text = fmt.Sprintf("catcher %d of %s leads to %s, and the execution succeeds", step.Index+1,
				step.State.Name, step.Next)
			return []*sign{s}
		case Tolerated:
			s.text = fmt.Sprintf("%s tolerates the failure, and the execution succeeds", step.State.Name)
			return []*sign{s}
		case Retried, Unhandled:
		}
	}
	return nil
}

// endless is the sign of a run that had too many events.
func (a *analysis) endless() *sign {
	visits := map[*asl.State]int{}
	retries := map[*asl.State]int{}
	for e := range a.log.All() {
		switch e.Type {
		case engine.StateEntered:
			visits[e.Visit.State]++
		case engine.RetryScheduled:
			retries[e.Visit.State]++
		default:
		}
	}
	var most *asl.State
	for state := range a.options.Machine.Definition.Machine.All() {
		if most == nil || visits[state]+retries[state] > visits[most]+retries[most] {
			most = state
		}
	}
	s := &sign{class: Endless, state: most, event: a.log.Len() - 1, errors: []string{}}
	limit := a.run.Base.setting.options.Limits.History
	bound := fmt.Sprintf("after %d events", a.run.Events)
	if limit > 0 && a.run.Status.Done() {
		bound = fmt.Sprintf("at the quota of %d events of the history", limit)
	}
	if exit := a.exitOf(most); retries[most] > visits[most] && (visits[most] == 1 || exit == "") {
		s.text = fmt.Sprintf("%s is retried %d times, and the run ends %s", most.Name, retries[most], bound)
	} else {
		s.text = fmt.Sprintf("%s is entered %d times, and the run ends %s", most.Name, visits[most], bound)
		if exit != "" {
			s.text += ": " + exit
		}
	}
	return s
}
