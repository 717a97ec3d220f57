// Package testkit finds the collections of real cases (recordings of Step Functions, published workflows, test suites of
// the languages) that some tests compare with. They are not part of the project: the tests look for them in the folder
// that the environment variable ASLDB_CORPUS names, or in ../shared/corpus, and skip where they are absent.
package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable is the environment variable that names the folder of the corpora.
const Variable = "ASLDB_CORPUS"

// Dir returns the folder of the corpus called name ("jsonpath", "workflows", …). It skips the test where the folder is
// absent.
func Dir(t testing.TB, name string) string {
	t.Helper()
	if dir := os.Getenv(Variable); dir != "" {
		return orSkip(t, filepath.Join(dir, name), name)
	}
	return orSkip(t, filepath.Join(shared(t), "corpus", name), name)
}

func orSkip(t testing.TB, dir, name string) string {
	t.Helper()
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("skipped: the corpus %q (recorded cases that are not part of the project) is not at hand: set %s to the folder that holds it",
			name, Variable)
	}
	return dir
}

// shared returns the folder shared beside the project's own, which is the one that holds go.mod.
func shared(t testing.TB) string {
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
	return filepath.Join(filepath.Dir(dir), "shared")
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
