package jsonata

import "asldb/engine/value"

// run is one evaluation.
type run struct {
	options  *compiled
	profile  *Profile
	env      Env
	root     any
	bindings func(name string) value.Value
	trace    *tracer

	budget
	calls int
}

// eval evaluates n on the context in. A nil result is nothing.
func (r *run) eval(n *node, in any, f *frame) (any, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	evaluate := r.evalNode
	if r.trace != nil {
		evaluate = r.traced
	}
	v, err := evaluate(n, in, f)
	r.depth--
	if l, ok := isSequence(v); ok && err == nil && r.memory > 0 {
		err = r.grow(float64(len(l.items)))
	}
	return v, err
}

// evalNode evaluates n with its predicates and its grouping.
func (r *run) evalNode(n *node, in any, f *frame) (v any, err error) {
	switch n.kind {
	case variableNode:
		v = r.variable(n, in, f)
	case stringNode, numberNode, valueNode:
		v = n.literal
	case nameNode:
		v, err = r.name(n, in)
	case pathNode:
		v, err = r.path(n, in, f)
		return settle(v, n.keepArray), err
	default:
		v, err = r.compound(n, in, f)
	}
	for i := 0; err == nil && i < len(n.filters); i++ {
		v, err = r.filter(n.filters[i].filter, v, f)
	}
	if err == nil && n.group != nil {
		v, err = r.group(n.group.pairs, n.group.pos, v, f)
	}
	if err != nil {
		return nil, err
	}
	return settle(v, n.keepArray), nil
}

func (r *run) compound(n *node, in any, f *frame) (any, error) {
	switch n.kind {
	case binaryNode:
		return r.binary(n, in, f)
	case callNode:
		return r.call(n, in, f, false, nil)
	case conditionNode:
		return r.condition(n, in, f)
	case blockNode:
		return r.block(n, in, f)
	case bindNode:
		v, err := r.eval(n.right, in, f)
		if err != nil {
			return nil, err
		}
		f.bind(n.left.text, v)
		return v, nil
	case arrayNode:
		return r.array(n, in, f)
	case objectNode:
		return r.group(n.pairs, n.pos, in, f)
	case negateNode:
		return r.negate(n, in, f)
	case lambdaNode:
		return &function{lambda: n, frame: f, input: in, sig: n.sig}, nil
	case thunkNode:
		return &thunk{node: n.left, frame: f, input: in}, nil
	case applyNode:
		return r.apply(n, in, f)
	case partialNode:
		return r.partial(n, in, f)
	case transformNode:
		return r.transform(n, f), nil
	case parentNode:
		v, _ := f.lookup(n.slot.label.name)
		return v, nil
	case wildcardNode:
		return r.wildcard(in)
	case descendantNode:
		return r.descendants(in)
	case regexNode:
		return n.literal.(*regexValue).function(), nil
	case sortNode:
		return r.sortStep(n, orSingle(in), tuplesOf(in), f)
	default:
		return nil, fail("S0206").at(n.pos).token(n.text)
	}
}

func (r *run) variable(n *node, in any, f *frame) any {
	if n.text != "" {
		return r.find(n.text, f)
	}
	if l, ok := in.(*list); ok && l.wrapper {
		return l.items[0]
	}
	return in
}

// name looks up a field.
func (r *run) name(n *node, in any) (any, error) {
	switch in := in.(type) {
	case *value.Object:
		if v := in.Get(n.text); v != nil {
			return v, nil
		}
		return nil, nil
	case *object:
		return in.get(n.text), nil
	}
	return r.lookup(in, n.text, 0)
}

// lookup returns the field called key of v, or of each item of v.
func (g *budget) lookup(v any, key string, depth int) (any, error) {
	if o, ok := fieldsOf(v); ok {
		return o.get(key), nil
	}
	items, ok := viewOf(v)
	if !ok {
		return nil, nil
	}
	if depth > maxNesting {
		return nil, tooDeep()
	}
	n := items.len()
	if err := g.step(n); err != nil {
		return nil, err
	}
	out := newSequence()
	for i := 0; i < n; i++ {
		found, err := g.lookup(items.at(i), key, depth+1)
		if err != nil {
			return nil, err
		}
		if found != nil {
			out.spread(found)
		}
	}
	return out, g.take(len(out.items))
}

