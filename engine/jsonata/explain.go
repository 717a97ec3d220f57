package jsonata

import (
	"errors"

	"asldb.dev/asldb/engine/value"
)

// Trace is one sub-expression of an evaluation: where it stands and what came of it.
type Trace struct {
	// Start and End are where it is written, in bytes of the expression's text.
	Start, End int
	// Text is the sub-expression as it is written.
	Text string
	// Value is what its first evaluation gave, nil when that was nothing or no JSON value. For a step of a path it is
	// what the path gave up to this step, the predicates of the step included.
	Value value.Value
	// Function says that the first evaluation gave a function.
	Function bool
	// Cut says that the value was too large to be kept.
	Cut bool
	// Err is the error that the first evaluation ended with.
	Err error
	// Count is how often it was evaluated.
	Count int
	// Children are the sub-expressions evaluated for it, in the order of their first evaluation.
	Children []*Trace

	node *node
	open int // evaluations under way
}

// Nothing reports whether the first evaluation gave nothing, without an error.
func (t *Trace) Nothing() bool { return t.Value == nil && t.Err == nil && !t.Function && !t.Cut }

// Bounds of a trace.
const (
	// MaxTraces is the greatest number of sub-expressions that a trace holds.
	MaxTraces  = 5000
	traceCells = 2_000_000
)

// tracer builds the tree while the evaluation runs.
type tracer struct {
	text  string
	stack []*Trace // the evaluations under way; nil for one that is not recorded
	left  int
	cells int
}

// EvalTrace is [Expression.Eval] with the evaluation's trace. The trace is complete up to the error when there
// is one.
func (x *Expression) EvalTrace(input value.Value, bindings func(name string) value.Value, env Env) (value.Value, *Trace, error) {
	r := x.newRun(input, bindings, env)
	top := &Trace{}
	r.trace = &tracer{text: x.text, stack: []*Trace{top}, left: MaxTraces, cells: traceCells}
	v, err := r.evaluate(x.root, input)
	if err != nil {
		v, err = nil, finish(err)
	}
	if len(top.Children) == 0 {
		return v, &Trace{Start: x.root.start, End: x.root.end, Text: x.text, Err: err}, err
	}
	top.Children[0].finish()
	return v, top.Children[0], err
}

// finish writes the messages of errors.
func (t *Trace) finish() {
	if t.Err != nil {
		t.Err = finish(t.Err)
	}
	for _, child := range t.Children {
		child.finish()
	}
}

// traced evaluates n and records it.
func (r *run) traced(n *node, in any, f *frame) (any, error) {
	r.trace.enter(n)
	v, err := r.evalNode(n, in, f)
	r.trace.leave(v, err)
	r.depth--
	return v, err
}

// enter begins the evaluation of n.
func (t *tracer) enter(n *node) {
	t.stack = append(t.stack, t.open(n))
}

// open returns the record for n, nil when none is kept.
func (t *tracer) open(n *node) *Trace {
	parent := t.stack[len(t.stack)-1]
	if parent == nil {
		return nil
	}
	if parent.node == n || parent.node.only() == n { // a step of a path and the expression that it is
		parent.open++
		return parent
	}
	for _, child := range parent.Children {
		if child.node == n {
			child.Count++
			child.open++
			return child
		}
	}
	switch n.kind {
	case thunkNode, stringNode, numberNode, valueNode: // a literal says what it is
		return nil
	}
	if t.left--; t.left < 0 {
		return nil
	}
	end := min(n.end, len(t.text))
	start := min(n.start, end)
	child := &Trace{Start: start, End: end, Text: t.text[start:end], Count: 1, node: n, open: 1}
	parent.Children = append(parent.Children, child)
	return child
}

// only is the step of a path that has just one, nil for all other nodes.
func (n *node) only() *node {
	if n == nil || n.kind != pathNode || len(n.list) != 1 {
		return nil
	}
	return n.list[0]
}

// leave ends an evaluation.
func (t *tracer) leave(v any, err error) {
	last := len(t.stack) - 1
	record := t.stack[last]
	t.stack = t.stack[:last]
	if record == nil {
		return
	}
	if record.open--; record.open > 0 || record.Count > 1 {
		return
	}
	if _, ok := v.(*function); ok && record.node.kind == variableNode { // the name of a function says what it is
		parent := t.stack[last-1]
		if n := len(parent.Children); n > 0 && parent.Children[n-1] == record {
			parent.Children = parent.Children[:n-1]
			return
		}
	}
	t.keep(record, v, err)
}

// leaveStep ends a step of a path: its value is that of the path so far.
func (t *tracer) leaveStep(step *node, s *pathStream, err error) {
	v := s.result
	if s.isTuples && s.tuples != nil {
		stream := &list{sequence: true}
		for _, item := range s.tuples.items {
			tuple := item.(*tuple)
			item = tuple.item
			if step.focus != "" { // the step's own result is in its variable
				item, _ = (&frame{vars: tuple.vars}).lookup(step.focus)
			}
			stream.push(item)
		}
		v = stream
	}
	if l, ok := v.(*list); ok && l.sequence {
		v = settle(&list{items: l.items, lo: l.lo, span: l.span, sequence: true}, false)
	}
	t.leave(v, err)
}

// keep stores the outcome of a first evaluation.
func (t *tracer) keep(record *Trace, v any, err error) {
	if err != nil {
		record.Err = err
		return
	}
	x := exporter{left: t.cells, lenient: true}
	switch v.(type) {
	case *function:
		record.Function = true
		return
	case *thunk:
		return
	}
	out, err := x.export(v, 0)
	if err != nil {
		var e *Error
		record.Cut = errors.As(err, &e)
		return
	}
	t.cells = max(x.left, 0)
	record.Value = out
}
