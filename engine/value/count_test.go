package value_test

import (
	"testing"

	"asldb/engine/value"
)

func TestCount(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          value.Counts
	}{
		{`{"a":1}`, `{"a":1}`, value.Counts{}},
		{`{"a":1}`, `{"a":1,"b":{"c":1,"d":2}}`, value.Counts{Added: 1}},
		{`{"a":1,"b":2,"c":3}`, `{"c":4}`, value.Counts{Removed: 2, Changed: 1}},
		{`{"a":{"b":[1,2,3]}}`, `{"a":{"b":[1,9,3,4]}}`, value.Counts{Changed: 1, Added: 1}},
		{`[1,2,3]`, `[2,3]`, value.Counts{Removed: 1}},
		{`1`, `"1"`, value.Counts{Changed: 1}},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, value.Counts{Changed: 1}},
	} {
		if got := value.Count(value.Must(test.before), value.Must(test.after)); got != test.want {
			t.Errorf("%s to %s: got %+v, want %+v", test.before, test.after, got, test.want)
		}
	}
}
