package suite_test

import (
	"testing"

	"asldb/internal/suite"
)

// FuzzLoad reads suites: each is one, or has problems.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"version": 1, "definition": "a.json",
		"cases": {"{{n}}": {"table": [{"n": 1}], "expect": {"events": "< {{n}}"}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := suite.Load("fuzz.test.yaml", data); (s == nil) == (err == nil) {
			t.Fatalf("%v, %v", s, err)
		}
	})
}
