package cli

import (
	"io/fs"
	"path"
	"testing"

	"github.com/spf13/cobra"
)

// Each page of help is a command's.
func TestPagesOfHelp(t *testing.T) {
	left := map[string]bool{}
	err := fs.WalkDir(pages, "pages", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			left[name] = true
			if path.Ext(name) != ".txt" {
				t.Errorf("%s is not a page", name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		delete(left, pageOf(cmd))
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(Commands())
	for name := range left {
		t.Errorf("%s is about no command", name)
	}
}
