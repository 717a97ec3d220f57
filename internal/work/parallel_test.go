package work_test

import (
	"context"
	"sync/atomic"
	"testing"

	"asldb/internal/work"
)

func TestEach(t *testing.T) {
	var sum, calls atomic.Int64
	do := func(i int) { sum.Add(int64(i)) }
	work.Each(context.Background(), 100, 3, work.Counting(100, do, func(done, all int) {
		if calls.Add(1) != int64(done) || all != 100 {
			t.Errorf("%d of %d", done, all)
		}
	}))
	if sum.Load() != 4950 || calls.Load() != 100 {
		t.Errorf("%d, %d", sum.Load(), calls.Load())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	work.Each(ctx, 5, 0, work.Counting(5, func(int) { t.Error("done after the end") }, nil))
}
