package launch

import (
	"math"
	"runtime/debug"
	"sync"
)

// confirmMemory is how much memory the runs that are confirmed at a time are to take together, in bytes: the garbage collector
// works harder before more is taken. It isn't a limit of what the runs need.
const confirmMemory = 200 << 20

// memory sets the bound while runs are confirmed, unless one of them is read as a whole.
var memory bound

type bound struct {
	mutex             sync.Mutex
	confirming, whole int
	set               bool
}

// confirm notes that a run is confirmed, until the function that it returns is called.
func (b *bound) confirm() (done func()) { return b.note(&b.confirming) }

// read notes that a run is read as a whole, until the function that it returns is called.
func (b *bound) read() (done func()) { return b.note(&b.whole) }

func (b *bound) note(count *int) (done func()) {
	b.change(count, 1)
	return func() { b.change(count, -1) }
}

func (b *bound) change(count *int, by int) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	*count += by
	switch wanted := b.confirming > 0 && b.whole == 0; {
	case wanted && !b.set && debug.SetMemoryLimit(-1) == math.MaxInt64: // else the user has set one
		debug.SetMemoryLimit(confirmMemory)
		b.set = true
	case !wanted && b.set:
		debug.SetMemoryLimit(math.MaxInt64)
		b.set = false
	}
}
