package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// defaultTaskTimeout is the bound of a Task without TimeoutSeconds in the specification, in seconds.
const defaultTaskTimeout = 60

// beginWork begins the work of a state by its type: the task, the branches, the iterations, or the Result.
func (p process) beginWork() {
	switch p.state.def.Type {
	case asl.Task:
		task(p).schedule()
	case asl.Parallel, asl.Map:
		if p.e.single != nil {
			lone(p).ask()
			return
		}
		container(p).begin()
	default: // a Pass state's Result, taken verbatim
		p.result = p.state.def.Result.Value
		p.e.stageDone(p.thread, StageResult, p.data, p.result)
	}
}

// task does the work of a Task state.
type task struct {
	e *Execution
	*thread
}

// schedule asks for the outcome of the next attempt.
func (k task) schedule() {
	def := k.state.def
	credentials, failure := k.e.credentials(k.thread)
	if failure != nil {
		k.e.stageFailed(k.thread, StageResult, k.data, failure)
		return
	}
	if failure = k.e.refusedParameters(k.thread); failure != nil {
		k.e.stageFailed(k.thread, StageResult, k.data, failure)
		return
	}
	bound := &k.limits
	if bound.timeout == 0 {
		bound.timeout = literalSeconds(def.TimeoutSeconds)
	}
	if bound.heartbeat == 0 {
		bound.heartbeat = literalSeconds(def.HeartbeatSeconds)
	}
	set := bound.timeout > 0
	if !set && k.e.machine.dialect.Does(rules.TimesOutAfter60Seconds) {
		bound.timeout = defaultTaskTimeout
	}
	request := k.e.details().requests.next()
	request.Resource, request.Parameters, request.Credentials = def.Resource, k.data, credentials
	request.TimeoutSet, request.Integration = set, k.state.integration
	if k.e.options.Tokens != "" && request.Integration.Pattern != RequestResponse {
		request.Token = k.e.taskToken(k.thread)
	}
	k.e.askTask(k.thread, request)
	k.beats, k.beatDue, k.expired = k.e.now, 0, false
	if bound.timeout > 0 {
		k.request.Timeout = durationOf(bound.timeout)
		k.e.set(k.thread, Later(k.e.now, k.request.Timeout), TimerTaskTimeout)
	}
	if bound.heartbeat > 0 {
		k.request.Heartbeat = durationOf(bound.heartbeat)
		k.expectHeartbeat()
	}
	k.e.emit(k.thread, &Event{Type: TaskScheduled, Stage: StageResult, After: k.data, Detail: k.request})
}

func literalSeconds(field *asl.Quantity) float64 {
	if field == nil || field.Literal == nil {
		return 0
	}
	number, _ := field.Literal.(value.Number)
	return number.Float64()
}

// ErrNoRequest says that no request of that number waits for an answer.
var ErrNoRequest = errors.New("no task waits for this answer")

// keepOutcome keeps the outcome of a thread's work until it is due.
func (r *requests) keepOutcome(t *thread, outcome *Outcome) {
	if t.outcome = r.spareOutcome; t.outcome == nil {
		t.outcome = new(Outcome)
	}
	r.spareOutcome = nil
	*t.outcome = *outcome
}

// takeOutcome returns the outcome of a thread's work, which is due.
func (r *requests) takeOutcome(t *thread) Outcome {
	due := t.outcome
	outcome := *due
	*due = Outcome{}
	t.outcome, r.spareOutcome = nil, due
	return outcome
}

// OutcomeError is the error of an outcome that cannot be given.
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
	e.keepOutcome(t, &outcome)
	if t.request.Submits(&outcome) {
		// The task continues after this: the timers of its bounds stay alive.
		e.proceed(t, phaseTaskSubmitted)
		return nil
	}
	task{e, t}.awaitOutcome()
	return nil
}

// awaitOutcome lets the task take the time that its outcome says.
func (k task) awaitOutcome() {
	if k.outcome.After == 0 {
		k.e.resume(k.thread, phaseTaskAnswered)
		return
	}
	k.block = onTimer
	k.e.set(k.thread, Later(k.e.now, k.outcome.After), TimerTask)
	k.setHeartbeat()
}

