// This part of the package finds why an execution ended as it did: from the end of its log back to the failure in which that began,
// through catchers and Fail states, Choice rules, branches, iterations and Map Runs. It asks the log of the run.

package provenance

import (
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
)

// LinkKind is the kind of a [Link].
type LinkKind uint8

// The kinds of links.
const (
	// Failed: a state failed. The Failure says how; where a catcher took the error, Caught says which.
	Failed LinkKind = iota + 1
	// Decided: a Choice state took a rule, or its Default, and so led to the link before.
	Decided
	// OutOfTime: the TimeoutSeconds of the state machine were over.
	OutOfTime
	// Stopped: the execution was aborted from outside.
	Stopped
)

var linkKindNames = [...]string{Failed: "failed", Decided: "decided", OutOfTime: "outOfTime", Stopped: "stopped"}

// String returns the kind's name as JSON has it, "outOfTime" for example.
func (k LinkKind) String() string { return linkKindNames[k] }

// Link is one step from the end of an execution towards its cause.
type Link struct {
	Kind LinkKind
	// Event is the index of the event, from 0: in which the error came up, in which the Choice state left, or the last one.
	Event int
	// At is the virtual time of the event.
	At time.Time
	// Place is the place in the definition of what decided: the field that caused the error, else the name of the
	// state; of Decided the rule, or Default. It is nil where it is not known.
	Place *asl.Place
	// Visit is the state's; of OutOfTime and Stopped the visit that went on then, nil where the log has none.
	Visit *engine.Visit
	// Failure is the error; nil of Decided.
	Failure *engine.Failure
	// Attempt is which attempt of the state's work failed, from 1.
	Attempt int
	// Handlers are the verdicts of the state's retriers, then its catchers, on the error.
	Handlers []Handler
	// Caught is the index of the ErrorCaught event of the catcher that took the error; -1 where none did.
	Caught int
	// Inside is how many branches or iterations of the state had failed, where it failed for that; else 0.
	Inside int
	// Rule is the number of the Choice rule, from 0; -1 is Default. Compared are the paths that decided, in JSONPath.
	Rule     int
	Compared []string
}

// Chain is why an execution ended, or why an error came up.
type Chain struct {
	// Links lead from the end, or the error, to the cause; the last one is the cause. There is none while the execution runs, and none
	// where it succeeded.
	Links []Link
	// Handled are the links of the errors that were being handled when the cause came up, in the order of Links: their catchers
	// had led to its state, or to one around it, directly or through states that do no work.
	Handled []Link
	// Survived are the other errors of the run, in the order in which they came up.
	Survived []Survivor
	// Partial is set where the log had dropped its first events: the way back may be longer, and more errors survived.
	Partial bool
}

// Root returns the last link, in which it all began, or nil.
func (c *Chain) Root() *Link {
	if len(c.Links) == 0 {
		return nil
	}
	return &c.Links[len(c.Links)-1]
}

// EndOf returns why a run ended. The dialect is its machine's: it says which errors a retrier or catcher takes.
func EndOf(log *runlog.Log, dialect engine.Dialect) *Chain {
	w := endWalker{log: log, dialect: dialect, first: log.First(), chain: &Chain{Partial: !log.Whole()}}
	if last := log.Last(); last != nil && last.Type.EndsExecution() {
		w.end(log.Len()-1, last)
	}
	w.handled()
	w.survivors()
	return w.chain
}

// CauseError returns why the error of event i came up: its links lead from there back to the cause, with no survivors. There are none
// where the event raises no error.
func CauseError(log *runlog.Log, i int, dialect engine.Dialect) *Chain {
	w := endWalker{log: log, dialect: dialect, first: log.First(), chain: &Chain{Partial: !log.Whole()}}
	if event := log.At(i); event.RaisesError() && event.Failure() != nil {
		w.failed(i, -1)
	}
	w.handled()
	return w.chain
}

type endWalker struct {
	log     *runlog.Log
	dialect engine.Dialect
	first   int // the first event that the log still has
	chain   *Chain
	// decisions are the events of each Parallel or Map state that say how its work ended; nil before they are asked for.
	decisions map[*engine.Visit][]int
}

