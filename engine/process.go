package engine

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

var emptyObject = value.Value(value.ObjectOf())

// runStage runs the next stage of t's visit.
func (e *Execution) runStage(t *thread) {
	stage := t.stages[t.at]
	t.at++
	def := t.state.def
	switch stage {
	case StageInputPath:
		e.selectPath(t, stage, def.InputPath)
		t.effective = t.data
	case StageLimits:
		e.readLimits(t)
	case StageItemsPath:
		if def.QueryLanguage == asl.JSONata {
			e.queryItems(t)
		} else {
			e.selectItems(t)
		}
	case StageParameters:
		parameters := def.Parameters
		if def.QueryLanguage == asl.JSONata {
			parameters = def.Arguments
		}
		e.fill(t, stage, parameters, t.state.contextual.parameters)
		t.payload = t.data
	case StageChoices:
		e.choose(t)
	case StageWait:
		e.wait(t)
	case StageFail:
		e.failState(t)
	case StageResult:
		e.beginWork(t)
	case StageResultSelector:
		e.fill(t, stage, def.ResultSelector, t.state.contextual.resultSelector)
	case StageAssign:
		e.assign(t)
	case StageResultPath:
		e.putResult(t)
	case StageOutputPath:
		if def.QueryLanguage == asl.JSONata {
			e.putOutput(t)
		} else {
			e.selectPath(t, stage, def.OutputPath)
		}
	case StageOutput:
		e.leave(t)
	}
}

// stageDone notes that a stage turned before into after, which the next stage reads.
func (e *Execution) stageDone(t *thread, stage Stage, before, after value.Value) {
	t.data = after
	e.emit(t, Event{Type: StageCompleted, Stage: stage, Before: before, After: after})
}

// rootsFor sets what paths refer to. The context object is built only where contextual says that it is read.
func (e *Execution) rootsFor(t *thread, data value.Value, contextual bool) *path.Roots {
	e.roots.Data, e.roots.Context = data, nil
	if contextual {
		e.roots.Context = e.context(t, nil, 0)
	}
	return &e.roots
}

// selectPath runs InputPath or OutputPath: null gives an empty object (section "InputPath, OutputPath").
func (e *Execution) selectPath(t *thread, stage Stage, field *asl.PathField) {
	before := t.data
	if field.Null {
		e.stageDone(t, stage, before, emptyObject)
		return
	}
	roots := e.rootsFor(t, before, t.state.contextual.paths)
	after := field.Path.Find(roots)
	e.evaluated()
	if after == nil {
		_, err := field.Path.Get(roots)
		e.evaluated()
		e.stageFailed(t, stage, before, e.pathFailure(t, stage.String(), field.Path, err))
		return
	}
	e.stageDone(t, stage, before, after)
}

// fill runs a payload template (section "Payload Template"), or its counterpart in JSONata.
func (e *Execution) fill(t *thread, stage Stage, field *asl.TemplateField, contextual bool) {
	before := t.data
	after, failure := e.evalField(t, stage.String(), field, before, contextual)
	if failure != nil {
		e.stageFailed(t, stage, before, failure)
		return
	}
	e.stageDone(t, stage, before, after)
}

// putResult runs ResultPath: the result replaces the raw input or is put into it, never into the effective input
// (section "ResultPath").
func (e *Execution) putResult(t *thread) {
	field := t.state.def.ResultPath
	if t.catching > 0 {
		field = t.state.catches[t.catching-1].def.ResultPath
	}
	switch {
	case field == nil:
		e.stageDone(t, StageResultPath, t.raw, t.data)
	case field.Null:
		e.stageDone(t, StageResultPath, t.raw, t.raw)
	default:
		after, err := field.Path.Set(t.raw, t.data)
		if err != nil {
			e.stageFailed(t, StageResultPath, t.raw, &Failure{
				Name: ErrorResultPathMatchFailure, Cause: err.Error(), Err: err, Origin: t.visit, Field: "ResultPath",
			})
			return
		}
		e.stageDone(t, StageResultPath, t.raw, after)
	}
}

