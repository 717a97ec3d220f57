package path

import (
	"strings"

	"asldb/engine/interrupt"
	"asldb/engine/jsonata/regex"
	"asldb/engine/value"
)

// condition is a filter or a part of it.
type condition struct {
	kind        conditionKind
	parts       []*condition // anyOf, allOf, noneOf
	left, right operand      // compare; exists has left only
	relation    relation
	absent      bool // exists: !@.a
}

type conditionKind uint8

const (
	exists conditionKind = iota
	compare
	anyOf
	allOf
	noneOf // has one part
)

// operand is a constant or an inner path.
type operand struct {
	path     *Path
	fromRoot bool // the path begins with $, not @
	constant node
}

// node is a value as a filter compares it.
type node struct {
	kind    nodeKind
	text    string       // stringNode: the string; numberNode: the number as Java's BigDecimal writes it
	number  value.Number // numberNode
	value   value.Value  // jsonNode, booleanNode
	pattern *regex.Regex
}

type nodeKind uint8

const (
	undefinedNode nodeKind = iota // an inner path that misses
	nullNode
	booleanNode
	numberNode
	stringNode
	jsonNode // an array or an object
	patternNode
)

// holds applies the condition to v. The outcome invalid makes the whole filter false.
func (c *condition) holds(r *run, v value.Value) (bool, outcome) {
	switch c.kind {
	case exists:
		there, out := c.left.there(r, v)
		return there != c.absent, out
	case compare:
		left, out := c.left.evaluate(r, v)
		if out != fine {
			return false, out
		}
		right, out := c.right.evaluate(r, v)
		if out != fine {
			return false, out
		}
		if c.relation == matchRelation {
			return r.matchesPattern(left, right)
		}
		result, ok := relations[c.relation](r.poll, left, right)
		if r.poll.Err() != nil {
			return false, tooMuch
		}
		if !ok {
			return false, invalid
		}
		return result, fine
	case noneOf:
		result, out := c.parts[0].holds(r, v)
		return !result, out
	case anyOf, allOf:
	}
	for _, part := range c.parts {
		if result, out := part.holds(r, v); out != fine || result == (c.kind == anyOf) {
			return result, out
		}
	}
	return c.kind == allOf, fine
}

func (o *operand) root(r *run, v value.Value) value.Value {
	if o.fromRoot {
		return r.document
	}
	return v
}

// there tests that the operand's path selects something. A list selected counts, even an empty one.
// In such a test, and only there, Jayway takes $ too for the value under test.
func (o *operand) there(r *run, start value.Value) (bool, outcome) {
	if o.path.plain {
		if !r.visit() {
			return false, tooMuch
		}
		found, _ := walk(o.path.steps, start)
		return found != nil, fine
	}
	inner := run{path: o.path, document: r.document, visits: r.visits, poll: r.poll, require: true}
	switch out := inner.step(0, start); out {
	case fine:
		return !o.path.Definite() || len(inner.found) > 0, fine
	case notFound, noArray:
		return false, fine
	default:
		return false, out
	}
}

func (o *operand) evaluate(r *run, v value.Value) (node, outcome) {
	if o.path == nil {
		return o.constant, fine
	}
	start := o.root(r, v)
	if o.path.plain {
		if !r.visit() {
			return node{}, tooMuch
		}
		found, _ := walk(o.path.steps, start)
		return nodeOf(found), fine
	}
	inner := run{path: o.path, document: r.document, visits: r.visits, poll: r.poll}
	out := inner.step(0, start)
	switch {
	case out == notFound || out == noArray || (out == fine && o.path.Definite() && len(inner.found) == 0):
		return node{}, fine
	case out != fine:
		return node{}, out
	case o.path.Definite():
		return nodeOf(inner.found[0]), fine
	}
	return node{kind: jsonNode, value: value.NewArray(inner.found)}, fine
}

