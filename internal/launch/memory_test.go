package launch

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestBound(t *testing.T) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		t.Skip("the tests run with their own limit")
	}
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	var b bound
	one, two := b.confirm(), b.confirm()
	if limit() != confirmMemory {
		t.Errorf("two are confirmed: %d", limit())
	}
	one()
	whole := b.read()
	if limit() != math.MaxInt64 {
		t.Errorf("one is read as a whole: %d", limit())
	}
	whole()
	if limit() != confirmMemory {
		t.Errorf("one is confirmed: %d", limit())
	}
	two()
	if limit() != math.MaxInt64 {
		t.Errorf("none is confirmed: %d", limit())
	}
	debug.SetMemoryLimit(1 << 40)
	defer debug.SetMemoryLimit(math.MaxInt64)
	done := b.confirm()
	if limit() != 1<<40 {
		t.Errorf("the user has set a limit: %d", limit())
	}
	done()
	if limit() != 1<<40 {
		t.Errorf("the limit of the user is gone: %d", limit())
	}
}