func (k task) submitted() {
	submitted := cmp.Or(k.outcome.Submitted, emptyObject)
	k.e.emit(k.thread, &Event{Type: TaskSubmitted, Stage: StageResult, After: submitted})
	k.awaitOutcome()
}

func (k task) setHeartbeat() {
	if every := k.outcome.HeartbeatEvery; every > 0 {
		k.e.set(k.thread, Later(k.e.now, every), TimerTaskHeartbeat)
	}
}

// expectHeartbeat restarts HeartbeatSeconds. Two heartbeats at one instant have one timeout.
func (k task) expectHeartbeat() {
	due := Later(k.e.now, durationOf(k.limits.heartbeat))
	if k.limits.heartbeat <= 0 || k.beatDue == due {
		return
	}
	k.beatDue = due
	k.e.set(k.thread, due, TimerHeartbeatTimeout)
}

func (k task) heartbeat() {
	k.block = onTimer
	k.expectHeartbeat()
	k.setHeartbeat()
	k.e.emit(k.thread, &Event{Type: TaskHeartbeat, Stage: StageResult})
}

func (k task) answered() {
	outcome := k.e.takeOutcome(k.thread)
	if outcome.Output != nil {
		if failure := k.e.tooLarge(k.thread, k.state.integration.name(), outcome.Output); failure != nil {
			k.e.workFailed(k.thread, TaskFailed, failure)
			return
		}
	}
	if outcome.Output == nil {
		k.e.workFailed(k.thread, TaskFailed, k.failed(outcome.Error, outcome.Cause))
		return
	}
	before := k.data
	k.data, k.result, k.phase = outcome.Output, outcome.Output, phaseStage
	k.e.emit(k.thread, &Event{Type: TaskSucceeded, Stage: StageResult, Before: before, After: outcome.Output})
}

// failed returns the failure of the task: the previous attempt's where it says the same.
func (k task) failed(name, cause string) *Failure {
	failure := Failure{
		Name: name, Cause: cause, Origin: k.visit,
		nulls: k.e.machine.dialect.Does(rules.ReportsNull) && (name == "" || k.state.integration.reports()),
	}
	if before := k.thread.failure; before != nil && *before == failure {
		return before
	}
	own := k.e.details().failures.next()
	*own = failure
	return own
}

func (k task) timedOut() {
	k.e.forgetTask(k.thread)
	failure := &Failure{Name: ErrorTimeout, Origin: k.visit}
	def := k.state.def
	switch {
	case k.phase == phaseHeartbeatTimeout:
		failure.heartbeat, failure.Field = true, boundField(def.HeartbeatSeconds, "HeartbeatSeconds")
		if k.e.machine.dialect.Does(rules.NamesHeartbeatTimeout) {
			failure.Name = ErrorHeartbeatTimeout
		}
	case k.expired:
		failure.Field = boundField(def.TimeoutSeconds, "TimeoutSeconds")
	}
	k.expired = false
	k.e.workFailed(k.thread, TaskTimedOut, failure)
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
	e.emit(t, &Event{Type: event, Stage: StageResult, Before: t.payload, Detail: failure})
}

// readLimits evaluates the …Path forms of the fields that bound a state's work.
func (p process) readLimits() {
	def := p.state.def
	fields := []*asl.Quantity{def.TimeoutSeconds, def.HeartbeatSeconds, def.MaxConcurrency}
	if p.e.single != nil {
		fields = append(fields, laterLimits(def)...)
	}
	if read, ok := p.readQuantities(fields); read && ok {
		p.e.stageDone(p.thread, StageLimits, p.data, p.data)
	}
}

