package jsonata

import (
	"cmp"
	"encoding/base64"
	"math"
	"strings"
	"unicode/utf8"

	"asldb/engine/value"
)

var texts = []definition{
	{"string", "<x-b?:s>", 1, stringFunction},
	{"substring", "<s-nn?:s>", 3, substring},
	{"substringBefore", "<s-s:s>", 2, func(c *call) (any, error) { return around(c, true) }},
	{"substringAfter", "<s-s:s>", 2, func(c *call) (any, error) { return around(c, false) }},
	{"lowercase", "<s-:s>", 1, func(c *call) (any, error) { return mapText(c, strings.ToLower) }},
	{"uppercase", "<s-:s>", 1, func(c *call) (any, error) { return mapText(c, upper) }},
	{"length", "<s-:n>", 1, length},
	{"trim", "<s-:s>", 1, func(c *call) (any, error) { return mapText(c, trim) }},
	{"pad", "<s-ns?:s>", 3, pad},
	{"match", "<s-f<s:o>n?:a<o>>", 3, matchFunction},
	{"contains", "<s-(sf):b>", 2, containsPattern},
	{"replace", "<s-(sf)(sf)n?:s>", 4, replace},
	{"split", "<s-(sf)n?:a<s>>", 3, split},
	{"join", "<a<s>s?:s>", 2, join},
	{"base64encode", "<s-:s>", 1, base64encode},
	{"base64decode", "<s-:s>", 1, base64decode},
	{"encodeUrlComponent", "<s-:s>", 1, func(c *call) (any, error) { return encodeURL(c, "encodeUrlComponent", unreserved) }},
	{"encodeUrl", "<s-:s>", 1, func(c *call) (any, error) { return encodeURL(c, "encodeUrl", unreserved+reserved) }},
	{"decodeUrlComponent", "<s-:s>", 1, func(c *call) (any, error) { return decodeURL(c, "decodeUrlComponent", "") }},
	{"decodeUrl", "<s-:s>", 1, func(c *call) (any, error) { return decodeURL(c, "decodeUrl", reserved) }},
}

func stringFunction(c *call) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	text, err := c.run.textOf(c.arg(0), c.arg(1) == value.Bool(true))
	return value.String(text), err
}

// mapText applies a function of Go to the text that is argument 0.
func mapText(c *call, f func(string) string) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	return value.String(f(s)), c.run.takeText(len(s))
}

// upper is strings.ToUpper with the one common letter whose upper case is two letters.
func upper(s string) string { return strings.ToUpper(strings.ReplaceAll(s, "ß", "SS")) }

func length(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	return float64(utf8.RuneCountInString(s)), c.run.step(len(s)/64 + 1)
}

// trim makes one blank of all white space and takes it away at both ends.
func trim(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' })
	return strings.Join(words, " ")
}

// substring counts characters; a negative start counts from the end.
func substring(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	count := utf8.RuneCountInString(s)
	from, to := c.stretch(count)
	if from >= to {
		return value.String(""), nil
	}
	text := runeSlice(s, from, to, count)
	return value.String(text), c.run.takeText(len(text))
}

// stretch returns the part of count items that arguments 1, its start, and 2, its length, name; none where from is not below to.
func (c *call) stretch(count int) (from, to int) {
	start, given := value.Double(c.arg(1))
	size, limited := value.Double(c.arg(2))
	if limited && (!given || size <= 0) {
		return 0, 0
	}
	if float64(count)+start < 0 {
		start = 0
	}
	end := math.Inf(1)
	if limited {
		end = start + size
		if start < 0 {
			end += float64(count)
		}
	}
	return sliceBound(start, count), sliceBound(end, count)
}

// sliceBound is how JavaScript's slice understands an index into count items.
func sliceBound(f float64, count int) int {
	f = math.Trunc(f)
	if f < 0 {
		f = math.Max(0, f+float64(count))
	}
	return int(math.Min(f, float64(count)))
}

// runeSlice returns the characters from (inclusive) to (exclusive) of s, which has count of them.
func runeSlice(s string, from, to, count int) string {
	if count == len(s) {
		return s[from:to]
	}
	start, n := len(s), 0
	for i := range s {
		if n == from {
			start = i
		}
		if n == to {
			return s[start:i]
		}
		n++
	}
	return s[start:]
}

