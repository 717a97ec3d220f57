package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asldb/internal/testkit"
)

var definitionOfSuite = regexp.MustCompile(`(?m)^definition: (.*)$`)

// TestSuitesOfWorkflows: ten published workflows are under test by suites of testdata/workflows, all of their states.
func TestSuitesOfWorkflows(t *testing.T) {
	workflows := testkit.Dir(t, "workflows")
	suites, err := filepath.Glob("testdata/workflows/*.test.yaml")
	if err != nil || len(suites) < 10 {
		t.Fatalf("there are %d suites: %v", len(suites), err)
	}
	dir := t.TempDir()
	for _, name := range suites {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		definition := definitionOfSuite.FindStringSubmatch(string(text))[1]
		for file, data := range map[string][]byte{filepath.Base(name): text, definition: testkit.Read(t, workflows, "files", definition)} {
			if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := printed(t, "test", dir, "--no-state", "--coverage")
	t.Log(out)
	if !strings.Contains(out, "30 cases: 30 passed") {
		t.Errorf("not all cases pass:\n%s", out)
	}
	for _, share := range regexp.MustCompile(`(?m)^states (\d+)/(\d+)`).FindAllStringSubmatch(out, -1) {
		if share[1] != share[2] {
			t.Errorf("%s of %s states are covered", share[1], share[2])
		}
	}
}
