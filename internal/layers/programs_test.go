package layers

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Programs on the terminal are made by tui/program alone: with a context of its own, one ends while its reader of keys is at work.
func TestProgramsAreMadeInOnePlace(t *testing.T) {
	root := filepath.Join("..", "..")
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "tea.NewProgram(") && !strings.Contains(string(text), "tea.WithContext(") {
			return err
		}
		if found++; filepath.ToSlash(path) != "../../tui/program/program.go" {
			t.Errorf("%s makes a program of Bubble Tea: use tui/program", path)
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d files make programs, %v", found, err)
	}
}
