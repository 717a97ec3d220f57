//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/cli/command"
)

// liveFiles writes a definition of one task and fixtures that run a command for it.
func liveFiles(t *testing.T) (definition, fixture, called string) {
	t.Helper()
	dir := t.TempDir()
	definition, fixture, called = filepath.Join(dir, "m.json"), filepath.Join(dir, "f.yaml"), filepath.Join(dir, "called")
	for name, text := range map[string]string{
		definition: `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true}}}`,
		fixture:    "version: 1\nallowLive: true\ntasks:\n  A:\n    - {exec: [sh, -c, \"touch called; echo 5\"]}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return definition, fixture, called
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// With a terminal the person is asked before anything is called; a yes is remembered, a no is not.
func TestARunAsksWhetherToCall(t *testing.T) {
	t.Setenv("ASLDB_STATE", t.TempDir())
	definition, fixture, called := liveFiles(t)
	run := func(args ...string) *terminal {
		return start(t, append([]string{"run", definition, "--fixtures", fixture}, args...)...)
	}

	term := run()
	term.waitFor("[y/N]", firstFrame)
	term.waitFor(`exec sh -c "touch called; echo 5"`, patience)
	if isThere(called) {
		t.Fatal("it is called before the answer")
	}
	term.press("\n")
	if status := term.wait(); status != command.StatusUsage || isThere(called) {
		t.Fatalf("no: status %d, called: %v", status, isThere(called))
	}
	term = run("--no-state")
	term.waitFor("Allow this for this run? [y/N]", firstFrame)
	term.press("y\n")
	if status := term.wait(); status != command.StatusOK || !isThere(called) {
		t.Fatalf("yes for this run: status %d, called: %v", status, isThere(called))
	}
	_ = os.Remove(called)
	term = run()
	term.waitFor("Allow this until one of its files changes? [y/N]", firstFrame)
	term.press("YES\n")
	if status := term.wait(); status != command.StatusOK || !isThere(called) {
		t.Fatalf("yes: status %d, called: %v", status, isThere(called))
	}
	_ = os.Remove(called)
	term = run()
	if status := term.wait(); status != command.StatusOK || !isThere(called) {
		t.Fatalf("once allowed: status %d, called: %v", status, isThere(called))
	}
	if term.drawn.Wait(); strings.Contains(term.raw.String(), "[y/N]") {
		t.Error("asked again")
	}
	text, _ := os.ReadFile(fixture)
	if err := os.WriteFile(fixture, append(text, "# changed\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	term = run()
	term.waitFor("You have allowed this before", firstFrame)
	term.waitFor("[y/N]", patience)
	term.press("n\n")
	if status := term.wait(); status != command.StatusUsage {
		t.Errorf("status %d", status)
	}
}

// Before the screen opens the question is on the terminal as it is; after a no the task asks the person.
func TestTheDebuggerAsksWhetherToCall(t *testing.T) {
	t.Setenv("ASLDB_STATE", t.TempDir())
	definition, fixture, called := liveFiles(t)
	term := start(t, definition, "--fixtures", fixture)
	term.waitFor("[y/N]", firstFrame)
	term.press("n\n")
	term.waitFor("READY", firstFrame)
	term.press("c")
	term.waitFor("What does A return?", patience)
	if isThere(called) {
		t.Error("it was called")
	}
	term.press("\x03")
	if status := term.wait(); status != command.StatusInterrupted {
		t.Errorf("status %d", status)
	}
	term = start(t, definition, "--fixtures", fixture)
	term.waitFor("[y/N]", firstFrame)
	term.press("y\n")
	term.waitFor("READY", firstFrame)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if !isThere(called) {
		t.Error("it was not called")
	}
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("status %d", status)
	}
}

// Where standard input has something else, the answer is read from the terminal itself.
func TestTheQuestionBesideAnInputByPipe(t *testing.T) {
	t.Setenv("ASLDB_STATE", t.TempDir())
	definition, fixture, called := liveFiles(t)
	term := startWith(t, strings.NewReader(`{"from": "a pipe"}`), "run", definition, "--fixtures", fixture, "--input", "-")
	term.waitFor("[y/N]", firstFrame)
	term.press("y\n")
	if status := term.wait(); status != command.StatusOK || !isThere(called) {
		t.Errorf("status %d, called: %v", status, isThere(called))
	}
}

// A breakpoint that was set when a definition was debugged by itself stops it where another one starts it.
func TestABreakpointOfAChildIsKept(t *testing.T) {
	t.Setenv("ASLDB_STATE", t.TempDir())
	dir := t.TempDir()
	child, parent, fixture := filepath.Join(dir, "child.json"), filepath.Join(dir, "parent.json"), filepath.Join(dir, "f.yaml")
	for name, text := range map[string]string{
		child:   `{"StartAt":"First","States":{"First":{"Type":"Pass","Next":"Second"},"Second":{"Type":"Pass","End":true}}}`,
		parent:  `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true}}}`,
		fixture: "version: 1\ntasks: {A: [{asldb: child.json}]}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	term := start(t, child, "--break", "Second")
	term.waitFor("READY", firstFrame)
	term.quit()
	term = start(t, parent, "--fixtures", fixture)
	term.waitFor("READY", firstFrame)
	term.press("c")
	term.waitFor("child.json › Second", patience)
	term.waitFor("BREAKPOINT", patience)
	term.press("\x03")
	if status := term.wait(); status != command.StatusInterrupted {
		t.Errorf("status %d", status)
	}
}
