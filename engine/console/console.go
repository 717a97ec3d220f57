// Package console reads the expressions that a user types: in the console, as watches, as conditions of breakpoints and in
// the messages of logpoints.
//
// An expression is one of:
//
//   - asldb's own, see package expr: $.order.total > 100 && state == "Charge"
//   - JSONata: {% $sum($states.input.lines.price) %}
//   - a payload template: {"id.$": "$.order.id"}, or JSON with JSONata in its strings
//   - a call of an intrinsic function: States.Format('{}-{}', $.id, $$.Execution.Name)
//
// The marks {% and %} may be left out where the state's query language is JSONata, and wherever the text isn't one of
// asldb's own expressions. Without marks, a text that can be read in both languages is JSONata in a JSONata state if it
// names $states or a variable, and asldb's own if it does not, or if it names the data ($.a), which JSONata in Step
// Functions has only as $states.input.
package console

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/expr"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Env holds the values that an expression can refer to.
type Env struct {
	expr.Env
	// Language is the query language of the state.
	Language asl.QueryLanguage
	// States returns $states; nil: there is none. It is called only where an expression needs it.
	States func() value.Value
	// Now is the virtual time.
	Now time.Time
	// Profile is the behavior of JSONata in the run; nil means the reference implementation.
	Profile *jsonata.Profile
}

// Expression is a compiled expression. It is immutable and safe for concurrent use.
type Expression struct {
	text     string // as it was typed
	own      *expr.Expression
	query    *template.Query
	template *template.Template
	call     *template.Call
	// names is set where the query names $states or a variable, and not the data.
	names bool
}

// field is the name of the field in messages about JSONata.
const field = "expression"

// Compile compiles an expression. The error is an *[Error] over an *[expr.SyntaxError] where the text could be one of
// asldb's own expressions, and otherwise over the error of its language.
func Compile(text string) (*Expression, error) {
	x, err := compile(text)
	if err != nil {
		return nil, &Error{Text: text, Err: err}
	}
	x.text = text
	return x, nil
}

func compile(text string) (*Expression, error) {
	trimmed := strings.TrimSpace(text)
	switch {
	case len(trimmed) > expr.MaxBytes:
	case template.IsExpression(trimmed):
		query, err := queryOf(value.String(trimmed))
		if err != nil {
			return nil, err
		}
		return &Expression{query: query}, nil
	case template.LooksLike(trimmed):
		call, err := template.Parse(trimmed)
		if err != nil {
			return nil, err
		}
		return &Expression{call: call}, nil
	case strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "["):
		if x, err := compileJSON(trimmed); x != nil || err != nil {
			return x, err
		}
	}
	own, err := expr.Compile(text)
	x := &Expression{own: own}
	if query, names := compileQuery(trimmed); query != nil && names {
		x.query, x.names = query, true
	}
	if own == nil && x.query == nil {
		if fault := faultOfQuery(trimmed); fault != nil {
			return nil, fault
		}
		return nil, err
	}
	return x, nil
}

// ofQuery are the parts of a text that only JSONata has: $states, calls of its functions, assignments.
var ofQuery = wording.Pattern(`\$states\b|\$[\pL_][\pL\d_]*\(|:=`)

// faultOfQuery returns the error of a text that is meant as JSONata, nil for other texts.
func faultOfQuery(text string) error {
	if !ofQuery().MatchString(text) {
		return nil
	}
	_, err := template.CompileQuery(value.String("{% "+text+" %}"), field)
	return faultOf(err)
}

// compileJSON compiles a payload template, or JSON with JSONata in it. Both results are nil for other texts.
func compileJSON(text string) (*Expression, error) {
	parsed, err := value.Parse([]byte(text), value.Limits{})
	if err != nil {
		return nil, nil
	}
	if query, err := queryOf(parsed); err != nil {
		return nil, err
	} else if !query.Constant() {
		return &Expression{query: query}, nil
	}
	if !bytes.Contains([]byte(text), []byte(template.Suffix+`"`)) {
		return nil, nil
	}
	compiled, err := template.Compile(parsed)
	if err != nil {
		return nil, err
	}
	return &Expression{template: compiled}, nil
}

// queryOf compiles JSONata with marks. What Step Functions does not support is an error: without a value such a name would only make a
// condition false, or true.
func queryOf(v value.Value) (*template.Query, error) {
	query, err := template.CompileQuery(v, field)
	if err != nil {
		return nil, faultOf(err)
	}
	for x := range query.Expressions {
		for _, reference := range x.Compiled.Contextless() {
			return nil, &ContextError{Text: x.Text, Mistake: reference.Mistake()}
		}
	}
	return query, nil
}

