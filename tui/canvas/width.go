package canvas

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// widths is a condition of our own: the package's default one follows the locale, and a frame must
// not depend on it.
var widths = &runewidth.Condition{StrictEmojiNeutral: true}

// Unprintable takes the place of what must not reach a terminal: bytes that are not UTF-8, characters that turn
// the direction of writing or move the cursor, and those that nobody could see.
const Unprintable = '\uFFFD'

// clean returns what to paint for r and how many cells it takes. A width of -1 means that nothing
// is painted: terminals do not agree about what joiners, variation selectors and tones of skin do to the width,
// so they are left out and every terminal counts the same. See [Hidden].
func clean(r rune) (painted rune, width int) {
	switch {
	case r >= ' ' && r < 0x7f:
		return r, 1
	case r < ' ':
		return '\u2400' + r, 1 // the picture of the control character
	case r == 0x7f:
		return '\u2421', 1
	case joins(r):
		return 0, -1
	case r == utf8.RuneError, unprintable(r):
		return Unprintable, 1
	}
	return r, widths.RuneWidth(r)
}

// joins reports whether r only changes how the characters around it look.
func joins(r rune) bool {
	return r == '\u200c' || r == '\u200d' || (r >= '\ufe00' && r <= '\ufe0f') || (r >= 0x1f3fb && r <= 0x1f3ff) || (r >= 0xe0000 && r <= 0xe01ef)
}

func unprintable(r rune) bool {
	return r < ' ' || (r >= 0x7f && r < 0xa0) || r == '\u00ad' || r == '\u061c' || r == '\u200b' || r == '\u200e' || r == '\u200f' ||
		(r >= '\u2028' && r <= '\u202e') || (r >= '\u2060' && r <= '\u206f') || r == '\ufeff' || (r >= '\ufff9' && r <= '\ufffb') ||
		(r >= 0xe000 && r <= 0xf8ff) || r >= 0xf0000
}

// Hidden reports whether r looks like nothing, or like something else, when it is painted: what shows data must
// write it another way.
func Hidden(r rune) bool { return joins(r) || unprintable(r) }

// Painted returns s as it looks when it is painted.
func Painted(s string) string {
	return strings.Map(func(r rune) rune {
		if painted, width := clean(r); width >= 0 {
			return painted
		}
		return -1
	}, s)
}

// Width returns the number of cells that s takes when it is painted. It is the one measure of width.
func Width(s string) int {
	total := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f {
			return total + wideWidth(s[i:])
		}
		total++
	}
	return total
}

func wideWidth(s string) int {
	total := 0
	for _, r := range s {
		if _, width := clean(r); width > 0 {
			total += width
		}
	}
	return total
}

// Cut returns the longest beginning of s that takes at most cells cells.
func Cut(s string, cells int) string {
	used := 0
	for i, r := range s {
		if _, width := clean(r); width > 0 {
			if used += width; used > cells {
				return s[:i]
			}
		}
	}
	return s
}

// cutLeft returns the longest end of s that takes at most cells cells.
func cutLeft(s string, cells int) string {
	end, used := len(s), 0
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:end])
		if _, width := clean(r); width > 0 {
			if used += width; used > cells {
				break
			}
		}
		end -= size
	}
	return s[end:]
}

// Fit returns s, or its beginning with the ellipsis where it takes more than cells cells.
func Fit(s string, cells int, ellipsis string) string {
	if Width(s) <= cells {
		return s
	}
	if room := cells - Width(ellipsis); room >= 0 {
		return Cut(s, room) + ellipsis
	}
	return Cut(s, max(cells, 0))
}

// FitMiddle returns s, or its beginning and its end with the ellipsis between them where it takes
// more than cells cells. It suits names and paths, whose ends tell them apart.
func FitMiddle(s string, cells int, ellipsis string) string {
	if Width(s) <= cells {
		return s
	}
	room := cells - Width(ellipsis)
	if room < 2 {
		return Fit(s, cells, ellipsis)
	}
	return Cut(s, room-room/2) + ellipsis + cutLeft(s, room/2)
}

// Pad returns s cut or filled up with blanks to exactly cells cells.
func Pad(s string, cells int, ellipsis string) string {
	s = Fit(s, cells, ellipsis)
	return s + strings.Repeat(" ", max(0, cells-Width(s)))
}

// Wrap breaks text into lines of at most cells cells, between words where that is possible.
// A newline in the text begins a new line.
func Wrap(text string, cells int) []string {
	cells = max(cells, 1)
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrapParagraph(paragraph, cells)...)
	}
	return lines
}

func wrapParagraph(text string, cells int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && Width(line)+1+Width(word) <= cells {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for Width(word) > cells {
			head := Cut(word, cells)
			if head == "" { // one wide character in one cell
				break
			}
			lines, word = append(lines, head), word[len(head):]
		}
		line = word
	}
	return append(lines, line)
}
