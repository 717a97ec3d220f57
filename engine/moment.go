package engine

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// moment returns the data of the fields of t's state that do not come from the language.
func (e *evaluator) moment(t *thread) *asl.Moment {
	return &asl.Moment{
		Data: t.data, Now: e.clock.Now(), Start: e.options.Start, Visit: t.visit.Number,
		Draw: func(n int64) int64 { return rand.New(&e.random).Int64N(n) },
	}
}

// Seconds returns a duration as a number of seconds, without loss, as fields that bound or delay a state have it.
func Seconds(d time.Duration) value.Value {
	text := new(big.Rat).SetFrac64(int64(d), int64(time.Second)).FloatString(9)
	number, err := value.ParseNumber(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
	if err != nil {
		return value.Int(int64(d / time.Second))
	}
	return number
}
