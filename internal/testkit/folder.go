package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// New returns a new folder with files of these texts, by their names, which may have folders. It is removed at the end of the test.
func New(t testing.TB, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Named returns a function that returns the path of a file in a new folder with files of these texts: see [New].
func Named(t testing.TB, texts map[string]string) func(name string) string {
	t.Helper()
	dir := New(t, texts)
	return func(name string) string { return filepath.Join(dir, name) }
}
