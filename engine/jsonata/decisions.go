package jsonata

import "slices"

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
// where neither stands at its top. Nothing was evaluated: True and False are 0.
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
