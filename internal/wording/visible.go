// Package wording owns text that leaves the program: its visible characters, its words, numbers and quotes, and the
// spelling of names.
//
// Text leaves the program to a terminal, into a file, down a pipe. Names, data, causes and
// file names come from others. A terminal acts on some of their characters, and others show nothing, or something
// different from its content. In text such characters are written by their number, <U+202E>; in JSON as an escape,
// \u202e, so that a value is the same when it is read again.
package wording

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/mattn/go-runewidth"
)

// Hidden reports whether r does something to a terminal, cannot be seen, or looks like something else: controls (C0,
// C1), controls of the direction of writing, characters of no width, line separators, selectors of variants, private
// characters and ones that aren't characters. Blanks are not hidden, and neither are marks on letters.
func Hidden(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' '
	case r < 0xa0:
		return true
	case r < 0x300:
		return r == '\u00ad'
	case r >= 0x2070 && r < 0xe000: // signs and lines, and the letters of East Asia
		return r == '\u3164'
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef: // no characters
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r): // format characters that are seen
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Next returns how the beginning of s is shown in one line of text, and how many bytes of s that is: a character, an
// emoji with its joiners and selectors, or the number of a hidden character. Line breaks and tabs are shown
// as \n, \r and \t; a byte that is not UTF-8 is shown as U+FFFD. s must not be empty.
func Next(s string) (shown string, size int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r >= ' ' && r < 0x7f:
		if n := emoji(s, size); n > 0 { // of a key: #, * or a digit
			return s[:n], n
		}
		return s[:size], size
	case r == utf8.RuneError:
		return "\uFFFD", size
	case r == '\n':
		return `\n`, size
	case r == '\r':
		return `\r`, size
	case r == '\t':
		return `\t`, size
	case Hidden(r):
		return fmt.Sprintf("<U+%04X>", r), size
	}
	if n := emoji(s, size); n > 0 {
		return s[:n], n
	}
	return s[:size], size
}

// IsEmoji reports whether a text that Next has returned is an emoji of several characters: terminals do not agree how
// many cells it takes.
func IsEmoji(shown string) bool {
	_, size := utf8.DecodeRuneInString(shown)
	return size < len(shown) && shown[0] != '<' && shown[0] != '\\'
}

// Line returns s as one line of text.
func Line(s string) string { return text(s, false) }

// Indented returns a text that comes from outside and may have several lines, such as a stack trace: those after the
// first are indented, so that they differ from lines of asldb's own.
func Indented(s string) string { return strings.ReplaceAll(Text(s), "\n", "\n  ") }

// Bare returns s without joiners and selectors of emoji: two texts for which it is the same may look the same.
func Bare(s string) string { return strings.NewReplacer(joiner, "", selector, "").Replace(Line(s)) }

// Text returns s as lines of text: line feeds and tabs stay. It is for texts whose lines are asldb's own; text
// from outside has gone through [Line] before.
func Text(s string) string { return text(s, true) }

func text(s string, lines bool) string {
	clean := cleanLength(s, lines)
	if clean == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 32)
	b.WriteString(s[:clean])
	for rest := s[clean:]; rest != ""; {
		shown, size := Next(rest)
		if lines && (rest[0] == '\n' || rest[0] == '\t') {
			shown = rest[:1]
		}
		b.WriteString(shown)
		rest = rest[size:]
	}
	return b.String()
}

// cleanLength returns how many bytes at the beginning of s are ASCII that is shown as it is.
func cleanLength(s string, lines bool) int {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || (c < ' ' && (!lines || (c != '\n' && c != '\t'))) {
			return max(i-1, 0) // the character before may be part of an emoji
		}
	}
	return len(s)
}

// JSON returns a JSON text in which every hidden character of a string is an escape. The text reads as the same value.
// It may be a part of a JSON text, where that is cut between characters. The text itself may be returned.
func JSON(text []byte) []byte {
	for i, c := range text {
		if c >= 0x7f {
			return escape(text, i)
		}
	}
	return text
}

func escape(text []byte, clean int) []byte {
	out := append(make([]byte, 0, len(text)+64), text[:clean]...)
	for i := clean; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError:
			out = append(out, "\uFFFD"...)
		case r < 0x7f || !Hidden(r): // C0 controls in a JSON text are white space
			out = append(out, text[i:i+size]...)
		default:
			out = appendEscape(out, r)
		}
		i += size
	}
	return out
}

func appendEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// JSONLine is [JSON] for a screen: emoji stay whole.
func JSONLine(text string) string {
	if cleanLength(text, true) == len(text) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if n := emoji(rest, size); n > 0 {
			size = n
		} else if Hidden(r) && r >= 0x7f {
			out, rest = appendEscape(out, r), rest[size:]
			continue
		}
		out, rest = append(out, rest[:size]...), rest[size:]
	}
	return string(out)
}

