package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb.dev/asldb/engine/value"
)

// The examples beside the project's code run to the output that stands with them.
func TestExamples(t *testing.T) {
	folders, err := filepath.Glob("../../testdata/examples/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("there are no examples: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			var out, errors bytes.Buffer
			status := Main([]string{
				"run", filepath.Join(folder, "definition.asl.json"), "--fixtures", filepath.Join(folder, "fixtures.yaml"),
			}, strings.NewReader(""), &out, &errors)
			if status != StatusOK {
				t.Fatalf("status %d\n%s", status, errors.String())
			}
			expected, err := os.ReadFile(filepath.Join(folder, "expected.json"))
			if err != nil {
				t.Fatal(err)
			}
			if want := value.Must(string(expected)); !value.Equal(value.Must(out.String()), want) {
				t.Errorf("output %s\n  want %s", out.String(), value.Compact(want))
			}
		})
	}
}
