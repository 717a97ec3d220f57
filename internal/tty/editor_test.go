package tty

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
		{"", "", []string{usual}},
		{"  ", "code --wait", []string{"code", "--wait"}},
		{"emacs", "code --wait", []string{"emacs"}},
		{"", `sh -c "test -t 0"`, []string{"sh", "-c", `sh -c "test -t 0" "$@"`, `sh -c "test -t 0"`}},
	} {
		env := map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}
		if got := commandOf(fromEnvironment(func(name string) string { return env[name] })); !slices.Equal(got,
			c.want) {
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

// TestWordsOf: the command of an editor on Windows, where no shell reads it.
func TestWordsOf(t *testing.T) {
	const program = `C:\Program Files\Notepad++\notepad++.exe`
	isFile := func(name string) bool { return name == program }
	for editor, want := range map[string][]string{
		program:                           {program},
		`"` + program + `" -multiInst`:    {program, "-multiInst"},
		`code  --wait`:                    {"code", "--wait"},
		`C:\bin\vim.exe -c "set ft=json"`: {`C:\bin\vim.exe`, "-c", "set ft=json"},
		`a"b c"d ""`:                      {"ab cd", ""},
		"":                                nil,
	} {
		if got := wordsOf(editor, isFile); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", editor, got, want)
		}
	}
	for name, want := range map[string]string{program: "notepad++", `C:\VS Code\bin\code.cmd`: "code",
		"/usr/bin/nvim": "nvim", "VIM.EXE": "vim"} {
		if got := programOf(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// TestPlaced: editors that can go to a place get it, others the file alone.
func TestPlaced(t *testing.T) {
	for editor, want := range map[string][]string{
		"vi": {"+7", "a b.json"}, "/usr/bin/nvim -R": {"+7", "a b.json"}, "nano": {"+7", "a b.json"},
		"hx":                     {"a b.json:7:3"},
		"'/opt/VS Code/code' -w": {"a b.json"}, "code --wait": {"--goto", "a b.json:7:3"}, "my-editor": {"a b.json"},
		"": {"a b.json"},
	} {
		if got := editorArguments(editor, "a b.json", 7, 3); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", editor, got, want)
		}
	}
}

// TestOpen: the editor gets the file itself.
func TestOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	folder := t.TempDir()
	name := filepath.Join(folder, "a.json")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", `sh -c 'printf new >"$1"' sh`)
	if err := OpenEditor(context.Background(), name, 1, 1, nil, nil); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(name); string(data) != "new" {
		t.Errorf("the file has %q", data)
	}
	for _, missing := range []string{filepath.Join(folder, "none.json"), folder} {
		if err := OpenEditor(context.Background(), missing, 1, 1, nil, nil); err == nil {
			t.Errorf("%s opens", missing)
		}
	}
}
