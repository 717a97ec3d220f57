package regex

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb/internal/wording"
)

// class reads [ … ].
func (p *parser) class() (*part, error) {
	for text, atomText := range map[string]string{"[^]": `[\s\S]`, "[]": `[^\s\S]`} {
		if p.is(text) {
			p.at += len(text)
			return &part{plain: atomText, other: atomText, width: true}, nil
		}
	}
	var b strings.Builder
	b.WriteByte('[')
	p.at++
	if p.is("^") {
		b.WriteByte('^')
		p.at++
	}
	for p.at < len(p.in) {
		switch c := p.in[p.at]; c {
		case ']':
			p.at++
			b.WriteByte(']')
			return &part{plain: b.String(), other: otherClass(b.String()), width: true}, nil
		case '[':
			b.WriteString(`\[`)
			p.at++
		case '\\':
			text, err := p.classEscape()
			if err != nil {
				return nil, err
			}
			b.WriteString(text)
		default:
			_, width := utf8.DecodeRuneInString(p.in[p.at:])
			b.WriteString(p.in[p.at : p.at+width])
			p.at += width
		}
	}
	return nil, errors.New("a [ is not closed")
}

var wideEscape = wording.Pattern(`\\x\{([0-9a-f]+)\}`)

// otherClass writes a class of RE2 for the other matcher.
func otherClass(text string) string {
	return wideEscape().ReplaceAllStringFunc(text, func(escape string) string {
		code, _ := strconv.ParseUint(escape[3:len(escape)-1], 16, 32)
		if code > 0xffff {
			return string(rune(code))
		}
		return fmt.Sprintf(`\u%04x`, code)
	})
}

// classEscape reads an escape in a class.
func (p *parser) classEscape() (string, error) {
	switch c := p.peek(1); c {
	case 's':
		p.at += 2
		return p.spaces, nil
	case 'b':
		p.at += 2
		return `\x08`, nil
	case 'd', 'D', 'w', 'W', 'S':
		p.at += 2
		return `\` + string(c), nil
	}
	r, err := p.codeOf()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`\x{%x}`, r), nil
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek(ahead int) byte {
	if p.at+ahead < len(p.in) {
		return p.in[p.at+ahead]
	}
	return 0
}

// JavaScript's assertions in the syntax of the other matcher: \b with ASCII's letters.
const (
	wordEdge   = `(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))`
	noWordEdge = `(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))`
)

// escape reads an escape outside of classes.
func (p *parser) escape() (*part, error) {
	switch c := p.peek(1); {
	case c == 's':
		p.at += 2
		return &part{plain: "[" + p.spaces + "]", other: otherClass("[" + p.spaces + "]"), width: true}, nil
	case c == 'S':
		p.at += 2
		return &part{plain: "[^" + p.spaces + "]", other: otherClass("[^" + p.spaces + "]"), width: true}, nil
	case c == 'b' || c == 'B':
		p.at += 2
		p.looksBehind = true
		if c == 'b' {
			return &part{plain: `\b`, other: wordEdge}, nil
		}
		return &part{plain: `\B`, other: noWordEdge}, nil
	case c == 'd' || c == 'D' || c == 'w' || c == 'W':
		p.at += 2
		return &part{plain: `\` + string(c), other: asciiClasses[c], width: true}, nil
	case c == 'k' && strings.Contains(p.in, "(?<"):
		return p.namedReference()
	case c >= '1' && c <= '9':
		if r := p.numberedReference(); r != nil {
			return r, nil
		}
	}
	r, err := p.codeOf()
	if err != nil {
		return nil, err
	}
	return character(r), nil
}

// asciiClasses are the classes of ASCII's characters.
var asciiClasses = map[byte]string{'d': "[0-9]", 'D': "[^0-9]", 'w': "[0-9A-Za-z_]", 'W': "[^0-9A-Za-z_]"}

var groupName = wording.Pattern(`^\\k<([^>]+)>`)

// namedReference reads \k<name>. The group may come later.
func (p *parser) namedReference() (*part, error) {
	found := groupName().FindStringSubmatch(p.in[p.at:])
	if found == nil {
		return nil, errors.New(`\k has no <name>`)
	}
	p.at += len(found[0])
	number, ok := p.names[found[1]]
	if !ok {
		before := strings.Index(p.in, "(?<"+found[1]+">")
		if before < 0 {
			return nil, fmt.Errorf(`\k<%s> names no group`, found[1])
		}
		number = countGroups(p.in[:before]) + 1
	}
	return &part{kind: reference, group: number}, nil
}

// numberedReference reads \1, nil when there is no such group: then it is a character in octal.
func (p *parser) numberedReference() *part {
	end := p.at + 1
	for end < len(p.in) && p.in[end] >= '0' && p.in[end] <= '9' {
		end++
	}
	number := bounded(p.in[p.at+1 : end])
	if number > p.total {
		return nil
	}
	p.at = end
	return &part{kind: reference, group: number}
}

// plainEscapes are the characters that letters mean.
var plainEscapes = map[byte]rune{'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// codeOf reads an escape for one character.
func (p *parser) codeOf() (rune, error) {
	c := p.peek(1)
	if c == 0 && p.at+1 >= len(p.in) {
		return 0, errors.New("it ends with a backslash")
	}
	if r, ok := plainEscapes[c]; ok {
		p.at += 2
		return r, nil
	}
	switch {
	case c == 'u':
		if r, ok := p.hex(4); ok {
			return r, nil
		}
	case c == 'x':
		if r, ok := p.hex(2); ok {
			return r, nil
		}
	case c == 'c' && isLetter(p.peek(2)):
		r := rune(p.peek(2) & 0x1f)
		p.at += 3
		return r, nil
	case c >= '0' && c <= '7':
		return p.octal(), nil
	}
	r, width := utf8.DecodeRuneInString(p.in[p.at+1:])
	p.at += 1 + width
	return r, nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// hex reads so many hexadecimal digits behind an escape's letter.
func (p *parser) hex(digits int) (rune, bool) {
	if p.at+2+digits > len(p.in) {
		return 0, false
	}
	code, err := strconv.ParseUint(p.in[p.at+2:p.at+2+digits], 16, 16)
	if err != nil {
		return 0, false
	}
	p.at += 2 + digits
	return rune(code), true
}

// octal reads up to three octal digits that are at most \377.
func (p *parser) octal() rune {
	p.at++
	code := rune(0)
	for i := 0; i < 3 && p.at < len(p.in) && p.in[p.at] >= '0' && p.in[p.at] <= '7'; i++ {
		next := code*8 + rune(p.in[p.at]-'0')
		if next > 0xff {
			break
		}
		code = next
		p.at++
	}
	return code
}
