package teststate

import (
	"fmt"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// longest is how long TestState lets a state take.
const longest = 5 * time.Minute

// NoCallError says that a task would have to be called, and nothing can.
type NoCallError struct{ Resource string }

// Error implements error.
func (e *NoCallError) Error() string {
	return fmt.Sprintf("no service is called here: a mock must give the result of %s", e.Resource)
}

// test is one run of a state alone.
type test struct {
	request   *Request
	state     *asl.State
	execution *engine.Execution
	input     value.Value
	mocked    value.Value // the mocked result, nil where there is none

	after    map[engine.Stage]value.Value // results of the stages that ran
	failedAt engine.Stage                 // the stage that could not do its work
	selected []value.Value                // results of ItemSelector, item by item
	length   int                          // of a Map's items
	bounds   *engine.MapBounds            // once a Map has begun
	assigned *value.Object                // the variables after Assign

	failure *engine.Failure // of the state's work or of a stage
	retry   *engine.RetryDetail
	caught  *engine.CatchDetail
	exit    *engine.ExitDetail
	output  value.Value
}

// drive runs the state to its end, or to where it would be retried.
func (t *test) drive() error {
	t.after = make(map[engine.Stage]value.Value)
	deadline := t.execution.Now().Add(longest)
	for {
		switch t.execution.Status() {
		case engine.Runnable:
			for _, event := range t.execution.Step() {
				if t.note(&event); t.retry != nil {
					return nil
				}
			}
			if err := t.execution.Interrupted(); err != nil {
				return err
			}
		case engine.AwaitingAnswer:
			if err := t.answer(); err != nil {
				return err
			}
		case engine.AwaitingTime:
			next, pending := t.execution.NextTimer()
			if !pending || next.After(deadline) {
				t.failure = &engine.Failure{Name: engine.ErrorTimeout}
				return nil
			}
			if err := t.execution.AdvanceTo(next); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// note records the data of an event that the response needs.
func (t *test) note(event *engine.Event) {
	switch event.Type {
	case engine.StageCompleted:
		t.stageCompleted(event)
	case engine.TaskSucceeded:
		t.after[engine.StageResult] = event.After
	case engine.MapStarted:
		bounds := t.execution.MapBoundsOf(event.Thread)
		t.bounds = &bounds
		t.length = event.Detail.(*engine.StartDetail).Length
	case engine.StageFailed:
		if t.caught == nil {
			t.failedAt = event.Stage
		}
		t.failure = event.Failure()
	case engine.TaskFailed, engine.TaskTimedOut, engine.MapFailed:
		t.failure = event.Failure()
	case engine.RetryScheduled:
		t.retry = event.Detail.(*engine.RetryDetail)
	case engine.ErrorCaught:
		t.caught = event.Detail.(*engine.CatchDetail)
	case engine.StateExited:
		t.exit, t.output = event.Detail.(*engine.ExitDetail), event.After
	default:
	}
}

func (t *test) stageCompleted(event *engine.Event) {
	switch {
	case event.Stage == engine.StageAssign:
		t.assigned, _ = event.After.(*value.Object)
	case t.caught != nil: // a catcher's stages are not shown
	case event.Stage == engine.StageParameters && t.state.Type == asl.Map:
		t.selected = append(t.selected, event.After)
	default:
		t.after[event.Stage] = event.After
		if event.Stage == engine.StageItemReader {
			t.length = event.After.(*value.Array).Len()
		}
	}
}

// answer gives the outcome of the state's work.
func (t *test) answer() error {
	request := t.execution.Unanswered()
	if t.request.Mock != nil {
		return t.execution.Answer(request.ID, t.mockedOutcome())
	}
	if t.request.Call == nil {
		return &NoCallError{Resource: request.Resource}
	}
	outcome, err := t.request.Call(request)
	if err != nil {
		return err
	}
	return t.execution.Answer(request.ID, outcome)
}

func (t *test) mockedOutcome() engine.Outcome {
	if failed := t.request.Mock.Error; failed != nil {
		return engine.Outcome{Error: failed.Error, Cause: failed.Cause}
	}
	if t.bounds != nil && t.tooManyFailed() {
		return engine.Outcome{Error: engine.ErrorToleratedFailure, Cause: "The specified tolerated failure threshold was exceeded"}
	}
	return engine.Outcome{Output: t.mocked}
}

// tooManyFailed reports whether more iterations have failed than the Map state tolerates. Where it says nothing of
// tolerance, TestState takes any number of failed iterations for granted and uses the mocked result.
func (t *test) tooManyFailed() bool {
	count := t.request.Configuration.MapIterationFailureCount
	if count == nil || *count == 0 {
		return false
	}
	number, percentage := t.bounds.FailureCount, t.bounds.FailurePercentage
	length := t.length
	if results, ok := t.mocked.(*value.Array); ok && length == 0 {
		length = results.Len() // the items of an ItemReader that are not given
	}
	switch {
	case number != nil && *count > int64(*number):
		return true
	case percentage != nil && 100*float64(*count) > *percentage*float64(length):
		return true
	}
	return false
}

// response returns the response for the state after the run.
func (t *test) response() *Response {
	r := &Response{}
	switch {
	case t.retry != nil:
		r.Status, t.failure = Retriable, t.retry.Failure
	case t.exit != nil && t.caught != nil:
		r.Status, t.failure = CaughtError, t.caught.Failure
	case t.exit != nil:
		r.Status, t.failure = Succeeded, nil
	default:
		r.Status = Failed
	}
	if t.failure != nil {
		r.Error, r.Cause = t.failure.Name, t.failure.Reason()
	}
	if t.exit != nil {
		r.Output, r.NextState = t.output, t.exit.Next
		r.outputText = t.mockText()
	}
	if t.request.Level == Debug || t.request.Level == Trace {
		r.Inspection = t.inspection(r.Status)
	}
	return r
}

// mockText returns the text of the mocked result where that is the output: the service hands it on as it is
// written.
func (t *test) mockText() string {
	if t.mocked == nil {
		return ""
	}
	switch t.mocked.Kind() {
	case value.KindArray, value.KindObject: // these are the same where nothing has made them anew
		if t.output == t.mocked {
			return *t.request.Mock.Result
		}
	default:
	}
	return ""
}
