package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/internal/files"
	"asldb/internal/testkit"
)

// edit replaces a stretch of a file's text.
func edit(file *source.File, old, text string) source.Edit {
	at := strings.Index(string(file.Data), old)
	return source.Edit{File: file, Span: source.Span{Start: source.Position{Offset: at},
		End: source.Position{Offset: at + len(old)}}, Text: text}
}

func written(t *testing.T, name, text string) *source.File {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return &source.File{Name: name, Data: []byte(text)}
}

func TestRounds(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a.txt")
	file := written(t, name, "one two\nthree\n")
	var c files.Changes
	if made := c.Add([]source.Edit{edit(file, "two", "2"), edit(file, "one", "1"),
		edit(file, "one", "1")}); len(made) != 2 {
		t.Errorf("%d edits were made, want 2", len(made))
	}
	first := c.Contents()
	c.Add([]source.Edit{edit(&source.File{Name: name, Data: first[name]}, "three", "3")})
	if got := string(c.Diff(folder)); got != "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one two\n-three\n+1 2\n+3\n" {
		t.Errorf("the diff is\n%s", got)
	}
	c.Restore(first)
	if got := string(c.Contents()[name]); got != "1 2\nthree\n" {
		t.Errorf("after the first round the text is %q", got)
	}
	if err := c.Write(folder); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "1 2\nthree\n" {
		t.Errorf("the file has %q", got)
	}
	if c.Restore(nil); len(c.Contents()) != 0 || c.Diff(folder) != nil {
		t.Error("changes are left")
	}
}

// TestNothingIsWritten: where one file cannot be written, none is, and no file is left beside them.
func TestNothingIsWritten(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, name string)
		want    error
	}{
		{"changed", func(t *testing.T, name string) { written(t, name, "one more\n") }, files.ErrChanged},
		{"gone", func(t *testing.T, name string) { testkit.NoError(t, os.Remove(name)) }, os.ErrNotExist},
		{"read-only", func(t *testing.T, name string) { testkit.NoError(t, os.Chmod(name, 0o444)) }, files.ErrReadOnly},
		{"a link to outside", func(t *testing.T, name string) {
			outside := filepath.Join(t.TempDir(), "b.txt")
			testkit.NoError(t, os.Rename(name, outside))
			testkit.NoError(t, os.Symlink(outside, name))
		}, files.ErrLink},
		{"a folder", func(t *testing.T, name string) {
			testkit.NoError(t, os.Remove(name))
			testkit.NoError(t, os.Mkdir(name, 0o755))
		},
			files.ErrIrregular},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			good, bad := written(t, filepath.Join(folder, "a.txt"), "one\n"),
				written(t, filepath.Join(folder, "b.txt"), "one\n")
			var c files.Changes
			c.Add([]source.Edit{edit(good, "one", "1"), edit(bad, "one", "1")})
			tt.prepare(t, bad.Name)
			err := c.Write(folder)
			var wrong *files.EditError
			if !errors.As(err, &wrong) || wrong.File != bad.Name || !errors.Is(err, tt.want) {
				t.Errorf("the error is %v, want %v of %s", err, tt.want, bad.Name)
			}
			if got, _ := os.ReadFile(good.Name); string(got) != "one\n" {
				t.Errorf("the other file has %q", got)
			}
			entries, _ := os.ReadDir(folder)
			for _, e := range entries {
				if strings.HasSuffix(e.Name(), ".tmp") {
					t.Errorf("%s is left", e.Name())
				}
			}
		})
	}
	outside := written(t, filepath.Join(t.TempDir(), "a.txt"), "one\n")
	var c files.Changes
	c.Add([]source.Edit{edit(outside, "one", "1")})
	if err := c.Write(t.TempDir(), filepath.Join(t.TempDir(), "none")); !errors.Is(err, files.ErrOutside) {
		t.Errorf("the error is %v, want %v", err, files.ErrOutside)
	}
}

// Whatever fails, each file has its old text or its new one, and where there is no room all have the old one.
func TestFailures(t *testing.T) {
	testkit.EachFailure(t, map[string]string{"a.txt": "one\n", "sub/b.txt": "one\n"}, func(dir string) error {
		var c files.Changes
		for _, name := range []string{"a.txt", "sub/b.txt"} {
			name = filepath.Join(dir, name)
			c.Add([]source.Edit{edit(&source.File{Name: name, Data: []byte("one\n")}, "one", "1")})
		}
		err := c.Write(dir)
		var wrong *files.EditError
		if err != nil && !errors.As(err, &wrong) {
			t.Errorf("the error is %v", err)
		}
		return err
	})
}

func TestRelative(t *testing.T) {
	folder := t.TempDir()
	for name, want := range map[string]string{
		filepath.Join(folder, "a", "b.txt"):  filepath.Join("a", "b.txt"),
		filepath.Join(folder, "..", "c.txt"): filepath.Join(filepath.Dir(folder), "c.txt"), "x/../y": "y",
	} {
		if got := files.Relative(folder, name); got != want {
			t.Errorf("Relative(%q) = %q, want %q", name, got, want)
		}
	}
}
