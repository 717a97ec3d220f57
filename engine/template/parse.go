package template

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// MaxNesting is how deep calls may be nested; the outermost call is level 1.
const MaxNesting = 10

// namePrefix begins the name of every intrinsic function.
const namePrefix = "States."

// argument is one operand of a call: exactly one of call, path and literal is set.
type argument struct {
	call    *Call
	path    *path.Path
	literal value.Value
	// cut is a string literal cut at its placeholders {}: States.Format needs them, and the literal's value alone does not
	// show them ('\{\}' isn't a placeholder).
	cut *cut
}

// Parse reads one call of an intrinsic function. The whole text must be the call; spaces may be between its
// parts and after it, not before it. Names of functions are checked here, the number of arguments by [Call.Fault] and their types
// on evaluation, as the service does. The error is a *[SyntaxError].
func Parse(text string) (*Call, error) {
	p := parser{text: text}
	call, err := p.call(1)
	if err != nil {
		return nil, err
	}
	p.spaces()
	if p.pos < len(text) {
		return nil, p.fail(p.pos, "unexpected text after the call")
	}
	call.text = text
	return call, nil
}

// LooksLike reports whether text begins as a call of an intrinsic function does, so that an error in it is
// best explained as one in a call.
func LooksLike(text string) bool { return strings.HasPrefix(text, namePrefix) }

const spaceCharacters = " \t\r\n"

type parser struct {
	text string
	pos  int
}

