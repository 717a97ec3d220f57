package provenance

import (
	"slices"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
)

// Fate is the fate of an error that did not end the execution.
type Fate uint8

// The fates.
const (
	// Retried: a retrier scheduled another attempt.
	Retried Fate = iota + 1
	// CaughtBy: a catcher took it.
	CaughtBy
	// Tolerated: the Map state continues with other iterations.
	Tolerated
	// Superseded: another error of the same Parallel or Map state decided.
	Superseded
	// Redriven: the execution ended with it, and was redriven.
	Redriven
)

var fateNames = [...]string{Retried: "retried", CaughtBy: "caught", Tolerated: "tolerated", Superseded: "superseded", Redriven: "redriven"}

// String returns the fate's name as JSON has it.
func (f Fate) String() string { return fateNames[f] }

// Survivor is an error that came up in a run and isn't a part of why it ended.
type Survivor struct {
	// Event is the index of the event in which it came up first, from 0.
	Event   int
	At      time.Time
	Place   *asl.Place // of the field that caused it, else of the state's name
	Visit   *engine.Visit
	Failure *engine.Failure
	Fate    Fate
	// By is the visit of the Parallel or Map state around whose retrier or catcher took it; nil where the state itself did.
	By *engine.Visit
	// Count is how often the same error came up in the same state of the definition with the same fate.
	Count int
	// Places is in how many branches or iterations it did, from 1.
	Places int
}

// survivors lists the errors that no link has.
func (w *endWalker) survivors() {
	if root := w.chain.Root(); root != nil && hasComputedCause(root.Visit) {
		return
	}
	inChain := make(map[int]bool)
	visits := make(map[*engine.Visit]bool)
	places := make(map[endPlace]bool)
	for _, l := range slices.Concat(w.chain.Links, w.chain.Handled) {
		inChain[l.Event] = true
		if l.Kind == Failed {
			visits[l.Visit] = true
		}
	}
	for i := w.first; i < w.log.Len(); i++ {
		e := w.log.At(i)
		if !e.RaisesError() || inChain[i] || e.Visit == nil || e.Failure() == nil {
			continue
		}
		fate, by := w.fate(i)
		if visits[e.Visit] && (fate != CaughtBy || by != nil) || w.raisedInside(i, e) {
			continue // the link has it, or the branch or iteration
		}
		n := w.survived(Survivor{Event: i, At: e.At(), Visit: e.Visit, Failure: e.Failure(), Fate: fate, By: by, Count: 1})
		if in := (endPlace{n, e.Visit.Path()}); !places[in] {
			places[in] = true
			w.chain.Survived[n].Places++
		}
	}
}

// place is the path of a state in which the error of a survivor came up.
type endPlace struct {
	survivor int
	path     string
}

// raisedInside reports whether the error of a Parallel or Map state came up in a branch or an iteration, where the log has it, too.
func (w *endWalker) raisedInside(i int, e *engine.Event) bool {
	if e.Type != engine.ParallelFailed && e.Type != engine.MapFailed || e.Failure().Origin == e.Visit {
		return false
	}
	at, _ := w.failedInside(e.Visit, i)
	return at < 0 || w.log.At(at).RaisesError() // a history has no event for the error of a Fail state
}

// survived adds a survivor, or counts it where the same error is there, and returns its index.
func (w *endWalker) survived(s Survivor) int {
	known := slices.IndexFunc(w.chain.Survived, func(k Survivor) bool {
		return k.Fate == s.Fate && k.Visit.State == s.Visit.State && k.Failure.Name == s.Failure.Name
	})
	if known >= 0 {
		w.chain.Survived[known].Count++
		return known
	}
	s.Place = endPlaceOf(&Link{Kind: Failed, Visit: s.Visit, Failure: s.Failure})
	w.chain.Survived = append(w.chain.Survived, s)
	return len(w.chain.Survived) - 1
}

// fate returns the fate of the error that came up at event i, and the visit of the Parallel or Map state whose retrier or catcher took it;
// nil where the state in which it came up took it itself, or none did.
func (w *endWalker) fate(i int) (fate Fate, by *engine.Visit) {
	raised := w.log.At(i)
	thread, visit := raised.Thread, raised.Visit
	for k := i + 1; k < w.log.Len(); k++ {
		e := w.log.At(k)
		switch {
		case e.Visit == visit && e.Type == engine.RetryScheduled:
			return Retried, by
		case e.Visit == visit && e.Type == engine.ErrorCaught:
			return CaughtBy, by
		case e.Visit == visit && by == nil && e.RaisesError(): // a field of the catcher failed; a history has no event for the catcher
			return CaughtBy, nil
		case e.Thread == thread && (e.Type == engine.IterationFailed || e.Type == engine.BranchFailed):
			if k = w.decidedAfter(k); k < 0 {
				return Superseded, nil
			}
			after := w.log.At(k)
			switch failure := after.Failure(); {
			case after.Type == engine.MapSucceeded || after.Type == engine.MapRunSucceeded:
				return Tolerated, nil
			case !sameError(failure, raised.Failure()):
				return Superseded, nil // ExceedToleratedFailureThreshold, or the error of another branch
			}
			visit, by, thread = after.Visit, after.Visit, after.Visit.Thread
			k-- // it may be the one that says what became of it
		case e.Type == engine.ExecutionFailed && k+1 < w.log.Len() && sameError(e.Failure(), raised.Failure()):
			return Redriven, nil
		case e.Type.EndsExecution():
			return Superseded, nil
		}
	}
	return Superseded, nil
}

func sameError(a, b *engine.Failure) bool {
	return a != nil && b != nil && a.Name == b.Name && a.Cause == b.Cause
}

// decidedAfter returns the index of the first event after number k that says how the Parallel or Map state around event
// k ended its work; -1 where there is none.
func (w *endWalker) decidedAfter(k int) int {
	if w.decisions == nil {
		w.decisions = make(map[*engine.Visit][]int)
		for i := w.first; i < w.log.Len(); i++ {
			switch e := w.log.At(i); e.Type {
			case engine.RetryScheduled, engine.ErrorCaught, engine.MapSucceeded, engine.MapFailed, engine.MapRunSucceeded, engine.MapRunFailed,
				engine.ParallelSucceeded, engine.ParallelFailed:
				w.decisions[e.Visit] = append(w.decisions[e.Visit], i)
			default:
			}
		}
	}
	list := w.decisions[w.log.At(k).Visit]
	if n, _ := slices.BinarySearch(list, k); n < len(list) {
		return list[n]
	}
	return -1
}
