package value

import (
	"math"
	"sync/atomic"
	"unicode/utf8"
)

// measures are the sizes that a container caches at the first request; 0 before.
type measures struct {
	size  atomic.Int32 // of the compact form
	lines atomic.Int32 // of the pretty form
}

// remember keeps a measure that a field of 32 bits can hold; a larger one is measured each time.
func remember(field *atomic.Int32, n int) int {
	if n <= math.MaxInt32 {
		field.Store(int32(n))
	}
	return n
}

// Size returns the length in bytes of v's compact JSON form, the measure of the service's limits. A
// container remembers its size, so that a value which shares most of another is measured at the cost of
// the parts that are new.
func Size(v Value) int {
	switch v := v.(type) {
	case Bool:
		if v {
			return len("true")
		}
		return len("false")
	case Number:
		return len(v.Text())
	case String:
		return quotedSize(string(v))
	case *Array:
		if known := v.size.Load(); known > 0 {
			return int(known)
		}
		size := 2 + max(0, len(v.items)-1)
		for _, item := range v.items {
			size += Size(item)
		}
		return remember(&v.size, size)
	case *Object:
		if known := v.size.Load(); known > 0 {
			return int(known)
		}
		size := 2 + max(0, len(v.members)-1)
		for i := range v.members {
			size += quotedSize(v.members[i].Key) + 1 + Size(v.members[i].Value)
		}
		return remember(&v.size, size)
	}
	return len("null")
}

// quotedSize is the length of the literal that AppendQuoted appends.
func quotedSize(s string) int {
	size := len(s) + 2
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			size += int(escapeSizes[c])
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && width == 1 {
			size += len(string(utf8.RuneError)) - 1
		}
		i += width
	}
	return size
}

// escapeSizes is how many bytes longer the escaped form of a character is.
var escapeSizes = func() (sizes [utf8.RuneSelf]uint8) {
	for c := range ' ' {
		sizes[c] = uint8(len(`\u0000`) - 1)
	}
	for _, c := range "\"\\\b\f\n\r\t" {
		sizes[c] = 1 // a backslash before it
	}
	return sizes
}()

// Lines returns the number of lines of v's pretty form ([Pretty]), 0 for an absent value. A container remembers
// it as it does its size.
func Lines(v Value) int {
	switch v := v.(type) {
	case nil:
		return 0
	case *Array:
		if known := v.lines.Load(); known > 0 {
			return int(known)
		}
		lines := 0
		for _, item := range v.items {
			lines += Lines(item)
		}
		return remember(&v.lines, withBrackets(lines))
	case *Object:
		if known := v.lines.Load(); known > 0 {
			return int(known)
		}
		lines := 0
		for i := range v.members {
			lines += Lines(v.members[i].Value)
		}
		return remember(&v.lines, withBrackets(lines))
	}
	return 1
}

// withBrackets adds the lines of the brackets, which an empty container has on one line.
func withBrackets(lines int) int {
	if lines == 0 {
		return 1
	}
	return lines + 2
}