// assign evaluates Assign against the variables as they were at the state's entry; the new values hold
// from the next state on.
func (e *Execution) assign(t *thread) {
	field, contextual := t.state.def.Assign, t.state.contextual.assign
	source := t.data // of Pass, Choice and Wait
	switch {
	case t.catching > 0:
		catcher := &t.state.catches[t.catching-1]
		field, contextual = catcher.def.Assign, catcher.contextual
	case t.state.def.Type == asl.Choice && t.rule >= 0:
		// A matched rule's Assign takes the place of the state's, which belongs to Default.
		field, contextual = t.state.rules[t.rule].def.Assign, t.state.contextual.choices
	case t.result != nil:
		source = t.result
	}
	if field == nil {
		return
	}
	before := value.Value(t.variables.values)
	assigned, failure := e.evalField(t, "Assign", field, source, contextual)
	if failure != nil {
		e.stageFailed(t, StageAssign, source, failure)
		return
	}
	values := t.variables.values
	object, _ := assigned.(*value.Object) // a payload template gives an object
	for name, v := range object.All() {
		values = values.With(name, v)
	}
	if failure := e.variablesTooLarge(t, object, values); failure != nil {
		e.stageFailed(t, StageAssign, source, failure)
		return
	}
	t.assigned = values
	e.emit(t, Event{
		Type: StageCompleted, Stage: StageAssign, Before: before, After: values,
		Detail: &AssignDetail{Assigned: object},
	})
}

// choose evaluates the rules of a Choice state in their order (section "Choice State").
func (e *Execution) choose(t *thread) {
	roots := e.rootsFor(t, t.data, t.state.contextual.choices)
	for i := range t.state.rules {
		rule := &t.state.rules[i]
		holds, failure := e.ruleHolds(t, rule, roots)
		if failure != nil {
			e.stageFailed(t, StageChoices, t.data, failure)
			return
		}
		if holds {
			t.next, t.exit, t.rule = rule.next, rule.exit, i
			e.stageDone(t, StageChoices, t.data, t.data)
			return
		}
	}
	if t.state.otherwise == nil {
		failure := &Failure{Name: ErrorNoChoiceMatched, Cause: "No rule matched and the state has no Default.", Origin: t.visit}
		if e.machine.dialect == AWS {
			failure.Name = ErrorRuntime
			failure.Cause = "Failed to transition out of the state. The state does not point to a next state."
		}
		e.stageFailed(t, StageChoices, t.data, failure)
		return
	}
	t.next, t.exit = t.state.otherwise, t.state.byDefault
	e.stageDone(t, StageChoices, t.data, t.data)
}

func (e *Execution) ruleHolds(t *thread, rule *rulePlan, roots *path.Roots) (bool, *Failure) {
	if rule.def.Predicate != nil {
		return rule.def.Predicate.Holds(e.moment(t)), nil
	}
	if rule.def.Query != nil {
		return e.holds(t, rule)
	}
	holds, err := rule.test.eval(roots)
	e.evaluated()
	if err != nil {
		return false, &Failure{
			Name: ErrorRuntime, Cause: err.Error(), Err: err, Origin: t.visit, Field: fmt.Sprintf("Choices[%d]", rule.exit.Rule),
		}
	}
	return holds, nil
}

// failState ends a Fail state with its error (section "Fail State").
func (e *Execution) failState(t *thread) {
	failure := &Failure{Origin: t.visit}
	for _, part := range []struct {
		field *asl.TextField
		text  *string
	}{{t.state.def.Error, &failure.Name}, {t.state.def.Cause, &failure.Cause}} {
		text, fault := e.textOf(t, part.field)
		if fault != nil {
			if e.machine.dialect == AWS {
				fault.addPreface(t.visit)
			}
			e.stageFailed(t, StageFail, t.raw, fault)
			return
		}
		*part.text = text
	}
	e.stageFailed(t, StageFail, t.raw, failure)
}

