// Package jsonata evaluates JSONata expressions over the values of engine/value.
//
// The language is JSONata 2.0.6, which Step Functions documents; [Options.Extended] adds the functions of 2.1 and 2.2.
// [StepFunctions] returns the options that Step Functions has: its own functions, and no
// $eval. Errors carry the codes and the wording of the reference implementation.
//
// Every evaluation is bounded in steps, depth and memory (see [Limits]) and can be interrupted. The
// package reads no clock and draws random numbers only from its [Env], so that a run can be
// repeated.
//
// Numbers that an expression computes are doubles. A number that is only passed on keeps the text it was
// written with. Regular expressions are JavaScript's. RE2 does most of them; a search by one that it can't do
// (look-around, back references, groups in some repetitions) has a bound of this program's own.
package jsonata

import (
	"cmp"
	"errors"
	"maps"
	"time"

	"asldb/engine/value"
)

// Options say which language an expression is written in and how far an evaluation may go.
type Options struct {
	// Extended adds the features of JSONata 2.1 and 2.2: the operators ?: and ??, and some corrections.
	Extended bool
	// Eval gives expressions the function $eval.
	Eval bool
	// Functions are further functions. One with the name of a built-in function replaces it.
	Functions []HostFunction
	// Limits bound each evaluation.
	Limits Limits
}

// HostFunction is a function from outside.
type HostFunction struct {
	// Name is the function's name without the $.
	Name string
	// Signature says which arguments it takes, in JSONata's notation: "<n-n?:n>". Empty: any.
	Signature string
	// Arity is the number of arguments that it gets where it is passed to $map and the like.
	Arity int
	// Call computes the function. An argument that is nothing is nil; so is a result that is nothing.
	Call func(env Env, args []value.Value) (value.Value, error)
}

// Random gives the random bits of $random, $shuffle and $uuid. The sources of math/rand/v2 implement it.
type Random interface{ Uint64() uint64 }

// Env is the environment of an evaluation. The zero Env will do for expressions that ask neither for
// the time nor for random numbers.
type Env struct {
	// Now is the time of $now and $millis throughout the evaluation.
	Now time.Time
	// Random is where random numbers come from.
	Random Random
	// Interrupt is called now and then; its error ends the evaluation. It may be nil.
	Interrupt func() error
	// Limits bound this evaluation; a zero field leaves the bound of the expression's [Options].
	Limits Limits
	// Profile is the implementation whose behavior is wanted; nil means the reference implementation.
	Profile *Profile
	// Steps, where it is not nil, gets the number of steps that the evaluation took.
	Steps *int
}

// compiled is the state shared by all evaluations of an expression.
type compiled struct {
	Options
	functions map[string]*function
}

// Expression is a compiled expression. It never changes and may be used by several goroutines.
type Expression struct {
	text    string
	root    *node
	options *compiled
}

// Compile reads an expression. The error is an *[Error].
func Compile(text string, options Options) (*Expression, error) {
	c := &compiled{Options: options}
	c.Limits = c.Limits.withDefaults()
	functions, err := c.allFunctions()
	if err != nil {
		return nil, finish(err)
	}
	c.functions = functions
	return c.compile(text)
}

func (c *compiled) compile(text string) (*Expression, error) {
	if len(text) > MaxBytes {
		return nil, finish(stopped("the expression is longer than a million characters"))
	}
	p := parser{lexer: lexer{text: text, extended: c.Extended}, limit: maxParsing}
	n, err := p.parse()
	if err == nil {
		n, err = (&processor{limit: maxTree}).root(n)
	}
	if err != nil {
		return nil, finish(err)
	}
	return &Expression{text: text, root: n, options: c}, nil
}

// allFunctions returns the functions that the options give.
func (c *compiled) allFunctions() (map[string]*function, error) {
	if len(c.Functions) == 0 && !c.Eval {
		return builtins, nil
	}
	all := maps.Clone(builtins)
	if c.Eval {
		all["eval"] = evalFunction
	}
	for _, host := range c.Functions {
		fn := &function{name: host.Name, arity: host.Arity, native: host.native}
		if host.Signature != "" {
			sig, offset, err := parseSignature(host.Signature)
			if err != nil {
				return nil, err.at(offset)
			}
			sig.text = host.Signature
			fn.sig = sig
		}
		all[host.Name] = fn
	}
	return all, nil
}

// native calls the host function.
func (h HostFunction) native(c *call) (any, error) {
	args := make([]value.Value, len(c.args))
	for i, arg := range c.args {
		x := exporter{left: c.run.cells, interrupt: c.run.env.Interrupt}
		v, err := x.export(arg, 0)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	v, err := h.Call(c.run.env, args)
	if err != nil || v == nil {
		return nil, err
	}
	return v, c.run.take(value.Size(v) / bytesInCell)
}

// String returns the expression as it was written.
func (x *Expression) String() string { return x.text }

// Eval evaluates the expression. input is the context and the root, nil for none; bindings gives the values of
// variables, by name without the $, nil for one that is not bound, and may be nil itself.
//
// A nil result is nothing ("undefined"). Errors are *[Error], *[FunctionError] when the result is or holds a
// function, and the error that the interrupt returned.
func (x *Expression) Eval(input value.Value, bindings func(name string) value.Value, env Env) (value.Value, error) {
	r := x.newRun(input, bindings, env)
	v, err := r.evaluate(x.root, input)
	if env.Steps != nil {
		*env.Steps = r.maxSteps - r.steps
	}
	if err != nil {
		return nil, finish(r.profile.worded(err))
	}
	return v, nil
}

func (x *Expression) newRun(input value.Value, bindings func(name string) value.Value, env Env) *run {
	limits := env.Limits.over(x.options.Limits)
	profile := cmp.Or(env.Profile, reference)
	if profile.depth > 0 {
		limits.Depth = min(limits.Depth, profile.depth)
	}
	r := &run{
		options: x.options, profile: profile, env: env, bindings: bindings,
		budget: budget{
			interrupt: env.Interrupt, maxDepth: limits.Depth, maxSteps: limits.Steps, steps: limits.Steps,
			maxCells: limits.Cells, cells: limits.Cells, memory: profile.memory,
		},
	}
	if input != nil {
		r.root = input
	}
	return r
}

// evaluate evaluates the whole tree and turns the result into a JSON value.
func (r *run) evaluate(root *node, input value.Value) (value.Value, error) {
	var in any
	if input != nil {
		in = input
	}
	if _, ok := in.(*value.Array); ok {
		in = &list{items: []any{in}, sequence: true, wrapper: true}
	}
	v, err := r.eval(root, in, &frame{})
	if err != nil {
		return nil, err
	}
	x := exporter{left: max(r.cells, 1_000_000), interrupt: r.env.Interrupt, nonFinite: r.profile.nonFinite}
	out, err := x.export(v, 0)
	if err == nil && out != nil && r.profile.number != nil {
		out, err = r.normalized(out, r.profile.number, 0)
	}
	var e *Error
	if errors.As(err, &e) && e.Position < 0 {
		e.Position = root.pos
	}
	return out, err
}
