package testkit

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// VariableSeed is the environment variable with the seed of what tests choose at random.
const VariableSeed = "ASLDB_SEED"

// Number is the number in an environment variable, or the usual one.
func Number(t testing.TB, variable string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s is a number, not %q", variable, text)
	}
	return n
}

// Seed is the seed of what a test chooses at random. A test that fails prints it.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := Number(t, VariableSeed, 1)
	t.Logf("%s=%d", VariableSeed, seed)
	return seed
}

// Random makes random numbers by the test's seed.
func Random(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t), 0))
}
