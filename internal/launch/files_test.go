package launch_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/testkit"
)

// newRun returns the run of a Spec, which is closed at the end of the test.
func newRun(t *testing.T, spec launch.Spec) *launch.Run {
	t.Helper()
	run, err := launch.New(spec)
	t.Cleanup(func() { _ = run.Close() })
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// finish runs a session to its end.
func finish(t *testing.T, run *launch.Run) {
	t.Helper()
	if stop, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil ||
		stop.Reason != debug.StoppedAtEnd {
		t.Fatalf("stops with %+v, %v", stop, err)
	}
}

const order = `{"StartAt":"Charge","States":{"Charge":{"Type":"Task","Resource":"arn:aws:lambda:${Region}:123456789012:function:charge","End":true}}}`

// A Spec of names reads the files; a trace of its run replays, agrees with itself, and differs where the input matters.
func TestNamesAndReplay(t *testing.T) {
	file := testkit.Named(t, map[string]string{
		"order.asl.json": order, "names.yaml": "Region: eu-west-1\n", "input.json": `{"total": 1, "total": 2}`,
		"order.yaml": "version: 1\ncases:\n  paid:\n    tasks: {Charge: [{output: {paid: true}}]}\n",
	})
	var warnings []files.Warning
	spec := launch.Spec{
		Definition: definitions.Definition{File: file("order.asl.json"), Substitutions: file("names.yaml")},
		Dialect:    engine.AWS,
		Input:      launch.Input{Text: file("input.json")},
		Fixtures:   launch.Fixtures{Name: file("order.yaml"), Case: "paid"}, Missing: fixtures.Fail,
		Trace: &launch.Trace{File: file("run.trace"), Program: "test"},
		Warn:  func(w files.Warning) { warnings = append(warnings, w) },
	}
	run := newRun(t, spec)
	finish(t, run)
	if got := value.Compact(run.Session.Output()) +
		value.Compact(run.Session.Options().Input); got != `{"paid":true}{"total":2}` {
		t.Errorf("output and input are %s", got)
	}
	if len(warnings) != 1 || warnings[0].Part != files.PartInput ||
		!strings.Contains(warnings[0].Text, `column 14: the key "total"`) {
		t.Errorf("warnings %+v", warnings)
	}
	if got := run.Spec.Title(); got != "order.asl.json" {
		t.Errorf("the title is %q", got)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}

	replay := launch.Replay{File: file("run.trace")}
	shown := newRun(t, launch.Spec{Replay: replay, Breakpoints: []string{"Charge"}})
	if !shown.Session.ReadOnly() || shown.Replay.Verification != nil || shown.Replay.Divergence != nil ||
		shown.Spec.Title() != "run.trace" {
		t.Errorf("the replay is %+v", shown.Replay)
	}
	if stop, err := shown.Session.Do(debug.Command{Kind: debug.Continue}); err != nil ||
		stop.Reason != debug.StoppedByBreakpoint {
		t.Errorf("stops with %+v, %v", stop, err)
	}
	replay.Verify = true
	if same := newRun(t, launch.Spec{Replay: replay}); same.Diverged || same.Replay.Verification.Recorded.Len() == 0 {
		t.Errorf("the verification is %+v", same.Replay.Verification)
	}
	replay.Verify = false
	changed := newRun(t, launch.Spec{Replay: replay, Input: launch.Input{Text: `{"total": 3}`}})
	if d := changed.Replay.Verification.Divergence; !changed.Diverged || d == nil || d.Index != 0 ||
		changed.Session.Position() != 0 {
		t.Errorf("the difference is %+v", d)
	}
}

// The errors of files name the part, and take the name that a face has for it.
func TestErrorsOfFiles(t *testing.T) {
	file := testkit.Named(t, map[string]string{
		"order.asl.json": order, "list.yaml": "[1]", "bad.json": `{"a":`, "bad.asl.json": `{"StartAt": 1}`,
		"f.yaml":    "version: 1\n",
		"run.trace": "{}", "log.json": `{"events": []}`,
	})
	definition := definitions.Definition{File: file("order.asl.json")}
	for name, c := range map[string]struct {
		spec launch.Spec
		part files.Part
		want string // with the part called X
	}{
		"resource": {launch.Spec{Definition: definitions.Definition{File: definition.File, Resource: "Order"}},
			files.PartResource, "X is for templates, and " + definition.File + " is none"},
		"substitute": {launch.Spec{Definition: definitions.Definition{File: definition.File,
			Substitute: []string{"a"}}}, files.PartSubstitute, `X takes NAME=VALUE, not "a"`},
		"substitutions": {launch.Spec{Definition: definitions.Definition{File: definition.File,
			Substitutions: file("list.yaml")}}, files.PartSubstitutions, "X: " + file("list.yaml") +
			" holds an array, and should be an object of names and values"},
		"input": {launch.Spec{Definition: definition, Input: launch.Input{Text: file("bad.json")}},
			files.PartInput, "X: " + file("bad.json") + ":1:6: not JSON: the text ends inside the value"},
		"case": {launch.Spec{Definition: definition,
			Fixtures: launch.Fixtures{Name: file("f.yaml"), Case: "x"}}, files.PartCase, ""},
		"stdin": {launch.Spec{Definition: definition, Fixtures: launch.Fixtures{Name: "-"}}, files.PartFixtures,
			"X is the name of a file"},
		"mock config": {launch.Spec{Definition: definition,
			Fixtures: launch.Fixtures{Name: file("f.yaml"), MockConfig: true}}, files.PartMockConfig, "X: " +
			file("f.yaml") + " is not a mock configuration, which has StateMachines and MockedResponses"},
		"two of stdin": {launch.Spec{Definition: definitions.Definition{File: "-"}, Input: launch.Input{Text: "-"}},
			files.PartInput, "the definition and X cannot both be standard input"},
		"fixtures": {launch.Spec{Definition: definition, Fixtures: launch.Fixtures{Name: file("none.yaml")}},
			files.PartFixtures, `X: cannot read "` + file("none.yaml") + `": no such file or directory`},
		"no definition": {launch.Spec{Definition: definitions.Definition{File: file("none.json")}}, 0, ""},
		"no history":    {launch.Spec{History: launch.History{Files: []string{file("none.json")}}}, 0, ""},
		"no execution":  {launch.Spec{History: launch.History{Files: []string{file("log.json")}}}, 0, ""},
		"no trace":      {launch.Spec{Replay: launch.Replay{File: file("none.trace")}}, 0, ""},
		"a wrong trace": {launch.Spec{Replay: launch.Replay{File: file("run.trace")}}, 0, ""},
	} {
		run, err := launch.New(c.spec)
		var wrong *files.PartError
		if is := errors.As(err, &wrong); err == nil || is != (c.part > 0) || is &&
			(wrong.Part != c.part || c.want != "" && wrong.With("X") != c.want) {
			t.Errorf("%s: %v", name, err)
		}
		_ = run.Close()
	}
	run, err := launch.New(launch.Spec{Definition: definitions.Definition{File: file("bad.asl.json")}})
	var wrong *definitions.InvalidError
	if !errors.As(err, &wrong) || len(wrong.Problems) == 0 || wrong.Source.Name != file("bad.asl.json") {
		t.Errorf("%v", err)
	}
	_ = run.Close()
}

// The saved setup of a definition is there in its next session; entries that do not fit any more stay saved.
func TestSetup(t *testing.T) {
	file := testkit.Named(t, map[string]string{"a.json": order})
	state := t.TempDir()
	spec := launch.Spec{Definition: definitions.Definition{File: file("a.json")}, Dialect: engine.AWS, State: state,
		Breakpoints: []string{"Charge"}}
	first := newRun(t, spec)
	if len(first.Notes) > 0 || first.Setup == nil {
		t.Fatalf("%q, %v", first.Notes, first.Setup)
	}
	if err := first.Setup.Save(breakpoint.SetupOf(first.Session.Breakpoints(), first.Session.Watches()),
		map[string][]string{"watch": {"$.total"}}); err != nil {
		t.Fatal(err)
	}
	spec.Breakpoints = nil
	again := newRun(t, spec)
	if all := again.Session.Breakpoints().All(); len(all) != 1 || again.Setup.History["watch"][0] != "$.total" {
		t.Errorf("%v, %v", all, again.Setup.History)
	}
	if err := os.WriteFile(file("a.json"), []byte(strings.ReplaceAll(order, "Charge", "Pay")), 0o600); err != nil {
		t.Fatal(err)
	}
	changed := newRun(t, spec)
	want := "1 saved breakpoint or watch cannot be set, since the definition has changed: "
	if len(changed.Notes) != 1 || !strings.HasPrefix(changed.Notes[0], want) ||
		len(changed.Session.Breakpoints().All()) != 0 {
		t.Errorf("%q", changed.Notes)
	}
	if err := changed.Setup.Save(breakpoint.Setup{}, nil); err != nil {
		t.Fatal(err)
	}
	if nested := launch.NestedSetup(state, file("a.json"), changed.Session); nested == nil {
		t.Error("a nested session has no setup")
	} else if err := nested.Save(breakpoint.Setup{}, map[string][]string{"watch": {"$.other"}}); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(file("a.json"), []byte(order), 0o600); err != nil {
		t.Fatal(err)
	}
	if last := newRun(t, spec); len(last.Session.Breakpoints().All()) != 1 || len(last.Setup.History["watch"]) > 0 {
		t.Errorf("%v, %v", last.Session.Breakpoints().All(), last.Setup.History)
	}
}

// The breakpoint on uncaught errors is before the others.
func TestBreakUncaught(t *testing.T) {
	from := filepath.Join("..", "..", "recorder", "rerun", "testdata")
	spec := launch.Spec{
		Definition: definitions.Definition{File: filepath.Join(from, "order.asl.json")}, Dialect: engine.AWS,
		History:       launch.History{Files: []string{filepath.Join(from, "order.history.json")}, Execution: "arn:x"},
		BreakUncaught: true,
	}
	run := newRun(t, spec)
	if all := run.Session.Breakpoints().All(); len(all) != 1 || all[0].String() != "uncaught error" {
		t.Errorf("breakpoints %v", all)
	}
	spec.Breakpoints = []string{"Charge"}
	if all := newRun(t, spec).Session.Breakpoints().All(); len(all) != 2 || all[0].String() != "uncaught error" ||
		all[1].String() != "Charge" {
		t.Errorf("breakpoints %v", all)
	}
	spec.History.Attempt = 2
	var wrong *files.PartError
	if run, err := launch.New(spec); !errors.As(err, &wrong) || wrong.With("X") != "X is a number from 1 to 1, not 2" {
		t.Errorf("%v", err)
	} else {
		_ = run.Close()
	}
}

// A log has several executions, and one is chosen by its name.
func TestExecutionOfALog(t *testing.T) {
	line := func(name string) string {
		return `{"id":"1","type":"ExecutionStarted","details":{"input":"{\"a\":1}"},"previous_event_id":"0","event_timestamp":"1700000000000","execution_arn":"arn:aws:states:us-east-1:123456789012:express:Order:` + name + `:1"}` + "\n"
	}
	file := testkit.Named(t, map[string]string{"log.json": line("one") + line("two")})
	history := launch.History{Files: []string{file("log.json")}}
	var wrong *files.PartError
	if _, err := history.Open(files.Files{}); !errors.As(err, &wrong) ||
		!strings.HasPrefix(wrong.With("X"), "the log has 2 executions; choose one with X:\n  arn:") {
		t.Errorf("%v", err)
	}
	history.Execution = "three"
	if _, err := history.Open(files.Files{}); !errors.As(err, &wrong) ||
		!strings.HasPrefix(wrong.With("X"), "X three is not one of them:\n  arn:") {
		t.Errorf("%v", err)
	}
	history.Execution = "two:1"
	recording, err := history.Open(files.Files{})
	if err != nil || !strings.HasSuffix(recording.Execution.ARN, ":two:1") {
		t.Fatalf("%v", err)
	}
	if lines := launch.About(recording, nil); len(lines) == 0 {
		t.Error("there is nothing about the history")
	}
}
