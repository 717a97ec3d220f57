package jsonata

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb/engine/value"
)

// tokenKind tells the tokens apart.
type tokenKind uint8

const (
	endToken tokenKind = iota
	nameToken
	variableToken
	operatorToken
	stringToken
	numberToken
	valueToken // true, false, null
	regexToken
)

// token is one token of an expression's text.
type token struct {
	kind       tokenKind
	text       string // the operator, the name or the content of the string
	number     float64
	start, end int // in bytes
}

// endText is how errors call the end of the text.
const endText = "(end)"

// operators of one character, and of two.
const (
	singleOperators = ".[]{}(),@#;:?+-*/%|=<>^&!~"
	whiteSpace      = " \t\n\r\v"
)

var doubleOperators = []string{"..", ":=", "!=", ">=", "<=", "**", "~>"}

// lexer cuts the text of an expression into tokens.
type lexer struct {
	text     string
	at       int
	extended bool // 2.1's operators too
}

// next returns the next token. infix says that an operator is expected, where / is a division.
func (l *lexer) next(infix bool) (token, error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	start := l.at
	if start >= len(l.text) {
		return token{kind: endToken, start: start, end: start}, nil
	}
	c := l.text[start]
	if c == '/' && !infix {
		return l.regex()
	}
	if op := l.operator(); op != "" {
		l.at += len(op)
		return token{kind: operatorToken, text: op, start: start, end: l.at}, nil
	}
	switch {
	case c == '"' || c == '\'':
		return l.quoted(c)
	case c >= '0' && c <= '9':
		return l.number()
	case c == '`':
		end := strings.IndexByte(l.text[start+1:], '`')
		if end < 0 {
			return token{}, fail("S0105").at(len(l.text))
		}
		l.at = start + 1 + end + 1
		return token{kind: nameToken, text: l.text[start+1 : l.at-1], start: start, end: l.at}, nil
	}
	return l.word(), nil
}

// skip passes over white space and comments.
func (l *lexer) skip() error {
	for l.at < len(l.text) {
		switch {
		case strings.IndexByte(whiteSpace, l.text[l.at]) >= 0:
			l.at++
		case strings.HasPrefix(l.text[l.at:], "/*"):
			end := strings.Index(l.text[l.at+2:], "*/")
			if end < 0 {
				return fail("S0106").at(l.at)
			}
			l.at += 2 + end + 2
		default:
			return nil
		}
	}
	return nil
}

// operator returns the operator at the current place, "" when there is none.
func (l *lexer) operator() string {
	rest := l.text[l.at:]
	if len(rest) > 1 {
		for _, op := range doubleOperators {
			if rest[:2] == op {
				return op
			}
		}
		if l.extended && (rest[:2] == "?:" || rest[:2] == "??") {
			return rest[:2]
		}
	}
	if strings.IndexByte(singleOperators, rest[0]) >= 0 {
		return rest[:1]
	}
	return ""
}

// number reads a number by JSON's grammar.
func (l *lexer) number() (token, error) {
	start, i := l.at, l.at
	digits := func(from int) int {
		for from < len(l.text) && l.text[from] >= '0' && l.text[from] <= '9' {
			from++
		}
		return from
	}
	if l.text[i] == '0' {
		i++
	} else {
		i = digits(i)
	}
	if i < len(l.text) && l.text[i] == '.' {
		if end := digits(i + 1); end > i+1 {
			i = end
		}
	}
	if i < len(l.text) && (l.text[i] == 'e' || l.text[i] == 'E') {
		from := i + 1
		if from < len(l.text) && (l.text[from] == '+' || l.text[from] == '-') {
			from++
		}
		if end := digits(from); end > from {
			i = end
		}
	}
	f, _ := strconv.ParseFloat(l.text[start:i], 64) // on a range error f is infinite
	if math.IsInf(f, 0) {
		return token{}, fail("S0102").at(start).token(l.text[start:i])
	}
	l.at = i
	return token{kind: numberToken, number: f, text: l.text[start:i], start: start, end: i}, nil
}

