package asl

import (
	"strconv"

	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/value"
)

// expressionMove returns the move of an expression in JSONata: a Select where it is one path, a Text where it is a literal, and else
// a Call with what it reads as Parts, in the order of the text.
func expressionMove(x *jsonata.Expression) Move {
	r := queryReads{}
	tree := x.Tree()
	r.read(tree, NeedMust, nil)
	m := Move{Kind: MoveCall, Expression: x}
	if tree.Kind == jsonata.LiteralTree && len(tree.Filters) == 0 {
		m.Kind, m.From = MoveText, refs(RegisterText)
		return m
	}
	for i := range r.found {
		m.From = append(m.From, r.found[i].From...)
	}
	if len(r.found) == 1 && r.whole {
		m.Kind = r.found[0].Kind
		return m
	}
	m.parts = func() []Move { return r.found }
	return m
}

// queryReads collects the references to registers in an expression.
type queryReads struct {
	found []Move
	whole bool // the newest one is a path of names from a register, to its end
}

// names are the variables that an expression binds itself.
type names struct {
	outer *names
	list  []string
}

func (n *names) has(name string) bool {
	for ; n != nil; n = n.outer {
		for _, own := range n.list {
			if own == name {
				return true
			}
		}
	}
	return false
}

// asksFirst are the functions that ask whether there is something, or do without it. The table is never changed.
var asksFirst = map[string]bool{
	"exists": true, "boolean": true, "not": true, "type": true, "count": true, "lookup": true, "merge": true, "append": true,
	"keys": true, "filter": true, "sift": true, "spread": true,
}

// read collects the references of a part that is needed so far.
func (r *queryReads) read(t *jsonata.Tree, need Need, own *names) {
	r.whole = false
	switch t.Kind {
	case jsonata.PathTree:
		r.path(t, need, own)
		return
	case jsonata.VariableTree:
		r.reference(t, nil, need, own)
	case jsonata.BinaryTree:
		switch t.Text {
		case "+", "-", "*", "/", "%", "<", "<=", ">", ">=": // nothing of nothing
		default: // it does without its operand, or is false then
			need = NeedMaybe
		}
		r.all(t.Parts, need, own)
	case jsonata.ObjectTree:
		for i, part := range t.Parts {
			if i%2 == 0 || need == NeedMaybe {
				r.read(part, need, own)
			} else {
				r.read(part, NeedDrop, own)
			}
		}
	case jsonata.ArrayTree:
		if need == NeedMust {
			need = NeedDrop
		}
		r.all(t.Parts, need, own)
	case jsonata.CallTree:
		r.call(t, need, own)
	case jsonata.ConditionTree:
		r.all(t.Parts, NeedMaybe, own)
	case jsonata.BlockTree:
		r.block(t, need, own)
	case jsonata.BindTree:
		r.all(t.Parts, NeedMaybe, own)
	case jsonata.LambdaTree:
		r.all(t.Parts, NeedMaybe, &names{own, t.Names})
	case jsonata.NegateTree:
		r.all(t.Parts, need, own)
	case jsonata.ApplyTree, jsonata.PartialTree, jsonata.OtherTree:
		r.all(t.Parts, NeedMaybe, own)
	case jsonata.NameTree, jsonata.LiteralTree:
	}
	r.all(t.Filters, NeedMaybe, own)
	r.whole = r.whole && len(t.Filters) == 0 && t.Plain && t.Kind == jsonata.VariableTree
}

func (r *queryReads) all(parts []*jsonata.Tree, need Need, own *names) {
	for _, part := range parts {
		whole := r.whole
		r.read(part, need, own)
		r.whole = whole
	}
}

// call collects the references of a call: most functions give nothing of nothing.
func (r *queryReads) call(t *jsonata.Tree, need Need, own *names) {
	if callee := t.Parts[0]; callee.Kind != jsonata.VariableTree || own.has(callee.Text) {
		r.read(callee, need, own)
	} else if asksFirst[callee.Text] {
		need = NeedMaybe
	}
	r.all(t.Parts[1:], need, own)
}

