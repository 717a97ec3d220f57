package runlog

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// maxVisitEvents bounds the events of a visit among which the main one is looked for.
const maxVisitEvents = 10_000

// MainEvent returns the event that says most about a visit whose newest event is newest: where it failed or a catcher took over,
// the error; of a Choice state its rules; of a Wait state the wait; else the result, as it was put into the data. It is newest
// where nothing tells more.
func (l *Log) MainEvent(newest int) int {
	visit := l.At(newest).Visit
	if visit == nil {
		return newest
	}
	changed, result := -1, -1
	first := max(int(visit.Entered)-1, newest-maxVisitEvents, l.First())
	for i := newest; i >= first; i-- {
		e := l.At(i)
		if e.Visit != visit {
			continue
		}
		switch {
		case e.Type == engine.ErrorCaught, e.RaisesError() && result < 0 && changed < 0:
			return i
		case e.Stage == engine.StageChoices && visit.State.Type == asl.Choice, e.Type == engine.WaitStarted:
			return i
		case e.Type == engine.RetryStarted:
			return firstOf(changed, result, newest)
		case e.Type == engine.StageCompleted && changed < 0 && result < 0 && !value.Count(e.Before, e.After).Zero():
			changed = i
		case e.Type == engine.TaskSucceeded && result < 0:
			result = i
		}
	}
	return firstOf(changed, result, newest)
}

// firstOf returns the first index that is not negative.
func firstOf(indexes ...int) int {
	for _, i := range indexes {
		if i >= 0 {
			return i
		}
	}
	return -1
}
