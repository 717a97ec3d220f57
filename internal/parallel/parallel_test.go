package parallel_test

import (
	"context"
	"sync/atomic"
	"testing"

	"asldb/internal/parallel"
)

func TestEach(t *testing.T) {
	var sum, calls atomic.Int64
	do := func(i int) { sum.Add(int64(i)) }
	parallel.Each(context.Background(), 100, 3, parallel.Counting(100, do, func(done, all int) {
		if calls.Add(1) != int64(done) || all != 100 {
			t.Errorf("%d of %d", done, all)
		}
	}))
	if sum.Load() != 4950 || calls.Load() != 100 {
		t.Errorf("%d, %d", sum.Load(), calls.Load())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	parallel.Each(ctx, 5, 0, parallel.Counting(5, func(int) { t.Error("done after the end") }, nil))
}
