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
// the end of the run, where that is still to come.
var hostileScreens = map[string]struct{ line, first, last string }{
	"":        {"@machine.asl.json --fixtures @failing.yaml", "READY", "UNCAUGHT ERROR"},
	"attach":  {"@url @execution", "FAILED", ""},
	"debug":   {"@machine.asl.json --fixtures @fixtures.yaml", "READY", "SUCCEEDED"},
	"demo":    {"--from-start --trace @demo.trace", "READY", "SUCCEEDED"},
	"replay":  {"@screen.trace", "FAILED in", ""},
	"compare": {"@machine.asl.json @machine.asl.json --histories @screen.trace --screen", "1 execution", ""},
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
	Main(c.arguments(names, "run", "@machine.asl.json --fixtures @failing.yaml --trace @screen.trace"),
		strings.NewReader(""), io.Discard, io.Discard)
	names["screen.json"] = c.file + "screen.json"
	var recorded bytes.Buffer
	Main(c.arguments(names, "run", "@machine.asl.json --fixtures @failing.yaml --format history"),
		strings.NewReader(""), &recorded, io.Discard)
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
			if try.last != "" {
				term.press("c")
				term.waitFor(try.last, patience)
			}
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
	for _, try := range []struct {
		line, first string
		keys        [2]string
		then        [2]string
	}{
		{"--histories @screen.json", "FAILED in", [2]string{"zz", "\x15"}, [2]string{"0 of 1", "1 of 1"}},
		{"@wrong.asl.json", "it cannot run", [2]string{"n", "N"}, [2]string{"2 of", "1 of"}},
	} {
		t.Run("asldb debug "+try.line, func(t *testing.T) {
			cmd := exec.Command(program, c.arguments(names, "debug", "--no-state "+try.line)...)
			cmd.Dir = dir
			term := startCommand(t, cmd)
			term.waitFor(try.first, firstFrame)
			for i, keys := range try.keys {
				term.press(keys)
				term.waitFor(try.then[i], patience)
			}
			term.press("\x03")
			if status := term.wait(); status != command.StatusInterrupted {
				t.Errorf("exit status %d", status)
			}
			term.drawn.Wait()
			checkTerminal(t, term.raw.String())
		})
	}
}