func (w *endWalker) add(l Link) {
	l.At, l.Place = w.log.At(l.Event).At(), endPlaceOf(&l)
	w.chain.Links = append(w.chain.Links, l)
}

// placeOf returns the place in the definition of what decided a link, nil where that is not known.
func endPlaceOf(l *Link) *asl.Place {
	field := ""
	switch {
	case l.Visit == nil || l.Visit.State == nil:
		return nil
	case l.Kind == Decided && l.Rule < 0:
		field = "Default"
	case l.Kind == Decided:
		field = "Choices[" + strconv.Itoa(l.Rule) + "]"
	case l.Failure != nil && l.Failure.Origin == l.Visit:
		field = l.Failure.Field
	}
	place := l.Visit.State.Place(field)
	if place.Source == nil {
		return nil
	}
	return &place
}

func (w *endWalker) end(i int, event *engine.Event) {
	switch event.Type {
	case engine.ExecutionFailed:
		if at := w.raisedBefore(i, event.Failure()); at >= 0 {
			w.failed(at, -1)
			return
		}
		link := Link{Kind: Failed, Event: i, Visit: event.Visit, Failure: event.Failure(), Caught: -1, Attempt: 1}
		if link.Visit == nil && link.Failure != nil { // a history has no event for the error of a Fail state
			link.Visit = link.Failure.Origin
		}
		w.add(link)
		if deliberate(link.Visit, link.Failure) {
			w.led(link.Visit)
		}
	case engine.ExecutionTimedOut:
		w.add(Link{Kind: OutOfTime, Event: i, Visit: w.open(i), Failure: event.Failure(), Caught: -1})
	case engine.ExecutionAborted:
		w.add(Link{Kind: Stopped, Event: i, Visit: w.open(i), Failure: event.Failure(), Caught: -1})
	default:
	}
}

// open returns the innermost visit that was not over before event i, the newest where there are several; nil where there is
// none.
func (w *endWalker) open(i int) *engine.Visit {
	over, restarted := make(map[*engine.Visit]bool), make(map[*engine.Visit]bool)
	var around *engine.Visit // a Parallel or Map state that continues
	for k := i - 1; k >= w.first; k-- {
		switch e := w.log.At(k); {
		case e.Visit == nil:
		case e.Type == engine.StateExited || e.Type == engine.StateFailed:
			over[e.Visit] = true
		case e.Type == engine.BranchAborted || e.Type == engine.IterationAborted:
		case over[e.Visit] || !e.Visit.Within(around) || inAny(e.Visit, restarted):
		case !isContainer(e.Visit.State):
			return e.Visit
		default:
			around = e.Visit
			if e.Type == engine.RetryStarted {
				restarted[e.Visit] = true // its branches before are over
			}
		}
	}
	return around
}

// inAny reports whether a visit is inside of one of a set.
func inAny(visit *engine.Visit, set map[*engine.Visit]bool) bool {
	for visit = visit.Parent; visit != nil; visit = visit.Parent {
		if set[visit] {
			return true
		}
	}
	return false
}

// raisedBefore returns the index of the event in which the error came up that ended the execution, -1 where there is none.
func (w *endWalker) raisedBefore(end int, failure *engine.Failure) int {
	for i := end - 1; i >= w.first; i-- {
		switch e := w.log.At(i); {
		case e.Type == engine.StateFailed && e.Visit != nil && e.Visit.Parent == nil:
			return w.raisedIn(e.Visit, i)
		case e.RaisesError() && failure != nil && e.Visit == failure.Origin:
			return i // States.Runtime in a branch ends the execution at once
		}
	}
	return -1
}

// raisedIn returns the index of the newest event before i in which an error came up in a visit, -1 where there is none.
func (w *endWalker) raisedIn(visit *engine.Visit, i int) int {
	for i--; i >= w.first; i-- {
		switch e := w.log.At(i); {
		case e.Visit != visit:
		case e.RaisesError(), e.Type == engine.MapRunFailed:
			return i
		case e.Type == engine.StateEntered:
			return -1
		}
	}
	return -1
}

