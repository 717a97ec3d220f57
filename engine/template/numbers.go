package template

import (
	"math"
	"math/bits"

	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// mathAdd rounds its arguments and adds them.
func mathAdd(a *arguments) (value.Value, error) {
	var terms [2]int64
	for i := range terms {
		n, err := a.rounded(i)
		if terms[i], err = a.int32(i, n, err); err != nil {
			return nil, err
		}
	}
	sum := terms[0] + terms[1]
	if sum < math.MinInt32 || sum > math.MaxInt32 {
		return nil, a.fail("the sum %d is not between %d and %d", sum, math.MinInt32, math.MaxInt32)
	}
	return value.Int(sum), nil
}

// mathRandom gives a whole number from its first argument (included) to its second (excluded). With a seed, the third argument, it
// is the one that Java's new Random(seed).nextInt(end-start)+start gives, as the service was measured to do.
func mathRandom(a *arguments) (value.Value, error) {
	var bounds [2]int64
	for i := range bounds {
		n, err := a.integer(i)
		if bounds[i], err = a.int32(i, n, err); err != nil {
			return nil, err
		}
	}
	start, end := bounds[0], bounds[1]
	if start >= end {
		return nil, a.fail("the start %d must be below the end %d", start, end)
	}
	if len(a.values) == 3 {
		seed, err := a.integer(2)
		if err != nil {
			return nil, err
		}
		if end-start > math.MaxInt32 {
			return nil, a.fail("the range from %d to %d is larger than %d", start, end, math.MaxInt32)
		}
		return value.Int(start + jsonata.JavaRandom(seed).Below(int32(end-start))), nil
	}
	source := a.random
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
	return value.String(jsonata.UUID(a.random.Uint64(), a.random.Uint64())), nil
}
