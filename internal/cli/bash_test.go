package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/internal/cli/command"
)

// TestBashWithoutPackage completes words in a bash that has nothing of the package bash-completion loaded. Bash splits
// the line at colons and equals signs, as at a terminal.
func TestBashWithoutPackage(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	var script, errs bytes.Buffer
	if status := Main([]string{"completion", "bash"}, strings.NewReader(""), &script, &errs); status != command.StatusOK {
		t.Fatal(errs.String())
	}
	// The program answers as it does for the words of the line; testdata/script/completion.txtar has its own tests.
	write("asldb", `#!/bin/sh
printf '%s|' "$@" >> asked
case "$*" in
*--break*) printf 'Charge:Task\nCharge:ResultPath\n:4\n' ;;
*--resource*) printf 'OrderMachine\nRefundMachine\n:4\n' ;;
*) printf 'json\nyaml\n:8\n' ;;
esac
`, 0o755)
	write("completion.bash", script.String(), 0o644)
	for _, name := range []string{"order.json", "order.yaml", "order.txt"} {
		write(name, "", 0o644)
	}
	if err := os.Mkdir(filepath.Join(dir, "orders"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line  string
		words []string // as bash splits it
		want  string
		asked string
	}{
		{"asldb debug a --break Charge:R", []string{"asldb", "debug", "a", "--break", "Charge", ":", "R"}, "ResultPath", "__complete|debug|a|--break|Charge:R|"},
		{"asldb debug a --break  Charge:", []string{"asldb", "debug", "a", "--break", "Charge", ":"}, "Task ResultPath", "__complete|debug|a|--break|Charge:|"},
		{"asldb debug a --break=Charge:T", []string{"asldb", "debug", "a", "--break", "=", "Charge", ":", "T"}, "Task", "__complete|debug|a|--break=Charge:T|"},
		{"asldb run a --resource ", []string{"asldb", "run", "a", "--resource", ""}, "OrderMachine RefundMachine", "__complete|run|a|--resource||"},
		{"asldb run a --resource=R", []string{"asldb", "run", "a", "--resource", "=", "R"}, "RefundMachine", "__complete|run|a|--resource=R|"},
		{"asldb run o", []string{"asldb", "run", "o"}, "order.json order.yaml orders", "__complete|run|o|"},
	} {
		_ = os.Remove(filepath.Join(dir, "asked"))
		cmd := exec.Command(shell, "--norc", "--noprofile", "-c", `
compopt() { :; } # bash allows it only while it completes
source ./completion.bash
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
__start_asldb
echo "${COMPREPLY[*]}"`, "bash", c.line)
		cmd.Args = append(cmd.Args, c.words...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.line, err, out)
		}
		got := strings.Fields(string(out))
		slices.Sort(got) // bash sorts what it shows
		if want := slices.Sorted(slices.Values(strings.Fields(c.want))); !slices.Equal(got, want) {
			t.Errorf("%q offers %q, want %q", c.line, got, want)
		}
		if asked, _ := os.ReadFile(filepath.Join(dir, "asked")); string(asked) != c.asked {
			t.Errorf("%q asks for %q, want %q", c.line, asked, c.asked)
		}
	}
}
