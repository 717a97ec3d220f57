package rerun

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// Align lays the recorded events, as [Recording.Events] has them, beside the events of a run, line by line. Differences
// are those that a [Check] says: both are taken for histories, and up to its first difference all lines are the same.
func (r *Recording) Align(definition *asl.StateMachine, run *runlog.Log) *runlog.Result {
	found := history.Of(run.All())
	check := r.compareEvents(found, false)
	left, right := r.write(definition), Of(&history.Execution{Events: found}).write(definition)
	same := r.reproducible()
	c := runlog.WithHistory(runlog.Of(left.events), runlog.Of(right.events), func(name string, recorded, found value.Value) bool {
		return same.Same(-1, name, recorded, found)
	})
	first := len(r.Threads.Events)
	if check.First != nil {
		first = check.First.At
	}
	rows := settled(c.Rows, func(row runlog.Row) bool { return row.A >= 0 && left.sources[row.A] >= first }, check.First != nil)
	if check.First != nil {
		markFirst(rows, left, check.First)
	}
	places := inRun(right, found, run)
	for i := range rows {
		if rows[i].B >= 0 {
			rows[i].B = places[rows[i].B]
		}
	}
	if check.First == nil {
		return &runlog.Result{First: -1, Rows: rows}
	}
	return &runlog.Result{Rows: rows}
}

// settled returns the lines with those before the first difference made the same, as they were found to be. differs is
// false where there is no difference at all.
func settled(rows []runlog.Row, isFirst func(runlog.Row) bool, differs bool) []runlog.Row {
	kept := rows[:0]
	reached := false
	for i, row := range rows {
		reached = reached || differs && isFirst(row) || differs && row.A < 0 && nextIsFirst(rows[i:], isFirst)
		if !reached {
			if row.A < 0 || row.B < 0 {
				continue // the two only tell it at other places
			}
			row.Differs = nil
		}
		kept = append(kept, row)
	}
	return kept
}

// nextIsFirst reports whether the next line that the recording has is at or after the first difference.
func nextIsFirst(rows []runlog.Row, isFirst func(runlog.Row) bool) bool {
	for _, row := range rows {
		if row.A >= 0 {
			return isFirst(row)
		}
	}
	return true
}

// memberNames are the names that the members of a history have in events.
var memberNames = map[string]string{
	"input": "after", "output": "after", "parameters": "after", "assignedVariables": "assigned", "timeoutInSeconds": "timeoutSeconds",
	"heartbeatInSeconds": "heartbeatSeconds", "taskCredentials": "credentials", "resourceType": "resource", "name": "state",
}

// markFirst marks the line of the first difference where its events as such do not show it.
func markFirst(rows []runlog.Row, left *eventWriter, first *history.Difference) {
	for i := range rows {
		if !rows[i].Same() {
			return
		}
	}
	name := first.Member
	if known := memberNames[name]; known != "" {
		name = known
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].A >= 0 && left.sources[rows[i].A] <= first.At {
			rows[i].Differs = []string{name}
			return
		}
	}
}

// near is how many events are searched for the one that an event of a history means.
const near = 8

// inRun returns for each event that was made of the history of a run the place of its counterpart in the run.
func inRun(written *eventWriter, found []history.Event, run *runlog.Log) []int {
	places := make([]int, len(written.events))
	for i := range written.events {
		e := &written.events[i]
		at := int(found[written.sources[i]].Of) - 1
		places[i] = at
		for distance := range near {
			if place, ok := nearestEvent(run, e, at, distance); ok {
				places[i] = place
				break
			}
		}
	}
	return places
}

// nearestEvent returns the place of an event of the same kind at a distance from a place of the run.
func nearestEvent(run *runlog.Log, e *engine.Event, at, distance int) (int, bool) {
	for _, place := range []int{at - distance, at + distance} {
		if place < 0 || place >= run.Len() {
			continue
		}
		other := run.At(place)
		if other.Type == e.Type && (other.Visit == nil) == (e.Visit == nil) && (e.Visit == nil || e.Visit.SamePlace(other.Visit)) {
			return place, true
		}
	}
	return 0, false
}
