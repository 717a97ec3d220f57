package jsonata

import "testing"

// The numbers are those that AWS Step Functions answered for seeds (States.MathRandom, $random), as others measured.
func TestJavaRandom(t *testing.T) {
	for _, test := range []struct {
		start, end int32
		seed, want int64
	}{
		{1, 100, 42, 63}, {1, 1000, 1, 106}, {1, 1000, 2, 806}, {1, 10, 0, 7}, {1, 10, -10, 1},
		{2147483640, 2147483647, 1, 2147483644}, {-5, 5, 42, -5},
	} {
		if got := int64(test.start) + JavaRandom(test.seed).Below(test.end-test.start); got != test.want {
			t.Errorf("from %d to %d with seed %d: %d, want %d", test.start, test.end, test.seed, got, test.want)
		}
	}
	if got := JavaRandom(77).Double(); got != 0.7240700207191966 {
		t.Errorf("$random(77) is %v", got)
	}
	for range 100 { // a power of two takes the upper bits
		if n := JavaRandom(7).Below(1 << 30); n < 0 || n >= 1<<30 {
			t.Errorf("%d is out of range", n)
		}
	}
}