// failed adds the link of the event at which an error came up, and those behind it. caught is the index of the ErrorCaught
// event, or -1.
func (w *endWalker) failed(i, caught int) {
	event := w.log.At(i)
	if event.Type == engine.MapFailed && event.Failure() != nil { // a Map Run has its own event for the same error
		if at := w.raisedIn(event.Visit, i); at >= 0 && w.log.At(at).Type == engine.MapRunFailed && w.log.At(at).Failure() == event.Failure() {
			i = at
		}
	}
	link := Link{Kind: Failed, Event: i, Visit: event.Visit, Failure: event.Failure(), Attempt: w.attempt(event.Visit, i), Caught: caught, Rule: -1}
	if link.Visit != nil {
		link.Handlers = w.handlers(event.Visit, link.Failure, i, caught)
	}
	child := -1
	if event.Visit != nil && isContainer(event.Visit.State) && event.Type != engine.StageFailed {
		child, link.Inside = w.failedInside(event.Visit, i)
	}
	w.add(link)
	switch {
	case child >= 0:
		w.failed(child, -1)
	case deliberate(event.Visit, link.Failure):
		w.led(event.Visit)
	}
}

// deliberate reports whether a Fail state ended with its own error, not with an error in one of its fields.
func deliberate(visit *engine.Visit, f *engine.Failure) bool {
	return visit != nil && visit.State.Type == asl.Fail &&
		(f == nil || f.Name != engine.ErrorRuntime && f.Name != engine.ErrorQueryEvaluation)
}

func isContainer(state *asl.State) bool { return state.Type == asl.Parallel || state.Type == asl.Map }

// failedInside returns the index of the event in which the error came up that let a Parallel or Map state fail, and how many
// of its branches or iterations had failed; -1 where there is none.
func (w *endWalker) failedInside(visit *engine.Visit, i int) (raised, count int) {
	newest, oldest := -1, -1
	for k := i - 1; k >= w.first; k-- {
		e := w.log.At(k)
		if e.Visit != visit {
			continue
		}
		if e.Type == engine.StateEntered || e.Type == engine.RetryStarted {
			break
		}
		if e.Type == engine.BranchFailed || e.Type == engine.IterationFailed {
			count, oldest = count+1, k
			newest = max(newest, k)
		}
	}
	if count == 0 {
		return -1, 0
	}
	at := newest
	if f := w.log.At(i).Failure(); f != nil && f.Name == engine.ErrorToleratedFailure {
		at = oldest // they all count: the first is the example
	}
	return w.raisedInThread(at), count
}

// raisedInThread returns the index of the event in which the error came up with which a branch or an iteration ended at
// event i, -1 where there is none.
func (w *endWalker) raisedInThread(i int) int {
	for k := w.log.PreviousInThread(i); k >= 0; k = w.log.PreviousInThread(k) {
		if e := w.log.At(k); e.Type == engine.StateFailed || e.RaisesError() {
			if at := w.raisedIn(e.Visit, k); at >= 0 && !e.RaisesError() {
				return at
			}
			return k // a history has no event for the error of a Fail state
		}
	}
	return -1
}

// led follows the transitions that led to a Fail state back to a catcher or a Choice state. It asks the events alone, so that
// a history says the same with its definition and without.
func (w *endWalker) led(visit *engine.Visit) {
	for i := w.exitBefore(visit); i >= 0; i = w.exitBefore(visit) {
		visit = w.log.At(i).Visit
		if w.caught(visit, i) {
			return
		}
		if visit.State.Type == asl.Choice {
			w.decided(visit, i)
			return
		}
	}
}

// caught adds the links of the error that a catcher of a visit took which was left at event i; it reports whether one did.
func (w *endWalker) caught(visit *engine.Visit, i int) bool {
	caught := w.caughtIn(visit, i)
	if caught < 0 {
		return false
	}
	if raised := w.raisedIn(visit, caught); raised >= 0 {
		w.failed(raised, caught)
	}
	return true
}

// handled finds the errors that were being handled when the root came up.
func (w *endWalker) handled() {
	root, links := w.chain.Root(), w.chain.Links
	if root == nil || root.Kind != Failed && root.Kind != Decided {
		return
	}
	for visit := root.Visit; visit != nil; {
		before := len(w.chain.Links)
		if w.handledBefore(visit); len(w.chain.Links) > before {
			visit = w.chain.Root().Visit
		} else {
			visit = visit.Parent
		}
	}
	w.chain.Links, w.chain.Handled = links, w.chain.Links[len(links):]
}

