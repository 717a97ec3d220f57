package jsonata

import (
	"errors"
	"maps"
	"math"
	"slices"

	"asldb/engine/value"
)

// builtins are the functions of the language. Nothing changes them.
var builtins = func() map[string]*function {
	all := map[string]*function{}
	for _, table := range [][]definition{aggregations, texts, numbers, logic, arrays, objects, times} {
		for _, d := range table {
			all[d.name] = &function{name: d.name, sig: mustSignature(d.signature), arity: d.arity, native: d.native}
		}
	}
	return all
}()

// FunctionNames returns the names of the functions that the options give, without the $, in alphabetical order.
func (o Options) FunctionNames() []string {
	functions, err := (&compiled{Options: o}).allFunctions()
	if err != nil {
		functions = builtins
	}
	return slices.Sorted(maps.Keys(functions))
}

// definition is one row of a table of functions. arity is the number of arguments that the function gets
// where it is passed to $map and the like.
type definition struct {
	name, signature string
	arity           int
	native          func(c *call) (any, error)
}

var aggregations = []definition{
	{"sum", "<a<n>:n>", 1, sum},
	{"count", "<a:n>", 1, count},
	{"max", "<a<n>:n>", 1, func(c *call) (any, error) { return extreme(c, math.Max) }},
	{"min", "<a<n>:n>", 1, func(c *call) (any, error) { return extreme(c, math.Min) }},
	{"average", "<a<n>:n>", 1, average},
}

var logic = []definition{
	{"boolean", "<x-:b>", 1, func(c *call) (any, error) { return boolean(c, false) }},
	{"not", "<x-:b>", 1, func(c *call) (any, error) { return boolean(c, true) }},
	{"exists", "<x:b>", 1, func(c *call) (any, error) { return value.Bool(c.arg(0) != nil), nil }},
	{"type", "<x:s>", 1, typeOf},
	{"error", "<s?:x>", 1, raise},
	{"assert", "<bs?:x>", 2, assert},
}

// walk calls visit with the number of each item of argument 0, and counts the steps.
func (c *call) walk(visit func(f float64)) (n int, err error) {
	items, _ := viewOf(c.arg(0))
	n = items.len()
	if err := c.run.step(n); err != nil {
		return 0, err
	}
	for i := 0; i < n; i++ {
		f, _ := value.Double(items.at(i))
		visit(f)
	}
	return n, nil
}

func sum(c *call) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	total := 0.0
	_, err := c.walk(func(f float64) { total += f })
	return total, err
}

func count(c *call) (any, error) {
	items, _ := viewOf(c.arg(0))
	return float64(items.len()), nil
}

func extreme(c *call, better func(a, b float64) float64) (any, error) {
	var best float64
	first := true
	n, err := c.walk(func(f float64) {
		if first {
			best, first = f, false
			return
		}
		best = better(best, f)
	})
	if n == 0 || err != nil {
		return nil, err
	}
	return best, nil
}

func average(c *call) (any, error) {
	total := 0.0
	n, err := c.walk(func(f float64) { total += f })
	if n == 0 || err != nil {
		return nil, err
	}
	return total / float64(n), nil
}

func boolean(c *call, not bool) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	yes, err := truth(c.arg(0), 0)
	return value.Bool(yes != not), err
}

func typeOf(c *call) (any, error) {
	switch symbolOf(c.arg(0)) {
	case 's':
		return value.String("string"), nil
	case 'n':
		return value.String("number"), nil
	case 'b':
		return value.String("boolean"), nil
	case 'l':
		return value.String("null"), nil
	case 'a':
		return value.String("array"), nil
	case 'o':
		return value.String("object"), nil
	case 'f':
		return value.String("function"), nil
	}
	return nil, nil
}

func raise(c *call) (any, error) {
	message, ok := c.textArg(0)
	if !ok || message == "" {
		message = "$error() function evaluated"
	}
	return nil, spoken("D3137", message)
}

func assert(c *call) (any, error) {
	if c.arg(0) == value.Bool(true) {
		return nil, nil
	}
	message, ok := c.textArg(1)
	if !ok || message == "" {
		message = "$assert() statement failed"
	}
	return nil, spoken("D3141", message)
}

// spoken is an error whose message is the expression's own.
func spoken(code, message string) error {
	e := fail(code)
	e.Message = message
	return e
}

// evalFunction is $eval. Step Functions does not have it.
var evalFunction = &function{name: "eval", sig: mustSignature("<sx?:x>"), arity: 2, native: func(c *call) (any, error) {
	text, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	x, err := c.run.options.compile(text)
	if err != nil {
		return nil, fail("D3120").value(value.String(errorCode(err)))
	}
	in := c.input
	if given := c.arg(1); given != nil {
		in = given
		if w, ok := viewOf(given); ok {
			if _, sequence := isSequence(given); !sequence {
				in = &list{items: []any{viewValue(w)}, sequence: true, wrapper: true}
			}
		}
	}
	v, err := c.run.eval(x.root, in, c.frame)
	if err != nil {
		return nil, fail("D3121").value(value.String(errorCode(err)))
	}
	return v, nil
}}

func errorCode(err error) string {
	var e *Error
	if errors.As(finish(err), &e) {
		return e.Message
	}
	return err.Error()
}
