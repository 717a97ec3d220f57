package dap

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/definitions"
)

// lineOfText returns the number of the first line of a text that has a part.
func lineOfText(t *testing.T, text, part string) int {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if strings.Contains(line, part) {
			return i + 1
		}
	}
	t.Fatalf("no line has %q", part)
	return 0
}

// openDemo launches the built-in example, with other arguments besides.
func (e *editor) openDemo(more map[string]any) (definition string) {
	e.t.Helper()
	definition = e.file("order.asl.json", string(definitions.DemoDefinition))
	arguments := map[string]any{"program": definition, "fixtures": e.file("order.fixtures.yaml", string(definitions.Fixtures))}
	for key, v := range more {
		arguments[key] = v
	}
	e.begin(arguments)
	return definition
}

// A definition has the fixtures beside it, and the console says so; noFixtures leaves them out.
func TestFixturesBeside(t *testing.T) {
	for _, without := range []bool{false, true} {
		e := newEditor(t)
		definition := e.file("order.asl.json", string(definitions.DemoDefinition))
		e.file("order.fixtures.yaml", string(definitions.Fixtures))
		e.begin(map[string]any{"program": definition, "noFixtures": without})
		if said := strings.Contains(e.log.String(), "order.fixtures.yaml (beside DIR"); said == without {
			t.Errorf("noFixtures %v: the messages were\n%s", without, e.log.String())
		}
	}
}

// Attributes that are misspelt are told with the ones that are meant, and others are the editor's.
func TestMisspeltAttributes(t *testing.T) {
	e := newEditor(t)
	e.must("initialize", map[string]any{"adapterID": "asldb"})
	const advice = `there is no attribute "progam": did you mean "program"?`
	e.refused("launch", map[string]any{"progam": "order.asl.json"}, "launch needs program, test, history, trace or redrive; "+advice)
	if got := e.event("output")["output"]; got != "launch: "+advice+"\n" {
		t.Errorf("the console has %q", got)
	}
	for name, value := range map[string]any{"program": 3, "seed": "one", "stopOnEntry": "yes"} {
		_, failed := e.send("launch", map[string]any{name: value})
		if !strings.Contains(failed, name+" should be ") {
			t.Errorf("%s: refused with %q", name, failed)
		}
	}
	e.refused("setBreakpoints", map[string]any{"source": 3}, "source should be an object, not a number")
	known := map[string]any{"type": "asldb", "request": "launch", "name": "order", "__sessionId": "1", "__configurationTarget": 6, "preLaunchTask": "", "presentation": 1, "order": 1, "console": "", "internalConsoleOptions": "", "debugServer": 1, "env": 1, "args": 1, "windows": 1, "linux": 1, "osx": 1, "StopOnEntry": true}
	for name := range known {
		content, _ := json.Marshal(map[string]any{name: 1})
		if got := misspelt(content); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, meant := range map[string]string{"fixture": "fixtures", "allow-live": "allowLive", "onMising": "onMissing", "substitution": "substitutions"} {
		content, _ := json.Marshal(map[string]any{name: 1})
		if got := misspelt(content); len(got) != 1 || !strings.Contains(got[0], `did you mean "`+meant+`"?`) {
			t.Errorf("%s: %v", name, got)
		}
	}
	e.disconnect("")
}

// Threads that have not begun are named after their branch or iteration, and the frame of the execution is at its definition.
func TestThreadsNotBegun(t *testing.T) {
	e := newEditor(t)
	definition := e.file("each.asl.json", `{"StartAt": "Each", "States": {"Each": {"Type": "Map", "ItemProcessor": {"StartAt": "Both", "States": {
		"Both": {"Type": "Parallel", "Branches": [{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}, {"StartAt": "B", "States": {"B": {"Type": "Pass", "End": true}}}], "End": true}}}, "End": true}}}`)
	e.begin(map[string]any{"program": definition, "input": []int{1, 2}})
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "A"}}})
	e.must("configurationDone", nil)
	e.stopped("function breakpoint")
	names := value.Each(list(t, e.must("threads", nil), "threads"), func(thread map[string]any) string {
		return thread["name"].(string)
	})
	want := []string{
		"Each (waits for iterations)", "Each/Iterations[0]/Both (waits for branches)", "Each/Iterations[1]/Both (waits for branches)",
		"Each/Iterations[0]/Both/Branches[0]/A", "Each/Iterations[0]/Both/Branches[1] (not begun)",
		"Each/Iterations[1]/Both/Branches[0] (not begun)", "Each/Iterations[1]/Both/Branches[1] (not begun)",
	}
	if !slices.Equal(names, want) {
		t.Errorf("the threads are %q", names)
	}
	for thread := range names {
		frames := e.frames(thread + 1)
		if last := frames[len(frames)-1]; last["source"] == nil || last["line"] != 1.0 {
			t.Errorf("the last frame of thread %d is %v", thread+1, last)
		}
	}
	e.disconnect("")
}

