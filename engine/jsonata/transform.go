package jsonata

import (
	"strconv"

	"asldb/engine/value"
)

// transformSignature is the signature of every transform.
var transformSignature = mustSignature("<(oa):o>")

// transform is the function that an update expression, |pattern|update,deletion|, means.
func (r *run) transform(n *node, f *frame) *function {
	return &function{sig: transformSignature, arity: 1, native: func(c *call) (any, error) {
		if c.arg(0) == nil {
			return nil, nil
		}
		clone, ok := r.find("clone", f).(*function)
		if !ok {
			return nil, fail("T2013").at(n.pos)
		}
		out, err := r.invoke(clone, []any{c.arg(0)}, nil, f)
		if err != nil {
			return nil, err
		}
		matches, err := r.eval(n.left, out, f)
		if err != nil {
			return nil, err
		}
		if matches == nil {
			return out, nil
		}
		items := orSingle(matches)
		for i, count := 0, items.len(); i < count; i++ {
			if err := r.change(n, items.at(i), f); err != nil {
				return nil, err
			}
		}
		return out, nil
	}}
}

// change updates one object that the pattern found.
func (r *run) change(n *node, v any, f *frame) error {
	update, err := r.eval(n.right, v, f)
	if err != nil {
		return err
	}
	target, _ := v.(*object)
	if update != nil {
		o, ok := fieldsOf(update)
		if !ok {
			return fail("T2011").at(n.right.pos).value(update)
		}
		if err := r.take(2 * o.len()); err != nil {
			return err
		}
		for i, count := 0, o.len(); i < count && target != nil; i++ {
			key, item := o.at(i)
			target.set(key, item)
		}
	}
	if n.third == nil {
		return nil
	}
	deletion, err := r.eval(n.third, v, f)
	if err != nil || deletion == nil {
		return err
	}
	names := orSingle(deletion)
	if !allStrings(names) {
		return fail("T2012").at(n.third.pos).value(deletion)
	}
	for i, count := 0, names.len(); i < count && target != nil; i++ {
		target.remove(string(names.at(i).(value.String)))
	}
	return nil
}

// clone copies a value, so that a transform can change it.
func (r *run) clone(v any, depth int) (any, error) {
	if depth > maxNesting {
		return nil, tooDeep()
	}
	if o, ok := fieldsOf(v); ok {
		out := &object{members: make([]member, 0, o.len())}
		if err := r.take(2*o.len() + 1); err != nil {
			return nil, err
		}
		for i, n := 0, o.len(); i < n; i++ {
			key, item := o.at(i)
			copied, err := r.clone(item, depth+1)
			if err != nil {
				return nil, err
			}
			out.set(key, copied)
		}
		return out, nil
	}
	if items, ok := viewOf(v); ok {
		if err := r.take(items.len() + 1); err != nil {
			return nil, err
		}
		out := &list{items: make([]any, items.len())}
		for i := range out.items {
			copied, err := r.clone(items.at(i), depth+1)
			if err != nil {
				return nil, err
			}
			out.items[i] = copied
		}
		return out, nil
	}
	switch v := v.(type) {
	case *function:
		return value.String(""), nil
	case float64, value.Number:
		return r.cloneNumber(v)
	}
	return v, nil
}

// cloneNumber rounds a number to 15 digits, for up to 2.0 a value is cloned by way of its text. One that
// rounding does not change stays as it was written.
func (r *run) cloneNumber(v any) (any, error) {
	f, _ := value.Double(v)
	if r.options.Extended || f != f {
		return v, nil
	}
	text, err := preciseText(f, false, false)
	if err != nil {
		return nil, err
	}
	if rounded, _ := strconv.ParseFloat(text, 64); rounded != f {
		return rounded, nil
	}
	return v, nil
}
