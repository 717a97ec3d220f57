package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/testkit"
)

// workflow is an entry of the corpus's index.
type workflow struct {
	File          string   `json:"file"`
	Format        string   `json:"format"`
	StrictJSON    bool     `json:"strict_json"`
	QueryLanguage []string `json:"query_language"`
	Features      []string `json:"features"`
	Twin          string   `json:"json_twin"`
}

// laterFeatures are the features of the corpus that the debugger does not run yet.
var laterFeatures = []string{
	"arguments", "jsonata-expr", "output", "assign", "map-items",
	"map-distributed", "map-item-reader", "map-item-batcher", "map-result-writer",
}

// inScope reports whether every feature of the workflow is one that the debugger runs.
func (w *workflow) inScope() bool {
	return w.StrictJSON && !slices.Contains(w.QueryLanguage, "JSONata") &&
		!slices.ContainsFunc(w.Features, func(f string) bool { return slices.Contains(laterFeatures, f) })
}

// rightErrors are the Error Names with which a workflow may stop when its tasks echo their payloads and
// its input is {}: data that a task would have brought is not there, or a Fail state says so.
var rightErrors = []string{
	engine.ErrorRuntime, engine.ErrorNoChoiceMatched, engine.ErrorIntrinsicFailure, engine.ErrorResultPathMatchFailure,
}

// TestWorkflowsRun runs the real workflows of the corpus as "asldb run --on-missing echo" does: first with
// the input {}, then with the data that they turn out to need. The counts may only go up.
func TestWorkflowsRun(t *testing.T) {
	dir := testkit.Dir(t, "workflows")
	var index struct {
		Entries []workflow `json:"entries"`
	}
	if err := json.Unmarshal(testkit.Read(t, dir, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	counts, fedToTheEnd := make(map[string]int), 0
	for _, entry := range index.Entries {
		if !entry.inScope() {
			counts["out of scope"]++
			continue
		}
		file := entry.File
		if entry.Format == "yaml" {
			file = entry.Twin
		}
		machine, reason := compileWorkflow(t, filepath.Join(dir, file))
		if machine == nil {
			counts["refused"]++
			t.Logf("%-13s %s: %s", "refused", file, reason)
			continue
		}
		bare := runWorkflow(t, machine, value.ObjectOf())
		counts[bare.kind]++
		t.Logf("%-13s %s: %s", bare.kind, file, bare.text)
		if fed := feedWorkflow(t, machine, bare); fed.kind == "succeeded" {
			fedToTheEnd++
		} else if fed.kind == "wrong" {
			t.Errorf("%s with the data that it asks for: %s", file, fed.text)
		}
	}
	t.Logf("%d workflows: %v; %d succeed with the data that they ask for", len(index.Entries), counts, fedToTheEnd)
	if right := counts["succeeded"] + counts["right error"]; right < 152 {
		t.Errorf("%d workflows reach their end or stop with a right error, want at least 152", right)
	}
	if fedToTheEnd < 64 {
		t.Errorf("%d workflows succeed with the data that they ask for, want at least 64", fedToTheEnd)
	}
	if counts["wrong"] > 0 {
		t.Errorf("%d workflows stop with an error that is not theirs", counts["wrong"])
	}
}

// compileWorkflow returns a nil machine and the reason where the definition is refused.
func compileWorkflow(t *testing.T, file string) (*engine.Machine, string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	definition, diagnostics := asl.Parse(&source.File{Name: filepath.Base(file), Data: data})
	if definition == nil {
		return nil, firstErrors(diagnostics)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		return nil, err.Error()
	}
	return machine, ""
}

// workflowEnd is how a workflow ended: kind is "succeeded", "right error" or "wrong".
type workflowEnd struct {
	kind, text string
	input      value.Value
	failure    *engine.Failure
}

// runWorkflow runs one definition with tasks that echo.
func runWorkflow(t *testing.T, machine *engine.Machine, input value.Value) workflowEnd {
	t.Helper()
	session := debug.New(machine, debug.Options{
		Input: input, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Seed: 1,
		Source: fixtures.OnMissing(nil, fixtures.Echo),
		Limits: engine.Limits{History: engine.ServiceLimits().History}, // some poll for a state of the world that an echo never brings
	})
	stop, err := session.Do(debug.Command{Kind: debug.Continue})
	if err != nil {
		t.Fatal(err)
	}
	if stop.Reason != debug.StoppedAtEnd {
		return workflowEnd{"wrong", fmt.Sprintf("stopped for reason %d: %v", stop.Reason, stop.Err), input, nil}
	}
	kind, text := ended(session)
	return workflowEnd{kind, text, input, session.Failure()}
}

// feedWorkflow runs a workflow again and again, each time with the input that the last run missed put
// where it was looked for, until it ends otherwise or the same is missed again.
func feedWorkflow(t *testing.T, machine *engine.Machine, last workflowEnd) workflowEnd {
	t.Helper()
	for range 50 {
		var miss *path.MissError
		if last.failure == nil || !errors.As(last.failure.Err, &miss) || miss.Path.Root() != path.DataRoot {
			return last
		}
		input, err := miss.Path.Set(last.input, value.String("fed"))
		if err != nil {
			return last
		}
		next := runWorkflow(t, machine, input)
		if next.text == last.text {
			return last
		}
		last = next
	}
	return last
}

func ended(session *debug.Session) (kind, text string) {
	failure := session.Failure()
	if failure == nil {
		return "succeeded", value.Preview(session.Output(), 80)
	}
	text = fmt.Sprintf("%s: %s", failure.Name, value.Preview(value.String(failure.Cause), 160))
	if failure.Origin != nil {
		text += " in " + failure.Origin.Path()
		// A Fail state may give its error any name.
		if failure.Origin.State.Type == asl.Fail {
			return "right error", text
		}
	}
	if slices.Contains(rightErrors, failure.Name) && failure.Cause != "" {
		return "right error", text
	}
	return "wrong", text
}

func firstErrors(diagnostics []source.Diagnostic) string {
	var texts []string
	for _, d := range diagnostics {
		if d.Severity == source.Error {
			texts = append(texts, fmt.Sprintf("%d:%d: %s", d.Span.Start.Line, d.Span.Start.Col, d.Message))
		}
	}
	return strings.Join(texts, " | ")
}
