package jsonata

import "asldb/engine/value"

// sortStep sorts by the terms of an order-by. Each term is evaluated once for each item.
func (r *run) sortStep(n *node, input view, tuples bool, f *frame) (any, error) {
	count := input.len()
	if count <= 1 {
		return viewValue(input), nil
	}
	if err := r.take(count * (len(n.terms) + 1)); err != nil {
		return nil, err
	}
	keys := make([][]any, count)
	compute := func(i int) error {
		if keys[i] != nil {
			return nil
		}
		item := input.at(i)
		context, scope := f.within(item)
		keys[i] = make([]any, len(n.terms))
		for j := range n.terms {
			v, err := r.eval(n.terms[j].by, context, scope)
			if err != nil {
				return err
			}
			keys[i][j] = v
		}
		return nil
	}
	order := make([]int, count)
	for i := range order {
		order[i] = i
	}
	err := r.mergeSort(order, make([]int, count), func(a, b int) (bool, error) {
		if err := compute(a); err != nil {
			return false, err
		}
		if err := compute(b); err != nil {
			return false, err
		}
		return n.after(keys[a], keys[b])
	})
	if err != nil {
		return nil, err
	}
	out := &list{items: make([]any, count), tuples: tuples, sequence: tuples}
	for i, from := range order {
		out.items[i] = input.at(from)
	}
	return out, nil
}

// after reports whether an item with the keys a comes behind one with the keys b.
func (n *node) after(a, b []any) (bool, error) {
	for i, term := range n.terms {
		if a[i] == nil {
			if b[i] == nil {
				continue
			}
			return true, nil
		}
		if b[i] == nil {
			return false, nil
		}
		order, err := n.compareKeys(a[i], b[i])
		if err != nil {
			return false, err
		}
		if order == 0 {
			continue
		}
		return order > 0 != term.descending, nil
	}
	return false, nil
}

func (n *node) compareKeys(a, b any) (int, error) {
	x, xIsNumber := value.Double(a)
	y, yIsNumber := value.Double(b)
	s, xIsText := a.(value.String)
	t, yIsText := b.(value.String)
	switch {
	case !xIsNumber && !xIsText:
		return 0, fail("T2008").at(n.pos).value(a)
	case !yIsNumber && !yIsText:
		return 0, fail("T2008").at(n.pos).value(b)
	case xIsNumber != yIsNumber:
		return 0, fail("T2007").at(n.pos).values(a, b)
	case xIsText:
		return compareText(string(s), string(t)), nil
	case x < y:
		return -1, nil
	case x > y:
		return 1, nil
	}
	return 0, nil
}

// mergeSort sorts order; after reports whether the first comes behind the second. Equal ones keep their order.
func (g *budget) mergeSort(order, buffer []int, after func(a, b int) (bool, error)) error {
	if len(order) <= 1 {
		return nil
	}
	middle := len(order) / 2
	if err := g.mergeSort(order[:middle], buffer[:middle], after); err != nil {
		return err
	}
	if err := g.mergeSort(order[middle:], buffer[middle:], after); err != nil {
		return err
	}
	if err := g.step(len(order)); err != nil {
		return err
	}
	copy(buffer, order)
	left, right := buffer[:middle], buffer[middle:]
	for i := range order {
		switch {
		case len(left) == 0:
			order[i], right = right[0], right[1:]
		case len(right) == 0:
			order[i], left = left[0], left[1:]
		default:
			swap, err := after(left[0], right[0])
			if err != nil {
				return err
			}
			if swap {
				order[i], right = right[0], right[1:]
			} else {
				order[i], left = left[0], left[1:]
			}
		}
	}
	return nil
}

// tupleStep applies a step to each tuple of the stream. The result of the step becomes the value of new
// tuples, which carry the variables of the old one and those that the step binds.
func (r *run) tupleStep(step *node, s *pathStream, f *frame) (*list, error) {
	if step.kind == sortNode {
		return r.tupleSort(step, s, f)
	}
	input := s.tuples
	if input == nil {
		input = &list{tuples: true}
		for i, n := 0, s.values.len(); i < n; i++ {
			input.push(&tuple{item: s.values.at(i)})
		}
	}
	out := &list{sequence: true, tuples: true}
	for _, item := range input.items {
		t := item.(*tuple)
		v, err := r.eval(step, t.item, f.ofTuple(t))
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		results := orSingle(v)
		if err := r.take(results.len() * (len(t.vars) + 3)); err != nil {
			return nil, err
		}
		for i, n := 0, results.len(); i < n; i++ {
			out.push(step.bindTuple(t, results.at(i), i))
		}
	}
	return r.tupleStages(step, out, f)
}

// bindTuple returns the tuple for result i of a step on t.
func (n *node) bindTuple(t *tuple, result any, i int) *tuple {
	if inner, ok := result.(*tuple); ok { // the step is a path that carries its own variables
		next := t.copy(inner.item)
		for _, v := range inner.vars {
			next.set(v.name, v.value)
		}
		return next
	}
	next := t.copy(result)
	if n.focus != "" {
		next.item = t.item
		next.set(n.focus, result)
	}
	if n.index != "" {
		next.set(n.index, float64(i))
	}
	if n.ancestor != nil {
		next.set(n.ancestor.label.name, t.item)
	}
	return next
}

func (r *run) tupleStages(step *node, stream *list, f *frame) (*list, error) {
	v, err := r.stages(step.stages, stream, f)
	if err != nil {
		return nil, err
	}
	out, ok := v.(*list)
	if !ok {
		return &list{sequence: true, tuples: true}, nil
	}
	out.tuples = true
	return out, nil
}

// tupleSort sorts a stream, or values that become one.
func (r *run) tupleSort(step *node, s *pathStream, f *frame) (*list, error) {
	if s.tuples != nil {
		sorted, err := r.sortStep(step, view{list: s.tuples}, true, f)
		if err != nil {
			return nil, err
		}
		return r.tupleStages(step, sorted.(*list), f)
	}
	sorted, err := r.sortStep(step, s.values, false, f)
	if err != nil {
		return nil, err
	}
	stream := &list{sequence: true, tuples: true}
	w, _ := viewOf(sorted)
	for i, n := 0, w.len(); i < n; i++ {
		t := &tuple{item: w.at(i)}
		if step.index != "" {
			t.set(step.index, float64(i))
		}
		stream.push(t)
	}
	return r.tupleStages(step, stream, f)
}
