package why_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/testkit/runs"
	"asldb/internal/why"
)

// breakpoint returns the spec in the command of the first step.
func breakpoint(t *testing.T, answer *why.Answer) string {
	t.Helper()
	_, spec, ok := strings.Cut(answer.Next[0].Command, " --break ")
	if !ok {
		t.Fatalf("no breakpoint in %q", answer.Next[0].Command)
	}
	return strings.Trim(spec, "'")
}

// TestTheDebuggerStopsThere: the breakpoint of the first step stops the recorded run, alone and with its definition, at
// the error of the cause, not at an earlier one of the same state.
func TestTheDebuggerStopsThere(t *testing.T) {
	tried := 0
	for _, c := range runs.Cases() {
		if c.Status == engine.Succeeded {
			continue
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "m.asl.json")
		if err := os.WriteFile(file, []byte(c.Definition), 0o600); err != nil {
			t.Fatal(err)
		}
		chain := ""
		for _, definition := range []string{"", file} {
			q := why.Question{Files: []string{files.Stdin}, Input: files.Files{Stdin: bytes.NewReader(c.Document())}}
			q.Definition.File = definition
			answer, err := why.Of(q)
			if err != nil {
				t.Errorf("%s: %v", c.Name, err)
				continue
			}
			if got := errorsOf(answer); chain != "" && chain != got &&
				!strings.Contains(c.Name, "Map Run") { // its executions are in other histories
				t.Errorf("%s: the chain is %s without the definition, and %s with it", c.Name, chain, got)
			} else {
				chain = got
			}
			root := answer.Ending.Chain.Root()
			if root.Visit == nil {
				continue
			}
			spec := launch.Spec{
				History:    launch.History{Recording: answer.Recording},
				Definition: definitions.Definition{File: definition}, Unchecked: true,
				Breakpoints: []string{breakpoint(t, answer)},
			}
			run, err := launch.New(spec)
			if err != nil {
				t.Errorf("%s, %s: %v", c.Name, answer.Next[0].Command, err)
				continue
			}
			stop, err := run.Session.Do(debug.Command{Kind: debug.Continue})
			at := run.Session.Log().At(max(run.Session.Position()-1, 0))
			exact := !strings.Contains(answer.Next[0].Command, ":error") ||
				at.Seq == answer.Ending.Run.Log.At(root.Event).Seq
			if err != nil || stop.Reason != debug.StoppedByBreakpoint || at.Visit == nil ||
				at.Visit.Path() != root.Visit.Path() || !exact {
				t.Errorf("%s, definition %q, %s: %v, %v at %+v", c.Name, definition, answer.Next[0].Command,
					stop.Reason, err, at)
			}
			tried++
			if err := run.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if tried < 8 {
		t.Errorf("only %d runs failed", tried)
	}
}
