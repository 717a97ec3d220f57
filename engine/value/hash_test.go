package value_test

import (
	"fmt"
	"testing"

	"asldb/engine/value"
)

// Equal values have the same hash, and values that differ hardly ever do.
func TestHash(t *testing.T) {
	same := [][]string{
		{`1`, `1.0`, `1e0`, `10e-1`},
		{`0`, `-0`, `0.0`, `-0e5`},
		{`{"a":1,"b":[2,{"c":null,"d":true}]}`, `{"b":[2.0,{"d":true,"c":null}],"a":1e0}`},
		{`[]`}, {`{}`}, {`null`}, {`true`}, {`false`}, {`""`}, {`"1"`}, {`[1]`}, {`[[1]]`}, {`{"a":1}`}, {`{"1":"a"}`},
		{`[1,2]`}, {`[2,1]`}, {`{"a":"b","c":"d"}`}, {`{"a":"d","c":"b"}`}, {`{"a":{"b":1},"b":{"a":1}}`},
		{`{"a":{"a":1},"b":{"b":1}}`},
		{`[{"a":1},{"b":2}]`}, {`[{"a":1,"b":2}]`}, {`[[],[]]`}, {`[null]`}, {`[null,null]`},
	}
	for i := range 1000 {
		same = append(same, []string{fmt.Sprintf(`{"id":%d}`, i), fmt.Sprintf(`{"id":%d.0}`, i)},
			[]string{fmt.Sprintf(`["%d"]`, i)})
	}
	seen := make(map[uint64]string)
	for _, group := range same {
		hash := value.Hash(value.Must(group[0]))
		for _, text := range group[1:] {
			if !value.Equal(value.Must(group[0]), value.Must(text)) || value.Hash(value.Must(text)) != hash {
				t.Errorf("%s and %s have different hashes", group[0], text)
			}
		}
		if other, met := seen[hash]; met {
			t.Errorf("%s and %s have the same hash", group[0], other)
		}
		seen[hash] = group[0]
	}
}
