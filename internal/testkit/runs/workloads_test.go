package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"asldb/engine/value"
)

// The workloads are whole, and the same each time.
func TestWorkloadsAreWhole(t *testing.T) {
	for _, name := range Names() {
		files := Files(name)
		for kind, text := range map[string][]byte{
			"definition": files.Definition, "input": files.Input, "output": files.Expected,
		} {
			if _, err := value.Parse(text, value.Limits{}); err != nil {
				t.Errorf("the %s of %s: %v", kind, name, err)
			}
		}
		if w := Load(t, name); w.Steps < 1 || w.Machine == nil {
			t.Errorf("%s has %d steps", name, w.Steps)
		}
	}
	if got := len(Files("W9-bigdoc").Input); got < 4_500_000 || got > 5_500_000 {
		t.Errorf("the big document has %d bytes", got)
	}
}

// TestWriteWorkloads writes the workloads to the folder of $ASLDB_WORKLOADS, for scripts/bench.
func TestWriteWorkloads(t *testing.T) {
	folder := os.Getenv("ASLDB_WORKLOADS")
	if folder == "" {
		t.Skip("ASLDB_WORKLOADS=FOLDER writes the workloads there")
	}
	for _, name := range Names() {
		files := Files(name)
		for kind, text := range map[string][]byte{
			"asl": files.Definition, "input": files.Input, "expected": files.Expected,
			"meta": fmt.Appendf(nil, `{"steps": %d}`, files.Steps),
		} {
			if err := os.WriteFile(filepath.Join(folder, name+"."+kind+".json"), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
