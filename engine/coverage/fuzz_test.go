package coverage_test

import (
	"testing"

	"asldb/engine/coverage"
)

// FuzzRead reads profiles: each is one, or is refused.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"version": 1, "definitions": [{"file": "a.json", 
		"items": [{"kind": "state", "path": "A", "count": 1}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := coverage.Read(data); (p == nil) == (err == nil) {
			t.Fatalf("%v, %v", p, err)
		}
	})
}
