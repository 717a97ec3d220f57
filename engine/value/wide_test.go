package value_test

import (
	"fmt"
	"sync"
	"testing"

	"asldb/engine/value"
)

// Objects that With makes one of the other share their storage, and each has its own members.
func TestWithSharesStorage(t *testing.T) {
	t.Parallel()
	const most = 300
	var chain []*value.Object
	o := value.ObjectOf()
	for i := range most {
		chain = append(chain, o)
		value.Size(o)
		o = o.With(fmt.Sprint("k", i), value.Int(int64(i)))
	}
	check := func(o *value.Object, n int, more string) {
		t.Helper()
		want := n
		if more != "" {
			want++
		}
		if o.Len() != want || value.Size(o) != len(value.Compact(o)) {
			t.Fatalf("%d members, size %d, want %d, %d", o.Len(), value.Size(o), want, len(value.Compact(o)))
		}
		for i := range most {
			got := o.Get(fmt.Sprint("k", i))
			if (got != nil) != (i < n) || got != nil && !value.Equal(got, value.Int(int64(i))) {
				t.Fatalf("k%d of %d members: %v", i, n, got)
			}
		}
		if more != "" && o.Get(more) == nil {
			t.Fatalf("%s is missing", more)
		}
	}
	for n, o := range chain {
		check(o, n, "")
	}
	var all sync.WaitGroup
	for w := range 4 { // others make more of each of them at the same time
		all.Go(func() {
			for n, o := range chain {
				own := o.With(fmt.Sprint("w", w), value.Null{})
				if own.Len() != n+1 || own.Get(fmt.Sprint("w", w)) == nil || own.Get(fmt.Sprint("w", 3-w)) != nil {
					t.Errorf("%d members: %s", n, value.Compact(own))
				}
				check(o, n, "")
				check(own, n, fmt.Sprint("w", w))
				changed := own.With("k0", value.Bool(true))
				if n > 0 && value.Size(changed) != len(value.Compact(changed)) {
					t.Errorf("a changed member: size %d", value.Size(changed))
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkGrow(b *testing.B) {
	for range b.N {
		o := value.ObjectOf()
		for i := range 2000 {
			value.Size(o)
			o = o.With(fmt.Sprint("k", i), value.Int(int64(i)))
		}
	}
}
