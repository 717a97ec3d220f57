package graph

import (
	"slices"
	"strings"

	"asldb/tui/part/canvas"
)

// operators are the words between the two sides of a condition, and joints those between two conditions.
var (
	operators = []string{"=", "!=", "<", "<=", ">", ">=", "is", "in", "matches"}
	joints    = []string{"and", "or"}
)

// leastSide is the least number of cells in which the side of a comparison can be told from others, and leastJoined the
// number for one of several conditions with the word that joins the next one.
const leastSide, leastJoined = 5, 15

// longValue is the number of cells of a value that is known by its ends.
const longValue = 8

// FitCondition returns a condition in at most so many cells. What is compared is shortened, the comparison stays; where
// its value would be no more than a few letters nothing is left but the ellipsis. Other texts are shortened in their
// middle.
func FitCondition(text string, cells int, ellipsis string) string {
	if canvas.Width(text) <= cells {
		return text
	}
	if left, word, right, ok := splitAt(text, joints); ok {
		return fitJoined(left, word, right, cells, ellipsis)
	}
	if inner, ok := strings.CutPrefix(text, "not ("); ok && strings.HasSuffix(inner, ")") && cells >= 2*leastSide+6 {
		return "not (" + FitCondition(inner[:len(inner)-1], cells-6, ellipsis) + ")"
	}
	if left, word, right, ok := splitAt(text, operators); ok {
		return fitComparison(left, " "+word+" ", right, cells, ellipsis)
	}
	return canvas.FitMiddle(text, cells, ellipsis)
}

// fitComparison returns a comparison in which the right side has what it needs where it is a value: the rules of a
// Choice often differ in that alone. Two paths share the room, as do a path and a long value.
func fitComparison(left, operator, right string, cells int, ellipsis string) string {
	room, none := cells-canvas.Width(operator), canvas.Width(ellipsis)
	whole, value := canvas.Width(right), right[0] != '$'
	second := min(whole, max(room/2, room-canvas.Width(left)))
	if value && (whole < room || second < longValue) {
		second = min(whole, room-none)
	}
	if first := room - second; first < leastSide && first < canvas.Width(left) { // too little to know it
		left, second = ellipsis, min(whole, room-none)
	}
	least := leastSide
	if value {
		least = longValue
	}
	if bare := operator[1:] + right; value && second < whole && canvas.Width(bare) <= cells {
		return bare
	}
	if second < min(whole, least) || operator == " is " && second < whole {
		return canvas.FitMiddle(ellipsis, cells, "")
	}
	return fitPath(left, room-second, ellipsis) + operator + fitPath(right, second, ellipsis)
}

// fitJoined returns one of two conditions with the word between them: the second where the first is about the type of a
// value, which only guards the other.
func fitJoined(left, word, right string, cells int, ellipsis string) string {
	if _, operator, _, _ := splitAt(left, operators); operator == "is" {
		if before := ellipsis + " "; canvas.Width(before+right) <= cells {
			return before + right
		}
		return FitCondition(right, cells, ellipsis)
	}
	behind := " " + word + " " + ellipsis
	if room := cells - canvas.Width(behind); room >= min(canvas.Width(left), leastJoined) {
		return FitCondition(left, room, ellipsis) + behind
	}
	if short := FitCondition(left, cells-canvas.Width(ellipsis), ellipsis); short != ellipsis {
		return short + ellipsis
	}
	return ellipsis
}

// fitPath shortens a path to its last members where these have room, other texts in their middle.
func fitPath(path string, cells int, ellipsis string) string {
	if canvas.Width(path) <= cells {
		return path
	}
	if strings.HasPrefix(path, "$") {
		for at := range path {
			if short := ellipsis + path[at+1:]; path[at] == '.' && canvas.Width(short) <= cells {
				return short
			}
		}
	}
	return canvas.FitMiddle(path, cells, ellipsis)
}

// splitAt returns what is before and behind the first of some words in a text that is outside of brackets and of
// quotation marks.
func splitAt(text string, words []string) (left, word, right string, ok bool) {
	depth, quote := 0, byte(0)
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case quote != 0:
			switch c {
			case '\\':
				at++
			case quote:
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ' ' && depth == 0 && at > 0:
			word, right, _ = strings.Cut(text[at+1:], " ")
			if right != "" && slices.Contains(words, word) {
				return text[:at], word, right, true
			}
		}
	}
	return "", "", "", false
}
