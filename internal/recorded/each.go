package recorded

import (
	"context"
	"runtime"
	"sync"
)

// Each calls do for the numbers below n on several goroutines, until the context ends; parallel is their number, 0 one for each core.
// progress is called after each, from one goroutine at a time; it may be nil.
func Each(ctx context.Context, n, parallel int, do func(i int), progress func(done, all int)) {
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	var mutex sync.Mutex
	var workers sync.WaitGroup
	next, done := 0, 0
	for range min(parallel, n) {
		workers.Go(func() {
			for {
				mutex.Lock()
				i := next
				next++
				mutex.Unlock()
				if i >= n || ctx.Err() != nil {
					return
				}
				do(i)
				mutex.Lock()
				done++
				if progress != nil {
					progress(done, n)
				}
				mutex.Unlock()
			}
		})
	}
	workers.Wait()
}
