package dap

import (
	"os"
	"path/filepath"
	"testing"
)

// An editor may name a file by another path than asldb: by a link, or with other capitals where these are the same.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	one, other, link := filepath.Join(dir, "one.json"), filepath.Join(dir, "other.json"), filepath.Join(dir, "link.json")
	for _, name := range []string{one, other} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gone := filepath.Join(dir, "gone.json")
	if !sameFile(one, filepath.Join(dir, "x", "..", "one.json")) || sameFile(one, other) || sameFile(one, gone) || !sameFile(gone, gone) {
		t.Error("files are not distinguished by their paths")
	}
	if err := os.Symlink(one, link); err != nil {
		t.Skip("links cannot be made here")
	}
	if !sameFile(one, link) || sameFile(other, link) {
		t.Error("a link is another file")
	}
}
