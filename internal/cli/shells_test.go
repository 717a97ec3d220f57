//go:build unix

package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"asldb/internal/cli/command"
)

// shellFiles are the files that the lines of [TestShells] name.
var shellFiles = map[string]string{
	"order.asl.yaml": "StartAt: Charge\nStates:\n  Charge: {Type: Task, Resource: 'arn:aws:lambda:us-east-1:1:function:f', ResultPath: $.paid, Next: Ship}\n  Ship: {Type: Pass, End: true}\n",
	"template.yaml": `Resources:
  OrderMachine: {Type: AWS::StepFunctions::StateMachine, Properties: {Definition: {StartAt: A, States: {A: {Type: Pass, End: true}}}}}
  RefundMachine: {Type: AWS::StepFunctions::StateMachine, Properties: {Definition: {StartAt: B, States: {B: {Type: Pass, End: true}}}}}
`,
	"order.test.yaml": "version: 1\ndefinition: order.asl.yaml\ncases:\n  works: {tasks: {Charge: [{output: 1}]}, expect: {status: SUCCEEDED}}\n",
	"order.txt":       "",
}

// shellLines are lines as they are typed, with what the key Tab makes of them: one for each way in which shells treat
// words. The words are the words of testdata/script/completion.txtar.
var shellLines = [][2]string{
	{"asldb expl", "asldb explore "},
	{"asldb run order.a", "asldb run order.asl.yaml "},
	{"asldb debug order.asl.yaml --break Charge:Re", "asldb debug order.asl.yaml --break Charge:ResultPath "},
	{"asldb run template.yaml --resource R", "asldb run template.yaml --resource RefundMachine "},
	{"asldb test order.test.yaml:w", "asldb test order.test.yaml:works "},
}

// TestShells types lines into real shells on a terminal, each followed by Tab. Ctrl+T prints the line as it is then.
// The bash has nothing of the package bash-completion.
func TestShells(t *testing.T) {
	for _, shell := range []struct {
		name  string
		args  []string
		setup map[string]string // a file below the home folder, with the completion in SCRIPT
	}{
		{"bash", []string{"--noprofile", "--rcfile", ".bashrc", "-i"}, map[string]string{".bashrc": `PS1='ready> '
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
printed() { printf '\n<%s>\n' "$READLINE_LINE"; READLINE_LINE=; }
bind -x '"\C-t": printed'
source SCRIPT
`}},
		{"zsh", []string{"-d", "-i"}, map[string]string{".zshrc": `PS1='ready> '
unset zle_bracketed_paste
unsetopt beep
printed() { print -r -- $'\n'"<$BUFFER>"; BUFFER=; zle redisplay }
zle -N printed
autoload -Uz compinit && compinit -u -D
source SCRIPT
bindkey '^T' printed
`}},
		{"fish", []string{"-i"}, map[string]string{".config/fish/config.fish": `function fish_prompt; printf 'ready> '; end
function fish_greeting; end
source SCRIPT
function printed; printf '\n<%s>\n' (commandline); commandline ''; end
bind \ct printed
`}},
	} {
		t.Run(shell.name, func(t *testing.T) {
			path, err := exec.LookPath(shell.name)
			if err != nil {
				t.Skip(shell.name + " is not installed")
			}
			home := t.TempDir()
			write := func(name, text string) {
				t.Helper()
				name = filepath.Join(home, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range shellFiles {
				write(name, text)
			}
			var script, errs bytes.Buffer
			if status := Main([]string{"completion", shell.name}, strings.NewReader(""), &script, &errs); status != command.StatusOK {
				t.Fatal(errs.String())
			}
			write("completion", script.String())
			for name, text := range shell.setup {
				write(name, strings.ReplaceAll(text, "SCRIPT", filepath.Join(home, "completion")))
			}
			typeLines(t, exec.Command(path, shell.args...), home)
		})
	}
}

// typeLines starts a shell and types the lines.
func typeLines(t *testing.T, shell *exec.Cmd, home string) {
	t.Helper()
	program, err := os.Executable() // named asldb it is the program: see TestMain
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(bin, "asldb")); err != nil {
		t.Fatal(err)
	}
	shell.Dir = home
	shell.Env = []string{"HOME=" + home, "ZDOTDIR=" + home, "TERM=dumb", "LC_ALL=C.UTF-8", "GORACE=atexit_sleep_ms=0", "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	tty, err := pty.StartWithSize(shell, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		t.Fatal(err)
	}
	printed := make(chan string)
	go func() {
		defer close(printed)
		for data := make([]byte, 4096); ; {
			n, err := tty.Read(data)
			if err != nil {
				return
			}
			printed <- string(data[:n])
		}
	}()
	t.Cleanup(func() {
		_ = shell.Process.Kill()
		_ = tty.Close()
		for range printed {
		}
		_ = shell.Wait()
	})
	shown := ""
	wait := func(text string) bool {
		t.Helper()
		for late := time.After(patience); ; {
			if _, rest, found := strings.Cut(shown, text); found {
				shown = rest
				return true
			}
			select {
			case more, open := <-printed:
				if !open {
					t.Fatalf("the shell has ended:\n%s", shown)
				}
				shown += more
			case <-late:
				return false
			}
		}
	}
	if !wait("ready> ") {
		t.Fatalf("there is no prompt:\n%s", shown)
	}
	for _, line := range shellLines {
		if _, err := io.WriteString(tty, line[0]+"\t\x14"); err != nil {
			t.Fatal(err)
		}
		if !wait("<" + line[1] + ">") {
			t.Fatalf("after %q and Tab the line is not %q:\n%q", line[0], line[1], shown)
		}
	}
}
