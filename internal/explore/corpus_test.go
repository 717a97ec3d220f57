package explore_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/explore"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
)

// bugs are the bugs that published definitions have, as read by hand: a number has no place for the Error Output of a
// catcher.
var bugs = map[string]string{
	"sfx__sam__app-control-concurrency-with-dynamodb__statemachines__test-run-semaphore.asl.json": "RunChildStateMachine",
	"swc__app-control-concurrency-with-dynamodb-tf__statemachines__test-run-semaphore.asl.json":   "RunChildStateMachine",
}

// everyFile is set where the whole corpus is explored, and not only some of it.
var everyFile = os.Getenv("ASLDB_EXPLORE_ALL") != ""

// Published definitions have no bugs but those that were read by hand, and a bug that is put in is found: the catcher
// of a task loses a value that the state behind it reads.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "files", "*.asl.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	seeded, runs := 0, 0
	for i, file := range files {
		if !everyFile && i%24 != 0 && bugs[filepath.Base(file)] == "" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := exploreFile(t, file, data, 2000)
		if r == nil {
			continue
		}
		runs += r.Done
		want := bugs[filepath.Base(file)]
		for _, f := range r.Findings {
			if f.Class == explore.Bug && f.State.Name != want {
				t.Errorf("%s: %s\n%s", file, f.Text, f.Run.Describe())
			}
		}
		changed, where := seed(r.Machine.Definition())
		if changed == nil {
			continue
		}
		found := false
		if r = exploreFile(t, file, changed, 2000); r == nil {
			t.Errorf("%s: the changed definition does not run", file)
			continue
		}
		if slices.ContainsFunc(r.Coverage.Missing(), func(i coverage.Item) bool {
			return i.Kind == coverage.Entered && (i.State == where || strings.HasSuffix(i.State, "/"+where))
		}) {
			continue // the catcher is not reached with made-up data
		}
		seeded++
		for _, f := range r.Findings {
			found = found || f.Class == explore.Bug && f.State.Name == where
		}
		if !found {
			t.Errorf("%s: the bug in %s is not found: %q\n%q", file, where, findings(r), r.Notes)
		}
	}
	t.Logf("%d runs, %d bugs put in", runs, seeded)
}

// seededFiles is the number of definitions into which TestSeededCorpus puts a bug, seededSize the greatest size of them
// in bytes, and seededRuns the bound of the runs of each: so the test takes some seconds.
const (
	seededFiles = 50
	seededSize  = 12_000
	seededRuns  = 100
)

// A bug that is put into a published definition is found, in 50 of them: nothing but the state with the bug is a bug
// then.
func TestSeededCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "files", "*.asl.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	seeded, unreached, runs := 0, 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if seeded == seededFiles {
			break
		}
		if bugs[filepath.Base(file)] != "" || len(data) > seededSize {
			continue
		}
		m, err := suiterun.OpenCase(definitions.Definition{File: file}, suiterun.Settings{})
		if err != nil {
			continue
		}
		changed, where := seed(m.Definition.Machine)
		if changed == nil {
			continue
		}
		r := exploreFile(t, file, changed, seededRuns)
		if r == nil {
			t.Errorf("%s: the changed definition does not run", file)
			continue
		}
		runs += r.Done
		if slices.ContainsFunc(r.Coverage.Missing(), func(i coverage.Item) bool {
			return i.Kind == coverage.Entered && (i.State == where || strings.HasSuffix(i.State, "/"+where))
		}) {
			unreached++ // made-up data do not lead to the task
			continue
		}
		seeded++
		found := false
		for _, f := range r.Findings {
			switch {
			case f.Class != explore.Bug:
			case f.State.Name == where:
				found = true
			default:
				t.Errorf("%s: another bug: %s\n%s", file, f.Text, f.Run.Describe())
			}
		}
		if !found {
			t.Errorf("%s: the bug in %s is not found: %q\n%q", file, where, findings(r), r.Notes)
		}
	}
	if seeded < seededFiles {
		t.Errorf("only %d definitions have a bug", seeded)
	}
	t.Logf("%d definitions with a bug, %d in which no run comes to it, %d runs", seeded, unreached, runs)
}

func exploreFile(t *testing.T, file string, data []byte, runs int) *explore.Result {
	t.Helper()
	copied := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(copied, data, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := suiterun.OpenCase(definitions.Definition{File: copied}, suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		return nil // not a definition that runs
	}
	r, err := explore.Explore(t.Context(), explore.Options{Machine: m, Runs: runs})
	if err != nil {
		return nil // it has nothing to explore
	}
	return r
}

// seed puts a bug into a definition in JSONPath: the first catcher of a task in the top scope, or a new one, leads to a
// new state, which reads a member that the first state has added, and puts the Error Output in the place of the whole
// input.
func seed(m *asl.StateMachine) (changed []byte, where string) {
	const name = "ReadsAgain"
	start, states := m.Root.Get("StartAt"), m.Root.Get("States")
	if start == nil || states == nil || m.QueryLanguage != asl.JSONPath {
		return nil, ""
	}
	at := states.Span.Start
	at.Offset++
	var task *asl.State
	for state := range m.All() {
		if state.Type == asl.Task && state.Scope.Container == nil && state.Node != nil && (task == nil || len(task.Catch) == 0 && len(state.Catch) > 0) {
			task = state
		}
	}
	if task == nil {
		return nil, ""
	}
	next := `"End": true`
	if task.Next != "" {
		next = `"Next": ` + value.Compact(value.String(task.Next))
	}
	inside := task.Node.Span.Start
	inside.Offset++
	catch := source.Edit{File: m.Source, Span: source.Span{Start: inside, End: inside}, Text: `"Catch": [{"ErrorEquals": ["States.ALL"], "Next": "` + name + `"}],`}
	if len(task.Catch) > 0 {
		first := task.Node.Get("Catch").Items[0]
		next = `"Next": ` + value.Compact(first.Get("Next").Value)
		catch = source.Edit{File: m.Source, Span: first.Span, Text: value.Compact(value.ObjectOf(
			value.Member{Key: "ErrorEquals", Value: first.Get("ErrorEquals").Value}, value.Member{Key: "Next", Value: value.String(name)}))}
	}
	return source.Apply(m.Source, source.Separate([]source.Edit{
		{File: m.Source, Span: start.Span, Text: `"Adds"`}, catch,
		{File: m.Source, Span: source.Span{Start: at, End: at}, Text: `"Adds": {"Type": "Pass", "Result": 1,
			"ResultPath": "$.added", "Next": ` + value.Compact(start.Value) + `},
			"` + name + `": {"Type": "Pass", "Parameters": {"v.$": "$.added"}, ` + next + `},`},
	})), name
}
