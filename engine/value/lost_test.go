package value_test

import (
	"slices"
	"testing"

	"asldb/engine/value"
)

func TestLost(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          []string
		more          int
	}{
		{`{"id":1,"customer":{"name":"Ada"},"n":null}`, `{"Error":"E"}`, []string{"id", "customer", "n"}, 0},
		{`{"order":{"id":1,"total":2},"n":1}`, `{"order":{"id":1},"n":2}`, []string{"order.total"}, 0},
		{`{"order":{"id":1}}`, `{"order":null}`, nil, 0},
		{`{"a":1,"b":2,"c":3,"d":4,"e":5}`, `7`, []string{"a", "b", "c", "d"}, 1},
		{`{"a":1}`, `{"a":1,"b":2}`, nil, 0},
		{`[1,2]`, `{}`, nil, 0},
	} {
		got, more := value.Lost(value.Must(test.before), value.Must(test.after), 4)
		if !slices.Equal(got, test.want) || more != test.more {
			t.Errorf("from %s to %s: lost %v and %d more, want %v and %d", test.before, test.after, got, more,
				test.want, test.more)
		}
	}
}
