//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
	"asldb/internal/testkit/runs"
)

// startPicker opens the list of the executions of a stub.
func startPicker(t *testing.T, stub *runs.Server, arguments ...string) *terminal {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{"debug", "--no-state"}, arguments...)...)
	cmd.Env = []string{"AWS_CONFIG_FILE=" + os.DevNull, "AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull, "AWS_PROFILE="}
	return startCommand(t, cmd)
}

// The list of executions on a terminal: the failing state of the row on show, an execution in the debugger and back,
// and a call that is refused. Only what the user looks at is called for.
func TestExecutionsOnATerminal(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	var list []runs.Execution
	for i := range 4 {
		card := []string{"good-card", "bad-card"}[i%2]
		list = append(list, runs.Of(fmt.Sprintf("order-%d", i), noon.Add(-time.Duration(i)*time.Hour), fmt.Sprintf(`{"id": %d, "card": %q}`, i, card)))
	}
	stub := runs.Start(t, list...)
	term := startPicker(t, stub, "--state-machine", runs.Prefix+"stateMachine:Order", "--endpoint-url", stub.URL)
	term.waitFor("SUCCEEDED", firstFrame)
	term.waitFor("1 of 4", patience)
	if calls := stub.Calls(); len(calls) != 1 || calls[0] != "ListExecutions stateMachine:Order" {
		t.Errorf("%q for the list", calls)
	}
	term.press("order-3")
	term.waitFor("× FAILED in Charge: Card.Declined", patience)
	if calls := strings.Join(stub.Calls(), ", "); calls != "DescribeStateMachineForExecution execution:Order:order-3, GetExecutionHistory execution:Order:order-3" {
		t.Errorf("%s for one row", calls)
	}
	term.press("\r")
	term.waitFor("FAILED in Charge with Card.Declined", firstFrame)
	term.waitFor("esc goes back to the list of executions.", patience)
	term.press("r")
	term.waitFor("run again: all 6 recorded events agree", patience)
	if calls := stub.Calls(); len(calls) != 0 {
		t.Errorf("%q for an execution that had been read", calls)
	}
	term.press("c")
	term.waitFor("UNCAUGHT ERROR in Charge", patience)
	term.press("\x1b")
	term.waitFor("filter: order-3", patience)
	term.press("\x1b")
	term.waitUntilGone("filter: order-3")

	stub.Configure(func(s *runs.Server) {
		s.Refuse = func(string, int, string) *runs.Refusal {
			return &runs.Refusal{Code: "ExpiredTokenException", Message: "the stub refuses"}
		}
	})
	term.press("\x1bOS") // F4
	term.waitFor("the AWS credentials have expired (ExpiredTokenException: the stub refuses): log in again", patience)
	stub.Configure(func(s *runs.Server) { s.Refuse = nil })
	term.press("\x1bOS")
	term.waitFor("1 of 4", patience)
	term.press("\x1b")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}
}

// A folder of fetched executions is listed without a call; the debugger's q ends the program.
func TestFolderOfExecutionsOnATerminal(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	stub := runs.Start(t, runs.Of("one", noon, `{"id": 1}`), runs.Of("two", noon, `{"id": 2, "card": "bad-card"}`))
	folder := t.TempDir()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program, "fetch", "--state-machine", runs.Prefix+"stateMachine:Order", "--no-nested", "--endpoint-url", stub.URL, "-o", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	stub.Calls()
	term := startPicker(t, stub, "--histories", folder)
	term.waitFor("Card.Declined", firstFrame)
	term.press("two\r")
	term.waitFor("FAILED in Charge with Card.Declined", firstFrame)
	if status := term.quit(); status != command.StatusOK || len(stub.Calls()) != 0 {
		t.Errorf("exit status %d", status)
	}
	term = startPicker(t, stub, "--histories", folder)
	term.waitFor("Card.Declined", firstFrame)
	term.press("\x03")
	if status := term.wait(); status != command.StatusInterrupted {
		t.Errorf("exit status %d after Ctrl+C", status)
	}
}

