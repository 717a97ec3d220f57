package jsonata

// frame holds the variables of one scope.
type frame struct {
	parent *frame
	vars   []variable
	shared bool // vars belong to a tuple: they are copied before they change
}

// lookup returns the value that name is bound to; false when no frame binds it.
func (f *frame) lookup(name string) (any, bool) {
	for ; f != nil; f = f.parent {
		for i := range f.vars {
			if f.vars[i].name == name {
				return f.vars[i].value, true
			}
		}
	}
	return nil, false
}

// bind sets name in this frame.
func (f *frame) bind(name string, v any) {
	if f.shared {
		f.vars, f.shared = append([]variable(nil), f.vars...), false
	}
	for i := range f.vars {
		if f.vars[i].name == name {
			f.vars[i].value = v
			return
		}
	}
	f.vars = append(f.vars, variable{name, v})
}

// ofTuple returns a frame with the variables of t.
func (f *frame) ofTuple(t *tuple) *frame {
	if len(t.vars) == 0 {
		return &frame{parent: f}
	}
	return &frame{parent: f, vars: t.vars, shared: true}
}

// find returns the value of a variable: bound in the expression, given from outside, or a function.
func (r *run) find(name string, f *frame) any {
	if v, ok := f.lookup(name); ok {
		return v
	}
	if name == "$" {
		return r.root
	}
	if r.bindings != nil {
		if v := r.bindings(name); v != nil {
			return v
		}
	}
	if fn := r.options.functions[name]; fn != nil {
		return fn
	}
	return nil
}
