// Package work has how a command works: on several cores, with faults of asldb carried to the code that reports them, and with a garbage collector that
// suits its length.
package work

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do with the numbers below n, in their order, on several goroutines, and returns when all calls have. workers is the number
// of goroutines; 0: one for each core. The end of the context ends it before the next call.
func Each(ctx context.Context, n, workers int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(Workers(workers), n) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	group.Wait()
}

// Workers returns a number of goroutines: wanted, or one for each core where that is 0.
func Workers(wanted int) int {
	if wanted > 0 {
		return wanted
	}
	return runtime.GOMAXPROCS(0)
}

// Counting returns do with progress called after each of its n calls, from one goroutine at a time. progress may be nil.
func Counting(n int, do func(i int), progress func(done, all int)) func(i int) {
	if progress == nil {
		return do
	}
	var mutex sync.Mutex
	done := 0
	return func(i int) {
		do(i)
		mutex.Lock()
		defer mutex.Unlock()
		done++
		progress(done, n)
	}
}