// An editor runs the demo to a breakpoint on a line, looks at the data, steps on and back, and runs to the end.
func TestSessionOfTheDemo(t *testing.T) {
	e := newEditor(t)
	definition := e.openDemo(nil)
	name, field := lineOfText(t, string(definitions.DemoDefinition), `"ChargeCard": {`), lineOfText(t, string(definitions.DemoDefinition), `"id.$": "$.Payload.chargeId"`)
	points := list(t, e.must("setBreakpoints", map[string]any{
		"source": map[string]any{"path": definition}, "breakpoints": []any{map[string]any{"line": name + 2}, map[string]any{"line": field}, map[string]any{"line": 100000}},
	}), "breakpoints")
	if points[0]["line"] != float64(name) || points[1]["line"] != float64(field-1) || points[1]["verified"] != true || points[2]["verified"] != false {
		t.Errorf("the breakpoints are %v", points)
	}
	e.must("setExceptionBreakpoints", map[string]any{"filters": []string{"uncaught"}})
	e.must("configurationDone", nil)
	e.stopped("breakpoint")
	e.must("threads", nil)
	if top := e.top(1); top["name"] != "ChargeCard › input" || top["line"] != float64(name) {
		t.Errorf("the frame is %v", top)
	}
	if got := e.variables(e.scope("Data")); got["customer"] == "" {
		t.Errorf("the data are %v", got)
	}
	if got := e.value("$.validation.total"); got != "129.90" {
		t.Errorf("$.validation.total is %s", got)
	}
	e.must("stepIn", map[string]any{"threadId": 1})
	e.stopped("step")
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("breakpoint")
	if top := e.top(1); top["name"] != "ChargeCard › ResultSelector" || top["line"] != float64(field-1) {
		t.Errorf("the frame is %v", top)
	}
	if got := e.variables(e.scope("Change")); len(got) == 0 {
		t.Error("nothing has changed in ResultSelector")
	}
	if got := e.variables(e.scope("Task")); got["Resource"] != `"arn:aws:states:::lambda:invoke"` || got["Result"] == "" {
		t.Errorf("the task is %v", got)
	}
	e.must("next", map[string]any{"threadId": 1})
	e.stopped("step")
	if top := e.top(1); top["name"] != "AwaitSettlement › input" {
		t.Errorf("after next the frame is %v", top)
	}
	e.must("stepBack", map[string]any{"threadId": 1})
	e.stopped("step")
	if top := e.top(1); top["name"] != "ChargeCard › input" {
		t.Errorf("after stepBack the frame is %v", top)
	}
	e.must("setBreakpoints", map[string]any{"source": map[string]any{"path": definition}})
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.must("continue", map[string]any{"threadId": 1})
	if code := e.event("exited")["exitCode"]; code != float64(0) {
		t.Errorf("the exit code is %v", code)
	}
	e.event("terminated")
	e.refused("next", map[string]any{"threadId": 1}, "has ended")
	e.disconnect("demo")
}

