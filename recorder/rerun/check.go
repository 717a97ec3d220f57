package rerun

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// Check is the result of running a recorded execution again.
type Check struct {
	// Session is at the end of the run, or where it could not continue.
	Session *debug.Session
	// Events is the number of recorded events that were compared.
	Events int
	// First is the first difference; nil where all events agree.
	First *history.Difference
	// Bound is the number of events after which asldb ended the run, which had not come to its end; else 0. What was
	// recorded beyond is not compared then.
	Bound int
	// Ordered is set where the ids, the links and the order of the events agree too, not only the events of each thread.
	Ordered bool
	// Tolerated counts the texts that differ and cannot be reproduced: times, UUIDs, tokens, names of executions.
	Tolerated int
	// Waits names the task that the run waited for where it did not end: a task without a recorded outcome.
	// It is empty where the run ended.
	Waits string
}

// Agrees reports whether everything that was recorded happened again.
func (c *Check) Agrees() bool { return c.First == nil && c.Bound == 0 }

// String returns the result in a sentence.
func (c *Check) String() string {
	if c.First != nil {
		return "the run differs from the recording: " + c.First.String()
	}
	if c.Bound > 0 {
		return fmt.Sprintf("no difference was found in %d events, after which the run was ended: it had not come as far as the recording", c.Bound)
	}
	text := fmt.Sprintf("all %d recorded events agree", c.Events)
	if c.Events == 1 {
		text = "the one recorded event agrees"
	}
	if !c.Ordered {
		text += " (thread by thread; the order between threads, or an id, differs)"
	}
	if c.Tolerated > 0 {
		text += fmt.Sprintf(", but for what is made up anew in each run (times, UUIDs, tokens): %d", c.Tolerated)
	}
	return text
}

// patience is how many times as many events as were recorded a run may have: with a changed definition it may never
// end.
const patience = 100

// Check carries a session to the end of the recording and compares. The session must be one that the
// recording's options were used for; source tells why a task has no outcome. The error is one of the
// session's source.
func (r *Recording) Check(session *debug.Session, source *Source) (*Check, error) {
	session.SetClock(debug.Clock{Mode: debug.ClockSkip})
	stop, err := session.Do(debug.Command{Kind: debug.Continue, Events: patience * (len(r.Execution.Events) + 1000)})
	if err != nil {
		return nil, err
	}
	if stop.Reason == debug.StoppedBySource || stop.Reason == debug.StoppedByInterrupt {
		return nil, stop.Err // nothing is known of the events after it
	}
	check := r.compare(session, stop.Reason == debug.StoppedByLimit)
	if stop.Reason == debug.StoppedForAnswer && source != nil {
		if requests := session.Requests(); len(requests) > 0 {
			check.Waits = waits(requests[0], source)
		}
	}
	if stop.Object != nil {
		return nil, &outcome.MissingObjectError{Request: stop.Object}
	}
	return check, nil
}

func waits(request *engine.TaskRequest, source *Source) string {
	return fmt.Sprintf("%s waits for its outcome: %s", request.Visit.Path(), source.Missing(request))
}

// Compare compares the events of a session with the recorded ones.
func (r *Recording) Compare(session *debug.Session) *Check { return r.compare(session, false) }

// compare is Compare; bounded says that the session was ended by a bound.
func (r *Recording) compare(session *debug.Session, bounded bool) *Check {
	check := r.compareEvents(history.Of(session.Log().All()), bounded)
	check.Session = session
	if bounded && !check.Ordered && check.First == nil {
		check.Bound = session.Log().Len()
	}
	return check
}

// compareEvents compares the history of a run.
func (r *Recording) compareEvents(found []history.Event, bounded bool) *Check {
	check := &Check{Events: len(r.Execution.Events)}
	strict, complete := r.reproducible(), r.Execution.End() != nil
	if r.Threads.Redriven == 0 {
		d := history.Compare(r.Execution.Events, found, r.same(strict))
		if d == nil || d.Recorded == nil && !complete {
			check.Ordered, check.Tolerated = true, strict.Tolerated
			return check
		}
	}
	lenient := r.reproducible()
	check.First = history.CompareThreads(r.Threads, history.Follow(found), history.Extent{Recorded: complete, Found: !bounded}, r.same(lenient))
	check.Tolerated = lenient.Tolerated
	return check
}

// Result returns the result of the recorded execution: its output, or its error and cause.
func (r *Recording) Result() (status string, output value.Value, failure, cause string) {
	end := r.Execution.End()
	if end == nil {
		return "RUNNING", nil, "", ""
	}
	output, _ = end.Payload("output")
	status = map[string]string{
		"ExecutionSucceeded": "SUCCEEDED", "ExecutionFailed": "FAILED", "ExecutionTimedOut": "TIMED_OUT", "ExecutionAborted": "ABORTED",
	}[end.Type]
	return status, output, end.Text("error"), end.Text("cause")
}

// reproducible compares the reproducible events; the names that were found in the recording can.
func (r *Recording) reproducible() *history.Reproducible {
	return &history.Reproducible{Known: []string{r.known.execution, r.known.name}}
}

func (r *Recording) same(reproducible *history.Reproducible) history.Same {
	if r.Same == nil {
		return reproducible.Same
	}
	return func(at int, member string, want, got value.Value) bool {
		return r.Same(at, member, want, got) || reproducible.Same(at, member, want, got)
	}
}
