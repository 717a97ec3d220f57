package cause

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
	// Tolerated: the Map state goes on with other iterations.
	Tolerated
	// Superseded: another error of the same Parallel or Map state decided.
	Superseded
)

var fateNames = [...]string{Retried: "retried", CaughtBy: "caught", Tolerated: "tolerated", Superseded: "superseded"}

// String returns the fate's name as JSON has it.
func (f Fate) String() string { return fateNames[f] }

// Survivor is an error that came up in a run and is no part of why it ended.
type Survivor struct {
	// Event is the index of the event in which it came up first, from 0.
	Event   int
	At      time.Time
	Place   *asl.Place // of the field that caused it, else of the state's name
	Visit   *engine.Visit
	Failure *engine.Failure
	Fate    Fate
	// Count is how often the same error came up in the same state of the definition with the same fate.
	Count int
}

// survivors lists the errors that are in no link.
func (w *walker) survivors() {
	inChain := make(map[int]bool)
	visits := make(map[*engine.Visit]bool)
	for _, l := range w.chain.Links {
		inChain[l.Event] = true
		if l.Kind == Failed {
			visits[l.Visit] = true
		}
	}
	for i := w.first; i < w.log.Len(); i++ {
		e := w.log.At(i)
		if !e.RaisesError() || inChain[i] || e.Visit == nil || visits[e.Visit] || e.Failure() == nil {
			continue
		}
		if (e.Type == engine.ParallelFailed || e.Type == engine.MapFailed) && e.Failure().Origin != e.Visit && !w.isCaught(i) {
			continue // told at its branch or iteration
		}
		w.survived(i, e)
	}
}

func (w *walker) isCaught(i int) bool { return w.fate(i) == CaughtBy }

func (w *walker) survived(i int, e *engine.Event) {
	fate := w.fate(i)
	known := slices.IndexFunc(w.chain.Survived, func(s Survivor) bool {
		return s.Fate == fate && s.Visit.State == e.Visit.State && s.Failure.Name == e.Failure().Name
	})
	if known >= 0 {
		w.chain.Survived[known].Count++
		return
	}
	w.chain.Survived = append(w.chain.Survived, Survivor{
		Event: i, At: e.At(), Visit: e.Visit, Failure: e.Failure(), Fate: fate, Count: 1,
		Place: placeOf(&Link{Kind: Failed, Visit: e.Visit, Failure: e.Failure()}),
	})
}

// fate returns the fate of the error that came up at event i.
func (w *walker) fate(i int) Fate {
	raised := w.log.At(i)
	for k := i + 1; k < w.log.Len(); k++ {
		switch e := w.log.At(k); {
		case e.Visit == raised.Visit && e.Type == engine.RetryScheduled:
			return Retried
		case e.Visit == raised.Visit && e.Type == engine.ErrorCaught:
			return CaughtBy
		case e.Thread == raised.Thread && (e.Type == engine.IterationFailed || e.Type == engine.BranchFailed):
			if w.containerEnded(e.Visit) == engine.Succeeded {
				return Tolerated
			}
			return Superseded
		case e.Type.EndsExecution():
			return Superseded
		}
	}
	return Superseded
}

// containerEnded returns how the newest attempt of a Parallel or Map state's work ended.
func (w *walker) containerEnded(visit *engine.Visit) engine.Status {
	if w.ended == nil {
		w.ended = make(map[*engine.Visit]engine.Status)
		for i := w.first; i < w.log.Len(); i++ {
			e := w.log.At(i)
			switch e.Type {
			case engine.MapSucceeded, engine.MapFailed, engine.MapRunSucceeded, engine.MapRunFailed, engine.ParallelSucceeded, engine.ParallelFailed:
				w.ended[e.Visit] = e.Type.Traits().Ends
			default:
			}
		}
	}
	return w.ended[visit]
}
