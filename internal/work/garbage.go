package work

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	// Floor is the size of the heap, in bytes, below which garbage is not collected. A heap whose data alone are as large is
	// collected as always.
	Floor = 64 << 20
	// percent is the runtime's own GOGC: garbage is collected when it is as large as the data.
	percent = 100
	// smallestGoal is the size of the heap that the runtime allows at a GOGC of 100 where there are no data at all.
	smallestGoal = 4 << 20
)

var floor struct {
	mutex  sync.Mutex
	users  int
	before int // the GOGC to restore
	watch  bool
}

// Relax sets the floor until the function that it returns is called, which must be called once. Where the user has set GOGC or a
// memory limit, Relax does nothing. It can be called again meanwhile: the floor ends with the last of the functions.
func Relax() (restore func()) {
	if !runtimeDecides() {
		return func() {}
	}
	floor.mutex.Lock()
	defer floor.mutex.Unlock()
	if floor.users++; floor.users == 1 {
		floor.before = debug.SetGCPercent(percentFor(liveBytes()))
		if !floor.watch {
			floor.watch = true
			watch()
		}
	}
	return func() {
		floor.mutex.Lock()
		defer floor.mutex.Unlock()
		if floor.users--; floor.users == 0 {
			debug.SetGCPercent(floor.before)
		}
	}
}

// runtimeDecides reports whether the user has left the collector as it is. A GOMEMLIMIT is a limit of the runtime.
func runtimeDecides() bool {
	_, set := os.LookupEnv("GOGC")
	return !set && debug.SetMemoryLimit(-1) == math.MaxInt64
}

// percentFor returns the GOGC at which a heap with so many bytes of data is collected at the floor, or as always where that is
// later.
func percentFor(live uint64) int {
	free := max(int64(Floor)-int64(live), 0)
	return int(max(percent*free/int64(max(live, smallestGoal)), percent))
}

// collected is an object without references: the runtime finds it at each collection.
type collected struct{ _ [32]byte }

// watch adapts the percentage after each collection, for as long as the floor is set.
func watch() { runtime.SetFinalizer(new(collected), (*collected).adapt) }

func (*collected) adapt() {
	floor.mutex.Lock()
	defer floor.mutex.Unlock()
	if floor.users == 0 {
		floor.watch = false
		return
	}
	debug.SetGCPercent(percentFor(liveBytes()))
	watch()
}

// liveBytes returns the size of the data that the newest collection has found, 0 where there was none.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
