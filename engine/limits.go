package engine

import (
	"fmt"

	"asldb/engine/jsonata"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// Limits are the service's quotas that an execution keeps to. A zero field means no limit.
type Limits struct {
	// Payload is the greatest size of a state's payload, result and output, in bytes of compact JSON.
	Payload int
	// Variable is the greatest size of one variable, and of all that one Assign sets; Variables the size of
	// all variables of an execution together. Both in bytes of compact JSON.
	Variable, Variables int
	// History is the greatest number of events that Step Functions' own history would have, the failure included with which
	// an execution ends that needs more.
	History int
	// Evaluation is the greatest number of steps that an evaluation of JSONata may take, and of values that it may build.
	// It isn't a quota of the service but asldb's own, so that no evaluation runs for ever: 0 means
	// [jsonata.DefaultSteps].
	Evaluation int
}

// evaluation returns the bounds of an evaluation of JSONata.
func (l *Limits) evaluation() jsonata.Limits {
	return jsonata.Limits{Steps: l.Evaluation, Cells: l.Evaluation}
}

// LimitsOf returns the quotas that executions of a dialect keep to.
func LimitsOf(dialect Dialect) Limits {
	if dialect.Does(rules.HasServiceLimits) {
		return ServiceLimits()
	}
	return Limits{}
}

// ServiceLimits returns the quotas of Step Functions.
func ServiceLimits() Limits {
	const kibibyte = 1024
	return Limits{Payload: 256 * kibibyte, Variable: 256 * kibibyte, Variables: 10 * 1024 * kibibyte, History: 25_000}
}

// SizeError says how large a value is and how large it may be, in bytes of compact JSON. It is the Err of a
// Failure named States.DataLimitExceeded, whose Cause has no figures.
type SizeError struct{ Size, Limit int }

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the data has %d bytes; the limit is %d", e.Size, e.Limit)
}

// tooLarge returns the fault of a value above the limit of payloads, nil where it is within. origin names
// the state or the service that gave it.
func (e *evaluator) tooLarge(t *thread, origin string, v value.Value) *Failure {
	limit := e.options.Limits.Payload
	if limit == 0 {
		return nil
	}
	size := value.Size(v)
	if size <= limit {
		return nil
	}
	return &Failure{
		Name: ErrorDataLimitExceeded, Origin: t.visit, Err: &SizeError{Size: size, Limit: limit},
		Cause: fmt.Sprintf("The state/task '%s' returned a result with a size exceeding the maximum number of bytes service limit.", origin),
	}
}

// variablesTooLarge returns the fault of an Assign that sets more than the limits allow.
func (e *evaluator) variablesTooLarge(t *thread, assigned, all *value.Object) *Failure {
	limits := e.options.Limits
	fault := func(format string, args ...any) *Failure {
		return &Failure{Name: ErrorRuntime, Origin: t.visit, Field: "Assign", Cause: fmt.Sprintf(format, args...)}
	}
	if limits.Variable > 0 {
		for name, v := range assigned.All() {
			if size := value.Size(v); size > limits.Variable {
				return fault("The variable '%s' has %d bytes, more than the limit of %d.", name, size, limits.Variable)
			}
		}
		if size := value.Size(assigned); size > limits.Variable {
			return fault("The variables assigned have %d bytes together, more than the limit of %d.", size, limits.Variable)
		}
	}
	if limits.Variables == 0 {
		return nil
	}
	size := value.Size(all)
	for frame := t.variables.outer; frame != nil; frame = frame.outer {
		size += value.Size(frame.values)
	}
	if size > limits.Variables {
		return fault("All variables have %d bytes together, more than the limit of %d.", size, limits.Variables)
	}
	return nil
}