func around(c *call, before bool) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	chars, ok := c.textArg(1)
	if !ok {
		chars = "undefined"
	}
	at := strings.Index(s, chars)
	switch {
	case at < 0:
		return value.String(s), nil
	case before:
		return value.String(s[:at]), nil
	}
	return value.String(s[at+len(chars):]), nil
}

func pad(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	width, _ := value.Double(c.arg(1))
	filler, _ := c.textArg(2)
	filler = cmp.Or(filler, " ")
	missing := math.Trunc(math.Abs(width)) - float64(utf8.RuneCountInString(s))
	if missing <= 0 || missing != missing {
		return value.String(s), nil
	}
	if missing > math.MaxInt32 {
		return nil, stopped("the values built need too much memory")
	}
	n := int(missing)
	if err := c.run.takeText(n * len(filler)); err != nil {
		return nil, err
	}
	size := utf8.RuneCountInString(filler)
	padding := strings.Repeat(filler, n/size) + runeSlice(filler, 0, n%size, size)
	if width > 0 {
		return value.String(s + padding), nil
	}
	return value.String(padding + s), nil
}

func join(c *call) (any, error) {
	if c.arg(0) == nil {
		return nil, nil
	}
	items, _ := viewOf(c.arg(0))
	separator, _ := c.textArg(1)
	var b strings.Builder
	for i, n := 0, items.len(); i < n; i++ {
		if i > 0 {
			b.WriteString(separator)
		}
		item, _ := items.at(i).(value.String)
		b.WriteString(string(item))
		if err := c.run.takeText(len(item) + len(separator)); err != nil {
			return nil, err
		}
	}
	return value.String(b.String()), nil
}

// base64encode takes each character for a byte, as the reference implementation does.
func base64encode(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	raw := make([]byte, 0, len(s))
	for _, r := range s {
		raw = append(raw, byte(r))
	}
	return value.String(base64.StdEncoding.EncodeToString(raw)), c.run.takeText(2 * len(s))
}

func base64decode(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	var b strings.Builder
	for _, x := range bytesOf64(s) {
		b.WriteRune(rune(x))
	}
	return value.String(b.String()), c.run.takeText(b.Len())
}

// bytesOf64 decodes base 64 up to the padding, and passes over other characters.
func bytesOf64(s string) []byte {
	unescaped := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '+', r == '/':
			return r
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		}
		return -1
	}, strings.SplitN(s, "=", 2)[0])
	if len(unescaped)%4 == 1 {
		unescaped = unescaped[:len(unescaped)-1]
	}
	raw, err := base64.RawStdEncoding.DecodeString(unescaped)
	if err != nil {
		return nil
	}
	return raw
}

// Characters that encodeURIComponent leaves, and those that encodeURI leaves besides.
const (
	unreserved = "-_.!~*'()"
	reserved   = ";/?:@&=+$,#"
)

func encodeURL(c *call, name, unescaped string) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	if !utf8.ValidString(s) {
		return nil, fail("D3140").kind(name).value(c.arg(0))
	}
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(s)+len(s)/2)
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || strings.IndexByte(unescaped, b) >= 0 {
			out = append(out, b)
			continue
		}
		out = append(out, '%', hex[b>>4], hex[b&15])
	}
	return value.String(out), c.run.takeText(len(out))
}

func decodeURL(c *call, name, unescaped string) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	malformed := fail("D3140").kind(name).value(c.arg(0))
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) || unhex(s[i+1]) < 0 || unhex(s[i+2]) < 0 {
			return nil, malformed
		}
		b := byte(unhex(s[i+1])<<4 | unhex(s[i+2]))
		if strings.IndexByte(unescaped, b) >= 0 && b < utf8.RuneSelf {
			out = append(out, s[i:i+3]...)
		} else {
			out = append(out, b)
		}
		i += 2
	}
	if !utf8.Valid(out) {
		return nil, malformed
	}
	return value.String(out), c.run.takeText(len(out))
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
