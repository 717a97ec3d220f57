package engine

import (
	"math/rand/v2"

	"asldb.dev/asldb/engine/asl"
)

// moment is what the fields of t's state see that do not come from the language.
func (e *Execution) moment(t *thread) *asl.Moment {
	return &asl.Moment{
		Data: t.data, Now: e.Now(), Start: e.options.Start, Visit: t.visit.Number,
		Draw: func(n int64) int64 { return rand.New(&e.random).Int64N(n) },
	}
}