func nodeOf(v value.Value) node {
	switch v := v.(type) {
	case nil:
		return node{}
	case value.Null:
		return node{kind: nullNode}
	case value.Bool:
		return node{kind: booleanNode, value: v}
	case value.String:
		return node{kind: stringNode, text: string(v)}
	case value.Number:
		return numberOf(v)
	}
	return node{kind: jsonNode, value: v}
}

// equals compares as Jayway's ValueNode does: a number equals the string that is written like it.
func (a node) equals(b node) bool {
	switch {
	case a.kind == numberNode && b.kind == numberNode:
		return a.number.Compare(b.number) == 0
	case a.kind == numberNode && b.kind == stringNode:
		parsed, ok := decimalOf(b.text)
		return ok && a.number.Compare(parsed.number) == 0
	case a.kind == stringNode && b.kind == numberNode:
		return a.text == b.numberText()
	case a.kind != b.kind:
		return false
	}
	switch a.kind {
	case nullNode:
		return true
	case booleanNode:
		return a.value == b.value
	case stringNode:
		return a.text == b.text
	case jsonNode:
		return value.Equal(a.value, b.value)
	case undefinedNode, numberNode, patternNode:
	}
	return false
}

// scalarText returns the text that a pattern is matched against: "" for null and containers.
func (a node) scalarText() string {
	switch a.kind {
	case stringNode:
		return a.text
	case numberNode:
		return a.numberText()
	case booleanNode:
		return value.Compact(a.value)
	default:
		return ""
	}
}

// list returns the items where the node is an array. ok is false where Jayway would give up on the
// filter: the node isn't a container at all.
func (a node) list() (items *value.Array, ok bool) {
	if a.kind != jsonNode {
		return nil, false
	}
	items, _ = a.value.(*value.Array)
	return items, true
}

func contains(p *interrupt.Poll, items *value.Array, wanted node) bool {
	for _, item := range items.All() {
		if p.Step(1) != nil {
			return false
		}
		if wanted.equals(nodeOf(item)) {
			return true
		}
	}
	return false
}

// relation is a comparison. Its index in relations is its number.
type relation uint8

// relationNames has the operators in the order of relations.
var relationNames = [...]string{
	"==", "!=", "<", "<=", ">", ">=", "===", "!==", "=~", "in", "nin", "contains", "size", "empty",
	"subsetof", "anyof", "noneof", "exists", "all", "type", "matches",
}

// matchRelation is =~.
const matchRelation relation = 8

// relations has the comparisons. ok is false where Jayway gives up on the filter. Those that look through a list count their
// steps; their result is meaningless after an interruption.
var relations = [...]func(p *interrupt.Poll, a, b node) (result, ok bool){
	func(_ *interrupt.Poll, a, b node) (bool, bool) { return a.equals(b), true },
	func(_ *interrupt.Poll, a, b node) (bool, bool) { return !a.equals(b), true },
	ordered(func(order int) bool { return order < 0 }),
	ordered(func(order int) bool { return order <= 0 }),
	ordered(func(order int) bool { return order > 0 }),
	ordered(func(order int) bool { return order >= 0 }),
	func(_ *interrupt.Poll, a, b node) (bool, bool) { return a.kind == b.kind && a.equals(b), true },
	func(_ *interrupt.Poll, a, b node) (bool, bool) { return a.kind != b.kind || !a.equals(b), true },
	never, // =~, which can take too long: see [matchesPattern]
	isIn,
	func(p *interrupt.Poll, a, b node) (bool, bool) { in, ok := isIn(p, a, b); return !in, ok },
	func(p *interrupt.Poll, a, b node) (bool, bool) { return containsNode(p, a, b), true },
	func(_ *interrupt.Poll, a, b node) (bool, bool) { return hasSize(a, b), true },
	isEmpty,
	ofLists(func(p *interrupt.Poll, a, b *value.Array) bool { return countIn(p, a, b) == a.Len() }),
	ofLists(func(p *interrupt.Poll, a, b *value.Array) bool { return countIn(p, a, b) > 0 }),
	ofLists(func(p *interrupt.Poll, a, b *value.Array) bool { return countIn(p, a, b) == 0 }),
	func(_ *interrupt.Poll, a, b node) (bool, bool) {
		return a.equals(b), a.kind == booleanNode && b.kind == booleanNode
	},
	never, never, never, // Jayway knows these words but gives them nothing that a path can write
}

