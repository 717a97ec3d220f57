package cli

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"asldb/internal/cli/settings"
	"asldb/tui/screen"
)

const keysHead = `# Keys and commands

What can be done on the screen of ` + "`asldb debug`" + `. Keys can be changed in the configuration (` + "`asldb config`" + `); commands are typed
behind a ` + "`:`" + `, and ` + "`?`" + ` finds one by a few of its letters.
An earlier key works, and names its command. This page is written by the tests from the table that the screen itself uses (` + "`go test ./internal/cli -run TestKeysPage -update`" + `).

`

// update writes the pages and pictures of the documentation; look at them before they are committed.
var update = flag.Bool("update", false, "write the pages and pictures of the documentation")

// TestKeysPage compares the list of the documentation with the table of the screen; -update writes it.
func TestKeysPage(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "keys.md")
	want := keysHead + settings.KeysMarkdown(screen.Keys())
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/keys.md is not what the screen offers; go test ./internal/cli -run TestKeysPage -update writes it anew")
	}
}
