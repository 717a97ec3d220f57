package runlog

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// Past returns the facts on which the context object of a visit depends at event i, for [engine.Execution.ContextAt].
func (l *Log) Past(visit *engine.Visit, i int) engine.Past {
	past := engine.Past{Entered: l.At(int(visit.Entered) - 1).At()}
	event := l.At(i)
	selects := visit.State.Type == asl.Map && event.Stage == engine.StageParameters && event.Visit == visit
	var items *value.Array
	for at := int(visit.Entered); at < i; at++ {
		earlier := l.Head(at)
		if earlier.Entered != visit.Entered {
			continue
		}
		switch {
		case earlier.Type == engine.RetryScheduled:
			past.Retries++
		case earlier.Type == engine.MapStarted:
			items, _ = l.At(at).Before.(*value.Array)
			past.Index = 0
		case earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageItemReader:
			items, _ = l.At(at).After.(*value.Array)
		case earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageParameters:
			past.Index++
		}
	}
	if selects && past.Index < items.Len() {
		past.Item = items.At(past.Index)
	}
	return past
}

// Variable returns the value of a variable when a visit began, nil where it was not assigned: by the newest Assign in the
// visit's scope, or in those around it.
func (l *Log) Variable(visit *engine.Visit, name string) value.Value {
	for ; visit != nil; visit = visit.Parent {
		for i := int(visit.Entered) - 2; i >= 0; i-- {
			if head := l.Head(i); head.Thread != visit.Thread || head.Type != engine.StageCompleted || head.Stage != engine.StageAssign {
				continue
			}
			event := l.At(i)
			if variables, ok := event.After.(*value.Object); ok && l.Exited(event.Visit, i) {
				if v := variables.Get(name); v != nil {
					return v
				}
				break
			}
		}
		if visit.Parent != nil && visit.Parent.State.Distributed() {
			return nil // a separate execution sees no others
		}
	}
	return nil
}

// Exited reports whether a visit was exited after event i, which commits its assignments.
func (l *Log) Exited(visit *engine.Visit, i int) bool {
	for i++; i < l.Len(); i++ {
		event := l.Head(i)
		if event.Entered == visit.Entered {
			switch event.Type {
			case engine.StateExited:
				return true
			case engine.ErrorCaught, engine.RetryStarted: // a failed attempt assigns nothing
				return false
			default:
			}
		}
		if event.Thread == visit.Thread && event.Entered != visit.Entered && event.Type == engine.StateEntered {
			return false
		}
	}
	return false
}

// MapRuns returns the number of Map Runs that the visit of event i has begun, up to that event.
func (l *Log) MapRuns(i int) int {
	visit, count := l.At(i).Visit, 0
	for at := int(visit.Entered); at <= i; at++ {
		if head := l.Head(at); head.Type == engine.MapRunStarted && head.Entered == visit.Entered {
			count++
		}
	}
	return count
}

// RequestBefore returns the newest request of a task before event i in the visit of that event, nil where there is none.
func (l *Log) RequestBefore(i int) *engine.TaskRequest {
	at := l.RequestEventBefore(i)
	if at < 0 {
		return nil
	}
	request, _ := l.At(at).Detail.(*engine.TaskRequest)
	return request
}

// RequestEventBefore returns the index of the event with the request that [Log.RequestBefore] returns, -1 where there is none.
func (l *Log) RequestEventBefore(i int) int {
	visit := l.At(i).Visit
	if visit == nil {
		return -1
	}
	for at := i - 1; at >= int(visit.Entered); at-- {
		if l.Head(at).Entered != visit.Entered {
			continue
		}
		if _, ok := l.At(at).Detail.(*engine.TaskRequest); ok {
			return at
		}
	}
	return -1
}

// Scheduled returns the index of the event that scheduled the task of a request, -1 where there is none.
func (l *Log) Scheduled(request int64) int {
	for i := l.Len() - 1; i >= 0; i-- {
		if l.Head(i).Type != engine.TaskScheduled {
			continue
		}
		if detail, ok := l.At(i).Detail.(*engine.TaskRequest); ok && detail.ID == request {
			return i
		}
	}
	return -1
}

// Requests returns the requests of tasks in the log by their numbers.
func (l *Log) Requests() map[int64]*engine.TaskRequest {
	requests := make(map[int64]*engine.TaskRequest)
	for event := range l.All() {
		if request, ok := event.Detail.(*engine.TaskRequest); ok {
			requests[request.ID] = request
		}
	}
	return requests
}