// handledBefore adds the links of the error whose catcher led to a visit: directly, or through states that do no work. Behind
// one that did some work the run may be back on its usual way, and a history alone does not say so.
func (w *endWalker) handledBefore(visit *engine.Visit) {
	for i := w.exitBefore(visit); i >= 0; i = w.exitBefore(visit) {
		visit = w.log.At(i).Visit
		if w.caught(visit, i) {
			return
		}
		switch visit.State.Type {
		case asl.Pass, asl.Wait, asl.Choice:
		default:
			return
		}
	}
}

// hasComputedCause reports whether a visit is one of a Fail state with a computed Cause: the definition was made of
// another format, and the Cause says all in its words.
func hasComputedCause(visit *engine.Visit) bool {
	return visit != nil && visit.State.Cause != nil && visit.State.Cause.Calculation != nil
}

// exitBefore returns the index of the StateExited event that led to a visit, -1 where its thread began with it, or
// its Cause is computed.
func (w *endWalker) exitBefore(visit *engine.Visit) int {
	if hasComputedCause(visit) {
		return -1
	}
	entered := w.entered(visit)
	for i := w.log.PreviousInThread(entered); i >= 0; i = w.log.PreviousInThread(i) {
		switch e := w.log.At(i); {
		case e.Type == engine.StateExited:
			return i
		case e.Type == engine.BranchStarted || e.Type == engine.IterationStarted:
			return -1
		}
	}
	return -1
}

// entered returns the index of the event with which a visit began, or of the first one of it that the log still has.
func (w *endWalker) entered(visit *engine.Visit) int {
	return max(int(visit.Entered)-1, w.first)
}

// caughtIn returns the index of the ErrorCaught event of a visit that was left at event i, -1 where nothing was caught.
func (w *endWalker) caughtIn(visit *engine.Visit, i int) int {
	for k := w.log.PreviousInThread(i); k >= 0; k = w.log.PreviousInThread(k) {
		e := w.log.At(k)
		if e.Visit == visit && e.Type == engine.ErrorCaught {
			return k
		}
		if e.Visit == visit && e.Type == engine.StateEntered {
			break
		}
	}
	return -1
}

// decided adds the link of a Choice state that was left at event i, and continues with the error that it decided on.
func (w *endWalker) decided(visit *engine.Visit, i int) {
	link := Link{Kind: Decided, Event: i, Visit: visit, Rule: -1, Caught: -1}
	if exit, ok := w.log.At(i).Detail.(*engine.ExitDetail); ok {
		link.Rule = exit.Rule
	}
	link.Compared = w.compared(visit, link.Rule)
	w.add(link)
	if w.chain.Partial {
		return // provenance follows a value through the whole log
	}
	for _, path := range link.Compared {
		hops, err := Of(w.log, w.entered(visit), path)
		if err != nil || len(hops) == 0 {
			continue
		}
		origin := hops[len(hops)-1]
		if e := w.log.At(origin.Event); origin.Kind == Error && e.Type == engine.ErrorCaught {
			if raised := w.raisedIn(e.Visit, origin.Event); raised >= 0 {
				w.failed(raised, origin.Event)
				return
			}
		}
	}
}

// compared returns the paths that the tests of a Choice rule read, and of Default the paths of all rules.
func (w *endWalker) compared(visit *engine.Visit, rule int) []string {
	var paths []string
	var walk func(t *asl.Test)
	walk = func(t *asl.Test) {
		if t == nil {
			return
		}
		if t.Variable != nil {
			paths = append(paths, t.Variable.String())
		}
		for _, operand := range t.Tests {
			walk(operand)
		}
	}
	for i, r := range visit.State.Choices {
		if rule < 0 || i == rule {
			walk(r.Test)
		}
	}
	return paths
}

// attempt returns which attempt of a state's work failed at event i, from 1.
func (w *endWalker) attempt(visit *engine.Visit, i int) int {
	attempt := 1
	for k := i - 1; visit != nil && k >= w.entered(visit); k-- {
		if e := w.log.At(k); e.Visit == visit && e.Type == engine.RetryStarted {
			attempt++
		}
	}
	return attempt
}
