package lsp

import (
	"cmp"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/source"
)

// tokenType is a kind of word, as its number in the legend.
type tokenType int

// The kinds of words, in the order of the legend.
const (
	tokenState tokenType = iota
	tokenVariable
	tokenWord
	tokenError
)

// tokenTypes and tokenModifiers are the legend: behind the kinds above, those inside of an expression.
var (
	tokenTypes = []string{
		"class", "variable", "enumMember", "event", "property", "function", "string", "number", "operator", "keyword",
		"regexp",
	}
	tokenModifiers = []string{"declaration", "defaultLibrary"}
)

// The modifiers of a token, as bits.
const (
	declared = 1 << iota
	builtIn
)

// token is a word of a document, from and to in bytes.
type token struct {
	from, to  int
	kind      tokenType
	modifiers int
}

// tokens answers with the words of a document that have a meaning in the language: the names of states, errors and
// variables, and the parts of paths, intrinsic functions and JSONata inside of strings.
func (s *server) tokens(p *documentParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return semanticTokens{d.encoded(s.tokensOf(d), 0, len(d.lines.data))}, nil
}

// tokensIn is tokens for a range.
func (s *server) tokensIn(p *rangeParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return semanticTokens{d.encoded(s.tokensOf(d), d.lines.offset(p.Range.Start), d.lines.offset(p.Range.End))}, nil
}

// tokensOf returns the words of a document in the order of the text; none overlaps another.
func (s *server) tokensOf(d *document) []token {
	var list []token
	for _, m := range s.read(d).machines {
		if m.text == nil || m.text.Root == nil {
			continue
		}
		eachWord(m.text.Root, func(w where, p *place) {
			if p.at.Start.Line > 0 && p.at.End.Offset <= len(d.lines.data) && m.in(p.at, d.name) {
				list = append(list, d.meaning(&w, p)...)
			}
		})
	}
	slices.SortStableFunc(list, func(a, b token) int { return cmp.Compare(a.from, b.from) })
	end := 0
	return slices.DeleteFunc(list, func(t token) bool {
		if t.from < end || t.to <= t.from {
			return true
		}
		end = t.to
		return false
	})
}

// meaning returns the tokens of a word.
func (d *document) meaning(w *where, p *place) []token {
	whole := func(kind tokenType, modifiers int) []token {
		written := wordOf(d.lines.data, p.at)
		return []token{{written.from, written.to, kind, modifiers}}
	}
	name, owner := "", ""
	if n := len(w.fields); n > 0 {
		name = w.fields[n-1]
		if n > 1 {
			owner = w.fields[n-2]
		}
	}
	switch {
	case p.isKey && w.state != nil && len(w.fields) == 0:
		return whole(tokenState, declared)
	case p.isKey && isAssigned(w):
		return whole(tokenVariable, declared)
	case p.isKey:
		return nil
	case isTarget(w):
		return whole(tokenState, 0)
	case owner == "ErrorEquals" || w.state != nil && len(w.fields) == 1 && name == "Error" && !w.evaluates(p.text()):
		return whole(tokenError, 0)
	case slices.Contains(asl.Words(owner, name), p.text()):
		return whole(tokenWord, 0)
	case w.evaluates(p.text()):
		return d.expression(w, p)
	}
	return nil
}

// expression returns the tokens inside of a path, an intrinsic function or a JSONata expression.
func (d *document) expression(w *where, p *place) (list []token) {
	text, base := p.text(), 0
	if w.language == asl.JSONata {
		base = strings.Index(text, "{%") + len("{%")
		text, _ = strings.CutSuffix(strings.TrimRight(text[base:], " \t\r\n"), "%}")
	} else if !strings.HasPrefix(text, "$") && !strings.HasPrefix(text, "States.") {
		return nil
	}
	written := source.StringText(&source.File{Name: d.name, Data: d.lines.data}, p.node)
	for _, one := range console.Tokens(text) {
		at := written.Stretch(base+one.Start, base+one.End)
		if at.Start.Line == 0 || at.File != nil {
			continue
		}
		kind, modifiers := tokenType(slices.Index(tokenTypes, one.Kind.String())), 0
		if kind == tokenVariable && slices.Contains([]string{"$", "$$", "$states"}, text[one.Start:one.End]) {
			modifiers = builtIn
		}
		if end := written.Position(base + one.End); end.Line == at.End.Line &&
			end.Offset > at.End.Offset { // behind an escape
			at.End = end
		}
		if at.End.Line > at.Start.Line { // a text in quotes over several lines
			at.End.Offset = at.Start.Offset + len(strings.SplitN(text[one.Start:one.End], "\n", 2)[0])
		}
		list = append(list, token{at.Start.Offset, at.End.Offset, kind, modifiers})
	}
	return list
}

// encoded returns the tokens between two offsets as the protocol has them: five numbers each, places relative to the
// token before.
func (d *document) encoded(list []token, from, to int) []int {
	data := make([]int, 0, 5*len(list))
	var last position
	at := 0 // the offset of last
	for _, t := range list {
		if t.to <= from || t.from >= to {
			continue
		}
		p := d.lines.after(last, at, t.from)
		character := p.Character
		if p.Line == last.Line {
			character -= last.Character
		}
		length := d.lines.after(p, t.from, t.to).Character - p.Character
		data = append(data, p.Line-last.Line, character, length, int(t.kind), t.modifiers)
		last, at = p, t.from
	}
	return data
}
