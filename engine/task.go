package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// defaultTaskTimeout is the bound of a Task without TimeoutSeconds in the specification, in seconds.
const defaultTaskTimeout = 60

// beginWork begins the work of a state: what its type is for.
func (e *Execution) beginWork(t *thread) {
	switch t.state.def.Type {
	case asl.Task:
		e.scheduleTask(t)
	case asl.Parallel, asl.Map:
		if e.single != nil {
			e.askContainer(t)
			return
		}
		e.beginContainer(t)
	default: // a Pass state's Result, taken verbatim
		t.result = t.state.def.Result.Value
		e.stageDone(t, StageResult, t.data, t.result)
	}
}

func (e *Execution) scheduleTask(t *thread) {
	def := t.state.def
	credentials, failure := e.credentials(t)
	if failure != nil {
		e.stageFailed(t, StageResult, t.data, failure)
		return
	}
	if failure = e.refusedParameters(t); failure != nil {
		e.stageFailed(t, StageResult, t.data, failure)
		return
	}
	bound := &t.limits
	if bound.timeout == 0 {
		bound.timeout = literalSeconds(def.TimeoutSeconds)
	}
	if bound.heartbeat == 0 {
		bound.heartbeat = literalSeconds(def.HeartbeatSeconds)
	}
	set := bound.timeout > 0
	if !set && e.machine.dialect == Spec {
		bound.timeout = defaultTaskTimeout
	}
	e.requests++
	e.invocations[t.state.number]++
	t.request = &TaskRequest{
		ID: e.requests, Thread: t.id, Visit: t.visit, Resource: def.Resource, Parameters: t.data,
		Attempt: t.retried + 1, Invocation: int(e.invocations[t.state.number]),
		TimeoutSet: set, Credentials: credentials, Integration: t.state.integration,
	}
	t.block, t.beats, t.beatDue, t.expired = onAnswer, e.now, 0, false
	if bound.timeout > 0 {
		t.request.Timeout = seconds(bound.timeout)
		e.setTimer(t, later(e.now, t.request.Timeout), TimerTaskTimeout)
	}
	if bound.heartbeat > 0 {
		t.request.Heartbeat = seconds(bound.heartbeat)
		e.expectHeartbeat(t)
	}
	e.asked = append(e.asked, t.request)
	e.emit(t, Event{
		Type: TaskScheduled, Stage: StageResult, After: t.data, Detail: t.request,
	})
}

// refusedParameters returns the fault of a payload that the service integration cannot take, nil where it
// can: the task is then not scheduled at all.
func (e *Execution) refusedParameters(t *thread) *Failure {
	if failure := e.tooLarge(t, t.state.def.Name, t.data); failure != nil {
		failure.terminal = true
		return failure
	}
	if e.machine.dialect != AWS {
		return nil
	}
	field := t.state.integration.malformed(t.data)
	if field == "" {
		return nil
	}
	return &Failure{
		Name: ErrorRuntime, Origin: t.visit, Field: "Parameters/" + field,
		Cause: fmt.Sprintf("The Parameters '%s' could not be used to start the Task: [The value of the field '%s' has an invalid format]",
			value.Preview(t.data, maxCause), field),
	}
}

// credentials evaluates the Credentials field.
func (e *Execution) credentials(t *thread) (value.Value, *Failure) {
	field := t.state.def.Credentials
	if field == nil {
		return nil, nil
	}
	return e.evalField(t, "Credentials", field, t.effective, t.state.contextual.credentials)
}

func literalSeconds(field *asl.Quantity) float64 {
	if field == nil || field.Literal == nil {
		return 0
	}
	number, _ := field.Literal.(value.Number)
	return number.Float64()
}

// Requests returns the requests that nobody has answered yet, in the order in which they were made.
func (e *Execution) Requests() []*TaskRequest { return slices.Clone(e.asked) }

// Unanswered returns the oldest request that nobody has answered yet, or nil.
func (e *Execution) Unanswered() *TaskRequest {
	if len(e.asked) == 0 {
		return nil
	}
	return e.asked[0]
}

// UnansweredAfter returns the oldest request with a greater number than id that nobody has answered yet, or nil.
func (e *Execution) UnansweredAfter(id int64) *TaskRequest {
	for _, request := range e.asked {
		if request.ID > id {
			return request
		}
	}
	return nil
}

// ErrNoRequest says that no request of that number waits for an answer.
var ErrNoRequest = errors.New("no task waits for this answer")

// OutcomeError says what is wrong with an outcome.
type OutcomeError struct{ Msg string }

// Error implements error.
func (e *OutcomeError) Error() string { return "the outcome of a task " + e.Msg }

