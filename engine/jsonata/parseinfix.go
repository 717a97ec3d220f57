package jsonata

import (
	"strings"

	"asldb/engine/value"
)

// infix reads the rest of an expression after the operand left and the operator t.
func (p *parser) infix(t token, left *node) (_ *node, err error) {
	n := &node{kind: binaryNode, start: left.start, pos: t.end, text: t.text, left: left}
	switch t.text {
	case "(":
		n, err = p.call(n)
	case "[":
		n, err = p.predicate(n)
	case "{":
		n.kind = groupNode
		n.pairs, err = p.pairs()
	case "^":
		n.kind = orderNode
		err = p.order(n)
	case ":=":
		n.kind = bindNode
		if left.kind != variableNode {
			return nil, fail("S0212").at(left.pos).token(left.tokenText())
		}
		n.right, err = p.expression(binding[":="] - 1)
	case "@", "#":
		n.kind = focusNode
		if t.text == "#" {
			n.kind = indexNode
		}
		n.right, err = p.expression(binding[t.text])
		if err == nil && n.right.kind != variableNode {
			return nil, fail("S0214").at(n.right.pos).token(t.text)
		}
	case "?":
		err = p.condition(n)
	case "?:":
		n.kind, n.right = conditionNode, left
		n.third, err = p.expression(0)
	case "??":
		exists := &node{kind: variableNode, text: "exists", start: left.start, end: left.end, pos: t.end}
		n.left = &node{kind: callNode, start: left.start, end: left.end, pos: t.end, left: exists, list: []*node{left}}
		n.kind, n.right = conditionNode, left
		n.third, err = p.expression(0)
	default:
		if t.text == "." {
			n.kind = mapNode
		} else if t.text == "~>" {
			n.kind = applyNode
		}
		n.right, err = p.expression(binding[t.text])
	}
	if err != nil {
		return nil, err
	}
	if n != left {
		n.end = p.behind()
	}
	return n, nil
}

func (p *parser) condition(n *node) (err error) {
	n.kind = conditionNode
	if n.right, err = p.expression(0); err != nil || !p.is(":") {
		return err
	}
	if err = p.advance(false); err != nil {
		return err
	}
	n.third, err = p.expression(0)
	return err
}

// predicate reads a predicate, or the [] that keeps singleton arrays.
func (p *parser) predicate(n *node) (_ *node, err error) {
	if p.is("]") {
		step := n.left
		for step.kind == predicateNode {
			step = step.left
		}
		step.keepArray = true
		if err := p.advance(false); err != nil { // a / here begins a regular expression, as in the reference implementation
			return nil, err
		}
		n.left.end = p.behind()
		return n.left, nil
	}
	n.kind = predicateNode
	if n.right, err = p.expression(0); err != nil {
		return nil, err
	}
	return n, p.expect("]", true)
}

func (p *parser) order(n *node) error {
	if err := p.expect("(", false); err != nil {
		return err
	}
	for {
		var term sortTerm
		if p.is("<") || p.is(">") {
			term.descending = p.is(">")
			if err := p.advance(false); err != nil {
				return err
			}
		}
		var err error
		if term.by, err = p.expression(0); err != nil {
			return err
		}
		n.terms = append(n.terms, term)
		if !p.is(",") {
			break
		}
		if err := p.advance(false); err != nil {
			return err
		}
	}
	return p.expect(")", false)
}

// call reads the arguments of a call, and the rest of a lambda where the function is called function or λ.
func (p *parser) call(n *node) (*node, error) {
	n.kind = callNode
	err := p.separated(")", func() error {
		if p.is("?") {
			n.kind = partialNode
			n.list = append(n.list, &node{kind: placeholderNode, text: "?", start: p.tok.start, end: p.tok.end, pos: p.tok.end})
			return p.advance(true)
		}
		argument, err := p.expression(0)
		n.list = append(n.list, argument)
		return err
	})
	if err != nil {
		return nil, err
	}
	if n.left.kind == nameNode && (n.left.text == "function" || n.left.text == "λ") {
		return n, p.lambda(n)
	}
	return n, nil
}

func (p *parser) lambda(n *node) (err error) {
	for i, parameter := range n.list {
		if parameter.kind != variableNode {
			return fail("S0208").at(parameter.pos).token(parameter.tokenText()).value(float64(i + 1))
		}
	}
	n.kind = lambdaNode
	if p.is("<") {
		if n.sig, err = p.signature(); err != nil {
			return err
		}
	}
	if err = p.expect("{", false); err != nil {
		return err
	}
	if n.left, err = p.expression(0); err != nil {
		return err
	}
	return p.expect("}", true)
}

// signature reads the signature of a lambda.
func (p *parser) signature() (*signature, error) {
	start := p.tok.end
	var text strings.Builder
	text.WriteByte('<')
	for depth := 1; depth > 0 && !p.is("{") && p.tok.kind != endToken; {
		if err := p.advance(false); err != nil {
			return nil, err
		}
		if p.is(">") {
			depth--
		} else if p.is("<") {
			depth++
		}
		text.WriteString(p.tok.text)
	}
	if err := p.expect(">", true); err != nil {
		return nil, err
	}
	sig, offset, err := parseSignature(text.String())
	if err != nil {
		return nil, err.at(start + offset)
	}
	return sig, nil
}

// tooDeep is the error of an expression or a computation that is nested too deeply.
func tooDeep() *Error {
	return fail(CodeLimit).text("Stack overflow error: Check for non-terminating recursive function.  Consider rewriting as tail-recursive. " +
		"(The bound is asldb's own.)").limited(depthLimit).own()
}

// stopped is the error of a computation that exceeds a limit.
func stopped(bound string) *Error {
	return fail(CodeLimit).text("asldb stopped the evaluation, by its own bound: " + bound).value(value.String(bound)).own()
}
