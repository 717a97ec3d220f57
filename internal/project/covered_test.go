package project

import (
	"os"
	"path/filepath"
	"testing"
)

// A bar is written where it is, or first into the object; the rest of the file stays.
func TestSetLeastCoverage(t *testing.T) {
	for text, want := range map[string]string{
		"coverage: {}\n":                           "coverage: {min: \"9\"}\n",
		"coverage: {ignore: []} # x\n":             "coverage: {min: \"9\", ignore: []} # x\n",
		"coverage:\n  min: 80 # x\nnoticed: false": "coverage:\n  min: \"9\" # x\nnoticed: false",
		"coverage:\n  # y\n  ignore: []\n":         "coverage:\n  # y\n  min: \"9\"\n  ignore: []\n",
	} {
		name := filepath.Join(t.TempDir(), FileName)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := p.SetLeastCoverage("9"); !changed || err != nil {
			t.Errorf("%q: %v, %v", text, changed, err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%q became %q, wanted %q", text, got, want)
		}
	}
}
