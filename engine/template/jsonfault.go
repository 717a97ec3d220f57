package template

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"asldb/engine/value"
)

// The places in the sentences of Jackson, the service's reader of JSON: the source is never shown.
const (
	jsonSource = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: %d, column: %d]"
	jsonTokens = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
)

// jsonFault says in Jackson's words why a text isn't JSON. The forms that are not measured follow its published
// sources.
func jsonFault(text string, syntax *value.SyntaxError) string {
	s := jsonScanner{text: text}
	if !s.value(0) && s.msg != "" {
		return s.msg + "\n at " + s.place(s.pos)
	}
	return fmt.Sprintf("%s\n at "+jsonSource, syntax.Msg, syntax.Line, syntax.Col)
}

// jsonScanner reads JSON up to its first mistake, which msg and pos name.
type jsonScanner struct {
	text string
	pos  int
	msg  string
}

func (s *jsonScanner) place(pos int) string {
	line, col := value.LineCol([]byte(s.text), int64(min(pos, len(s.text))))
	return fmt.Sprintf(jsonSource, line, col)
}

func (s *jsonScanner) fail(format string, args ...any) bool {
	s.msg = fmt.Sprintf(format, args...)
	return false
}

// unexpected fails at the next character.
func (s *jsonScanner) unexpected(wanted string) bool {
	c, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	return s.fail("Unexpected character ('%c' (code %d)): %s", c, c, wanted)
}

func (s *jsonScanner) spaces() {
	for s.pos < len(s.text) && strings.IndexByte(spaceCharacters, s.text[s.pos]) >= 0 {
		s.pos++
	}
}

// next returns the next character that isn't white space, 0 at the end.
func (s *jsonScanner) next() byte {
	if s.spaces(); s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *jsonScanner) value(depth int) bool {
	if depth > 1000 {
		return false
	}
	switch c := s.next(); {
	case c == '{' || c == '[':
		return s.container(c, depth)
	case c == '"':
		return s.quoted("was expecting closing quote for a string value")
	case c == '-' || '0' <= c && c <= '9':
		start := s.pos
		for s.pos < len(s.text) && strings.IndexByte("+-.eE0123456789", s.text[s.pos]) >= 0 {
			s.pos++
		}
		_, err := value.ParseNumber(s.text[start:s.pos])
		return err == nil
	case isWord(c):
		start := s.pos
		for s.pos < len(s.text) && isWord(s.text[s.pos]) && s.text[s.pos] != '.' {
			s.pos++
		}
		switch word := s.text[start:s.pos]; word {
		case "null", "true", "false":
			return true
		default:
			return s.fail("Unrecognized token '%s': was expecting %s", word, jsonTokens)
		}
	}
	return s.unexpected("expected a valid value " + jsonTokens)
}

func (s *jsonScanner) container(open byte, depth int) bool {
	start, kind, end := s.pos, "Array", byte(']')
	if open == '{' {
		kind, end = "Object", '}'
	}
	s.pos++
	closed := func() bool {
		return s.fail("Unexpected end-of-input: expected close marker for %s (start marker at %s)", kind, s.place(start))
	}
	for first := true; ; first = false {
		c := s.next()
		switch {
		case s.pos == len(s.text):
			return closed()
		case c == end && first:
			s.pos++
			return true
		case open == '{' && c != '"':
			return s.unexpected("was expecting double-quote to start field name")
		case open == '{':
			if !s.quoted("in field name") {
				return false
			}
			if c = s.next(); s.pos == len(s.text) {
				return closed()
			} else if c != ':' {
				return s.unexpected("was expecting a colon to separate field name and value")
			}
			s.pos++
		}
		if s.spaces(); s.pos == len(s.text) {
			return closed()
		}
		if !s.value(depth + 1) {
			return false
		}
		switch c = s.next(); {
		case s.pos == len(s.text):
			return closed()
		case c == end:
			s.pos++
			return true
		case c != ',':
			return s.unexpected("was expecting comma to separate " + kind + " entries")
		}
		s.pos++
	}
}

// quoted reads a string; unclosed says what its end would have been.
func (s *jsonScanner) quoted(unclosed string) bool {
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '"':
			s.pos++
			return true
		case c < ' ':
			return s.fail("Illegal unquoted character ((CTRL-CHAR, code %d)): has to be escaped using backslash to be included in string value", c)
		case c == '\\':
			if s.pos++; s.pos < len(s.text) && strings.IndexByte(`"\/bfnrtu`, s.text[s.pos]) < 0 {
				escaped, _ := utf8.DecodeRuneInString(s.text[s.pos:])
				return s.fail("Unrecognized character escape '%c' (code %d)", escaped, escaped)
			}
		}
	}
	if strings.HasPrefix(unclosed, "in") {
		return s.fail("Unexpected end-of-input %s", unclosed)
	}
	return s.fail("Unexpected end-of-input: %s", unclosed)
}
