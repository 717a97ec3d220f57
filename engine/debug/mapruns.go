package debug

import "asldb/engine"

// MapRuns is what a [Source] implements besides when it knows what came of whole Map Runs, and not what their executions
// did: a history does. MapRun is asked when a Map Run begins; visit is that of the distributed Map, and
// attempt counts the Map Runs of the visit, from 1. Where ok is false the executions run.
type MapRuns interface {
	MapRun(visit *engine.Visit, attempt int) (outcome engine.Outcome, ok bool, err error)
}

// askMapRuns lets the source answer the Map Runs that have begun with the events from first on.
func (s *Session) askMapRuns(first int) error {
	source, has := s.options.Source.(MapRuns)
	if !has {
		return nil
	}
	for i := first; i < s.log.Len(); i++ {
		event := s.log.At(i)
		if event.Type != engine.MapRunStarted {
			continue
		}
		outcome, ok, err := source.MapRun(event.Visit, mapRunsUpTo(&s.log, i))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		given := Answer{Kind: AnswerMapRun, Thread: event.Thread, Outcome: outcome, Origin: s.sourceOrigin()}
		if err := s.answer(given); err != nil {
			return err
		}
	}
	return nil
}

// mapRunsUpTo counts the Map Runs of the visit of event i, up to that event.
func mapRunsUpTo(log *Log, i int) int {
	visit, attempt := log.At(i).Visit, 0
	for at := int(visit.Entered); at <= i; at++ {
		if e := log.At(at); e.Type == engine.MapRunStarted && e.Visit == visit {
			attempt++
		}
	}
	return attempt
}

// mapRunKey is what a Map Run is known again by.
type mapRunKey struct {
	state          string
	visit, attempt int
}

// MapRun implements MapRuns: a Map Run that was answered as a whole is answered so again.
func (r *recordedSource) MapRun(visit *engine.Visit, attempt int) (engine.Outcome, bool, error) {
	if i, known := r.mapRuns[mapRunKey{visit.Path(), visit.Number, attempt}]; known && !r.used[i] {
		r.used[i], r.origin = true, r.answers[i].Origin
		return r.answers[i].Outcome, true, nil
	}
	r.origin = ""
	if source, has := r.extra.(MapRuns); has {
		return source.MapRun(visit, attempt)
	}
	return engine.Outcome{}, false, nil
}
