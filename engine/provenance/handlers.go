package provenance

import (
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/internal/wording"
)

// Verdict is the answer of a retrier or catcher to an error.
type Verdict uint8

// The verdicts.
const (
	// NotNamed: its ErrorEquals does not name the error.
	NotNamed Verdict = iota + 1
	// NeverCaught: the error is one that no retrier and no catcher takes.
	NeverCaught
	// Spent: its attempts are used up.
	Spent
	// NotAsked: an earlier retrier or catcher had decided.
	NotAsked
	// Retries: it scheduled another attempt.
	Retries
	// Took: the catcher took the error.
	Took
)

var verdictNames = [...]string{
	NotNamed: "notNamed", NeverCaught: "neverCaught", Spent: "spent", NotAsked: "notAsked", Retries: "retries", Took: "took",
}

// String returns the verdict's name as JSON has it, "notNamed" for example.
func (v Verdict) String() string { return verdictNames[v] }

// Handler is the answer of one retrier or catcher to an error.
type Handler struct {
	// Catcher is set where it is one; Index is its place in Retry or Catch, from 0.
	Catcher bool
	Index   int
	// Names is its ErrorEquals.
	Names   []string
	Verdict Verdict
	// Near is a name in ErrorEquals that is misspelt, by the look of it, for the error's; else "".
	Near string
	// Attempts is how many retries it had scheduled in this visit before the error came up, MaxAttempts how many it may.
	Attempts, MaxAttempts int64
	// Next is where the catcher that took the error leads.
	Next string
}

// Takes reports whether the error does not go beyond the state: a retrier schedules another attempt, or a catcher takes it.
func (h Handler) Takes() bool { return h.Verdict == Retries || h.Verdict == Took }

// Raised returns the index of the event in which the error of event i came up: i itself, or for a RetryScheduled, an
// ErrorCaught and a StateFailed an earlier one of the visit. It is -1 where the event carries no error.
func Raised(log *runlog.Log, i int) int {
	e := log.At(i)
	switch {
	case e.Visit == nil || e.Failure() == nil && e.Type != engine.RetryScheduled && e.Type != engine.ErrorCaught:
		return -1
	case e.RaisesError():
		return i
	}
	w := endWalker{log: log, first: log.First()}
	return w.raisedIn(e.Visit, i)
}

// Handlers returns the answers of the retriers, then of the catchers, of the state in which an error came up at event i of
// the log, counted from 0. There are none where the event carries no error, or where the state has neither. At the end of
// the log they are the answers that will be given.
func Handlers(log *runlog.Log, i int, dialect engine.Dialect) []Handler {
	e := log.At(i)
	if e.Visit == nil || e.Failure() == nil {
		return nil
	}
	w := endWalker{log: log, dialect: dialect, first: log.First()}
	caught := -1
	for k := i + 1; k < log.Len() && caught < 0; k++ {
		switch after := log.At(k); {
		case after.Visit != e.Visit:
		case after.Type == engine.ErrorCaught:
			caught = k
		case after.Type == engine.RetryScheduled || after.Type == engine.StateFailed:
			k = log.Len()
		}
	}
	return w.handlers(e.Visit, e.Failure(), i, caught)
}

// handlers returns the answers to an error that came up at event i; caught is the index of the ErrorCaught event, or -1.
func (w *endWalker) handlers(visit *engine.Visit, failure *engine.Failure, i, caught int) []Handler {
	state := visit.State
	if len(state.Retry)+len(state.Catch) == 0 || failure == nil || caught < 0 && w.inCatcher(visit, i) {
		return nil
	}
	spent := w.retries(visit, i)
	list := make([]Handler, 0, len(state.Retry)+len(state.Catch))
	decided, retries := false, false
	for n, r := range state.Retry {
		h := Handler{Index: n, Names: r.ErrorEquals, Attempts: spent[n], MaxAttempts: r.MaxAttempts}
		switch {
		case !failure.Catchable():
			h.Verdict = NeverCaught
		case decided:
			h.Verdict = NotAsked
		case !failure.TakenByRetrier(r, w.dialect):
			h.Verdict, h.Near = NotNamed, near(failure.Name, r.ErrorEquals)
		case spent[n] >= r.MaxAttempts:
			h.Verdict, decided = Spent, true
		default:
			h.Verdict, decided, retries = Retries, true, true
		}
		list = append(list, h)
	}
	took := -1
	if caught >= 0 {
		took = w.log.At(caught).Detail.(*engine.CatchDetail).Catcher
	}
	decided = retries
	for n, c := range state.Catch {
		list = append(list, w.catcher(c, failure, n, took, &decided))
	}
	return list
}

// inCatcher reports whether a catcher of a visit had taken an error before another one came up at event i: a field of the catcher failed,
// for which no retrier and no catcher is asked.
func (w *endWalker) inCatcher(visit *engine.Visit, i int) bool {
	for k := i - 1; k >= w.entered(visit); k-- {
		switch e := w.log.At(k); {
		case e.Visit != visit:
		case e.Type == engine.ErrorCaught, e.RaisesError(): // a history has no event for the former
			return true
		case e.Type == engine.RetryStarted:
			return false
		}
	}
	return false
}

func (w *endWalker) catcher(c *asl.Catcher, failure *engine.Failure, n, took int, decided *bool) Handler {
	h := Handler{Catcher: true, Index: n, Names: c.ErrorEquals}
	switch {
	case n == took:
		h.Verdict, h.Next, *decided = Took, c.Next, true
	case !failure.Catchable():
		h.Verdict = NeverCaught
	case *decided || took >= 0 && n > took:
		h.Verdict = NotAsked
	case took < 0 && failure.TakenByCatcher(c, w.dialect): // the log ends before the catcher has taken it
		h.Verdict, h.Next, *decided = Took, c.Next, true
	default:
		h.Verdict, h.Near = NotNamed, near(failure.Name, c.ErrorEquals)
	}
	return h
}

// retries returns how many attempts each retrier of a visit had scheduled before event i.
func (w *endWalker) retries(visit *engine.Visit, i int) []int64 {
	counts := make([]int64, len(visit.State.Retry))
	for k := i - 1; k >= w.entered(visit); k-- {
		if e := w.log.At(k); e.Visit == visit && e.Type == engine.RetryScheduled {
			if d, ok := e.Detail.(*engine.RetryDetail); ok && d.Retrier < len(counts) {
				counts[d.Retrier]++
			}
		}
	}
	return counts
}

// near returns the name that was probably meant to be the error's, or "".
func near(name string, names []string) string {
	if name == "" || slices.Contains(names, name) {
		return ""
	}
	return wording.Nearest(name, slices.Values(names))
}