// Branches and iterations are threads with the states around them in their frames.
func TestThreads(t *testing.T) {
	e := newEditor(t)
	e.openDemo(nil)
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "NotifyCustomer"}, map[string]any{"name": "PickLine", "hitCondition": "2"}}})
	e.must("configurationDone", nil)
	thread := int(e.stopped("function breakpoint")["threadId"].(float64))
	if threads := list(t, e.must("threads", nil), "threads"); len(threads) != 3 {
		t.Errorf("the threads are %v", threads)
	}
	frames := e.frames(thread)
	if len(frames) != 3 || frames[1]["name"] != "Fulfil" || frames[2]["presentationHint"] != "subtle" {
		t.Errorf("the frames are %v", frames)
	}
	if scopes := list(t, e.must("scopes", map[string]any{"frameId": frames[1]["id"]}), "scopes"); scopes[0]["name"] != "Data after input" {
		t.Errorf("the scopes of Fulfil are %v", scopes)
	}
	page := e.must("stackTrace", map[string]any{"threadId": thread, "startFrame": 1, "levels": 1})
	if page["totalFrames"] != float64(3) || len(page["stackFrames"].([]any)) != 1 {
		t.Errorf("the page is %v", page)
	}
	e.must("stepOut", map[string]any{"threadId": thread})
	e.stopped("step")
	e.must("continue", map[string]any{"threadId": 1})
	stop := e.stopped("function breakpoint")
	if frames := e.frames(int(stop["threadId"].(float64))); !strings.HasPrefix(frames[0]["name"].(string), "#1 PickLine") && !strings.Contains(frames[0]["name"].(string), "PickLine") {
		t.Errorf("the frames are %v", frames)
	}
	e.refused("stackTrace", map[string]any{"threadId": 0}, "no thread")
	e.must("stepIn", map[string]any{"threadId": stop["threadId"], "singleThread": true})
	e.stopped("step")
	e.disconnect("threads")
}

// Steps back and jumps go to known events, and nothing runs again.
func TestTravel(t *testing.T) {
	e := newEditor(t)
	definition := e.openDemo(map[string]any{"stopOnEntry": true})
	e.must("configurationDone", nil)
	e.stopped("entry")
	e.must("stepIn", map[string]any{"threadId": 1})
	e.stopped("step")
	e.must("stepBack", map[string]any{"threadId": 1, "granularity": "instruction"})
	e.stopped("step")
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "Fulfil"}}})
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("function breakpoint")
	source := map[string]any{"path": definition}
	targets := list(t, e.must("gotoTargets", map[string]any{"source": source, "line": lineOfText(t, string(definitions.DemoDefinition), `"ChargeCard": {`)}), "targets")
	if len(targets) != 1 {
		t.Fatalf("the targets are %v", targets)
	}
	e.must("goto", map[string]any{"threadId": 1, "targetId": targets[0]["id"]})
	e.stopped("goto")
	if top := e.top(1); top["name"] != "ChargeCard › input" {
		t.Errorf("the frame is %v", top)
	}
	e.must("stepIn", map[string]any{"threadId": 1})
	e.stopped("step")
	e.must("restartFrame", map[string]any{"frameId": e.top(1)["id"]})
	e.stopped("restart")
	if top := e.top(1); top["name"] != "ChargeCard › input" {
		t.Errorf("the frame is %v", top)
	}
	e.must("reverseContinue", map[string]any{"threadId": 1})
	e.stopped("entry")
	e.refused("gotoTargets", map[string]any{"source": source, "line": 1}, "no state")
	e.refused("gotoTargets", map[string]any{"source": source, "line": lineOfText(t, string(definitions.DemoDefinition), `"OrderRejected": {`)}, "has not been entered")
	e.refused("goto", map[string]any{"threadId": 1, "targetId": 100000}, "no event")
	e.refused("restartFrame", map[string]any{"frameId": 4711}, "no such frame")
	e.must("restart", nil)
	e.stopped("entry")
	if top := e.top(1); top["name"] != "ValidateOrder › input" {
		t.Errorf("after restart the frame is %v", top)
	}
	e.disconnect("travel")
}