func never(*interrupt.Poll, node, node) (bool, bool) { return false, false }

// ordered compares numbers by value and strings by UTF-16 unit. Nothing else is before or after anything.
func ordered(wanted func(order int) bool) func(_ *interrupt.Poll, a, b node) (bool, bool) {
	return func(_ *interrupt.Poll, a, b node) (bool, bool) {
		switch {
		case a.kind == numberNode && b.kind == numberNode:
			return wanted(a.number.Compare(b.number)), true
		case a.kind == stringNode && b.kind == stringNode:
			return wanted(compareUTF16(a.text, b.text)), true
		}
		return false, true
	}
}

// matchesPattern tests a text, or one of a list, against a pattern. The outcome is fine, tooLong, or tooMuch where it was
// interrupted.
func (r *run) matchesPattern(a, b node) (bool, outcome) {
	if a.kind == patternNode {
		a, b = b, a
	}
	if b.kind != patternNode || a.kind == patternNode {
		return false, fine
	}
	items, _ := a.list()
	if items == nil {
		return r.matches(b, a)
	}
	for _, item := range items.All() {
		if matched, out := r.matches(b, nodeOf(item)); matched || out != fine {
			return matched, out
		}
	}
	return false, fine
}

// matches tests the text of a scalar against the pattern. A pattern that takes too long interrupts the evaluation: how long
// that is depends on the machine, and nothing of a run may.
func (r *run) matches(pattern, a node) (bool, outcome) {
	matched, err := pattern.pattern.Matches(a.scalarText(), r.poll.Look)
	switch {
	case err == nil:
		return matched, fine
	case interrupt.Is(err):
		return false, tooMuch
	case r.poll != nil:
		r.poll.Stop(err)
	}
	return false, tooLong
}

func isIn(p *interrupt.Poll, a, b node) (bool, bool) {
	items, ok := b.list()
	return items != nil && contains(p, items, a), ok
}

func containsNode(p *interrupt.Poll, a, b node) bool {
	if a.kind == stringNode && b.kind == stringNode {
		return strings.Contains(a.text, b.text)
	}
	items, _ := a.list()
	return items != nil && contains(p, items, b)
}

func hasSize(a, b node) bool {
	if b.kind != numberNode {
		return false
	}
	size := -1 // of an object
	switch items, _ := a.list(); {
	case a.kind == stringNode:
		size = lengthUTF16(a.text)
	case items != nil:
		size = items.Len()
	case a.kind != jsonNode:
		return false
	}
	return size == int(b.number.Float64())
}

func isEmpty(_ *interrupt.Poll, a, b node) (bool, bool) {
	empty := false
	switch c := a.value.(type) {
	case *value.Array:
		empty = c.Len() == 0
	case *value.Object:
		empty = c.Len() == 0
	default:
		if a.kind != stringNode {
			return false, true
		}
		empty = a.text == ""
	}
	return value.Bool(empty) == b.value, b.kind == booleanNode
}

func ofLists(test func(p *interrupt.Poll, a, b *value.Array) bool) func(p *interrupt.Poll, a, b node) (bool, bool) {
	return func(p *interrupt.Poll, a, b node) (bool, bool) {
		right, ok := b.list()
		if right == nil {
			return false, ok
		}
		left, ok := a.list()
		return left != nil && test(p, left, right), ok
	}
}

// countIn returns how many items of a are in b.
func countIn(p *interrupt.Poll, a, b *value.Array) int {
	n := 0
	for _, item := range a.All() {
		if contains(p, b, nodeOf(item)) {
			n++
		}
	}
	return n
}