func (p *parser) fail(offset int, format string, args ...any) error {
	return &SyntaxError{Text: p.text, Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

// unknown returns the error about a function that there is not, with the one of a similar name.
func (p *parser) unknown(offset int, name string) error {
	e := &SyntaxError{Text: p.text, Offset: offset, Msg: "there is no intrinsic function " + name, Function: name}
	if e.Meant = wording.Nearest(name, slices.Values(Names())); e.Meant != "" {
		e.Msg += "; did you mean " + e.Meant + "?"
		e.Certain = wording.Clear(name, e.Meant, slices.Values(Names()))
	}
	return e
}

func (p *parser) spaces() {
	for p.pos < len(p.text) && strings.IndexByte(spaceCharacters, p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// take consumes c when it comes next.
func (p *parser) take(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// word returns the letters, digits, dots and underscores that come next.
func (p *parser) word() string {
	start := p.pos
	for p.pos < len(p.text) && isWord(p.text[p.pos]) {
		p.pos++
	}
	return p.text[start:p.pos]
}

func isWord(c byte) bool {
	return c == '.' || c == '_' || ('0' <= c && c <= '9') || ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z')
}

func (p *parser) call(depth int) (*Call, error) {
	start := p.pos
	name := p.word()
	if !strings.HasPrefix(name, namePrefix) {
		return nil, p.fail(start, "expected an intrinsic function such as States.Format(…), found %s", p.found(start))
	}
	f, ok := functions[name]
	if !ok {
		return nil, p.unknown(start, name)
	}
	if depth > MaxNesting {
		return nil, p.fail(start, "calls of intrinsic functions are nested more than %d levels deep", MaxNesting)
	}
	end := p.pos
	p.spaces()
	blanks := p.pos > end
	if !p.take('(') {
		return nil, p.fail(p.pos, "expected ( after %s, found %s", name, p.found(p.pos))
	}
	arguments, err := p.arguments(name, depth)
	if err != nil {
		return nil, err
	}
	c := &Call{text: p.text[start:p.pos], function: f, arguments: arguments, blanks: blanks}
	c.fault = c.miscounted()
	return c, nil
}

// arguments reads the arguments of a call, and the closing parenthesis.
func (p *parser) arguments(name string, depth int) ([]argument, error) {
	p.spaces()
	if p.take(')') {
		return nil, nil
	}
	var all []argument
	for {
		p.spaces()
		a, err := p.argument(depth)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
		p.spaces()
		switch {
		case p.take(')'):
			return all, nil
		case p.take(','):
		case p.pos == len(p.text):
			return nil, p.fail(p.pos, "the call of %s is not closed: expected )", name)
		default:
			return nil, p.fail(p.pos, "expected , or ) after an argument, found %s", p.found(p.pos))
		}
	}
}

func (p *parser) argument(depth int) (argument, error) {
	if p.pos == len(p.text) {
		return argument{}, p.fail(p.pos, "the text ends where an argument should stand")
	}
	switch c := p.text[p.pos]; {
	case c == '\'':
		return p.quoted()
	case c == '$':
		return p.path()
	case c == '-' || c == '+' || ('0' <= c && c <= '9'):
		return p.number()
	}
	start := p.pos
	if strings.HasPrefix(p.text[start:], namePrefix) {
		call, err := p.call(depth + 1)
		return argument{call: call}, err
	}
	switch word := p.word(); word {
	case "true", "false":
		return argument{literal: value.Bool(word == "true")}, nil
	case "null":
		return argument{literal: value.Null{}}, nil
	}
	return argument{}, p.fail(start, "expected an argument (a 'string', a number, true, false, null, a path or a call), found %s", p.found(start))
}

// number reads a JSON number; a plus sign before it is dropped.
func (p *parser) number() (argument, error) {
	p.take('+')
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte("+-.eE0123456789", p.text[p.pos]) >= 0 {
		p.pos++
	}
	n, err := value.ParseNumber(p.text[start:p.pos])
	if err != nil {
		return argument{}, p.fail(start, "%q is not a number", p.text[start:p.pos])
	}
	return argument{literal: n}, nil
}

// quoted reads a string in single quotes. A backslash may be before ' { } and \ only.
func (p *parser) quoted() (argument, error) {
	start := p.pos
	p.pos++
	var text strings.Builder
	var template cut
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == '\'':
			p.pos++
			template.end()
			return argument{literal: value.String(text.String()), cut: &template}, nil
		case c == '\\':
			if p.pos+1 == len(p.text) {
				return argument{}, p.fail(p.pos, "the text ends after a backslash")
			}
			if c = p.text[p.pos+1]; strings.IndexByte(`'{}\`, c) < 0 {
				return argument{}, p.fail(p.pos, `a backslash may stand only before ' { } and \ in a string, found \%s`, firstCharacter(p.text[p.pos+1:]))
			}
			p.pos++
			template.piece.WriteByte(c)
		default:
			template.add(p.text[p.pos:])
		}
		text.WriteByte(c)
		p.pos++
	}
	return argument{}, p.fail(start, "the string is not closed: expected '")
}

// path reads a Path. It ends before the next comma or closing parenthesis that is not inside brackets,
// parentheses or quotes of the path's own.
func (p *parser) path() (argument, error) {
	start := p.pos
	p.pos = pathEnd(p.text, start)
	text := strings.TrimRight(p.text[start:p.pos], spaceCharacters)
	parsed, err := path.Parse(text)
	if err == nil {
		return argument{path: parsed}, nil
	}
	var syntax *path.SyntaxError
	if errors.As(err, &syntax) {
		return argument{}, p.fail(start+syntax.Offset, "%s", syntax.Msg)
	}
	return argument{}, p.fail(start, "%v", err)
}

func pathEnd(text string, pos int) int {
	depth, quote := 0, byte(0)
	for ; pos < len(text); pos++ {
		c := text[pos]
		switch {
		case c == '\\':
			pos++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case depth > 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || (c == ')' && depth > 0):
			depth--
		case depth <= 0 && (c == ',' || c == ')'):
			return pos
		}
	}
	return len(text)
}

// found describes the character at offset, for messages.
func (p *parser) found(offset int) string {
	if offset >= len(p.text) {
		return "the end of the text"
	}
	rest := p.text[offset:]
	end := 0
	for end < len(rest) && isWord(rest[end]) {
		end++
	}
	if end == 0 {
		return fmt.Sprintf("%q", firstCharacter(rest))
	}
	return fmt.Sprintf("%q", rest[:min(end, 40)])
}

func firstCharacter(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

// characters counts the characters of text before offset.
func characters(text string, offset int) int {
	return utf8.RuneCountInString(text[:min(max(offset, 0), len(text))])
}
