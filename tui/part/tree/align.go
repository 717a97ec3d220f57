package tree

import "asldb/engine/value"

// match is an item of one array and the same item of another.
type match struct{ a, b int }

const (
	// maxAligned bounds the bytes of the items that are looked at to find which of two arrays are the same.
	maxAligned = 1 << 20
	// maxEdits bounds how many items may differ: the work grows with its square.
	maxEdits = 400
)

// common returns items that both arrays have, in the order of both: as many as there are (Myers' algorithm). Where that
// would take too much work there are none, and items are compared by their places.
func common(a, b *value.Array) []match {
	if a.Len() == 0 || b.Len() == 0 || value.Size(a)+value.Size(b) > maxAligned {
		return nil
	}
	numbers := map[string]int{}
	return shortestEdit(identities(a, numbers), identities(b, numbers))
}

// identities numbers items by their text: items with one number are written alike.
func identities(a *value.Array, numbers map[string]int) []int {
	ids := make([]int, a.Len())
	for i, item := range a.All() {
		text := value.Compact(item)
		id, ok := numbers[text]
		if !ok {
			id = len(numbers)
			numbers[text] = id
		}
		ids[i] = id
	}
	return ids
}

// shortestEdit finds the fewest removals and insertions that lead from a to b, and returns the common items; nil where
// more than maxEdits are needed.
func shortestEdit(a, b []int) []match {
	limit := min(len(a)+len(b), maxEdits)
	reach := make([]int, 2*limit+2) // by diagonal: how far a is used up
	var history [][]int
	for edits := 0; edits <= limit; edits++ {
		for k := -edits; k <= edits; k += 2 {
			at := k + limit
			var x int
			switch {
			case edits == 0:
			case k == -edits || (k != edits && reach[at-1] < reach[at+1]):
				x = reach[at+1]
			default:
				x = reach[at-1] + 1
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			reach[at] = x
			if x >= len(a) && x-k >= len(b) {
				return traceBack(a, b, history)
			}
		}
		history = append(history, append([]int(nil), reach[limit-edits:limit+edits+1]...))
	}
	return nil
}

// traceBack follows the edits back from the ends; history[d] has the end of each diagonal after d edits.
func traceBack(a, b []int, history [][]int) []match {
	var matches []match
	x, y := len(a), len(b)
	for edits := len(history); edits > 0; edits-- {
		before := history[edits-1] // of the diagonals -(edits-1) to edits-1
		reach := func(k int) int {
			if k < -(edits-1) || k > edits-1 {
				return -1
			}
			return before[k+edits-1]
		}
		k := x - y
		from := k - 1
		if k == -edits || (k != edits && reach(k-1) < reach(k+1)) {
			from = k + 1
		}
		fromX := reach(from)
		fromY := fromX - from
		startX := fromX
		if from == k-1 {
			startX++
		}
		for x > startX {
			x, y = x-1, y-1
			matches = append(matches, match{x, y})
		}
		x, y = fromX, fromY
	}
	for x > 0 {
		x, y = x-1, y-1
		matches = append(matches, match{x, y})
	}
	for i, j := 0, len(matches)-1; i < j; i, j = i+1, j-1 {
		matches[i], matches[j] = matches[j], matches[i]
	}
	return matches
}
