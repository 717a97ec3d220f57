package dap

import (
	"strings"
	"testing"

	"asldb/internal/testkit/runs"
)

// TestPlantedMistakes: an editor says of each planted mistake what the other faces say, where the run stops and in the
// information on the error.
func TestPlantedMistakes(t *testing.T) {
	for _, p := range runs.Plants {
		e := newEditor(t)
		e.file("a.fixtures.yaml", p.Fixtures())
		e.begin(map[string]any{"program": e.file("a.asl.json", p.Definition)})
		e.must("setExceptionBreakpoints", map[string]any{"filters": []string{"uncaught"}})
		e.must("configurationDone", nil)
		stop := e.stopped("exception")
		text, _ := stop["text"].(string)
		info := e.must("exceptionInfo", map[string]any{"threadId": stop["threadId"]})
		description, _ := info["description"].(string)
		trace, _ := info["details"].(map[string]any)["stackTrace"].(string)
		for _, said := range []string{text, description, trace} {
			if !strings.Contains(said, p.Said) {
				t.Errorf("%s: no %q in\n%s", p.Name, p.Said, said)
			}
		}
		if !strings.Contains(description+trace, p.Advice) {
			t.Errorf("%s: no %q in\n%s", p.Name, p.Advice, trace)
		}
	}
}
