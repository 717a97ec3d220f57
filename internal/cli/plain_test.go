//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
)

// startPlain runs the debugger without a screen on a terminal.
func startPlain(t *testing.T, definition string, environment []string, args ...string) (term *terminal, file string) {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "m.json")
	if err := os.WriteFile(file, []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{"debug", file, "--plain", "--no-state"}, args...)...)
	cmd.Env = environment
	term = startCommand(t, cmd)
	term.waitFor("help lists the commands.", firstFrame)
	return term, file
}

// TestInterruptOfAPlainRun: the key Ctrl+C ends what runs, an evaluation as well as a run without an end, and tells
// where that is; where nothing runs it says how to leave.
func TestInterruptOfAPlainRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ definition, told, next string }{
		"evaluation": {unending, "INTERRUPTED in an evaluation, m.json : B", "The step was rolled back"},
		"loop": {`{"StartAt":"A","States":{
			"A":{"Type":"Choice","Choices":[{"Variable":"$.end","IsPresent":true,"Next":"E"}],"Default":"B"},
			"B":{"Type":"Pass","Next":"A"},"E":{"Type":"Succeed"}}}`, "INTERRUPTED, m.json", ", visit "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term, _ := startPlain(t, test.definition, nil, "--max-evaluation", "2000000000", "--max-history", "0")
			interrupted := func() bool { return strings.Contains(term.screen.String(), "INTERRUPTED") }
			for range 10 { // the key before the line is read drops the line
				term.press("c\n")
				time.Sleep(200 * time.Millisecond)
				term.press("\x03")
				for end := time.Now().Add(patience / 5); !interrupted() && time.Now().Before(end); {
					time.Sleep(5 * time.Millisecond)
				}
				if interrupted() {
					break
				}
			}
			term.before = "" // whichever key it was
			term.waitFor(test.told, patience)
			term.waitFor(test.next, patience)
			term.press("\x03")
			term.waitFor("Nothing runs. quit leaves the debugger.", patience)
			term.press("messages\n") // the program and its lines are still there
			term.waitFor("> messages", patience)
			term.press("quit\n")
			if status := term.wait(); status != command.StatusOK {
				t.Errorf("exit status %d", status)
			}
		})
	}
}

// TestInterruptOfAPlainCall: the key ends the command that waits for a call, and not the call.
func TestInterruptOfAPlainCall(t *testing.T) {
	t.Parallel()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	definition, fixture := liveDefinition(t, dir)
	more := "version: 1\ntasks:\n  A:\n    - exec: {command: [sh, -c, \"echo $$ > part; mv part pid; " +
		"until test -e go; do sleep 0.1; done; echo 42\"]}\n"
	if err := os.WriteFile(fixture, []byte(more), 0o600); err != nil {
		t.Fatal(err)
	}
	term := startCommand(t,
		exec.Command(program, "debug", definition, "--fixtures", fixture, "--allow-live", "--plain", "--no-state"))
	term.waitFor("help lists the commands.", firstFrame)
	term.press("c\n")
	calledProcess(t, dir)
	term.press("\x03")
	term.waitFor("INTERRUPTED, m.json : A", patience)
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	term.press("c\n")
	term.waitFor("SUCCEEDED, m.json", patience)
	term.press("q\n")
	term.wait()
}

// TestEditorOfAPlainRun: the text of the definition and the data are edited by the person's editor on the terminal; the
// changed definition is run as a what-if, as on the screen.
func TestEditorOfAPlainRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	editor := filepath.Join(dir, "editor")
	script := "#!/bin/sh\necho editing; read answer\nsed -i.old \"s/old/$answer/\" \"$1\"\n"
	if err := os.WriteFile(editor, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	term, file := startPlain(
		t,
		`{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"is":"old"},"ResultPath":"$.a","Next":"B"},
		"B":{"Type":"Pass","End":true}}}`,
		[]string{"VISUAL=", "EDITOR=" + editor},
		"--input",
		`{"in":"old"}`,
	)
	term.press("c\nsource\ne\n")
	term.waitFor("editing", patience)
	term.press("mended\n")
	term.waitFor("The first difference", patience)
	if text, _ := os.ReadFile(file); !strings.Contains(string(text), `"mended"`) {
		t.Fatalf("the file is %s", text)
	}
	term.press("r\nedit\n")
	term.waitFor("editor opens your editor", patience)
	term.press("editor\n")
	term.waitForAgain("editing")
	term.press("other\n")
	term.waitFor(`"in": "other"`, patience)
	term.press("\nc\nevents\n")
	term.waitFor(`"in":"other"`, patience)
	term.press("quit\n")
	term.wait()
}

// TestPlainWithoutATerminal: lines of a file have no editor, and an interrupt ends them.
func TestPlainWithoutATerminal(t *testing.T) {
	t.Parallel()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "demo", "--plain", "--no-state")
	cmd.Stdin = strings.NewReader("source\ne\n")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "an editor needs a terminal") {
		t.Errorf("%v\n%s", err, out)
	}
}
