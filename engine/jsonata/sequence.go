package jsonata

import "asldb/engine/value"

// A value inside an evaluation is an any: nil for nothing ("undefined"), the scalars of engine/value,
// float64 for a number that was computed, *value.Array and *value.Object for input,
// *list and *object for values built by the evaluation, *function for a function.

// list is an array that the evaluation built.
type list struct {
	items []any
	// A range has no items until they are needed: it counts from lo.
	lo   float64
	span int

	sequence      bool // a result sequence: one item is itself, none is nothing
	keepSingleton bool // … but not here
	cons          bool // built by an array constructor that is a step: it is not flattened
	wrapper       bool // the input document was an array; this is around it
	tuples        bool // the items are tuples
}

// tuple is an item of a tuple stream: a value, and the variables bound on the way to it.
type tuple struct {
	item any
	vars []variable
}

// variable is a name and its value.
type variable struct {
	name  string
	value any
}

// with returns the tuple's variables with name set. The slice is never shared.
func (t *tuple) set(name string, v any) { t.vars = withVariable(t.vars, name, v) }

// withVariable sets a variable of a list, and returns the list.
func withVariable(vars []variable, name string, v any) []variable {
	for i := range vars {
		if vars[i].name == name {
			vars[i].value = v
			return vars
		}
	}
	return append(vars, variable{name, v})
}

// copy returns a tuple with the same variables and another item.
func (t *tuple) copy(item any) *tuple {
	vars := make([]variable, len(t.vars), len(t.vars)+2)
	copy(vars, t.vars)
	return &tuple{item: item, vars: vars}
}

// view reads an array of either kind.
type view struct {
	array *value.Array
	list  *list
}

// viewOf returns a view of v; false when v isn't an array.
func viewOf(v any) (view, bool) {
	switch v := v.(type) {
	case *list:
		return view{list: v}, true
	case *value.Array:
		return view{array: v}, true
	}
	return view{}, false
}

func (w view) len() int {
	switch {
	case w.array != nil:
		return w.array.Len()
	case w.list == nil:
		return 0
	case w.list.span > 0:
		return w.list.span
	}
	return len(w.list.items)
}

func (w view) at(i int) any {
	if w.array != nil {
		return w.array.At(i)
	}
	if w.list.span > 0 {
		return w.list.lo + float64(i)
	}
	return w.list.items[i]
}

// tuplesOf reports whether v is a tuple stream.
func tuplesOf(v any) bool {
	l, ok := v.(*list)
	return ok && l.tuples
}

// isSequence returns v as a list when it is a result sequence.
func isSequence(v any) (*list, bool) {
	l, ok := v.(*list)
	return l, ok && l.sequence
}

// isConsArray reports whether v is an array that must not be flattened.
func isConsArray(v any) bool {
	l, ok := v.(*list)
	return ok && l.cons
}

// newSequence returns the sequence of items.
func newSequence(items ...any) *list { return &list{items: items, sequence: true} }

// orSingle returns v's items, v itself being the only one when it isn't an array.
func orSingle(v any) view {
	if w, ok := viewOf(v); ok {
		return w
	}
	return view{list: newSequence(v)}
}

// push adds an item. The caller accounts for it.
func (l *list) push(v any) { l.items = append(l.items, v) }

// extend adds the items of w.
func (l *list) extend(w view) {
	if w.list != nil && w.list.span == 0 {
		l.items = append(l.items, w.list.items...)
		return
	}
	for i, n := 0, w.len(); i < n; i++ {
		l.items = append(l.items, w.at(i))
	}
}

// spread adds v, or its items when it is an array.
func (l *list) spread(v any) {
	if w, ok := viewOf(v); ok {
		l.extend(w)
		return
	}
	l.push(v)
}

// settle applies the rules of result sequences to the result of an expression: one item is itself, none is nothing.
func settle(v any, keepArray bool) any {
	l, ok := isSequence(v)
	if !ok || l.tuples {
		return v
	}
	if keepArray {
		l.keepSingleton = true
	}
	switch n := (view{list: l}).len(); {
	case n == 0:
		return nil
	case n == 1 && !l.keepSingleton:
		return view{list: l}.at(0)
	}
	return l
}

// join implements $append: it returns the items of both. Appending nothing changes nothing.
func (g *budget) join(a, b any) (any, error) {
	if a == nil {
		return b, nil
	}
	if b == nil {
		return a, nil
	}
	first, second := orSingle(a), orSingle(b)
	if first.len() == 0 && second.list != nil && second.list.span > 0 { // a range stays one
		return &list{lo: second.list.lo, span: second.list.span}, nil
	}
	size := first.len() + second.len()
	if err := g.take(size); err != nil {
		return nil, err
	}
	out := &list{items: make([]any, 0, size)}
	out.extend(first)
	out.extend(second)
	return out, nil
}

// object is an object that the evaluation built.
type object struct {
	members []member
	index   map[string]int // of wide objects
}

type member struct {
	key   string
	value any
}

// wideObject is the number of members from which a map pays.
const wideObject = 16

func (o *object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range o.members {
		if o.members[i].key == key {
			return i
		}
	}
	return -1
}

func (o *object) get(key string) any {
	if i := o.find(key); i >= 0 {
		return o.members[i].value
	}
	return nil
}

func (o *object) set(key string, v any) {
	if i := o.find(key); i >= 0 {
		o.members[i].value = v
		return
	}
	o.members = append(o.members, member{key, v})
	if o.index != nil {
		o.index[key] = len(o.members) - 1
	} else if len(o.members) >= wideObject {
		o.reindex()
	}
}

func (o *object) reindex() {
	o.index = make(map[string]int, 2*len(o.members))
	for i := range o.members {
		o.index[o.members[i].key] = i
	}
}

func (o *object) remove(key string) {
	i := o.find(key)
	if i < 0 {
		return
	}
	o.members = append(o.members[:i], o.members[i+1:]...)
	if o.index != nil {
		o.reindex()
	}
}

// fields reads an object of either kind.
type fields struct {
	given *value.Object
	built *object
}

func fieldsOf(v any) (fields, bool) {
	switch v := v.(type) {
	case *value.Object:
		return fields{given: v}, true
	case *object:
		return fields{built: v}, true
	}
	return fields{}, false
}

func (f fields) len() int {
	if f.given != nil {
		return f.given.Len()
	}
	return len(f.built.members)
}

func (f fields) at(i int) (string, any) {
	if f.given != nil {
		m := f.given.At(i)
		return m.Key, m.Value
	}
	return f.built.members[i].key, f.built.members[i].value
}

func (f fields) get(key string) any {
	if f.given != nil {
		if v := f.given.Get(key); v != nil {
			return v
		}
		return nil
	}
	return f.built.get(key)
}
