package path

import (
	"asldb/engine/interrupt"
	"asldb/engine/value"
)

// maxVisits bounds an evaluation: a path such as $..*..*..* visits a value more often than there are atoms.
const maxVisits = 5_000_000

// start returns the value that the path starts from, nil when there is none.
func (p *Path) start(r *Roots) value.Value {
	switch p.root {
	case ContextRoot:
		return r.Context
	case VariableRoot:
		if r.Variables == nil {
			return nil
		}
		return r.Variables(p.variable)
	case DataRoot:
	}
	return r.Data
}

// Find returns the value that the path selects, and nil when a definite path misses. An indefinite path gives
// an array, empty when nothing matches. Both give nil when the root is absent, when an index, a slice or a
// union of indexes is applied to a value that isn't an array, or when an evaluation exceeds its limit. A plain path is
// walked without any allocation.
func (p *Path) Find(r *Roots) value.Value {
	v := p.start(r)
	if v == nil || len(p.steps) == 0 {
		return v
	}
	if p.plain {
		v, _ = walk(p.steps, v)
		return v
	}
	v, _ = p.collect(v, r.Poll)
	return v
}

// Get returns the value that the path selects, as [Path.Find] does. The error is a *[MissError] when a
// definite path misses, the root is absent or a value that has to be an array isn't one, a *[LimitError] when an
// evaluation exceeds its limit, and an *[interrupt.Error] when it was interrupted. A regular expression that takes
// too long interrupts, too, with a *[PatternError] as the reason: how long it takes depends on the machine.
func (p *Path) Get(r *Roots) (value.Value, error) {
	start := p.start(r)
	if start == nil || p.plain {
		if v := p.Find(r); v != nil {
			return v, nil
		}
		return nil, p.miss(start)
	}
	v, out := p.collect(start, r.Poll)
	if err := r.Poll.Err(); err != nil {
		return nil, err
	}
	switch out {
	case tooLong:
		return nil, &interrupt.Error{Reason: &PatternError{Path: p}}
	case tooMuch:
		return nil, &LimitError{Path: p, Limit: maxVisits}
	default:
	}
	if v == nil {
		return nil, p.miss(start)
	}
	return v, nil
}

// walk follows single keys and indexes. It returns nil when a step misses, and the value that this
// step was tried on.
func walk(steps []step, v value.Value) (found, at value.Value) {
	for i := range steps {
		s := &steps[i]
		var next value.Value
		switch c := v.(type) {
		case *value.Object:
			if s.kind == keyStep {
				next = c.Get(s.key)
			}
		case *value.Array:
			if s.kind == indexStep {
				next = item(c, s.index)
			}
		}
		if next == nil {
			return nil, v
		}
		v = next
	}
	return v, nil
}

// item returns item i, from the end when i is negative, and nil when there is none.
func item(a *value.Array, i int) value.Value {
	if i < 0 {
		i += a.Len()
	}
	if i < 0 || i >= a.Len() {
		return nil
	}
	return a.At(i)
}

// outcome is how an evaluation ends. The words are Jayway's exceptions, which decide how a filter treats
// a path that cannot be applied.
type outcome uint8

const (
	fine     outcome = iota
	notFound         // PathNotFoundException
	noArray          // the same, where an index, a slice or a union of indexes meets something that isn't an array
	invalid          // InvalidPathException: the filter is false, whatever is around it
	tooMuch          // maxVisits exceeded, or interrupted
	tooLong          // a pattern exceeds its bound
)

// collect evaluates a path that is not plain. It returns nil when a definite path misses, or one with an
// index, a slice or a union of indexes for something that isn't an array, and the outcome tooMuch or tooLong when the
// evaluation exceeds its limit or is interrupted.
func (p *Path) collect(root value.Value, poll *interrupt.Poll) (value.Value, outcome) {
	visits := maxVisits
	run := run{path: p, document: root, visits: &visits, poll: poll}
	out := run.step(0, root)
	if out == tooMuch || out == tooLong {
		return nil, out
	}
	if p.Definite() {
		if out != fine || len(run.found) == 0 {
			return nil, notFound
		}
		return run.found[0], fine
	}
	if out == noArray {
		return nil, out
	}
	if out != fine { // recorded: a missing parent gives an empty array, never a failure
		return value.NewArray(nil), fine
	}
	return value.NewArray(run.found), fine
}

// run is one evaluation of one path.
type run struct {
	path     *Path
	document value.Value // the value of $ in filters
	require  bool        // a test of existence: each member named has to be there
	visits   *int        // left for the whole evaluation, inner paths included
	poll     *interrupt.Poll
	found    []value.Value
}

// visit counts a value looked at. It is false where there have been too many, or the evaluation is interrupted.
func (r *run) visit() bool {
	*r.visits--
	return *r.visits >= 0 && r.poll.Step(1) == nil
}

// step applies step i, and those after it, to v.
func (r *run) step(i int, v value.Value) outcome {
	if !r.visit() {
		return tooMuch
	}
	if i == len(r.path.steps) {
		r.found = append(r.found, v)
		return fine
	}
	s := &r.path.steps[i]
	switch s.kind {
	case keyStep, keysStep:
		return r.keys(i, s, v)
	case wildcardStep:
		return r.wildcard(i, v)
	case filterStep:
		return r.filter(i, s, v)
	case descentStep:
		if i+1 == len(r.path.steps) {
			return fine
		}
		return r.descend(i+1, v)
	case indexStep, indexesStep, sliceStep:
	}
	list, ok := v.(*value.Array)
	if !ok {
		if out := r.wrongKind(i); out == fine {
			return out
		}
		return noArray
	}
	return r.items(i, s, list)
}

