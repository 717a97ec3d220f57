package canvas

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"asldb/internal/wording"
)

// widths is a condition of our own: the package's default one follows the locale, and a frame must
// not depend on it.
var widths = &runewidth.Condition{StrictEmojiNeutral: true}

// next returns the text to paint for the beginning of s, the cells that it takes, and the bytes of s that it shows. An
// emoji of several characters takes two cells; a mark that combines with the character before it takes none. s must
// not be empty.
func next(s string) (painted string, cells, size int) {
	if c := s[0]; c >= ' ' && c < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1], 1, 1
	}
	painted, size = wording.Next(s)
	switch {
	case len(painted) == 1:
		return painted, 1, size
	case size == len(painted) && !wording.IsEmoji(painted):
		r, _ := utf8.DecodeRuneInString(painted)
		return painted, widths.RuneWidth(r), size
	case wording.IsEmoji(painted):
		return painted, 2, size
	}
	return painted, Width(painted), size
}

// Width returns the number of cells that s takes when it is painted. It is the one measure of width.
func Width(s string) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f {
			from := max(i-1, 0) // the character before may be part of an emoji
			return from + wideWidth(s[from:])
		}
	}
	return len(s)
}

func wideWidth(s string) int {
	total := 0
	for s != "" {
		_, cells, size := next(s)
		total += cells
		s = s[size:]
	}
	return total
}

// Column returns how many cells of s are before its byte at. A place inside an emoji is the emoji's.
func Column(s string, at int) int {
	cells := 0
	for i := 0; i < at; {
		_, width, size := next(s[i:])
		if i += size; i <= at {
			cells += width
		}
	}
	return cells
}

// Whole moves from and to, bytes of s, apart so that no emoji is cut, and returns them.
func Whole(s string, from, to int) (int, int) {
	for at := 0; at < to; {
		_, _, size := next(s[at:])
		if at < from && at+size > from {
			from = at
		}
		if at += size; at > to {
			to = at
		}
	}
	return from, to
}

// Cut returns the longest beginning of s that takes at most cells cells.
func Cut(s string, cells int) string {
	used := 0
	for at := 0; at < len(s); {
		_, width, size := next(s[at:])
		if used += width; used > cells {
			return s[:at]
		}
		at += size
	}
	return s
}

// cutLeft returns the longest end of s that takes at most cells cells.
func cutLeft(s string, cells int) string {
	left := Width(s)
	for s != "" && left > cells {
		_, width, size := next(s)
		left -= width
		s = s[size:]
	}
	for s != "" { // marks on a character that is cut away
		_, width, size := next(s)
		if width > 0 {
			break
		}
		s = s[size:]
	}
	return s
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
// more than cells cells. It suits names and paths, whose ends distinguish them.
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
			if at := strings.LastIndexAny(head, "/._-:,"); at > len(head)/2 { // a path breaks between its parts
				head = head[:at+1]
			}
			lines, word = append(lines, head), word[len(head):]
		}
		line = word
	}
	return append(lines, line)
}
