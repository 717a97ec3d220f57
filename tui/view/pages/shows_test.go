package pages_test

import (
	"os"
	"strings"
	"testing"
)

// shows fails where a page of the documentation does not have a frame of the screen as a separate block.
func shows(t *testing.T, page, frame string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var block strings.Builder
	block.WriteString("```\n")
	for line := range strings.SplitSeq(strings.TrimRight(frame, "\n"), "\n") {
		block.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	block.WriteString("```\n")
	if !strings.Contains(string(text), block.String()) {
		t.Errorf("%s does not show the screen as it is:\n%s", page, block.String())
	}
}
