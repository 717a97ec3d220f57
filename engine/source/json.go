package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"asldb/engine/value"
)

// The kinds of problems that keep a text from being read.
const (
	RuleMalformed     = "malformed-json"
	RuleMalformedYAML = "malformed-yaml"
	RuleTooLarge      = "definition-too-large"
)

const notJSON = "the text is not JSON: "

// byteOrderMark is put before a text by some editors; it is not part of the JSON.
var byteOrderMark = []byte("\xef\xbb\xbf")

// treeReader builds the tree of nodes of a JSON text.
type treeReader struct {
	tokens *jsontext.Decoder
	data   []byte // without byte order mark
	base   int    // the place of data in the file
	at     Position
	depth  int
	spare  []Node // nodes are allocated many at a time

	items   []*Node
	members []NodeMember
	keys    map[string]string // by their form in the text
}

// newTreeReader returns a reader of a text that begins at a place of a file.
func newTreeReader(text []byte, at Position) *treeReader {
	options := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	return &treeReader{
		tokens: jsontext.NewDecoder(bytes.NewBuffer(text), options...),
		data:   text,
		base:   at.Offset,
		at:     Position{Line: at.Line, Col: at.Col},
		keys:   make(map[string]string),
	}
}

// ReadJSON returns the tree of the one JSON value in data with the place of every key and value, or the
// problem that makes data no JSON.
func ReadJSON(data []byte) (*Node, *Diagnostic) {
	if len(data) > value.DefaultBytes {
		start := Position{Line: 1, Col: 1}
		return nil, &Diagnostic{
			Rule: RuleTooLarge, Span: Span{Start: start, End: start},
			Message: (&value.LimitError{What: "bytes", Limit: value.DefaultBytes}).Error(),
		}
	}
	text := bytes.TrimPrefix(data, byteOrderMark)
	r := newTreeReader(text, Position{Offset: len(data) - len(text), Line: 1, Col: 1})
	if !utf8.Valid(text) {
		return nil, r.malformed(data)
	}
	if root, err := r.node(); err == nil {
		if _, err = r.tokens.ReadToken(); errors.Is(err, io.EOF) {
			return root, nil
		}
	}
	return nil, r.malformed(data)
}

// malformed returns the problem of a text that isn't JSON. The decoder of values refuses the same texts
// and knows how to explain them.
func (r *treeReader) malformed(data []byte) *Diagnostic {
	_, err := value.Parse(data, value.Limits{})
	var syntax *value.SyntaxError
	if errors.As(err, &syntax) {
		at := Position{Offset: int(syntax.Offset) + r.base, Line: syntax.Line, Col: syntax.Col}
		d := &Diagnostic{Rule: RuleMalformed, Message: notJSON + syntax.Msg, Span: Span{Start: at, End: at}}
		explainJSON(d, r.data, r.base)
		return d
	}
	at := r.end() // of the token that was too much
	d := &Diagnostic{Rule: RuleTooLarge, Message: fmt.Sprintf("the definition cannot be read: %v", err), Span: Span{Start: at, End: at}}
	d.Service.Code = "TOO_DEEPLY_NESTED" // the only other limit is checked before
	return d
}

// advance moves the position to offset, a place in r.data.
func (r *treeReader) advance(offset int) Position {
	for i := r.at.Offset; i < offset; {
		switch c := r.data[i]; {
		case c == '\n':
			r.at.Line++
			r.at.Col = 1
			i++
		case c < utf8.RuneSelf:
			r.at.Col++
			i++
		default:
			_, size := utf8.DecodeRune(r.data[i:])
			r.at.Col++
			i += size
		}
	}
	r.at.Offset = offset
	return Position{Offset: offset + r.base, Line: r.at.Line, Col: r.at.Col}
}

// start returns the position of the token that comes next: it comes after white space and at most one
// comma or colon.
func (r *treeReader) start() Position {
	i := int(r.tokens.InputOffset())
	for i < len(r.data) {
		switch r.data[i] {
		case ' ', '\t', '\r', '\n', ',', ':':
			i++
			continue
		}
		break
	}
	return r.advance(i)
}

// end returns the position behind the token that was read last.
func (r *treeReader) end() Position { return r.advance(int(r.tokens.InputOffset())) }

func (r *treeReader) newNode() *Node {
	if len(r.spare) == 0 {
		r.spare = make([]Node, 128)
	}
	n := &r.spare[0]
	r.spare = r.spare[1:]
	return n
}

func (r *treeReader) node() (*Node, error) {
	n := r.newNode()
	n.Span.Start = r.start()
	token, err := r.tokens.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		n.Kind, n.Value = value.KindNull, value.Null{}
	case 't', 'f':
		n.Kind, n.Value = value.KindBool, value.Bool(token.Kind() == 't')
	case '"':
		n.Kind, n.Value = value.KindString, value.String(token.String())
	case '0':
		number, err := value.ParseNumber(token.String())
		if err != nil {
			return nil, err
		}
		n.Kind, n.Value = value.KindNumber, number
	default:
		if r.depth++; r.depth > value.DefaultDepth {
			return nil, &value.LimitError{What: "levels of nesting", Limit: value.DefaultDepth}
		}
		if token.Kind() == '[' {
			err = r.array(n)
		} else {
			err = r.object(n)
		}
		r.depth--
		if err != nil {
			return nil, err
		}
	}
	n.Span.End = r.end()
	return n, nil
}

// array and object collect their parts on stacks that all containers share, and copy them out in their exact number.
func (r *treeReader) array(n *Node) error {
	bottom := len(r.items)
	for r.tokens.PeekKind() != ']' {
		item, err := r.node()
		if err != nil {
			return err
		}
		r.items = append(r.items, item)
	}
	n.fillArray(append(make([]*Node, 0, len(r.items)-bottom), r.items[bottom:]...))
	r.items = r.items[:bottom]
	_, err := r.tokens.ReadToken()
	return err
}

func (r *treeReader) object(n *Node) error {
	bottom := len(r.members)
	for r.tokens.PeekKind() != '}' {
		var m NodeMember
		var err error
		m.KeySpan.Start = r.start()
		if m.Key, err = r.key(); err != nil {
			return err
		}
		m.KeySpan.End = r.end()
		if m.Node, err = r.node(); err != nil {
			return err
		}
		r.members = append(r.members, m)
	}
	n.fillObject(append(make([]NodeMember, 0, len(r.members)-bottom), r.members[bottom:]...))
	r.members = r.members[:bottom]
	_, err := r.tokens.ReadToken()
	return err
}

// key reads the key of a member. Each key is stored once: definitions repeat the same few.
func (r *treeReader) key() (string, error) {
	raw, err := r.tokens.ReadValue()
	if err != nil {
		return "", err
	}
	if known, ok := r.keys[string(raw)]; ok {
		return known, nil
	}
	// The tokenizer has checked the literal: an error only says that half a surrogate pair was replaced.
	unquoted, _ := jsontext.AppendUnquote(nil, raw)
	key := string(unquoted)
	r.keys[string(raw)] = key
	return key, nil
}
