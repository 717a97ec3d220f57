package jsonata

import "slices"

// Reference is a use of a variable that the expression does not bind itself.
type Reference struct {
	// Name is the variable's name without the $. The context, $, is "", the root, $$, is "$".
	Name string
	// Fields are the names that follow directly: $states.input.a gives input and a.
	Fields []string
	// Start and End are where the variable is written, in bytes.
	Start, End int
	// Field marks a field that is named without a variable before it, and that isn't a wildcard.
	Field bool
	// Called marks a variable that is called, or applied with ~>, as a function.
	Called bool
}

// References lists the variables that the expression takes from outside, functions of the language excepted, and
// the fields that it names where the context is still the one that it was given, with the Name "" and Start and
// End of the first field.
func (x *Expression) References() []Reference {
	s := &scope{}
	w := walker{functions: x.options.functions}
	w.visit(x.root, s, true)
	return w.found
}

// scope holds the names bound so far.
type scope struct {
	parent *scope
	names  map[string]bool
}

func (s *scope) bound(name string) bool {
	for ; s != nil; s = s.parent {
		if s.names[name] {
			return true
		}
	}
	return false
}

func (s *scope) bind(name string) {
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[name] = true
}

type walker struct {
	functions map[string]*function
	found     []Reference
	callees   map[*node]bool // the functions of calls
}

// visit collects the references in n. top says that the context is still the one that the expression was given.
func (w *walker) visit(n *node, s *scope, top bool) {
	if n == nil {
		return
	}
	switch n.kind {
	case variableNode:
		w.variable(n, nil, s, top)
	case pathNode:
		w.path(n, s, top)
		return
	case lambdaNode:
		inner := &scope{parent: s}
		for _, parameter := range n.list {
			inner.bind(parameter.text)
		}
		w.visit(n.left, inner, top)
		return
	case blockNode:
		s = &scope{parent: s}
	case bindNode:
		w.visit(n.right, s, top)
		s.bind(n.left.text)
		return
	case transformNode:
		top = false
	default:
	}
	w.calls(n)
	w.operands(n, s, top)
	w.around(n, s)
}

// calls notes the function that n calls or applies.
func (w *walker) calls(n *node) {
	switch n.kind {
	case callNode, partialNode:
		w.calling(n.left)
	case applyNode:
		w.calling(n.right)
	default:
	}
}

func (w *walker) calling(function *node) {
	if w.callees == nil {
		w.callees = map[*node]bool{}
	}
	w.callees[function] = true
}

func (w *walker) operands(n *node, s *scope, top bool) {
	for _, part := range []*node{n.left, n.right, n.third} {
		w.visit(part, s, top)
	}
	for _, part := range n.list {
		w.visit(part, s, top)
	}
	for _, pair := range n.pairs {
		w.visit(pair.key, s, top)
		w.visit(pair.value, s, top)
	}
}

// around visits the parts attached to n: predicates, groupings and sort terms have their own context.
func (w *walker) around(n *node, s *scope) {
	for _, list := range [][]stage{n.filters, n.stages} {
		for _, stage := range list {
			w.visit(stage.filter, s, false)
		}
	}
	if n.group != nil {
		for _, pair := range n.group.pairs {
			w.visit(pair.key, s, false)
			w.visit(pair.value, s, false)
		}
	}
	for _, term := range n.terms {
		w.visit(term.by, s, false)
	}
}

func (w *walker) variable(n *node, fields []string, s *scope, top bool) {
	if n.text == "" && !top || s.bound(n.text) || w.functions[n.text] != nil {
		return
	}
	w.found = append(w.found, Reference{Name: n.text, Fields: fields, Start: n.start, End: n.start + 1 + len(n.text), Called: w.callees[n]})
}

func (w *walker) path(n *node, s *scope, top bool) {
	first := n.list[0]
	var fields []string
	for _, step := range n.list[1:] {
		if step.kind != nameNode {
			break
		}
		fields = append(fields, step.text)
	}
	switch {
	case first.kind == variableNode:
		w.variable(first, fields, s, top)
	case top && (first.kind == nameNode || first.kind == wildcardNode || first.kind == descendantNode):
		w.found = append(w.found, Reference{Fields: append([]string{first.text}, fields...), Start: first.start, End: first.end, Field: first.kind == nameNode})
	}
	for i, step := range n.list {
		if step.focus != "" {
			s.bind(step.focus)
		}
		if step.index != "" {
			s.bind(step.index)
		}
		for _, stage := range step.stages {
			if stage.filter == nil {
				s.bind(stage.index)
			}
		}
		switch {
		case step.kind != variableNode:
			w.calls(step)
			w.operands(step, s, top && i == 0)
		case i > 0:
			w.variable(step, nil, s, false)
		}
		if step.kind == lambdaNode || step.kind == bindNode {
			continue
		}
		w.around(step, s)
	}
	w.around(n, s)
}

