package dialog

import (
	"iter"
	"strings"

	"asldb/engine/value"
	"asldb/tui/view"
)

// maxWord is the greatest length of a text that is offered, in bytes.
const maxWord = 60

// Words yields the names of members and the short texts in a value, in its order, and reports whether all were taken.
func Words(v value.Value, yield func(string) bool) bool {
	switch v := v.(type) {
	case *value.Object:
		for name, member := range v.All() {
			if !yield(name) || !Words(member, yield) {
				return false
			}
		}
	case *value.Array:
		for _, item := range v.All() {
			if !Words(item, yield) {
				return false
			}
		}
	case value.String:
		if len(v) <= maxWord {
			return yield(string(v))
		}
	}
	return true
}

// The bounds of completion by words: how many are offered, and how many looked at.
const (
	maxOfferedWords = 100
	maxSeenWords    = 100_000
)

// CompleteWord returns the words that begin with a text, and after them those that have it elsewhere, each once; none for an empty
// text.
func CompleteWord(text string, words iter.Seq[string]) []view.Completion {
	folded := strings.ToLower(text)
	if folded == "" {
		return nil
	}
	var first, rest []view.Completion
	known, seen := make(map[string]bool), 0
	for word := range words {
		if seen++; seen > maxSeenWords || len(first) == maxOfferedWords {
			break
		}
		at := strings.Index(strings.ToLower(word), folded)
		if at < 0 || known[word] || strings.ContainsAny(word, "\n\t") {
			continue
		}
		known[word] = true
		c := view.Completion{Text: word, Shown: word}
		if at == 0 {
			first = append(first, c)
		} else if len(rest) < maxOfferedWords {
			rest = append(rest, c)
		}
	}
	list := append(first, rest...)
	return list[:min(len(list), maxOfferedWords)]
}
