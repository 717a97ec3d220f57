//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/cli/command"
)

// The project file turns off what the run noticed on the screen, as it does for the commands.
func TestNoticedOnTheScreen(t *testing.T) {
	for project, want := range map[string]bool{"": true, "noticed: false\n": false} {
		dir := t.TempDir()
		name := filepath.Join(dir, "a.asl.json")
		files := map[string]string{"a.asl.json": `{"StartAt":"G","States":{
			"G":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":7,"Next":"E"}],"Default":"E"},
			"E":{"Type":"Succeed"}}}`}
		if project != "" {
			files[".asldb.yaml"] = project
		}
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		term := start(t, "debug", name, "--input", `{"n":"8"}`)
		term.waitFor("a.asl.json", patience)
		term.press("c")
		term.waitFor("starts again", patience)
		if want {
			term.waitFor("noticed", patience)
		} else if strings.Contains(term.screen.String(), "noticed") {
			t.Error("the screen says what the run noticed, against the project file")
		}
		if status := term.quit(); status != command.StatusOK {
			t.Errorf("status %d", status)
		}
	}
}
