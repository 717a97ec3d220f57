package jsonview

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"asldb.dev/asldb/tui/canvas"
)

// escapeHidden writes the characters of a JSON string that cannot be seen as JSON escapes (\u200b), so that data which
// differs looks different. What joins and colours emoji stays as it is unless exact is set: an emoji would
// fall apart into escapes that nobody can read.
func escapeHidden(text string, exact bool) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case !canvas.Hidden(r), !exact && inEmoji(runes, i):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// inEmoji reports whether the character at i, one that joins others, belongs to an emoji before it; a zero width
// joiner needs one behind it, too.
func inEmoji(runes []rune, i int) bool {
	switch r := runes[i]; {
	case r == '\u200d':
		return i+1 < len(runes) && isEmoji(runes[i+1]) && follows(runes, i)
	case r == '\ufe0f', r >= 0x1f3fb && r <= 0x1f3ff, r >= 0xe0020 && r <= 0xe007f:
		return follows(runes, i)
	}
	return false
}

// follows reports whether an emoji, perhaps with modifiers, stands before i.
func follows(runes []rune, i int) bool {
	for i--; i >= 0; i-- {
		switch r := runes[i]; {
		case r == '\ufe0f', r >= 0x1f3fb && r <= 0x1f3ff, r >= 0xe0020 && r <= 0xe007f:
		default:
			return isEmoji(r) || (r < 0x80 && strings.ContainsRune("#*0123456789", r)) // of a keycap
		}
	}
	return false
}

func isEmoji(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2190 && r <= 0x2bff:
		return true
	}
	return strings.ContainsRune("©®‼⁉™ℹ〰〽㊗㊙", r)
}
