package wording

import (
	"iter"
	"strconv"
	"strings"
)

// maxLength bounds the words that are compared, in bytes: a comparison costs the product of their lengths.
const maxLength = 100

// Nearest returns the candidate most like word: the same but for upper and lower case, or with few characters to
// insert, delete, replace or swap: at most a third of the longer one's, so that a word of a letter or two is
// like no other. Of equally near ones the first wins. It returns "" when none is near, and never the word
// itself.
func Nearest(word string, candidates iter.Seq[string]) string {
	return nearest(word, candidates, maxLength)
}

// Meant asks whether the candidate most like a word was meant; it is "" where none is near.
func Meant(word string, candidates iter.Seq[string]) string {
	if near := Nearest(word, candidates); near != "" {
		return "did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

// Within returns the candidate most like word with at most a number of characters to insert, delete, replace or swap,
// and at most a third of the longer one's. Upper and lower case are the same. Of equally near ones the first wins. It
// returns "" when none is near, and never the word itself.
func Within(word string, candidates iter.Seq[string], most int) string {
	return nearest(word, candidates, most)
}

func nearest(word string, candidates iter.Seq[string], most int) string {
	if word == "" || len(word) > maxLength {
		return ""
	}
	lower := []rune(strings.ToLower(word))
	best, bestDistance := "", most+1
	for candidate := range candidates {
		if candidate == word || len(candidate) > maxLength {
			continue
		}
		other := []rune(strings.ToLower(candidate))
		if apart := len(lower) - len(other); max(apart, -apart) >= bestDistance { // the distance is as much at least
			continue
		}
		if d := distance(lower, other); d < bestDistance && d <= max(len(lower), len(other))/3 {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance is the number of characters to insert, delete, replace or swap with their neighbour to get from a to b.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
