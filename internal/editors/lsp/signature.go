package lsp

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/source"
)

// signature answers with the function whose arguments are being typed at a position, and the argument.
func (s *server) signature(p *positionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	c := s.cursorAt(d, d.lines.offset(p.Position))
	if c == nil || c.isKey || c.state == nil {
		return nil, nil
	}
	text, _ := source.TextOf(c.node)
	before, _, _ := strings.Cut(text, marker)
	if c.language == asl.JSONata {
		expression, is := strings.CutPrefix(strings.TrimSpace(before), "{%")
		if !is {
			return nil, nil
		}
		before = expression
	}
	usage, about, argument := console.CallAt(before)
	if usage == "" {
		return nil, nil
	}
	one := signatureInformation{Label: usage, Documentation: about, ActiveParameter: argument}
	inside, ok := strings.CutSuffix(usage[strings.IndexByte(usage, '(')+1:], ")")
	for ok && inside != "" {
		name, rest, more := strings.Cut(inside, ", ")
		one.Parameters = append(one.Parameters, parameterInformation{Label: strings.Trim(name, "[] ")})
		if inside = rest; !more {
			break
		}
	}
	one.ActiveParameter = min(argument, max(len(one.Parameters)-1, 0))
	return signatureHelp{Signatures: []signatureInformation{one}, ActiveParameter: one.ActiveParameter}, nil
}
