package testkit

import (
	"os"
	"strings"
	"testing"
)

// Check fails where a block of Go in README.md, in the folder of the test, is not part of an example in example_test.go,
// which the go command compiles and runs.
func Check(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	known := flat(string(examples))
	blocks := strings.Split(string(text), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Error("README.md has no block of Go")
	}
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "```")
		if !strings.Contains(known, flat(code)) {
			t.Errorf("example_test.go does not have this block of README.md:\n%s", code)
		}
	}
}

// flat returns the lines of a text without their indentation.
func flat(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		lines.WriteString(strings.TrimSpace(line) + "\n")
	}
	return lines.String()
}