func (e *Execution) textOf(t *thread, field *asl.TextField) (string, *Failure) {
	if field == nil {
		return "", nil
	}
	var v value.Value
	var err error
	roots := e.rootsFor(t, t.raw, t.state.contextual.paths)
	switch {
	case field.Calculation != nil:
		v = field.Calculation.Value(e.moment(t))
	case field.Path != nil:
		v, err = field.Path.Get(roots)
		if e.evaluated(); err != nil {
			return "", e.templatePathFailure(t, field.Field, field.Field, field.Path.String(), t.raw, err)
		}
	case field.Intrinsic != nil:
		filled, err := field.Intrinsic.Eval(roots, &e.random)
		e.evaluated()
		if err != nil {
			return "", e.templateFailure(t, field.Field, t.raw, err)
		}
		v = filled.(*value.Object).At(0).Value // the template has the one member that the text field is
	case field.Query != nil:
		found, failure := e.evalQuery(t, field.Query, nil, 0)
		if failure != nil {
			return "", failure
		}
		if found.Kind() != value.KindString {
			return "", queryFailure(t, field.Query.UnexpectedType("string", found))
		}
		v = found
	default:
		return field.Literal, nil
	}
	text, ok := v.(value.String)
	if !ok {
		return "", &Failure{
			Name: ErrorRuntime, Origin: t.visit, Field: field.Field,
			Cause: fmt.Sprintf("The %s must give a string, but gave %s", field.Field, describe(v)),
		}
	}
	return string(text), nil
}

// describe names a value in a message: its kind, and itself as far as it is short.
func describe(v value.Value) string {
	const enough = 60
	if v == nil {
		return "nothing"
	}
	return v.Kind().String() + " " + value.Preview(v, enough)
}

// maxWait is the greatest delay that Step Functions takes for a Wait state.
const maxWait = 24856 * 24 * time.Hour

// wait begins the wait of a Wait state (section "Wait State").
func (e *Execution) wait(t *thread) {
	until, failure := e.waitUntil(t)
	if failure == nil && e.machine.dialect == AWS && until > e.now && until-e.now >= int64(maxWait) {
		failure = &Failure{Name: ErrorRuntime, Cause: "Wait state delay is too long.", Origin: t.visit}
	}
	if failure != nil {
		e.stageFailed(t, StageWait, t.data, failure)
		return
	}
	e.emit(t, Event{
		Type: WaitStarted, Stage: StageWait, Before: t.data,
		Detail: &WaitDetail{Until: time.Unix(0, until).UTC()},
	})
	if until <= e.now {
		t.phase = phaseWaitOver
		return
	}
	t.block = onTimer
	e.setTimer(t, until, TimerWait)
}

// waitUntil finds the instant, in nanoseconds since the epoch, until which a Wait state waits.
func (e *Execution) waitUntil(t *thread) (int64, *Failure) {
	def := t.state.def
	fault := func(field, format string, args ...any) *Failure {
		return &Failure{Name: ErrorRuntime, Origin: t.visit, Field: field, Cause: fmt.Sprintf(format, args...)}
	}
	if field := def.Seconds; field != nil && field.Calculation != nil {
		number, _ := field.Calculation.Value(e.moment(t)).(value.Number)
		return later(e.now, seconds(max(number.Float64(), 0))), nil
	}
	if field := queried(def.Seconds, def.Timestamp); field != nil {
		return e.queryWait(t, field)
	}
	if field := def.Seconds; field != nil {
		given := e.quantity(t, field)
		number, isNumber := given.(value.Number)
		count, whole := number.Int64()
		switch {
		case given == nil:
			return 0, fault(field.Field, "The SecondsPath parameter does not reference an input value: %s", field.Path)
		case !isNumber || !whole:
			return 0, fault(field.Field, "The SecondsPath parameter cannot be parsed as a long value: %s == %s", field.Path, plain(given))
		case count < 0:
			return 0, fault(field.Field, "The SecondsPath parameter references a negative value: %s == %s", field.Path, plain(given))
		}
		return later(e.now, seconds(float64(count))), nil
	}
	field := def.Timestamp
	given := e.quantity(t, field)
	if given == nil {
		return 0, fault(field.Field, "The TimestampPath parameter does not reference an input value: %s", field.Path)
	}
	instant, ok := timestampOf(given)
	if !ok {
		return 0, fault(field.Field, "The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: %s == %s",
			field.Path, plain(given))
	}
	return nanosecondsOf(instant), nil
}