// Answer gives the outcome of a request. It returns [ErrNoRequest], or an *[OutcomeError].
func (e *Execution) Answer(id int64, outcome Outcome) error {
	at := slices.IndexFunc(e.asked, func(r *TaskRequest) bool { return r.ID == id })
	if at < 0 {
		return ErrNoRequest
	}
	switch {
	case outcome.Output != nil && (outcome.Error != "" || outcome.Cause != ""):
		return &OutcomeError{"has both an output and an error"}
	case outcome.After < 0 || outcome.HeartbeatEvery < 0:
		return &OutcomeError{"has a negative duration"}
	}
	t := e.thread(e.asked[at].Thread)
	e.asked = slices.Delete(e.asked, at, at+1)
	t.outcome = outcome
	if t.request.Submits(&outcome) {
		// The task goes on after this: the timers of its bounds stay alive.
		t.block, t.phase = notBlocked, phaseTaskSubmitted
		if t != e.focus {
			e.queue.push(t)
		}
		return nil
	}
	e.awaitOutcome(t)
	return nil
}

// awaitOutcome lets the task take the time that its outcome says.
func (e *Execution) awaitOutcome(t *thread) {
	if t.outcome.After == 0 {
		e.resume(t, phaseTaskAnswered)
		return
	}
	t.block = onTimer
	e.setTimer(t, later(e.now, t.outcome.After), TimerTask)
	e.setHeartbeat(t)
}

func (e *Execution) taskSubmitted(t *thread) {
	submitted := t.outcome.Submitted
	if submitted == nil {
		submitted = emptyObject
	}
	e.emit(t, Event{Type: TaskSubmitted, Stage: StageResult, After: submitted})
	e.awaitOutcome(t)
}

func (e *Execution) setHeartbeat(t *thread) {
	if every := t.outcome.HeartbeatEvery; every > 0 {
		e.setTimer(t, later(e.now, every), TimerTaskHeartbeat)
	}
}

func (e *Execution) forgetRequest(t *thread) {
	if t.request == nil || len(e.asked) == 0 {
		return
	}
	e.asked = slices.DeleteFunc(e.asked, func(r *TaskRequest) bool { return r == t.request })
}

// expectHeartbeat begins HeartbeatSeconds anew. Two heartbeats at one instant have one timeout.
func (e *Execution) expectHeartbeat(t *thread) {
	due := later(e.now, seconds(t.limits.heartbeat))
	if t.limits.heartbeat <= 0 || t.beatDue == due {
		return
	}
	t.beatDue = due
	e.setTimer(t, due, TimerHeartbeatTimeout)
}

func (e *Execution) taskHeartbeat(t *thread) {
	t.block = onTimer
	e.expectHeartbeat(t)
	e.setHeartbeat(t)
	e.emit(t, Event{Type: TaskHeartbeat, Stage: StageResult})
}

func (e *Execution) taskAnswered(t *thread) {
	outcome := t.outcome
	t.outcome = Outcome{}
	if outcome.Output != nil {
		if failure := e.tooLarge(t, t.state.integration.name(), outcome.Output); failure != nil {
			e.workFailed(t, TaskFailed, failure)
			return
		}
	}
	if outcome.Output == nil {
		e.workFailed(t, TaskFailed, &Failure{Name: outcome.Error, Cause: outcome.Cause, Origin: t.visit})
		return
	}
	before := t.data
	t.data, t.result, t.phase = outcome.Output, outcome.Output, phaseStage
	e.emit(t, Event{
		Type: TaskSucceeded, Stage: StageResult, Before: before, After: outcome.Output,
	})
}

func (e *Execution) taskTimedOut(t *thread) {
	e.forgetRequest(t)
	failure := &Failure{Name: ErrorTimeout, Origin: t.visit}
	def := t.state.def
	switch {
	case t.phase == phaseHeartbeatTimeout:
		failure.heartbeat, failure.Field = true, boundField(def.HeartbeatSeconds, "HeartbeatSeconds")
		if e.machine.dialect == Spec {
			failure.Name = ErrorHeartbeatTimeout
		}
	case t.expired:
		failure.Field = boundField(def.TimeoutSeconds, "TimeoutSeconds")
	}
	t.expired = false
	e.workFailed(t, TaskTimedOut, failure)
}

// boundField is the name of a field that bounds a task, as the definition has it: with or without Path.
func boundField(field *asl.Quantity, name string) string {
	if field != nil && field.Field != "" {
		return field.Field
	}
	return name
}

// workFailed notes that the work of a state ended with an error; retriers and catchers come next.
func (e *Execution) workFailed(t *thread, event EventType, failure *Failure) {
	t.failure, t.phase = failure, phaseError
	e.emit(t, Event{Type: event, Stage: StageResult, Before: t.payload, Detail: failure})
}

// readLimits evaluates the …Path forms of the fields that bound a state's work.
func (e *Execution) readLimits(t *thread) {
	def := t.state.def
	fields := []*asl.Quantity{def.TimeoutSeconds, def.HeartbeatSeconds, def.MaxConcurrency}
	if e.single != nil {
		fields = limitFields(def)
	}
	if read, ok := e.readQuantities(t, fields); read && ok {
		e.stageDone(t, StageLimits, t.data, t.data)
	}
}