// maxElements bounds the emoji that are joined into one; no emoji has more than four.
const maxElements = 5

// emoji returns the length in bytes of the emoji of several characters that s begins with, 0 where there is none. size
// is the size of the first character. It is an emoji with a tone or the selector of its coloured form, several such
// that joiners hold together, a key, or a flag of a part of a country.
func emoji(s string, size int) int {
	if !joins(s[size:]) {
		return 0
	}
	if flag := subdivision(s); flag > 0 {
		return flag
	}
	if s[0] < 0x80 {
		return keycap(s)
	}
	end, elements := element(s, size), 1
	if end == 0 {
		return 0
	}
	for elements < maxElements && strings.HasPrefix(s[end:], joiner) {
		from := end + len(joiner)
		_, next := utf8.DecodeRuneInString(s[from:])
		length := element(s[from:], next)
		if length == 0 {
			break
		}
		end, elements = from+length, elements+1
	}
	if end == size {
		return 0
	}
	return end
}

// joins reports whether s may begin with a character that makes an emoji of the one before it: a joiner, a selector, a
// tone or a letter of a flag.
func joins(s string) bool {
	if len(s) < 3 {
		return false
	}
	switch s[0] {
	case 0xe2:
		return s[:3] == joiner
	case 0xef:
		return s[:3] == selector
	case 0xf0:
		return s[1] == 0x9f && s[2] == 0x8f
	}
	return s[0] == 0xf3
}

const (
	joiner   = "\u200d"
	selector = "\ufe0f"
)

// element returns the length of a pictograph with its tone or selector, 0 where s does not begin with a pictograph.
func element(s string, size int) int {
	if size == 0 || !isPictograph(s[:size]) {
		return 0
	}
	if strings.HasPrefix(s[size:], selector) {
		return size + len(selector)
	}
	if r, tone := utf8.DecodeRuneInString(s[size:]); isTone(r) {
		return size + tone
	}
	return size
}

// isPictograph reports whether a character is one that a joiner joins to another, as Unicode's rule GB11 has it.
func isPictograph(s string) bool {
	if r, _ := utf8.DecodeRuneInString(s); r < 0xa9 || isTone(r) || Hidden(r) {
		return false
	}
	joined := s + joiner + "\u2600"
	clusters := graphemes.FromString(joined)
	return clusters.Next() && len(clusters.Value()) == len(joined)
}

// isTone reports whether r is one of the tones of skin.
func isTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// keycap returns the length of the emoji of a key that s begins with, such as the key 1.
func keycap(s string) int {
	const rest = selector + "\u20e3"
	if strings.IndexByte("#*0123456789", s[0]) >= 0 && strings.HasPrefix(s[1:], rest) {
		return 1 + len(rest)
	}
	return 0
}

// subdivision returns the length of the flag of England, Scotland or Wales that s begins with. Their letters are hidden
// characters, in which any other text could be smuggled.
func subdivision(s string) int {
	const black = "\U0001f3f4"
	if !strings.HasPrefix(s, black) {
		return 0
	}
	for _, letters := range []string{"gbeng", "gbsct", "gbwls"} {
		flag := black
		for _, c := range letters {
			flag += string(0xe0000 + c)
		}
		if flag += "\U000e007f"; strings.HasPrefix(s, flag) {
			return len(flag)
		}
	}
	return 0
}

// Hanging breaks a line that is longer than width cells between words. The further lines are indented by hang cells
// more than the first. A word that is longer, such as the name of a file, stays whole, so that it can be copied. With a
// width of 0 nothing is broken.
func Hanging(line string, width, hang int) string {
	if width <= 0 || runewidth.StringWidth(line) <= width {
		return line
	}
	text := strings.TrimLeft(line, " ")
	indent := strings.Repeat(" ", min(len(line)-len(text)+hang, width/2))
	var b strings.Builder
	b.WriteString(line[:len(line)-len(text)])
	at, begun := len(line)-len(text), false
	for text != "" {
		blanks := len(text) - len(strings.TrimLeft(text, " "))
		end := strings.IndexByte(text[blanks:], ' ')
		if end < 0 {
			end = len(text) - blanks
		}
		word := text[blanks : blanks+end]
		cells := runewidth.StringWidth(word)
		if begun && word != "" && at+blanks+cells > width {
			b.WriteString("\n" + indent)
			at, blanks = len(indent), 0
		}
		b.WriteString(strings.Repeat(" ", blanks) + word)
		at, begun = at+blanks+cells, true
		text = strings.TrimLeft(text, " ")[end:]
	}
	return b.String()
}
