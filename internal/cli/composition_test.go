package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/cli/recordings"
	"asldb/internal/cli/runs"
	"asldb/internal/cli/sessions"
)

// composed returns the session of a command line of asldb debug.
func composed(t *testing.T, args ...string) *debug.Session {
	t.Helper()
	var stderr bytes.Buffer
	s := &command.Streams{In: strings.NewReader(""), Out: &stderr, Err: &stderr, Now: time.Now}
	cmd, options := runs.NewDebug(s, &recordings.Debugged{}), &sessions.Flags{}
	cmd.ResetFlags()
	options.AddRunTo(cmd)
	options.AddScreenTo(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	options.Spec.Definition.File = command.FirstOf(cmd.Flags().Args())
	return sessionOf(t, s, options)
}

// sessionOf returns the session of flags that have been parsed.
func sessionOf(t *testing.T, s *command.Streams, options *sessions.Flags) *debug.Session {
	t.Helper()
	if err := options.Fill(s); err != nil {
		t.Fatal(err)
	}
	b, err := options.Launch(s)
	if err != nil {
		t.Fatal(err)
	}
	return b.Session
}

// TestAForkRewindsTheFixturesBehindAHistory: a task that the history answers is answered otherwise, and the task after
// it, which only the fixtures know, gets the first of their results again.
func TestAForkRewindsTheFixturesBehindAHistory(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join("..", "..", "recorder", "rerun", "testdata")
	text, err := os.ReadFile(filepath.Join(from, "order.asl.json"))
	if err != nil {
		t.Fatal(err)
	}
	const states = `"StartAt": "LookUp",`
	definition := strings.Replace(string(text), `"Next": "Charge"`, `"Next": "Score"`, 1)
	definition = strings.Replace(definition, `"States": {`, `"States": {
    "Score": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:score", "ResultPath": "$.score", "Next": "Charge"},`, 1)
	if !strings.Contains(definition, states) {
		t.Fatal("the definition is another one")
	}
	changed, file := filepath.Join(dir, "changed.asl.json"), filepath.Join(dir, "f.yaml")
	if err := os.WriteFile(changed, []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("version: 1\ntasks:\n  Score: [{output: 1}, {output: 2}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := composed(t, changed, "--history", filepath.Join(from, "order.history.json"), "--fixtures", file)
	score := func() string {
		t.Helper()
		stop, err := s.Do(debug.Command{Kind: debug.Continue})
		if err != nil || stop.Reason != debug.StoppedAtEnd {
			t.Fatalf("stops with %+v, %v", stop, err)
		}
		if f := s.Failure(); f == nil || f.Name != "Card.Declined" {
			t.Errorf("the recorded error is not the run's: %v", f)
		}
		for event := range s.Log().All() {
			if event.Type == engine.StateExited && event.Visit.State.Name == "Score" {
				object := event.After.(*value.Object)
				return value.Compact(object.Get("customer")) + value.Compact(object.Get("score"))
			}
		}
		return ""
	}
	if got := score(); got != `{"name":"Ada"}1` {
		t.Fatalf("the run has %s", got)
	}
	if err := s.Interventions().AnswerOtherwise(1, engine.Outcome{Output: value.Must(`{"name":"Grace"}`)}); err != nil {
		t.Fatal(err)
	}
	if got := score(); got != `{"name":"Grace"}1` {
		t.Errorf("the fork has %s, and the fixtures begin with 1", got)
	}
	s.Restart()
	if got := score(); got != `{"name":"Ada"}1` {
		t.Errorf("after the restart it has %s", got)
	}
}
