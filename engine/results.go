package engine

import (
	"slices"

	"asldb/engine/value"
)

// resultBlock is how many results lie, and are copied, together.
const resultBlock = 256

// results are the results of the branches or iterations of a state: nil where one is not there yet, or failed and was
// tolerated. Snapshots share the blocks in which nothing has changed since.
type results struct {
	length int
	blocks [][]value.Value // nil where nothing was set yet
	shared []bool          // the blocks that must be copied before they are changed
}

func newResults(length int) results {
	count := (length + resultBlock - 1) / resultBlock
	return results{length: length, blocks: make([][]value.Value, count), shared: make([]bool, count)}
}

func (r *results) set(i int, v value.Value) {
	at := i / resultBlock
	switch {
	case r.blocks[at] == nil:
		r.blocks[at] = make([]value.Value, min(resultBlock, r.length-at*resultBlock))
	case r.shared[at]:
		r.blocks[at], r.shared[at] = slices.Clone(r.blocks[at]), false
	}
	r.blocks[at][i%resultBlock] = v
}

// share returns the same results. From now on neither changes the other.
func (r *results) share() results {
	if slices.Contains(r.shared, false) { // those of a snapshot are shared already and only read
		for i := range r.shared {
			r.shared[i] = true
		}
	}
	return results{length: r.length, blocks: slices.Clone(r.blocks), shared: slices.Clone(r.shared)}
}

// array returns the results that are there, in their order. Nothing must be set afterwards.
func (r *results) array() *value.Array {
	there := make([]value.Value, 0, r.length)
	for _, block := range r.blocks {
		for _, v := range block {
			if v != nil {
				there = append(there, v)
			}
		}
	}
	return value.NewArray(there)
}
