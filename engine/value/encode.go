package value

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Append appends v's compact JSON form to dst and returns the extended slice.
// Numbers are written as they were read, members in their order. An absent value is written as null.
func Append(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case Bool:
		return strconv.AppendBool(dst, bool(v))
	case Number:
		return append(dst, v.Text()...)
	case String:
		return AppendQuoted(dst, string(v))
	case *Array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = Append(dst, item)
		}
		return append(dst, ']')
	case *Object:
		dst = append(dst, '{')
		for i := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendQuoted(dst, v.members[i].Key)
			dst = append(dst, ':')
			dst = Append(dst, v.members[i].Value)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// AppendQuoted appends s as a JSON string literal. Only characters that JSON demands are escaped; bytes that
// are not UTF-8 become U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			// The error only says that invalid UTF-8 was replaced, as intended.
			dst, _ = jsontext.AppendQuote(dst, s)
			return dst
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// Compact returns v's JSON form without white space.
func Compact(v Value) string { return string(Append(nil, v)) }

// Pretty returns v's JSON form over several lines, indented by two blanks for each level, without a
// newline at its end. Empty containers stay on one line.
func Pretty(v Value) string { return string(appendPretty(make([]byte, 0, 2*Size(v)), v, 0)) }

func appendPretty(dst []byte, v Value, depth int) []byte {
	switch v := v.(type) {
	case *Array:
		if len(v.items) == 0 {
			return append(dst, "[]"...)
		}
		dst = append(dst, '[')
		for i, item := range v.items {
			dst = newLine(dst, i, depth+1)
			dst = appendPretty(dst, item, depth+1)
		}
		return append(newLine(dst, 0, depth), ']')
	case *Object:
		if len(v.members) == 0 {
			return append(dst, "{}"...)
		}
		dst = append(dst, '{')
		for i := range v.members {
			dst = newLine(dst, i, depth+1)
			dst = AppendQuoted(dst, v.members[i].Key)
			dst = append(dst, ": "...)
			dst = appendPretty(dst, v.members[i].Value, depth+1)
		}
		return append(newLine(dst, 0, depth), '}')
	}
	return Append(dst, v)
}

const indents = "                                                                "

func newLine(dst []byte, i, depth int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	dst = append(dst, '\n')
	for n := 2 * depth; n > 0; n -= len(indents) {
		dst = append(dst, indents[:min(n, len(indents))]...)
	}
	return dst
}

// Preview returns v's compact form cut to at most limit characters, an ellipsis marking the cut.
// It reads only as much of v as it shows.
func Preview(v Value, limit int) string {
	p := previewer{limit: limit}
	p.write(v)
	text := p.text.String()
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	runes := []rune(text)
	return string(runes[:max(0, limit-1)]) + "…"
}

type previewer struct {
	text  strings.Builder
	limit int
}

// full is measured in bytes, never below the count of characters, with space for a long one at the cut.
func (p *previewer) full() bool { return p.text.Len() > 4*p.limit }

func (p *previewer) write(v Value) {
	switch v := v.(type) {
	case String:
		p.text.Write(AppendQuoted(nil, string(v[:min(len(v), 4*p.limit+4)])))
		if len(v) > 4*p.limit+4 {
			p.text.WriteString(strings.Repeat(".", p.limit)) // never shown: it is beyond the cut
		}
	case *Array:
		p.text.WriteByte('[')
		for i, item := range v.items {
			if p.full() {
				return
			}
			if i > 0 {
				p.text.WriteByte(',')
			}
			p.write(item)
		}
		p.text.WriteByte(']')
	case *Object:
		p.text.WriteByte('{')
		for i := range v.members {
			if p.full() {
				return
			}
			if i > 0 {
				p.text.WriteByte(',')
			}
			p.write(String(v.members[i].Key))
			p.text.WriteByte(':')
			p.write(v.members[i].Value)
		}
		p.text.WriteByte('}')
	default:
		p.text.Write(Append(nil, v))
	}
}

// MarshalJSON writes the value as [Append] does: a value can be a member of a struct that encoding/json writes.
func (v *Object) MarshalJSON() ([]byte, error) { return Append(nil, v), nil }

// MarshalJSON writes the value as [Append] does.
func (v *Array) MarshalJSON() ([]byte, error) { return Append(nil, v), nil }

// MarshalJSON writes the value as [Append] does.
func (v Number) MarshalJSON() ([]byte, error) { return Append(nil, v), nil }

// MarshalJSON writes the value as [Append] does.
func (v String) MarshalJSON() ([]byte, error) { return Append(nil, v), nil }

// MarshalJSON writes the value as [Append] does.
func (v Null) MarshalJSON() ([]byte, error) { return Append(nil, v), nil }

// Quote returns a text as a string of JSON.
func Quote(text string) string { return string(AppendQuoted(nil, text)) }

// Plain returns the text of a string, and other values as JSON.
func Plain(v Value) string {
	if text, ok := v.(String); ok {
		return string(text)
	}
	return Compact(v)
}
