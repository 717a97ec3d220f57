package debug

import (
	"cmp"
	"slices"
	"time"

	"asldb/engine"
)

// What can be told of a run from its events alone, where there is no execution to ask.

// statusOf reads how an execution stood after the first n events of a log.
func statusOf(log *Log, n int) engine.Status {
	if n == 0 {
		return engine.Runnable
	}
	switch log.At(n - 1).Type {
	case engine.ExecutionSucceeded:
		return engine.Succeeded
	case engine.ExecutionFailed:
		return engine.Failed
	case engine.ExecutionTimedOut:
		return engine.TimedOut
	case engine.ExecutionAborted:
		return engine.Aborted
	}
	return engine.Runnable
}

func (r *run) status() engine.Status {
	if r.unplayed {
		return statusOf(&r.log, r.log.Len())
	}
	return r.execution.Status()
}

// liveThread is what the events say of a thread.
type liveThread struct {
	info    engine.ThreadInfo
	request *engine.TaskRequest // of the task that it is in
	timers  []engine.Timer
	holds   int // its branches or iterations that are not over
}

// threads reads the live threads up to the position from the events.
func (s *Session) threads() map[engine.ThreadID]*liveThread {
	live := map[engine.ThreadID]*liveThread{0: {}}
	if s.position > 0 && s.Status().Done() {
		return nil
	}
	of := func(id engine.ThreadID) *liveThread {
		t := live[id]
		if t == nil {
			t = &liveThread{info: engine.ThreadInfo{ID: id}}
			live[id] = t
		}
		return t
	}
	for i := range s.position {
		event := s.log.At(i)
		t := of(event.Thread)
		switch event.Type {
		case engine.BranchStarted, engine.IterationStarted:
			t.info.Parent = event.Visit.Thread
			if detail, ok := event.Detail.(*engine.ThreadDetail); ok {
				t.info.Index = detail.Index
			}
			of(t.info.Parent).holds++
		case engine.BranchSucceeded, engine.BranchFailed, engine.BranchAborted,
			engine.IterationSucceeded, engine.IterationFailed, engine.IterationAborted:
			of(t.info.Parent).holds--
			delete(live, event.Thread)
		default:
			t.note(event)
		}
	}
	return live
}

// note takes in an event of the thread's own.
func (t *liveThread) note(event *engine.Event) {
	switch event.Type {
	case engine.TaskSubmitted, engine.TaskHeartbeat, engine.DataEdited, engine.StageCompleted:
	default:
		t.request, t.timers = nil, nil
	}
	timer := func(at time.Time, kind engine.TimerKind) {
		t.timers = append(t.timers, engine.Timer{At: at, Kind: kind, Visit: event.Visit})
	}
	switch detail := event.Detail.(type) {
	case *engine.TaskRequest:
		t.request = detail
		if detail.Timeout > 0 {
			timer(event.At().Add(detail.Timeout), engine.TimerTaskTimeout)
		}
	case *engine.WaitDetail:
		timer(detail.Until, engine.TimerWait)
	case *engine.RetryDetail:
		timer(detail.Due, engine.TimerRetry)
	}
	if event.Visit != nil && event.Thread == event.Visit.Thread {
		t.info.Visit = event.Visit
	}
}

// ordered returns the live threads by id.
func (s *Session) ordered() []*liveThread {
	var list []*liveThread
	for _, t := range s.threads() {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *liveThread) int { return cmp.Compare(a.info.ID, b.info.ID) })
	return list
}

func (s *Session) threadsOfLog() []engine.ThreadInfo {
	var infos []engine.ThreadInfo
	for _, t := range s.ordered() {
		switch {
		case t.holds > 0:
			t.info.Blocked = "branches"
		case t.request != nil:
			t.info.Blocked = "an answer"
		case len(t.timers) > 0:
			t.info.Blocked = "time"
		}
		infos = append(infos, t.info)
	}
	return infos
}

func (s *Session) requestsOfLog() []*engine.TaskRequest {
	var requests []*engine.TaskRequest
	for _, t := range s.ordered() {
		if t.request != nil {
			requests = append(requests, t.request)
		}
	}
	slices.SortFunc(requests, func(a, b *engine.TaskRequest) int { return cmp.Compare(a.ID, b.ID) })
	return requests
}

func (s *Session) timersOfLog() []engine.Timer {
	var timers []engine.Timer
	for _, t := range s.ordered() {
		timers = append(timers, t.timers...)
	}
	slices.SortStableFunc(timers, func(a, b engine.Timer) int { return a.At.Compare(b.At) })
	return timers
}
