package dap

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/testkit/runs"
	"asldb/recorder"
)

func writeFor(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// record writes a trace of the demo and returns its name.
func (e *editor) record() string {
	e.t.Helper()
	trace := filepath.Join(e.dir, "run.trace")
	run, err := launch.New(launch.Spec{
		Definition: definitions.Definition{File: e.file("order.asl.json", string(definitions.DemoDefinition))},
		Fixtures:   launch.Fixtures{Name: e.file("order.fixtures.yaml", string(definitions.Fixtures))},
		Dialect:    engine.AWS, Start: time.Unix(0, 0), Trace: &launch.Trace{File: trace, Options: recorder.TraceOptions{}},
	})
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := run.Session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		e.t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		e.t.Fatal(err)
	}
	return trace
}

// A trace is stepped through as it was recorded, and does not change. A definition that is another one on the disk now is given by
// the adapter.
func TestTrace(t *testing.T) {
	e := newEditor(t)
	trace := e.record()
	e.file("order.asl.json", strings.Replace(string(definitions.DemoDefinition), "An online order", "Another order", 1))
	e.must("initialize", map[string]any{})
	e.must("attach", map[string]any{"trace": "run.trace", "cwd": filepath.Dir(trace)})
	if change := e.event("capabilities")["capabilities"].(map[string]any); change["supportsSetVariable"] == true {
		t.Error("a recorded run can be changed")
	}
	e.event("initialized")
	sources := list(t, e.must("loadedSources", nil), "sources")
	if len(sources) != 1 || sources[0]["sourceReference"] != 1.0 {
		t.Fatalf("the sources are %v", sources)
	}
	if text := e.must("source", map[string]any{"sourceReference": 1, "source": sources[0]})["content"]; !strings.Contains(text.(string), "An online order") {
		t.Errorf("the source is %.40s", text)
	}
	if points := list(t, e.must("setBreakpoints", map[string]any{"source": sources[0], "lines": []int{2}}), "breakpoints"); points[0]["verified"] != false {
		t.Errorf("the breakpoint outside of the states is %v", points)
	}
	e.must("setBreakpoints", map[string]any{"source": sources[0], "breakpoints": []any{map[string]any{"line": lineOfText(t, string(definitions.DemoDefinition), `"ChargeCard": {`)}}})
	e.must("configurationDone", nil)
	e.stopped("breakpoint")
	e.refused("setExpression", map[string]any{"expression": "$.order", "value": "1", "frameId": e.top(1)["id"]}, "recorded run")
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.must("reverseContinue", map[string]any{"threadId": 1})
	e.stopped("breakpoint")
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.must("continue", map[string]any{"threadId": 1})
	e.event("terminated")
	e.disconnect("")
}

