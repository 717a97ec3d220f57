package diff_test

import (
	"testing"

	"asldb/engine/diff"
	"asldb/engine/value"
)

func TestCount(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          diff.Counts
	}{
		{`{"a":1}`, `{"a":1}`, diff.Counts{}},
		{`{"a":1}`, `{"a":1,"b":{"c":1,"d":2}}`, diff.Counts{Added: 1}},
		{`{"a":1,"b":2,"c":3}`, `{"c":4}`, diff.Counts{Removed: 2, Changed: 1}},
		{`{"a":{"b":[1,2,3]}}`, `{"a":{"b":[1,9,3,4]}}`, diff.Counts{Changed: 1, Added: 1}},
		{`[1,2,3]`, `[2,3]`, diff.Counts{Removed: 1}},
		{`1`, `"1"`, diff.Counts{Changed: 1}},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, diff.Counts{Changed: 1}},
	} {
		if got := diff.Count(value.Must(test.before), value.Must(test.after)); got != test.want {
			t.Errorf("%s to %s: got %+v, want %+v", test.before, test.after, got, test.want)
		}
	}
}