// Traces are listed beside histories, and open as replay opens them, by the mouse, too, also beside another definition.
func TestTracesInTheListOnATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	definition := filepath.Join(folder, "order.asl.json")
	if err := os.WriteFile(definition, []byte(`{"StartAt": "Stop", "States": {"Stop": {"Type": "Fail", "Error": "Card.Declined"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	_ = exec.Command(program, "run", definition, "--trace", filepath.Join(folder, "run.trace")).Run() // it fails
	term := startPicker(t, nil, "--histories", folder)
	term.waitFor("1 of 1, 1 other file left out", firstFrame)
	term.waitFor("× FAILED in Stop: Card.Declined", patience)
	term.press("\x1b[<0;10;5M\x1b[<0;10;5m") // a click on the row of the cursor
	term.waitFor("REPLAY × FAILED in Stop: Card.Declined", firstFrame)
	term.waitFor("esc goes back to the list of executions.", patience)
	term.press("\x1b")
	term.waitFor("1 of 1, 1 other file", patience)
	term.press("\x1b")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}
	term = startPicker(t, nil, "--histories", folder, "--seed", "4", "--no-mouse")
	term.waitFor("1 of 1", firstFrame)
	term.press("\r")
	term.waitFor("--seed is for histories", patience)
	term.press("\x1b")
	term.wait()
	if term.drawn.Wait(); strings.Contains(term.raw.String(), "\x1b[?1002h") {
		t.Error("the mouse is captured in spite of --no-mouse")
	}
	other := filepath.Join(folder, "other.asl.json")
	if err := os.WriteFile(other, []byte(`{"StartAt": "Go", "States": {"Go": {"Type": "Pass", "End": true}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	term = startPicker(t, nil, other, "--histories", folder)
	term.waitFor("1 of 1", firstFrame)
	term.press("\r")
	term.waitFor("the run differs from the recording at event 2", firstFrame)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}
}

// The differences of two versions on a terminal: both runs of a recording side by side, and back.
func TestDifferencesOnATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const old = `{"StartAt": "Due", "States": {"Due": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 5, "Next": "Many"}], "Default": "Few"},
 "Many": {"Type": "Pass", "End": true}, "Few": {"Type": "Pass", "End": true}}}`
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	before, after := file("old.asl.json", old), file("new.asl.json", strings.Replace(old, ": 5", ": 2", 1))
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	for n := range 9 {
		out, err := exec.Command(program, "run", before, "--input", fmt.Sprintf(`{"n": %d}`, n), "--format", "history").Output()
		if err != nil {
			t.Fatal(err)
		}
		file(fmt.Sprintf("run-%d.history.json", n), string(out))
	}
	term := start(t, "compare", before, after, "--histories", filepath.Join(folder, "run-*"), "--screen")
	term.waitFor("9 executions: 3 path differs, 6 same", firstFrame)
	term.waitFor("Due → Many, rule 1 (before: Few", patience)
	term.press("\x1b[C\x1b[B\r")
	term.waitFor("new version", firstFrame)
	term.waitFor("esc goes back to the list of differences.", patience)
	term.waitFor("run-4.history.json", patience)
	term.press("\x1b")
	term.waitFor("2 of 3", firstFrame)
	term.press("q")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}
}

// A definition with errors opens at the first one; when it is saved without errors, the session begins.
func TestDefinitionWithErrorsOnATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "order.asl.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const right = `{"StartAt": "One", "States": {"One": {"Type": "Pass", "End": true}}}`
	write(strings.Replace(right, "End", "Ned", 1))
	term := start(t, "debug", file, "--no-state")
	term.waitFor("1 error: it cannot run", firstFrame)
	term.waitFor(`did you mean "End"?`, patience)
	write(right)
	term.waitFor("READY", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}

	write(strings.Replace(right, "End", "Ned", 1))
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	editor := filepath.Join(folder, "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -i s/Ned/End/ \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "debug", file, "--no-state")
	cmd.Env = []string{"EDITOR=" + editor, "VISUAL="}
	term = startCommand(t, cmd)
	term.waitFor("1 error: it cannot run", firstFrame)
	term.press("e")
	term.waitFor("READY", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("exit status %d after the editor", status)
	}

	write(strings.Replace(right, "End", "Ned", 1))
	term = start(t, file, "--no-state")
	term.waitFor("1 error: it cannot run", firstFrame)
	term.press("q")
	if status := term.wait(); status != command.StatusUsage {
		t.Errorf("exit status %d", status)
	}
	term.waitFor("has 1 error", patience)
}
