// Package corpus finds the collections of real cases that stand beside the project where it is
// developed. They are no part of it: a test that wants them skips where they are absent.
package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder of the corpus called name ("jsonpath", "workflows", …). Where it is absent it
// skips the test.
func Dir(t testing.TB, name string) string {
	t.Helper()
	return find(t, filepath.Join("corpus", name))
}

// Workloads returns the folder of the workloads for measuring. Where it is absent it skips the test.
func Workloads(t testing.TB) string {
	t.Helper()
	return find(t, filepath.Join("bench", "workloads"))
}

// find looks for shared/name beside the project: the folder that has go.mod.
func find(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = parent
	}
	found := filepath.Join(filepath.Dir(dir), "shared", name)
	if _, err := os.Stat(found); err != nil {
		t.Skipf("skipped: the corpus %s is not beside the project", name)
	}
	return found
}

// Read returns the content of the file that the elements name, joined.
func Read(t testing.TB, elements ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
