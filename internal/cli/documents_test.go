//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asldb/internal/definitions"
)

// notRun are the blocks of commands that no test runs, by page and first line, with the reason.
var notRun = map[string]string{
	"README.md: go run . demo               # debug a built-in example, no setup needed":                                          "the demo and why are started by other tests; the tests do not run themselves",
	"docs/tasks/production.md: asldb fetch arn:aws:states:eu-west-1:123456789012:execution:Order:4f1a":                            "needs AWS; fetch.txtar runs it against a stub",
	"docs/tasks/production.md: aws stepfunctions get-execution-history --execution-arn ARN > failed.json":                         "needs AWS",
	"docs/rules.md: asldb validate order.asl.json --against-aws                            # asks before it sends the definition": "needs AWS; TestAgainstAWS calls a stub",
	"docs/tasks/editor.md: npm --prefix editors/vscode run package":                                                               "needs npm and an editor",
	"docs/editors.md: npm --prefix editors/vscode run package":                                                                    "needs npm and an editor",
	"docs/editors.md: scripts/editors/neovim         # Neovim (Debian's, if there is none) with nvim-dap and the settings above":  "needs Neovim and npm",
	"docs/fetch.md: asldb fetch arn:aws:states:eu-west-1:123456789012:execution:Order:4f1a":                                       "needs AWS; fetch.txtar runs it against a stub",
	"docs/fetch.md: asldb fetch --state-machine ARN --status FAILED --since 24h --limit 200 -o failed":                            "needs AWS; fetch.txtar runs it against a stub",
	"docs/fetch.md: asldb debug --state-machine ARN --status FAILED --since 24h":                                                  "needs AWS, and a terminal; other tests open the list",
	"docs/why.md: aws stepfunctions get-execution-history --execution-arn ARN | asldb why -":                                      "needs AWS",
	"docs/ci.md: asldb compare old.asl.json order.asl.json --histories recorded --format md -o comment.md":                        "needs GitHub",
	"docs/ci.md: docker run --rm -v \"$PWD:/work\" asldb validate .":                                                              "needs Docker",
	"docs/tour.md: asciinema play docs/tour.cast":                                                                                 "needs asciinema",

	"docs/ci.md: aws s3 sync \"s3://$BUCKET/histories\" histories": "needs AWS",

	"docs/why.md: asldb why --state-machine ARN --since 1h": "needs AWS, as in docs/fetch.md",
	"docs/serve.md: $ asldb serve order.asl.json &":         "internal/serve starts one",
}

// preparations make the files that a page has from elsewhere, by page, or by page and first line of a block.
var preparations = map[string]string{
	"docs/redrive.md": "cp order-v3.asl.json fixed.asl.json; cp recorded/timeout.json history.json; " +
		"asldb run order.asl.json --history recorded/timeout.json --trace order.trace; " +
		"sed '/Card.Timeout/d; s/after: 800ms/after: 800ms\\n      repeat: forever/' order.fixtures.yaml >order.yaml; true",
	"docs/stats.md":   "mkdir histories; cp recorded/*.json histories",
	"docs/testing.md": "mv order.test.yaml ready; rm *.test.yaml",
	"docs/trace.md":   "asldb run order.asl.json --fixtures order.fixtures.yaml --trace order.trace; asldb run order-v2.asl.json --history failed.json --trace failed.trace; true",
	"docs/testing.md: asldb test                                      # all suites below the directory": "{ cat ready; echo 'tags: [smoke]'; } >order.test.yaml; " +
		`echo '{"StateMachines": {"order": {"TestCases": {"Free": {"ValidateOrder": "free"}}}}, "MockedResponses": {"free": {"0": {"Return": {"valid": false}}}}}' >MockConfigFile.json`,
	"docs/why.md": "cp recorded/declined.json history.json; asldb run order.asl.json --history history.json --trace order.trace; true",
}

// prelude lets commands that need a terminal draw their screen into a file.
const prelude = `asldb() {
	command asldb "$@" 2>"$errors"
	local status=$?
	if grep -q 'needs a terminal' "$errors"; then
		command asldb "$@" --svg "$errors.svg" && return 0
		return 1
	fi
	cat "$errors" >&2
	return $status
}
`

// statusComment is the comment that says which exit status a command has.
var statusComment = regexp.MustCompile(`# .*exit status (\d+)`)

