package wording_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/internal/wording"
)

// hostile are words that a shell, or a terminal, would take as something else.
var hostile = []string{
	"", "plain", "a b", "it's", "~", "~root/x", "=ls", "a=b", "-n", "--", "$HOME", "`id`", "$(id)",
	`back\slash`, `\`, "'", "''", "*", "?[a]",
	"#x", "!x", "{a,b}", "a;b", "a&b", "a|b", "<x", ">x", "(x)", "tab\there",
	"two\nlines", "cr\rx", "\x1b[31mred", "\u202eabc", "\u200b7",
	"nul-\u0001", "\xff\xfe",
	"ü", "日本", "👩\u200d👧", "%1", "@x", "a,b", "é'\x1b'", "C:\\dir\\file", "^x", "x=~", "\"q\"",
}

// readBy returns the arguments that a shell reads in a command line.
func readBy(t testing.TB, shell, line string) []string {
	t.Helper()
	out, err := exec.Command(shell, "-c", `for a in `+line+`; do printf '%s\0' "$a"; done`).Output()
	if err != nil {
		t.Fatalf("%s does not read %q: %v", shell, line, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// Shells read each word as its text, and nothing hidden is in it.
func TestShell(t *testing.T) {
	shells := 0
	for _, shell := range []string{"bash", "zsh", "ksh", "sh"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		shells++
		escapes := readBy(t, shell, `$'\101'`)[0] == "A" // an older sh has no $'...'
		for _, word := range hostile {
			text := wording.Shell(word)
			if strings.HasPrefix(text, "$") && !escapes {
				continue
			}
			if got := readBy(t, shell, text); len(got) != 1 || got[0] != word {
				t.Errorf("%s reads %s as %q, want %q", shell, text, got, word)
			}
		}
	}
	if shells == 0 {
		t.Skip("there is no shell")
	}
	for _, word := range hostile {
		if text := wording.Shell(word); wording.Line(text) != text {
			t.Errorf("%q becomes %q, which is shown as %q", word, text, wording.Line(text))
		}
	}
}

// Words of letters and signs that no shell knows stay as they are.
func TestShellPlain(t *testing.T) {
	for _, word := range []string{
		"a", "A-Z_0.9", "./x/y.json",
		"arn:aws:states:::s3", "a@b", "50%", "a+b", "a,b", "k=v", "--flag=x", "-",
	} {
		if got := wording.Shell(word); got != word {
			t.Errorf("%q becomes %q", word, got)
		}
	}
}

func TestShellAnyWords(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			words = append(words, strings.ReplaceAll(rapid.String().Draw(t, "word"), "\x00", ""))
		}
		line := `printf '%s\0'`
		for _, word := range words {
			line += " " + wording.Shell(word)
		}
		out, err := exec.Command("bash", "-c", line).Output()
		if want := strings.Join(words, "\x00") + "\x00"; err != nil || string(out) != want {
			t.Fatalf("bash reads %q, %v, want %q", out, err, want)
		}
	})
}

// The name of a file is a file for a command, also behind a dash.
func TestShellFile(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	for _, name := range []string{"-n", "--help", "a b", "=x", "~x", "x\x1b", "it's"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("content"), 0o600); err != nil {
			t.Fatal(err)
		}
		cat := exec.Command("bash", "-c", "cat "+wording.ShellFile(name))
		cat.Dir = dir
		if out, err := cat.CombinedOutput(); err != nil || string(out) != "content" {
			t.Errorf("cat %s: %q, %v", wording.ShellFile(name), out, err)
		}
	}
	if got := wording.ShellFile("-"); got != "-" {
		t.Errorf("standard input becomes %s", got)
	}
}
