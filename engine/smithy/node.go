package smithy

import (
	"fmt"

	"asldb/engine/source"
	"asldb/engine/value"
)

// node reads a node value (section "Node values").
func (p *parser) node() *source.Node {
	if p.depth++; p.depth > value.DefaultDepth {
		p.fail(p.here(), "the values are nested more than %d levels deep", value.DefaultDepth)
	}
	defer func() { p.depth-- }()
	switch c := p.peek(); {
	case c == '[':
		return p.array(p.node)
	case c == '{':
		return p.object(func(string) *source.Node { return p.node() })
	case c == '"':
		return p.stringNode()
	case c == '-' || isDigit(c):
		return p.number()
	case isLetter(c):
		return p.wordNode()
	}
	p.expected("a value")
	return nil
}

// wordNode reads a keyword, or the id of a shape.
func (p *parser) wordNode() *source.Node {
	name, at := p.shapeName("a value")
	switch name {
	case "true", "false":
		return &source.Node{Kind: value.KindBool, Value: value.Bool(name == "true"), Span: at}
	case "null":
		return &source.Node{Kind: value.KindNull, Value: value.Null{}, Span: at}
	}
	return source.NewString(p.resolve(name), at)
}

func (p *parser) number() *source.Node {
	start := p.at
	n := 0
	for c := p.peekAt(n); isDigit(c) || c == '-' || c == '+' || c == '.' || c|0x20 == 'e'; c = p.peekAt(n) {
		n++
	}
	text := string(p.data[p.at.Offset : p.at.Offset+n])
	p.skip(n)
	at := source.Span{Start: start, End: p.at}
	number, err := value.ParseNumber(text)
	if err != nil {
		p.fail(at, "%q is not a number", text)
	}
	return &source.Node{Kind: value.KindNumber, Value: number, Span: at}
}

// array reads a list in brackets.
func (p *parser) array(item func() *source.Node) *source.Node {
	opened := p.symbol("[")
	var items []*source.Node
	for p.white(); !p.accept("]"); p.white() {
		if p.ended() {
			p.unclosed("a value or ]", opened)
		}
		items = append(items, item())
	}
	return source.NewArray(items, source.Span{Start: opened.Start, End: p.at})
}

// object reads an object in braces.
func (p *parser) object(held func(key string) *source.Node) *source.Node {
	opened := p.symbol("{")
	p.white()
	members := p.pairs("}", opened, held)
	return source.NewObject(members, source.Span{Start: opened.Start, End: p.at})
}

// pairs reads the keys and values up to a closing bracket, which it passes.
func (p *parser) pairs(closing string, opened source.Span, held func(key string) *source.Node) []source.NodeMember {
	var members []source.NodeMember
	for ; !p.accept(closing); p.white() {
		key, at := p.key(fmt.Sprintf("a name or %s", closing), opened)
		members = append(members, p.pair(key, at, held))
	}
	return members
}

// pair reads the rest of a member, behind its key.
func (p *parser) pair(key string, at source.Span, held func(key string) *source.Node) source.NodeMember {
	p.white()
	p.symbol(":")
	p.white()
	return source.NodeMember{Key: key, KeySpan: at, Node: held(key)}
}

// key reads the key of an object.
func (p *parser) key(wanted string, opened source.Span) (string, source.Span) {
	switch {
	case p.peek() == '"':
		n := p.stringNode()
		return n.Text(), n.Span
	case isLetter(p.peek()):
		return p.identifier(wanted)
	}
	p.unclosed(wanted, opened)
	return "", source.Span{}
}

// reference returns the node for a shape with this id in the JSON AST.
func reference(id string, at source.Span) *source.Node {
	return source.NewObject([]source.NodeMember{{Key: "target", KeySpan: at, Node: source.NewString(id, at)}}, at)
}

// target reads the id of a shape as a reference.
func (p *parser) target(wanted string) *source.Node {
	name, at := p.shapeName(wanted)
	return reference(p.resolve(name), at)
}

// targets reads a list of ids of shapes as references.
func (p *parser) targets(wanted string) *source.Node {
	return p.array(func() *source.Node { return p.target(wanted) })
}
