package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/source"
	"asldb/engine/value"
)

// evaluation is the evaluation of one JSONata expression over shapes.
type evaluation struct {
	*visit
	node  *source.Node
	field string
	text  string
	depth int
	// quiet counts the parts around this one in which it is tested whether there is something.
	quiet int
	// branches counts the parts around this one that are not always evaluated.
	branches int
	// seeks: the value that the marked name is a member of is sought; predicates keep all that they choose from.
	seeks  bool
	sought *Shape
}

// frame has the variables of a block or function.
type frame struct {
	outer *frame
	names map[string]*Shape
}

func (f *frame) find(name string) (*Shape, bool) {
	for ; f != nil; f = f.outer {
		if s, ok := f.names[name]; ok {
			return s, true
		}
	}
	return nil, false
}

func (f *frame) inner() *frame { return &frame{outer: f, names: make(map[string]*Shape)} }

// eval returns the shape of an expression's value. context belongs to the names in it.
func (e *evaluation) eval(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	if e.depth++; e.depth > maxDepth {
		e.depth--
		return nil
	}
	e.space.Spend(1)
	found := e.kinds(t, context, f)
	e.depth--
	if t.Kind != jsonata.PathTree {
		found = e.filtered(t, found, f)
	}
	if !t.Plain {
		return nil
	}
	return found
}

func (e *evaluation) kinds(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	switch t.Kind {
	case jsonata.LiteralTree:
		if t.Literal == nil {
			return nil
		}
		return e.space.Of(t.Literal)
	case jsonata.NameTree:
		return e.member(context, t.Text)
	case jsonata.VariableTree:
		return e.variable(t, context, f)
	case jsonata.BinaryTree:
		return e.binary(t, context, f)
	case jsonata.NegateTree:
		e.parts(t, context, f)
		return Scalar(Number, nil)
	case jsonata.ArrayTree:
		return e.array(t, context, f)
	case jsonata.ObjectTree:
		return e.object(t, context, f)
	case jsonata.CallTree:
		return e.call(t, context, f)
	case jsonata.ConditionTree:
		return e.conditional(t, context, f)
	case jsonata.BlockTree:
		return e.block(t, context, f.inner())
	case jsonata.BindTree:
		found := e.eval(t.Parts[0], context, f)
		f.names[t.Text] = found
		return found
	case jsonata.PathTree:
		return e.path(t, context, f)
	case jsonata.LambdaTree:
		e.lambda(t, context, f, nil)
		return Scalar(Function, nil)
	case jsonata.ApplyTree:
		return e.apply(t, context, f)
	case jsonata.PartialTree:
		e.parts(t, context, f)
	case jsonata.OtherTree: // its own context
		e.parts(t, nil, f)
	}
	return nil
}

// parts evaluates the parts of an expression for the reads in them.
func (e *evaluation) parts(t *jsonata.Tree, context *Shape, f *frame) []*Shape {
	return value.Each(t.Parts, func(part *jsonata.Tree) *Shape { return e.eval(part, context, f) })
}

// filtered applies the predicates behind an expression.
func (e *evaluation) filtered(t *jsonata.Tree, found *Shape, f *frame) *Shape {
	for _, filter := range t.Filters {
		if filter.Kind == jsonata.LiteralTree {
			if n, ok := filter.Literal.(value.Number); ok {
				found = e.indexed(found, n)
				continue
			}
		}
		e.quiet++
		e.branches++
		e.eval(filter, e.space.Each(found, e.itemOrValue), f)
		e.branches--
		e.quiet--
		if !e.seeks {
			found = nil
		}
	}
	return found
}

// itemOrValue is the context of a predicate: each item of an array, or the value itself.
func (e *evaluation) itemOrValue(s *Shape) *Shape {
	if s.Kind() != Array {
		return s
	}
	if present, some := e.space.Present(e.space.AnyItem(s)); some {
		return present
	}
	return nil
}

// indexed applies a predicate that is a number.
func (e *evaluation) indexed(s *Shape, n value.Number) *Shape {
	index, ok := n.Int64()
	if !ok {
		return nil
	}
	return e.space.Each(s, func(c *Shape) *Shape {
		switch {
		case c.Kind() == Unknown || c.Kind() == Absent:
			return c
		case c.Kind() == Array:
			return e.space.Item(c, int(index))
		case index == 0 || index == -1:
			return c
		}
		return Missing(c, "["+value.Compact(n)+"]")
	})
}

// member is a step by name: of an array it is the members of all items.
func (e *evaluation) member(s *Shape, name string) *Shape {
	if name == marked && e.sought == nil {
		e.sought = s
	}
	return e.space.Each(s, func(c *Shape) *Shape {
		if c.Kind() != Array {
			return e.space.Member(c, name)
		}
		found := e.member(e.space.AnyItem(c), name)
		present, some := e.space.Present(found)
		if !some {
			return found
		}
		if present == nil {
			return nil
		}
		return e.space.Either(present, e.space.ArrayOf(present))
	})
}

func (e *evaluation) variable(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	if t.Text == "" {
		return context
	}
	if found, ok := f.find(t.Text); ok {
		return found
	}
	return e.assigned(t)
}

// assigned returns the shape of a variable of the execution. One that may be missing is told, unless the expression
// asks for things that may be, or falls back on something else.
func (e *evaluation) assigned(t *jsonata.Tree) *Shape {
	found := e.find(asl.Ref{Register: asl.RegisterVariables, Variable: t.Text})
	if !strings.Contains(e.text, "$exists") && !strings.Contains(e.text, "?") {
		e.noteRead(&use{node: e.node, span: e.node.Span, field: e.field, text: "$" + t.Text, shape: found, part: e.quiet > 0 || e.branches > 0})
	}
	if present, some := e.space.Present(found); some {
		return present
	}
	return nil
}

