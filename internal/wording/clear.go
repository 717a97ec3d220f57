package wording

import (
	"iter"
	"strings"
	"unicode"
)

// Clear reports whether a word is certainly a misspelling of meant: only upper and lower case differ, or a character or
// two in a long word, and no other candidate is as near. Words that differ in their digits are different words: "Step3"
// is not a misspelling of "Step4".
func Clear(word, meant string, candidates iter.Seq[string]) bool {
	if meant == "" || word == meant || len(word) > maxLength || len(meant) > maxLength {
		return false
	}
	from, to := []rune(strings.ToLower(word)), []rune(strings.ToLower(meant))
	d := distance(from, to)
	if d > 0 && (digits(word) != digits(meant) || d > 2 || 4*d > max(len(from), len(to))) {
		return false
	}
	for other := range candidates {
		if other != meant && other != word && len(other) <= maxLength && distance(from, []rune(strings.ToLower(other))) <= d {
			return false
		}
	}
	return true
}

// digits returns the digits of a text.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
