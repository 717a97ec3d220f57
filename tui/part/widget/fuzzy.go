package widget

import (
	"strings"
	"unicode"
)

// The worth of a match: letters that begin a word or follow each other count more, and a text with much else in it
// counts less.
const (
	wordStart = 8
	following = 5
	anywhere  = 1
	wholeText = 20
)

// Match reports whether the letters of pattern are in text in their order, upper and lower case being the same
// and blanks of the pattern being skipped. score is higher the better it fits, and at holds the places of the
// letters, as numbers of characters of text. An empty pattern fits everything with a score of 0.
func Match(pattern, text string) (score int, at []int, ok bool) {
	want := []rune(strings.ToLower(strings.Join(strings.Fields(pattern), "")))
	if len(want) == 0 {
		return 0, nil, true
	}
	have := []rune(strings.ToLower(text))
	best := -1
	for from := range have {
		if have[from] != want[0] {
			continue
		}
		if s, places := matchFrom(want, have, from); places != nil && s > best {
			best, at = s, places
		}
	}
	if at == nil {
		return 0, nil, false
	}
	if len(want) == len(have) {
		best += wholeText
	}
	return best*8 - len(have) - 2*min(at[0], wordStart), at, true
}

// matchFrom takes the first letter at from, and each other one at its
// next place.
func matchFrom(want, have []rune, from int) (score int, at []int) {
	i := from
	for n, r := range want {
		if n > 0 {
			if i = next(have, r, at[n-1]+1); i < 0 {
				return 0, nil
			}
		}
		switch {
		case begins(have, i):
			score += wordStart
		case n > 0 && i == at[n-1]+1:
			score += following
		default:
			score += anywhere
		}
		at = append(at, i)
	}
	return score, at
}

func next(have []rune, r rune, from int) int {
	for i := from; i < len(have); i++ {
		if have[i] == r {
			return i
		}
	}
	return -1
}

func begins(have []rune, i int) bool { return i == 0 || !unicode.IsLetter(have[i-1]) }
