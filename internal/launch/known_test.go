package launch_test

import (
	"os"
	"path/filepath"
	"testing"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/testkit/runs"
)

// The facts that fixtures give for a check: results that the text has, of tasks for which all are known.
func TestKnown(t *testing.T) {
	machine := runs.Machine(`{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "r", "Next": "B"}, "B": {"Type": "Task", "Resource": "r", "Next": "C"},
		"C": {"Type": "Task", "Resource": "r", "End": true}}}`).Definition()
	name := filepath.Join(t.TempDir(), "f.yaml")
	text := "version: 1\ninput: {x: 1}\ntasks:\n  A:\n    - {error: E}\n    - {output: {a: 1}}\n  B:\n    - {jsonata: \"1\"}\n  C:\n    - {error: E}\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := launch.Fixtures{Name: name}.Known(files.Files{}, func(files.Warning) {}, machine)
	if err != nil || value.Compact(known.Input) != `{"x":1}` || len(known.Results) != 1 ||
		len(known.Results["A"]) != 1 {
		t.Errorf("%+v, %v", known, err)
	}
	if known, err = (launch.Fixtures{}).Known(files.Files{}, nil, machine); err != nil || known.Input != nil {
		t.Errorf("%+v, %v", known, err)
	}
	if _, err = (launch.Fixtures{Name: name + "x"}).Known(files.Files{}, nil, machine); err == nil {
		t.Error("a file that is not there")
	}
}
