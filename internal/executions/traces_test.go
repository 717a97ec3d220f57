package executions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/executions"
	"asldb/internal/files"
	"asldb/internal/testkit/runs"
	"asldb/recorder"
)

// record writes the trace of a run of a definition.
func record(t *testing.T, name, definition string) {
	t.Helper()
	machine := runs.Machine(definition)
	text := []byte(definition)
	header := &recorder.Header{Definition: &source.File{Name: "order.asl.json", Data: text},
		Digest: (&source.File{Data: text}).Digest(), Input: value.Must("{}"), Start: noon, Seed: 1}
	writer, err := recorder.CreateTrace(name, header, recorder.TraceOptions{Compress: strings.HasSuffix(name, ".zst")})
	if err != nil {
		t.Fatal(err)
	}
	session := debug.New(machine, debug.Options{Input: value.Must("{}"), Start: noon, Seed: 1, Sink: writer})
	if _, err := session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
}

const (
	succeeds = `{"StartAt": "Rest", "States": {"Rest": {"Type": "Wait", "Seconds": 60, "End": true}}}`
	fails    = `{"StartAt": "Both", "States": {"Both": {"Type": "Parallel", "End": true, "Branches": [{"StartAt": "Stop", "States": {"Stop": {"Type": "Fail", "Error": "Card.Declined", "Cause": "no funds"}}}]}}}`
)

// Traces are rows as histories are, by whatever name a replay takes them; what holds no execution is counted.
func TestTraces(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	record(t, file("good.trace"), succeeds)
	record(t, file("bad.trace"), fails)
	record(t, file("bad.trace.zst"), fails)
	data, err := os.ReadFile(file("bad.trace"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	for name, text := range map[string]string{
		"bad.ndjson": string(data), "begun.trace": strings.Join(lines[:4], ""), "empty.trace": lines[0],
		"other.zst": "\x28\xb5\x2f\xfdno frame", "other.json": `{"a": 1}`, "other.trace": "text",
		"old.json": `{"events":[{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}}]}`,
	} {
		if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := executions.NewFiles([]string{dir}, files.Files{})
	rows, _ := all(t, f)
	found := make(map[string]*executions.Row)
	for i := range rows {
		found[rows[i].Name] = &rows[i]
	}
	if len(rows) != 7 || f.LeftOut() != 3 || found["old.json"] == nil {
		t.Errorf("%d rows, %d files left out", len(rows), f.LeftOut())
	}
	if r := found["good.trace"]; r == nil || r.Status != "SUCCEEDED" || !r.Start.Equal(noon) ||
		r.Stop.Sub(r.Start) != time.Minute || r.Failure != nil || r.About != file("good.trace") {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{"bad.trace", "bad.trace.zst", "bad.ndjson"} {
		r := found[name]
		if r == nil || r.Status != "FAILED" || r.Failure == nil || r.Failure.State != "Both/Branches[0]/Stop" ||
			r.Failure.Error != "Card.Declined" || r.Failure.Cause != "no funds" {
			t.Fatalf("%s: %+v", name, r)
		}
		x, err := f.Read(t.Context(), r, nil)
		if err != nil || x.Trace != file(name) || x.History != nil || x.Failure().Error != "Card.Declined" {
			t.Errorf("%+v, %v", x, err)
		}
	}
	if r := found["begun.trace"]; r == nil || r.Status != "NOT ENDED" || !r.Stop.IsZero() || r.Failed() {
		t.Errorf("%+v", r)
	}
	if r := found["empty.trace"]; r == nil || r.Status != "UNKNOWN" || !r.Start.Equal(noon) {
		t.Errorf("%+v", r)
	}
	if err := os.Remove(file("bad.trace")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(t.Context(), found["bad.trace"], nil); err == nil {
		t.Error("a trace that is gone was read")
	}
	f.Again()
	if rows, _ := all(t, f); len(rows) != 6 || f.LeftOut() != 3 {
		t.Errorf("%d rows, %d files left out the second time", len(rows), f.LeftOut())
	}
	if _, _, err := executions.NewFiles([]string{file("other.zst")}, files.Files{}).Next(t.Context()); err == nil {
		t.Error("a named file that is not a trace is not an error")
	}
}
