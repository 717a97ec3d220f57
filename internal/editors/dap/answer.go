package dap

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/fixtures"
)

// The messages of asldb's own: the event says that a task needs a result, and the request gives it.
const (
	eventNeedsResult = "asldb/needsResult"
	commandAnswer    = "asldb/answer"
)

// needsResultEvent is the event eventNeedsResult.
type needsResultEvent struct {
	dap.Event
	Body needsResultBody `json:"body"`
}

type needsResultBody struct {
	// Request is the number for the answer.
	Request  int64  `json:"request"`
	State    string `json:"state"`
	Resource string `json:"resource"`
	Attempt  int    `json:"attempt"`
	// Payload is JSON as text. Errors are the Error Names that the state has a retrier or catcher for.
	Payload string   `json:"payload"`
	Errors  []string `json:"errors,omitempty"`
}

// maxPayload bounds the characters of a payload in an event.
const maxPayload = 10_000

func needsResult(r *engine.TaskRequest) *needsResultEvent {
	return &needsResultEvent{Body: needsResultBody{
		Request: r.ID, State: r.Visit.Path(), Resource: r.Resource, Attempt: r.Attempt,
		Payload: value.Preview(r.Parameters, maxPayload), Errors: fixtures.LikelyErrors(r.Visit.State),
	}}
}

// answerRequest is the request commandAnswer. Output is the result; without it the task fails with Error and Cause.
type answerRequest struct {
	dap.Request
	Arguments struct {
		// Request is the number of the event; 0 is the oldest that waits.
		Request int64           `json:"request"`
		Output  json.RawMessage `json:"output"`
		Error   string          `json:"error"`
		Cause   string          `json:"cause"`
	} `json:"arguments"`
}

// answerTask gives a task its result, and the command continues.
func (a changer) answerTask(r *answerRequest) error {
	outcome := engine.Outcome{Error: r.Arguments.Error, Cause: r.Arguments.Cause}
	if len(r.Arguments.Output) > 0 {
		v, err := value.Parse(r.Arguments.Output, value.Limits{})
		if err != nil {
			return err
		}
		outcome = engine.Outcome{Output: v}
	} else if outcome.Error == "" {
		return errors.New("an answer has output, or error")
	}
	if err := a.give(r.Arguments.Request, outcome); err != nil {
		return err
	}
	a.out.respond(r, &dap.Response{})
	a.goOn()
	return nil
}

// errNotAsked says that no task waits for a result.
var errNotAsked = errors.New("no task waits for a result")

// give gives the result of a request; of the oldest that waits where id is 0.
func (a changer) give(id int64, outcome engine.Outcome) error {
	s := a.top().session
	requests := s.Requests()
	if len(requests) == 0 {
		return errNotAsked
	}
	if id == 0 {
		id = requests[0].ID
	}
	return s.Interventions().Answer(id, outcome)
}

// goOn carries on the command that stopped for a result.
func (a changer) goOn() {
	thread := a.focused()
	kind := a.motion.kind
	if a.top().session.Stop().Reason == debug.StillRunning || kind == 0 {
		kind = debug.Continue
	}
	a.resume(kind)
	a.out.event("continued", &dap.ContinuedEvent{Body: dap.ContinuedEventBody{ThreadId: thread, AllThreadsContinued: true}})
}

// exceptionInfo answers with the error at which a thread has stopped, and with the answers of retriers and catchers.
func (a changer) exceptionInfo(r *dap.ExceptionInfoRequest) error {
	l, thread := a.threadOf(r.Arguments.ThreadId)
	log := l.session.Log()
	i := l.session.Position() - 1
	if i < 0 || log.At(i).Thread != thread || log.At(i).Failure() == nil {
		i = l.eventOf(thread)
		for i >= 0 && log.At(i).Failure() == nil {
			i = log.PreviousInThread(i)
		}
	}
	if i < 0 {
		return fmt.Errorf("no error has come up in thread %d", r.Arguments.ThreadId)
	}
	failure := log.At(i).Failure()
	words, description := explain.Plain(maxPayload), cmp.Or(failure.Cause, failure.Error())
	if said, ok := explain.Sentence(l.session, i); ok {
		description = words.Spans(said.Spans)
	}
	lines := words.Labelled(explain.Happened(l.session, i, l.nested()))
	mode := dap.ExceptionBreakMode("always")
	if b := l.session.Stop().Breakpoint; b != nil && b.Standing {
		mode = "unhandled"
	}
	a.out.respond(r, &dap.ExceptionInfoResponse{Body: dap.ExceptionInfoResponseBody{
		ExceptionId: cmp.Or(failure.Name, "(no name)"), Description: description, BreakMode: mode,
		Details: &dap.ExceptionDetails{
			Message: failure.Cause, TypeName: failure.Name, FullTypeName: failure.Name, StackTrace: joined(lines),
		},
	}})
	return nil
}
