// Package rerun executes a recorded history again: it gives the tasks of an execution their recorded
// outcomes, and compares the events of the two.
package rerun

import (
	"fmt"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// Source provides the recorded outcomes of the same visit of the same state, attempt by attempt: an [outcome.Source].
type Source struct {
	run *history.Run
	now func() time.Time
	// branches has the threads that an execution's threads were found to be, threads of the same place in
	// the order in which they came.
	seen map[place][]engine.ThreadID
}

// place is where a thread begins: a branch or an iteration in a visit of its container.
type place struct {
	container *history.Visit
	key       string
}

// NewSource returns the source of a recorded run.
func NewSource(run *history.Run) *Source {
	return &Source{run: run, seen: make(map[place][]engine.ThreadID)}
}

// Follow tells the source the virtual time of the execution that it answers. With it tasks end at the very
// instants at which they ended then; without, they take as long as then.
func (s *Source) Follow(now func() time.Time) { s.now = now }

// NotRecordedError is the reason why a recording has no outcome for a task.
type NotRecordedError struct{ Why string }

// Error implements error.
func (e *NotRecordedError) Error() string { return "in the recording: " + e.Why }

// Ask implements [outcome.Source]. Where the recording has no outcome the reason is a *[NotRecordedError]. No recording has
// objects.
func (s *Source) Ask(ask outcome.Ask) outcome.Reply {
	switch ask := ask.(type) {
	case outcome.Task:
		if visit, attempt := s.find(ask.Request); attempt != nil {
			if given, missing := s.outcome(ask.Request, visit, attempt); missing == "" {
				return outcome.Given(given, runlog.OriginRecorded)
			}
		}
		return outcome.None(&NotRecordedError{Why: s.Missing(ask.Request)})
	case outcome.MapRun:
		if given, ok := s.mapRun(ask.Visit, ask.Attempt); ok {
			return outcome.Given(given, runlog.OriginRecorded)
		}
	case outcome.Object:
	}
	return outcome.None(nil)
}

// Seek implements [outcome.Source].
func (s *Source) Seek(asked []outcome.Ask) (left []outcome.Ask) {
	clear(s.seen)
	return outcome.Again(s, asked)
}

// Missing says why the source has nothing for a request.
func (s *Source) Missing(request *engine.TaskRequest) string {
	visit, attempt := s.find(request)
	for v := request.Visit.Parent; v != nil; v = v.Parent {
		if v.State.Distributed() {
			return fmt.Sprintf("the executions of the Map Run of %s have their own histories", v.Path())
		}
	}
	switch {
	case visit == nil:
		return fmt.Sprintf("the recorded execution was not in %s, or not as often", request.Visit.Path())
	case attempt == nil:
		return fmt.Sprintf("of this visit of %s %s recorded, not attempt %d", request.Visit.Path(), attempts(len(visit.Attempts)), request.Attempt)
	}
	_, missing := s.outcome(request, visit, attempt)
	return missing
}

func attempts(n int) string {
	switch n {
	case 0:
		return "no attempt was"
	case 1:
		return "1 attempt was"
	}
	return fmt.Sprintf("%d attempts were", n)
}

func (s *Source) find(request *engine.TaskRequest) (*history.Visit, *history.Attempt) {
	visit := s.visit(request.Visit)
	if visit == nil || request.Attempt > len(visit.Attempts) {
		return visit, nil
	}
	return visit, visit.Attempts[request.Attempt-1]
}

// visit returns the recorded visit that an execution's visit repeats, nil where there is none.
func (s *Source) visit(v *engine.Visit) *history.Visit {
	thread := s.run.Root
	if v.Parent != nil {
		container := s.visit(v.Parent)
		if container == nil {
			return nil
		}
		thread = s.thread(container, v)
	}
	if thread == nil {
		return nil
	}
	return thread.Visit(v.State.Name, v.Number)
}

// thread returns the recorded branch or iteration that v is in. A container that is tried again begins its
// threads again: they are told apart by their order.
func (s *Source) thread(container *history.Visit, v *engine.Visit) *history.Thread {
	at := place{container: container, key: fmt.Sprint(v.Index)}
	first := ""
	if v.Parent.State.Type == asl.Parallel && v.Index < len(v.Parent.State.Branches) {
		first = v.Parent.State.Branches[v.Index].StartAt
	}
	number := -1
	for i, id := range s.seen[at] {
		if id == v.Thread {
			number = i
		}
	}
	if number < 0 {
		number = len(s.seen[at])
		s.seen[at] = append(s.seen[at], v.Thread)
	}
	for _, round := range container.Rounds {
		for _, t := range round.Threads {
			if first != "" && t.First() != first || first == "" && t.Index != v.Index || !asks(t) {
				continue
			}
			if number == 0 {
				return t
			}
			number--
			break
		}
	}
	return nil
}

// asks reports whether a recorded thread has asked for a task: only then does the source hear of it.
func asks(t *history.Thread) bool {
	for _, v := range t.Visits {
		if len(v.Attempts) > 0 {
			return true
		}
		for _, round := range v.Rounds {
			for _, child := range round.Threads {
				if asks(child) {
					return true
				}
			}
		}
	}
	return false
}

// ErrorNotRecorded is the Error Name of a task whose result is not known, because the recorded execution was stopped before it came.
const ErrorNotRecorded = "History.NotRecorded"

// never is how long a task takes that was not seen to end.
const never = 300_000 * time.Hour

// outcome returns the recorded outcome of an attempt; missing says why it cannot be given.
func (s *Source) outcome(request *engine.TaskRequest, visit *history.Visit, attempt *history.Attempt) (outcome engine.Outcome, missing string) {
	if attempt.Submitted >= 0 {
		submitted, is := s.run.Events[attempt.Submitted].Payload("output")
		if is != history.Present {
			submitted = value.ObjectOf()
		}
		outcome.Submitted = submitted
	}
	if attempt.Ended < 0 {
		return s.unended(request, visit, outcome)
	}
	end := &s.run.Events[attempt.Ended]
	outcome.After, outcome.HeartbeatEvery = s.duration(request, attempt), beats(request, s.recorded(attempt))
	switch end.Kind().Phase {
	case history.Succeeded:
		output, is := end.Payload("output")
		switch is {
		case history.Truncated:
			return outcome, fmt.Sprintf("its result (event %d) was truncated by the service", end.ID)
		case history.Withheld:
			return outcome, fmt.Sprintf("its result (event %d) is not in the recording, which has no data", end.ID)
		case history.NotJSON:
			output = end.Details.Get("output") // the service itself would have refused such a result
		case history.Present:
		}
		outcome.Output = output
		if request.Timeout > 0 { // the service is slower than its own bound
			outcome.After = min(outcome.After, request.Timeout)
		}
	case history.TimedOut:
		return s.timedOut(request, attempt, outcome)
	default:
		outcome.Error, outcome.Cause = end.Text("error"), end.Text("cause")
	}
	return outcome, ""
}

// unended is the outcome of a task that was not seen to end: something else ended the execution, or the branch.
func (s *Source) unended(request *engine.TaskRequest, visit *history.Visit, outcome engine.Outcome) (engine.Outcome, string) {
	execution := history.Execution{Events: s.run.Events}
	if execution.End() == nil && !stopped(visit.Thread) {
		return outcome, "it was still running where the history ends"
	}
	outcome.Output, outcome.Error = nil, ErrorNotRecorded
	outcome.Cause = "In the recorded execution this task was stopped before it ended: what it would have answered is not recorded."
	outcome.After = never
	if request.Heartbeat > 0 {
		outcome.HeartbeatEvery = request.Heartbeat
	}
	return outcome, ""
}

// stopped reports whether a thread or one around it was ended from outside.
func stopped(t *history.Thread) bool {
	for ; t.Container != nil; t = t.Container.Thread {
		if t.End == history.Aborted || len(t.Container.Rounds) > 0 && t.Container.Rounds[len(t.Container.Rounds)-1] != t.Round || t.Container.Exited >= 0 {
			return true
		}
	}
	return false
}

// timedOut lets the engine's own timers end the task, where they are those that ended it then.
func (s *Source) timedOut(request *engine.TaskRequest, attempt *history.Attempt, outcome engine.Outcome) (engine.Outcome, string) {
	end, bounds := &s.run.Events[attempt.Ended], s.bounds(attempt)
	took := s.recorded(attempt)
	byHeartbeat := bounds.heartbeat > 0 && (bounds.timeout == 0 || took+time.Second < bounds.timeout)
	bound, now, field := bounds.timeout, request.Timeout, "TimeoutSeconds"
	if byHeartbeat {
		bound, now, field = bounds.heartbeat, request.Heartbeat, "HeartbeatSeconds"
	}
	switch {
	case now == 0:
		outcome.Error, outcome.Cause = end.Text("error"), end.Text("cause")
		return outcome, ""
	case bound > 0 && now > bound:
		return outcome, fmt.Sprintf("it timed out after %s s of %s (event %d), and now it would have %s s: what it answers then is not recorded",
			secondsText(bound), field, end.ID, secondsText(now))
	}
	outcome.Output, outcome.After, outcome.HeartbeatEvery = value.Null{}, never, 0
	if !byHeartbeat && request.Heartbeat > 0 {
		outcome.HeartbeatEvery = request.Heartbeat
	}
	return outcome, ""
}

func secondsText(d time.Duration) string { return value.Compact(value.Float(d.Seconds())) }
