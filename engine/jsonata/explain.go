package jsonata

import (
	"errors"

	"asldb/engine/value"
)

// Trace is one sub-expression of an evaluation: its place and its result.
type Trace struct {
	// Start and End are where it is written, in bytes of the expression's text.
	Start, End int
	// Text is the sub-expression as it is written.
	Text string
	// Value is the result of its first evaluation, nil when that was nothing or no JSON value. For a step of a path it is
	// the result of the path up to this step, the predicates of the step included.
	Value value.Value
	// Function says that the first evaluation gave a function.
	Function bool
	// Cut reports that the value was too large to be recorded.
	Cut bool
	// Err is the error that the first evaluation ended with.
	Err error
	// Count is how often it was evaluated.
	Count int
	// Index and Item say which evaluation the record is about where that is not the first one: the one that failed, the
	// items before it counted from 0, and the item that it was evaluated for. Item is nil elsewhere.
	Index int
	Item  value.Value
	// Children are the sub-expressions evaluated for it, in the order of their first evaluation.
	Children []*Trace

	node *node
	open int // evaluations under way

	items  int    // of a step of a path: how many items it was evaluated for
	single bool   // of a step of a path: there is only one item
	item   any    // that it is being evaluated for
	first  *Trace // of a repeated evaluation: the record of the first; see [tracer.leaveAgain]
	budget int    // of a repeated evaluation: how many records were left before it

	decided map[*node]*Decision // of the whole evaluation; see [Trace.Conditionals]
}

// Nothing reports whether the first evaluation gave nothing, without an error.
func (t *Trace) Nothing() bool { return t.Value == nil && t.Err == nil && !t.Function && !t.Cut }

// Bounds of a trace.
const (
	// MaxTraces is the greatest number of sub-expressions that a trace holds.
	MaxTraces  = 5000
	traceCells = 2_000_000
	// againCells bounds a value of a repeated evaluation, which is most often dropped.
	againCells = 1000
	// itemCells bounds the item that an evaluation failed for.
	itemCells = 10_000
)

// tracer builds the tree while the evaluation runs.
type tracer struct {
	text  string
	stack []*Trace // the evaluations under way; nil for one that is not recorded
	left  int
	cells int
	again int // repeated evaluations under way
	// argument is the argument of the function being called, nil where none is.
	argument any
	decided  map[*node]*Decision
}

// EvalTrace is [Expression.Eval] with the evaluation's trace. The trace is complete up to the error when there
// is one.
func (x *Expression) EvalTrace(input value.Value, bindings func(name string) value.Value, env Env) (value.Value, *Trace, error) {
	r := x.newRun(input, bindings, env)
	top := &Trace{}
	r.trace = &tracer{text: x.text, stack: []*Trace{top}, left: MaxTraces, cells: traceCells}
	v, err := r.evaluate(x.root, input)
	if env.Steps != nil {
		*env.Steps = r.maxSteps - r.steps
	}
	if err != nil {
		v, err = nil, finish(r.profile.worded(err))
	}
	if len(top.Children) == 0 {
		return v, &Trace{Start: x.root.start, End: x.root.end, Text: x.text, Err: err}, err
	}
	top.Children[0].finish()
	top.Children[0].decided = r.trace.decided
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
	r.trace.enter(n, in)
	v, err := r.evalNode(n, in, f)
	r.trace.leave(v, err)
	return v, err
}

// enter begins the evaluation of n on the context in.
func (t *tracer) enter(n *node, in any) {
	item := in
	if t.argument != nil {
		item, t.argument = t.argument, nil
	}
	parent := t.stack[len(t.stack)-1]
	switch {
	case parent == nil:
		t.stack = append(t.stack, nil)
		return
	case parent.node == n || parent.node.only() == n: // a step of a path, for one of the items
		if parent.items++; parent.items > 1 {
			t.enterAgain(parent, n, parent.items-1, item)
			return
		}
		parent.item = item
		parent.open++
		t.stack = append(t.stack, parent)
		return
	}
	if child := parent.child(n); child != nil {
		child.Count++
		if child.open == 0 {
			t.enterAgain(child, n, child.Count-1, item)
			return
		}
		child.open++
		t.stack = append(t.stack, child)
		return
	}
	t.stack = append(t.stack, t.record(parent, n))
}

// enterStep begins a step of a path over a number of items.
func (t *tracer) enterStep(n *node, items int) {
	parent := t.stack[len(t.stack)-1]
	if parent == nil {
		t.stack = append(t.stack, nil)
		return
	}
	record := parent.child(n)
	if parent.node == n || parent.node.only() == n {
		record = parent
	}
	if record == nil {
		record = t.record(parent, n)
	} else {
		record.open++
	}
	if record != nil {
		record.items, record.single = 0, items == 1
	}
	t.stack = append(t.stack, record)
}

// enterAgain begins an evaluation that is not the first one. It is recorded apart, because it is not known yet whether it
// is the one that fails.
func (t *tracer) enterAgain(first *Trace, n *node, index int, item any) {
	t.again++
	t.stack = append(t.stack, &Trace{node: n, open: 1, first: first, Index: index, item: item, budget: t.left})
}

// leaveAgain ends an evaluation that is not the first one. A failed one replaces the first; of any other
// only the number of evaluations is recorded, and the parts that were not evaluated before.
func (t *tracer) leaveAgain(record *Trace, err error) {
	t.again--
	first := record.first
	if err == nil {
		t.left = record.budget
		t.merge(first, record)
		return
	}
	first.Children, first.Err, first.Index = record.Children, err, record.Index
	first.Value, first.Function, first.Cut = nil, false, false
	first.Item = itemOf(record.item)
}

// itemOf is an item for people; null replaces one that is nothing, or too large.
func itemOf(v any) value.Value {
	x := exporter{left: itemCells, lenient: true}
	if item, err := x.export(v, 0); err == nil && item != nil {
		return item
	}
	return value.Null{}
}

func (t *tracer) merge(first, again *Trace) {
	for _, child := range again.Children {
		if known := first.child(child.node); known != nil {
			known.Count += child.Count
			t.merge(known, child)
			continue
		}
		if t.left--; t.left >= 0 {
			first.Children = append(first.Children, child)
		}
	}
}

// child returns the record of n, or nil.
func (t *Trace) child(n *node) *Trace {
	for _, child := range t.Children {
		if child.node == n {
			return child
		}
	}
	return nil
}

// record returns a new record for n, nil when none is recorded.
func (t *tracer) record(parent *Trace, n *node) *Trace {
	switch n.kind {
	case thunkNode, stringNode, numberNode, valueNode: // a literal is its own explanation
		return nil
	default:
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
	if record.first != nil {
		t.leaveAgain(record, err)
		return
	}
	if err != nil && record.items == 1 && !record.single && record.Item == nil && record.open > 1 {
		record.Index, record.Item = 0, itemOf(record.item) // the first of several items
	}
	if record.open--; record.open > 0 || record.Count > 1 {
		return
	}
	if _, ok := v.(*function); ok && record.node.kind == variableNode { // the name of a function suffices
		parent := t.stack[last-1]
		if n := len(parent.Children); n > 0 && parent.Children[n-1] == record {
			parent.Children = parent.Children[:n-1]
			return
		}
	}
	t.keep(record, v, err)
}

// leaveStep ends a step of a path: its value is the path's so far.
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
	x := exporter{left: t.cells, lenient: true, instead: value.String("")}
	if t.again > 0 {
		x.left = min(x.left, againCells)
	}
	left := x.left
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
	if t.again == 0 {
		t.cells -= left - max(x.left, 0)
	}
	record.Value = out
}
