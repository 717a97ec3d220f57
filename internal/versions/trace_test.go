package versions_test

import (
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/recorder"
)

// runTrace runs a definition with its orders paid, and records it.
func runTrace(t testing.TB, file string, machine *engine.Machine, input string) {
	t.Helper()
	options := debug.Options{
		Input: value.Must(input), Start: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC), Seed: 1,
		Source: &runs.Script{Outcomes: []engine.Outcome{{Output: value.Must(`{"sum":5}`)},
			{Output: value.Must(`true`)}}},
	}
	writer, err := recorder.CreateTrace(file, recorder.HeaderOf(machine, &options), recorder.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	options.Sink = writer
	if _, err := debug.New(machine, options).Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
}

func gives(output string, seconds int) engine.Outcome {
	return engine.Outcome{Output: value.Must(output), After: time.Duration(seconds) * time.Second}
}
