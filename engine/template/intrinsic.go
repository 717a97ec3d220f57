// Holds the intrinsic functions of the Amazon States Language: their grammar and
// the eighteen functions that the service has. The package does no I/O and draws random numbers only from
// the source that it is given, so that a run can be repeated.

package template

import (
	"fmt"
	"iter"
	"slices"

	"asldb/engine/path"
	"asldb/engine/value"
)

// Random gives the random bits of States.MathRandom without a seed and of States.UUID.
// The sources of math/rand/v2 implement it.
type Random interface{ Uint64() uint64 }

// SyntaxError says where a text stops being a call of an intrinsic function.
type SyntaxError struct {
	Text   string // the whole text
	Offset int    // in bytes, from 0
	Msg    string
	// Function is the name of a function that there is not, and Meant the function that it probably is, where that is the problem;
	// Certain: no other function is as near.
	Function, Meant string
	Certain         bool
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s (at character %d of %q)", e.Msg, characters(e.Text, e.Offset)+1, e.Text)
}

// Error says that a function could not do its work with the arguments it got.
type Error struct {
	Function string // "States.MathAdd"
	Msg      string
	// Service is the service's own sentence, as measured: "Invalid arguments in States.MathAdd".
	Service string
	// Advice is a clause on a change that mends it, or empty.
	Advice string
	// Text is the path of the argument that is a text with the number that the function takes, as written; or empty.
	Text string
}

// Error implements error.
func (e *Error) Error() string { return e.Function + ": " + e.Msg }

// Call is one call of an intrinsic function, ready to be evaluated. It never changes and may be used
// by several goroutines.
type Call struct {
	text      string
	function  *function
	arguments []argument
	fault     error // of the number of its arguments, or nil
	blanks    bool  // before the parenthesis
}

// String returns the call as it was written.
func (c *Call) String() string { return c.text }

// Function returns the name of the function that is called, "States.Format" for example.
func (c *Call) Function() string { return c.function.name }

// Paths iterates over the paths among the arguments of the call and of the calls in it, in the order of the text.
func (c *Call) Paths() iter.Seq[*path.Path] {
	return func(yield func(*path.Path) bool) { c.paths(yield) }
}

func (c *Call) paths(yield func(*path.Path) bool) bool {
	return !slices.ContainsFunc(c.arguments, func(a argument) bool {
		return a.path != nil && !yield(a.path) || a.call != nil && !a.call.paths(yield)
	})
}

// Liberties are forms of calls that Step Functions reads and the published text does not have.
type Liberties struct {
	Blanks   bool // between a name and its parenthesis
	Booleans bool // true or false as an argument
	Others   bool // an argument of States.JsonToString that is not a Path
}

// Liberties returns those that the call and the calls in it take.
func (c *Call) Liberties() (l Liberties) {
	l.Blanks = c.blanks
	l.Others = c.function.name == "States.JsonToString" && len(c.arguments) == 1 && c.arguments[0].path == nil
	for _, a := range c.arguments {
		_, boolean := a.literal.(value.Bool)
		l.Booleans = l.Booleans || boolean
		if a.call != nil {
			inner := a.call.Liberties()
			l = Liberties{l.Blanks || inner.Blanks, l.Booleans || inner.Booleans, l.Others || inner.Others}
		}
	}
	return l
}

// Fault returns why the call can never work, whatever the data are, or nil: the number of placeholders of a literal
// template, or the error of a call whose arguments are all literals. It is an *[Error].
func (c *Call) Fault() error {
	constant := c.function.name != "States.UUID" && c.function.name != "States.MathRandom"
	for _, a := range c.arguments {
		if a.call != nil {
			if err := a.call.Fault(); err != nil {
				return err
			}
		}
		constant = constant && a.literal != nil
	}
	if c.fault != nil {
		return c.fault
	}
	if !constant {
		return nil
	}
	_, err := c.Eval(&path.Roots{}, nil)
	return err
}

// miscounted returns the error of a call with a wrong number of arguments, or of values for its literal template. The service
// accepts such calls, and fails when it evaluates them.
func (c *Call) miscounted() error {
	a := arguments{call: c}
	if n := len(c.arguments); !c.function.takesAny && (n < c.function.least || n > c.function.most) {
		err := a.fail("the function takes %s, found %d", c.function.arity(), n)
		if c.function.name == "States.JsonToString" {
			err.Service += ": only a single argument is allowed."
		}
		return err
	}
	if c.function.name != "States.Format" || c.arguments[0].cut == nil {
		return nil
	}
	if err := a.template(c.arguments[0].cut); err != nil {
		return err
	}
	if places, given := len(c.arguments[0].cut.pieces)-1, len(c.arguments)-1; places != given {
		return a.fail("the template has %s ({}), and the call %d to put there", plural(places, "placeholder"), given)
	}
	return nil
}

// ReturnsString reports whether the function may give a string, so that the call can be in a Fail
// state's ErrorPath and CausePath. States.StringToJson is not among those that the language lists for them.
func (c *Call) ReturnsString() bool {
	switch c.function.name {
	case "States.Format", "States.JsonToString", "States.ArrayGetItem", "States.Base64Encode", "States.Base64Decode",
		"States.Hash", "States.UUID":
		return true
	}
	return false
}

// Eval computes the call. Paths in it read r; a definite one that finds nothing gives a *[path.MissError].
// Where the evaluation is interrupted the error is an [interrupt.Error]; every other one is an *[Error]. rnd may be nil where the
// call contains neither States.UUID nor States.MathRandom.
func (c *Call) Eval(r *path.Roots, rnd Random) (value.Value, error) {
	e := evaluation{roots: r, random: rnd}
	return e.call(c)
}

// Argument is one argument of a call: exactly one of its fields is set.
type Argument struct {
	Call    *Call
	Path    *path.Path
	Literal value.Value
}

// Arguments returns the arguments of the call.
func (c *Call) Arguments() []Argument {
	return value.Each(c.arguments, func(each argument) Argument {
		return Argument{Call: each.call, Path: each.path, Literal: each.literal}
	})
}

// evaluation is the state of one Eval through nested calls.
type evaluation struct {
	roots  *path.Roots
	random Random
}

func (e *evaluation) call(c *Call) (value.Value, error) {
	operands := &struct {
		arguments
		few [2]value.Value // most functions take no more
	}{}
	a := &operands.arguments
	if len(c.arguments) <= len(operands.few) {
		a.values = operands.few[:len(c.arguments)]
	} else {
		a.values = make([]value.Value, len(c.arguments))
	}
	for i := range c.arguments {
		v, err := e.argument(&c.arguments[i])
		if err != nil {
			return nil, err
		}
		a.values[i] = v
	}
	if err := e.roots.Poll.Step(1); err != nil {
		return nil, err
	}
	a.call, a.random, a.poll, a.scalars = c, e.random, e.roots.Poll, e.roots.ScalarsOnly
	if c.fault != nil {
		return nil, c.fault
	}
	return c.function.run(a)
}

func (e *evaluation) argument(a *argument) (value.Value, error) {
	switch {
	case a.call != nil:
		return e.call(a.call)
	case a.path != nil:
		return a.path.Get(e.roots)
	}
	return a.literal, nil
}
