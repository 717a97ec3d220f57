package cli_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/cli"
	"asldb/internal/cli/command"
)

// full is a device without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// A command whose output cannot be written says so, and does not end as if all were well.
func TestOutputThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	definition := write("d.json", `{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`)
	model := write("m.json", `{"smithy":"2.0","shapes":{"n#O":{"type":"operation","traits":{"smithy.waiters#waitable":{"W":{"acceptors":[]}}}}}}`)
	var history bytes.Buffer
	if status := cli.Main([]string{"run", definition, "--format", "history"}, strings.NewReader(""), &history, os.Stderr); status != 0 {
		t.Fatal("no history")
	}
	recorded, config := write("h.json", history.String()), write("c.yaml", "theme: dark\n")
	for _, line := range [][]string{
		{"keys", "--config", config},
		{"keys", "--config", config, "--format", "markdown"},
		{"config", "--config", config},
		{"config", "--config", config, "--check"},
		{"history", "import", recorded},
		{"history", "import", recorded, "--definition", definition},
		{"waiter", "check", model},
		{"waiter", "list", model},
		{"run", definition},
		{"graph", definition},
	} {
		var said bytes.Buffer
		if status := cli.Main(line, strings.NewReader(""), full{}, &said); status != command.StatusUsage || !strings.Contains(said.String(), "no room") {
			t.Errorf("%v ends with %d and says %q", line, status, said.String())
		}
	}
}
