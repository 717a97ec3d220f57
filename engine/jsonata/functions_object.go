package jsonata

import "asldb/engine/value"

var objects = []definition{
	{"keys", "<x-:a<s>>", 1, keys},
	{"lookup", "<x-s:x>", 2, lookupFunction},
	{"spread", "<x-:a<o>>", 1, spread},
	{"merge", "<a<o>:o>", 1, merge},
	{"each", "<o-f:a>", 2, each},
	{"sift", "<o-f?:o>", 2, sift},
	{"clone", "<(oa)-:o>", 1, cloneFunction},
}

func keys(c *call) (any, error) {
	found := &object{}
	if err := c.collectKeys(found, c.arg(0), 0); err != nil {
		return nil, err
	}
	out := newSequence()
	for i := range found.members {
		out.push(value.String(found.members[i].key))
	}
	return out, c.run.take(len(out.items))
}

func (c *call) collectKeys(out *object, v any, depth int) error {
	if depth > maxNesting {
		return tooDeep()
	}
	if o, ok := fieldsOf(v); ok {
		for i, n := 0, o.len(); i < n; i++ {
			key, _ := o.at(i)
			out.set(key, nil)
		}
		return c.run.step(o.len())
	}
	items, ok := viewOf(v)
	if !ok || items.list != nil && items.list.span > 0 {
		return nil
	}
	for i, n := 0, items.len(); i < n; i++ {
		if err := c.collectKeys(out, items.at(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func lookupFunction(c *call) (any, error) {
	key, ok := c.textArg(1)
	if !ok {
		return nil, nil
	}
	return c.run.lookup(c.arg(0), key, 0)
}

func spread(c *call) (any, error) { return c.spread(c.arg(0), 0) }

// spread makes an object of each member.
func (c *call) spread(v any, depth int) (any, error) {
	if depth > maxNesting {
		return nil, tooDeep()
	}
	if o, ok := fieldsOf(v); ok {
		out := newSequence()
		for i, n := 0, o.len(); i < n; i++ {
			key, item := o.at(i)
			out.push(&object{members: []member{{key, item}}})
		}
		return out, c.run.take(3 * o.len())
	}
	items, ok := viewOf(v)
	if !ok {
		return v, nil
	}
	out := newSequence()
	for i, n := 0, items.len(); i < n; i++ {
		part, err := c.spread(items.at(i), depth+1)
		if err != nil {
			return nil, err
		}
		if part != nil {
			out.spread(part)
			out.sequence = false
		}
		if err := c.run.take(1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func merge(c *call) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	items, _ := viewOf(c.arg(0))
	out := &object{}
	for i, n := 0, items.len(); i < n; i++ {
		o, ok := fieldsOf(items.at(i))
		if !ok {
			continue
		}
		if err := c.run.take(2 * o.len()); err != nil {
			return nil, err
		}
		for j, m := 0, o.len(); j < m; j++ {
			key, v := o.at(j)
			out.set(key, v)
		}
	}
	return out, nil
}

func each(c *call) (any, error) {
	out := newSequence()
	o, ok := fieldsOf(c.arg(0))
	if !ok {
		return out, nil
	}
	for i, n := 0, o.len(); i < n; i++ {
		key, v := o.at(i)
		result, err := c.callback(c.arg(1), v, value.String(key), c.arg(0))
		if err != nil {
			return nil, err
		}
		if result != nil {
			out.push(result)
		}
	}
	return out, c.run.take(len(out.items))
}

// sift keeps the members for which the function holds. No member left is nothing.
func sift(c *call) (any, error) {
	o, ok := fieldsOf(c.arg(0))
	if !ok {
		return nil, nil
	}
	out := &object{}
	for i, n := 0, o.len(); i < n; i++ {
		key, v := o.at(i)
		result, err := c.callback(c.arg(1), v, value.String(key), c.arg(0))
		if err != nil {
			return nil, err
		}
		yes, err := truth(result, 0)
		if err != nil {
			return nil, err
		}
		if yes {
			out.set(key, v)
		}
	}
	if len(out.members) == 0 {
		return nil, nil
	}
	return out, c.run.take(2 * len(out.members))
}

func cloneFunction(c *call) (any, error) { return c.run.clone(c.arg(0), 0) }
