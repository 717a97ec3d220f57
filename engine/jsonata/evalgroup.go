package jsonata

import "asldb/engine/value"

// bucket is one member of an object under construction: the items with the same key, and which pair made it.
type bucket struct {
	key   string
	pair  int
	data  any
	owned bool // data is a list made here, which may grow
}

// group evaluates an object constructor: the items of v are put together by key, and each value is
// evaluated on the items of its key.
func (r *run) group(pairs []pair, pos int, v any, f *frame) (any, error) {
	if w, ok := viewOf(v); !ok {
		return r.plainObject(pairs, pos, v, f)
	} else if w.len() == 0 {
		return r.plainObject(pairs, pos, nil, f)
	}
	reduce := tuplesOf(v)
	items := orSingle(v)
	var buckets []*bucket
	index := map[string]*bucket{}
	for i, n := 0, items.len(); i < n; i++ {
		item := items.at(i)
		context, scope := f.within(item)
		for j := range pairs {
			key, ok, err := r.key(pairs[j].key, pos, context, scope)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			b := index[key]
			if b == nil {
				b = &bucket{key: key, pair: j, data: item}
				index[key] = b
				buckets = append(buckets, b)
				continue
			}
			if b.pair != j {
				return nil, fail("D1009").at(pos).value(value.String(key))
			}
			if err := r.addTo(b, item); err != nil {
				return nil, err
			}
		}
	}
	return r.fill(pairs, buckets, reduce, f)
}

// key evaluates the key of a member; false when it is nothing.
func (r *run) key(n *node, pos int, context any, f *frame) (string, bool, error) {
	v, err := r.eval(n, context, f)
	if err != nil || v == nil {
		return "", false, err
	}
	key, ok := v.(value.String)
	if !ok {
		return "", false, fail("T1003").at(pos).value(v)
	}
	return string(key), true, r.take(2)
}

// addTo adds an item to the items of a key, as $append does.
func (g *budget) addTo(b *bucket, item any) error {
	if item == nil {
		return nil
	}
	if b.data == nil {
		b.data = item
		return nil
	}
	if !b.owned {
		out := &list{}
		out.spread(b.data)
		if err := g.take(len(out.items)); err != nil {
			return err
		}
		b.data, b.owned = out, true
	}
	out := b.data.(*list)
	before := len(out.items)
	out.spread(item)
	return g.take(len(out.items) - before)
}

// fill evaluates the values.
func (r *run) fill(pairs []pair, buckets []*bucket, reduce bool, f *frame) (any, error) {
	out := &object{members: make([]member, 0, len(buckets))}
	for _, b := range buckets {
		context, scope := b.data, f
		if reduce {
			t, err := r.reduce(b.data)
			if err != nil {
				return nil, err
			}
			context, scope = t.item, f.ofTuple(t)
		}
		v, err := r.eval(pairs[b.pair].value, context, scope)
		if err != nil {
			return nil, err
		}
		if v != nil {
			out.set(b.key, v)
		}
	}
	return out, nil
}

// reduce makes one tuple of those with the same key: each variable holds all that it held in them.
func (r *run) reduce(data any) (*tuple, error) {
	if t, ok := data.(*tuple); ok {
		return t.copy(t.item), nil
	}
	stream, ok := data.(*list)
	if !ok || len(stream.items) == 0 {
		return &tuple{}, nil
	}
	first := stream.items[0].(*tuple)
	out := first.copy(first.item)
	for _, item := range stream.items[1:] {
		t := item.(*tuple)
		var err error
		if out.item, err = r.join(out.item, t.item); err != nil {
			return nil, err
		}
		for _, v := range t.vars {
			before, _ := (&frame{vars: out.vars}).lookup(v.name)
			joined, err := r.join(before, v.value)
			if err != nil {
				return nil, err
			}
			out.set(v.name, joined)
		}
	}
	return out, nil
}

// plainObject evaluates an object constructor on one value, without any grouping.
func (r *run) plainObject(pairs []pair, pos int, v any, f *frame) (any, error) {
	var buffer [8]bucket
	keys := buffer[:0]
	for j := range pairs {
		key, ok, err := r.key(pairs[j].key, pos, v, f)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if len(keys) < wideObject {
			for i := range keys {
				if keys[i].key == key {
					return nil, fail("D1009").at(pos).value(value.String(key))
				}
			}
		}
		keys = append(keys, bucket{key: key, pair: j})
	}
	out := &object{members: make([]member, 0, len(keys))}
	seen := map[string]bool{}
	for i := range keys {
		if len(keys) >= wideObject {
			if seen[keys[i].key] {
				return nil, fail("D1009").at(pos).value(value.String(keys[i].key))
			}
			seen[keys[i].key] = true
		}
	}
	for i := range keys {
		item, err := r.eval(pairs[keys[i].pair].value, v, f)
		if err != nil {
			return nil, err
		}
		if item != nil {
			out.set(keys[i].key, item)
		}
	}
	return out, nil
}
