package jsonata

import "asldb/engine/value"

// parser reads an expression by operator precedence.
type parser struct {
	lexer lexer
	tok   token // the current one
	depth int
	limit int
}

// How strongly an operator binds to its left operand. Operators that are not here end an expression.
var binding = map[string]int{
	".": 75, "[": 80, "{": 70, "(": 80, "@": 80, "#": 80, "?": 20, "+": 50, "-": 50, "*": 60, "/": 60, "%": 60,
	"=": 40, "<": 40, ">": 40, "^": 40, ":=": 10, "!=": 40, "<=": 40, ">=": 40, "~>": 40, "and": 30, "or": 25,
	"in": 40, "&": 50, "?:": 40, "??": 40,
}

const negationBinding = 70

// parse returns the tree of the expression, as it is written.
func (p *parser) parse() (*node, error) {
	if err := p.advance(false); err != nil {
		return nil, err
	}
	n, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != endToken {
		return nil, p.unexpected("S0201")
	}
	return n, nil
}

// unexpected is the error with code at the current token, which the message shows.
func (p *parser) unexpected(code string) *Error {
	e := fail(code).at(p.tok.end)
	switch p.tok.kind {
	case endToken:
		return e.token(endText)
	case numberToken:
		return e.token(numberText(p.tok.number)).asLiteral()
	case valueToken:
		return e.token(p.tok.text).asLiteral()
	default:
		return e.token(p.tok.text)
	}
}

func (p *parser) advance(infix bool) (err error) {
	p.tok, err = p.lexer.next(infix)
	if err == nil && (p.tok.text == "!" || p.tok.text == "~") && p.tok.kind == operatorToken {
		return fail("S0204").at(p.tok.end).token(p.tok.text)
	}
	return err
}

// is reports whether the current token is the operator op.
func (p *parser) is(op string) bool { return p.tok.kind == operatorToken && p.tok.text == op }

// expect passes over the operator op. infix reports whether the token after it is an infix operator.
func (p *parser) expect(op string, infix bool) error {
	if !p.is(op) {
		code := "S0202"
		if p.tok.kind == endToken {
			code = "S0203"
		}
		return p.unexpected(code).value(value.String(op))
	}
	return p.advance(infix)
}

func (p *parser) binds() int {
	if p.tok.kind != operatorToken {
		return 0
	}
	return binding[p.tok.text]
}

// expression reads an expression whose operators bind more strongly than power.
func (p *parser) expression(power int) (*node, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > p.limit {
		return nil, tooDeep().at(p.tok.end)
	}
	t := p.tok
	if err := p.advance(true); err != nil {
		return nil, err
	}
	left, err := p.prefix(t)
	for err == nil && power < p.binds() {
		t = p.tok
		if err = p.advance(false); err == nil {
			left, err = p.infix(t, left)
		}
	}
	return left, err
}

// behind is the end of the token before the current one.
func (p *parser) behind() int {
	end := p.tok.start
	for end > 0 && end <= len(p.lexer.text) && isBlank(p.lexer.text[end-1]) {
		end--
	}
	return end
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' }

// prefix reads the expression that begins with the token t.
func (p *parser) prefix(t token) (*node, error) {
	n := &node{start: t.start, end: t.end, pos: t.end, text: t.text}
	switch t.kind {
	case endToken:
		n.kind, n.text = endNode, endText
	case nameToken:
		n.kind = nameNode
	case variableToken:
		n.kind = variableNode
	case stringToken:
		n.kind, n.literal = stringNode, value.String(t.text)
	case numberToken:
		n.kind, n.literal = numberNode, t.number
	case valueToken:
		n.kind, n.literal = valueNode, any(literalValue(t.text))
	case regexToken:
		re, err := compileRegex(t.text)
		if err != nil {
			return nil, fail(CodeUnsupportedRegex).at(t.end).value(value.String(err.Error()))
		}
		re.pos = t.end
		n.kind, n.literal = regexNode, re
	default:
		return p.prefixOperator(n)
	}
	return n, nil
}

func (p *parser) prefixOperator(n *node) (_ *node, err error) {
	switch n.text {
	case "and", "or", "in":
		n.kind = wordNode
	case "*":
		n.kind = wildcardNode
	case "**":
		n.kind = descendantNode
	case "%":
		n.kind = parentNode
	case "-":
		n.kind = negateNode
		n.left, err = p.expression(negationBinding)
	case "(":
		n.kind = blockNode
		err = p.block(n)
	case "[":
		n.kind = arrayNode
		err = p.array(n)
	case "{":
		n.kind = objectNode
		n.pairs, err = p.pairs()
	case "|":
		n.kind = transformNode
		err = p.transform(n)
	default:
		return nil, fail("S0211").at(n.pos).token(n.text)
	}
	n.end = max(n.end, p.behind())
	return n, err
}

func (p *parser) block(n *node) error {
	for !p.is(")") {
		part, err := p.expression(0)
		if err != nil {
			return err
		}
		n.list = append(n.list, part)
		if !p.is(";") {
			break
		}
		if err := p.advance(false); err != nil {
			return err
		}
	}
	return p.expect(")", true)
}

// separated reads expressions with commas between them, up to the operator closing.
func (p *parser) separated(closing string, item func() error) error {
	for more := !p.is(closing); more; {
		if err := item(); err != nil {
			return err
		}
		if more = p.is(","); more {
			if err := p.advance(false); err != nil {
				return err
			}
		}
	}
	return p.expect(closing, true)
}

func (p *parser) array(n *node) error {
	return p.separated("]", func() error {
		item, err := p.expression(0)
		if err != nil {
			return err
		}
		if p.is("..") {
			item = &node{kind: binaryNode, text: "..", start: item.start, pos: p.tok.end, left: item}
			if err := p.advance(false); err != nil {
				return err
			}
			if item.right, err = p.expression(0); err != nil {
				return err
			}
			item.end = p.behind()
		}
		n.list = append(n.list, item)
		return nil
	})
}

// pairs reads the members of an object constructor and its closing brace.
func (p *parser) pairs() (pairs []pair, err error) {
	err = p.separated("}", func() error {
		key, err := p.expression(0)
		if err != nil {
			return err
		}
		if err := p.expect(":", false); err != nil {
			return err
		}
		v, err := p.expression(0)
		pairs = append(pairs, pair{key, v})
		return err
	})
	return pairs, err
}

func (p *parser) transform(n *node) (err error) {
	if n.left, err = p.expression(0); err != nil {
		return err
	}
	if err = p.expect("|", false); err != nil {
		return err
	}
	if n.right, err = p.expression(0); err != nil {
		return err
	}
	if p.is(",") {
		if err = p.advance(false); err != nil {
			return err
		}
		if n.third, err = p.expression(0); err != nil {
			return err
		}
	}
	return p.expect("|", true)
}
