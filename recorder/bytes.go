package recorder

import (
	"bytes"

	"asldb/engine/path"
	"asldb/engine/value"
)

// The functions of this file find places in JSON as asldb writes it, without blanks. They do not check what they skip.

// eachMember calls do with the members of the object in whose text b begins behind a member or the brace, up to its
// end, which is the end of b. It reports false where the text is written in another way, or do returns false.
func eachMember(b []byte, do func(key, raw []byte) bool) bool {
	for {
		switch {
		case len(b) == 1 && b[0] == '}':
			return true
		case len(b) > 0 && b[0] == ',':
			b = b[1:]
		}
		if len(b) == 0 || b[0] != '"' {
			return false
		}
		key, rest, ok := text(b[1:])
		if !ok || len(rest) < 2 || rest[1] != ':' {
			return false
		}
		b = rest[2:]
		if rest, ok = skipped(b); !ok || !do(key, b[:len(b)-len(rest)]) {
			return false
		}
		b = rest
	}
}

// memberOf returns the member of an object; nil where it has none. ok is false where its text does not tell.
func memberOf(object []byte, name string) (found []byte, ok bool) {
	if len(object) < 2 {
		return nil, false
	}
	ok = eachMember(object[1:], func(key, raw []byte) bool {
		if string(key) != name {
			return true
		}
		once := found == nil
		found = raw
		return once
	})
	return found, ok
}

// atIndex returns an item of an array; nil where it has none. ok is false where its text does not tell.
func atIndex(array []byte, index int) (found []byte, ok bool) {
	b := array[1:]
	for i := 0; ; i++ {
		if len(b) == 1 && b[0] == ']' {
			return found, true
		}
		if i > 0 {
			if len(b) == 0 || b[0] != ',' {
				return nil, false
			}
			b = b[1:]
		}
		rest, ok := skipped(b)
		if !ok {
			return nil, false
		}
		if i == index {
			found = b[:len(b)-len(rest)]
		}
		b = rest
	}
}

// skipped returns the rest behind a value. ok is false where there is none, or it is written in another way.
func skipped(b []byte) (rest []byte, ok bool) {
	if len(b) == 0 {
		return nil, false
	}
	switch b[0] {
	case '"':
		return skippedText(b)
	case '{', '[':
	default:
		end := bytes.IndexAny(b, `,}]":{[ `)
		if end < 1 || b[end] != ',' && b[end] != '}' && b[end] != ']' {
			return nil, false
		}
		return b[end:], true
	}
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			rest, ok := skippedText(b[i:])
			if !ok {
				return nil, false
			}
			i = len(b) - len(rest) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return b[i+1:], true
			}
		case ' ', '\t', '\r':
			return nil, false
		}
	}
	return nil, false
}

// skippedText returns the rest behind a text between quotes.
func skippedText(b []byte) (rest []byte, ok bool) {
	for i := 1; i < len(b); i++ {
		end := bytes.IndexByte(b[i:], '"')
		if end < 0 {
			return nil, false
		}
		at := i + end
		slashes := 0
		for b[at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return b[at+1:], true
		}
		i = at
	}
	return nil, false
}

// follow follows a path from its step number first on, from a value on whose text is b.
func follow(b []byte, p *path.Path, first int) pathValue {
	for i := first; i < p.Len(); i++ {
		s := p.Segment(i)
		ok := false
		switch {
		case s.Kind == path.NameSegment && b[0] == '{':
			b, ok = memberOf(b, s.Name)
		case s.Kind == path.IndexSegment && b[0] == '[':
			b, ok = atIndex(b, s.Index)
		default:
			return pathValue{known: true}
		}
		if !ok || b == nil {
			return pathValue{known: ok}
		}
	}
	v, err := value.Parse(b, lineLimits)
	return pathValue{v, err == nil}
}
