package jsonata

// Java is the generator of java.util.Random, as Java's documentation defines it: a linear congruential generator of 48 bits. The
// service draws from it where a seed is given.
type Java struct{ state uint64 }

const (
	javaMultiplier = 0x5DEECE66D
	javaMask       = 1<<48 - 1
)

// JavaRandom returns the generator of new java.util.Random(seed).
func JavaRandom(seed int64) *Java { return &Java{(uint64(seed) ^ javaMultiplier) & javaMask} }

func (j *Java) next(bits uint) uint64 {
	j.state = (j.state*javaMultiplier + 0xB) & javaMask
	return j.state >> (48 - bits)
}

// Double is nextDouble: a number from 0 (included) to 1 (excluded).
func (j *Java) Double() float64 {
	high := j.next(26) << 27
	return float64(high+j.next(27)) / (1 << 53)
}

// Below is nextInt(bound): a number from 0 (included) to bound (excluded), which is above 0.
func (j *Java) Below(bound int32) int64 {
	if bound&-bound == bound { // a power of 2
		return int64(uint64(bound) * j.next(31) >> 31)
	}
	for {
		drawn := int32(j.next(31))
		rest := drawn % bound
		if drawn-rest+(bound-1) >= 0 { // else the numbers would not be equally likely: the sum overflows
			return int64(rest)
		}
	}
}