// A recorded history is shown as it was; with its definition it runs again, and what was recorded answers its tasks.
func TestHistory(t *testing.T) {
	recorded := runs.Cases()[0]
	e := newEditor(t)
	name := e.file("run.json", string(recorded.Document()))
	e.must("initialize", map[string]any{})
	e.must("attach", map[string]any{"history": name, "stopOnEntry": true})
	e.event("initialized")
	e.must("configurationDone", nil)
	e.stopped("entry")
	e.refused("setExpression", map[string]any{"expression": "$", "value": "1", "frameId": e.top(1)["id"]}, "only the events of this run are known")
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.disconnect("")

	e = newEditor(t)
	definition := e.file("recorded.asl.json", recorded.Definition)
	e.begin(map[string]any{"program": definition, "history": e.file("run.json", string(recorded.Document())), "stopOnEntry": true})
	e.must("configurationDone", nil)
	e.stopped("entry")
	if path := e.top(1)["source"].(map[string]any)["path"]; path != definition {
		t.Errorf("the top frame is in %v", path)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.disconnect("")

	e = newEditor(t)
	e.must("initialize", map[string]any{})
	e.refused("attach", map[string]any{"history": e.file("run.json", `{"events": [}`)}, "run.json")
}

// A case of a suite gives all of a run, which is compared with the case at its end.
func TestCaseOfASuite(t *testing.T) {
	e := newEditor(t)
	e.file("task.asl.json", taskJSON)
	suite := e.file("task.test.yaml", `version: 1
definition: task.asl.json
cases:
  pays:
    tasks: {Charge: [{output: {paid: true}}]}
    expect: {output: {paid: true}}
  declines:
    tasks: {Charge: [{error: Card.Declined}]}
    expect: {output: {paid: true}}
`)
	for name, code := range map[string]float64{"pays": 0, "declines": 1} {
		e := newEditor(t)
		e.begin(map[string]any{"test": suite + ":" + name, "stopAtEnd": false})
		e.must("setExceptionBreakpoints", map[string]any{"filters": []string{}})
		e.must("configurationDone", nil)
		if got := e.event("exited")["exitCode"]; got != code {
			t.Errorf("%s exits with %v", name, got)
		}
		e.event("terminated")
		e.disconnect("")
		if text := e.log.String(); strings.Contains(text, "The case passes.") != (code == 0) || strings.Contains(text, "not met: ") != (code == 1) {
			t.Errorf("%s: %s", name, text)
		}
	}
	e.begin(map[string]any{"test": suite + ":declines"})
	e.must("setExceptionBreakpoints", map[string]any{"filters": []string{}})
	e.must("configurationDone", nil)
	e.stopped("end")
	e.file("task.test.yaml", `version: 1
definition: task.asl.json
cases:
  declines:
    tasks: {Charge: [{output: {paid: false}}]}
    expect: {output: {paid: false}}
`)
	e.must("restart", nil)
	for said := ""; !strings.Contains(said, "The first difference: Charge"); {
		said, _ = e.event("output")["output"].(string)
	}
	e.stopped("end")
	e.must("continue", map[string]any{"threadId": 1})
	e.event("terminated")
	e.disconnect("")
	if text := e.log.String(); !strings.Contains(text, "The case passes.") {
		t.Errorf("after the restart with the changed suite: %s", text)
	}
	e = newEditor(t)
	e.must("initialize", map[string]any{})
	e.refused("launch", map[string]any{"test": suite + ":nothing"}, "nothing")
	e.disconnect("")
}

// Without debugging no breakpoint stops, and the output comes at the end.
func TestNoDebug(t *testing.T) {
	e := newEditor(t)
	e.openDemo(map[string]any{"noDebug": true, "seed": 3, "startTime": "2026-01-01T00:00:00Z"})
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "ChargeCard"}}})
	e.must("configurationDone", nil)
	if code := e.event("exited")["exitCode"]; code != 0.0 {
		t.Errorf("it exits with %v", code)
	}
	e.disconnect("")
	if !strings.Contains(e.log.String(), `"category":"stdout"`) {
		t.Error("there is no output")
	}
}

// A definition with errors is refused, with all of them on the console.
func TestDefinitionWithErrors(t *testing.T) {
	e := newEditor(t)
	e.must("initialize", map[string]any{})
	e.refused("launch", map[string]any{"program": e.file("bad.json", `{"StartAt": "B", "States": {"A": {"Type": "Pas"}}}`)}, "error")
	if !strings.Contains(e.log.String(), `"category":"stderr"`) {
		t.Error("the errors are not on the console")
	}
	e.must("launch", map[string]any{"program": e.file("good.json", `{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`), "input": "in.json", "cwd": filepath.Dir(e.file("in.json", `[1, 2]`)), "substitutions": map[string]any{"A": "b"}})
	e.must("configurationDone", nil)
	e.stopped("end")
	if got := e.value("$[1]"); got != "2" {
		t.Errorf("the input is %s", got)
	}
	e.disconnect("")
}

// The project file names the fixtures of a run that names none.
func TestDefaultFixtures(t *testing.T) {
	e := newEditor(t)
	e.file(".asldb.yaml", "fixtures: f.yaml\n")
	e.file("f.yaml", "version: 1\ntasks: {Charge: [{output: {paid: true}}]}\n")
	e.begin(map[string]any{"program": e.file("task.asl.json", taskJSON)})
	e.must("configurationDone", nil)
	e.stopped("end")
	e.disconnect("")
}

// Long arrays come in pages.
func TestPages(t *testing.T) {
	e := newEditor(t)
	items := "[" + strings.TrimSuffix(strings.Repeat("7,", 10_000), ",") + "]"
	e.begin(map[string]any{"program": e.file("loop.json", endless), "input": e.file("in.json", `{"items": `+items+`, "a b": null}`), "stopOnEntry": true})
	e.must("configurationDone", nil)
	e.stopped("entry")
	data := list(t, e.must("variables", map[string]any{"variablesReference": e.scope("Data")}), "variables")
	if data[0]["indexedVariables"] != 10_000.0 || data[1]["evaluateName"] != "$['a b']" {
		t.Errorf("the data are %v", data)
	}
	reference := data[0]["variablesReference"]
	page := list(t, e.must("variables", map[string]any{"variablesReference": reference, "filter": "indexed", "start": 9990, "count": 100}), "variables")
	if len(page) != 10 || page[9]["name"] != "9999" || page[9]["evaluateName"] != "$.items[9999]" {
		t.Errorf("the page is %v", page)
	}
	if named := list(t, e.must("variables", map[string]any{"variablesReference": reference, "filter": "named"}), "variables"); len(named) != 0 {
		t.Errorf("an array has named members: %v", named)
	}
	e.disconnect("")
}
