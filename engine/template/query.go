package template

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// The marks of an expression: a string is one only if it begins and ends exactly so.
const (
	expressionOpens  = "{%"
	expressionCloses = "%}"
)

// IsExpression reports whether a string of a JSONata state is an expression.
func IsExpression(text string) bool {
	return len(text) >= len(expressionOpens)+len(expressionCloses) &&
		strings.HasPrefix(text, expressionOpens) && strings.HasSuffix(text, expressionCloses)
}

// Query is the value of a JSONata state's field: JSON whose strings, at any depth, may be expressions. It is
// compiled once and never changes.
type Query struct {
	root    queryNode
	context bool // an expression may read $states.context
}

// queryNode is one value of a Query.
type queryNode struct {
	constant   value.Value // nil where something below is evaluated
	expression *jsonata.Expression
	text       string // of the expression, without its marks
	location   string // "Output/a/b[0]"
	pointer    string // within the field's value
	keys       []string
	parts      []queryNode // the members of an object, or the items of an array
	array      bool
}

// QueryFault is one expression that cannot be compiled.
type QueryFault struct {
	// Pointer is where in the field's value the expression is (RFC 6901).
	Pointer string
	// Text is the expression without its marks.
	Text string
	Err  error
}

// Error implements error.
func (e *QueryFault) Error() string { return e.Err.Error() }

// Unwrap returns the error of the expression.
func (e *QueryFault) Unwrap() error { return e.Err }

// QueryFaults are all expressions of a field that cannot be compiled.
type QueryFaults []*QueryFault

// Error implements error.
func (e QueryFaults) Error() string {
	texts := value.Each(e, (*QueryFault).Error)
	return strings.Join(texts, "; ")
}

// CompileQuery compiles the value of the field called name. The error is a [QueryFaults].
func CompileQuery(v value.Value, name string) (*Query, error) {
	var faults QueryFaults
	root := compileQuery(v, name, "", &faults)
	if len(faults) > 0 {
		return nil, faults
	}
	q := &Query{root: root}
	q.Expressions(func(e Expression) bool {
		q.context = q.context || mayReadContext(e.Text)
		return !q.context
	})
	return q, nil
}

// mayReadContext reports whether an expression may look at $states.context. Where it takes $states as a whole
// it is unknown, so it may.
func mayReadContext(text string) bool {
	return strings.Contains(text, "context") || strings.Count(text, "$states") != strings.Count(text, "$states.")
}

func compileQuery(v value.Value, location, pointer string, faults *QueryFaults) queryNode {
	node := queryNode{constant: v, location: location, pointer: pointer}
	switch v := v.(type) {
	case value.String:
		if !IsExpression(string(v)) {
			return node
		}
		node.constant = nil
		node.text = strings.TrimSpace(string(v[len(expressionOpens) : len(v)-len(expressionCloses)]))
		expression, err := jsonata.Compile(node.text, jsonata.StepFunctions())
		if err != nil {
			*faults = append(*faults, &QueryFault{Pointer: pointer, Text: node.text, Err: err})
			return node
		}
		node.expression = expression
	case *value.Array:
		node.array = true
		for i, item := range v.All() {
			part := compileQuery(item, location+"["+strconv.Itoa(i)+"]", pointer+"/"+strconv.Itoa(i), faults)
			node.add("", part)
		}
	case *value.Object:
		for key, member := range v.All() {
			part := compileQuery(member, location+"/"+key, pointer+"/"+value.EscapePointer(key), faults)
			node.add(key, part)
		}
	}
	return node
}

func (n *queryNode) add(key string, part queryNode) {
	n.keys, n.parts = append(n.keys, key), append(n.parts, part)
	if part.constant == nil {
		n.constant = nil
	}
}

// QueryRoots holds the values that the expressions of a Query can refer to.
type QueryRoots struct {
	// States is the value of $states.
	States value.Value
	// Variables looks up the value of any other variable; nil where it finds none.
	Variables func(name string) value.Value
	// Env gives the time and the random numbers.
	Env jsonata.Env
	// Poll counts the steps and can interrupt the evaluation; it may be nil.
	Poll *interrupt.Poll
}

// env is the environment of one expression. It stores the number of steps in steps.
func (r *QueryRoots) env(steps *int) jsonata.Env {
	env := r.Env
	if r.Poll != nil {
		env.Steps = steps
		if r.Poll.Armed() {
			env.Interrupt = r.Poll.Look
		}
	}
	return env
}

func (r *QueryRoots) lookup(name string) value.Value {
	if name == "states" {
		return r.States
	}
	if r.Variables == nil {
		return nil
	}
	return r.Variables(name)
}

// QueryError is the fault of an expression, in Step Functions' words.
type QueryError struct {
	// Location is the field and the place in it, "Output/a/b[0]".
	Location string
	// Text is the expression without its marks.
	Text string
	// Reason is the rest of the sentence: "returned nothing (undefined)." for example.
	Reason string
	Err    error // of the evaluation, or nil
}

// Error implements error.
func (e *QueryError) Error() string {
	return fmt.Sprintf("The JSONata expression '%s' specified for the field '%s' %s", e.Text, e.Location, e.Reason)
}

