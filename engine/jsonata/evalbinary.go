package jsonata

import (
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"asldb/engine/value"
)

// maxRange is the number of items that a range may have.
const maxRange = 10_000_000

func (r *run) binary(n *node, in any, f *frame) (any, error) {
	left, err := r.eval(n.left, in, f)
	if err != nil {
		return nil, err
	}
	if n.text == "and" || n.text == "or" {
		return r.logic(n, left, in, f)
	}
	right, err := r.eval(n.right, in, f)
	if err != nil {
		return nil, err
	}
	v, err := r.operate(n.text, left, right)
	if err != nil {
		return nil, blameOperator(err, n.pos, n.text)
	}
	return v, nil
}

// logic evaluates and and or; the right side only when it decides.
func (r *run) logic(n *node, left, in any, f *frame) (any, error) {
	yes, err := truth(left, 0)
	if err != nil {
		return nil, blameOperator(err, n.pos, n.text)
	}
	if yes == (n.text == "or") {
		return value.Bool(yes), nil
	}
	right, err := r.eval(n.right, in, f)
	if err == nil {
		yes, err = truth(right, 0)
	}
	if err != nil {
		return nil, blameOperator(err, n.pos, n.text)
	}
	return value.Bool(yes), nil
}

func (r *run) operate(op string, left, right any) (any, error) {
	switch op {
	case "+", "-", "*", "/", "%":
		return compute(op[0], left, right)
	case "=", "!=":
		if left == nil || right == nil {
			return value.Bool(false), nil
		}
		same, err := r.equal(left, right, 0)
		return value.Bool(same == (op == "=")), err
	case "<", "<=", ">", ">=":
		return compare(op, left, right)
	case "&":
		return r.concat(left, right)
	case "..":
		return r.makeRange(left, right)
	case "in":
		return r.includes(left, right)
	}
	return nil, fail("S0204")
}

func compute(op byte, left, right any) (any, error) {
	a, ok, err := numeric(left)
	if err != nil {
		return nil, err
	}
	if left != nil && !ok {
		return nil, fail("T2001").value(left)
	}
	b, ok, err := numeric(right)
	if err != nil {
		return nil, err
	}
	if right != nil && !ok {
		return nil, fail("T2002").value(right)
	}
	if left == nil || right == nil {
		return nil, nil
	}
	switch op {
	case '+':
		return a + b, nil
	case '-':
		return a - b, nil
	case '*':
		return a * b, nil
	case '/':
		return a / b, nil
	}
	return math.Mod(a, b), nil
}

func compare(op string, left, right any) (any, error) {
	a, aIsNumber := value.Double(left)
	b, bIsNumber := value.Double(right)
	s, aIsText := left.(value.String)
	t, bIsText := right.(value.String)
	switch {
	case left != nil && !aIsNumber && !aIsText:
		return nil, fail("T2010").value(left)
	case right != nil && !bIsNumber && !bIsText:
		return nil, fail("T2010").value(right)
	case left == nil || right == nil:
		return nil, nil
	case aIsNumber != bIsNumber:
		return nil, fail("T2009").values(left, right)
	}
	if aIsText {
		order := compareText(string(s), string(t))
		a, b = float64(order), 0
	}
	switch op {
	case "<":
		return value.Bool(a < b), nil
	case "<=":
		return value.Bool(a <= b), nil
	case ">":
		return value.Bool(a > b), nil
	}
	return value.Bool(a >= b), nil
}

// compareText compares by UTF-16 units, as JavaScript does: characters beyond U+FFFF come before U+E000.
func compareText(a, b string) int {
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if x != y {
			if high, _ := utf16.EncodeRune(x); x > 0xffff {
				x = high
			}
			if high, _ := utf16.EncodeRune(y); y > 0xffff {
				y = high
			}
			if x != y {
				return int(x - y)
			}
			return strings.Compare(a, b)
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}

func (r *run) concat(left, right any) (any, error) {
	a, err := r.textOf(left, false)
	if err != nil {
		return nil, err
	}
	b, err := r.textOf(right, false)
	if err != nil {
		return nil, err
	}
	if most := 2 * (len(a) + len(b)); r.memory > 0 && most*characterBytes > r.memory { // the operands and the result
		if err := r.hold(2*float64(units(a)+units(b)), characterBytes); err != nil {
			return nil, err
		}
	}
	if err := r.takeText(len(a) + len(b)); err != nil {
		return nil, err
	}
	return value.String(joinSurrogates(a + b)), nil
}

// makeRange gives the integers from left to right. They are not written down until someone needs them.
func (g *budget) makeRange(left, right any) (any, error) {
	a, aOK := value.Double(left)
	b, bOK := value.Double(right)
	if left != nil && (!aOK || a != math.Trunc(a) || math.IsInf(a, 0)) {
		return nil, fail("T2003").value(left)
	}
	if right != nil && (!bOK || b != math.Trunc(b) || math.IsInf(b, 0)) {
		return nil, fail("T2004").value(right)
	}
	if left == nil || right == nil || a > b {
		return nil, nil
	}
	size := b - a + 1
	if size > maxRange {
		return nil, fail("D2014").value(size)
	}
	if err := g.hold(size, itemBytes); err != nil {
		return nil, err
	}
	return &list{lo: a, span: int(size), sequence: true}, nil
}

// includes reports whether left is one of the items of right. Containers are the same only when they are one.
func (g *budget) includes(left, right any) (any, error) {
	if left == nil || right == nil {
		return value.Bool(false), nil
	}
	items := orSingle(right)
	n := items.len()
	if err := g.step(n); err != nil {
		return nil, err
	}
	for i := 0; i < n; i++ {
		if identical(left, items.at(i)) {
			return value.Bool(true), nil
		}
	}
	return value.Bool(false), nil
}

// identical is JavaScript's ===.
func identical(a, b any) bool {
	if x, ok := value.Double(a); ok {
		y, ok := value.Double(b)
		return ok && x == y
	}
	if b == nil || a == nil {
		return a == b
	}
	if _, ok := value.Double(b); ok {
		return false
	}
	return a == b
}
