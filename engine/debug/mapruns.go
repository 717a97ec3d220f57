package debug

import (
	"asldb/engine"
	"asldb/engine/runlog"
)

// mapRunsUpTo counts the Map Runs of the visit of event i, up to that event.
func mapRunsUpTo(log *runlog.Log, i int) int {
	visit, attempt := log.At(i).Visit, 0
	for at := int(visit.Entered); at <= i; at++ {
		if e := log.At(at); e.Type == engine.MapRunStarted && e.Visit == visit {
			attempt++
		}
	}
	return attempt
}