// TestCommandsOfTheDocs runs the commands of README.md and of docs, page by page, in the folder of the example. A
// command has the status 0, or the one that a comment on its line says; what a block of the kind "console" shows is its
// output.
func TestCommandsOfTheDocs(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	for _, file := range documents(t) {
		page, err := filepath.Rel("../..", file)
		if err != nil {
			t.Fatal(err)
		}
		var shell *pageShell
		for _, b := range blocksOf(t, page) {
			if b.kind != "sh" && b.kind != "console" {
				if b.kind == "" && regexp.MustCompile(`(?m)^(\$ |asldb )`).MatchString(b.text) {
					t.Errorf("%s:%d: the block has commands: it is sh, or console where it shows the output", page, b.line)
				}
				continue
			}
			if notRun[b.first()] != "" {
				used[b.first()] = true
				continue
			}
			if shell == nil {
				shell = newPageShell(t, root, page)
			}
			if commands := preparations[b.first()]; commands != "" {
				shell.run(commands)
			}
			t.Run(fmt.Sprintf("%s:%d", page, b.line), func(t *testing.T) {
				if b.kind == "console" {
					shell.console(t, &b)
				} else {
					shell.commands(t, &b)
				}
			})
		}
	}
	for key := range notRun {
		if !used[key] {
			t.Errorf("no page has the block %q any more", key)
		}
	}
}

// pageShell runs the commands of a page, one after the other, in a separate folder.
type pageShell struct{ dir, state, errors, path string }

func newPageShell(t *testing.T, root, page string) *pageShell {
	t.Helper()
	program, err := build() // it starts faster than the tests themselves
	if err != nil {
		t.Fatal(err)
	}
	s := &pageShell{dir: t.TempDir(), state: t.TempDir(), errors: filepath.Join(t.TempDir(), "errors"), path: filepath.Dir(program)}
	if err := os.CopyFS(s.dir, definitions.Files()); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"testdata", "internal", "scripts"} {
		if err := os.Symlink(filepath.Join(root, folder), filepath.Join(s.dir, folder)); err != nil {
			t.Fatal(err)
		}
	}
	if commands := preparations[page]; commands != "" {
		if out, status := s.run(commands); status != 0 {
			t.Fatalf("%s: the preparation has status %d:\n%s", page, status, out)
		}
	}
	return s
}

// run runs a command of the shell and returns its output, of both streams, and its status.
func (s *pageShell) run(text string) (out string, status int) {
	cmd := exec.Command("bash", "--noprofile", "--norc", "-o", "pipefail", "-c", prelude+text+"\nstatus=$?\npwd >\"$errors.pwd\"\nexit $status")
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "ASLDB_STATE="+s.state, "XDG_CONFIG_HOME="+s.state, "NO_COLOR=1", "GORACE=atexit_sleep_ms=0", "errors="+s.errors, "PATH="+s.path+":"+os.Getenv("PATH"))
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	_ = cmd.Run()
	if dir, err := os.ReadFile(s.errors + ".pwd"); err == nil { // cd lasts
		s.dir = strings.TrimSpace(string(dir))
	}
	return both.String(), cmd.ProcessState.ExitCode()
}

// commands runs the commands of a block: a line each, or several where the line continues.
func (s *pageShell) commands(t *testing.T, b *block) {
	t.Helper()
	command := ""
	for line := range strings.Lines(b.text) {
		command += line
		if trimmed := strings.TrimSpace(line); strings.HasSuffix(trimmed, "|") || strings.HasSuffix(trimmed, `\`) {
			continue
		}
		if strings.TrimSpace(command) == "" {
			continue
		}
		if _, err := exec.LookPath("jq"); err != nil && strings.Contains(command, "jq ") {
			t.Skipf("jq is missing: %s", command)
		}
		want := "0"
		if found := statusComment.FindStringSubmatch(command); found != nil {
			want = found[1]
		}
		if out, status := s.run(command); fmt.Sprint(status) != want {
			t.Errorf("%s\tstatus %d, want %s:\n%s", command, status, want, out)
		}
		command = ""
	}
}

// console runs the commands of a block, which begin with a $, and compares their output with what follows. A line of …
// means any lines.
func (s *pageShell) console(t *testing.T, b *block) {
	t.Helper()
	for part := range strings.SplitSeq("\n"+b.text, "\n$ ") {
		command, want, _ := strings.Cut(part, "\n")
		if strings.TrimSpace(command) == "" {
			continue
		}
		out, status := s.run(command)
		if status == 2 || status > 4 {
			t.Errorf("%s\n\tstatus %d", command, status)
		}
		pattern := regexp.QuoteMeta(strings.TrimRight(want, "\n"))
		pattern = strings.ReplaceAll("\n"+pattern+"\n", "\n…\n", "\n(?:.*\n)*")
		got := "\n" + strings.TrimRight(realTime.ReplaceAllString(out, "· 5ms ·"), "\n") + "\n"
		if !regexp.MustCompile(`^` + pattern + `$`).MatchString(got) {
			t.Errorf("%s\n\tprints\n%s\nand the page says\n%s", command, got, want)
		}
	}
}
