package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/tui/part/canvas"
)

// nameRows returns a state's name in the rows that it takes in a shape: one, or two where it is longer than a row and
// the shape wraps names. It breaks between words: after a space or a punctuation mark, before a capital letter. A row
// may still be longer than the shape's.
func (s *Shape) nameRows(name string) (first, second string) {
	if !s.Wrap || canvas.Width(name) <= s.Name {
		return name, ""
	}
	best, widest := 0, canvas.Width(name)
	before := rune(0)
	for at, r := range name {
		if at > 0 && breaksBefore(before, r) {
			if w := max(canvas.Width(name[:at]), canvas.Width(name[at:])); w < widest {
				best, widest = at, w
			}
		}
		before = r
	}
	if best == 0 {
		return name, ""
	}
	return strings.TrimSpace(name[:best]), strings.TrimSpace(name[best:])
}

// breaksBefore reports whether a name may be broken between two characters.
func breaksBefore(before, r rune) bool {
	if before == utf8.RuneError || r == utf8.RuneError {
		return false
	}
	switch {
	case unicode.IsSpace(before) || before == '_' || before == '-' || before == '.' || before == '/':
		return !unicode.IsSpace(r) && !unicode.IsPunct(r)
	case unicode.IsUpper(r):
		return unicode.IsLower(before) || unicode.IsDigit(before)
	}
	return false
}
