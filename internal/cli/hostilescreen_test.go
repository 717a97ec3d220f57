//go:build unix

package cli

import (
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"asldb/internal/cli/command"
)

// hostileScreens are the command lines of the commands that open the screen, with a text that it shows at first and at
// the end of the run.
var hostileScreens = map[string]struct{ line, first, last string }{
	"":        {"@machine.asl.json --fixtures @failing.yaml", "READY", "UNCAUGHT ERROR"},
	"attach":  {"@url @execution", "REPLAY", "FAILED"},
	"debug":   {"@machine.asl.json --fixtures @fixtures.yaml", "READY", "SUCCEEDED"},
	"demo":    {"--from-start --trace @demo.trace", "READY", "SUCCEEDED"},
	"replay":  {"@screen.trace", "REPLAY", "FAILED in"},
	"compare": {"@machine.asl.json @machine.asl.json --histories @screen.trace --screen", "Differences", "1 execution"},
	"waiter":  {"@model.json --max-wait 10s --fixtures @responses.yaml", "READY", "SUCCEEDED"},
}

// TestHostileTextsOnTheScreen opens the screen of every command that has one over the same texts, and looks at all that
// it writes to the terminal, the window's title included.
func TestHostileTextsOnTheScreen(t *testing.T) {
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	c := hostileCases()[0]
	dir := t.TempDir()
	t.Chdir(dir)
	names := c.write(t)
	names["screen.trace"], names["demo.trace"] = c.file+"screen.trace", c.file+"demo.trace"
	Main(
		c.arguments(names, "run", "@machine.asl.json --fixtures @failing.yaml --trace @screen.trace"),
		strings.NewReader(""),
		io.Discard,
		io.Discard,
	)
	names["screen.json"] = c.file + "screen.json"
	var recorded bytes.Buffer
	Main(
		c.arguments(names, "run", "@machine.asl.json --fixtures @failing.yaml --format history"),
		strings.NewReader(""),
		&recorded,
		io.Discard,
	)
	if err := os.WriteFile(names["screen.json"], recorded.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	url, client := server(t, "--fixtures", names["failing.yaml"], names["machine.asl.json"])
	names["url"], names["execution"] = url, startOnly(t, client)
	commands := allCommands(newRoot(&command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}))
	for _, path := range slices.Sorted(maps.Keys(commands)) {
		opened := commands[path]
		try, has := hostileScreens[path]
		if opened == nil || (opened.Flags().Lookup("theme") == nil && !has) {
			continue
		}
		if !has {
			t.Errorf("the screen of %q is not tried", path)
			continue
		}
		t.Run("asldb "+path, func(t *testing.T) {
			cmd := exec.Command(program, c.arguments(names, path, try.line)...)
			cmd.Dir = dir
			term := startCommand(t, cmd)
			term.waitFor(try.first, firstFrame)
			term.press("c")
			term.waitFor(try.last, patience)
			term.press("SSII\t\tdd")
			if status := term.quit(); status != command.StatusOK {
				t.Errorf("exit status %d", status)
			}
			term.drawn.Wait() // closing the terminal would cut its unread input
			checkTerminal(t, term.raw.String())
			if path == "" && !strings.Contains(term.raw.String(), "<U+202E>") {
				t.Error("the state's name is not shown")
			}
		})
	}
	// The screens outside of a session, with their keys.
	for _, try := range []struct{ line, first, keys, last string }{
		{"--histories @screen.json", "FAILED in", "zz\x15", "1 of 1"},
		{"@wrong.asl.json", "it cannot run", "nN", "1 of"},
	} {
		t.Run("asldb debug "+try.line, func(t *testing.T) {
			cmd := exec.Command(program, c.arguments(names, "debug", "--no-state "+try.line)...)
			cmd.Dir = dir
			term := startCommand(t, cmd)
			term.waitFor(try.first, firstFrame)
			term.press(try.keys)
			term.waitFor(try.last, patience)
			term.press("\x03")
			if status := term.wait(); status != command.StatusInterrupted {
				t.Errorf("exit status %d", status)
			}
			term.drawn.Wait()
			checkTerminal(t, term.raw.String())
		})
	}
}
