package work

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// The heap grows to the floor, and not beyond what the runtime itself allows where the data are large.
func TestPercentFor(t *testing.T) {
	for live, want := range map[uint64]int{
		0: 1600, 4 << 20: 1500, 16 << 20: 300, 32 << 20: 100, 64 << 20: 100, 1 << 30: 100,
	} {
		if got := percentFor(live); got != want {
			t.Errorf("%d MiB of data: %d, want %d", live>>20, got, want)
		}
	}
}

// gcPercent is the percentage in force.
func gcPercent() int {
	now := debug.SetGCPercent(percent)
	debug.SetGCPercent(now)
	return now
}

// The percentage follows the data, and is the one of before at the end.
func TestRelax(t *testing.T) {
	if !runtimeDecides() {
		t.Skip("the tests run with their own limit")
	}
	before := gcPercent()
	one, two := Relax(), Relax()
	small := gcPercent()
	if small <= before {
		t.Errorf("with small data: %d, before %d", small, before)
	}
	large := make([]byte, Floor)
	runtime.GC()
	for deadline := time.Now().Add(time.Minute); gcPercent() != percent && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	if now := gcPercent(); now != percent {
		t.Errorf("with large data: %d", now)
	}
	runtime.KeepAlive(large)
	one()
	if gcPercent() < percent {
		t.Error("the floor has ended before its last user")
	}
	two()
	if now := gcPercent(); now != before {
		t.Errorf("afterwards: %d, want %d", now, before)
	}
	runtime.GC()
}

// What the user has set stays.
func TestRelaxLeavesTheUsersLimits(t *testing.T) {
	if !runtimeDecides() {
		t.Skip("the tests run with their own limit")
	}
	before := gcPercent()
	t.Run("GOGC", func(t *testing.T) {
		t.Setenv("GOGC", "150")
		defer Relax()()
		if now := gcPercent(); now != before {
			t.Errorf("with GOGC: %d, want %d", now, before)
		}
	})
	debug.SetMemoryLimit(1 << 40)
	defer debug.SetMemoryLimit(math.MaxInt64)
	defer Relax()()
	if now := gcPercent(); now != before {
		t.Errorf("with a memory limit: %d, want %d", now, before)
	}
}
