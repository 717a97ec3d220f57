package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/internal/wording"
)

// maxReloadedValue bounds a value in the text about a definition that was read again, in characters.
const maxReloadedValue = 60

// Reloaded tells what a definition that was read again changed in the run: the first difference, and what became of the
// answers of the run before. Each sentence is an element.
func Reloaded(s *debug.Session, r *debug.Reloaded) []string {
	var list []string
	before, now, _, differs := r.First(s)
	switch {
	case differs:
		list = append(list, firstDifference(s, before, now))
	case r.SameText:
		list = append(list, "The file is as it was: the run is the same as before.")
	default:
		list = append(list, "The run with the changed file does not differ from the one before.")
	}
	for _, old := range slices.Sorted(maps.Keys(r.Renamed)) {
		list = append(list, old+" is now "+r.Renamed[old]+": its answer goes along.")
	}
	if n := r.ByHand; n > 0 {
		list = append(list, wording.Count(n, "typed answer")+" kept: "+strings.Join(r.Kept, ", ")+".")
	}
	answers, others := 0, 0
	for i := range r.Unused {
		if r.Unused[i].Kind == runlog.InputOutcome || r.Unused[i].Kind == runlog.InputObject || r.Unused[i].Kind == runlog.InputMapRun {
			answers++
		} else {
			others++
		}
	}
	if answers > 0 {
		list = append(list, wording.CountOf(answers, "answer has", "answers have")+" no use now.")
	}
	if others > 0 {
		list = append(list, wording.CountOf(others, "edit or error given by hand is", "edits and errors given by hand are")+" not repeated.")
	}
	return list
}

// firstDifference tells where two runs part: "The first difference: Bill, Parameters (before: ..., now: ...)."
func firstDifference(s *debug.Session, before, now *engine.Event) string {
	at := cmp.Or(now, before)
	place := "the execution"
	if at.Visit != nil {
		place = EventPlace(at)
		if at.Type == engine.StageCompleted || at.Type == engine.StageFailed {
			place += ", " + FieldOf(at.Visit.State, at.Stage)
		}
	}
	return fmt.Sprintf("The first difference: %s (before: %s; now: %s).", place, eventInBrief(s, before), eventInBrief(s, now))
}

// eventInBrief tells an event in a few words.
func eventInBrief(s *debug.Session, e *engine.Event) string {
	switch {
	case e == nil:
		return "did not happen"
	case e.Failure() != nil:
		return wording.Clip(cmp.Or(Reason(e.Failure()), e.Failure().Name), maxReloadedValue)
	}
	text := Plain(maxReloadedValue).Spans(EventDetail(e, s.Options().Start))
	if e.Type == engine.StageCompleted {
		return text
	}
	return strings.TrimSpace(EventName(e) + " " + text)
}
