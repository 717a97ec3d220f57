package explain

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// GroupName returns the name of a group of events by the event that begins it: the state of a visit, or the number of a
// branch or an iteration.
func GroupName(e *engine.Event) string {
	switch e.Type {
	case engine.BranchStarted, engine.IterationStarted:
		kind := "branch "
		if e.Type == engine.IterationStarted {
			kind = "iteration "
		}
		if index, ok := ThreadIndex(e); ok {
			return kind + strconv.Itoa(index)
		}
		return kind
	default:
	}
	if e.Visit == nil {
		return EventName(e)
	}
	return e.Visit.State.Name
}

// GroupDetail returns how far a group has come in a few words, for a row of a list: its changes to the data and the
// next state, its error, or its data. newest is the newest event of the group itself.
func GroupDetail(newest *engine.Event) []Span {
	switch newest.Type {
	case engine.StateExited:
		spans := Changes(value.Count(newest.Before, newest.After))
		if d, ok := newest.Detail.(*engine.ExitDetail); ok && d.Next != "" {
			spans = append(spans, words("  "), mark(SignLeads), words(" "), state(d.Next))
		}
		return spans
	case engine.BranchSucceeded, engine.IterationSucceeded, engine.BranchStarted, engine.IterationStarted:
		return []Span{val(newest.After)}
	case engine.TaskScheduled:
		return []Span{words("the task runs")}
	case engine.WaitStarted, engine.RetryScheduled:
		return []Span{words(EventName(newest))}
	default:
	}
	if f := newest.Failure(); f != nil {
		return FailureDetail(f)
	}
	if newest.Visit != nil && newest.Type == engine.StateEntered && newest.Visit.State.Type != asl.Pass {
		return []Span{words(newest.Visit.State.Type.String())}
	}
	return nil
}

// Tally says how many branches or iterations are in which state: "19,990 done, 8 running, 2 failed".
func Tally(c runlog.Counts) string {
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{c.Done, "done"}, {c.Live(), "running"}, {c.Failed, "failed"}, {c.Aborted, "stopped"}} {
		if part.n > 0 {
			parts = append(parts, wording.Grouped(part.n)+" "+part.word)
		}
	}
	return strings.Join(parts, ", ")
}