// readQuantities evaluates the fields that are given by a path or an expression. read tells whether there is any; ok is
// false when one of them is wrong, and the stage has failed.
func (e *Execution) readQuantities(t *thread, fields []*asl.Quantity) (read, ok bool) {
	for _, field := range fields {
		if field == nil || field.Literal != nil {
			continue
		}
		read = true
		if field.Calculation != nil {
			number, _ := field.Calculation.Value(e.moment(t)).(value.Number)
			t.limits.bound(field.Field, max(number.Float64(), 0))
			continue
		}
		if field.Query != nil {
			if failure := e.queryLimit(t, field); failure != nil {
				e.stageFailed(t, StageLimits, t.data, failure)
				return read, false
			}
			continue
		}
		found := e.quantity(t, field)
		if found == nil {
			_, err := field.Path.Get(e.rootsFor(t, t.effective, t.state.contextual.paths))
			e.evaluated()
			e.stageFailed(t, StageLimits, t.data, e.pathFailure(t, field.Field, field.Path, err))
			return read, false
		}
		if cause := t.limits.set(field, found); cause != "" {
			e.stageFailed(t, StageLimits, t.data, &Failure{Name: ErrorRuntime, Cause: cause, Origin: t.visit, Field: field.Field})
			return read, false
		}
	}
	return read, true
}

// queryLimit evaluates a field that is a JSONata expression.
func (e *Execution) queryLimit(t *thread, field *asl.Quantity) *Failure {
	found, failure := e.evalQuery(t, field.Query, nil, 0)
	if failure != nil {
		return failure
	}
	fault := func(cause string) *Failure {
		return &Failure{Name: ErrorQueryEvaluation, Cause: cause, Origin: t.visit, Field: field.Field}
	}
	if field.Field == "ToleratedFailurePercentage" {
		number, ok := found.(value.Number)
		if !ok {
			return fault(fmt.Sprintf("The %s field cannot be parsed as a float: %s", field.Field, plain(found)))
		}
		if number.Float64() < 0 || number.Float64() > 100 {
			return fault("ToleratedFailurePercentage must be between 0 and 100.")
		}
	} else if _, cause := queryInteger(field.Field, found, 0); cause != "" {
		return fault(cause)
	}
	if count, whole := found.(value.Number).Int64(); whole && count == 0 && mustBePositive(field.Field) {
		return nil // no bound
	}
	if cause := t.limits.set(field, found); cause != "" {
		return fault(cause)
	}
	return nil
}

// set takes over the value found for a field. It returns what is wrong with it in Step Functions' words.
func (l *limits) set(field *asl.Quantity, found value.Value) (cause string) {
	number, isNumber := numberIn(found)
	name := strings.TrimSuffix(field.Field, "Path")
	if name == "ToleratedFailurePercentage" {
		percentage := number.Float64()
		switch {
		case !isNumber:
			return fmt.Sprintf("The %s field refers to value %q which is not a valid float: %s", field.Field, plain(found), field.Path)
		case percentage < 0 || percentage > 100:
			return "ToleratedFailurePercentage must be between 0 and 100."
		}
		l.failurePercentage = percentage
		return ""
	}
	count, whole := number.Int64()
	switch {
	case !isNumber || !whole:
		return fmt.Sprintf("The %s field refers to value %q which is not a valid integer: %s", field.Field, plain(found), field.Path)
	case name == "ToleratedFailureCount" && count < 0:
		return "ToleratedFailureCount cannot be negative."
	case name == "MaxConcurrency" && count < 0, count <= 0 && mustBePositive(name):
		return fmt.Sprintf("The %s field refers to value %q which is not a valid integer: %s", field.Field, plain(found), field.Path)
	}
	switch name {
	case "TimeoutSeconds":
		l.timeout = float64(count)
	case "HeartbeatSeconds":
		l.heartbeat = float64(count)
	case "MaxConcurrency":
		l.concurrency = int(min(count, 1<<30))
	case "ToleratedFailureCount":
		l.failureCount = int(min(count, 1<<30))
	default:
		l.distributed.set(name, count)
	}
	return ""
}

// bound takes over a number of seconds that may have a fraction.
func (l *limits) bound(field string, seconds float64) {
	if field == "HeartbeatSeconds" {
		l.heartbeat = seconds
		return
	}
	l.timeout = seconds
}

// numberIn reads a number, or a string that is the text of one: Step Functions takes both.
func numberIn(v value.Value) (value.Number, bool) {
	switch v := v.(type) {
	case value.Number:
		return v, true
	case value.String:
		number, err := value.ParseNumber(string(v))
		return number, err == nil
	}
	return value.Number{}, false
}

func mustBePositive(field string) bool {
	switch field {
	case "TimeoutSeconds", "HeartbeatSeconds", "MaxItemsPerBatch", "MaxInputBytesPerBatch":
		return true
	}
	return false
}
