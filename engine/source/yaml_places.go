package source

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// yamlPlaces turns the library's lines and columns into positions.
type yamlPlaces struct {
	data  []byte
	base  int   // length of the byte order mark
	lines []int // where each line begins
	// marks are where every markedColumns-th character of line is, as far as they were passed: a document may be one
	// long line.
	line  int
	marks []int
}

const markedColumns = 256

func newYAMLPlaces(data []byte) *yamlPlaces {
	p := &yamlPlaces{data: data}
	if bytes.HasPrefix(data, byteOrderMark) {
		p.base = len(byteOrderMark)
	}
	p.lines = append(p.lines, p.base)
	for i := p.base; i < len(data); i++ {
		if data[i] == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	return p
}

// position returns the place of a line and a column, both from 1, the column in characters.
func (p *yamlPlaces) position(line, col int) Position {
	line, col = min(max(line, 1), len(p.lines)), max(col, 1)
	if p.line != line || len(p.marks) == 0 {
		p.line, p.marks = line, append(p.marks[:0], p.lines[line-1])
	}
	mark := min((col-1)/markedColumns, len(p.marks)-1)
	at, passed := p.marks[mark], mark*markedColumns+1
	for passed < col && at < len(p.data) && p.data[at] != '\n' {
		_, size := utf8.DecodeRune(p.data[at:])
		at += size
		passed++
		if passed == len(p.marks)*markedColumns+1 {
			p.marks = append(p.marks, at)
		}
	}
	return Position{Offset: at, Line: line, Col: passed}
}

func (p *yamlPlaces) at(line, col int) Span {
	at := p.position(line, col)
	return Span{Start: at, End: at}
}

// token returns the stretch of a token on its first line; nowhere of nil.
func (p *yamlPlaces) token(t *token.Token) Span {
	if t == nil || t.Position == nil {
		return Span{}
	}
	start := p.position(t.Position.Line, t.Position.Column)
	return Span{Start: start, End: p.after(start, len(strings.TrimSpace(t.Value)))}
}

// after returns the position n bytes behind start, at most the end of the line.
func (p *yamlPlaces) after(start Position, n int) Position {
	end := start
	for end.Offset < len(p.data) && end.Offset < start.Offset+n && p.data[end.Offset] != '\n' && p.data[end.Offset] != '\r' {
		_, size := utf8.DecodeRune(p.data[end.Offset:])
		end.Offset += size
		end.Col++
	}
	return end
}

// scalar returns the stretch of a scalar: of one in quotes with the quotes, of a block its first line.
func (p *yamlPlaces) scalar(node ast.Node) Span {
	t := node.GetToken()
	if t == nil || t.Position == nil {
		return Span{}
	}
	start := p.position(t.Position.Line, t.Position.Column)
	for start.Offset < len(p.data) && p.data[start.Offset] == ' ' { // behind a tag the library is one too early
		start.Offset++
		start.Col++
	}
	rest := p.data[start.Offset:]
	if line := bytes.IndexByte(rest, '\n'); line >= 0 {
		rest = rest[:line]
	}
	switch t.Type {
	case token.DoubleQuoteType, token.SingleQuoteType:
		return Span{Start: start, End: p.after(start, quotedLength(rest))}
	case token.LiteralType, token.FoldedType:
		return Span{Start: start, End: p.after(start, len(rest))}
	}
	return Span{Start: start, End: p.after(start, len(strings.TrimSpace(t.Value)))}
}

// quotedLength returns how many bytes of a line its first quoted text takes.
func quotedLength(line []byte) int {
	if len(line) == 0 {
		return 0
	}
	quote := line[0]
	for i := 1; i < len(line); i++ {
		switch {
		case quote == '"' && line[i] == '\\':
			i++
		case line[i] == quote && quote == '\'' && i+1 < len(line) && line[i+1] == quote:
			i++
		case line[i] == quote:
			return i + 1
		}
	}
	return len(line) // it continues in the next line
}

// mapping returns where a mapping begins. The library places one in block style at its first colon.
func (p *yamlPlaces) mapping(values []*ast.MappingValueNode, node ast.Node) Span {
	span := p.token(node.GetToken())
	if len(values) > 0 && values[0].Start != nil && values[0].Start.Type != token.MappingStartType {
		if key := p.scalar(values[0].Key); key.Start.Offset < span.Start.Offset {
			return key
		}
	}
	return span
}

// reach extends the node to the end of a part of it.
func (n *Node) reach(part Span) {
	if part.End.Offset > n.Span.End.Offset {
		n.Span.End = part.End
	}
}

type yamlError struct {
	rule       string
	span       Span
	message    string
	reasons    []Reason
	suggestion string
}

func (e *yamlError) Error() string { return e.message }

func (p *yamlPlaces) errorf(t *token.Token, format string, args ...any) error {
	span := p.token(t)
	if span == (Span{}) {
		span = p.at(1, 1)
	}
	return &yamlError{rule: RuleMalformedYAML, span: span, message: fmt.Sprintf(format, args...)}
}

// firstForbidden finds the first control character or byte that is not UTF-8.
func firstForbidden(data []byte) (at int, what string) {
	for i := 0; i < len(data); {
		c, size := utf8.DecodeRune(data[i:])
		if c == utf8.RuneError && size == 1 {
			return i, fmt.Sprintf("the byte 0x%02X, which is not UTF-8,", data[i])
		}
		if (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7F {
			return i, fmt.Sprintf("the control character U+%04X", c)
		}
		i += size
	}
	return -1, ""
}
