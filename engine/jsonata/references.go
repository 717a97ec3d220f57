package jsonata

// Reference is a use of a variable that the expression does not bind itself.
type Reference struct {
	// Name is the variable's name without the $. The context, $, is "", the root, $$, is "$".
	Name string
	// Fields are the names that follow directly: $states.input.a gives input and a.
	Fields []string
	// Start and End are where the variable is written, in bytes.
	Start, End int
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
	w.operands(n, s, top)
	w.around(n, s)
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

// around visits the parts attached to n: predicates, groupings and sort terms have a context of their own.
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
	w.found = append(w.found, Reference{Name: n.text, Fields: fields, Start: n.start, End: n.start + 1 + len(n.text)})
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
		w.found = append(w.found, Reference{Fields: append([]string{first.text}, fields...), Start: first.start, End: first.end})
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
		if step.kind != variableNode {
			w.operands(step, s, top && i == 0)
		}
		if step.kind == lambdaNode || step.kind == bindNode {
			continue
		}
		w.around(step, s)
	}
	w.around(n, s)
}
