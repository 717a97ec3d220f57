package engine

import (
	"errors"
	"fmt"

	"asldb/engine/asl"
	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/template"
	"asldb/engine/value"
)

// evalField evaluates a field that holds JSON, in whichever query language its state has. $ means data
// in a payload template. name is the field's, for messages.
func (e *evaluator) evalField(t *thread, name string, field *asl.TemplateField, data value.Value, contextual bool) (value.Value, *Failure) {
	if field.Query != nil {
		return e.evalQuery(t, field.Query, nil, 0)
	}
	filled, err := field.Template.Eval(e.rootsFor(t, data, contextual), &e.random)
	e.evaluated()
	if err != nil {
		return nil, e.templateFailure(t, name, data, err)
	}
	return filled, nil
}

// evalQuery evaluates a JSONata field. item and index belong to a Map iteration that is about to begin;
// item is nil elsewhere.
func (e *evaluator) evalQuery(t *thread, q *template.Query, item value.Value, index int) (value.Value, *Failure) {
	if q.Constant() {
		if v, err := q.Eval(nil); err == nil {
			return v, nil
		}
	}
	roots := &template.QueryRoots{
		States: e.states(t, q.ReadsContext(), item, index), Variables: e.lookupVariable,
		Env: jsonata.Env{
			Now: e.clock.Now(), Random: &e.random, Limits: e.options.Limits.evaluation(), Profile: e.machine.dialect.Profile(),
		},
		Poll: &e.poll,
	}
	v, err := q.Eval(roots)
	if interrupt.Is(err) {
		e.poll.Stop(err) // also where the evaluation gave up by itself
	}
	e.evaluated()
	if err != nil {
		return nil, queryFailure(t, err)
	}
	return v, nil
}

// states returns $states: the state's raw input, the context object, and where there is one the raw result
// of its work, or in a catcher the Error Output (developer guide, "Reserved variable").
func (e *evaluator) states(t *thread, contextual bool, item value.Value, index int) value.Value {
	members := []value.Member{{Key: "input", Value: t.raw}}
	if contextual {
		members = append(members, value.Member{Key: "context", Value: e.context(t, item, index)})
	}
	switch {
	case t.catching > 0:
		members = append(members, value.Member{Key: "errorOutput", Value: t.result})
	case t.result != nil:
		members = append(members, value.Member{Key: "result", Value: t.result})
	}
	return value.NewObject(members)
}

// queryFailure is the fault of a JSONata expression.
func queryFailure(t *thread, err error) *Failure {
	failure := &Failure{Name: ErrorQueryEvaluation, Cause: err.Error(), Err: err, Origin: t.visit}
	var fault *template.QueryError
	if errors.As(err, &fault) {
		failure.Field = fault.Location
	}
	return failure
}

// outputOf returns the Output field that is in force: a catcher's, the matched rule's, or the state's; nil
// where it is absent.
func (t *thread) outputOf() *asl.TemplateField {
	switch {
	case t.catching > 0:
		return t.state.catches[t.catching-1].def.Output
	case t.state.def.Type == asl.Choice && t.rule >= 0:
		return t.state.rules[t.rule].def.Output
	}
	return t.state.def.Output
}

// putOutput runs the Output field of a JSONata state.
func (p process) putOutput() {
	field := p.outputOf()
	if field == nil {
		return
	}
	before := p.data
	after, failure := p.e.evalField(p.thread, "Output", field, nil, false)
	if failure != nil {
		p.e.stageFailed(p.thread, StageOutputPath, before, failure)
		return
	}
	p.e.stageDone(p.thread, StageOutputPath, before, after)
}

// holds evaluates a rule's Condition.
func (e *evaluator) holds(t *thread, rule *rulePlan) (bool, *Failure) {
	v, failure := e.evalQuery(t, rule.def.Query, nil, 0)
	if failure != nil {
		return false, failure
	}
	held, ok := v.(value.Bool)
	if !ok {
		return false, queryFailure(t, rule.def.Query.UnexpectedType("boolean", v))
	}
	return bool(held), nil
}

// queryItems finds the array of a JSONata Map state: its Items, or its input.
func (p process) queryItems() {
	found := p.raw
	field := p.state.def.Items
	if field != nil {
		v, failure := p.e.evalField(p.thread, "Items", field, nil, false)
		if failure != nil {
			p.closing = true // AWS writes that the Map failed
			p.e.stageFailed(p.thread, StageItemsPath, p.raw, failure)
			return
		}
		found = v
	}
	if items, ok := itemsOf(p.state.def, found); ok {
		_, p.keyed = found.(*value.Object)
		p.e.stageDone(p.thread, StageItemsPath, p.raw, items)
		return
	}
	failure := &Failure{
		Name: ErrorQueryEvaluation, Origin: p.visit,
		Cause: "Map state input must be an array but was: " + value.Compact(found),
	}
	if field != nil {
		failure = &Failure{Name: ErrorQueryEvaluation, Origin: p.visit, Field: "Items", Cause: "Items must be an array but was: " + value.Compact(found)}
		if fault := field.Query.UnexpectedType("array", found); fault != nil {
			failure = queryFailure(p.thread, fault)
		}
	}
	p.closing = true // AWS writes that the Map failed
	p.e.stageFailed(p.thread, StageItemsPath, p.raw, failure)
}

// maxLimitSeconds is the greatest number of seconds that a time limit takes.
const maxLimitSeconds = 99_999_999

// queryInteger returns the fault, in Step Functions' words, of the value of a field that takes a whole number of at least
// low and at most most; empty where there is none.
func queryInteger(field string, v value.Value, low, most int64) (count int64, cause string) {
	number, isNumber := v.(value.Number)
	count, whole := number.Int64()
	switch {
	case !isNumber || !whole:
		return 0, fmt.Sprintf("The %s field cannot be parsed as an integer: %s", field, value.Plain(v))
	case count < low && field == "ToleratedFailureCount":
		return 0, "ToleratedFailureCount cannot be negative."
	case count < low || count > most:
		return 0, fmt.Sprintf("%s must be between %d and %d but was: %d", field, low, most, count)
	}
	return count, ""
}
