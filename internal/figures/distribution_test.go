package figures

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func filled(from, to int) *Distribution {
	d := &Distribution{}
	for v := from; v < to; v++ {
		d.add(int64(v), Where{File: fmt.Sprint(v), Order: uint64(v)})
	}
	return d
}

func TestPercentiles(t *testing.T) {
	d := filled(1, 101)
	for p, want := range map[float64]int64{50: 50, 90: 90, 99: 99, 100: 100, 0: 1, 50.5: 51} {
		if got := d.Percentile(p); got != want {
			t.Errorf("p%v is %d, want %d", p, got, want)
		}
	}
	if d.Count != 100 || d.Min != 1 || d.Max != 100 || d.MaxAt.File != "100" || d.Sample() != 0 {
		t.Errorf("%+v", d)
	}
	one := filled(7, 8)
	if one.Percentile(1) != 7 || one.Percentile(99) != 7 {
		t.Error(one.Percentile(1), one.Percentile(99))
	}
	none := &Distribution{}
	if none.Percentile(50) != 0 || none.Histogram(5) != nil {
		t.Error("there is a value of none")
	}
}

// Of more values than are held a sample represents all, and says so. It is the same in any order, and however it is put
// together.
func TestSample(t *testing.T) {
	const n = 3 * MaxValues
	whole := filled(0, n)
	order := rand.New(rand.NewPCG(1, 2)).Perm(n)
	shuffled := &Distribution{}
	parts := [3]*Distribution{{}, {}, {}}
	for _, v := range order {
		at := Where{Order: uint64(v)}
		shuffled.add(int64(v), at)
		parts[v%3].add(int64(v), at)
	}
	merged := &Distribution{}
	for _, p := range []int{2, 0, 1} {
		merged.merge(parts[p])
	}
	merged.merge(&Distribution{})
	values := func(d *Distribution) []ranked {
		d.finish()
		return d.held
	}
	want := values(whole)
	for name, d := range map[string]*Distribution{"shuffled": shuffled, "merged": merged} {
		if !slices.Equal(values(d), want) {
			t.Errorf("%s: another sample", name)
		}
		if d.Count != n || d.Min != 0 || d.Max != n-1 || d.Sample() != MaxValues {
			t.Errorf("%s: %d, %d to %d, %d", name, d.Count, d.Min, d.Max, d.Sample())
		}
	}
	for _, p := range []float64{50, 90, 99} { // the sample is within one percent of all
		if got, exact := float64(whole.Percentile(p)), p/100*n; got < exact-n/100 || got > exact+n/100 {
			t.Errorf("p%v is %v, and exactly %v", p, got, exact)
		}
	}
	if d := filled(0, MaxValues); d.Sample() != 0 || d.Percentile(50) != MaxValues/2-1 {
		t.Error("as many values as are held are a sample")
	}
}

func TestTheFirstOfTheGreatestIsNamed(t *testing.T) {
	a, b := &Distribution{}, &Distribution{}
	a.add(5, Where{File: "second", Order: 2})
	b.add(5, Where{File: "first", Order: 1})
	a.merge(b)
	if a.MaxAt.File != "first" {
		t.Error(a.MaxAt)
	}
}

func TestHistogram(t *testing.T) {
	d := &Distribution{}
	for i, v := range []int64{0, 0, 9, 99, 999, 999} { // log10 of v+1 is 0, 0, 1, 2, 3, 3
		d.add(v, Where{Order: uint64(i)})
	}
	if got := fmt.Sprint(d.Histogram(3)); got != "[2 1 3]" {
		t.Error(got)
	}
	if got := fmt.Sprint(filled(4, 5).Histogram(3)); got != "[1]" {
		t.Error(got)
	}
}

func TestRounding(t *testing.T) {
	for _, c := range []struct{ took, want int64 }{{0, 100}, {1, 100}, {100, 100}, {101, 200}, {250, 300}} {
		if got := billedTime(time.Duration(c.took) * time.Millisecond).Milliseconds(); got != c.want {
			t.Errorf("%d ms are billed as %d, want %d", c.took, got, c.want)
		}
	}
	for _, c := range [][2]int64{{1, 64}, {64, 64}, {65, 128}, {200, 256}} {
		if got := billedMemory(c[0]); got != c[1] {
			t.Errorf("%d MB are billed as %d, want %d", c[0], got, c[1])
		}
	}
	// The example of the service's page of prices: a definition of 50 KB and 400 steps of a Map with 32 KB each are
	// 62.85 MB, billed as 64.
	if got := estimatedMemory(50_000, 32_000, 400); got != 63 || billedMemory(got) != 64 {
		t.Errorf("%d MB", got)
	}
	if got := estimatedMemory(0, 1000, 0); got != 51 {
		t.Errorf("%d MB", got)
	}
}
