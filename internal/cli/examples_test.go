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
			arguments := []string{"run", definitionIn(t, folder), "--fixtures", filepath.Join(folder, "fixtures.yaml")}
			if file := filepath.Join(folder, "substitutions.yaml"); exists(file) {
				arguments = append(arguments, "--substitutions", file)
			}
			status := Main(arguments, strings.NewReader(""), &out, &errors)
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

// definitionIn returns the file of an example's definition, or of the template that it is in.
func definitionIn(t *testing.T, folder string) string {
	t.Helper()
	for _, name := range []string{"definition.asl.json", "definition.asl.yaml", "template.yaml", "template.json"} {
		if file := filepath.Join(folder, name); exists(file) {
			return file
		}
	}
	t.Fatalf("there is no definition in %s", folder)
	return ""
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
