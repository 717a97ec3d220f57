package dap

import (
	"os"
	"strings"
	"testing"
)

const failing = `{"StartAt": "Bill", "States": {
  "Bill": {"Type": "Pass", "Parameters": {"amount.$": "$.totl"}, "Next": "End"},
  "End": {"Type": "Succeed"}}}`

// A restart after the file has changed runs its new text with the answers so far to where the run was, and its first
// difference is an output event; a text that cannot be run is refused, and the run before is kept.
func TestRestartReadsAChangedFileAgain(t *testing.T) {
	e := newEditor(t)
	path := e.file("bill.asl.json", failing)
	e.begin(map[string]any{"program": path, "input": map[string]any{"total": 7}})
	e.must("configurationDone", nil)
	e.stopped("exception")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(failing[:60])
	e.refused("restart", nil, "")
	if top := e.top(1); !strings.HasPrefix(top["name"].(string), "Bill") {
		t.Errorf("the run before is not kept: %v", top)
	}
	write(strings.Replace(failing, "$.totl", "$.total", 1))
	e.must("restart", nil)
	for said := ""; !strings.Contains(said, "The first difference: Bill, Parameters"); {
		said, _ = e.event("output")["output"].(string)
	}
	if stop := e.stopped("end"); stop["description"] != "SUCCEEDED" {
		t.Errorf("the new text ends with %v", stop)
	}
	e.disconnect("")
}