// word reads a name, a variable or a word that is an operator or a literal.
func (l *lexer) word() token {
	start := l.at
	for l.at < len(l.text) && strings.IndexByte(whiteSpace, l.text[l.at]) < 0 && strings.IndexByte(singleOperators, l.text[l.at]) < 0 {
		l.at++
	}
	t := token{kind: nameToken, text: l.text[start:l.at], start: start, end: l.at}
	switch {
	case t.text[0] == '$':
		t.kind, t.text = variableToken, t.text[1:]
	case t.text == "or", t.text == "in", t.text == "and":
		t.kind = operatorToken
	case t.text == "true", t.text == "false", t.text == "null":
		t.kind = valueToken
	}
	return t
}

// escapes maps the letter behind a backslash to the character that it means.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// quoted reads a string literal.
func (l *lexer) quoted(quote byte) (token, error) {
	start := l.at
	var b strings.Builder
	for i := start + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == quote:
			l.at = i + 1
			return token{kind: stringToken, text: joinSurrogates(b.String()), start: start, end: l.at}, nil
		case c != '\\':
			b.WriteByte(c)
		default:
			i++
			if i == len(l.text) {
				return token{}, fail("S0103").at(i).token("")
			}
			if plain, ok := escapes[l.text[i]]; ok {
				b.WriteByte(plain)
				continue
			}
			if l.text[i] != 'u' {
				r, _ := utf8.DecodeRuneInString(l.text[i:])
				return token{}, fail("S0103").at(i).token(string(r))
			}
			code, ok := hex4(l.text[i+1:])
			if !ok {
				return token{}, fail("S0104").at(i)
			}
			appendUnit(&b, code)
			i += 4
		}
	}
	return token{}, fail("S0101").at(len(l.text))
}

func hex4(s string) (uint16, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return uint16(n), err == nil && s[0] != '+' && s[0] != '-'
}

// appendUnit writes a UTF-16 unit. Half of a pair is written as three bytes, which are not valid UTF-8,
// so that a lone surrogate can be recognized.
func appendUnit(b *strings.Builder, unit uint16) {
	if unit < 0xd800 || unit > 0xdfff {
		b.WriteRune(rune(unit))
		return
	}
	b.WriteByte(0xe0 | byte(unit>>12))
	b.WriteByte(0x80 | byte(unit>>6)&0x3f)
	b.WriteByte(0x80 | byte(unit)&0x3f)
}

// halfAt returns the half of a surrogate pair at the beginning of s, 0 when there is none.
func halfAt(s string) rune {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf {
		return 0
	}
	return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f)
}

// joinSurrogates makes one character of two halves that follow each other.
func joinSurrogates(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if high := halfAt(s[i:]); high >= 0xd800 && high < 0xdc00 {
			if low := halfAt(s[i+3:]); low >= 0xdc00 {
				b.WriteRune((high-0xd800)<<10 + (low - 0xdc00) + 0x10000)
				i += 6
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// regex reads a regular expression. Its text is the pattern, with the flags before it.
func (l *lexer) regex() (token, error) {
	start := l.at
	depth := 0
	for i := start + 1; i < len(l.text); i++ {
		c := l.text[i]
		if c == '/' && depth == 0 && !l.escaped(i) {
			return l.endRegex(start, i)
		}
		if l.text[i-1] == '\\' {
			continue
		}
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return token{}, fail("S0302").at(len(l.text))
}

// escaped reports whether there is an odd number of backslashes before i.
func (l *lexer) escaped(i int) bool {
	count := 0
	for i > 0 && l.text[i-1] == '\\' {
		i--
		count++
	}
	return count%2 == 1
}

func (l *lexer) endRegex(start, end int) (token, error) {
	if end == start+1 {
		return token{}, fail("S0301").at(end)
	}
	l.at = end + 1
	for l.at < len(l.text) && (l.text[l.at] == 'i' || l.text[l.at] == 'm') {
		l.at++
	}
	pattern := l.text[start+1 : end]
	if flags := l.text[end+1 : l.at]; flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	return token{kind: regexToken, text: pattern, start: start, end: l.at}, nil
}

// literalValue is the value of true, false and null.
func literalValue(text string) value.Value {
	switch text {
	case "true":
		return value.Bool(true)
	case "false":
		return value.Bool(false)
	}
	return value.Null{}
}