// readQuantities evaluates the fields that are given by a path or an expression. read reports whether there is any; ok is
// false when one of them is wrong, and the stage has failed.
func (p process) readQuantities(fields []*asl.Quantity) (read, ok bool) {
	for _, field := range fields {
		if field == nil || field.Literal != nil {
			continue
		}
		read = true
		if field.Calculation != nil {
			number, _ := field.Calculation.Value(p.e.moment(p.thread)).(value.Number)
			p.limits.bound(field.Field, max(number.Float64(), 0))
			continue
		}
		var failure *Failure
		if field.Query != nil {
			failure = p.e.queryLimit(p.thread, field)
		} else if found := p.e.quantity(p.thread, field); found == nil {
			_, err := field.Path.Get(p.e.rootsFor(p.thread, p.effective, readsContextObject(field.Path)))
			p.e.evaluated()
			failure = p.e.pathFailure(p.thread, field.Field, field.Path, err)
		} else if cause := p.limits.set(field, found, p.e.machine.dialect); cause != "" {
			failure = &Failure{Name: ErrorRuntime, Cause: cause, Origin: p.visit}
		}
		if failure != nil {
			failure.Field = fieldOf(p.state.def, field)
			p.e.stageFailed(p.thread, StageLimits, p.effective, failure)
			return read, false
		}
	}
	return read, true
}

// fieldOf returns the place of a field in its state, as [Failure] has it.
func fieldOf(def *asl.State, field *asl.Quantity) string {
	switch batcher, reader := def.ItemBatcher, def.ItemReader; {
	case batcher != nil && (field == batcher.MaxItemsPerBatch || field == batcher.MaxInputBytesPerBatch):
		return "ItemBatcher/" + field.Field
	case reader != nil && reader.Config != nil && field == reader.Config.MaxItems:
		return "ItemReader/ReaderConfig/" + field.Field
	}
	return field.Field
}

// set takes over the value found for a field. It returns its fault in Step Functions' words.
func (l *limits) set(field *asl.Quantity, found value.Value, dialect Dialect) (cause string) {
	number, isNumber := numberIn(found)
	name := strings.TrimSuffix(field.Field, "Path")
	if (name == "TimeoutSeconds" || name == "HeartbeatSeconds") && dialect.Does(rules.TakesWholeSecondsOnly) {
		number, isNumber = found.(value.Number)
	}
	if name == maxItems {
		return l.setItems(field, found)
	}
	if name == "ToleratedFailurePercentage" {
		percentage := number.Float64()
		switch {
		case !isNumber:
			return fmt.Sprintf("The %s field refers to value %q which is not a valid float: %s", field.Field, value.Plain(found), field.Path)
		case percentage < 0 || percentage > 100:
			return "ToleratedFailurePercentage must be between 0 and 100."
		}
		l.failurePercentage = percentage
		return ""
	}
	count, whole := number.Int64()
	switch {
	case !isNumber || !whole:
		return fmt.Sprintf("The %s field refers to value %q which is not a valid integer: %s", field.Field, value.Plain(found), field.Path)
	case name == "ToleratedFailureCount" && count < 0:
		return "ToleratedFailureCount cannot be negative."
	case name == "MaxConcurrency" && count < 0, count <= 0 && mustBePositive(name):
		return fmt.Sprintf("The %s field refers to value %q which is not a valid integer: %s", field.Field, value.Plain(found), field.Path)
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

// maxItems is the name of the bound of an ItemReader.
const maxItems = "MaxItems"

// setItems takes over the value found for MaxItems, which is read as the text of a 64-bit integer: "2" is one, 2.0 is none. Any
// number is taken: the reader refuses a negative one (floci-io/floci, pull requests 3731 and 3732, us-east-1).
func (l *limits) setItems(field *asl.Quantity, found value.Value) (cause string) {
	count, err := strconv.ParseInt(value.Plain(found), 10, 64)
	switch {
	case err == nil:
		l.distributed.set(maxItems, count)
		return ""
	case field.Path == nil: // the words of the Path, which are recorded, as far as they fit
		return fmt.Sprintf("The %s field refers to value %q which is not a valid integer", field.Field, value.Plain(found))
	}
	return fmt.Sprintf("The %s field refers to value %q which is not a valid integer: %s", field.Field, value.Plain(found), field.Path)
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
