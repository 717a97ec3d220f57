package engine

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/interrupt"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/template"
	"asldb/engine/value"
)

// evaluator evaluates the fields of states. It changes nothing but the source of random numbers.
type evaluator struct {
	machine *Machine
	options StartOptions
	input   value.Value
	clock   *clock // of the execution

	random  rand.PCG
	drawn   rand.PCG // random as it was at the event before: see evaluation
	poll    interrupt.Poll
	current *thread       // the thread that does the step: the names of variables refer to it
	roots   path.Roots    // used again for each evaluation
	known   []lookup      // of the rules of a Choice state; used again for each
	base    *contextParts // of the context object; nil until something reads it
	newest  *newestContext
	redrive *Redrive // of an execution that was redriven; else nil
	single  *single  // of a state alone, see StartSingle; else nil
}

func (e *evaluator) lookupVariable(name string) value.Value {
	if e.current == nil {
		return nil
	}
	return e.current.variables.lookup(name)
}

// refer makes data the document that paths refer to, without a context object.
func (e *evaluator) refer(data value.Value) {
	if e.roots.Variables == nil {
		e.roots.Variables = e.lookupVariable
	}
	e.roots.Data, e.roots.Context = data, nil
}

// rootsFor sets the values that paths refer to. The context object is built only where contextual says that it is read.
func (e *evaluator) rootsFor(t *thread, data value.Value, contextual bool) *path.Roots {
	e.refer(data)
	if contextual {
		e.roots.Context = e.context(t, nil, 0)
	}
	return &e.roots
}

// forgetKnown makes known ready for the rules of a state that has so many slots.
func (e *evaluator) forgetKnown(slots int) {
	if cap(e.known) < slots {
		e.known = make([]lookup, slots)
	}
	e.known = e.known[:slots]
	clear(e.known)
}

func (e *evaluator) ruleHolds(t *thread, rule *rulePlan, roots *path.Roots) (bool, *Failure) {
	if rule.def.Predicate != nil {
		return rule.def.Predicate.Holds(e.moment(t)), nil
	}
	if rule.def.Query != nil {
		return e.holds(t, rule)
	}
	holds, err := rule.test.eval(roots, e.known)
	e.evaluated()
	if err != nil {
		return false, &Failure{
			Name: ErrorRuntime, Cause: err.Error(), Err: err, Origin: t.visit, Field: fmt.Sprintf("Choices[%d]", rule.exit.Rule),
		}
	}
	return holds, nil
}

