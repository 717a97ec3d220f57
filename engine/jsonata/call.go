package jsonata

import "asldb/engine/value"

// function is a function as a value: one of the package's own, one from outside, a lambda or a partial
// application.
type function struct {
	name  string
	sig   *signature
	arity int

	native func(c *call) (any, error)

	lambda *node
	frame  *frame
	input  any

	base  *function // of a partial application
	bound []any     // its arguments; hole where one is missing

	matcher *regexValue
}

// noContext is the context of a call that an operator or a function makes: null, not nothing, so that a
// missing argument can't be taken from it.
var noContext any = value.Null{}

// hole marks an argument that a partial application leaves open.
type hole struct{}

// thunk is a call in tail position that is still to be made.
type thunk struct {
	node  *node
	frame *frame
	input any
}

// call is the call of a native function.
type call struct {
	run   *run
	args  []any
	given int // the arguments that the expression has; args has all that the signature wants
	input any
	frame *frame
}

// arg returns argument i, nothing when it is missing.
func (c *call) arg(i int) any {
	if i < len(c.args) {
		return c.args[i]
	}
	return nil
}

// params is the number of arguments that a function can take.
func (fn *function) params() int {
	switch {
	case fn.lambda != nil:
		return len(fn.lambda.list)
	case fn.base != nil:
		open := 0
		for _, v := range fn.bound {
			if _, ok := v.(hole); ok {
				open++
			}
		}
		return open
	}
	return fn.arity
}

// call evaluates a call. With chained, first is its first argument.
func (r *run) call(n *node, in any, f *frame, chained bool, first any) (any, error) {
	proc, err := r.eval(n.left, in, f)
	if err != nil {
		return nil, err
	}
	name := n.procedureName()
	if proc == nil && n.left.kind == pathNode && r.find(name, f) != nil {
		return nil, fail("T1005").at(n.pos).token(name)
	}
	args, err := r.arguments(n, in, f, chained, first)
	if err != nil {
		return nil, err
	}
	v, err := r.invoke(proc, args, in, f)
	if err != nil {
		return nil, blame(err, n.pos, name)
	}
	return v, nil
}