// ContextError is a reference in JSONata to a context, which an expression in Step Functions does not have: phone, $.phone, $$.
type ContextError struct {
	// Text is the expression without its marks, in which Mistake has its place.
	Text    string
	Mistake jsonata.Mistake
}

// Error implements error.
func (e *ContextError) Error() string { return e.Mistake.String() }

// compileQuery compiles JSONata without marks. names reports whether it names $states or a variable, and not the data.
func compileQuery(text string) (query *template.Query, names bool) {
	compiled, err := jsonata.Compile(text, jsonata.StepFunctions())
	if err != nil || strings.Contains(text, "%}") {
		return nil, false
	}
	for _, r := range compiled.References() {
		if r.Name == "" || r.Name == "$" {
			return nil, false
		}
		names = true
	}
	query, err = template.CompileQuery(value.String("{% "+text+" %}"), field)
	if err != nil {
		return nil, false
	}
	return query, names
}

// faultOf returns the error of the expression itself, without the words about its field.
func faultOf(err error) error {
	var faults template.QueryFaults
	if errors.As(err, &faults) && len(faults) > 0 {
		return faults[0]
	}
	return err
}

// DataOnly reports whether the expression is one path into the data ($), so that it gives the same for the same data
// whatever else has changed. It may be false for other expressions that have this property, too.
func (x *Expression) DataOnly() bool { return x.own != nil && !x.names && x.own.DataOnly() }

// StatesMembers returns the members of $states that JSONata in the expression reads, in their order; none for the other languages.
func (x *Expression) StatesMembers() []string {
	if x.query == nil {
		return nil
	}
	var names []string
	for part := range x.query.Expressions {
		for _, r := range part.Compiled.References() {
			if r.Name == "states" && len(r.Fields) > 0 {
				names = append(names, r.Fields[0])
			}
		}
	}
	return names
}

// ownIn returns the expression of asldb's own that is meant in an environment, or nil.
func (x *Expression) ownIn(e *Env) *expr.Expression {
	if x.query != nil && e.Language == asl.JSONata {
		return nil
	}
	return x.own
}

// Look evaluates the expression. The error is an *[Error] over the error of the language: where the whole of the
// expression is one path that selects nothing, over a *[path.MissError]; where JSONata has no value, over a
// *[template.QueryError].
func (x *Expression) Look(e *Env) (value.Value, error) {
	v, err := x.evaluate(e)
	if err != nil {
		return nil, x.fault(e, err)
	}
	return v, nil
}

func (x *Expression) evaluate(e *Env) (value.Value, error) {
	if own := x.ownIn(e); own != nil {
		return own.Look(&e.Env)
	}
	switch {
	case x.call != nil:
		return x.call.Eval(e.roots(), random())
	case x.template != nil:
		return x.template.Eval(e.roots(), random())
	}
	return x.query.Eval(e.queryRoots())
}

// fault returns an error of the evaluation with the expression.
func (x *Expression) fault(e *Env, err error) error {
	out := &Error{Text: x.text, Err: err}
	if x.query != nil && x.query.Text() != "" && x.ownIn(e) == nil {
		out.nothing = func() *jsonata.Trace { return x.query.Explain(e.queryRoots())[0].Trace }
	}
	return out
}

func (e *Env) queryRoots() *template.QueryRoots {
	roots := &template.QueryRoots{Variables: e.Variables, Env: jsonata.Env{Now: e.Now, Random: random(), Profile: e.Profile}, Poll: e.Poll}
	if e.States != nil {
		roots.States = e.States()
	}
	return roots
}

// Truth evaluates the expression as a condition: see package expr. The error comes from [Expression.Look].
func (x *Expression) Truth(e *Env) (bool, error) {
	if own := x.ownIn(e); own != nil {
		holds, err := own.Truth(&e.Env)
		if err != nil {
			return false, x.fault(e, err)
		}
		return holds, nil
	}
	v, err := x.Look(e)
	if err != nil {
		return false, err
	}
	return truth(v), nil
}

func truth(v value.Value) bool {
	switch v := v.(type) {
	case value.Bool:
		return bool(v)
	case value.Number:
		return v.Float64() != 0
	case value.String:
		return v != ""
	case *value.Array:
		return v.Len() > 0
	case *value.Object:
		return v.Len() > 0
	}
	return false // null
}

func (e *Env) roots() *path.Roots {
	return &path.Roots{Data: e.Data, Context: e.Context, Variables: e.Variables, Poll: e.Poll}
}

// random returns the generator behind States.UUID, $random and their like: an expression that is only looked at draws nothing from the
// run, and shows the same each time.
func random() *rand.PCG { return rand.NewPCG(0, 0) }