// wrongKind is the outcome where a step meets a value it cannot be applied to: behind an indefinite
// step that value simply does not match.
func (r *run) wrongKind(i int) outcome {
	if i > r.path.firmSteps {
		return fine
	}
	return notFound
}

func (r *run) keys(i int, s *step, v value.Value) outcome {
	object, ok := v.(*value.Object)
	if !ok {
		return r.wrongKind(i)
	}
	if s.kind == keyStep {
		return r.member(i, object, s.key)
	}
	if i < len(r.path.steps)-1 {
		for _, key := range s.more.keys {
			if out := r.member(i, object, key); out != fine {
				return out
			}
		}
		return fine
	}
	var b value.ObjectBuilder
	for _, key := range s.more.keys {
		if member := object.Get(key); member != nil {
			b.Set(key, member)
		} else if r.require {
			return notFound
		}
	}
	return r.step(i+1, b.Object())
}

func (r *run) member(i int, object *value.Object, key string) outcome {
	if v := object.Get(key); v != nil {
		return r.step(i+1, v)
	}
	if r.require || (i < len(r.path.steps)-1 && i < r.path.firmSteps) {
		return notFound
	}
	return fine
}

func (r *run) items(i int, s *step, list *value.Array) outcome {
	switch s.kind {
	case indexStep:
		return r.item(i, list, s.index)
	case indexesStep:
		for _, index := range s.more.indexes {
			if out := r.item(i, list, index); out != fine {
				return out
			}
		}
		return fine
	default:
	}
	from, to := s.more.bounds(list.Len())
	for index := from; index < to; index++ {
		if out := r.item(i, list, index); out != fine {
			return out
		}
	}
	return fine
}

// bounds gives the indexes of a slice as Jayway counts them: with both ends given a negative start
// is not moved, so that [-2:1] is the last two items and then the first.
func (s *selector) bounds(length int) (from, to int) {
	switch {
	case !s.hasTo:
		from, to = s.from, length
		if from < 0 {
			from += length
		}
		return max(0, from), to
	case !s.hasFrom:
		to = s.to
		if to < 0 {
			to += length
		}
		return 0, min(length, to)
	}
	return max(s.from, -length), min(length, s.to) // an index before -length selects nothing
}

func (r *run) item(i int, list *value.Array, index int) outcome {
	if v := item(list, index); v != nil {
		return r.step(i+1, v)
	}
	return fine
}

func (r *run) wildcard(i int, v value.Value) outcome {
	switch c := v.(type) {
	case *value.Object:
		for m := range c.Len() {
			if out := r.step(i+1, c.At(m).Value); out != fine {
				return out
			}
		}
	case *value.Array:
		for m := range c.Len() {
			out := r.step(i+1, c.At(m))
			if (out == notFound || out == noArray) && !r.require {
				continue // an item that misses is passed over
			}
			if out != fine {
				return out
			}
		}
	default:
		if i < len(r.path.steps)-1 {
			return notFound
		}
	}
	return fine
}

// filter keeps the items of an array that meet the condition, or an object as a whole.
func (r *run) filter(i int, s *step, v value.Value) outcome {
	switch c := v.(type) {
	case *value.Object:
		return r.ifAccepted(i, s, c)
	case *value.Array:
		for m := range c.Len() {
			if out := r.ifAccepted(i, s, c.At(m)); out != fine {
				return out
			}
		}
	default:
		if i <= r.path.firmSteps {
			return invalid
		}
	}
	return fine
}

func (r *run) ifAccepted(i int, s *step, v value.Value) outcome {
	if accepted, out := r.accepts(s, v); out != fine || !accepted {
		return out
	}
	return r.step(i+1, v)
}

// accepts applies a filter to one value. The outcome is fine, tooMuch or tooLong.
func (r *run) accepts(s *step, v value.Value) (bool, outcome) {
	accepted, out := s.more.filter.holds(r, v)
	if out == tooMuch || out == tooLong {
		return false, out
	}
	return accepted && out == fine, fine
}

// descend applies step i to v and to everything below it, parents first.
func (r *run) descend(i int, v value.Value) outcome {
	if !r.visit() {
		return tooMuch
	}
	object, isObject := v.(*value.Object)
	list, isArray := v.(*value.Array)
	if !isObject && !isArray {
		return fine
	}
	applies, out := r.appliesBelow(i, v)
	if applies && out == fine {
		out = r.step(i, v)
	}
	for m := 0; isObject && m < object.Len() && out == fine; m++ {
		out = r.descend(i, object.At(m).Value)
	}
	for m := 0; isArray && m < list.Len() && out == fine; m++ {
		out = r.descend(i, list.At(m))
	}
	return out
}

// appliesBelow reports whether a descent stops at v to apply step i.
func (r *run) appliesBelow(i int, v value.Value) (bool, outcome) {
	s := &r.path.steps[i]
	object, isObject := v.(*value.Object)
	switch s.kind {
	case keyStep:
		return isObject && object.Get(s.key) != nil, fine
	case keysStep:
		if !isObject || i < len(r.path.steps)-1 {
			return isObject, fine
		}
		for _, key := range s.more.keys {
			if object.Get(key) == nil {
				return false, fine
			}
		}
		return true, fine
	case wildcardStep:
		return true, fine
	case filterStep: // Jayway asks the filter about the container first
		return r.accepts(s, v)
	default:
		return !isObject, fine
	}
}
