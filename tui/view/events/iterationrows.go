package events

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/console"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// order is a column by which the rows are sorted.
type order uint8

// The orders, as the key for sorting cycles through them.
const (
	byNumber order = iota
	byStatus
	byTime
	byTries
	byError
	bySize
	orderCount
)

// columnNames are the headings of the columns.
var columnNames = [orderCount]string{byNumber: "#", byStatus: "status", byTime: "time", byTries: "tries", byError: "error", bySize: "output"}

// orderNames are the orders of the rows, as the border has them.
var orderNames = [orderCount]string{byStatus: "status", byTime: "time", byTries: "tries", byError: "error", bySize: "size"}

// ranks are the places of the states in the order by status: those that need attention come first.
var ranks = [...]int{runlog.Failed: 0, runlog.Running: 1, runlog.Aborted: 2, runlog.Succeeded: 3, runlog.NotStarted: 4}

// sorted sorts the numbers of rows: the slowest, the most often tried and the largest first; rows that are equal by
// their number.
func sorted(list []int32, rows []runlog.Iteration, by order, now time.Time) {
	compare := func(a, b *runlog.Iteration) int { return 0 }
	switch by {
	case byStatus:
		compare = func(a, b *runlog.Iteration) int { return cmp.Compare(ranks[a.State], ranks[b.State]) }
	case byTime:
		compare = func(a, b *runlog.Iteration) int { return cmp.Compare(b.Took(now), a.Took(now)) }
	case byTries:
		compare = func(a, b *runlog.Iteration) int { return cmp.Compare(b.Retries, a.Retries) }
	case byError:
		compare = func(a, b *runlog.Iteration) int { return cmp.Compare(errorKey(a), errorKey(b)) }
	case bySize:
		compare = func(a, b *runlog.Iteration) int { return cmp.Compare(size(b), size(a)) }
	case byNumber, orderCount:
		return // as they are
	}
	slices.SortStableFunc(list, func(a, b int32) int { return compare(&rows[a], &rows[b]) })
}

// errorKey sorts rows without an error behind all others.
func errorKey(r *runlog.Iteration) string {
	if r.Failure == nil {
		return "\uffff"
	}
	return r.Failure.Name
}

// size is the size of the output in bytes, -1 where there is none.
func size(r *runlog.Iteration) int {
	if r.Output == nil {
		return -1
	}
	return value.Size(r.Output)
}

// failed reports whether it failed, or is failing.
func failed(r *runlog.Iteration) bool { return r.State == runlog.Failed || r.Failure != nil }

// passes reports whether a filter shows a row.
func passes(f *console.Filter, r *runlog.Iteration, now time.Time) bool {
	switch f.Kind {
	case console.None:
		return true
	case console.Failed:
		return failed(r)
	case console.State:
		return r.Visit != nil && r.Visit.State.Name == f.Name
	case console.Thread:
		return r.Visit != nil && int64(r.Visit.Thread) == f.Thread
	case console.FilterText:
		return f.True(r.Output, fields(r, now, f.Source))
	case console.Text:
	}
	text := statusWord(r)
	if r.Failure != nil {
		text += " " + r.Failure.Name + " " + r.Failure.Cause
	}
	if f.Contains(text) {
		return true
	}
	return r.Output != nil && f.Contains(value.Preview(r.Output, previewLength))
}

// previewLength bounds the part of an output in which a text is looked for.
const previewLength = 200

// fields are the names that an expression can use besides the output. Only those in its text are computed:
// there may be very many rows.
func fields(r *runlog.Iteration, now time.Time, text string) map[string]value.Value {
	all := make(map[string]value.Value, 1)
	add := func(name string, get func() value.Value) {
		if strings.Contains(text, name) {
			all[name] = get()
		}
	}
	add("index", func() value.Value { return value.Int(int64(r.Index)) })
	add("status", func() value.Value { return value.String(statusNames[r.State]) })
	add("time", func() value.Value { return value.Float(r.Took(now).Seconds()) })
	add("tries", func() value.Value { return value.Int(int64(tries(r))) })
	add("size", func() value.Value { return value.Int(int64(max(size(r), 0))) })
	add("state", func() value.Value {
		if r.Visit == nil {
			return nil
		}
		return value.String(r.Visit.State.Name)
	})
	ofFailure := func(text func(*engine.Failure) string) func() value.Value {
		return func() value.Value {
			if r.Failure == nil {
				return nil
			}
			return value.String(text(r.Failure))
		}
	}
	add("error", ofFailure(func(f *engine.Failure) string { return f.Name }))
	add("cause", ofFailure(func(f *engine.Failure) string { return f.Cause }))
	return all
}

// statusNames are the words for the states of iterations.
var statusNames = [...]string{
	runlog.NotStarted: "not begun", runlog.Running: "running", runlog.Succeeded: "done", runlog.Failed: "failed", runlog.Aborted: "stopped",
}

// statusWord says how far an iteration has come: while it runs, in which state it is.
func statusWord(r *runlog.Iteration) string {
	if r.State == runlog.Running && r.Visit != nil {
		return r.Visit.State.Name
	}
	return statusNames[r.State]
}

// tries counts the attempts: one more than the retries of the states inside.
func tries(r *runlog.Iteration) int {
	if r.State == runlog.NotStarted {
		return 0
	}
	return r.Retries + 1
}
