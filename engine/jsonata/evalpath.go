package jsonata

import (
	"math"

	"asldb/engine/value"
)

// path evaluates the steps of a path, each on all that the one before it gave.
func (r *run) path(n *node, in any, f *frame) (any, error) {
	if r.trace == nil && n.group == nil && !n.keepSingletons {
		if v, done, err := r.plainPath(n, in, f); done {
			return v, err
		}
	}
	input, ok := viewOf(in)
	if !ok || n.list[0].kind == variableNode {
		input = view{list: &list{items: []any{in}, sequence: true}}
	}
	stream := pathStream{values: input}
	for i, step := range n.list {
		more, err := r.pathStep(n, i, step, &stream, f)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	return r.pathResult(n, &stream, f)
}

// pathStream is the stream from step to step: values, or tuples once a variable or a parent is bound.
type pathStream struct {
	values   view
	result   any // of the last step, an array
	tuples   *list
	isTuples bool
}

// plainPath walks single fields of objects, which most paths are made of. done is false when the path
// is of another kind.
func (r *run) plainPath(n *node, in any, f *frame) (v any, done bool, err error) {
	v = in
	for i, step := range n.list {
		if len(step.stages) > 0 || step.tuple {
			return nil, false, nil
		}
		if i == 0 && step.kind == variableNode && len(step.filters) == 0 && step.group == nil {
			if v = r.variable(step, in, f); v == nil {
				return nil, true, nil
			}
		} else if step.kind == nameNode {
			switch o := v.(type) {
			case *value.Object:
				found := o.Get(step.text)
				if found == nil {
					return nil, true, nil
				}
				v = found
			case *object:
				if v = o.get(step.text); v == nil {
					return nil, true, nil
				}
			default:
				return nil, false, nil
			}
		} else {
			return nil, false, nil
		}
		if l, ok := v.(*list); ok && (l.sequence || l.cons) {
			return nil, false, nil
		}
	}
	return v, true, r.step(len(n.list))
}

// pathStep applies step i; false when nothing is left to continue with.
func (r *run) pathStep(n *node, i int, step *node, s *pathStream, f *frame) (bool, error) {
	s.isTuples = s.isTuples || step.tuple
	if r.trace != nil {
		r.trace.enterStep(step, s.values.len())
	}
	var err error
	switch {
	case i == 0 && step.consArray:
		s.result, err = r.eval(step, viewValue(s.values), f)
		if _, ok := viewOf(s.result); !ok && s.result != nil {
			s.result = newSequence(s.result)
		}
	case s.isTuples:
		s.tuples, err = r.tupleStep(step, s, f)
	default:
		s.result, err = r.stepOn(step, s.values, f, i == len(n.list)-1)
	}
	if r.trace != nil {
		r.trace.leaveStep(step, s, err)
	}
	if err != nil {
		return false, err
	}
	if !s.isTuples {
		if w, ok := viewOf(s.result); !ok || w.len() == 0 {
			return false, nil
		}
	}
	if step.focus == "" && s.result != nil {
		s.values, _ = viewOf(s.result)
	}
	return true, nil
}

// viewValue is the array that w reads.
func viewValue(w view) any {
	if w.array != nil {
		return w.array
	}
	return w.list
}

// pathResult makes the path's result from the output of its last step.
func (r *run) pathResult(n *node, s *pathStream, f *frame) (any, error) {
	result := s.result
	if s.isTuples && s.tuples != nil {
		if n.tuple {
			result = s.tuples
		} else {
			out := newSequence()
			for _, t := range s.tuples.items {
				out.push(t.(*tuple).item)
			}
			result = out
		}
	}
	if n.keepSingletons {
		l, ok := result.(*list)
		if ok && l.cons && !l.sequence {
			l = newSequence(l)
			result = l
		}
		if ok {
			l.keepSingleton = true
		}
	}
	if n.group == nil {
		return result, nil
	}
	if s.isTuples && s.tuples != nil {
		result = s.tuples
	}
	return r.group(n.group.pairs, n.group.pos, result, f)
}

// stepOn applies a step to each of the values and flattens the results.
func (r *run) stepOn(step *node, input view, f *frame, last bool) (any, error) {
	if step.kind == sortNode {
		sorted, err := r.sortStep(step, input, false, f)
		if err != nil {
			return nil, err
		}
		return r.stages(step.stages, sorted, f)
	}
	out := newSequence()
	results := 0
	var only any // the first result, when it is an array that stays itself if it remains the only one
	for i, count := 0, input.len(); i < count; i++ {
		v, err := r.eval(step, input.at(i), f)
		for j := 0; err == nil && j < len(step.stages); j++ {
			v, err = r.filter(step.stages[j].filter, v, f)
		}
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		results++
		if only != nil {
			err, only = r.pour(out, only), nil
		} else if last && results == 1 {
			_, isArray := viewOf(v)
			if _, sequence := isSequence(v); isArray && !sequence {
				only = v
				continue
			}
		}
		if err == nil {
			err = r.pour(out, v)
		}
		if err != nil {
			return nil, err
		}
	}
	if only != nil {
		return only, nil
	}
	return out, nil
}

// pour adds a step's result to out, flattened unless it is an array that was built as a step.
func (g *budget) pour(out *list, v any) error {
	if w, ok := viewOf(v); ok && !isConsArray(v) {
		out.extend(w)
		return g.take(w.len())
	}
	out.push(v)
	return g.take(1)
}

// filter keeps the items of v for which the predicate holds, or the item at the index that it gives.
func (r *run) filter(predicate *node, v any, f *frame) (any, error) {
	out := newSequence()
	out.tuples = tuplesOf(v)
	input := orSingle(v)
	if index, ok := predicate.literal.(float64); ok && predicate.kind == numberNode {
		at := fromEnd(index, input.len())
		if at < 0 || at >= float64(input.len()) {
			return out, nil
		}
		item := input.at(int(at))
		if _, ok := viewOf(item); ok {
			return item, nil
		}
		if item != nil {
			out.push(item)
		}
		return out, nil
	}
	for i, n := 0, input.len(); i < n; i++ {
		item := input.at(i)
		context, scope := f.within(item)
		result, err := r.eval(predicate, context, scope)
		if err != nil {
			return nil, err
		}
		times, err := r.selects(result, i, n)
		if err != nil {
			return nil, blame(err, predicate.pos, "")
		}
		for ; times > 0; times-- {
			out.push(item)
		}
	}
	return out, r.take(len(out.items))
}

// fromEnd rounds an index down; a negative one counts from the end.
func fromEnd(index float64, count int) float64 {
	index = math.Floor(index)
	if index < 0 {
		index += float64(count)
	}
	return index
}

// selects tells how often a predicate's result selects item i of n.
func (g *budget) selects(result any, i, n int) (int, error) {
	if yes, ok := result.(value.Bool); ok {
		if yes {
			return 1, nil
		}
		return 0, nil
	}
	index, ok, err := numeric(result)
	if err != nil {
		return 0, err
	}
	if ok {
		if fromEnd(index, n) == float64(i) {
			return 1, nil
		}
		return 0, nil
	}
	if indexes, ok := viewOf(result); ok {
		numbers, err := allNumbers(indexes)
		if err != nil {
			return 0, err
		}
		if numbers {
			times, count := 0, indexes.len()
			for j := 0; j < count; j++ {
				if index, _ := value.Double(indexes.at(j)); fromEnd(index, n) == float64(i) {
					times++
				}
			}
			return times, g.step(count)
		}
	}
	yes, err := truth(result, 0)
	if yes {
		return 1, err
	}
	return 0, err
}

// allNumbers reports whether all items are numbers.
func allNumbers(items view) (bool, error) {
	if items.list != nil && items.list.span > 0 {
		return true, nil
	}
	for i, n := 0, items.len(); i < n; i++ {
		if _, ok, err := numeric(items.at(i)); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// stages applies the predicates and index bindings of a step.
func (r *run) stages(stages []stage, v any, f *frame) (_ any, err error) {
	for i := range stages {
		if stages[i].filter != nil {
			if v, err = r.filter(stages[i].filter, v, f); err != nil {
				return nil, err
			}
			continue
		}
		for at, item := range orSingle(v).items() {
			if t, ok := item.(*tuple); ok {
				t.set(stages[i].index, float64(at))
			}
		}
	}
	return v, nil
}

// items are the items of a built array.
func (w view) items() []any {
	if w.list == nil {
		return nil
	}
	return w.list.items
}
