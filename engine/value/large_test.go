package value_test

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine/value"
)

// list is an array of n objects; from is the number in the first.
func list(from, n int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = `{"n":` + strconv.Itoa(from+i) + `,"tags":["a","b"]}`
	}
	return "[" + strings.Join(items, ",") + "]"
}

func TestCountOfLargeValues(t *testing.T) {
	for _, test := range []struct {
		name, before, after string
		want                value.Counts
	}{
		{"equal, parsed apart", list(0, 100), list(0, 100), value.Counts{}},
		{"one item in front", list(1, 99), list(0, 100), value.Counts{Added: 1}},
		{"the last two items gone", list(0, 100), list(0, 98), value.Counts{Removed: 2}},
		{"from nothing", `null`, list(0, 3), value.Counts{Changed: 1}},
		{"an array to an object", `[1]`, `{"0":1}`, value.Counts{Changed: 1}},
		{"an object to an array", `{"0":1}`, `[1]`, value.Counts{Changed: 1}},
		{"a number in another form", `{"a":1.0}`, `{"a":1}`, value.Counts{Changed: 1}},
	} {
		if got := value.Count(value.Must(test.before), value.Must(test.after)); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
	if got, want := value.Count(nil, value.Must(`{"a":1}`)), (value.Counts{Added: 1}); got != want {
		t.Errorf("a value that came: %+v, want %+v", got, want)
	}
	if got, want := value.Count(value.Must(`{"a":1}`), nil), (value.Counts{Removed: 1}); got != want {
		t.Errorf("a value that went: %+v, want %+v", got, want)
	}
	if !(value.Counts{}).Zero() || (value.Counts{Changed: 1}).Zero() {
		t.Error("only no change at all is zero")
	}
}

func TestTrimMembers(t *testing.T) {
	object := func(text string) *value.Object { return value.Must(text).(*value.Object) }
	for _, test := range []struct {
		a, b       string
		head, tail int
	}{
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"x":2,"c":3}`, 1, 1},
		{`{"a":1,"b":2}`, `{"a":1,"b":2}`, 2, 0},
		{`{"a":1}`, `{"a":1,"b":2}`, 1, 0},
		{`{"b":2}`, `{"a":1,"b":2}`, 0, 1},
		{`{}`, `{"a":1}`, 0, 0},
	} {
		head, tail := value.Comparer{}.TrimMembers(object(test.a), object(test.b))
		if head != test.head || tail != test.tail {
			t.Errorf("%s and %s: %d and %d, want %d and %d", test.a, test.b, head, tail, test.head, test.tail)
		}
	}
}

// A container is compared once by one Comparer, and its verdict stays the same.
func TestComparerRemembers(t *testing.T) {
	same, a, b, other := value.Comparer{}, value.Must(list(0, 100)), value.Must(list(0, 100)), value.Must(list(1, 100))
	for range 2 {
		if !same.Equal(a, b) || same.Equal(a, other) || same.Equal(a, value.Must(`1`)) {
			t.Error("the verdict is wrong")
		}
	}
	if len(same) != 2 {
		t.Errorf("%d pairs are remembered, want 2", len(same))
	}
}
