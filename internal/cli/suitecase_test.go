//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"asldb/internal/demo"
)

// debug --test opens at the first event at which the run is not as expected, and shows the wanted value beside the found one.
func TestDebugCase(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "order.test.yaml")
	for file, text := range map[string]string{
		demo.DefinitionName: string(demo.Definition), demo.FixturesName: string(demo.Fixtures),
		"order.test.yaml": `version: 1
definition: order.asl.json
include: [order.fixtures.yaml]
cases:
  amount:
    expect:
      path: [ValidateOrder, ..., OrderRejected]
      tasks: {ChargeCard: [{payload: {Payload: {amount: 139.90}}}]}
`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	term := start(t, "debug", "--no-state", "--test", name+":amount")
	term.waitFor("wanted 139.90, found 129.90", patience)
	term.waitFor("TaskScheduled", patience)
	term.press("q")
}
