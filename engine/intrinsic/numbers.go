package intrinsic

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"asldb/engine/value"
	"asldb/internal/digest"
)

// mathAdd rounds its arguments and adds them.
func mathAdd(a *arguments) (value.Value, error) {
	first, err := a.int32(0)
	if err != nil {
		return nil, err
	}
	second, err := a.int32(1)
	if err != nil {
		return nil, err
	}
	sum := first + second
	if sum < math.MinInt32 || sum > math.MaxInt32 {
		return nil, a.fail("the sum %d is not between %d and %d", sum, math.MinInt32, math.MaxInt32)
	}
	return value.Int(sum), nil
}

// mathRandom gives a whole number from its first argument (included) to its second (excluded). With a seed, the
// third argument, the same arguments give the same number always.
func mathRandom(a *arguments) (value.Value, error) {
	start, err := a.int32(0)
	if err != nil {
		return nil, err
	}
	end, err := a.int32(1)
	if err != nil {
		return nil, err
	}
	if start >= end {
		return nil, a.fail("the start %d must be below the end %d", start, end)
	}
	source := a.random
	if len(a.values) == 3 {
		seed, err := a.integer(2)
		if err != nil {
			return nil, err
		}
		source = rand.NewPCG(uint64(seed), 0)
	}
	if source == nil {
		return nil, a.fail("there is no source of random numbers")
	}
	// The high word of the product is a number below the width; with 64 random bits its bias cannot be noticed.
	offset, _ := bits.Mul64(source.Uint64(), uint64(end-start))
	return value.Int(start + int64(offset)), nil
}

// uuid gives a random UUID, version 4 (RFC 9562).
func uuid(a *arguments) (value.Value, error) {
	if a.random == nil {
		return nil, a.fail("there is no source of random numbers")
	}
	return value.String(digest.UUID(a.random.Uint64(), a.random.Uint64())), nil
}