// path evaluates the steps of a path, and notes where it finds nothing.
func (e *evaluation) path(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	s := context
	known := false // the path starts from a known variable and has only names so far
	end := 0
	for i, step := range t.Parts {
		if i == 0 {
			known = step.Kind == jsonata.VariableTree && step.Text != ""
		} else {
			known = known && step.Kind == jsonata.NameTree
		}
		if step.Kind == jsonata.NameTree || i == 0 {
			s = e.kinds(step, s, f)
		} else {
			e.branches++
			found := e.eval(step, e.space.Each(s, e.itemOrValue), f)
			e.branches--
			if s = nil; e.seeks {
				s = found
			}
		}
		s = e.filtered(step, s, f)
		if !step.Plain {
			s = nil
		}
		end = step.End
		if known && s.Kind() == Absent {
			break
		}
	}
	if known {
		e.note(t, s, end)
	}
	return e.filtered(t, s, f)
}

// note notes a read of a path.
func (e *evaluation) note(t *jsonata.Tree, s *Shape, end int) {
	if e.quiet > 0 || t.Start < 0 || end > len(e.text) || t.Start > end {
		return
	}
	text := strings.TrimSpace(e.text[t.Start:end])
	u := &use{node: e.node, span: e.node.Span, field: e.field, text: text, shape: s, part: text != e.text}
	if whole := e.sourceOf(t); plainPath().MatchString("$" + strings.TrimPrefix(whole, text)) {
		u.whole = whole
	}
	if e.state.Type == asl.Parallel && strings.HasPrefix(text, "$states.result.") {
		u.result = e.is[asl.RegisterResult]
	}
	e.noteRead(u)
}

func (e *evaluation) binary(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	switch t.Text {
	case "and", "or":
		e.quiet++
		e.eval(t.Parts[0], context, f)
		e.branches++
		e.eval(t.Parts[1], context, f)
		e.branches--
		e.quiet--
		return Scalar(Bool, nil)
	case "=", "in":
		e.compareWords(t, e.parts(t, context, f))
		return Scalar(Bool, nil)
	case "!=":
		e.parts(t, context, f)
		return Scalar(Bool, nil)
	case "<", "<=", ">", ">=":
		e.compared(t, e.parts(t, context, f))
		return Scalar(Bool, nil)
	case "&":
		e.parts(t, context, f)
		return Scalar(String, nil)
	case "+", "-", "*", "/", "%":
		e.calculated(t, e.parts(t, context, f))
		return Scalar(Number, nil)
	case "..":
		e.parts(t, context, f)
		return e.space.ArrayOf(Scalar(Number, nil))
	}
	e.quiet++ // an operator that may do without its operand
	e.parts(t, context, f)
	e.quiet--
	return nil
}

// array is a constructor: items that are sequences are joined.
func (e *evaluation) array(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	plain := true
	items := e.parts(t, context, f)
	for i, item := range items {
		k := item.Kind()
		if t.Parts[i].Kind != jsonata.ArrayTree && (k == Array || k == Unknown || k == Absent || k == Union) {
			plain = false
		}
	}
	if !plain {
		return e.space.ArrayOf(nil)
	}
	return e.space.Array(items...)
}

func (e *evaluation) object(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	var members []Member
	open := false
	for i := 0; i+1 < len(t.Parts); i += 2 {
		key := e.eval(t.Parts[i], context, f)
		inner := e.eval(t.Parts[i+1], context, f)
		name, ok := key.Constant().(value.String)
		if !ok {
			open = true
			continue
		}
		present, some := e.space.Present(inner)
		if some { // a member that gives nothing is left out
			members = append(members, Member{Name: string(name), Shape: present, Maybe: inner.Kind() == Union || inner == nil})
		}
	}
	return e.space.Object(members, open)
}

func (e *evaluation) conditional(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	e.quiet++
	e.eval(t.Parts[0], context, f)
	asked := e.asked(t.Parts[0])
	e.quiet--
	e.branches++
	defer func() { e.branches-- }()
	var list []*Shape
	for _, branch := range t.Parts[1:] {
		if asked {
			e.quiet++
		}
		list = append(list, e.eval(branch, context, f.inner()))
		if asked {
			e.quiet--
		}
	}
	if len(t.Parts) < 3 {
		list = append(list, nil)
	}
	return e.space.Either(list...)
}

// asked reports whether a condition reads anything: its branches may rely on what it has found.
func (e *evaluation) asked(t *jsonata.Tree) bool { return t.Kind != jsonata.LiteralTree }

func (e *evaluation) block(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	var last *Shape
	for _, part := range t.Parts {
		last = e.eval(part, context, f)
	}
	return last
}

// lambda evaluates a function's body for arguments; missing ones are unknown.
func (e *evaluation) lambda(t *jsonata.Tree, context *Shape, f *frame, arguments []*Shape) *Shape {
	inner := f.inner()
	for i, name := range t.Names {
		inner.names[name] = nil
		if i < len(arguments) {
			inner.names[name] = arguments[i]
		}
	}
	if len(t.Parts) == 0 {
		return nil
	}
	e.branches++
	defer func() { e.branches-- }()
	return e.eval(t.Parts[0], context, inner)
}

func (e *evaluation) apply(t *jsonata.Tree, context *Shape, f *frame) *Shape {
	if call := t.Applied(); e.seeks && call != nil {
		return e.call(call, context, f)
	}
	e.parts(t, context, f)
	return nil
}
