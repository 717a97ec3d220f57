package project

import (
	"testing"

	"asldb/engine/source"
)

// FuzzParse reads project files and baselines: each is one, or has problems.
func FuzzParse(f *testing.F) {
	f.Add([]byte("rules: {misspelt: off}\npaths: {\"express/**\": {type: express}}\nbaseline: known.json\n"))
	f.Add([]byte(`{"version": 1, "problems": []}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := Parse(&source.File{Name: FileName, Data: data}); (p == nil) == (err == nil) {
			t.Fatalf("%v, %v", p, err)
		}
		if b, err := ParseBaseline("known.json", data); (b == nil) == (err == nil) {
			t.Fatalf("%v, %v", b, err)
		}
	})
}