// queried returns the one of two fields that is a JSONata expression, nil where none is.
func queried(fields ...*asl.Quantity) *asl.Quantity {
	for _, field := range fields {
		if field != nil && field.Query != nil {
			return field
		}
	}
	return nil
}

// queryWait finds the instant of a Wait state in JSONata.
func (e *Execution) queryWait(t *thread, field *asl.Quantity) (int64, *Failure) {
	given, failure := e.evalQuery(t, field.Query, nil, 0)
	if failure != nil {
		return 0, failure
	}
	fault := func(cause string) *Failure {
		return &Failure{Name: ErrorQueryEvaluation, Cause: cause, Origin: t.visit, Field: field.Field}
	}
	if field.Field == "Seconds" {
		count, cause := queryInteger(field.Field, given, 0)
		if cause != "" {
			return 0, fault(cause)
		}
		return later(e.now, seconds(float64(count))), nil
	}
	instant, ok := timestampOf(given)
	if !ok {
		return 0, fault("The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: " + plain(given))
	}
	return nanosecondsOf(instant), nil
}

// The years at which nanoseconds since the epoch end are 1677 and 2262.
const firstYear, lastYear = 1678, 2262

// nanosecondsOf returns the instant in nanoseconds since the epoch, the nearest that there is.
func nanosecondsOf(instant time.Time) int64 {
	switch year := instant.Year(); {
	case year < firstYear:
		return -1 << 63
	case year >= lastYear:
		return 1<<63 - 1
	}
	return instant.UnixNano()
}

// plain writes a value as messages quote it: a string without quotes.
func plain(v value.Value) string {
	if text, ok := v.(value.String); ok {
		return string(text)
	}
	return value.Compact(v)
}

// quantity returns the literal of a field, or what its path finds in the effective input; nil when
// the path misses.
func (e *Execution) quantity(t *thread, field *asl.Quantity) value.Value {
	if field.Path == nil {
		return field.Literal
	}
	found := field.Path.Find(e.rootsFor(t, t.effective, t.state.contextual.paths))
	e.evaluated()
	return found
}

// pathFailure is the fault of a field whose path missed, in Step Functions' words.
func (e *Execution) pathFailure(t *thread, field string, p *path.Path, err error) *Failure {
	cause := err.Error()
	var miss *path.MissError
	if errors.As(err, &miss) {
		cause = fmt.Sprintf("Invalid path '%s' : %s", p, miss.Jayway())
	}
	return &Failure{Name: ErrorRuntime, Cause: cause, Err: err, Origin: t.visit, Field: field}
}

// templateFailure is the fault of a payload template. data is what its paths refer to.
func (e *Execution) templateFailure(t *thread, stage string, data value.Value, err error) *Failure {
	var fault *template.FieldError
	if !errors.As(err, &fault) {
		return &Failure{Name: ErrorRuntime, Cause: err.Error(), Err: err, Origin: t.visit, Field: stage}
	}
	field := stage + fault.Pointer
	var miss *path.MissError
	if errors.As(err, &miss) && !strings.HasPrefix(fault.Text, "States.") {
		return e.templatePathFailure(t, field, fault.Field, fault.Text, data, err)
	}
	name := ErrorIntrinsicFailure
	if miss != nil && e.machine.dialect == AWS {
		name = ErrorRuntime
	}
	return &Failure{Name: name, Cause: err.Error(), Err: err, Origin: t.visit, Field: field}
}

// maxCause is the greatest length of a Cause that Step Functions keeps.
const maxCause = 32768

func (e *Execution) templatePathFailure(t *thread, place, field, text string, data value.Value, err error) *Failure {
	failure := &Failure{Name: ErrorRuntime, Err: err, Origin: t.visit, Field: place}
	if e.machine.dialect == Spec {
		failure.Name = ErrorParameterPathFailure
	}
	failure.Cause = fmt.Sprintf("The JSONPath '%s' specified for the field '%s' could not be found in the input '%s'",
		text, field, value.Preview(data, maxCause))
	return failure
}
