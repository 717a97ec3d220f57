// Package template compiles and evaluates payload templates: JSON in which a field whose name ends
// with ".$" means the result of a Path or an intrinsic function.
package template

import (
	"errors"
	"iter"
	"slices"

	"asldb/engine/path"
	"asldb/engine/value"
)

// Suffix ends the name of a field whose value is evaluated.
const Suffix = ".$"

// Template is a compiled payload template. It never changes and may be used by several goroutines.
type Template struct {
	root node
}

// Constant reports whether nothing in the template is evaluated: then [Template.Eval] returns the same value,
// the one that was compiled, each time.
func (t *Template) Constant() bool {
	_, ok := t.root.(constant)
	return ok
}

// Eval computes the template. Parts without anything to evaluate are shared with the template, not copied.
// An error is a *[FieldError] for the first field, in the order of the text, that cannot be evaluated, or says that the
// evaluation was interrupted: see [interrupt.Is].
func (t *Template) Eval(r *path.Roots, rnd Random) (value.Value, error) {
	return t.root.eval(r, rnd)
}

// Paths gives every Path of the template, those in calls too, with the JSON Pointer of the field that it is in.
func (t *Template) Paths() iter.Seq2[string, *path.Path] {
	return func(yield func(string, *path.Path) bool) {
		eachField(t.root, func(f *field) bool {
			if f.path != nil {
				return yield(f.pointer, f.path)
			}
			for p := range f.call.Paths() {
				if !yield(f.pointer, p) {
					return false
				}
			}
			return true
		})
	}
}

func eachField(n node, yield func(*field) bool) bool {
	var parts []node
	switch n := n.(type) {
	case *object:
		parts = n.nodes
	case *array:
		parts = n.nodes
	case *field:
		return yield(n)
	case constant:
	}
	return !slices.ContainsFunc(parts, func(part node) bool { return !eachField(part, yield) })
}

// Calls gives every call of an intrinsic function in the template, but not those in arguments, with the JSON Pointer of
// its field.
func (t *Template) Calls() iter.Seq2[string, *Call] {
	return func(yield func(string, *Call) bool) {
		eachField(t.root, func(f *field) bool { return f.call == nil || yield(f.pointer, f.call) })
	}
}

// node is one compiled value of a template.
type node interface {
	eval(r *path.Roots, rnd Random) (value.Value, error)
}

// constant is a part without anything to evaluate.
type constant struct{ value value.Value }

func (c constant) eval(*path.Roots, Random) (value.Value, error) { return c.value, nil }

// field is the value of a field whose name ends with ".$": exactly one of path and call is set.
type field struct {
	path    *path.Path
	call    *Call
	pointer string
	name    string
	text    string
}

func (f *field) eval(r *path.Roots, rnd Random) (value.Value, error) {
	var v value.Value
	var err error
	if f.path != nil {
		v, err = f.path.Get(r)
	} else {
		v, err = f.call.Eval(r, rnd)
	}
	if err != nil && r.PastEnd != nil && f.path != nil {
		var miss *path.MissError
		if errors.As(err, &miss) && miss.PastEnd() {
			return r.PastEnd, nil
		}
	}
	if err != nil {
		return nil, &FieldError{Pointer: f.pointer, Field: f.name, Text: f.text, Err: err}
	}
	return v, nil
}

// object is an object with something to evaluate in it.
type object struct {
	keys  []string // without the suffix
	nodes []node
}

func (o *object) eval(r *path.Roots, rnd Random) (value.Value, error) {
	if err := r.Poll.Step(len(o.nodes)); err != nil {
		return nil, err
	}
	members := make([]value.Member, len(o.keys))
	for i, n := range o.nodes {
		v, err := n.eval(r, rnd)
		if err != nil {
			return nil, err
		}
		members[i] = value.Member{Key: o.keys[i], Value: v}
	}
	return value.NewObject(members), nil
}

// array is an array with an object or array in it that has something to evaluate.
type array struct{ nodes []node }

func (a *array) eval(r *path.Roots, rnd Random) (value.Value, error) {
	if err := r.Poll.Step(len(a.nodes)); err != nil {
		return nil, err
	}
	items := make([]value.Value, len(a.nodes))
	for i, n := range a.nodes {
		v, err := n.eval(r, rnd)
		if err != nil {
			return nil, err
		}
		items[i] = v
	}
	return value.NewArray(items), nil
}
