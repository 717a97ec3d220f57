package rerun

import (
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// task writes the events of one attempt of a task.
func (c *eventWriter) task(i int, e *history.Event, kind history.Kind, v *history.Visit, visit *engine.Visit) {
	number := -1
	for n, attempt := range v.Attempts {
		if i == attempt.Scheduled || i == attempt.Started || i == attempt.Submitted || i == attempt.Ended {
			number = n
		}
	}
	if number < 0 {
		return
	}
	attempt := v.Attempts[number]
	event := engine.Event{Visit: visit, Stage: engine.StageResult}
	request := c.requests[attempt]
	if request == nil {
		request = c.schedule(e, kind, visit, attempt, number)
	}
	switch kind.Phase {
	case history.Submitted:
		event.Type, event.After = engine.TaskSubmitted, payload(e, "output")
	case history.Succeeded:
		event.Type, event.Before, event.After = engine.TaskSucceeded, request.Parameters, payload(e, "output")
	case history.Failed:
		event.Type, event.Before, event.Detail = engine.TaskFailed, request.Parameters, c.fail(e, visit)
	case history.TimedOut:
		event.Type, event.Before, event.Detail = engine.TaskTimedOut, request.Parameters, c.fail(e, visit)
	default:
		return
	}
	c.emit(e.Time, visit.Thread, event)
	if kind.Phase >= history.Failed && number+1 < len(v.Attempts) {
		c.retry(e, visit, number+1, c.r.Threads.Events[first(v.Attempts[number+1])].Time)
	}
}

// schedule writes that an attempt was asked for. Not every recording has the event that says so.
func (c *eventWriter) schedule(e *history.Event, kind history.Kind, visit *engine.Visit, attempt *history.Attempt, number int) *engine.TaskRequest {
	c.asked++
	c.counts[visit.State]++
	resource := c.r.resourceOf(attempt)
	if resource == "" {
		resource = visit.State.Resource
	}
	request := &engine.TaskRequest{
		ID: c.asked, Thread: visit.Thread, Visit: visit, Resource: resource, Parameters: value.Null{},
		Attempt: number + 1, Invocation: c.counts[visit.State], Integration: engine.IntegrationOf(resource),
	}
	if attempt.Scheduled >= 0 {
		scheduled := &c.r.Threads.Events[attempt.Scheduled]
		key := "input"
		if kind.Family == history.OfTask {
			key = "parameters"
		}
		request.Parameters = payload(scheduled, key)
		source := NewSource(c.r.Threads)
		bounds := source.bounds(attempt)
		request.Timeout, request.Heartbeat, request.TimeoutSet = bounds.timeout, bounds.heartbeat, bounds.timeout > 0
		if role := scheduled.Role(); role != "" {
			request.Credentials = value.ObjectOf(value.Member{Key: "RoleArn", Value: value.String(role)})
		}
	}
	c.requests[attempt] = request
	if number > 0 {
		c.emit(e.Time, visit.Thread, engine.Event{Type: engine.RetryStarted, Visit: visit, Stage: engine.StageResult})
	}
	c.emit(e.Time, visit.Thread, engine.Event{
		Type: engine.TaskScheduled, Visit: visit, Stage: engine.StageResult, After: request.Parameters, Detail: request,
	})
	return request
}

// retry writes that the work of a state was to begin again at a time. Which retrier it was, the recording does
// not say.
func (c *eventWriter) retry(e *history.Event, visit *engine.Visit, number int, due int64) {
	delay := nanoseconds(e.Time, due)
	c.emit(e.Time, visit.Thread, engine.Event{Type: engine.RetryScheduled, Visit: visit, Detail: &engine.RetryDetail{
		Failure: c.lastFailure(visit), Attempt: int64(number), Delay: delay, Backoff: delay, Due: at(&history.Event{Time: due}),
	}})
}

// container writes the events of Parallel and Map states.
func (c *eventWriter) container(i int, e *history.Event, kind history.Kind, v *history.Visit, visit *engine.Visit) {
	started, succeeded, failed := engine.ParallelStarted, engine.ParallelSucceeded, engine.ParallelFailed
	if kind.Family == history.OfMap {
		started, succeeded, failed = engine.MapStarted, engine.MapSucceeded, engine.MapFailed
	}
	event := engine.Event{Visit: visit, Stage: engine.StageResult}
	switch kind.Phase {
	case history.Started:
		for n, round := range v.Rounds {
			if n > 0 && round.Started == i {
				c.endBranches(e, v.Rounds[n-1], visit, false)
				c.emit(e.Time, visit.Thread, engine.Event{Type: failed, Visit: visit, Stage: engine.StageResult, Detail: c.lastFailure(visit)})
				c.retry(e, visit, n, e.Time)
				c.emit(e.Time, visit.Thread, engine.Event{Type: engine.RetryStarted, Visit: visit, Stage: engine.StageResult})
			}
		}
		length := int64(len(visit.State.Branches))
		if kind.Family == history.OfMap {
			length, _ = e.Int("length")
		}
		event.Type, event.Detail = started, &engine.StartDetail{Length: int(length)}
	case history.Succeeded:
		c.endBranches(e, last(v), visit, true)
		event.Type, event.After = succeeded, c.results(v)
	case history.Failed:
		if len(v.Rounds) == 0 {
			return // it failed before it began, which the stage that failed has told
		}
		c.endBranches(e, last(v), visit, false)
		event.Type, event.Detail = failed, c.lastFailure(visit)
	default:
		return
	}
	c.emit(e.Time, visit.Thread, event)
}

func last(v *history.Visit) *history.Round {
	if len(v.Rounds) == 0 {
		return nil
	}
	return v.Rounds[len(v.Rounds)-1]
}

// endBranches writes how the branches of a Parallel state ended, since no event says it.
func (c *eventWriter) endBranches(e *history.Event, round *history.Round, visit *engine.Visit, succeeded bool) {
	if round == nil || len(visit.State.Branches) == 0 {
		return
	}
	for _, t := range round.Threads {
		id, known := c.threads[t]
		if !known || len(t.Visits) == 0 {
			continue
		}
		final := t.Visits[len(t.Visits)-1]
		failure := c.lastFailure(visit)
		switch {
		case succeeded || final.Exited >= 0:
			c.emit(e.Time, id, engine.Event{Type: engine.BranchSucceeded, Visit: visit, After: c.output(final)})
		case failure.Origin != nil && failure.Origin.Within(c.visits[final]):
			c.stateFailed(e, t, failure)
			c.emit(e.Time, id, engine.Event{Type: engine.BranchFailed, Visit: visit, Detail: failure})
		default:
			_, index := scopeIn(visit.State, t)
			c.emit(e.Time, id, engine.Event{Type: engine.BranchAborted, Visit: visit, Detail: &engine.ThreadDetail{Thread: id, Index: index, Visit: c.visits[final]}})
		}
	}
}

// output is the output of a state; null where it has not ended.
func (c *eventWriter) output(v *history.Visit) value.Value {
	if v.Exited < 0 {
		return value.Null{}
	}
	return payload(&c.r.Threads.Events[v.Exited], "output")
}

// results are the outputs of a container's branches or iterations, in their order; null where one has none.
func (c *eventWriter) results(v *history.Visit) value.Value {
	round := last(v)
	if round == nil {
		return value.ArrayOf()
	}
	visit := c.visits[v]
	length := len(round.Threads)
	for _, t := range round.Threads {
		_, index := scopeIn(visit.State, t)
		length = max(length, min(index, 1<<20)+1)
	}
	outputs := make([]value.Value, length)
	for i := range outputs {
		outputs[i] = value.Null{}
	}
	for _, t := range round.Threads {
		_, index := scopeIn(visit.State, t)
		if index < length && len(t.Visits) > 0 {
			outputs[index] = c.output(t.Visits[len(t.Visits)-1])
		}
	}
	return value.NewArray(outputs)
}

func (c *eventWriter) iteration(e *history.Event, kind history.Kind, t *history.Thread) {
	if t.Container == nil {
		return
	}
	visit := c.visits[t.Container]
	if visit == nil {
		return
	}
	if kind.Phase == history.Started {
		input := value.Value(value.Null{})
		if len(t.Visits) > 0 && t.Visits[0].Entered >= 0 {
			input = payload(&c.r.Threads.Events[t.Visits[0].Entered], "input")
		}
		c.begin(e.Time, t, visit, t.Index, input, engine.IterationStarted)
		return
	}
	id, known := c.threads[t]
	if !known {
		return
	}
	event := engine.Event{Visit: visit}
	var final *engine.Visit
	if len(t.Visits) > 0 {
		final = c.visits[t.Visits[len(t.Visits)-1]]
	}
	switch kind.Phase {
	case history.Succeeded:
		event.Type, event.After = engine.IterationSucceeded, value.Null{}
		if len(t.Visits) > 0 {
			event.After = c.output(t.Visits[len(t.Visits)-1])
		}
	case history.Failed:
		failure := c.lastFailure(final)
		c.stateFailed(e, t, failure)
		event.Type, event.Detail = engine.IterationFailed, failure
	default:
		event.Type, event.Detail = engine.IterationAborted, &engine.ThreadDetail{Thread: id, Index: t.Index, Visit: final}
	}
	c.emit(e.Time, id, event)
}

func (c *eventWriter) mapRun(e *history.Event, kind history.Kind, visit *engine.Visit) {
	event := engine.Event{Visit: visit, Stage: engine.StageResult}
	switch kind.Phase {
	case history.Started:
		event.Type, event.Detail = engine.MapRunStarted, &engine.MapRunDetail{Arn: e.Text("mapRunArn")}
	case history.Succeeded:
		event.Type, event.After = engine.MapRunSucceeded, value.Null{} // its executions have their own histories
	case history.Failed:
		event.Type, event.Detail = engine.MapRunFailed, c.fail(e, visit)
	default:
		return
	}
	c.emit(e.Time, visit.Thread, event)
}

// drift is how far the virtual clock may be behind the recorded one for a task to still end at the recorded
// instant: the service takes its time between states, and nothing of the kind passes here.
const drift = time.Minute

// duration is how long a task takes: to the instant at which it ended then where the clocks go together, else
// as long as then.
func (s *Source) duration(request *engine.TaskRequest, attempt *history.Attempt) time.Duration {
	took := s.recorded(attempt)
	if s.now == nil || attempt.Scheduled < 0 {
		return took
	}
	now := s.now()
	scheduled := time.Unix(0, s.run.Events[attempt.Scheduled].Time)
	if behind := scheduled.Sub(now); behind >= 0 && behind <= drift && !crosses(took, behind, request.Timeout) && !crosses(took, behind, request.Heartbeat) {
		took += behind
	}
	return took
}

// crosses reports whether more time would make a task time out that did not.
func crosses(took, more, bound time.Duration) bool {
	return bound > 0 && took < bound && took+more >= bound
}

// recorded is how long an attempt took then.
func (s *Source) recorded(attempt *history.Attempt) time.Duration {
	from := attempt.Scheduled
	if from < 0 {
		from = attempt.Started
	}
	if from < 0 {
		return 0
	}
	return max(0, time.Duration(s.run.Events[attempt.Ended].Time-s.run.Events[from].Time))
}

type bounds struct{ timeout, heartbeat time.Duration }

// bounds are those that the recording says held for an attempt.
func (s *Source) bounds(attempt *history.Attempt) bounds {
	if attempt.Scheduled < 0 {
		return bounds{}
	}
	event := &s.run.Events[attempt.Scheduled]
	timeout, _ := event.Int("timeoutInSeconds")
	heartbeat, _ := event.Int("heartbeatInSeconds")
	return bounds{timeout: bounded(timeout), heartbeat: bounded(heartbeat)}
}

func bounded(seconds int64) time.Duration {
	const most = 9e9
	return time.Duration(min(max(seconds, 0), most)) * time.Second
}

// beats is the time between heartbeats of a task that outlived its HeartbeatSeconds: it must have sent some,
// which no history records. It is 0 for any other.
func beats(request *engine.TaskRequest, took time.Duration) time.Duration {
	if request.Heartbeat == 0 || took < request.Heartbeat {
		return 0
	}
	return max(request.Heartbeat/2, 1)
}