// Unwrap returns the error of the evaluation.
func (e *QueryError) Unwrap() error { return e.Err }

// UnexpectedType returns the fault of an expression whose value is not of the type wanted: a kind as JSON
// names it. It returns nil where the field isn't an expression.
func (q *Query) UnexpectedType(wanted string, v value.Value) *QueryError {
	if q.root.expression == nil {
		return nil
	}
	return &QueryError{
		Location: q.root.location, Text: q.root.text,
		Reason: fmt.Sprintf("returned an unexpected result type. Expected '%s', but was '%s' for value: %s", wanted, value.KindOf(v), value.Compact(v)),
	}
}

// Text returns the expression that the whole field is, without its marks; empty where it is none.
func (q *Query) Text() string { return q.root.text }

// ReadsContext reports whether an expression may read $states.context.
func (q *Query) ReadsContext() bool { return q.context }

// Constant reports whether nothing in it is evaluated.
func (q *Query) Constant() bool { return q.root.constant != nil }

// Expression is one expression of a Query.
type Expression struct {
	// Location is the field and the place in it, "Output/a/b[0]"; Pointer the place in the field's value
	// (RFC 6901); Text the expression without its marks.
	Location, Pointer, Text string
	Compiled                *jsonata.Expression
}

// Expressions calls yield with every expression, in the order of the text, until yield returns false.
func (q *Query) Expressions(yield func(Expression) bool) { q.root.expressions(yield) }

func (n *queryNode) expressions(yield func(Expression) bool) bool {
	if n.expression != nil {
		return yield(Expression{Location: n.location, Pointer: n.pointer, Text: n.text, Compiled: n.expression})
	}
	for i := range n.parts {
		if !n.parts[i].expressions(yield) {
			return false
		}
	}
	return true
}

// Eval evaluates every expression. Parts without one are shared, not copied. The error is a *[QueryError], or says that
// the evaluation was interrupted: see [interrupt.Is].
func (q *Query) Eval(roots *QueryRoots) (value.Value, error) { return q.root.eval(roots) }

func (n *queryNode) eval(roots *QueryRoots) (value.Value, error) {
	switch {
	case n.constant != nil:
		return n.constant, nil
	case n.expression != nil:
		return n.evalExpression(roots)
	}
	if err := roots.Poll.Step(len(n.parts)); err != nil {
		return nil, err
	}
	parts := make([]value.Value, len(n.parts))
	for i := range n.parts {
		part, err := n.parts[i].eval(roots)
		if err != nil {
			return nil, err
		}
		parts[i] = part
	}
	if n.array {
		return value.NewArray(parts), nil
	}
	members := make([]value.Member, len(parts))
	for i, part := range parts {
		members[i] = value.Member{Key: n.keys[i], Value: part}
	}
	return value.NewObject(members), nil
}

func (n *queryNode) evalExpression(roots *QueryRoots) (value.Value, error) {
	fault := &QueryError{Location: n.location, Text: n.text}
	if err := roots.Poll.Step(1); err != nil {
		return nil, err
	}
	// There is no implicit input: field names outside of $states mean nothing.
	steps := 0
	v, err := n.expression.Eval(nil, roots.lookup, roots.env(&steps))
	if roots.Poll != nil {
		roots.Poll.Count(steps)
	}
	var function *jsonata.FunctionError
	var thrown *jsonata.Error
	switch {
	case interrupt.Is(err):
		return nil, err
	case errors.As(err, &function):
		fault.Reason, fault.Err = "returned an unsupported result type.", err
	case errors.As(err, &thrown):
		fault.Reason, fault.Err = thrown.Sentence(), err
	case err != nil:
		fault.Reason, fault.Err = "threw an error during evaluation. "+err.Error(), err
	case v == nil:
		fault.Reason = "returned nothing (undefined)."
	default:
		return v, nil
	}
	return nil, fault
}

// Explanation is one expression of a Query with the results of its parts.
type Explanation struct {
	// Location is the field and the place in it, "Output/a/b[0]"; Text the expression without its marks.
	Location, Text string
	Compiled       *jsonata.Expression
	Trace          *jsonata.Trace
	// Err is the error that the evaluation ended with, or nil.
	Err error
}

// Explain evaluates every expression again and records the result of each part, in the order of the text. An
// expression that gives nothing, or fails, does not keep the others from being explained.
func (q *Query) Explain(roots *QueryRoots) []Explanation { return q.root.explain(roots, nil) }

func (n *queryNode) explain(roots *QueryRoots, explained []Explanation) []Explanation {
	if n.expression != nil {
		steps := 0
		_, trace, err := n.expression.EvalTrace(nil, roots.lookup, roots.env(&steps))
		if roots.Poll != nil {
			roots.Poll.Count(steps)
		}
		return append(explained, Explanation{Location: n.location, Text: n.text, Compiled: n.expression, Trace: trace, Err: err})
	}
	for i := range n.parts {
		explained = n.parts[i].explain(roots, explained)
	}
	return explained
}
