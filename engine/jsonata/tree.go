package jsonata

import (
	"iter"

	"asldb/engine/value"
)

// TreeKind tells the nodes of a Tree apart.
type TreeKind uint8

// The kinds of nodes. OtherTree is a node with nothing but its parts: wildcards, parents, sorting, transforms.
const (
	OtherTree     TreeKind = iota
	NameTree               // a member of the context; Text is its name
	LiteralTree            // Literal is its value
	VariableTree           // Text is its name without the $
	BinaryTree             // Text is the operator; Parts are both operands
	NegateTree             // Parts has the operand
	ArrayTree              // Parts are the items
	ObjectTree             // Parts are keys and values in turn
	CallTree               // Parts are the function and the arguments
	PartialTree            // Parts are the function and the arguments; some are placeholders
	LambdaTree             // Names are the parameters; Parts has the body
	ConditionTree          // Parts are the condition and the branches; the second may be missing
	BlockTree              // Parts are the expressions
	BindTree               // Text is the variable; Parts has the value
	ApplyTree              // Parts are the argument and the function
	PathTree               // Parts are the steps
)

// A Tree is an expression, or a part of one, for a reader that does not evaluate it.
type Tree struct {
	Kind TreeKind
	// Start and End are where it is written, in bytes of the expression's text.
	Start, End int
	Text       string
	Names      []string
	Literal    value.Value
	Parts      []*Tree
	// Filters are the predicates behind it, in their order.
	Filters []*Tree
	// Plain tells that nothing else is attached to it: no grouping, no binding of its context or position, no [].
	Plain bool
}

// Tree returns the expression as a tree. Nothing of it is shared with other calls.
func (x *Expression) Tree() *Tree { return treeOf(x.root) }

func treeOf(n *node) *Tree {
	if n == nil {
		return nil
	}
	if n.kind == thunkNode {
		return treeOf(n.left)
	}
	t := &Tree{
		Start: n.start, End: n.end, Text: n.text,
		Plain: n.group == nil && n.focus == "" && n.index == "" && !n.keepArray && !n.keepSingletons && !n.tuple && len(n.seeking) == 0,
	}
	t.Kind, t.Parts = partsOf(n, t)
	for _, list := range [][]stage{n.stages, n.filters} {
		for _, s := range list {
			if s.filter == nil {
				t.Plain = false
				continue
			}
			t.Filters = append(t.Filters, treeOf(s.filter))
		}
	}
	return t
}

// partsOf returns the kind of a node and its parts, and sets the other fields that the kind has.
func partsOf(n *node, t *Tree) (TreeKind, []*Tree) {
	switch n.kind {
	case nameNode:
		return NameTree, nil
	case stringNode, numberNode, valueNode:
		t.Literal = literalOf(n.literal)
		return LiteralTree, nil
	case variableNode:
		return VariableTree, nil
	case binaryNode:
		return BinaryTree, treesOf(n.left, n.right)
	case negateNode:
		return NegateTree, treesOf(n.left)
	case arrayNode:
		return ArrayTree, treesOf(n.list...)
	case objectNode:
		return ObjectTree, pairsOf(n.pairs)
	case callNode:
		return CallTree, append(treesOf(n.left), treesOf(n.list...)...)
	case partialNode:
		return PartialTree, append(treesOf(n.left), treesOf(n.list...)...)
	case lambdaNode:
		for _, parameter := range n.list {
			t.Names = append(t.Names, parameter.text)
		}
		return LambdaTree, treesOf(n.left)
	case conditionNode:
		return ConditionTree, treesOf(n.left, n.right, n.third)
	case blockNode:
		return BlockTree, treesOf(n.list...)
	case bindNode:
		t.Text = n.left.text
		return BindTree, treesOf(n.right)
	case applyNode:
		return ApplyTree, treesOf(n.left, n.right)
	case pathNode:
		return PathTree, treesOf(n.list...)
	default:
	}
	return OtherTree, append(treesOf(n.left, n.right, n.third), treesOf(n.list...)...)
}