func (r *run) condition(n *node, in any, f *frame) (any, error) {
	v, err := r.eval(n.left, in, f)
	if err != nil {
		return nil, err
	}
	yes, err := truth(v, 0)
	if r.trace != nil && err == nil {
		r.trace.decide(n.left, yes)
	}
	switch {
	case err != nil:
		return nil, blame(err, n.pos, "")
	case yes:
		return r.eval(n.right, in, f)
	case n.third != nil:
		return r.eval(n.third, in, f)
	}
	return nil, nil
}

func (r *run) block(n *node, in any, f *frame) (v any, err error) {
	scope := &frame{parent: f}
	for _, part := range n.list {
		if v, err = r.eval(part, in, scope); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// array evaluates an array constructor.
func (r *run) array(n *node, in any, f *frame) (any, error) {
	if len(n.list) == 1 && !n.consArray { // [1..n] needs no copy
		v, err := r.eval(n.list[0], in, f)
		if err != nil {
			return nil, err
		}
		if l, ok := v.(*list); ok && l.span > 0 {
			return &list{lo: l.lo, span: l.span}, nil
		}
		return r.collect(n, []any{v})
	}
	values := make([]any, len(n.list))
	for i, item := range n.list {
		v, err := r.eval(item, in, f)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return r.collect(n, values)
}

// collect joins the values of an array constructor's expressions: values other than array constructors'
// are flattened.
func (g *budget) collect(n *node, values []any) (any, error) {
	out := &list{cons: n.consArray, items: make([]any, 0, len(values))}
	for i, v := range values {
		if v == nil {
			continue
		}
		if n.list[i].kind == arrayNode {
			out.push(v)
			continue
		}
		if w, ok := viewOf(v); ok {
			if err := g.take(w.len()); err != nil {
				return nil, err
			}
		}
		out.spread(v)
	}
	return out, g.take(len(values) + 1)
}

func (r *run) negate(n *node, in any, f *frame) (any, error) {
	v, err := r.eval(n.left, in, f)
	if err != nil || v == nil {
		return nil, err
	}
	number, ok, err := numeric(v)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fail("D1002").at(n.pos).token("-").value(v)
	}
	return -number, nil
}

// wildcard gives the values of all members.
func (g *budget) wildcard(in any) (any, error) {
	if l, ok := in.(*list); ok && l.wrapper {
		in = l.items[0]
	}
	var out any = newSequence()
	add := func(v any) (err error) {
		if w, ok := viewOf(v); ok {
			flat := &list{}
			if err = g.flatten(flat, w, 0); err == nil {
				out, err = g.join(out, flat)
			}
			return err
		}
		out.(*list).push(v)
		return g.take(1)
	}
	if o, ok := fieldsOf(in); ok {
		for i, n := 0, o.len(); i < n; i++ {
			_, v := o.at(i)
			if err := add(v); err != nil {
				return nil, err
			}
		}
	} else if w, ok := viewOf(in); ok {
		for i, n := 0, w.len(); i < n; i++ {
			if err := add(w.at(i)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// flatten adds the items of w to out, and the items of arrays in it.
func (g *budget) flatten(out *list, w view, depth int) error {
	if depth > maxNesting {
		return tooDeep()
	}
	if err := g.take(w.len()); err != nil {
		return err
	}
	for i, n := 0, w.len(); i < n; i++ {
		item := w.at(i)
		if inner, ok := viewOf(item); ok {
			if err := g.flatten(out, inner, depth+1); err != nil {
				return err
			}
			continue
		}
		out.push(item)
	}
	return nil
}

// descendants gives the value and everything inside it, arrays excepted.
func (g *budget) descendants(in any) (any, error) {
	if in == nil {
		return nil, nil
	}
	out := newSequence()
	if err := g.descend(in, out, 0); err != nil {
		return nil, err
	}
	if len(out.items) == 1 {
		return out.items[0], nil
	}
	return out, nil
}

func (g *budget) descend(v any, out *list, depth int) error {
	if depth > maxNesting {
		return tooDeep()
	}
	if err := g.step(1); err != nil {
		return err
	}
	if w, ok := viewOf(v); ok {
		for i, n := 0, w.len(); i < n; i++ {
			if err := g.descend(w.at(i), out, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	out.push(v)
	if err := g.take(1); err != nil {
		return err
	}
	if o, ok := fieldsOf(v); ok {
		for i, n := 0, o.len(); i < n; i++ {
			_, inner := o.at(i)
			if err := g.descend(inner, out, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