// A change of the data is an edit, which the states behind see.
func TestChange(t *testing.T) {
	e := newEditor(t)
	e.openDemo(nil)
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "PaymentDue"}, map[string]any{"name": "WaivePayment"}}})
	e.must("configurationDone", nil)
	e.stopped("function breakpoint")
	data := e.scope("Data")
	inner := 0.0
	for _, v := range list(t, e.must("variables", map[string]any{"variablesReference": data}), "variables") {
		if v["name"] == "validation" {
			inner = v["variablesReference"].(float64)
		}
	}
	e.refused("setVariable", map[string]any{"variablesReference": inner, "name": "total", "value": "nought"}, "JSON")
	e.refused("setVariable", map[string]any{"variablesReference": inner, "name": "sum", "value": "0"}, "no member")
	if got := e.must("setVariable", map[string]any{"variablesReference": inner, "name": "total", "value": "0"}); got["value"] != "0" {
		t.Errorf("set to %v", got)
	}
	e.event("invalidated")
	if got := e.value("$.validation.total"); got != "0" {
		t.Errorf("the total is %s after the edit", got)
	}
	e.must("setExpression", map[string]any{"expression": "$.customer.name", "value": `"Ada"`, "frameId": e.top(1)["id"]})
	e.refused("setExpression", map[string]any{"expression": "$$.Execution.Name", "value": `"x"`, "frameId": 0}, "only the data")
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("function breakpoint")
	if top := e.top(1); top["name"] != "WaivePayment › input" {
		t.Errorf("the edit leads to %v", top)
	}
	if got := e.value("$.customer.name"); got != `"Ada"` {
		t.Errorf("the name is %s", got)
	}
	e.must("reverseContinue", map[string]any{"threadId": 1})
	e.stopped("function breakpoint")
	e.must("setExpression", map[string]any{"expression": "$.validation.total", "value": "5", "frameId": e.top(1)["id"]}) // begins a what-if
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "ChargeCard"}}})
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("function breakpoint")
	if got := e.value("$.validation.total"); got != "5" {
		t.Errorf("the total of the what-if is %s", got)
	}
	before := e.scope("Variables")
	if before != 0 {
		t.Error("there are variables")
	}
	e.refused("setVariable", map[string]any{"variablesReference": e.scope("Context"), "name": "Execution", "value": "0"}, "the context object is the run's own")
	e.refused("setVariable", map[string]any{"variablesReference": 4711, "name": "Execution", "value": "0"}, "no such variables")
	e.disconnect("change")
}

// An error in an iteration inside of a Parallel state stops once, and the stop and the end name it as the screen does.
func TestErrorInsideStopsOnce(t *testing.T) {
	e := newEditor(t)
	e.begin(map[string]any{"program": e.file("inside.asl.json", `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"M","States":{
		"M":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Broken","Cause":"the cause"}}}}}}]}}}`), "input": []any{1}})
	e.must("setExceptionBreakpoints", map[string]any{"filters": []string{"uncaught"}})
	e.must("configurationDone", nil)
	if body := e.stopped("exception"); body["description"] != "UNCAUGHT ERROR in [0] F: Broken" || body["text"] != "Broken: the cause" {
		t.Errorf("the stop is %v", body)
	}
	e.must("continue", map[string]any{"threadId": 1})
	if body := e.stopped("end"); body["description"] != "FAILED in P, because [0] F failed: Broken" {
		t.Errorf("the end is %v", body)
	}
	e.must("disconnect", nil)
}

// Where a stage has failed the data are those before it, at the error and at the end of the execution.
func TestDataAtAnError(t *testing.T) {
	e := newEditor(t)
	e.begin(map[string]any{
		"program": e.file("miss.asl.json", `{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"x.$":"$.none"},"End":true}}}`), "input": map[string]any{"here": 7},
	})
	e.must("setExceptionBreakpoints", map[string]any{"filters": []string{"uncaught"}})
	e.must("configurationDone", nil)
	e.stopped("exception")
	for i, name := range []string{"Data before Parameters", "Data"} {
		stop := []string{"error", "end"}[i]
		scopes := list(t, e.must("scopes", map[string]any{"frameId": e.top(1)["id"]}), "scopes")
		if scopes[0]["name"] != name || scopes[1]["name"] == "Before" {
			t.Errorf("at %s the scopes are %v", stop, scopes)
		}
		if got := e.variables(scopes[0]["variablesReference"].(float64)); got["here"] != "7" {
			t.Errorf("at %s the data are %v", stop, got)
		}
		if got := e.value("$.here"); got != "7" {
			t.Errorf("at %s $.here is %s", stop, got)
		}
		if i == 0 {
			e.must("continue", map[string]any{"threadId": 1})
			e.stopped("end")
		}
	}
	e.must("disconnect", nil)
}