func treesOf(nodes ...*node) []*Tree {
	var list []*Tree
	for _, n := range nodes {
		if n != nil {
			list = append(list, treeOf(n))
		}
	}
	return list
}

func pairsOf(pairs []pair) []*Tree {
	var list []*Tree
	for _, p := range pairs {
		list = append(list, treeOf(p.key), treeOf(p.value))
	}
	return list
}

// literalOf returns the value of a literal, nil for one that JSON does not have.
func literalOf(literal any) value.Value {
	switch l := literal.(type) {
	case nil:
		return value.Null{}
	case bool:
		return value.Bool(l)
	case string:
		return value.String(l)
	case float64:
		return value.Float(l)
	case value.Value:
		return l
	}
	return nil
}

// All returns the tree and the parts of it, each before those inside of it.
func (t *Tree) All() iter.Seq[*Tree] { return func(yield func(*Tree) bool) { t.all(yield) } }

func (t *Tree) all(yield func(*Tree) bool) bool {
	if t == nil {
		return true
	}
	if !yield(t) {
		return false
	}
	for _, list := range [][]*Tree{t.Parts, t.Filters} {
		for _, part := range list {
			if !part.all(yield) {
				return false
			}
		}
	}
	return true
}

// Last returns the last name of a path, empty where the tree is none.
func (t *Tree) Last() string {
	if t.Kind != PathTree {
		return ""
	}
	return t.Parts[len(t.Parts)-1].Text
}

// After returns the names of a path behind those that it begins with, a variable and its members; false of any
// other tree than a path of names alone.
func (t *Tree) After(names ...string) (rest []string, ok bool) {
	if t.Kind != PathTree || len(t.Parts) < len(names) || !t.Plain || len(t.Filters) > 0 {
		return nil, false
	}
	for i, step := range t.Parts {
		kind := NameTree
		if i == 0 {
			kind = VariableTree
		}
		switch {
		case step.Kind != kind || !step.Plain || len(step.Filters) > 0 || i < len(names) && step.Text != names[i]:
			return nil, false
		case i >= len(names):
			rest = append(rest, step.Text)
		}
	}
	return rest, true
}

// Compared returns the path and the literal of a comparison of these, whichever is first; nil where the tree is none.
func (t *Tree) Compared() (of *Tree, literal value.Value) {
	if t.Kind != BinaryTree || len(t.Parts) != 2 {
		return nil, nil
	}
	switch t.Text {
	case "=", "!=", "<", "<=", ">", ">=":
		for i, side := range t.Parts {
			if other := t.Parts[1-i]; side.Kind == PathTree && other.Kind == LiteralTree && other.Literal != nil {
				return side, other.Literal
			}
		}
	}
	return nil, nil
}

// Applied returns an application as the call with its argument first; nil where the tree is none.
func (t *Tree) Applied() *Tree {
	if t.Kind != ApplyTree || len(t.Parts) < 2 {
		return nil
	}
	call := &Tree{Kind: CallTree, Plain: true, Parts: []*Tree{t.Parts[1], t.Parts[0]}}
	if f := t.Parts[1]; f.Kind == CallTree {
		call.Parts = append([]*Tree{f.Parts[0], t.Parts[0]}, f.Parts[1:]...)
	}
	return call
}

// Object reports whether the expression makes an object, with nothing behind it.
func (t *Tree) Object() bool {
	return t != nil && t.Kind == ObjectTree && len(t.Filters) == 0 && t.Plain
}

// Keys returns the names of the members of an object that are literals, in their order.
func (t *Tree) Keys() (names []string) {
	for i := 0; t.Kind == ObjectTree && i < len(t.Parts); i += 2 {
		if name, ok := t.Parts[i].Literal.(value.String); ok && t.Parts[i].Kind == LiteralTree {
			names = append(names, string(name))
		}
	}
	return names
}