// Decision is a part of an expression that decides what is evaluated: the condition of a conditional (a ? b : c), or an
// operand of and and or.
type Decision struct {
	// Start and End are where it is written, in bytes of the expression's text.
	Start, End int
	// Text is the part as it is written.
	Text string
	// True and False are how often it was true and false in an evaluation.
	True, False int
}

// Conditionals lists the conditions of the expression's conditionals (a ? b : c), in the order of the text.
// Nothing was evaluated: True and False are 0.
func (x *Expression) Conditionals() []Decision {
	var found []Decision
	x.root.walk(func(n *node) {
		if n.kind == conditionNode {
			found = append(found, x.decision(n.left))
		}
	})
	return inOrder(found)
}

// Operands lists the parts of the expression that and and or combine, in the order of the text: the expression itself
// where neither is at its top. Nothing was evaluated: True and False are 0.
func (x *Expression) Operands() []Decision {
	var found []Decision
	var visit func(n *node)
	visit = func(n *node) {
		switch {
		case n.kind == binaryNode && (n.text == "and" || n.text == "or"):
			visit(n.left)
			visit(n.right)
		case n.kind == blockNode && len(n.list) == 1:
			visit(n.list[0])
		default:
			found = append(found, x.decision(n))
		}
	}
	visit(x.root)
	return inOrder(found)
}

func (x *Expression) decision(n *node) Decision {
	return Decision{Start: n.start, End: n.end, Text: x.text[n.start:n.end]}
}

// Conditionals lists the conditions that an evaluation came to, with how often each was true and false. Only the trace that
// [Expression.EvalTrace] returned has them, its children have not.
func (t *Trace) Conditionals() []Decision {
	var found []Decision
	for n, d := range t.decided {
		d.Start, d.End = n.start, n.end
		found = append(found, *d)
	}
	return inOrder(found)
}

// Find returns the record of the sub-expression that is written from start to before end, nil where it was not evaluated.
func (t *Trace) Find(start, end int) *Trace {
	if t.Start == start && t.End == end {
		return t
	}
	for _, child := range t.Children {
		if found := child.Find(start, end); found != nil {
			return found
		}
	}
	return nil
}

// True reports whether the result is true as and, or and a condition understand it ($boolean). It is false where the
// evaluation gave nothing, a function or an error.
func (t *Trace) True() bool {
	if t.Value == nil || t.Err != nil {
		return false
	}
	yes, err := truth(t.Value, 0)
	return yes && err == nil
}

// decide records the result of the condition n of a conditional.
func (t *tracer) decide(n *node, yes bool) {
	d := t.decided[n]
	if d == nil {
		if t.decided == nil {
			t.decided = map[*node]*Decision{}
		}
		d = &Decision{Text: t.text[n.start:n.end]}
		t.decided[n] = d
	}
	if yes {
		d.True++
	} else {
		d.False++
	}
}

func inOrder(found []Decision) []Decision {
	slices.SortFunc(found, func(a, b Decision) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	return found
}

// walk calls visit with n and every node below it.
func (n *node) walk(visit func(*node)) {
	if n == nil {
		return
	}
	visit(n)
	n.left.walk(visit)
	if n.right != n.left { // a ?: b has its condition for a result
		n.right.walk(visit)
	}
	n.third.walk(visit)
	for _, part := range n.list {
		part.walk(visit)
	}
	for _, pair := range n.pairs {
		pair.key.walk(visit)
		pair.value.walk(visit)
	}
	for _, list := range [][]stage{n.filters, n.stages} {
		for _, stage := range list {
			stage.filter.walk(visit)
		}
	}
	if n.group != nil {
		for _, pair := range n.group.pairs {
			pair.key.walk(visit)
			pair.value.walk(visit)
		}
	}
	for _, term := range n.terms {
		term.by.walk(visit)
	}
}

// Operator is an operator between two operands, or a call of $not, with its place.
type Operator struct {
	// Start and End are where the operator, or the name $not, is written, in bytes of the expression's text.
	Start, End int
	// Text is the operator as it is written: "<=", "and", "$not".
	Text string
}

// Operators lists the operators of the expression that compute, and its calls of $not, in the order of the text.
func (x *Expression) Operators() []Operator {
	var found []Operator
	add := func(text string, end int) {
		if start := end - len(text); start >= 0 && end <= len(x.text) && x.text[start:end] == text {
			found = append(found, Operator{Start: start, End: end, Text: text})
		}
	}
	x.root.walk(func(n *node) {
		switch {
		case n.kind == binaryNode:
			add(n.text, n.pos)
		case n.kind == callNode && n.left != nil && n.left.kind == variableNode && n.left.text == "not":
			add("$not", n.left.end)
		}
	})
	slices.SortFunc(found, func(a, b Operator) int { return a.Start - b.Start })
	return slices.Compact(found)
}
