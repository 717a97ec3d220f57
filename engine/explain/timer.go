package explain

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
)

// Timer is a pending timer in words.
type Timer struct {
	// Due is its time since the start, Name the state that waits and the kind of timer.
	Due, Name string
	// Reason says how its time came about; it may be empty.
	Reason string
}

// Timers puts pending timers of a session into words.
func Timers(s *debug.Session, timers []engine.Timer) []Timer {
	start := s.Options().Start
	var list []Timer
	for i := range timers {
		t := &timers[i]
		line := Timer{Due: SinceStart(start, t.At), Name: t.Kind.String()}
		if t.Visit != nil {
			line.Name = PlaceName(t.Visit) + " " + t.Kind.String()
			line.Reason = timerReason(s, t)
		}
		list = append(list, line)
	}
	return list
}

// timerReason says how the time of a timer came about.
func timerReason(s *debug.Session, t *engine.Timer) string {
	def := t.Visit.State
	switch t.Kind {
	case engine.TimerWait:
		for _, info := range engine.StagesOf(def) {
			if info.Stage == engine.StageWait {
				return info.Field + " " + info.Text
			}
		}
	case engine.TimerRetry:
		if d := lastRetry(s, t.Visit); d != nil && d.Retrier < len(def.Retry) {
			return Backoff(def.Retry[d.Retrier], d)
		}
	case engine.TimerTask:
		return "the task's result is due"
	case engine.TimerMapRun:
		return "the Map Run ends, as it was answered"
	case engine.TimerTaskTimeout:
		return quantityReason(def.TimeoutSeconds)
	case engine.TimerHeartbeatTimeout:
		return quantityReason(def.HeartbeatSeconds)
	case engine.TimerTaskHeartbeat, engine.TimerChildTimeout, engine.TimerExecutionTimeout:
	}
	return ""
}

func quantityReason(q *asl.Quantity) string {
	switch {
	case q == nil:
		return "the default"
	case q.Path != nil:
		return q.Field + " " + q.Path.String()
	}
	return "if the task does not answer before"
}

// lastRetry returns the newest retry of a visit, nil where there is none within reach.
func lastRetry(s *debug.Session, visit *engine.Visit) *engine.RetryDetail {
	log := s.Log()
	for i := log.Len() - 1; i >= max(int(visit.Entered)-1, log.Len()-reach); i-- {
		if e := log.At(i); e.Visit == visit && e.Type == engine.RetryScheduled {
			d, _ := e.Detail.(*engine.RetryDetail)
			return d
		}
	}
	return nil
}
