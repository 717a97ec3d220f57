package editor

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		visual, editor string
		want           []string
	}{
		{"", "", []string{"vi"}},
		{"  ", "code --wait", []string{"code", "--wait"}},
		{"emacs", "code --wait", []string{"emacs"}},
		{"", `sh -c "test -t 0"`, []string{"sh", "-c", `sh -c "test -t 0" "$@"`, `sh -c "test -t 0"`}},
	} {
		env := map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}
		if got := commandOf(fromEnvironment(func(name string) string { return env[name] })); !slices.Equal(got, c.want) {
			t.Errorf("VISUAL=%s EDITOR=%s: %q, want %q", c.visual, c.editor, got, c.want)
		}
	}
}

// An editor that appends a line leaves it in the text; one that fails is an error, and no file is left.
func TestEdit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor is a line of a POSIX shell")
	}
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("VISUAL", `echo more >> "$1"; true`)
	got, err := Edit(context.Background(), "{}\n", os.Stdin, os.Stdout)
	if err != nil || got != "{}\nmore\n" {
		t.Errorf("the editor left %q, %v", got, err)
	}
	t.Setenv("VISUAL", "no-such-editor")
	if _, err := Edit(context.Background(), "{}", os.Stdin, os.Stdout); err == nil {
		t.Error("an editor that does not exist gives no error")
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "asldb-*.json")); len(left) > 0 {
		t.Errorf("files are left: %q", left)
	}
}
