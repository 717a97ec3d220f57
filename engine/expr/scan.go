package expr

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/path"
)

// The characters that represent operands in the text for gval, one each. They are for private use in
// Unicode, and a text that has them itself is refused.
const (
	firstMark = '\ue000'
	lastMark  = '\uf8ff'
)

// scanner takes the paths and strings out of an expression.
type scanner struct {
	text     string
	pos      int
	out      strings.Builder
	operands []operand
}

func (s *scanner) errorAt(offset int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Text: s.text, Offset: min(offset, len(s.text)), Msg: fmt.Sprintf(format, args...)}
}

// scan reads the whole text. The error is a *SyntaxError.
func scan(text string) (*scanner, error) {
	s := &scanner{text: text}
	if len(text) > MaxBytes {
		s.text = text[:0]
		return nil, s.errorAt(0, "an expression has at most %d bytes, this one has %d", MaxBytes, len(text))
	}
	if !utf8.ValidString(text) {
		return nil, s.errorAt(0, "the expression is not valid UTF-8")
	}
	nesting := 0
	for s.pos < len(text) {
		r, size := utf8.DecodeRuneInString(text[s.pos:])
		switch {
		case r == '$':
			if err := s.path(); err != nil {
				return nil, err
			}
			continue
		case r == '"' || r == '\'' || r == '`':
			if err := s.quoted(byte(r)); err != nil {
				return nil, err
			}
			continue
		case r >= firstMark && r <= lastMark:
			return nil, s.errorAt(s.pos, "unexpected character %q", r)
		case strings.ContainsRune("([{!-~", r): // prefix operators nest as parentheses do
			nesting++
		case r == ')' || r == ']' || r == '}':
			nesting--
		case unicode.IsSpace(r): // on one line the columns of gval's errors are characters of the text
			r = ' '
		case r == '/' && (strings.HasPrefix(text[s.pos:], "//") || strings.HasPrefix(text[s.pos:], "/*")):
			return nil, s.errorAt(s.pos, "unexpected %q: there are no comments, and a pattern is a string", text[s.pos:s.pos+2])
		case r == '@':
			return nil, s.errorAt(s.pos, "@ is allowed only in a filter")
		}
		if nesting > maxNesting {
			return nil, s.errorAt(s.pos, "nested deeper than %d", maxNesting)
		}
		s.out.WriteRune(r)
		s.pos += size
	}
	return s, nil
}

func (s *scanner) rewritten() string { return s.out.String() }

// take puts a mark in the place of the text up to end, and blanks so that columns stay as they are.
func (s *scanner) take(end int, o operand) {
	o.text = s.text[s.pos:end]
	s.out.WriteRune(firstMark + rune(len(s.operands)))
	s.out.WriteString(strings.Repeat(" ", utf8.RuneCountInString(o.text)-1))
	s.operands = append(s.operands, o)
	s.pos = end
}

// quoted reads a string. Text in "…" and '…' has the escapes of Go, text in `…` has none.
func (s *scanner) quoted(quote byte) error {
	end := s.pos + 1
	for end < len(s.text) && s.text[end] != quote {
		if s.text[end] == '\\' && quote != '`' {
			end++
		}
		end++
	}
	if end >= len(s.text) {
		unclosed := s.errorAt(s.pos, "the quote is not closed")
		unclosed.Unclosed = true
		return unclosed
	}
	str, err := unquote(s.text[s.pos+1:end], quote)
	if err != nil {
		return s.errorAt(s.pos, "the string has an escape that is none")
	}
	s.take(end+1, operand{str: str})
	return nil
}

// path reads the path at pos. It ends where no further segment can be read.
func (s *scanner) path() error {
	end := s.pos + 1
	if strings.HasPrefix(s.text[end:], "$") {
		end++
	} else {
		end = s.identifier(end)
	}
	for {
		next := s.segment(end)
		if next == end {
			break
		}
		end = next
	}
	text := s.text[s.pos:end]
	p, err := path.Parse(text)
	if err != nil {
		offset, msg := 0, err.Error()
		if syntax, ok := err.(*path.SyntaxError); ok {
			offset, msg = syntax.Offset, syntax.Msg
		}
		return s.errorAt(s.pos+offset, "%s", msg)
	}
	eval, err := evaluable(p)
	if err != nil {
		return s.errorAt(s.pos, "%s: %v", text, err)
	}
	s.take(end, operand{eval: eval, path: p})
	return nil
}

// identifier moves beyond the name of a variable.
func (s *scanner) identifier(at int) int {
	for i, r := range s.text[at:] {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)) {
			return at + i
		}
	}
	return len(s.text)
}

// segment moves beyond the segment at the offset, and returns the offset where there is none.
func (s *scanner) segment(at int) int {
	rest := s.text[at:]
	switch {
	case strings.HasPrefix(rest, "["):
		return s.bracket(at)
	case !strings.HasPrefix(rest, "."):
		return at
	}
	after := at + 1
	if strings.HasPrefix(s.text[after:], ".") {
		after++
	}
	switch {
	case strings.HasPrefix(s.text[after:], "["):
		return s.bracket(after)
	case strings.HasPrefix(s.text[after:], "*"):
		return after + 1
	}
	return s.name(after)
}

// name moves beyond a dotted name. A hyphen belongs to it when a letter or digit follows; so do an
// escaped character and the parentheses that AWS takes for part of a name, as in length().
func (s *scanner) name(at int) int {
	for at < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[at:])
		switch {
		case isNameRune(r):
		case r == '\\' && at+size < len(s.text):
			_, escaped := utf8.DecodeRuneInString(s.text[at+size:])
			size += escaped
		case r == '-':
			if next, _ := utf8.DecodeRuneInString(s.text[at+1:]); !isNameRune(next) {
				return at
			}
		case strings.HasPrefix(s.text[at:], "()"):
			return at + 2
		default:
			return at
		}
		at += size
	}
	return at
}

func isNameRune(r rune) bool {
	return r == '_' || (r >= '0' && r <= '9') || unicode.IsLetter(r) || r >= utf8.RuneSelf && r != utf8.RuneError && !unicode.IsSpace(r)
}

// bracket moves beyond the bracket that closes the one at the offset, quotes and patterns taken into account.
func (s *scanner) bracket(at int) int {
	open := 0
	var quote byte
	for ; at < len(s.text); at++ {
		c := s.text[at]
		switch {
		case quote != 0:
			if c == '\\' {
				at++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '/' && strings.HasSuffix(strings.TrimRight(s.text[:at], " "), "=~"):
			quote = '/'
		case c == '[':
			open++
		case c == ']':
			if open--; open == 0 {
				return at + 1
			}
		}
	}
	return len(s.text)
}
