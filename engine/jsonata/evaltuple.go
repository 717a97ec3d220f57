package jsonata

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
	if inner, ok := result.(*tuple); ok { // the step is a path that carries variables of its own
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
