//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"asldb/internal/cli/command"
)

// shop writes a folder with three machines in two files.
func shop(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"one.asl.json": `{"StartAt": "One", "States": {"One": {"Type": "Succeed"}}}`,
		"template.yaml": `Resources:
  Two: {Type: AWS::Serverless::StateMachine, Properties: {Definition: {StartAt: Two, States: {Two: {Type: Pass, Result: 2, End: true}}}}}
  Three: {Type: AWS::Serverless::StateMachine, Properties: {Definition: {StartAt: Three, States: {Three: {Type: Pass, Result: 3, End: true}}}}}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Where a folder or a template has several machines, the user chooses one on the terminal.
func TestChoiceOnTheScreen(t *testing.T) {
	t.Parallel()
	folder := shop(t)
	term := start(t, "debug", folder, "--no-state")
	term.waitFor("has 3 definitions: choose one", firstFrame)
	term.press("three")
	term.waitFor("1 of 1 with: three", patience)
	term.press("\r")
	term.waitFor("READY", firstFrame)
	term.waitFor("template.yaml", patience)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	term.press("\x1b") // back to the list as it was, where another one is chosen
	term.waitFor("1 of 1 with: three", patience)
	term.press("\x15two")
	term.waitFor("1 of 1 with: two", patience)
	term.press("\r")
	term.waitFor("READY", patience)
	term.press("\x1b")
	term.waitFor("1 of 1 with: two", patience)
	term.press("\x1b")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d after the list", status)
	}

	term = start(t, "run", filepath.Join(folder, "template.yaml"))
	term.waitFor("▸ Two", firstFrame)
	term.press("\x1b[B\r")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}
	term.waitFor("3", patience)

	term = start(t, "graph", folder)
	term.waitFor("choose one", firstFrame)
	term.press("\x1b")
	if status := term.wait(); status != command.StatusUsage {
		t.Errorf("exit status %d after Escape", status)
	}
	term.waitFor("nothing was chosen", patience)
}

// asldb alone lists the machines, suites and recordings below the folder, and runs a command for the line of the cursor.
func TestHomeOnTheScreen(t *testing.T) {
	t.Parallel()
	folder := shop(t)
	for name, text := range map[string]string{
		"one.asl.json": `{"StartAt": "One", "States": {"One": {"Type": "Choice",
  "Choices": [{"Variable": "$.n", "IsPresent": true, "Next": "End"}], "Default": "End"}, "End": {"Type": "Succeed"}}}`,
		"one.test.yaml":  "version: 1\ndefinition: one.asl.json\ncases: {ends: {expect: {path: [One, End]}}}\n",
		"wrong.asl.json": `{"StartAt": "Nowhere", "States": {"A": {"Type": "Succeed"}}}`,
		"ran.json": `{"events": [
  {"id": 1, "type": "ExecutionStarted", "timestamp": 1767225600, "previousEventId": 0,
    "executionStartedEventDetails": {"input": "{}"}},
  {"id": 2, "type": "ExecutionFailed", "timestamp": 1767225601, "previousEventId": 1,
    "executionFailedEventDetails": {"error": "Oops"}}]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	state := "XDG_STATE_HOME=" + t.TempDir()
	home := func() *terminal {
		program, err := build()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program)
		cmd.Dir, cmd.Env = folder, []string{state}
		term := startCommand(t, cmd)
		term.waitFor("1 of 6", firstFrame)
		term.waitFor("valid, 1 suite", patience)
		return term
	}
	term := home()
	for _, line := range []string{"machine    template.yaml Two", "machine    template.yaml Three", "wrong.asl.json", "error",
		"suite      one.test.yaml", "not run yet", "recording  ran.json", "failed: Oops"} {
		term.waitFor(line, patience)
	}
	term.press("two\x14") // ctrl+t of a machine without a suite
	term.waitFor("no suite is about it: asldb test init template.yaml writes one", patience)
	term.press("\x15one.asl\x14")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d after the suites", status)
	}
	term.waitFor("asldb test -- one.test.yaml", patience)
	term.waitFor("1 case: 1 passed", patience)

	term = home()
	term.waitFor("1 passed", patience)
	term.press("one.asl\x05")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d after explore", status)
	}
	term.waitFor("asldb explore -- one.asl.json", patience)

	term = home()
	term.press("wrong.asl\r") // an error of a definition is shown over the list
	term.waitFor("it cannot run", patience)
	term.press("\x1b")
	if status := term.wait(); status != command.StatusUsage {
		t.Errorf("exit status %d after a definition with errors", status)
	}
	term = home()
	term.press("three\r")
	term.waitFor("READY", firstFrame)
	term.press("\x1b") // back to the list as it was
	term.waitFor("1 of 1 with: three", patience)
	term.press("\r")
	term.waitFor("READY", patience)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("exit status %d after a session", status)
	}
	term = home()
	term.press("\x1b")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d after Escape", status)
	}
}
