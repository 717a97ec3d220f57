package figures

import (
	"cmp"
	"math"
	"slices"

	"asldb/engine"
)

// MaxValues is the number of values of a [Distribution] up to which it is exact. Beyond, it has a sample of as many.
const MaxValues = 20_000

// Distribution is the distribution of durations, sizes or numbers. Its count, least and greatest value are always exact. The same
// values give the same distribution in whatever order they come.
type Distribution struct {
	// Count is the number of values.
	Count int64
	// Min and Max are the least and the greatest value, MaxAt is where the greatest is.
	Min, Max int64
	MaxAt    Where

	held   engine.Heap[ranked, *ranked] // the highest rank first, where values are left out
	sorted bool
}

// ranked is a value with its rank: of too many values, those with the lowest ranks are the sample.
type ranked struct {
	rank  uint64
	value int64
}

// Where is a place in a recording.
type Where struct {
	// File is the name of the recording's file, Event the id of the event; 0 for the whole.
	File  string `json:"file,omitempty"`
	Event int64  `json:"event"`

	Order uint64 `json:"order,omitempty"` // in all recordings, in the order of their files; for shards
}

// rank spreads the order of a value over all numbers.
func (w Where) rank() uint64 { // SplitMix64
	z := w.Order + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (d *Distribution) add(v int64, at Where) {
	d.bound(v, v, at)
	d.Count++
	d.hold(ranked{at.rank(), v})
}

// bound takes the least and the greatest of other values.
func (d *Distribution) bound(least, greatest int64, at Where) {
	if d.Count == 0 {
		d.Min, d.Max, d.MaxAt = least, greatest, at
		return
	}
	d.Min = min(d.Min, least)
	if greatest > d.Max || greatest == d.Max && at.Order < d.MaxAt.Order {
		d.Max, d.MaxAt = greatest, at
	}
}

func (d *Distribution) merge(other *Distribution) {
	if other.Count == 0 {
		return
	}
	d.bound(other.Min, other.Max, other.MaxAt)
	d.Count += other.Count
	for _, h := range other.held {
		d.hold(h)
	}
}

// Before orders values by their ranks, the highest first.
func (h *ranked) Before(other *ranked) bool { return h.compare(*other) > 0 }

func (h ranked) compare(other ranked) int {
	return cmp.Or(cmp.Compare(h.rank, other.rank), cmp.Compare(h.value, other.value))
}

// hold adds a value to the sample.
func (d *Distribution) hold(h ranked) {
	d.sorted = false
	switch {
	case len(d.held) < MaxValues:
		d.held = append(d.held, h)
		if len(d.held) == MaxValues { // sorted from the greatest on, it is a heap
			slices.SortFunc(d.held, func(a, b ranked) int { return b.compare(a) })
		}
	case h.compare(d.held[0]) < 0:
		d.held.Pop()
		d.held.Push(h)
	}
}

// Sample returns the number of values in the sample that represents all; 0 where the distribution is exact.
func (d *Distribution) Sample() int {
	if d.Count > int64(len(d.held)) {
		return len(d.held)
	}
	return 0
}

// finish sorts the values. Nothing is added afterwards.
func (d *Distribution) finish() {
	slices.SortFunc(d.held, func(a, b ranked) int { return cmp.Compare(a.value, b.value) })
	d.sorted = true
}

// Percentile returns the least value that p percent of all do not exceed: the nearest rank. It is 0 where there is no
// value.
func (d *Distribution) Percentile(p float64) int64 {
	if len(d.held) == 0 {
		return 0
	}
	if !d.sorted {
		d.finish()
	}
	at := int(math.Ceil(p / 100 * float64(len(d.held))))
	return d.held[min(max(at, 1), len(d.held))-1].value
}

// Histogram returns the numbers of values in n classes between the least and the greatest, which have the same width on
// a logarithmic scale; of a sample the sample's. There are none without values, and one where all are the same.
func (d *Distribution) Histogram(n int) []int64 {
	switch {
	case len(d.held) == 0:
		return nil
	case d.Min == d.Max || n < 2:
		return []int64{int64(len(d.held))}
	}
	classes := make([]int64, n)
	low, high := scale(d.Min), scale(d.Max)
	for _, h := range d.held {
		at := int(float64(n) * (scale(h.value) - low) / (high - low))
		classes[min(max(at, 0), n-1)]++
	}
	return classes
}

// scale is the place of a value on the logarithmic scale.
func scale(v int64) float64 { return math.Log1p(float64(max(v, 0))) }
