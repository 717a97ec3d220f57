package tree

import (
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// Part says which line of a value a Line is.
type Part uint8

// The parts.
const (
	Whole Part = iota // a scalar, an empty container, or a folded one
	Open              // the line with the opening bracket
	Close             // the line with the closing bracket
)

// Line is one line of the pretty form.
type Line struct {
	// Key is the member's name where HasKey is set.
	Key    string
	Value  value.Value
	Depth  int32
	Part   Part
	HasKey bool
	Comma  bool
	// Exact: joiners and other characters that cannot be seen are written as escapes even inside emoji, for
	// a line that could be mistaken for another one.
	Exact bool
	// From is the byte of a string from which on it is shown.
	From int
	// Inside: the value is JSON inside of a text.
	Inside bool
	// Note, where it is not empty, replaces the content of a container shown on this one line:
	// "{ … 4 unchanged … }".
	Note string
}

// Token is a stretch of a line with its style.
type Token struct {
	Text  string
	Style canvas.Style
}

// maxScalar bounds the characters of one string that are shown on a line: more fits on no screen, and a
// string may have megabytes. Scrolling to the right ends there.
const maxScalar = 4096

// Tokens appends the line's stretches to dst, without its indentation. ellipsis is the sign for the part that is
// left out.
func (l Line) Tokens(dst []Token, ellipsis string) []Token {
	if l.HasKey && l.Part != Close {
		dst = append(dst, Token{l.quote(l.Key, ellipsis), canvas.Key}, Token{": ", canvas.Dim})
	}
	opening, closing := brackets(l.Value)
	if l.Inside && l.Part != Close {
		dst = append(dst, Token{"JSON ", canvas.Word})
	}
	switch {
	case l.Part == Open:
		return append(dst, Token{opening, canvas.Dim})
	case l.Part == Close:
		dst = append(dst, Token{closing, canvas.Dim})
	case l.Note != "":
		text := opening + " " + ellipsis + " " + l.Note + " " + ellipsis + " " + closing
		dst = append(dst, Token{text, canvas.Dim})
	case opening != "":
		dst = append(dst, Token{opening + closing, canvas.Dim})
	default:
		dst = append(dst, l.scalar(ellipsis))
	}
	if l.Comma {
		dst = append(dst, Token{",", canvas.Dim})
	}
	return dst
}

// Text returns the whole line as text, indentation included.
func (l Line) Text(ellipsis string) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("  ", int(l.Depth)))
	var tokens [4]Token
	for _, token := range l.Tokens(tokens[:0], ellipsis) {
		b.WriteString(token.Text)
	}
	return b.String()
}

// Draw paints the line at x, y, where x may be negative for a part scrolled away. A style other than
// theme.Plain replaces the tokens' own.
func (l Line) Draw(area canvas.Area, x, y int, style canvas.Style) int {
	x += 2 * int(l.Depth)
	var tokens [4]Token
	for _, token := range l.Tokens(tokens[:0], area.Glyphs().Ellipsis) {
		if style != canvas.Plain {
			token.Style = style
		}
		x = area.Text(x, y, token.Style, token.Text)
	}
	return x
}

func brackets(v value.Value) (opening, closing string) {
	switch v.(type) {
	case *value.Array:
		return "[", "]"
	case *value.Object:
		return "{", "}"
	}
	return "", ""
}

func (l Line) scalar(ellipsis string) Token {
	switch v := l.Value.(type) {
	case value.String:
		if l.From > 0 {
			return Token{`"` + ellipsis + l.quote(string(v[l.From:]), ellipsis)[1:], canvas.Text}
		}
		return Token{l.quote(string(v), ellipsis), canvas.Text}
	case value.Number:
		return Token{canvas.Fit(v.Text(), maxScalar, ellipsis), canvas.Number}
	}
	return Token{value.Compact(l.Value), canvas.Word}
}

func (l Line) quote(s, ellipsis string) string {
	left := ""
	if len(s) > maxScalar {
		cut := maxScalar
		for cut > 0 && s[cut]&0xc0 == 0x80 { // not inside a character
			cut--
		}
		s, left = s[:cut], ellipsis
	}
	return l.escaped(value.AppendQuoted(nil, s)) + left
}

// escaped writes the characters of a JSON string that cannot be seen as JSON escapes (\u200b), so that data which
// differs looks different. Emoji stay whole unless Exact is set: they would become unreadable escapes.
func (l Line) escaped(quoted []byte) string {
	if l.Exact {
		return string(wording.JSON(quoted))
	}
	return wording.JSONLine(string(quoted))
}