func (e *evaluator) textOf(t *thread, field *asl.TextField) (string, *Failure) {
	if field == nil {
		return "", nil
	}
	var v value.Value
	var err error
	roots := e.rootsFor(t, t.raw, t.state.contextual(StageFail))
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

// readsContextObject reports whether a Reference Path leads into the context object.
func readsContextObject(p *path.Path) bool { return p.Root() == path.ContextRoot }

// quantity returns the literal of a field, or the value that its path finds in the effective input; nil when
// the path misses.
func (e *evaluator) quantity(t *thread, field *asl.Quantity) value.Value {
	if field.Path == nil {
		return field.Literal
	}
	found := field.Path.Find(e.rootsFor(t, t.effective, readsContextObject(field.Path)))
	e.evaluated()
	return found
}

// waitUntil finds the instant, in nanoseconds since the epoch, until which a Wait state waits.
func (e *evaluator) waitUntil(t *thread) (int64, *Failure) {
	def := t.state.def
	fault := func(field, format string, args ...any) *Failure {
		return &Failure{Name: ErrorRuntime, Origin: t.visit, Field: field, Cause: fmt.Sprintf(format, args...)}
	}
	if field := def.Seconds; field != nil && field.Calculation != nil {
		number, _ := field.Calculation.Value(e.moment(t)).(value.Number)
		return Later(e.clock.now, durationOf(max(number.Float64(), 0))), nil
	}
	if field := queried(def.Seconds, def.Timestamp); field != nil {
		return e.queryWait(t, field)
	}
	if field := def.Seconds; field != nil {
		given := e.quantity(t, field)
		if given == nil {
			return 0, e.quantityMissed(t, field)
		}
		number, isNumber := given.(value.Number)
		count, whole := number.Int64()
		switch {
		case !isNumber || !whole:
			return 0, fault(field.Field, "The SecondsPath parameter cannot be parsed as a long value: %s == %s", field.Path, value.Plain(given))
		case count < 0:
			return 0, fault(field.Field, "The SecondsPath parameter references a negative value: %s == %s", field.Path, value.Plain(given))
		}
		return Later(e.clock.now, durationOf(float64(count))), nil
	}
	field := def.Timestamp
	given := e.quantity(t, field)
	if given == nil {
		return 0, e.quantityMissed(t, field)
	}
	instant, ok := timestampOf(given)
	if !ok {
		return 0, fault(field.Field, "The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: %s == %s",
			field.Path, value.Plain(given))
	}
	return nanosecondsOf(instant), nil
}

// quantityMissed returns the fault of a Wait state whose path leads to no value in the effective input.
func (e *evaluator) quantityMissed(t *thread, field *asl.Quantity) *Failure {
	_, err := field.Path.Get(e.rootsFor(t, t.effective, readsContextObject(field.Path)))
	e.evaluated()
	return &Failure{
		Name: ErrorRuntime, Err: err, Origin: t.visit, Field: field.Field,
		Cause: fmt.Sprintf("The %s parameter does not reference an input value: %s", field.Field, field.Path),
	}
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
func (e *evaluator) queryWait(t *thread, field *asl.Quantity) (int64, *Failure) {
	given, failure := e.evalQuery(t, field.Query, nil, 0)
	if failure != nil {
		return 0, failure
	}
	fault := func(cause string) *Failure {
		return &Failure{Name: ErrorQueryEvaluation, Cause: cause, Origin: t.visit, Field: field.Field}
	}
	if field.Field == "Seconds" {
		count, cause := queryInteger(field.Field, given, 0, math.MaxInt64)
		if cause != "" {
			return 0, fault(cause)
		}
		return Later(e.clock.now, durationOf(float64(count))), nil
	}
	text, _ := given.(value.String)
	instant, ok := asl.ParseOffsetDateTime(string(text))
	if !ok {
		return 0, fault("The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: " + value.Plain(given))
	}
	return nanosecondsOf(instant), nil
}

// pathFailure is the fault of a field whose path missed, in Step Functions' words.
func (e *evaluator) pathFailure(t *thread, field string, p *path.Path, err error) *Failure {
	cause := err.Error()
	var miss *path.MissError
	if errors.As(err, &miss) {
		cause = fmt.Sprintf("Invalid path '%s' : %s", p, miss.Jayway())
	}
	return &Failure{Name: ErrorRuntime, Cause: cause, Err: err, Origin: t.visit, Field: field}
}

// templateFailure is the fault of a payload template. Its paths refer to data.
func (e *evaluator) templateFailure(t *thread, stage string, data value.Value, err error) *Failure {
	var fault *template.FieldError
	if !errors.As(err, &fault) {
		return &Failure{Name: ErrorRuntime, Cause: err.Error(), Err: err, Origin: t.visit, Field: stage}
	}
	field := stage + fault.Pointer
	var miss *path.MissError
	if errors.As(err, &miss) && !strings.HasPrefix(fault.Text, "States.") {
		return e.templatePathFailure(t, field, fault.Field, fault.Text, data, err)
	}
	failure := &Failure{Name: ErrorIntrinsicFailure, Cause: err.Error(), Err: err, Origin: t.visit, Field: field}
	if !e.machine.dialect.Does(rules.NamesIntrinsicFailure) {
		failure.Name = ErrorRuntime
		var function *template.Error
		switch {
		case miss != nil:
			failure.Cause = fmt.Sprintf("The function '%s' had the following error: %s", fault.Text, argumentMissed(miss, data))
		case errors.As(err, &function):
			failure.Cause = fmt.Sprintf("There was an error while evaluating the intrinsic function: %s. %s", fault.Text, function.Service)
		}
	}
	return failure
}

// argumentMissed returns Step Functions' words for a path that missed as the argument of an intrinsic function whose paths refer
// to data.
func argumentMissed(miss *path.MissError, data value.Value) string {
	if miss.NotArray() {
		return miss.Jayway()
	}
	return fmt.Sprintf("The JsonPath argument for the field '%s' could not be found in the input '%s'",
		referenceText(miss.Path.String()), value.Preview(data, maxCause))
}

// maxCause is the greatest length of a Cause that Step Functions keeps.
const maxCause = 32768

func (e *evaluator) templatePathFailure(t *thread, place, field, text string, data value.Value, err error) *Failure {
	failure := &Failure{Name: ErrorRuntime, Err: err, Origin: t.visit, Field: place}
	if e.machine.dialect.Does(rules.NamesParameterPathFailure) {
		failure.Name = ErrorParameterPathFailure
	}
	failure.Cause = fmt.Sprintf("The JSONPath '%s' specified for the field '%s' could not be found in the input '%s'",
		text, field, value.Preview(data, maxCause))
	return failure
}

// queryLimit evaluates a field that is a JSONata expression.
func (e *evaluator) queryLimit(t *thread, field *asl.Quantity) *Failure {
	found, failure := e.evalQuery(t, field.Query, nil, 0)
	if failure != nil {
		return failure
	}
	fault := func(cause string) *Failure {
		return &Failure{Name: ErrorQueryEvaluation, Cause: cause, Origin: t.visit, Field: field.Field}
	}
	if field.Field == maxItems {
		if cause := t.limits.setItems(field, found); cause != "" {
			return &Failure{Name: ErrorRuntime, Cause: cause, Origin: t.visit, Field: field.Field}
		}
		return nil
	}
	if _, number := found.(value.Number); !number && field.Field == "TimeoutSeconds" {
		return queryFailure(t, field.Query.UnexpectedType("number", found))
	}
	if field.Field == "ToleratedFailurePercentage" {
		number, ok := found.(value.Number)
		if !ok {
			return fault(fmt.Sprintf("The %s field cannot be parsed as a float: %s", field.Field, value.Plain(found)))
		}
		if number.Float64() < 0 || number.Float64() > 100 {
			return fault("ToleratedFailurePercentage must be between 0 and 100.")
		}
	} else if _, cause := queryInteger(field.Field, found, 0, maxLimitSeconds); cause != "" {
		return fault(cause)
	}
	if count, whole := found.(value.Number).Int64(); whole && count == 0 && mustBePositive(field.Field) {
		return nil // no bound
	}
	if cause := t.limits.set(field, found, e.machine.dialect); cause != "" {
		return fault(cause)
	}
	return nil
}

// credentials evaluates the Credentials field.
func (e *evaluator) credentials(t *thread) (value.Value, *Failure) {
	field := t.state.def.Credentials
	if field == nil {
		return nil, nil
	}
	return e.evalField(t, "Credentials", field, t.effective, t.state.contextual(StageResult))
}

// refusedParameters returns the fault of a payload that the service integration cannot take, nil where it
// can: the task is then not scheduled at all.
func (e *evaluator) refusedParameters(t *thread) *Failure {
	if failure := e.tooLarge(t, t.state.def.Name, t.data); failure != nil {
		failure.terminal = e.machine.dialect.Does(rules.EndsForTooMuchData)
		return failure
	}
	if !e.machine.dialect.Does(rules.ChecksCalls) {
		return nil
	}
	if e.elsewhere(t) { // reported (aws/aws-cdk#4597)
		return &Failure{
			Name: ErrorRuntime, Origin: t.visit, Field: "Resource",
			Cause: "The resource belongs to a different partition from the running execution.",
		}
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

func (e *evaluator) evalSelector(t *thread, field *asl.TemplateField, item value.Value, index int) (value.Value, *Failure) {
	if field.Query != nil {
		return e.evalQuery(t, field.Query, item, index)
	}
	e.refer(t.effective)
	if t.state.contextual(StageParameters) {
		e.roots.Context = e.context(t, item, index)
	}
	selected, err := field.Template.Eval(&e.roots, &e.random)
	e.evaluated()
	if err != nil {
		return nil, e.templateFailure(t, "ItemSelector", t.effective, err)
	}
	return selected, nil
}

// fillPart evaluates a payload template of one of the fields that only a distributed Map has, over the
// effective input.
func (e *evaluator) fillPart(t *thread, stage Stage, name string, field *asl.TemplateField) (value.Value, *Failure) {
	return e.evalField(t, name, field, t.effective, t.state.contextual(stage))
}

// jitter draws a delay between 0 and d from the seeded source, in milliseconds.
func (e *evaluator) jitter(d time.Duration) time.Duration {
	drawn := rand.New(&e.random).Float64() * float64(d)
	return time.Duration(drawn).Round(time.Millisecond)
}