// block collects the references of expressions; the last one is the value.
func (r *queryReads) block(t *jsonata.Tree, need Need, own *names) {
	inner := &names{outer: own}
	for i, part := range t.Parts {
		if i < len(t.Parts)-1 {
			r.read(part, NeedMaybe, inner)
		} else {
			r.read(part, need, inner)
		}
		if part.Kind == jsonata.BindTree {
			inner.list = append(inner.list, part.Text)
		}
	}
}

// path collects a path of steps: the names behind a variable, and what later steps and predicates read.
func (r *queryReads) path(t *jsonata.Tree, need Need, own *names) {
	first := t.Parts[0]
	if first.Kind != jsonata.VariableTree {
		r.read(first, need, own)
		r.all(t.Parts[1:], NeedMaybe, own)
		r.all(t.Filters, NeedMaybe, own)
		return
	}
	var segments []segment
	end := 0
	for end = 0; end < len(t.Parts); end++ {
		step := t.Parts[end]
		if end > 0 {
			if step.Kind != jsonata.NameTree {
				break
			}
			segments = append(segments, segment{name: step.Text})
		}
		if index, plain := indexIn(step.Filters); plain {
			segments = append(segments, index...)
		} else {
			break
		}
		if !step.Plain {
			end++
			break
		}
	}
	index, plain := indexIn(t.Filters)
	if end == len(t.Parts) && plain {
		segments = append(segments, index...)
	}
	r.reference(first, segments, need, own)
	whole := end == len(t.Parts) && plain && t.Plain
	for i := range t.Parts {
		if i >= end && i > 0 {
			r.read(t.Parts[i], NeedMaybe, own)
		} else {
			r.all(t.Parts[i].Filters, NeedMaybe, own)
		}
	}
	r.all(t.Filters, NeedMaybe, own)
	r.whole = whole
}

// segment is a name, or a number of an item where name is empty.
type segment struct {
	name  string
	index int64
}

// indexIn returns the segments that predicates are; false where they are more than numbers.
func indexIn(filters []*jsonata.Tree) ([]segment, bool) {
	var list []segment
	for _, f := range filters {
		number, ok := f.Literal.(value.Number)
		if f.Kind != jsonata.LiteralTree || !ok {
			return nil, false
		}
		index, whole := number.Int64()
		if !whole || index < 0 {
			return nil, false
		}
		list = append(list, segment{index: index})
	}
	return list, true
}

// reference adds a reference to a register.
func (r *queryReads) reference(t *jsonata.Tree, segments []segment, need Need, own *names) {
	r.whole = false
	if t.Text == "" || t.Text == "$" || own.has(t.Text) {
		return
	}
	at := Ref{Register: RegisterVariables, Variable: t.Text}
	if t.Text == "states" {
		if len(segments) == 0 || stateRegisters[segments[0].name] == 0 {
			for _, register := range []Register{RegisterRaw, RegisterResult, RegisterError, RegisterContext} {
				r.add(MoveKeep, Ref{Register: register}, NeedMaybe)
			}
			return
		}
		at = Ref{Register: stateRegisters[segments[0].name]}
		segments = segments[1:]
	}
	kind := MoveKeep
	if len(segments) > 0 {
		kind, at.Path = MoveSelect, segmentPath(segments)
	}
	if at.Register == RegisterContext && at.Path != nil {
		at = contextRef(at.Path)
	}
	r.add(kind, at, need)
	r.whole = true
}

// stateRegisters are the members of $states. The table is never changed.
var stateRegisters = map[string]Register{
	"input": RegisterRaw, "result": RegisterResult, "errorOutput": RegisterError, "context": RegisterContext,
}

// StatesRegister returns the register that a member of $states is, or none.
func StatesRegister(member string) Register { return stateRegisters[member] }

func (r *queryReads) add(kind MoveKind, at Ref, need Need) {
	r.found = append(r.found, Move{Kind: kind, From: []Ref{at}, Needs: need})
}

func segmentPath(segments []segment) *path.Path {
	text := ""
	for _, s := range segments {
		if s.name == "" {
			text += "[" + strconv.Itoa(int(s.index)) + "]"
		} else {
			text += path.Member(s.name)
		}
	}
	return rooted(text)
}