func (r *run) arguments(n *node, in any, f *frame, chained bool, first any) ([]any, error) {
	args := make([]any, 0, len(n.list)+1)
	if chained {
		args = append(args, first)
	}
	for _, argument := range n.list {
		v, err := r.eval(argument, in, f)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return args, nil
}

// procedureName is how errors call the function.
func (n *node) procedureName() string {
	switch n.left.kind {
	case pathNode:
		return n.left.list[0].text
	case blockNode, lambdaNode, conditionNode, transformNode, parentNode: // these have no token
		return ""
	default:
		return n.left.tokenText()
	}
}

// invoke calls proc, and then the calls in tail position one after the other.
func (r *run) invoke(proc any, args []any, in any, f *frame) (any, error) {
	r.calls++
	defer func() { r.calls-- }()
	if r.calls > r.maxDepth {
		return nil, tooDeep()
	}
	v, err := r.invokeOnce(proc, args, in, f)
	for err == nil {
		t, ok := v.(*thunk)
		if !ok {
			return v, nil
		}
		var next any
		if next, err = r.eval(t.node.left, t.input, t.frame); err != nil {
			return nil, err
		}
		name := t.node.procedureName()
		if next == nil && t.node.left.kind == pathNode && r.find(name, t.frame) != nil {
			return nil, fail("T1005").at(t.node.pos).token(name)
		}
		if args, err = r.arguments(t.node, t.input, t.frame, false, nil); err != nil {
			return nil, err
		}
		if v, err = r.invokeOnce(next, args, in, f); err != nil {
			err = blame(err, t.node.pos, name)
		}
	}
	return nil, err
}

func (r *run) invokeOnce(proc any, args []any, in any, f *frame) (any, error) {
	fn, ok := proc.(*function)
	if !ok {
		return nil, fail("T1006")
	}
	given := len(args)
	if fn.sig != nil {
		valid, err := fn.sig.validate(args, in, r.options.Extended)
		if err != nil {
			return nil, err
		}
		args = valid
	}
	switch {
	case fn.lambda != nil:
		return r.applyLambda(fn, args)
	case fn.base != nil:
		return r.applyPartial(fn, args, f)
	}
	if err := r.step(1); err != nil {
		return nil, err
	}
	return fn.native(&call{run: r, args: args, given: given, input: in, frame: f})
}

func (r *run) applyLambda(fn *function, args []any) (any, error) {
	scope := &frame{parent: fn.frame, vars: make([]variable, 0, len(fn.lambda.list))}
	for i, parameter := range fn.lambda.list {
		var v any
		if i < len(args) {
			v = args[i]
		}
		scope.bind(parameter.text, v)
	}
	if r.trace != nil && len(args) > 0 && len(fn.lambda.list) > 0 {
		r.trace.argument = args[0]
	}
	return r.eval(fn.lambda.left, fn.input, scope)
}

func (r *run) applyPartial(fn *function, args []any, f *frame) (any, error) {
	full := make([]any, len(fn.bound))
	for i, v := range fn.bound {
		if _, open := v.(hole); !open {
			full[i] = v
			continue
		}
		if len(args) > 0 {
			full[i], args = args[0], args[1:]
		}
	}
	base := *fn.base
	base.sig = nil
	return r.invoke(&base, full, nil, f)
}

// partial evaluates a partial application.
func (r *run) partial(n *node, in any, f *frame) (any, error) {
	bound := make([]any, len(n.list))
	for i, argument := range n.list {
		if argument.kind == placeholderNode {
			bound[i] = hole{}
			continue
		}
		v, err := r.eval(argument, in, f)
		if err != nil {
			return nil, err
		}
		bound[i] = v
	}
	proc, err := r.eval(n.left, in, f)
	if err != nil {
		return nil, err
	}
	name := n.procedureName()
	if proc == nil && n.left.kind == pathNode && r.find(name, f) != nil {
		return nil, fail("T1007").at(n.pos).token(name)
	}
	fn, ok := proc.(*function)
	if !ok {
		return nil, fail("T1008").at(n.pos).token(name)
	}
	if size := fn.params(); len(bound) > size {
		bound = bound[:size]
	}
	return &function{name: fn.name, base: fn, bound: bound}, nil
}

// apply evaluates a ~> b: the call of b with a as its first argument, or the composition of two functions.
func (r *run) apply(n *node, in any, f *frame) (any, error) {
	left, err := r.eval(n.left, in, f)
	if err != nil {
		return nil, err
	}
	if n.right.kind == callNode && len(n.right.filters) == 0 && n.right.group == nil {
		v, err := r.call(n.right, in, f, true, left)
		return settle(v, n.right.keepArray), err
	}
	right, err := r.eval(n.right, in, f)
	if err != nil {
		return nil, err
	}
	second, ok := right.(*function)
	if !ok {
		return nil, fail("T2006").at(n.pos).value(right)
	}
	if first, ok := left.(*function); ok {
		return compose(first, second, n.pos), nil
	}
	v, err := r.invoke(second, []any{left}, noContext, f)
	if err != nil {
		return nil, blame(err, n.pos, second.name)
	}
	return v, nil
}

// compose returns the function that applies first and then second. It is function($x){ $g($f($x)) }, so
// that the result of the first is fixed before the second gets it. Errors call the two f and g, as the
// reference implementation does.
func compose(first, second *function, pos int) *function {
	return &function{arity: 1, native: func(c *call) (any, error) {
		v, err := c.run.invoke(first, []any{c.arg(0)}, noContext, c.frame)
		if err != nil {
			return nil, blame(err, pos, "f")
		}
		if v, err = c.run.invoke(second, []any{settle(v, false)}, noContext, c.frame); err != nil {
			return nil, blame(err, pos, "g")
		}
		return v, nil
	}}
}

// callback calls a function that a function was given, with as many of the arguments as it takes.
func (c *call) callback(fn any, args ...any) (any, error) {
	f, ok := fn.(*function)
	if !ok {
		return nil, fail("T1006")
	}
	return c.callWith(f, args[:min(len(args), max(1, f.params()))])
}

// callWith calls a function that a function was given, with all of the arguments.
func (c *call) callWith(fn any, args []any) (any, error) {
	f, ok := fn.(*function)
	if !ok {
		return nil, fail("T1006")
	}
	v, err := c.run.invoke(f, args, noContext, c.frame)
	if err != nil {
		return nil, blame(err, -1, f.name)
	}
	return v, nil
}

// textArg returns argument i as a text; false when it is nothing.
func (c *call) textArg(i int) (string, bool) {
	s, ok := c.arg(i).(value.String)
	return string(s), ok
}

// frame holds the variables of one scope.
type frame struct {
	parent *frame
	vars   []variable
	shared bool // vars belong to a tuple: they are copied before they change
}

// lookup returns the value that name is bound to; false when no frame binds it.
func (f *frame) lookup(name string) (any, bool) {
	for ; f != nil; f = f.parent {
		for i := range f.vars {
			if f.vars[i].name == name {
				return f.vars[i].value, true
			}
		}
	}
	return nil, false
}

// bind sets name in this frame.
func (f *frame) bind(name string, v any) {
	if f.shared {
		f.vars, f.shared = append([]variable(nil), f.vars...), false
	}
	f.vars = withVariable(f.vars, name, v)
}

// within returns the context of an item, and the frame with the variables of its tuple, where it is in one.
func (f *frame) within(item any) (context any, scope *frame) {
	if t, ok := item.(*tuple); ok {
		return t.item, f.ofTuple(t)
	}
	return item, f
}

// ofTuple returns a frame with the variables of t.
func (f *frame) ofTuple(t *tuple) *frame {
	if len(t.vars) == 0 {
		return &frame{parent: f}
	}
	return &frame{parent: f, vars: t.vars, shared: true}
}

// find returns the value of a variable: bound in the expression, given from outside, or a function.
func (r *run) find(name string, f *frame) any {
	if v, ok := f.lookup(name); ok {
		return v
	}
	if name == "$" {
		return r.root
	}
	if r.bindings != nil {
		if v := r.bindings(name); v != nil {
			return v
		}
	}
	if fn := r.options.functions[name]; fn != nil {
		if own := r.profile.functions[name]; own != nil {
			return own
		}
		return fn
	}
	return nil
}
